#include "dis_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "output/hazard_fields.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::app {
namespace {

using Json = nlohmann::ordered_json;
using loader::ListedInstruction;
using support::hex;
using support::printable;

/// `table+0x4`.
std::string target_of(const loader::PlacedRelocation& relocation) {
  if (relocation.addend == 0) return relocation.symbol;
  const bool is_negative = relocation.addend < 0;
  const u64 distance = is_negative ? 0 - static_cast<u64>(relocation.addend) : static_cast<u64>(relocation.addend);
  return relocation.symbol + (is_negative ? "-" : "+") + hex(distance);
}

/// The comment after an instruction: the symbol that it refers to, or the target of a branch without a symbol.
std::string comment_of(const ListedInstruction& instruction) {
  if (!instruction.refers_to.empty())
    return " // " + instruction.refers_to + (instruction.is_defined ? "" : " (not defined here)");
  if (!instruction.target || instruction.target->place.empty()) return {};
  const loader::BranchTarget& target = *instruction.target;
  return target.label == target.place ? "" : " // <" + target.place + ">";
}

}  // namespace

std::string ListingText::source_line(const LineEntry& entry) {
  const std::string& file = program_.files.at(entry.file);
  const std::string place = fmt::format("{}:{}", printable(file), entry.line);
  if (place == last_place_) return {};
  last_place_ = place;
  std::string line = "  // " + place;
  const auto* const lines = options_.source ? files_.find(file) : nullptr;
  if (lines != nullptr && entry.line - 1 < lines->size()) line += ": " + printable((*lines)[entry.line - 1]);
  return line + "\n";
}

std::string ListingText::write(const ListedInstruction& instruction, std::span<const observe::PathHazard> hazards) {
  std::string text;
  if (instruction.begins_block) text += '\n';
  for (const std::string& label : instruction.labels) text += label + ":\n";
  if (instruction.line != nullptr) text += source_line(*instruction.line);
  std::string line = fmt::format("  {:#08x}:", instruction.address);
  for (const u32 word : instruction.words) line += fmt::format(" {:08x}", word);
  constexpr std::size_t text_column = 32;
  line.resize(std::max(line.size() + 1, text_column), ' ');
  text += line + instruction.text + comment_of(instruction) + '\n';
  for (const observe::PathHazard& found : hazards) {
    const Hazard hazard = found.finding.hazard();
    text += fmt::format("      {}: hazard {}: {}\n", hazard.is_info ? "info" : "warning", hazard.id,
                        observe::path_hazard_detail(program_, found));
  }
  if (!options_.relocations) return text;
  for (const loader::PlacedRelocation& relocation : instruction.relocations)
    text += fmt::format("      {:#08x}: {} {}\n", relocation.address, relocation.type, target_of(relocation));
  return text;
}

std::string listing_json(const Program& program, const ListedInstruction& instruction,
                         std::span<const observe::PathHazard> hazards) {
  Json words = Json::array();
  for (const u32 word : instruction.words) words.push_back(fmt::format("{:#010x}", word));
  Json json = {{"address", hex(instruction.address)}, {"words", std::move(words)}, {"text", instruction.text}};
  if (instruction.is_llvms_text) json["by"] = "llvm";
  if (!instruction.labels.empty()) json["labels"] = instruction.labels;
  if (!instruction.place.empty()) json["place"] = instruction.place;
  if (instruction.target) {
    const loader::BranchTarget& target = *instruction.target;
    Json where = {{"address", hex(target.address)}};
    if (!target.label.empty()) where["label"] = target.label;
    if (!target.place.empty()) where["place"] = target.place;
    json["target"] = std::move(where);
  }
  if (!instruction.refers_to.empty()) {
    json["refers_to"] = instruction.refers_to;
    if (!instruction.is_defined) json["undefined"] = true;
  }
  for (const loader::PlacedRelocation& relocation : instruction.relocations) {
    json["relocations"].push_back({{"at", hex(relocation.address)},
                                   {"type", relocation.type},
                                   {"symbol", relocation.symbol},
                                   {"addend", relocation.addend}});
  }
  for (const observe::PathHazard& found : hazards) {
    Json listed;
    output::add_hazard_fields(found.finding.hazard(), 1, listed);
    listed["detail"] = observe::path_hazard_detail(program, found);
    json["hazards"].push_back(std::move(listed));
  }
  if (instruction.line != nullptr) {
    json["file"] = program.files.at(instruction.line->file);
    json["line"] = instruction.line->line;
  }
  return support::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace salu::app
