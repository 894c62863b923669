#include "loader/objects/listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "isa/control_flow.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"

namespace salu::loader {
namespace {

/// Returns the elements of a sorted range from an address on, within `size_bytes`.
template <class T>
std::span<const T> within(const std::vector<T>& sorted, u64 address, u64 size_bytes) {
  const auto first = std::ranges::lower_bound(sorted, address, {}, &T::address);
  const auto last =
      std::find_if(first, sorted.end(), [&](const T& each) { return each.address - address >= size_bytes; });
  return {first, last};
}

class Lister {
 public:
  Lister(const BuiltProgram& code, const ListingOptions& options)
      : code_(code), program_(code.program), options_(options), generation_(program_.generation()) {}

  void list(const std::function<void(const ListedInstruction&)>& visit) {
    for (const Symbol& symbol : program_.symbols) {
      // Data is not listed, and a branch to it gets no label.
      if (program_.find_block(symbol.address) != nullptr) names_.try_emplace(symbol.address, symbol.name);
    }
    find_targets();
    announce_to_llvm();
    const isa::LabelResolver label = [this](u64 address) { return name_at(address); };
    bool is_first = true;
    u64 end = 0;  // end of the last listed instruction
    for_each_instruction([&](u64 address, const isa::Instruction& instruction, std::span<const u32> words) {
      ListedInstruction listed;
      listed.address = address;
      listed.words = words;
      listed.text = isa::disassemble(generation_, instruction, {.address = address, .label = &label});
      const Unresolved* const unresolved = program_.find_unresolved(address, 4);
      if (unresolved != nullptr && !unresolved->instruction.empty()) listed.text = unresolved->instruction;
      listed.begins_block = !is_first && address != end;
      end = address + words.size() * 4;
      is_first = false;
      if (const auto known = ask_llvm(instruction, words)) {
        listed.text = known->text;
        listed.is_llvms_text = true;
      }
      describe(instruction, listed);
      visit(listed);
    });
  }

 private:
  /// Announces all instructions that LLVM's disassembler will decode.
  void announce_to_llvm() const {
    if (options_.llvm == nullptr) return;
    std::vector<std::vector<u32>> instructions;
    for_each_instruction([&](u64, const isa::Instruction& instruction, std::span<const u32> words) {
      if (isa::is_unknown_vector(generation_, instruction)) instructions.emplace_back(words.begin(), words.end());
    });
    options_.llvm->expect(instructions);
  }

  /// Returns LLVM's decoding, if it has the same length.
  std::optional<LlvmDisassembler::Instruction> ask_llvm(const isa::Instruction& instruction,
                                                        std::span<const u32> words) const {
    if (options_.llvm == nullptr || !isa::is_unknown_vector(generation_, instruction)) return std::nullopt;
    auto answer = options_.llvm->decode(words);
    return answer && answer->dwords == words.size() ? std::move(answer) : std::nullopt;
  }

  [[nodiscard]] std::string name_at(u64 address) const {
    const auto found = names_.find(address);
    return found == names_.end() ? std::string() : found->second;
  }

  template <class Visit>
  void for_each_instruction(Visit visit) const {
    for (const CodeBlock& block : program_.code) {
      const auto [first, last] = range_in(block);
      const std::span<const u32> words = std::span(block.words).first(last);
      for (std::size_t i = first; i < words.size();) {
        const isa::Instruction instruction = isa::decode(generation_, words.subspan(i));
        const std::size_t count = std::clamp<std::size_t>(instruction.dwords, 1, words.size() - i);
        visit(block.base + i * 4, instruction, words.subspan(i, count));
        i += count;
      }
    }
  }

  /// Returns the range of word indices of a block that are listed.
  [[nodiscard]] std::pair<std::size_t, std::size_t> range_in(const CodeBlock& block) const {
    const std::size_t count = block.words.size();
    if (options_.symbol == nullptr) return {0, count};
    const Symbol& symbol = *options_.symbol;
    if (!block.contains(symbol.address)) return {0, 0};
    const auto index_of = [&](u64 address) {
      return address >= block.end() ? count : static_cast<std::size_t>((address - block.base + 3) / 4);
    };
    return {static_cast<std::size_t>((symbol.address - block.base) / 4), index_of(end_of(symbol, block))};
  }

