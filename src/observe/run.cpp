#include <salu/run.hpp>

#include <optional>

#include "core/machine.hpp"
#include "core/time_limit.hpp"
#include "observe/observed_run.hpp"
#include "observe/run_end.hpp"
#include "observe/stack_misuse.hpp"

namespace salu {

Outcome run(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options) {
  const core::TimeLimit time_limit(options.max_seconds, options.is_cancelled);
  core::Machine machine(program, options.dispatch);
  observe::prepare(machine, options);
  machine.set_memory(memory);
  machine.set_state(initial);
  const auto explain_misuse = [&] {
    observe::explain_misuse(machine, [&](u64 push) {
      return observe::repeat_run(program, initial, memory, options, machine.steps(), push);
    });
  };
  const bool observes = observe::asks_for_observers(options);
  if (!observes) {
    time_limit.run(options.max_steps, core::fast_slice_steps, [&machine](u64 steps) { return machine.run(steps); });
  }
  std::optional<observe::ObservedRun> observed;
  if (observes || options.on_vector == OnVector::skip) {
    observed.emplace(machine, observe::make_observers(machine, options, initial, explain_misuse));
    observed->run_on(options.max_steps - machine.steps(), time_limit);
  }
  explain_misuse();
  Outcome outcome = observe::finish_run(machine, observed ? &*observed : nullptr, options);
  if (!machine.stopped())
    outcome.stop = observe::stop_at_limit(machine, outcome.steps, options.max_steps, options.is_cancelled);
  return outcome;
}

}  // namespace salu
