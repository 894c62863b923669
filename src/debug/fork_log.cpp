#include "debug/fork_log.hpp"

namespace salu::debug {
namespace {

u64 read_pair(const core::Machine& machine, u32 code) {
  return machine.slots[code] | u64{machine.slots[code + 1]} << 32;
}

u32 csp_of(const core::Machine& machine) { return machine.mode >> mode_bit::csp; }

bool is_fork(isa::Insn insn) { return insn == isa::Insn::s_cbranch_g_fork || insn == isa::Insn::s_cbranch_i_fork; }

}  // namespace

std::vector<ForkEvent> list_forks(Session& session) {
  std::vector<ForkEvent> events;
  const core::Machine& machine = session.machine();
  session.visit(
      [&](u64 address) {
        const auto instruction = machine.instruction_at(address);
        return instruction && instruction->encoding == isa::EncodingClass::scalar &&
               (is_fork(instruction->insn) || instruction->insn == isa::Insn::s_cbranch_join);
      },
      [&](const std::function<void()>& step) {
        const auto instruction = machine.instruction_at(machine.pc());
        ForkEvent event;
        event.position = session.timeline().position();
        event.pc = machine.pc();
        event.lanes_before = read_pair(machine, code::exec);
        const u32 before = csp_of(machine);
        step();
        if (session.timeline().ended()) return;
        const u32 after = csp_of(machine);
        event.lanes = read_pair(machine, code::exec);
        event.next_pc = machine.pc();
        if (is_fork(instruction->insn)) {
          event.kind = after == before ? ForkEvent::Kind::whole : ForkEvent::Kind::split;
          event.depth = before;
          if (event.kind == ForkEvent::Kind::split) {
            event.waiting_lanes = read_pair(machine, before * 4);
            event.waiting_pc = read_pair(machine, before * 4 + 2);
          }
        } else {
          event.kind = after == before ? ForkEvent::Kind::rejoin : ForkEvent::Kind::resume;
          event.depth = after;
        }
        events.push_back(event);
      });
  return events;
}

std::vector<StackEntry> control_stack(const core::Machine& machine) {
  std::vector<StackEntry> entries;
  for (u32 index = csp_of(machine); index-- > 0;)
    entries.push_back({index, index * 4, read_pair(machine, index * 4), read_pair(machine, index * 4 + 2)});
  return entries;
}

}  // namespace salu::debug
