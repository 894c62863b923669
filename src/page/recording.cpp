#include "page/recording.hpp"

#include <algorithm>

namespace salu::page {
namespace {

/// True when the run ended in front of an instruction, not with one.
bool ended_after(const Stop& stop) {
  return stop.reason == StopReason::step_limit || stop.reason == StopReason::breakpoint ||
         stop.reason == StopReason::halt || stop.reason == StopReason::returned ||
         stop.reason == StopReason::pc_outside_code || stop.reason == StopReason::past_kernel_end;
}

}  // namespace

Recording::Recording(const Scenario& scenario, const PageOptions& options)
    : scenario_(&scenario), options_(options), state_(scenario.initial), start_(state_), end_(state_) {}

void Recording::add(const TraceEvent& event) {
  if (pending_) counts_.go_on(pending_->instruction, pending_->next_pc, pending_->stacked);
  steps_ = event.step;
  const u32 number = counts_.add(event);
  const u64 exec = state_.exec();
  const u32 csp = state_.csp();
  const bool is_shown = event.step >= options_.first_step && event.step <= options_.last_step;
  if (is_shown && timeline_.steps() == 0) start_ = state_;
  const std::span<const TrackedWrite> writes = state_.apply(event);
  if (is_shown) timeline_.add(exec, csp, number, writes, event);
  if (event.step == options_.last_step) end_ = state_;
  single_.count(event.step);
  merged_.count(event.step);
  follow_stack(event);
  pending_ = Pending{number, event.next_pc, state_.csp() != csp};
  constexpr std::size_t most_located = 10'000;
  for (const Warning& warning : event.warnings) {
    if (warnings_.size() < most_located) warnings_.push_back({event.step, warning.pc, warning.kind});
  }
}

void Recording::follow_stack(const TraceEvent& event) {
  const StackStep& step = event.stack;
  switch (step.kind) {
    case StackStep::Kind::none:
      return;
    case StackStep::Kind::whole:
      single_.pass_whole(step);
      merged_.pass_whole(step);
      return;
    case StackStep::Kind::push: {
      ++splits_;
      const bool passes = event.next_pc != event.pc + event.words.size() * 4;
      single_.split(step, passes, step.entry_pc);
      merged_.split(step, passes, step.entry_pc);
      return;
    }
    case StackStep::Kind::pop:
      single_.pop(step);
      merged_.pop(step);
      return;
    case StackStep::Kind::go_on:
      single_.go_on(step);
      merged_.go_on(step);
      return;
  }
}

ExecutionCounts Recording::counts(const Stop& stop) const {
  ExecutionCounts all = counts_;
  if (pending_ && ended_after(stop)) all.go_on(pending_->instruction, pending_->next_pc, pending_->stacked);
  return all;
}

u64 Recording::step_of(const Warning& warning) const {
  const auto found = std::ranges::find_if(
      warnings_, [&](const WarningStep& seen) { return seen.pc == warning.pc && seen.kind == warning.kind; });
  return found == warnings_.end() ? 0 : found->step;
}

}  // namespace salu::page
