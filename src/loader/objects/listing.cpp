#include "loader/objects/listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

/// Where a direct branch goes; nothing for any other instruction.
std::optional<u64> branch_target(const isa::Instruction& instruction, u64 address) {
  if (instruction.encoding != isa::EncodingClass::scalar) return std::nullopt;
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    if (operand.kind == isa::OperandKind::branch) {
      return address + 4 + static_cast<u64>(i64{static_cast<i16>(instruction.simm16)} * 4);
    }
  }
  return std::nullopt;
}

class Listing {
 public:
  explicit Listing(const BuiltProgram& code)
      : program_(code.program), references_(code.references), generation_(program_.generation()) {}

  std::string write() {
    for (const Symbol& symbol : program_.symbols) names_.try_emplace(symbol.address, symbol.name);
    find_targets();
    const isa::LabelResolver label = [this](u64 address) {
      const auto found = names_.find(address);
      return found == names_.end() ? std::string() : found->second;
    };
    for (const CodeBlock& block : program_.code) {
      if (!text_.empty()) text_ += '\n';
      for_each(block, [&](u64 address, const isa::Instruction& instruction, std::span<const u32> words) {
        add_headings(address);
        std::string line = fmt::format("  {:#08x}:", address);
        for (const u32 word : words) line += fmt::format(" {:08x}", word);
        constexpr std::size_t text_column = 32;
        line.resize(std::max(line.size() + 1, text_column), ' ');
        line += isa::disassemble(generation_, instruction, {.address = address, .label = &label});
        text_ += line + reference_in(address, words.size() * 4) + '\n';
      });
    }
    return std::move(text_);
  }

 private:
  template <class Visit>
  void for_each(const CodeBlock& block, Visit visit) const {
    const std::span<const u32> words = block.words;
    for (std::size_t i = 0; i < words.size();) {
      const isa::Instruction instruction = isa::decode(generation_, words.subspan(i));
      const std::size_t count = std::clamp<std::size_t>(instruction.dwords, 1, words.size() - i);
      visit(block.base + i * 4, instruction, words.subspan(i, count));
      i += count;
    }
  }

  /// Names the targets of branches that have no symbol: L1, L2, ... in the order of their addresses.
  void find_targets() {
    std::map<u64, bool> starts;  // of instructions; true when a branch goes there
    for (const CodeBlock& block : program_.code) {
      for_each(block,
               [&](u64 address, const isa::Instruction&, std::span<const u32>) { starts.emplace(address, false); });
    }
    for (const CodeBlock& block : program_.code) {
      for_each(block, [&](u64 address, const isa::Instruction& instruction, std::span<const u32>) {
        const auto target = branch_target(instruction, address);
        const auto found = target ? starts.find(*target) : starts.end();
        if (found != starts.end()) found->second = true;
      });
    }
    std::size_t number = 0;
    for (const auto& [address, is_target] : starts) {
      if (is_target && !names_.contains(address)) names_.emplace(address, unused_label(number));
    }
  }

  [[nodiscard]] std::string unused_label(std::size_t& number) const {
    std::string name;
    do {
      name = fmt::format("L{}", ++number);
    } while (program_.find_symbol(name) != nullptr);
    return name;
  }

  /// What symbol an instruction refers to, as a comment; empty when it refers to none.
  [[nodiscard]] std::string reference_in(u64 address, u64 size_bytes) const {
    const auto found = std::ranges::lower_bound(references_, address, {}, &Reference::address);
    if (found == references_.end() || found->address - address >= size_bytes) return linked_reference(address);
    const bool is_missing = program_.find_unresolved(address, size_bytes) != nullptr;
    return " // " + found->text + (is_missing ? " (not defined here)" : "");
  }

  /// What S_GETPC_B64 and the S_ADD_U32 at an address behind it add up to in linked code, when a symbol is there.
  [[nodiscard]] std::string linked_reference(u64 address) const {
    const CodeBlock* block = program_.find_block(address - 4);
    if (block == nullptr || !block->contains(address)) return {};
    const std::span words = std::span(block->words).subspan((address - 4 - block->base) / 4);
    const isa::Instruction getpc = isa::decode(generation_, words);
    const isa::Instruction add = isa::decode(generation_, words.subspan(1));
    const bool is_pair = getpc.encoding == isa::EncodingClass::scalar && getpc.insn == isa::Insn::s_getpc_b64 &&
                         add.encoding == isa::EncodingClass::scalar && add.insn == isa::Insn::s_add_u32;
    if (!is_pair || !add.has_literal || add.ssrc0 != getpc.sdst) return {};
    const u64 target = address + static_cast<u64>(i64{static_cast<i32>(add.literal)});
    const auto symbol = std::ranges::lower_bound(program_.symbols, target, {}, &Symbol::address);
    return symbol == program_.symbols.end() || symbol->address != target ? "" : " // " + symbol->name;
  }

  /// The source line, where it is another one than that of the instruction before.
  void add_source_line(u64 address) {
    const LineEntry* const entry = program_.find_line(address);
    if (entry == nullptr) return;
    const std::string place = fmt::format("{}:{}", support::printable(program_.files.at(entry->file)), entry->line);
    if (place != source_line_) text_ += "  // " + place + "\n";
    source_line_ = place;
  }

  void add_headings(u64 address) {
    const auto symbols = std::ranges::equal_range(program_.symbols, address, {}, &Symbol::address);
    for (const Symbol& symbol : symbols) text_ += symbol.name + ":\n";
    if (symbols.empty() && names_.contains(address)) text_ += names_[address] + ":\n";
    add_source_line(address);
  }

  const Program& program_;
  std::span<const Reference> references_;
  Generation generation_;
  std::map<u64, std::string> names_;  ///< of symbols and branch targets
  std::string source_line_;
  std::string text_;
};

}  // namespace

std::string list_code(const BuiltProgram& code) { return Listing(code).write(); }

std::string list_instruction(Generation generation, std::span<const u32> words) {
  const isa::Instruction instruction = isa::decode(generation, words);
  const bool is_one =
      !words.empty() && instruction.encoding != isa::EncodingClass::truncated && instruction.dwords == words.size();
  return is_one ? isa::disassemble(generation, instruction) : "<invalid>";
}

}  // namespace salu::loader
