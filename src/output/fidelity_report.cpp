#include "output/fidelity_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "observe/accesses.hpp"
#include "output/formats.hpp"
#include "support/numbers.hpp"

namespace salu::output {
namespace {

constexpr std::size_t most_shown = 8;

using Class = std::pair<std::string_view, const std::vector<u64>*>;

/// The classes of inexact instructions, by their names in reports.
std::array<Class, 3> classes(const Fidelity& fidelity) {
  return {{{"approximate", &fidelity.approximate}, {"skipped", &fidelity.skipped}, {"assumed", &fidelity.assumed}}};
}

std::string shown(std::vector<std::string> places) {
  const std::size_t all = places.size();
  places.resize(std::min(all, most_shown));
  const std::string rest = all > most_shown ? fmt::format(" and {} more", all - most_shown) : "";
  return fmt::format("{}{}", fmt::join(places, ", "), rest);
}

std::vector<std::string> result_names(const Program& program, const Affected& affected) {
  std::vector<std::string> names;
  for (const Location& result : affected.results) names.push_back(observe::location_name(program.generation(), result));
  return names;
}

std::string affected_text(const Program& program, const Affected& affected) {
  std::vector<std::string> parts;
  if (affected.control_flow) parts.emplace_back("control flow");
  if (affected.address) parts.emplace_back("an address");
  if (!affected.results.empty()) parts.push_back("the results " + shown(result_names(program, affected)));
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string fidelity_text(const Program& program, const Fidelity& fidelity) {
  std::string text = fmt::format("  fidelity: {} of {} exact\n", fidelity.exact.size(),
                                 support::counted(fidelity.instructions(), "executed instruction"));
  for (const auto& [name, addresses] : classes(fidelity)) {
    if (addresses->empty()) continue;
    std::vector<std::string> places;
    for (const u64 address : *addresses) places.push_back(program.describe_place(address));
    text += fmt::format("    {}: {}\n", name, shown(std::move(places)));
  }
  if (fidelity.affected && !fidelity.is_exact())
    text += fmt::format("    that affects: {}\n", affected_text(program, *fidelity.affected));
  return text;
}

nlohmann::ordered_json fidelity_json(const Program& program, const Fidelity& fidelity) {
  nlohmann::ordered_json json = {{"exact", fidelity.exact.size()}};
  for (const auto& [name, addresses] : classes(fidelity)) {
    json[name] = nlohmann::ordered_json::array();
    for (const u64 address : *addresses) json[name].push_back(support::hex(address, address_digits));
  }
  if (const auto& affected = fidelity.affected) {
    json["affected"] = {{"control_flow", affected->control_flow},
                        {"address", affected->address},
                        {"results", result_names(program, *affected)}};
  }
  return json;
}

std::string fidelity_yaml(const Program& program, const Fidelity& fidelity) {
  std::string text = fmt::format("fidelity: {{exact: {}", fidelity.exact.size());
  for (const auto& [name, addresses] : classes(fidelity)) {
    std::vector<std::string> list;
    for (const u64 address : *addresses) list.push_back(support::hex(address));
    text += fmt::format(", {}: [{}]", name, fmt::join(list, ", "));
  }
  if (const auto& affected = fidelity.affected) {
    std::vector<std::string> names = result_names(program, *affected);
    for (std::string& name : names) name = quote(name);
    text += fmt::format(", affected: {{control_flow: {}, address: {}, results: [{}]}}", affected->control_flow,
                        affected->address, fmt::join(names, ", "));
  }
  return text + "}\n";
}

}  // namespace salu::output
