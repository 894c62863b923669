#include "observe/run_end.hpp"

#include "core/executed.hpp"
#include "observe/fidelity.hpp"
#include "observe/final_state.hpp"
#include "support/numbers.hpp"

namespace salu::observe {

void prepare(core::Machine& machine, const RunOptions& options) {
  machine.set_strict(options.strict);
  machine.set_options(options);
  machine.set_pause_at_scalar_results(options.on_vector == OnVector::skip);
}

bool asks_for_observers(const RunOptions& options) {
  return options.trace || options.check_undefined != CheckUndefined::off || options.check_hazards ||
         options.check_races || options.fidelity == FidelityReport::followed;
}

Outcome finish_run(core::Machine& machine, ObservedRun* observed, const RunOptions& options) {
  Outcome outcome;
  outcome.steps = machine.steps();
  outcome.fidelity = find_fidelity(machine, options.fidelity);
  end_run(machine, observed, options, outcome);
  take_final_state(machine, observed != nullptr ? observed->missing() : core::DefinedSet(), outcome);
  if (options.coverage) core::list_executed(machine, outcome.executed);
  return outcome;
}

void end_run(const core::Machine& machine, ObservedRun* observed, const RunOptions& options, Outcome& outcome) {
  const std::size_t seen = machine.warnings().size();
  if (observed != nullptr) observed->end(options, outcome);
  if (!machine.stopped()) return;
  outcome.stop = machine.stop();
  if (!options.strict || seen == machine.warnings().size() || !is_regular_end(outcome.stop.reason)) return;
  const Warning& warning = machine.warnings()[seen];
  outcome.stop = {StopReason::warning, warning.kind, warning.pc, warning.instruction, warning.detail};
}

Stop stop_at_limit(const core::Machine& machine, u64 steps, u64 max_steps, const std::function<bool()>& is_cancelled) {
  Stop stop{StopReason::step_limit, std::nullopt, machine.pc(), machine.code().text_at(machine.pc()), {}};
  if (steps >= max_steps) {
    stop.detail = step_limit_text(max_steps);
    return stop;
  }
  const bool is_cancelled_now = is_cancelled && is_cancelled();
  stop.reason = StopReason::time_limit;
  stop.detail = std::string(is_cancelled_now ? "the caller cancelled the run" : "the time limit is reached") +
                ", after " + support::counted(steps, "step");
  return stop;
}

std::string step_limit_text(u64 steps) { return "the limit of " + std::to_string(steps) + " steps is reached"; }

}  // namespace salu::observe
