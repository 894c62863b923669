#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/time_limit.hpp"
#include "observe/all_waves.hpp"
#include "observe/fidelity.hpp"
#include "observe/final_state.hpp"
#include "observe/group_memory.hpp"
#include "observe/work_groups.hpp"

namespace salu {
namespace {

using observe::WorkGroups;

/// Adds the results of a wave to those of earlier ones. `known` are all warnings so far.
void merge(Outcome& all, Outcome&& wave, std::set<WarningIdentity>& known) {
  wave.skipped_vector += all.skipped_vector;
  std::vector<Warning> warnings = std::move(all.warnings);
  for (Warning& warning : wave.warnings) {
    if (known.insert(identity_of(warning)).second) warnings.push_back(std::move(warning));
  }
  wave.warnings = std::move(warnings);
  observe::merge(all.fidelity, std::move(wave.fidelity));
  wave.fidelity = std::move(all.fidelity);
  std::vector<u64> executed;
  std::ranges::set_union(all.executed, wave.executed, std::back_inserter(executed));
  wave.executed = std::move(executed);
  all = std::move(wave);
}

struct Waves {
  Outcome outcome;  ///< of all waves so far
  u64 number = 0;   ///< of the wave whose state the outcome has
};

/// Runs the first `count` waves of a grid.
class WavesRun {
 public:
  WavesRun(const Scenario& scenario, const DispatchedWaves& waves, u64 count, const RunOptions& options)
      : asked_(options),
        options_(options),
        groups_({scenario.program, waves, count, observe::group_memory(scenario)}, options_, scenario.memory),
        limit_(options.max_seconds, options.is_cancelled) {
    // Exact waves are included, so that all executed instructions are counted.
    options_.fidelity = std::max(options.fidelity, FidelityReport::always);
  }

  /// Calls a function with the results of each wave.
  void show_results(std::function<void(const WorkGroups::Result&)> see) { see_ = std::move(see); }
  /// Chooses the wave whose results are those of the run.
  void report(u64 number) { reported_ = number; }

  /// Runs all waves for the results of one of them; the trace has only this one.
  Outcome run_for(u64 number) {
    report(number);
    if (asked_.trace) {
      options_.trace = [this, number](const TraceEvent& event) {
        if (event.wave != number) return;
        TraceEvent of_the_only_wave = event;
        of_the_only_wave.wave = 0;
        asked_.trace(of_the_only_wave);
      };
    }
    return run().outcome;
  }

  Waves run() {
    do {
      groups_.run(options_.max_steps, limit_);
      for (WorkGroups::Result& result : groups_.take_ended()) add(std::move(result));
    } while (!groups_.is_over() && !groups_.is_stuck() && groups_.steps() < options_.max_steps && !limit_.has_passed());
    for (WorkGroups::Result& result : groups_.take_all()) add(std::move(result));
    if (reported_result_) add(*std::move(reported_result_));
    waves_.outcome.steps = groups_.steps();
    waves_.outcome.memory = groups_.memory();
    std::optional<Fidelity>& fidelity = waves_.outcome.fidelity;
    if (fidelity && !observe::is_told(*fidelity, asked_.fidelity)) fidelity.reset();
    return std::move(waves_);
  }

 private:
  void add(WorkGroups::Result&& result) {
    // The result that is added last determines the state.
    if (reported_ == result.number && is_regular_end(result.outcome.stop.reason) && !reported_result_) {
      reported_result_ = std::move(result);
      return;
    }
    if (see_) see_(result);
    Stop& stop = result.outcome.stop;
    if (!is_regular_end(stop.reason) && stop.reason != StopReason::deadlock)
      stop.detail = result.name + (stop.detail.empty() ? "" : ": ") + stop.detail;
    waves_.number = result.number;
    merge(waves_.outcome, std::move(result.outcome), known_);
  }

  const RunOptions& asked_;
  RunOptions options_;
  WorkGroups groups_;
  core::TimeLimit limit_;
  std::function<void(const WorkGroups::Result&)> see_;
  std::optional<u64> reported_;                        ///< the wave whose state is asked for
  std::optional<WorkGroups::Result> reported_result_;  ///< its result
  Waves waves_;
  std::set<WarningIdentity> known_;
};

Error no_wave(const Scenario& scenario, u64 number, const std::string& why) {
  return {ErrorCode::usage, {scenario.file}, "no wave " + std::to_string(number) + ": " + why, {}};
}

}  // namespace

Outcome run(const Scenario& scenario, const RunOptions& options) {
  const RunOptions all = observe::complete_options(scenario, options);
  if (scenario.group != nullptr)
    return WavesRun(scenario, *scenario.group, scenario.group->count, all).run_for(scenario.wave_in_group);
  if (scenario.waves == nullptr) return run(scenario.program, scenario.initial, scenario.memory, all);
  return WavesRun(scenario, *scenario.waves, scenario.waves->count, all).run().outcome;
}

Outcome observe::run_all_waves(const Scenario& scenario, const RunOptions& options,
                               const std::function<void(const WorkGroups::Result&)>& see) {
  const RunOptions all = complete_options(scenario, options);
  const DispatchedWaves& waves = scenario.group != nullptr ? *scenario.group : *scenario.waves;
  WavesRun run(scenario, waves, waves.count, all);
  run.show_results(see);
  if (scenario.group != nullptr) run.report(scenario.wave_in_group);
  return run.run().outcome;
}

Outcome run(const Scenario& scenario, const WaveState& start, const RunOptions& options) {
  return run(scenario.program, start, scenario.memory, observe::complete_options(scenario, options));
}

Result<Scenario> isolate_wave(const Scenario& scenario, const RunOptions& options, std::optional<u64> number) {
  if (scenario.waves == nullptr) {
    if (number) return no_wave(scenario, *number, "only `kernel:` with `waves: all`, and `work_groups:`, have several");
    return scenario;
  }
  const u64 count = scenario.waves->count;
  const std::string last = std::to_string(count - 1);
  if (number && *number >= count) return no_wave(scenario, *number, "the grid has 0 to " + last);
  RunOptions unobserved = options;
  unobserved.trace = nullptr;
  const u64 chosen = number ? *number : WavesRun(scenario, *scenario.waves, count, unobserved).run().number;
  DispatchedWave wave = scenario.waves->wave(chosen);
  Scenario alone = scenario;
  if (chosen != 0) {
    Waves before = WavesRun(scenario, *scenario.waves, chosen, unobserved).run();
    const Stop& stop = before.outcome.stop;
    if (!is_regular_end(stop.reason)) {
      const std::string reason(stop_reason_name(stop.reason));
      return no_wave(scenario, chosen, "the run ends earlier with " + reason + ": " + stop.detail);
    }
    alone.memory = std::move(before.outcome.memory);
    if (wave.begins_group) observe::copy_ranges(observe::group_memory(scenario), scenario.memory, alone.memory);
  }
  alone.waves = nullptr;
  // Expectations apply to the end of the grid, and `warnings:` to all waves.
  const bool is_early = chosen + 1 != count;
  if (is_early || (count > 1 && alone.expect && alone.expect->warnings)) alone.expect.reset();
  alone.initial = std::move(wave.initial);
  alone.remarks.push_back(
      {{scenario.file}, "showing wave " + std::to_string(chosen) + " of 0 to " + last + ": " + wave.name, {}});
  return alone;
}

}  // namespace salu
