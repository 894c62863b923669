#include "equiv/code_map.hpp"

#include <algorithm>

#include "isa/control_flow.hpp"
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

CodeMap::CodeMap(const Program& program) : program_(program) {
  for (const CodeBlock& block : program.code) {
    const std::size_t count = block.words.size();
    blocks_.push_back({block.base, std::vector<u8>(count), std::vector<u8>(count)});
  }
  scan_from(program.entry);
  std::ranges::sort(constants_);
  const auto rest = std::ranges::unique(constants_);
  constants_.erase(rest.begin(), rest.end());
}

CodeMap::Block& CodeMap::find(u64 address) {
  const auto holds = [address](const Block& block) { return address - block.base < block.marks.size() * 4; };
  return *std::ranges::find_if(blocks_, holds);
}

void CodeMap::note_executed(Block& block, std::size_t index) {
  if ((block.marks[index] & reachable_mark) == 0) scan_from(block.base + index * 4);
  block.marks[index] |= executed_mark;
  ++executed_;
}

void CodeMap::scan_from(u64 address) {
  std::vector<u64> open = {address};
  while (!open.empty()) {
    const u64 here = open.back();
    open.pop_back();
    const CodeBlock* const code = program_.find_block(here);
    const bool is_end = here == program_.function_end || (program_.kernel_end && here == program_.kernel_end->address);
    if (code == nullptr || is_end) continue;
    Block& block = find(here);
    const auto index = static_cast<std::size_t>((here - code->base) / 4);
    if ((block.marks[index] & reachable_mark) != 0) continue;
    const auto instruction = isa::decode(program_.generation(), std::span(code->words).subspan(index));
    block.marks[index] |= reachable_mark;
    block.lengths[index] = instruction.dwords;
    ++reachable_;
    add_constants(instruction, constants_);
    if (instruction.encoding == isa::EncodingClass::vector) {
      const auto words = std::span(code->words).subspan(index, instruction.dwords);
      add_vector_constants(program_.generation(), words, constants_);
    }
    const u64 next = here + instruction.dwords * u64{4};
    const bool is_known =
        instruction.encoding == isa::EncodingClass::scalar || instruction.encoding == isa::EncodingClass::vector;
    if (is_known && !isa::never_falls_through(instruction)) open.push_back(next);
    if (const auto distance = isa::branch_distance_bytes(instruction)) {
      open.push_back((next + static_cast<u64>(*distance)) & pc_mask(program_.generation()));
    }
  }
}

std::vector<AddressRange> CodeMap::never_executed() const {
  std::vector<AddressRange> ranges;
  for (const Block& block : blocks_) {
    for (std::size_t i = 0; i < block.marks.size(); ++i) {
      if (block.marks[i] != reachable_mark) continue;
      const u64 first = block.base + i * 4;
      const u64 last = first + block.lengths[i] * u64{4} - 1;
      if (!ranges.empty() && ranges.back().last + 1 == first) {
        ranges.back().last = last;
      } else {
        ranges.push_back({first, last});
      }
    }
  }
  return ranges;
}

bool CodeMap::is_reachable(u64 address) const {
  for (const Block& block : blocks_) {
    const u64 index = (address - block.base) / 4;
    if (index >= block.marks.size()) continue;
    constexpr u64 most_dwords = 3;
    for (u64 back = 0; back < std::min(most_dwords, index + 1); ++back) {
      const auto first = static_cast<std::size_t>(index - back);
      if (block.marks[first] != 0 && block.lengths[first] > back) return true;
    }
  }
  return false;
}

std::vector<u64> CodeMap::addresses() const {
  std::vector<u64> addresses;
  for (const Block& block : blocks_) {
    for (std::size_t i = 0; i < block.marks.size(); ++i) {
      if (block.marks[i] != 0) addresses.push_back(block.base + i * 4);
    }
  }
  return addresses;
}

}  // namespace salu::equiv
