#include "observe/fork_event.hpp"

#include <algorithm>
#include <bit>

#include "isa/control_flow.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "observe/touches.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
namespace {

void predict_fork(const core::Machine& machine, const isa::Instruction& instruction, ForkEvent& event) {
  const std::optional<u64> direct = isa::branch_target(instruction, event.pc);
  const u64 next = event.pc + u64{instruction.dwords} * 4;
  const u64 target = direct ? *direct : machine.wave().source(instruction.ssrc1, 2, instruction.literal);
  const u8 mask_code = direct ? instruction.sdst : instruction.ssrc0;
  const u64 mask = machine.wave().source(mask_code, 2, instruction.literal);
  const auto fork = isa::semantics::s_cbranch_g_fork(mask, target, {event.lanes_before}, {next});
  event.kind = fork.push ? ForkEvent::Kind::split : ForkEvent::Kind::whole;
  event.csp_after = fork.push ? (event.csp_before + 1) & 7 : event.csp_before;
  event.depth = event.csp_before;
  event.lanes = fork.exec;
  event.next_pc = fork.pc;
  if (!fork.push) return;
  event.waiting_lanes = fork.pushed.mask;
  event.waiting_pc = fork.pushed.pc;
}

void predict_join(const core::Machine& machine, const isa::Instruction& instruction, ForkEvent& event) {
  const auto kept_csp = static_cast<u32>(machine.wave().source(instruction.ssrc0, 1, instruction.literal));
  const auto join = isa::semantics::s_cbranch_join(kept_csp, {event.csp_before});
  event.kind = join.pop ? ForkEvent::Kind::resume : ForkEvent::Kind::rejoin;
  event.csp_after = join.pop ? join.csp : event.csp_before;
  event.depth = std::min(event.csp_before, event.csp_after);
  event.lanes = event.lanes_before;
  event.next_pc = event.pc + u64{instruction.dwords} * 4;
  if (!join.pop) return;
  const u32 entry = join.csp * 4;
  const bool is_there = machine.wave().in_allocation(entry, entry_dwords);
  event.lanes = machine.wave().pair(is_there ? entry : 0);
  event.next_pc = machine.wave().pair(is_there ? entry + 2 : 0);
}

}  // namespace

std::string entry_text(u32 entry) {
  const u32 first = entry * entry_dwords;
  return "entry " + std::to_string(entry) + " (s[" + std::to_string(first) + ":" + std::to_string(first + 3) + "])";
}

std::string lanes_text(u64 mask) { return support::counted(static_cast<u64>(std::popcount(mask)), "lane"); }

std::string lanes_wait(u64 mask) { return lanes_text(mask) + (std::popcount(mask) == 1 ? " waits" : " wait"); }

bool is_fork(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::fork; }

bool is_join(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::join; }

bool may_change_csp(Generation generation, const isa::Instruction& instruction) {
  return is_fork(instruction) || is_join(instruction) || may_write(generation, instruction, {state_index::mode});
}

ForkEvent predict_event(const core::Machine& machine) {
  const auto instruction = machine.code().instruction_at(machine.pc());
  ForkEvent event;
  event.position = machine.steps();
  event.pc = machine.pc();
  event.csp_before = machine.wave().csp();
  event.lanes_before = machine.wave().pair(state_index::exec);
  if (instruction && is_fork(*instruction)) predict_fork(machine, *instruction, event);
  if (instruction && is_join(*instruction)) predict_join(machine, *instruction, event);
  return event;
}

StackStep stack_step(const ForkEvent& event) {
  return {event.position, event.pc, event.next_pc, event.lanes_before, event.lanes, event.csp_before, event.csp_after};
}

}  // namespace salu::observe
