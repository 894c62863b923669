#include "page/recording.hpp"

#include <algorithm>
#include <utility>

#include "page/warning_links.hpp"

namespace salu::page {
namespace {

/// True if the run ended before an instruction, not by one.
bool ended_after(const Stop& stop) {
  return stop.reason == StopReason::step_limit || stop.reason == StopReason::breakpoint ||
         stop.reason == StopReason::halt || stop.reason == StopReason::returned ||
         stop.reason == StopReason::pc_outside_code || stop.reason == StopReason::past_kernel_end;
}

}  // namespace

Recording::Recording(const Scenario& scenario, PageOptions options, std::optional<u64> wave)
    : scenario_(&scenario),
      options_(std::move(options)),
      wave_(wave),
      state_(scenario.initial),
      start_(state_),
      end_(state_),
      whole_waves_(scenario.program) {}

void Recording::add(const TraceEvent& event, u64 others) {
  if (pending_) counts_.go_on(pending_->instruction, pending_->next_pc, pending_->stacked);
  steps_ = event.step;
  last_pc_ = event.pc;
  const u32 number = counts_.add(event);
  whole_waves_.see(event.pc);
  const u64 exec = whole_waves_.lanes_at(event.pc, state_);
  const u32 csp = state_.csp();
  const bool is_shown = event.step >= options_.first_step && event.step <= options_.last_step;
  if (is_shown && timeline_.steps() == 0) start_ = state_;
  const std::span<const TrackedWrite> writes = state_.apply(event);
  if (is_shown) timeline_.add(exec, csp, number, writes, event, others);
  if (event.step == options_.last_step) end_ = state_;
  single_.count(event.step);
  merged_.count(event.step);
  follow_stack(event);
  pending_ = Pending{number, event.next_pc, state_.csp() != csp};
  constexpr std::size_t most_located = 10'000;
  for (const Warning& warning : event.warnings) {
    if (warnings_.size() == most_located) break;
    WarningStep& seen = warnings_.emplace_back(WarningStep{event.step, warning.pc, warning.kind, {}});
    for (const WarningLink& link : links_of(warning)) {
      if (const auto instruction = counts_.find(link.pc))
        seen.others.push_back({counts_[*instruction].last_step, link.pc, {}});
    }
  }
  last_writes_.see(event);
  // Instructions almost always use the same registers each time.
  constexpr u64 most_looked_at = 64;
  if (counts_[number].count <= most_looked_at) {
    note_use(event.read);
    note_use(event.written);
  }
}

void Recording::note_use(std::span<const LocationValue> used) {
  for (const LocationValue& each : used) {
    const Location& place = each.location;
    if (!place.is_in_file()) continue;
    if (place.dwords == 2 && place.index % 2 == 0) {
      used_together_.set(place.index);
      continue;
    }
    for (u32 index = place.index; index < place.index + place.dwords && index < used_alone_.size(); ++index)
      used_alone_.set(index);
  }
}

bool Recording::is_pair(u32 index) const {
  return index + 1 < used_alone_.size() && used_together_.test(index) && !used_alone_.test(index) &&
         !used_alone_.test(index + 1);
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

u64 Recording::step_at_end(const Stop& stop) const {
  return steps_ != 0 && !ended_after(stop) && last_pc_ == stop.pc ? steps_ : steps_ + 1;
}

const WarningStep* Recording::find_step(const Warning& warning) const {
  const auto found = std::ranges::find_if(
      warnings_, [&](const WarningStep& seen) { return seen.pc == warning.pc && seen.kind == warning.kind; });
  return found == warnings_.end() ? nullptr : &*found;
}

u64 Recording::step_of(const Warning& warning) const {
  const WarningStep* const seen = find_step(warning);
  return seen == nullptr ? 0 : seen->step;
}

u64 Recording::step_of(const Warning& warning, u64 pc) const {
  if (const WarningStep* const seen = find_step(warning)) {
    const auto found = std::ranges::find(seen->others, pc, &LastWrite::pc);
    return found == seen->others.end() ? 0 : found->step;
  }
  // Warnings at the end of the run do not belong to a step.
  return last_step_of(pc);
}

u64 Recording::last_step_of(u64 pc) const {
  const auto instruction = counts_.find(pc);
  return instruction ? counts_[*instruction].last_step : 0;
}

}  // namespace salu::page
