#include "page/waves_recording.hpp"

#include <algorithm>

#include "isa/decode.hpp"
#include "observe/all_waves.hpp"
#include "page/findings.hpp"

namespace salu::page {
namespace {

constexpr std::size_t most_barriers = 500;
constexpr std::size_t most_unrecorded_warnings = 100;

Scenario with_initial(const Scenario& scenario, const WaveState& initial) {
  Scenario of_wave = scenario;
  of_wave.initial = initial;
  return of_wave;
}

void count_steps(BarrierWait& barrier, u64 wave, u64 steps) {
  constexpr std::size_t most_named = 16;
  const auto found = std::ranges::find(barrier.ran, wave, &std::pair<u64, u64>::first);
  if (found != barrier.ran.end()) {
    found->second += steps;
  } else if (barrier.ran.size() < most_named) {
    barrier.ran.emplace_back(wave, steps);
  } else {
    barrier.unnamed += steps;
  }
}

void keep(RecordedWave& wave, BarrierWait barrier) {
  if (wave.barriers.size() == most_barriers)
    ++wave.more_barriers;
  else
    wave.barriers.push_back(std::move(barrier));
}

}  // namespace

RecordedWave::RecordedWave(const Scenario& of_run, u64 its_number, const DispatchedWave& dispatched,
                           const PageOptions& options)
    : number(its_number),
      name(dispatched.name),
      scenario(with_initial(of_run, dispatched.initial)),
      recording(scenario, options, its_number) {
  // The run may end before the wave starts.
  outcome.state = dispatched.initial;
  outcome.stop.pc = dispatched.initial.pc;
}

const DispatchedWaves& WavesRecording::dispatched() const { return *scenario_->several_waves(); }

const RecordedWave* WavesRecording::find(u64 number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

Outcome WavesRecording::run(const RunOptions& options) {
  run_options_ = options;
  choose(options);
  RunOptions traced = options;
  traced.trace = [this](const TraceEvent& event) { add(event); };
  Outcome outcome = observe::run_all_waves(*scenario_, traced, [this](const auto& result) { take(result); });
  end_turn();
  for (const auto& wave : waves_) {
    // The last one is shown even beyond the limit.
    if (wave->open) wave->barriers.push_back(*std::move(wave->open));
  }
  if (!options_.wave && find(choice(seen_)) != nullptr) shown_ = choice(seen_);
  return outcome;
}

void WavesRecording::see(Seen& seen, const observe::WorkGroups::Result& result) const {
  seen.last = result.number;
  if (!is_regular_end(result.outcome.stop.reason)) seen.stopped = result.number;
  for (const Warning& warning : result.outcome.warnings) {
    if (is_bad(*scenario_, warning) && !seen.warned) seen.warned = result.number;
    if (!warning.race || seen.racing.size() >= most_waves) continue;
    seen.racing.push_back(result.number);
    seen.racing.push_back(warning.race->other_wave);
  }
}

/// The wave to show first: the one that ended irregularly, or the first with a warning, or that of the final state.
u64 WavesRecording::choice(const Seen& seen) { return seen.stopped ? *seen.stopped : seen.warned.value_or(seen.last); }

/// Chooses the waves to record.
void WavesRecording::choose(const RunOptions& options) {
  const bool is_part = options_.first_step != 1 || options_.last_step != ~u64{0};
  Seen seen;
  if (count() > most_waves || (is_part && !options_.wave)) {
    RunOptions untraced = options;
    untraced.trace = nullptr;
    observe::run_all_waves(*scenario_, untraced, [&](const auto& result) { see(seen, result); });
  }
  shown_ = options_.wave.value_or(choice(seen));
  record(shown_);
  for (const u64 number : seen.racing) record(number);
  const auto [first, end] = group_of(shown_);
  for (u64 number = first; number < end; ++number) record(number);
  for (u64 number = 0; number < count() && waves_.size() < most_waves; ++number) record(number);
  std::ranges::sort(waves_, {}, [](const auto& wave) { return wave->number; });
}

void WavesRecording::record(u64 number) {
  if (waves_.size() == most_waves || find(number) != nullptr) return;
  PageOptions options = options_;
  // Steps are those of a wave, so the option cannot mean all of them.
  if (number != shown_) options.first_step = 1, options.last_step = ~u64{0};
  waves_.push_back(std::make_unique<RecordedWave>(*scenario_, number, dispatched().wave(number), options));
  waves_.back()->group = group_of(number);
  by_number_[number] = waves_.back().get();
}

std::pair<u64, u64> WavesRecording::group_of(u64 number) const {
  u64 first = number;
  while (first != 0 && !dispatched().wave(first).begins_group) --first;
  u64 end = number + 1;
  while (end < count() && !dispatched().wave(end).begins_group) ++end;
  return {first, end};
}

void WavesRecording::add(const TraceEvent& event) {
  const u64 number = event.wave;
  if (number != turn_wave_) end_turn();
  turn_wave_ = number;
  ++turn_steps_;
  if (number >= progress_.size()) progress_.resize(number + 1);
  Progress& progress = progress_[number];
  ++progress.steps;
  if (progress.waits) pass_barrier(number);
  memory_writes_.see_memory(event);
  progress.waits = is_barrier(event);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return;
  RecordedWave& wave = *found->second;
  if (wave.open) {
    wave.open->continues = event.step;
    // Without another wave in between, it did not wait.
    if (!wave.open->ran.empty()) keep(wave, *std::move(wave.open));
    wave.open.reset();
  }
  TraceEvent own = event;
  own.step = progress.steps;
  const u64 others = event.step - own.step;
  wave.recording.add(own, others);
  for (const Warning& warning : event.warnings) {
    if (!warning.race) continue;
    const RecordedWave* const other = find(warning.race->other_wave);
    if (other == nullptr) continue;
    wave.other_steps.emplace_back(identity_of(warning), other->recording.last_step_of(warning.race->other_pc));
  }
  if (progress.waits) wave.open = BarrierWait{own.step, others, false, 0, {}, 0};
}

/// Adds the steps of the current turn to the barriers at which other waves wait.
void WavesRecording::end_turn() {
  for (const auto& wave : waves_) {
    if (wave->open && wave->number != turn_wave_ && turn_steps_ != 0) count_steps(*wave->open, turn_wave_, turn_steps_);
  }
  turn_steps_ = 0;
}

/// Called when a wave continues that waited: the barrier was passed by all waves of its work-group.
void WavesRecording::pass_barrier(u64 number) {
  progress_[number].waits = false;
  const auto holds = [number](const auto& wave) { return wave->group.first <= number && number < wave->group.second; };
  const auto mate = std::ranges::find_if(waves_, holds);
  if (mate == waves_.end()) return;
  const auto [first, end] = (*mate)->group;
  for (u64 other = first; other < end && other < progress_.size(); ++other) {
    const bool waited = other == number || progress_[other].waits;
    progress_[other].waits = false;
    const auto wave = by_number_.find(other);
    if (waited && wave != by_number_.end() && wave->second->open) wave->second->open->passed = true;
  }
}

bool WavesRecording::is_barrier(const TraceEvent& event) {
  const auto [found, is_new] = barriers_.try_emplace(event.pc, false);
  if (is_new) {
    const isa::Instruction instruction = isa::decode(event.generation, event.words);
    found->second = isa::info(instruction.insn).is_barrier;
  }
  return found->second;
}

void WavesRecording::take(const observe::WorkGroups::Result& result) {
  see(seen_, result);
  const auto found = by_number_.find(result.number);
  if (found == by_number_.end()) {
    for (const Warning& warning : result.outcome.warnings) {
      const auto is_same = [&](const UnrecordedWarning& other) {
        return identity_of(other.warning) == identity_of(warning);
      };
      if (unrecorded_.size() < most_unrecorded_warnings && std::ranges::none_of(unrecorded_, is_same))
        unrecorded_.push_back({result.number, warning});
    }
    return;
  }
  RecordedWave& wave = *found->second;
  wave.outcome = result.outcome;
  wave.outcome.memory = {};
  Stop& stop = wave.outcome.stop;
  wave.is_over = stop.reason != StopReason::step_limit && stop.reason != StopReason::time_limit &&
                 stop.reason != StopReason::deadlock;
  // Its last instruction did not end it.
  if (!wave.is_over) stop.reason = StopReason::step_limit;
}

LastWrite WavesRecording::last_write(const Location& place) const {
  LastWrite last = memory_writes_.of(place);
  if (last.step == 0) return last;
  const RecordedWave* const wave = find(*last.wave);
  last.step = wave == nullptr ? 0 : wave->recording.last_writes().of(place).step;
  return last;
}

void WavesRecording::run_again(const std::function<void(const TraceEvent& event, u64 others)>& see) const {
  RunOptions options = scenario_->options;
  options.check_races = options.check_hazards = false;
  options.check_undefined = CheckUndefined::off;
  options.on_vector = run_options_.on_vector;
  options.approximations = run_options_.approximations;
  options.max_steps = run_options_.max_steps;
  std::vector<u64> steps(progress_.size());
  options.trace = [&](const TraceEvent& event) {
    if (event.wave >= steps.size()) return;
    const u64 step = ++steps[event.wave];
    if (find(event.wave) == nullptr) return;
    TraceEvent own = event;
    own.step = step;
    see(own, event.step - step);
  };
  observe::run_all_waves(*scenario_, options, [](const auto& /*result*/) {});
}

}  // namespace salu::page
