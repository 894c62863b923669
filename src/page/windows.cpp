#include "page/windows.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/machine.hpp"
#include "observe/observed_run.hpp"
#include "observe/stack_misuse.hpp"
#include "observe/trace.hpp"

namespace salu::page {
namespace {

void add_step(Timeline& timeline, TrackedState& state, const TraceEvent& event, const ExecutionCounts& counts,
              const WholeWaves& whole_waves, u64 others) {
  const u64 exec = whole_waves.lanes_at(event.pc, state);
  const u32 csp = state.csp();
  timeline.add(exec, csp, counts.find(event.pc).value_or(0), state.apply(event), event, others);
}

}  // namespace

void WindowChooser::want(u64 step, u64 before, u64 after, std::string_view why) {
  if (step < first_ || step > last_) return;
  StepRange range;
  range.first = step - std::min(before, step - first_);
  range.last = step + std::min(after, last_ - step);
  range.why.push_back(why);
  const auto holds = [&](const StepRange& other) { return other.first <= range.first && other.last >= range.last; };
  const bool is_there = std::ranges::any_of(wanted_, holds);
  const u64 steps = is_there ? 0 : range.last - range.first + 1;
  if (steps > left_) return;
  left_ -= steps;
  wanted_.push_back(std::move(range));
}

std::vector<StepRange> WindowChooser::ranges() const {
  // Smaller gaps are closed: they are not worth a change of scale.
  constexpr u64 least_gap = 4;
  std::vector<StepRange> sorted = wanted_;
  std::ranges::stable_sort(sorted, {}, &StepRange::first);
  std::vector<StepRange> ranges;
  for (StepRange& next : sorted) {
    if (ranges.empty() || next.first > ranges.back().last + least_gap) {
      ranges.push_back(std::move(next));
      continue;
    }
    StepRange& range = ranges.back();
    range.last = std::max(range.last, next.last);
    if (std::ranges::find(range.why, next.why.front()) == range.why.end()) range.why.push_back(next.why.front());
  }
  return ranges;
}

std::vector<Window> record_windows(const Scenario& scenario, const ExecutionCounts& counts,
                                   const WholeWaves& whole_waves, std::span<const StepRange> ranges) {
  core::Machine machine(scenario.program, scenario.options.dispatch);
  machine.set_options(scenario.options);
  machine.set_memory(scenario.memory);
  machine.set_state(scenario.initial);
  const auto explain_misuse = [&] {
    observe::explain_misuse(machine, [&](u64 push) {
      return observe::repeat_run(scenario.program, scenario.initial, scenario.memory, scenario.options, machine.steps(),
                                 push);
    });
  };
  RunOptions unchecked;
  unchecked.on_vector = scenario.options.on_vector;
  observe::Observers observers = observe::make_observers(machine, unchecked, scenario.initial, explain_misuse);
  observers.push_back(std::make_unique<observe::Tracer>(machine));
  auto& tracer = static_cast<observe::Tracer&>(*observers.back());
  observe::ObservedRun run(machine, std::move(observers));
  std::vector<Window> windows;
  for (const StepRange& range : ranges) {
    while (!machine.stopped() && machine.steps() + 1 < range.first) {
      if (machine.run(range.first - 1 - machine.steps()) == 0) machine.run_exactly(1);
    }
    if (machine.stopped()) break;
    TrackedState state(machine.state());
    Window window{range, state, {}};
    tracer.set_trace([&](const TraceEvent& event) { add_step(window.timeline, state, event, counts, whole_waves, 0); });
    run.run(range.last);
    windows.push_back(std::move(window));
  }
  return windows;
}

WindowRecorder::WindowRecorder(const WaveState& initial, const ExecutionCounts& counts, const WholeWaves& whole_waves,
                               std::vector<StepRange> ranges)
    : state_(initial), counts_(counts), whole_waves_(whole_waves), ranges_(std::move(ranges)) {}

void WindowRecorder::add(const TraceEvent& event, u64 others) {
  const std::size_t next = windows_.size();
  if (next < ranges_.size() && event.step == ranges_[next].first) windows_.push_back({ranges_[next], state_, {}});
  if (windows_.empty() || event.step > windows_.back().range.last) {
    state_.apply(event);
    return;
  }
  add_step(windows_.back().timeline, state_, event, counts_, whole_waves_, others);
}

}  // namespace salu::page