  /// A label has no size: it extends to the next label.
  [[nodiscard]] u64 end_of(const Symbol& symbol, const CodeBlock& block) const {
    if (symbol.size_bytes != 0) return symbol.address + std::min(symbol.size_bytes, block.end() - symbol.address);
    const auto next = std::ranges::upper_bound(program_.symbols, symbol.address, {}, &Symbol::address);
    return next == program_.symbols.end() ? block.end() : std::min(next->address, block.end());
  }

  /// Names the targets of branches that have no symbol: L1, L2, ... in the order of their addresses.
  void find_targets() {
    std::map<u64, bool> starts;  // starts of instructions; true if a branch targets it
    for_each_instruction(
        [&](u64 address, const isa::Instruction&, std::span<const u32>) { starts.emplace(address, false); });
    for_each_instruction([&](u64 address, const isa::Instruction& instruction, std::span<const u32>) {
      const auto target = isa::branch_target(instruction, address);
      const auto found = target ? starts.find(*target) : starts.end();
      if (found != starts.end()) found->second = true;
    });
    std::unordered_set<std::string_view> used;
    for (const Symbol& symbol : program_.symbols) used.insert(symbol.name);
    std::size_t number = 0;
    for (const auto& [address, is_target] : starts) {
      if (!is_target || names_.contains(address)) continue;
      std::string name;
      do {
        name = fmt::format("L{}", ++number);
      } while (used.contains(name));
      names_.emplace(address, std::move(name));
    }
  }

  void describe(const isa::Instruction& instruction, ListedInstruction& listed) const {
    const u64 address = listed.address;
    const u64 size_bytes = listed.words.size() * 4;
    listed.place = program_.describe_address(address);
    for (const Symbol& symbol : std::ranges::equal_range(program_.symbols, address, {}, &Symbol::address))
      listed.labels.push_back(symbol.name);
    if (listed.labels.empty() && names_.contains(address)) listed.labels.push_back(name_at(address));
    if (const auto target = isa::branch_target(instruction, address))
      listed.target = BranchTarget{*target, name_at(*target), program_.describe_address(*target)};
    const auto references = within(code_.references, address, size_bytes);
    listed.refers_to = references.empty() ? linked_reference(address) : references.front().text;
    listed.is_defined = references.empty() || program_.find_unresolved(address, size_bytes) == nullptr;
    listed.relocations = within(code_.relocations, address, size_bytes);
    listed.line = program_.find_line(address);
  }

  /// Returns the symbol at the sum of S_GETPC_B64 and a following S_ADD_U32 at an address, in linked code.
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
    return symbol == program_.symbols.end() || symbol->address != target ? "" : symbol->name;
  }

  const BuiltProgram& code_;
  const Program& program_;
  const ListingOptions& options_;
  Generation generation_;
  std::map<u64, std::string> names_;  ///< of symbols and branch targets
};

}  // namespace

void list_code(const BuiltProgram& code, const ListingOptions& options,
               const std::function<void(const ListedInstruction&)>& visit) {
  Lister(code, options).list(visit);
}

std::string list_instruction(Generation generation, std::span<const u32> words, LlvmDisassembler& llvm) {
  const isa::Instruction instruction = isa::decode(generation, words);
  const bool is_one =
      !words.empty() && instruction.encoding != isa::EncodingClass::truncated && instruction.dwords == words.size();
  if (!is_one) return "<invalid>";
  if (isa::is_unknown_vector(generation, instruction)) {
    const auto known = llvm.decode(words);
    if (known && known->dwords == words.size()) return known->text;
  }
  return isa::disassemble(generation, instruction);
}

void name_unsupported_instruction(const Program& program, Stop& stop, const std::string& llvm) {
  if (stop.reason != StopReason::vector_instruction) return;
  const CodeBlock* const block = program.find_block(stop.pc);
  if (block == nullptr) return;
  const std::span<const u32> words = std::span(block->words).subspan((stop.pc - block->base) / 4);
  const isa::Instruction instruction = isa::decode(program.generation(), words);
  if (!isa::is_unknown_vector(program.generation(), instruction)) return;
  // The run may have changed its code.
  if (isa::disassemble(program.generation(), instruction) != stop.instruction) return;
  LlvmDisassembler disassembler(*program.target, llvm);
  const auto known = disassembler.decode(words.first(std::min<std::size_t>(instruction.dwords, words.size())));
  if (known && known->dwords == instruction.dwords) stop.instruction = known->text;
}

}  // namespace salu::loader
