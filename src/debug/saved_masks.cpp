#include "debug/saved_masks.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "debug/fork_log.hpp"
#include "observe/operand_walk.hpp"
#include "observe/touches.hpp"
#include "observe/whole_wave.hpp"

namespace salu::debug {
namespace {

struct Mask {
  u64 value = 0;
  u64 position = 0;
  u64 pc = 0;
  bool is_whole_wave = false;  ///< it keeps the lanes of a whole-wave section
};
/// Keyed by the first SGPR.
using Masks = std::map<u32, Mask>;

constexpr u32 exec_code = gcn::operands.exec;  // of all families

/// True if an instruction combines lane masks.
bool combines_masks(const isa::Instruction& instruction) {
  return instruction.encoding == isa::EncodingClass::scalar && isa::info(instruction.insn).combines_masks;
}

/// Calls `visit` for the source operands of such an instruction, including implicit EXEC.
void visit_sources(const isa::Instruction& instruction, const std::function<void(u32 code)>& visit) {
  if (isa::info(instruction.insn).reads_any(isa::effect::exec)) visit(exec_code);
  observe::visit_operands(instruction, [&visit](const isa::OperandSpec& operand, u8 code) {
    if (operand.reads && operand.dwords == 2) visit(code);
  });
}

/// True if a code names a pair of SGPRs of the wave.
bool is_sgpr_pair(const core::Machine& machine, u32 code) { return code + 2 <= machine.wave().sgprs; }

/// The pair in which `s_or_b64 sX, sX, exec` collects lanes; nothing for other instructions.
std::optional<u32> collecting_pair(const isa::Instruction& instruction) {
  if (instruction.insn != isa::Insn::s_or_b64) return std::nullopt;
  const bool is_left = instruction.ssrc0 == instruction.sdst && instruction.ssrc1 == exec_code;
  const bool is_right = instruction.ssrc1 == instruction.sdst && instruction.ssrc0 == exec_code;
  return is_left || is_right ? std::optional<u32>(instruction.sdst) : std::nullopt;
}

/// True if an instruction of the program saves EXEC. Most programs have no waiting lanes.
bool saves_exec(const Session& session) {
  const core::Machine& machine = session.machine();
  for (const CodeBlock& block : session.program().code) {
    for (u64 address = block.base; address < block.end();) {
      const auto instruction = machine.code().instruction_at(address);
      if (!instruction) break;
      address += u64{instruction->dwords} * 4;
      if (!combines_masks(*instruction) || !is_sgpr_pair(machine, instruction->sdst)) continue;
      bool reads_exec = false;
      visit_sources(*instruction, [&](u32 code) { reads_exec = reads_exec || code == exec_code; });
      if (reads_exec) return true;
    }
  }
  return false;
}

/// Removes the masks of a whole-wave section whose lanes an instruction restores to EXEC.
void drop_restored(Masks& masks, const isa::Instruction& instruction) {
  if (instruction.encoding != isa::EncodingClass::scalar || instruction.insn != isa::Insn::s_mov_b64 ||
      instruction.sdst != exec_code)
    return;
  const auto found = masks.find(instruction.ssrc0);
  if (found == masks.end() || !found->second.is_whole_wave) return;
  std::erase_if(masks, [value = found->second.value](const auto& each) {
    return each.second.is_whole_wave && each.second.value == value;
  });
}

/// `active`: the lanes that were in EXEC at any time outside of whole-wave sections.
Masks find_masks(Session& session, u64& active) {
  const core::Machine& machine = session.machine();
  constexpr Location exec{state_index::exec, 2};
  Masks masks;
  const observe::InstructionAt instruction_at = [&](u64 address) { return machine.code().instruction_at(address); };
  std::optional<observe::WholeWaveSection> section;
  const auto note_active = [&] {
    const u64 pc = machine.pc();
    if (section && (pc < section->first_pc || pc > section->restoring_pc)) section.reset();
    if (!section) active |= machine.wave().pair(state_index::exec);
  };
  const auto holds_mask = [&](u32 code) {
    if (machine.wave().is_beyond_allocation(code, 2)) code = 0;
    const auto found = masks.find(code);
    return code == exec_code || (found != masks.end() && found->second.value == machine.wave().pair(code));
  };
  session.visit(
      [&](u64 address) {
        const auto instruction = machine.code().instruction_at(address);
        if (!instruction) return false;
        return observe::may_write(machine.generation(), *instruction, exec) ||
               (combines_masks(*instruction) && is_sgpr_pair(machine, instruction->sdst));
      },
      [&](const std::function<void()>& step) {
        const auto instruction = machine.code().instruction_at(machine.pc());
        note_active();
        if (!combines_masks(*instruction) || !is_sgpr_pair(machine, instruction->sdst)) {
          step();
          drop_restored(masks, *instruction);
          note_active();
          return;
        }
        Mask mask;
        mask.position = session.run().position();
        mask.pc = machine.pc();
        const auto begun = observe::find_whole_wave_section(machine.generation(), mask.pc, instruction_at);
        if (begun && !section) section = begun;
        mask.is_whole_wave = begun.has_value();
        bool is_mask = false;
        visit_sources(*instruction, [&](u32 code) { is_mask = is_mask || holds_mask(code); });
        // Such a pair counts the lanes that passed here; they do not wait in it.
        if (const auto pair = collecting_pair(*instruction)) is_mask = holds_mask(*pair);
        step();
        note_active();
        mask.value = machine.wave().pair(instruction->sdst);
        masks.erase(instruction->sdst);
        if (is_mask) masks.emplace(instruction->sdst, mask);
      });
  std::erase_if(masks, [&](const auto& each) { return each.second.value != machine.wave().pair(each.first); });
  return masks;
}

}  // namespace

std::vector<SavedMask> list_saved_masks(Session& session) {
  if (!saves_exec(session)) return {};
  std::vector<SavedMask> saved;
  u64 active = session.wave().initial.exec();
  for (const auto& [first, mask] : find_masks(session, active))
    saved.push_back({first, mask.value & active, mask.position, mask.pc});
  std::ranges::sort(saved, std::ranges::greater(), &SavedMask::position);
  const core::Machine& machine = session.machine();
  u64 known = machine.wave().pair(state_index::exec);
  for (const StackEntry& entry : control_stack(machine)) known |= entry.lanes;
  for (SavedMask& each : saved) {
    each.lanes &= ~known;
    known |= each.lanes;
  }
  std::erase_if(saved, [](const SavedMask& each) { return each.lanes == 0; });
  return saved;
}

}  // namespace salu::debug
