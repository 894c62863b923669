#include "debug/fork_log.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "observe/open_forks.hpp"

namespace salu::debug {
namespace {

/// Collects the events of a run in order.
class ForkLog {
 public:
  explicit ForkLog(const Session& session)
      : session_(session), machine_(session.machine()), csp_(session.wave().initial.csp()) {}

  void visit(const std::function<void()>& step) {
    const auto instruction = machine_.code().instruction_at(machine_.pc());
    note_edit();
    // Predicted before the step: after it, edits at the next position have been applied.
    ForkEvent event = observe::predict_event(machine_);
    step();
    const u32 now = machine_.wave().csp();
    // An instruction that ends the run has no effect, unless it jumped to an address without code.
    csp_ = machine_.stopped() ? now : event.csp_after;
    if (machine_.stopped() && now == event.csp_before) return;
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

  /// Notes that CSP differs from its value after the last event.
  void note_edit() {
    const u32 now = machine_.wave().csp();
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
      open_.push(observe::stack_step(event), event.waiting_pc, left_out_ + events_.size());
    } else {
      open_.pass_whole(observe::stack_step(event));
    }
    add(event);
  }

  void add_join(const ForkEvent& event) {
    if (event.kind == ForkEvent::Kind::resume) {
      const observe::OpenFork* const fork = open_.pop(observe::stack_step(event));
      if (ForkEvent* const split = fork == nullptr ? nullptr : find(*fork->number)) {
        split->popped_at = event.position;
        split->join_pc = event.pc;
      }
    } else {
      for (const observe::OpenFork& fork : open_.go_on(observe::stack_step(event))) {
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

  /// An event by its number; null if it has been omitted.
  [[nodiscard]] ForkEvent* find(std::size_t number) {
    return number < left_out_ ? nullptr : &events_[number - left_out_];
  }

  static constexpr std::size_t most_events = 200'000;

  const Session& session_;
  const core::Machine& machine_;
  observe::OpenForks open_;
  std::deque<ForkEvent> events_;
  std::size_t left_out_ = 0;  ///< number of omitted events
  u32 csp_;                   ///< after the last visited instruction
};

}  // namespace

ForkHistory list_forks(Session& session) {
  const core::Machine& machine = session.machine();
  ForkLog log(session);
  session.visit(
      [&](u64 address) {
        const auto instruction = machine.code().instruction_at(address);
        return instruction && observe::may_change_csp(machine.generation(), *instruction);
      },
      [&](const std::function<void()>& step) { log.visit(step); });
  if (!session.was_interrupted()) log.note_edit();
  return log.take();
}

std::vector<StackEntry> control_stack(const core::Machine& machine) {
  std::vector<StackEntry> entries;
  for (u32 index = machine.wave().csp(); index-- > 0;)
    entries.push_back({index, index * 4, machine.wave().pair(index * 4), machine.wave().pair(index * 4 + 2)});
  return entries;
}

}  // namespace salu::debug
