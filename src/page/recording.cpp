#include "page/recording.hpp"

#include <algorithm>
#include <array>

namespace salu::page {
namespace {

constexpr std::array<WarningKind, 9> warning_kinds = {
    WarningKind::dropped_write,
    WarningKind::trap_ignored,
    WarningKind::register_out_of_range,
    WarningKind::control_stack_overflow,
    WarningKind::control_stack_underflow,
    WarningKind::unspecified_result,
    WarningKind::undefined_read,
    WarningKind::no_functional_effect,
    WarningKind::stale_vccz,
};

bool names(std::string_view note, WarningKind kind) {
  const std::string_view name = warning_kind_name(kind);
  const std::size_t found = note.find(name);
  return found != std::string_view::npos && note.substr(found + name.size()).starts_with(": ");
}

/// True when the run ended in front of an instruction, not with one.
bool ended_after(const Stop& stop) {
  return stop.reason == StopReason::step_limit || stop.reason == StopReason::breakpoint ||
         stop.reason == StopReason::halt || stop.reason == StopReason::returned ||
         stop.reason == StopReason::pc_outside_code || stop.reason == StopReason::past_kernel_end;
}

}  // namespace

Recording::Recording(const Scenario& scenario, const PageOptions& options)
    : scenario_(&scenario),
      options_(options),
      state_(scenario.program.generation(), scenario.initial),
      start_(state_),
      end_(state_),
      counts_(scenario.program) {}

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
  const BranchKind kind = counts_[number].kind;
  if (kind == BranchKind::fork || kind == BranchKind::join) follow_stack(event, counts_[number], exec, csp);
  pending_ = Pending{number, event.next_pc, state_.csp() != csp};
  constexpr std::size_t most_located = 10'000;
  if (event.note.empty() || warnings_.size() == most_located) return;
  if (std::ranges::any_of(warning_kinds, [&](WarningKind k) { return names(event.note, k); })) {
    warnings_.push_back({event.step, event.pc, std::string(event.note)});
  }
}

void Recording::follow_stack(const TraceEvent& event, const Executed& executed, u64 exec_before, u32 csp_before) {
  const StackStep step = {event.step, event.pc, event.next_pc, exec_before, state_.exec(), csp_before, state_.csp()};
  if (executed.kind == BranchKind::fork) {
    if (step.csp_after == csp_before) {
      single_.pass_whole(step);
      merged_.pass_whole(step);
      return;
    }
    ++splits_;
    const bool passes = event.next_pc != executed.pc + executed.size_bytes;
    u64 pending_pc = 0;
    for (const LocationValue& written : event.written) {
      const bool is_entry = written.location.kind == Location::Kind::registers &&
                            written.location.first == csp_before * 4 && written.location.dwords == 4;
      if (is_entry) pending_pc = written.dwords[2] | u64{written.dwords[3]} << 32;
    }
    single_.split(step, passes, pending_pc);
    merged_.split(step, passes, pending_pc);
  } else if (step.csp_after != csp_before) {
    single_.pop(step);
    merged_.pop(step);
  } else {
    single_.go_on(step);
    merged_.go_on(step);
  }
}

ExecutionCounts Recording::counts(const Stop& stop) const {
  ExecutionCounts all = counts_;
  if (pending_ && ended_after(stop)) all.go_on(pending_->instruction, pending_->next_pc, pending_->stacked);
  return all;
}

u64 Recording::step_of(const Warning& warning) const {
  const auto found = std::ranges::find_if(
      warnings_, [&](const WarningStep& seen) { return seen.pc == warning.pc && names(seen.note, warning.kind); });
  return found == warnings_.end() ? 0 : found->step;
}

}  // namespace salu::page
