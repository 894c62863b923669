#include "equiv/side.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "loader/scenario/registers.hpp"

namespace salu::equiv {
namespace {

/// A limit that prevents overflow when it is multiplied.
constexpr u64 longest_run = u64{1} << 48;

/// Warnings are not compared.
RunOptions without_checks(RunOptions options) {
  options.strict = false;
  options.check_undefined = CheckUndefined::off;
  options.check_hazards = false;
  options.check_races = false;
  return options;
}

}  // namespace

Side::Side(const Scenario& scenario, std::size_t index, u64 max_steps)
    : scenario_(scenario),
      index_(index),
      max_steps_(std::min({max_steps, scenario.options.max_steps, longest_run})),
      machine_(scenario.program, scenario.initial, scenario.memory, scenario.options) {
  if (scenario.runs_several_waves()) waves_ = scenario;
}

RunOptions Side::options(u64 patience) const {
  RunOptions options = scenario_.options;
  options.max_steps = max_steps_ * patience;
  return options;
}

bool Side::run(std::span<const Input> inputs, std::span<const u64> values, u64 patience, const Deadline& deadline) {
  machine_.reset_memory();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Place& place = inputs[i].place;
    if (place.is_memory) {
      machine_.set_memory(place.addresses[index_], values[i], place.size_bytes);
    } else {
      machine_.set(place.registers[index_], values[i]);
    }
  }
  if (runs_several_waves()) return run_waves(inputs, values, patience, deadline);
  const std::optional<u64> steps =
      machine_.run_while(max_steps_ * patience, [&deadline] { return !deadline.is_over(); });
  if (!steps) return false;
  steps_ = *steps;
  reason_ = machine_.reason();
  if (scenario_.options.on_vector == OnVector::skip) {
    // The run is repeated without interruption, possibly with an observer at every step.
    constexpr double seconds_per_watched_step = 5e-7;
    if (!deadline.leaves(static_cast<double>(steps_) * seconds_per_watched_step)) return false;
    outcome_ = salu::run(scenario_.program, start(), memory_before(), options(patience));
  }
  return true;
}

bool Side::run_waves(std::span<const Input> inputs, std::span<const u64> values, u64 patience,
                     const Deadline& deadline) {
  std::vector<std::pair<RegisterName, u64>> registers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].place.is_memory) registers.emplace_back(inputs[i].place.registers[index_], values[i]);
  }
  waves_->memory = memory_before();
  waves_->initial = start();
  waves_->waves = scenario_.waves;
  waves_->group = scenario_.group;
  if (!registers.empty()) loader::set_in_waves(*waves_, registers);
  RunOptions options = without_checks(this->options(patience));
  options.max_seconds.reset();
  options.coverage = true;
  options.is_cancelled = [&deadline] { return deadline.is_over(); };
  outcome_ = salu::run(*waves_, options);
  steps_ = outcome_->steps;
  reason_ = outcome_->stop.reason;
  return reason_ != StopReason::time_limit;
}

void Side::repeat(const RunOptions& options) const {
  if (!runs_several_waves()) {
    salu::run(scenario_.program, start(), memory_before(), options);
    return;
  }
  Scenario all = *waves_;
  if (all.waves == nullptr) all.waves = std::move(all.group);
  all.group = nullptr;
  salu::run(all, without_checks(options));
}

const DispatchedWaves& Side::started_waves() const { return *waves_->several_waves(); }

WaveState Side::wave_start(u64 number) const { return scenario_.several_waves()->wave(number).initial; }

std::string Side::wave_name(u64 number) const {
  return runs_several_waves() ? scenario_.several_waves()->wave(number).name : std::string();
}

u64 Side::read_wave() const { return scenario_.reported_wave(); }

bool Side::passed_over_vector() const {
  return runs_several_waves() ? outcome_->skipped_vector != 0 : machine_.skipped_vector() != 0;
}

Stop Side::stop() const { return outcome_ ? outcome_->stop : machine_.stop(); }

u64 Side::read(const RegisterName& name) const {
  return outcome_ ? read_register(outcome_->state, name) : machine_.read(name);
}

bool Side::is_lost(const RegisterName& name) const { return outcome_ && salu::is_lost(*outcome_, name); }

bool Side::is_astray() const {
  const bool skips = scenario_.options.on_vector == OnVector::skip;
  return skips && outcome_ && std::ranges::any_of(outcome_->warnings, [](const Warning& warning) {
           return warning.kind == WarningKind::undefined_read;
         });
}

}  // namespace salu::equiv
