#include <salu/run.hpp>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/executed.hpp"
#include "core/machine.hpp"
#include "core/time_limit.hpp"
#include "observe/fidelity.hpp"
#include "observe/final_state.hpp"
#include "observe/limit_text.hpp"
#include "observe/observed_run.hpp"
#include "observe/stack_misuse.hpp"
#include "support/numbers.hpp"

namespace salu {
using observe::ObservedRun;

namespace {

/// The stop of a strict run for a warning that the checks of its results gave.
Stop stop_for(const Warning& warning) {
  return {StopReason::warning, warning.kind, warning.pc, warning.instruction, warning.detail};
}

}  // namespace

Outcome run(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options) {
  const core::TimeLimit time_limit(options.max_seconds, options.is_cancelled);
  core::Machine machine(program, options.dispatch);
  machine.set_strict(options.strict);
  machine.set_options(options);
  machine.set_memory(memory);
  machine.set_state(initial);
  const auto explain_misuse = [&] {
    observe::explain_misuse(machine, [&](u64 push) {
      return observe::repeat_run(program, initial, memory, options, machine.steps(), push);
    });
  };
  bool observed = options.trace || options.check_undefined != CheckUndefined::off || options.check_hazards ||
                  options.fidelity == FidelityReport::followed;
  Outcome outcome;
  if (!observed) {
    machine.set_pause_at_scalar_results(options.on_vector == OnVector::skip);
    outcome.steps =
        time_limit.run(options.max_steps, core::fast_slice_steps, [&machine](u64 steps) { return machine.run(steps); });
    observed = options.on_vector == OnVector::skip;
  }
  core::DefinedSet missing;
  std::size_t warnings_before_end = std::numeric_limits<std::size_t>::max();
  if (observed) {
    ObservedRun run(machine, observe::make_observers(machine, options, initial, explain_misuse));
    const u64 before = machine.steps();
    time_limit.run(options.max_steps - before, core::observed_slice_steps, [&](u64 steps) {
      const u64 from = machine.steps();
      run.run(from + steps);
      return machine.steps() - from;
    });
    outcome.steps = machine.steps();
    missing = run.missing();
    outcome.fidelity = observe::find_fidelity(machine, options.fidelity);
    warnings_before_end = machine.warnings().size();
    run.end(options, outcome);
  }
  explain_misuse();
  if (machine.stopped()) {
    outcome.stop = machine.stop();
    const bool is_checked_late = warnings_before_end < machine.warnings().size();
    if (options.strict && is_checked_late && is_regular_end(outcome.stop.reason))
      outcome.stop = stop_for(machine.warnings()[warnings_before_end]);
  } else {
    const u64 pc = machine.pc();
    const bool is_late = outcome.steps < options.max_steps;
    const bool is_cancelled = is_late && options.is_cancelled && options.is_cancelled();
    const std::string_view why = is_cancelled ? "the caller ended the run" : "the time for the run is up";
    outcome.stop = {is_late ? StopReason::time_limit : StopReason::step_limit, std::nullopt, pc,
                    machine.code().text_at(pc),
                    is_late ? std::string(why) + ", after " + support::counted(outcome.steps, "step")
                            : observe::step_limit_text(options.max_steps)};
  }
  if (!observed) outcome.fidelity = observe::find_fidelity(machine, options.fidelity);
  observe::take_final_state(machine, missing, outcome);
  if (options.coverage) core::list_executed(machine, outcome.executed);
  return outcome;
}

}  // namespace salu
