#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

namespace salu {
namespace {

/// What shared memory holds is gone with its work-group.
void begin_group(const Scenario& scenario, Memory& memory) {
  for (const MemoryRegion& region : scenario.memory.regions()) {
    if (region.base < shared_memory_base) continue;
    std::vector<u8> bytes(region.size_bytes);
    scenario.memory.read(region.base, bytes);
    memory.write(region.base, bytes);
  }
}

/// Adds what a wave has that the ones before it had not.
void merge(Outcome& all, Outcome&& wave) {
  wave.steps += all.steps;
  wave.skipped_vector += all.skipped_vector;
  std::vector<Warning> warnings = std::move(all.warnings);
  for (Warning& warning : wave.warnings) {
    const bool is_known = std::ranges::any_of(
        warnings, [&](const Warning& known) { return known.kind == warning.kind && known.pc == warning.pc; });
    if (!is_known) warnings.push_back(std::move(warning));
  }
  wave.warnings = std::move(warnings);
  std::vector<u64> executed;
  std::ranges::set_union(all.executed, wave.executed, std::back_inserter(executed));
  wave.executed = std::move(executed);
  all = std::move(wave);
}

struct Waves {
  Outcome outcome;       ///< of all that ran
  DispatchedWave last;   ///< the one that ran last
  Memory memory_before;  ///< it
};

Waves run_waves(const Scenario& scenario, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Waves waves;
  Memory memory = scenario.memory;
  for (u64 number = 0; number < scenario.waves->count; ++number) {
    waves.last = scenario.waves->wave(number);
    if (waves.last.begins_group && number != 0) begin_group(scenario, memory);
    waves.memory_before = memory;
    RunOptions left = options;
    left.max_steps -= waves.outcome.steps;
    if (left.max_seconds) *left.max_seconds -= std::chrono::duration<double>(Clock::now() - start).count();
    Outcome outcome = run(scenario.program, waves.last.initial, memory, left);
    memory = outcome.memory;
    const bool goes_on = is_regular_end(outcome.stop.reason);
    if (!goes_on) {
      std::string& detail = outcome.stop.detail;
      detail = waves.last.name + (detail.empty() ? "" : ": ") + detail;
    }
    merge(waves.outcome, std::move(outcome));
    if (!goes_on) break;
  }
  return waves;
}

}  // namespace

Outcome run(const Scenario& scenario, const RunOptions& options) {
  if (scenario.waves == nullptr) return run(scenario.program, scenario.initial, scenario.memory, options);
  return run_waves(scenario, options).outcome;
}

Scenario isolate_wave(const Scenario& scenario, const RunOptions& options) {
  if (scenario.waves == nullptr) return scenario;
  RunOptions unobserved = options;
  unobserved.trace = nullptr;
  Waves waves = run_waves(scenario, unobserved);
  Scenario alone = scenario;
  alone.waves = nullptr;
  alone.initial = std::move(waves.last.initial);
  alone.memory = std::move(waves.memory_before);
  alone.remarks.push_back({{scenario.file}, "of all waves, this is " + waves.last.name, {}});
  return alone;
}

}  // namespace salu
