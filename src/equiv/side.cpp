#include "equiv/side.hpp"

#include <algorithm>

namespace salu::equiv {
namespace {

/// A limit that prevents overflow when it is multiplied.
constexpr u64 longest_run = u64{1} << 48;

}  // namespace

Side::Side(const Scenario& scenario, std::size_t index, u64 max_steps)
    : scenario_(scenario),
      index_(index),
      max_steps_(std::min({max_steps, scenario.options.max_steps, longest_run})),
      machine_(scenario.program, scenario.initial, scenario.memory, scenario.options) {}

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

Stop Side::stop() const { return outcome_ ? outcome_->stop : machine_.stop(); }

u64 Side::read(const RegisterName& name) const {
  return outcome_ ? read_register(outcome_->state, name) : machine_.read(name);
}

bool Side::is_lost(const RegisterName& name) const { return outcome_ && salu::is_lost(*outcome_, name); }

bool Side::is_astray() const {
  return outcome_ && std::ranges::any_of(outcome_->warnings, [](const Warning& warning) {
           return warning.kind == WarningKind::undefined_read;
         });
}

}  // namespace salu::equiv
