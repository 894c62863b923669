#include "debug/fork_log.hpp"

#include <algorithm>
#include <utility>

#include "debug/touches.hpp"

namespace salu::debug {
namespace {

constexpr Location mode_register = {Location::Kind::mode, 0, 1, 0};

/// Puts the events of a run together as they come.
class ForkLog {
 public:
  explicit ForkLog(const Session& session)
      : session_(session), machine_(session.machine()), csp_(session.timeline().scenario().initial.csp()) {}

  void visit(const std::function<void()>& step) {
    const auto instruction = machine_.instruction_at(machine_.pc());
    note_edit();
    ForkEvent event;
    event.position = session_.timeline().position();
    event.pc = machine_.pc();
    event.csp_before = csp_of(machine_);
    event.lanes_before = read_pair(machine_, code::exec);
    step();
    csp_ = csp_of(machine_);
    const bool has_ended = session_.timeline().ended();
    // A pop may lead to where no code is; whatever else ends a run with CSP as it was is no event.
    if (has_ended && csp_ == event.csp_before) return;
    event.csp_after = csp_;
    event.depth = std::min(event.csp_before, event.csp_after);
    event.lanes = read_pair(machine_, code::exec);
    event.next_pc = has_ended ? machine_.stop().pc : machine_.pc();
    if (is_fork(*instruction)) {
      add_fork(event);
    } else if (is_join(*instruction)) {
      add_join(event);
    } else if (event.csp_after != event.csp_before) {
      event.kind = ForkEvent::Kind::set;
      events_.push_back(event);
    }
  }

  /// CSP at a position that is no longer what the last event left there.
  void note_edit() {
    const u32 now = csp_of(machine_);
    if (now == csp_) return;
    ForkEvent event;
    event.kind = ForkEvent::Kind::edit;
    event.position = session_.timeline().position();
    event.pc = machine_.pc();
    event.csp_before = csp_;
    event.csp_after = now;
    event.depth = std::min(csp_, now);
    events_.push_back(event);
    csp_ = now;
  }

  [[nodiscard]] std::vector<ForkEvent> take() { return std::move(events_); }

 private:
  void add_fork(ForkEvent& event) {
    event.kind = event.csp_after == event.csp_before ? ForkEvent::Kind::whole : ForkEvent::Kind::split;
    if (event.kind == ForkEvent::Kind::split) {
      event.waiting_lanes = event.lanes_before & ~event.lanes;
      event.waiting_pc = read_pair(machine_, event.csp_before * 4 + 2);
      open_.push(stack_step(event), event.waiting_pc, events_.size());
    }
    events_.push_back(event);
  }

  void add_join(ForkEvent& event) {
    event.kind = event.csp_after == event.csp_before ? ForkEvent::Kind::rejoin : ForkEvent::Kind::resume;
    if (event.kind == ForkEvent::Kind::resume) {
      if (const core::OpenFork* const fork = open_.pop(stack_step(event))) {
        events_[*fork->number].popped_at = event.position;
        events_[*fork->number].join_pc = event.pc;
      }
    } else {
      for (const core::OpenFork& fork : open_.go_on(stack_step(event))) events_[*fork.number].ended_at = event.position;
    }
    events_.push_back(event);
  }

  const Session& session_;
  const core::Machine& machine_;
  core::OpenForks open_;
  std::vector<ForkEvent> events_;
  u32 csp_;  ///< behind the last instruction that was visited
};

}  // namespace

u64 read_pair(const core::Machine& machine, u32 code) {
  return machine.slots[code] | u64{machine.slots[code + 1]} << 32;
}

u32 csp_of(const core::Machine& machine) { return machine.mode >> mode_bit::csp; }

bool is_fork(const isa::Instruction& instruction) {
  return instruction.encoding == isa::EncodingClass::scalar &&
         (instruction.insn == isa::Insn::s_cbranch_g_fork || instruction.insn == isa::Insn::s_cbranch_i_fork);
}

bool is_join(const isa::Instruction& instruction) {
  return instruction.encoding == isa::EncodingClass::scalar && instruction.insn == isa::Insn::s_cbranch_join;
}

core::StackStep stack_step(const ForkEvent& event) {
  return {event.position, event.pc, event.next_pc, event.lanes_before, event.lanes, event.csp_before, event.csp_after};
}

std::vector<ForkEvent> list_forks(Session& session) {
  const core::Machine& machine = session.machine();
  ForkLog log(session);
  session.visit(
      [&](u64 address) {
        const auto instruction = machine.instruction_at(address);
        return instruction &&
               (is_fork(*instruction) || is_join(*instruction) || may_write(*instruction, mode_register));
      },
      [&](const std::function<void()>& step) { log.visit(step); });
  log.note_edit();
  return log.take();
}

std::vector<StackEntry> control_stack(const core::Machine& machine) {
  std::vector<StackEntry> entries;
  for (u32 index = csp_of(machine); index-- > 0;)
    entries.push_back({index, index * 4, read_pair(machine, index * 4), read_pair(machine, index * 4 + 2)});
  return entries;
}

}  // namespace salu::debug
