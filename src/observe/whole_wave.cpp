#include "observe/whole_wave.hpp"

#include <salu/state.hpp>

#include <algorithm>

#include "isa/control_flow.hpp"
#include "observe/touches.hpp"

namespace salu::observe {
namespace {

using enum isa::Insn;

constexpr u8 all_ones = 193;  ///< the operand code of -1

bool is_scalar(const isa::Instruction& instruction, isa::Insn insn) {
  return instruction.encoding == isa::EncodingClass::scalar && instruction.insn == insn;
}

constexpr u32 exec_code = gcn::operands.exec;  // of all families

/// True for an instruction that saves EXEC and then activates lanes that the program had deactivated.
bool saves_and_widens(const isa::Instruction& instruction) {
  if (instruction.encoding != isa::EncodingClass::scalar || instruction.ssrc0 != all_ones) return false;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  return info.saves_exec && (info.exec_by_ones & 1) != 0;
}

/// True for an instruction that widens EXEC without saving it.
bool widens(const isa::Instruction& instruction) {
  if (instruction.sdst != exec_code) return false;
  return (is_scalar(instruction, s_mov_b64) && instruction.ssrc0 == all_ones) ||
         (is_scalar(instruction, s_not_b64) && instruction.ssrc0 == exec_code);
}

bool restores(const isa::Instruction& instruction, u32 pair) {
  return is_scalar(instruction, s_mov_b64) && instruction.sdst == exec_code && instruction.ssrc0 == pair;
}

/// True for an instruction that may write a pair of scalar registers.
bool writes_pair(Generation generation, const isa::Instruction& instruction, u32 pair) {
  if (instruction.encoding != isa::EncodingClass::vector) return may_write(generation, instruction, Location{pair, 2});
  const isa::ScalarResults results = isa::vector_scalar_results(generation, instruction.vector_words);
  return std::any_of(results.begin(), results.end(), [pair](const isa::RegisterSpan& each) {
    return overlap(Location{pair, 2}, Location{each.code, each.dwords});
  });
}

}  // namespace

std::optional<WholeWaveSection> find_whole_wave_section(Generation generation, u64 address,
                                                        const InstructionAt& instruction_at) {
  const std::optional<isa::Instruction> first = instruction_at(address);
  if (!first) return std::nullopt;
  WholeWaveSection section;
  section.pair = first->sdst;
  section.first_pc = address;
  u64 at = address + u64{first->dwords} * 4;
  if (!saves_and_widens(*first)) {
    if (!is_scalar(*first, s_mov_b64) || first->ssrc0 != exec_code || section.pair >= exec_code) return std::nullopt;
    const std::optional<isa::Instruction> second = instruction_at(at);
    if (!second || !widens(*second)) return std::nullopt;
    at += u64{second->dwords} * 4;
  }
  constexpr int longest = 4096;
  for (int count = 0; count < longest; ++count) {
    const std::optional<isa::Instruction> instruction = instruction_at(at);
    if (!instruction || instruction->encoding == isa::EncodingClass::illegal ||
        instruction->encoding == isa::EncodingClass::truncated)
      return std::nullopt;
    if (restores(*instruction, section.pair)) {
      section.restoring_pc = at;
      return section;
    }
    const bool is_other = !widens(*instruction) && writes_pair(generation, *instruction, state_index::exec);
    if (is_other || writes_pair(generation, *instruction, section.pair) ||
        isa::flow_of(*instruction) != isa::Flow::next)
      return std::nullopt;
    at += u64{instruction->dwords} * 4;
  }
  return std::nullopt;
}

}  // namespace salu::observe
