#include "debug/fork_log.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "debug/touches.hpp"
#include "isa/control_flow.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/control.hpp"

namespace salu::debug {
namespace {

void predict_fork(const core::Machine& machine, const isa::Instruction& instruction, ForkEvent& event) {
  const bool is_immediate = instruction.insn == isa::Insn::s_cbranch_i_fork;
  const u64 next = event.pc + u64{instruction.dwords} * 4;
  const u64 target = is_immediate ? next + static_cast<u64>(i64{static_cast<i16>(instruction.simm16)} * 4)
                                  : machine.wave().source(instruction.ssrc1, 2, instruction.literal);
  const u8 mask_code = is_immediate ? instruction.sdst : instruction.ssrc0;
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
  const bool is_there = entry + 4 <= machine.wave().sgprs;
  event.lanes = read_pair(machine, is_there ? entry : 0);
  event.next_pc = read_pair(machine, is_there ? entry + 2 : 0);
}

/// Puts the events of a run together as they come.
class ForkLog {
 public:
  explicit ForkLog(const Session& session)
      : session_(session), machine_(session.machine()), csp_(session.run().scenario().initial.csp()) {}

  void visit(const std::function<void()>& step) {
    const auto instruction = machine_.code().instruction_at(machine_.pc());
    note_edit();
    // What was set at the position behind it is there already when `step` comes back.
    ForkEvent event = predict_event(session_);
    step();
    const u32 now = csp_of(machine_);
    // An instruction that ends the run has done nothing, unless it led to where no code is.
    csp_ = session_.run().ended() ? now : event.csp_after;
    if (session_.run().ended() && now == event.csp_before) return;
    if (is_fork(*instruction)) {
      add_fork(event);
    } else if (is_join(*instruction)) {
      add_join(event);
    } else {
      csp_ = now;
      event.csp_after = now;
      event.depth = std::min(event.csp_before, now);
      event.kind = ForkEvent::Kind::set;
      if (now != event.csp_before) add(event);
    }
  }

  /// CSP at a position that is no longer what the last event left there.
  void note_edit() {
    const u32 now = csp_of(machine_);
    if (now == csp_) return;
    ForkEvent event;
    event.kind = ForkEvent::Kind::edit;
    event.position = session_.run().position();
    event.pc = machine_.pc();
    event.csp_before = csp_;
    event.csp_after = now;
    event.depth = std::min(csp_, now);
    add(event);
    csp_ = now;
  }

  [[nodiscard]] ForkHistory take() { return {{events_.begin(), events_.end()}, left_out_}; }

 private:
  void add_fork(const ForkEvent& event) {
    if (event.kind == ForkEvent::Kind::split) {
      open_.push(stack_step(event), event.waiting_pc, left_out_ + events_.size());
    } else {
      open_.pass_whole(stack_step(event));
    }
    add(event);
  }

  void add_join(const ForkEvent& event) {
    if (event.kind == ForkEvent::Kind::resume) {
      const observe::OpenFork* const fork = open_.pop(stack_step(event));
      if (ForkEvent* const split = fork == nullptr ? nullptr : find(*fork->number)) {
        split->popped_at = event.position;
        split->join_pc = event.pc;
      }
    } else {
      for (const observe::OpenFork& fork : open_.go_on(stack_step(event))) {
        ForkEvent* const split = find(*fork.number);
        if (split == nullptr) continue;
        split->ended_at = event.position;
        split->end_pc = event.pc;
      }
    }
    add(event);
  }

  void add(const ForkEvent& event) {
    if (events_.size() == most_events) {
      events_.pop_front();
      ++left_out_;
    }
    events_.push_back(event);
  }

  /// An event by how many came before it; null when it has been left out.
  [[nodiscard]] ForkEvent* find(std::size_t number) {
    return number < left_out_ ? nullptr : &events_[number - left_out_];
  }

  static constexpr std::size_t most_events = 200'000;

  const Session& session_;
  const core::Machine& machine_;
  observe::OpenForks open_;
  std::deque<ForkEvent> events_;
  std::size_t left_out_ = 0;  ///< events before these
  u32 csp_;                   ///< behind the last instruction that was visited
};

}  // namespace

u64 read_pair(const core::Machine& machine, u32 code) { return machine.wave().pair(code); }

u32 csp_of(const core::Machine& machine) { return machine.wave().csp(); }

bool is_fork(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::fork; }

bool is_join(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::join; }

bool may_change_csp(const isa::Instruction& instruction) {
  return is_fork(instruction) || is_join(instruction) || may_write(instruction, {state_index::mode});
}

ForkEvent predict_event(const Session& session) {
  const core::Machine& machine = session.machine();
  const auto instruction = machine.code().instruction_at(machine.pc());
  ForkEvent event;
  event.position = session.run().position();
  event.pc = machine.pc();
  event.csp_before = csp_of(machine);
  event.lanes_before = read_pair(machine, code::exec);
  if (instruction && is_fork(*instruction)) predict_fork(machine, *instruction, event);
  if (instruction && is_join(*instruction)) predict_join(machine, *instruction, event);
  return event;
}

StackStep stack_step(const ForkEvent& event) {
  return {event.position, event.pc, event.next_pc, event.lanes_before, event.lanes, event.csp_before, event.csp_after};
}

ForkHistory list_forks(Session& session) {
  const core::Machine& machine = session.machine();
  ForkLog log(session);
  session.visit(
      [&](u64 address) {
        const auto instruction = machine.code().instruction_at(address);
        return instruction && may_change_csp(*instruction);
      },
      [&](const std::function<void()>& step) { log.visit(step); });
  if (!session.was_interrupted()) log.note_edit();
  return log.take();
}

std::vector<StackEntry> control_stack(const core::Machine& machine) {
  std::vector<StackEntry> entries;
  for (u32 index = csp_of(machine); index-- > 0;)
    entries.push_back({index, index * 4, read_pair(machine, index * 4), read_pair(machine, index * 4 + 2)});
  return entries;
}

}  // namespace salu::debug
