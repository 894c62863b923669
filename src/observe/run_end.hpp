#pragma once

#include <salu/run.hpp>

#include <functional>
#include <string>

#include "core/machine.hpp"
#include "observe/observed_run.hpp"

/// The rules of a run that `salu::run` and `salu::Machine` share.
namespace salu::observe {

/// Prepares a machine for a run with these options.
void prepare(core::Machine& machine, const RunOptions& options);

/// True if the options ask for observers of all instructions. Without them the machine runs at full speed, up to a
/// skipped vector instruction with scalar results.
bool asks_for_observers(const RunOptions& options);

/// Returns the outcome of a run, without a stop if the machine has not stopped. Ends the observers; `observed` may be
/// null.
Outcome finish_run(core::Machine& machine, ObservedRun* observed, const RunOptions& options);
/// Adds the results of the observers to the outcome of a run, and its stop if the machine has stopped: with
/// `RunOptions::strict`, the first warning about the results. `observed` may be null.
void end_run(const core::Machine& machine, ObservedRun* observed, const RunOptions& options, Outcome& outcome);

/// The stop of a run that has executed `steps` instructions and was ended before the machine stopped: by its step
/// limit, by its time limit or by the caller.
Stop stop_at_limit(const core::Machine& machine, u64 steps, u64 max_steps, const std::function<bool()>& is_cancelled);

/// The detail of a stop by `step_limit`.
std::string step_limit_text(u64 steps);

}  // namespace salu::observe
