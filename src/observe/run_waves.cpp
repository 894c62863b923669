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
#include "observe/past.hpp"
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

/// Runs the waves of a scenario.
class WavesRun {
 public:
  WavesRun(const Scenario& scenario, const RunOptions& options)
      : asked_(options),
        options_(options),
        launch_(scenario),
        groups_(launch_.launch(), options_, scenario.memory),
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
    return run();
  }

  Outcome run() {
    do {
      groups_.run(options_.max_steps, limit_);
      for (WorkGroups::Result& result : groups_.take_ended()) add(std::move(result));
    } while (!groups_.is_over() && !groups_.is_stuck() && groups_.steps() < options_.max_steps && !limit_.has_passed());
    for (WorkGroups::Result& result : groups_.take_all()) add(std::move(result));
    merge_reported();
    outcome_.steps = groups_.steps();
    outcome_.memory = groups_.memory();
    std::optional<Fidelity>& fidelity = outcome_.fidelity;
    if (fidelity && !observe::is_told(*fidelity, asked_.fidelity)) fidelity.reset();
    return std::move(outcome_);
  }

 private:
  /// Adds the result of a wave. The one that is added last determines the state and the stop: that of a wave that stops
  /// irregularly, which ends the run, or else the reported one.
  void add(WorkGroups::Result&& result) {
    if (!is_regular_end(result.outcome.stop.reason)) {
      merge_reported();
    } else if (reported_ == result.number) {
      reported_result_ = std::move(result);
      return;
    }
    merge_result(std::move(result));
  }

  void merge_reported() {
    if (!reported_result_) return;
    merge_result(*std::move(reported_result_));
    reported_result_.reset();
  }

  void merge_result(WorkGroups::Result result) {
    if (see_) see_(result);
    Stop& stop = result.outcome.stop;
    if (!is_regular_end(stop.reason) && stop.reason != StopReason::deadlock)
      stop.detail = result.name + (stop.detail.empty() ? "" : ": ") + stop.detail;
    merge(outcome_, std::move(result.outcome), known_);
  }

  const RunOptions& asked_;
  RunOptions options_;
  observe::ScenarioLaunch launch_;
  WorkGroups groups_;
  core::TimeLimit limit_;
  std::function<void(const WorkGroups::Result&)> see_;
  std::optional<u64> reported_;                        ///< the wave whose state is asked for
  std::optional<WorkGroups::Result> reported_result_;  ///< its result
  Outcome outcome_;                                    ///< of all waves so far
  std::set<WarningIdentity> known_;
};

}  // namespace

Outcome run(const Scenario& scenario, const RunOptions& options) {
  const RunOptions all = observe::complete_options(scenario, options);
  if (!scenario.runs_several_waves()) return run(scenario.program, scenario.initial, scenario.memory, all);
  WavesRun run(scenario, all);
  return scenario.group != nullptr ? run.run_for(scenario.reported_wave()) : run.run();
}

Outcome observe::run_all_waves(const Scenario& scenario, const RunOptions& options,
                               const std::function<void(const WorkGroups::Result&)>& see) {
  const RunOptions all = complete_options(scenario, options);
  WavesRun run(scenario, all);
  run.show_results(see);
  if (scenario.group != nullptr) run.report(scenario.reported_wave());
  return run.run();
}

Outcome run(const Scenario& scenario, const WaveState& start, const RunOptions& options) {
  return run(scenario.program, start, scenario.memory, observe::complete_options(scenario, options));
}

}  // namespace salu
