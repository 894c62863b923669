#include "loader/launch/kernel_code.hpp"

#include <algorithm>
#include <span>

#include "isa/decode.hpp"
#include "isa/memory_table.hpp"
#include "isa/table.hpp"

namespace salu::loader {
namespace {

bool writes_pair(Generation generation, const isa::Instruction& instruction, std::span<const u32> words, u32 pair) {
  const auto meets = [pair](u32 code, u32 dwords) { return code < pair + 2 && pair < code + dwords; };
  if (instruction.encoding == isa::EncodingClass::vector) {
    return std::ranges::any_of(isa::vector_scalar_results(generation, words),
                               [&](const isa::RegisterSpan& span) { return meets(span.code, span.dwords); });
  }
  if (instruction.encoding != isa::EncodingClass::scalar) return true;
  return std::ranges::any_of(isa::info(instruction.insn).shape.span(), [&](const isa::OperandSpec& operand) {
    if (operand.field != isa::Field::sdst && operand.field != isa::Field::sdata) return false;
    const auto code = isa::operand_code(instruction, operand.field);
    return code && meets(*code, operand.dwords);
  });
}

/// Calls `visit(instruction, words)` for each instruction of a block in a range of addresses, until it returns true.
/// Returns true if it did.
template <class Visit>
bool any_instruction(const Program& program, const CodeBlock& block, const ByteRange& range, const Visit& visit) {
  for (u64 address = range.first; address < range.end;) {
    const auto words = std::span(block.words).subspan(static_cast<std::size_t>((address - block.base) / 4));
    const isa::Instruction instruction = isa::decode(program.generation(), words);
    if (visit(instruction, words)) return true;
    address += u64{instruction.dwords} * 4;
  }
  return false;
}

/// The code from the entry of a kernel to the end of its symbol, or of its block.
ByteRange code_of_kernel(const Program& program, const CodeBlock& block) {
  const auto symbol = std::ranges::lower_bound(program.symbols, program.entry, {}, &Symbol::address);
  const bool has_size = symbol != program.symbols.end() && symbol->address == program.entry && symbol->size_bytes != 0;
  return {program.entry, has_size ? std::min(block.end(), program.entry + symbol->size_bytes) : block.end()};
}

}  // namespace

bool loads_from(const Program& program, u32 pair, const ByteRange& range) {
  const CodeBlock& block = *program.find_block(program.entry);
  const Generation generation = program.generation();
  bool loads = false;
  any_instruction(program, block, code_of_kernel(program, block),
                  [&](const isa::Instruction& instruction, std::span<const u32> words) {
                    if (instruction.encoding == isa::EncodingClass::scalar && isa::is_scalar_memory(instruction.insn) &&
                        isa::memory_operation(instruction.insn).kind == isa::MemoryOperation::Kind::load &&
                        instruction.memory.sbase == pair && !instruction.memory.has_offset_register) {
                      const isa::OperandSpec* const data = isa::info(instruction.insn).shape.find(isa::Field::sdata);
                      const i64 offset = i64{instruction.memory.offset} * (isa::is_smrd(generation) ? 4 : 1);
                      loads = offset < static_cast<i64>(range.end) &&
                              static_cast<i64>(range.first) < offset + i64{data->dwords} * 4;
                      if (loads) return true;
                    }
                    return writes_pair(generation, instruction, words, pair);
                  });
  return loads;
}

bool has_barrier(const Program& program) {
  bool may_call = false;
  const auto is_barrier = [&](const isa::Instruction& instruction, std::span<const u32> /*words*/) {
    if (instruction.encoding != isa::EncodingClass::scalar) return false;
    const isa::InstructionInfo& info = isa::info(instruction.insn);
    may_call |= info.flow == isa::Flow::call || info.flow == isa::Flow::jump;
    return info.is_barrier;
  };
  const CodeBlock& block = *program.find_block(program.entry);
  if (any_instruction(program, block, code_of_kernel(program, block), is_barrier)) return true;
  return may_call && std::ranges::any_of(program.code, [&](const CodeBlock& each) {
           return any_instruction(program, each, {each.base, each.end()}, is_barrier);
         });
}

}  // namespace salu::loader
