#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "observe/fidelity.hpp"
#include "observe/final_state.hpp"
#include "observe/run_end.hpp"

namespace salu {
namespace {

/// The contents of shared memory are lost with its work-group.
void begin_group(const Scenario& scenario, Memory& memory) {
  for (const MemoryRegion& region : scenario.memory.regions()) {
    if (region.base < shared_memory_base) continue;
    std::vector<u8> bytes(region.size_bytes);
    scenario.memory.read(region.base, bytes);
    memory.write(region.base, bytes);
  }
}

/// Adds the results of a wave to those of earlier ones. `known` are all warnings so far.
void merge(Outcome& all, Outcome&& wave, std::set<WarningIdentity>& known) {
  wave.steps += all.steps;
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

/// A wave in its initial state, on the memory that earlier waves left.
DispatchedWave begin_wave(const Scenario& scenario, u64 number, Memory& memory) {
  DispatchedWave wave = scenario.waves->wave(number);
  if (wave.begins_group && number != 0) begin_group(scenario, memory);
  return wave;
}

struct Waves {
  Outcome outcome;       ///< of all waves so far
  u64 number = 0;        ///< of the last wave
  DispatchedWave last;   ///< the last wave
  Memory memory_before;  ///< memory before the last wave
};

/// Runs the first `count` waves, until one does not end regularly.
Waves run_waves(const Scenario& scenario, const RunOptions& options, u64 count) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Waves waves;
  std::set<WarningIdentity> known;
  Memory memory = scenario.memory;
  for (u64 number = 0; number < count; ++number) {
    waves.number = number;
    waves.last = begin_wave(scenario, number, memory);
    waves.memory_before = memory;
    RunOptions left = options;
    // Exact waves are included, so that all executed instructions are counted.
    left.fidelity = std::max(options.fidelity, FidelityReport::always);
    left.max_steps -= waves.outcome.steps;
    if (left.max_seconds) *left.max_seconds -= std::chrono::duration<double>(Clock::now() - start).count();
    // Steps are numbered across all waves, as in the outcome.
    if (options.trace && waves.outcome.steps != 0) {
      left.trace = [&options, before = waves.outcome.steps](const TraceEvent& event) {
        TraceEvent counted = event;
        counted.step += before;
        options.trace(counted);
      };
    }
    Outcome outcome = run(scenario.program, waves.last.initial, memory, left);
    if (outcome.stop.reason == StopReason::step_limit)
      outcome.stop.detail = observe::step_limit_text(options.max_steps);
    memory = outcome.memory;
    const bool goes_on = is_regular_end(outcome.stop.reason);
    if (!goes_on) {
      std::string& detail = outcome.stop.detail;
      detail = waves.last.name + (detail.empty() ? "" : ": ") + detail;
    }
    merge(waves.outcome, std::move(outcome), known);
    if (!goes_on) break;
  }
  std::optional<Fidelity>& fidelity = waves.outcome.fidelity;
  if (fidelity && !observe::is_told(*fidelity, options.fidelity)) fidelity.reset();
  return waves;
}

Error no_wave(const Scenario& scenario, u64 number, const std::string& why) {
  return {ErrorCode::usage, {scenario.file}, "no wave " + std::to_string(number) + ": " + why, {}};
}

}  // namespace

Outcome run(const Scenario& scenario, const RunOptions& options) {
  const RunOptions all = observe::complete_options(scenario, options);
  if (scenario.waves == nullptr) return run(scenario.program, scenario.initial, scenario.memory, all);
  return run_waves(scenario, all, scenario.waves->count).outcome;
}

Outcome run(const Scenario& scenario, const WaveState& start, const RunOptions& options) {
  return run(scenario.program, start, scenario.memory, observe::complete_options(scenario, options));
}

Result<Scenario> isolate_wave(const Scenario& scenario, const RunOptions& options, std::optional<u64> number) {
  if (scenario.waves == nullptr) {
    if (number) return no_wave(scenario, *number, "only `kernel:` with `waves: all` has several");
    return scenario;
  }
  const u64 count = scenario.waves->count;
  const std::string last = std::to_string(count - 1);
  if (number && *number >= count) return no_wave(scenario, *number, "the grid has 0 to " + last);
  RunOptions unobserved = options;
  unobserved.trace = nullptr;
  Waves waves = run_waves(scenario, unobserved, number.value_or(count));
  if (number) {
    const Stop& stop = waves.outcome.stop;
    if (*number != 0 && !is_regular_end(stop.reason)) {
      const std::string reason(stop_reason_name(stop.reason));
      return no_wave(scenario, *number, "the run ends earlier with " + reason + ": " + stop.detail);
    }
    waves.memory_before = *number == 0 ? scenario.memory : waves.outcome.memory;
    waves.number = *number;
    waves.last = begin_wave(scenario, *number, waves.memory_before);
  }
  Scenario alone = scenario;
  alone.waves = nullptr;
  // Expectations apply to the end of the grid, and `warnings:` to all waves.
  const bool is_early = number && *number + 1 != count;
  if (is_early || (count > 1 && alone.expect && alone.expect->warnings)) alone.expect.reset();
  alone.initial = std::move(waves.last.initial);
  alone.memory = std::move(waves.memory_before);
  alone.remarks.push_back({{scenario.file},
                           "showing wave " + std::to_string(waves.number) + " of 0 to " + last + ": " + waves.last.name,
                           {}});
  return alone;
}

}  // namespace salu
