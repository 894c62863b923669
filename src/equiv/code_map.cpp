#include "equiv/code_map.hpp"

#include <algorithm>

#include "core/program_words.hpp"
#include "isa/operand.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/table.hpp"

namespace salu::equiv {
namespace {

constexpr u32 first_integer = 128;
constexpr u32 last_integer = 208;

void add_vector_constants(Generation generation, std::span<const u32> words, std::vector<u64>& constants) {
  const auto instruction = isa::vector::decode(generation, words);
  if (!instruction) return;
  const isa::vector::Shape& shape = isa::vector::info(instruction->insn).shape;
  for (std::size_t i = 0; i < shape.source_count(); ++i) {
    const u32 code = instruction->sources[i].code;
    const bool is_literal = code == isa::literal_code || shape.sources[i].kind == isa::vector::OperandKind::constant;
    if (is_literal) constants.push_back(instruction->literal);
    if (code >= first_integer && code <= last_integer)
      constants.push_back(isa::inline_constant64(static_cast<u8>(code)));
  }
}

void add_constants(const isa::Instruction& instruction, std::vector<u64>& constants) {
  if (instruction.encoding != isa::EncodingClass::scalar) return;
  if (instruction.has_literal) constants.push_back(instruction.literal);
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    const bool is_immediate = operand.kind == isa::OperandKind::simm16 || operand.kind == isa::OperandKind::uimm16;
    if (is_immediate) constants.push_back(static_cast<u64>(i64{static_cast<i16>(instruction.simm16)}));
    const auto code = isa::operand_code(instruction, operand.field);
    if (code && *code >= first_integer && *code <= last_integer) constants.push_back(isa::inline_constant64(*code));
  }
}

}  // namespace

CodeMap::CodeMap(const Program& program)
    : cfg_(program.generation(),
           [&program](u64 address) {
             const bool is_end =
                 address == program.function_end || (program.kernel_end && address == program.kernel_end->address);
             return is_end ? std::span<const u32>() : core::words_at(program, address);
           }),
      program_(program) {
  for (const CodeBlock& block : program.code) blocks_.push_back({block.base, std::vector<bool>(block.words.size())});
  scan_from(program.entry);
  std::ranges::sort(constants_);
  const auto rest = std::ranges::unique(constants_);
  constants_.erase(rest.begin(), rest.end());
}

CodeMap::Block& CodeMap::find(u64 address) {
  const auto holds = [address](const Block& block) { return address - block.base < block.executed.size() * 4; };
  return *std::ranges::find_if(blocks_, holds);
}

void CodeMap::scan_from(u64 address) {
  cfg_.add(address, [this](const exec::CfgNode& node) {
    add_constants(node.instruction, constants_);
    if (node.instruction.encoding != isa::EncodingClass::vector) return true;
    const auto words = core::words_at(program_, node.address).first(node.instruction.dwords);
    add_vector_constants(program_.generation(), words, constants_);
    return true;
  });
}

std::vector<AddressRange> CodeMap::never_executed() const {
  std::vector<AddressRange> ranges;
  for (const auto& [first, node] : cfg_.nodes()) {
    if (is_executed(first)) continue;
    const u64 last = first + u64{node.instruction.dwords} * 4 - 1;
    if (!ranges.empty() && ranges.back().last + 1 == first) {
      ranges.back().last = last;
    } else {
      ranges.push_back({first, last});
    }
  }
  return ranges;
}

bool CodeMap::is_executed(u64 address) const {
  return std::ranges::any_of(blocks_, [address](const Block& block) {
    const auto index = static_cast<std::size_t>((address - block.base) / 4);
    return index < block.executed.size() && block.executed[index];
  });
}

bool CodeMap::is_reachable(u64 address) const {
  constexpr u64 most_dwords = 3;
  for (u64 back = 0; back < most_dwords; ++back) {
    const exec::CfgNode* const node = cfg_.find((address & ~u64{3}) - back * 4);
    if (node != nullptr && node->instruction.dwords > back) return true;
  }
  return false;
}

std::vector<u64> CodeMap::addresses() const {
  std::vector<u64> addresses;
  for (const auto& [address, node] : cfg_.nodes()) addresses.push_back(address);
  return addresses;
}

}  // namespace salu::equiv
