#include "sweeping/scalar_runs.hpp"

#include "support/numbers.hpp"

namespace salu::sweeping {

bool is_unwatched(const RunOptions& options) {
  return options.check_undefined == CheckUndefined::off && !options.check_hazards && !options.check_races &&
         !options.max_seconds && options.on_vector != OnVector::skip;
}

ScalarRuns::ScalarRuns(const Scenario& scenario, const std::vector<CasePlace>& inputs)
    : scenario_(scenario),
      inputs_(inputs),
      is_watched_(!is_unwatched(scenario.options)),
      machine_(scenario.program, scenario.initial, scenario.memory, scenario.options) {}

bool ScalarRuns::run(Block& block, std::size_t index, const std::function<bool()>& is_cancelled) {
  if (is_cancelled && is_cancelled()) return false;
  RunEnd& end = block.ends[index];
  if (is_watched_) {
    WaveState initial = scenario_.initial;
    Memory memory = scenario_.memory;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      set_input(scenario_.program, inputs_[i], block.inputs[i][index], initial, memory);
    RunOptions options = scenario_.options;
    if (is_cancelled) options.is_cancelled = is_cancelled;
    outcome_ = salu::run(scenario_.program, initial, memory, options);
    if (is_cancelled && is_cancelled()) return false;
    block.steps[index] = outcome_->steps;
    end = RunEnd::of(outcome_->stop.reason, !outcome_->warnings.empty(), outcome_->skipped_vector != 0);
    return true;
  }
  machine_.reset();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const CaseColumn& column = inputs_[i].column;
    if (inputs_[i].is_memory()) {
      machine_.set_memory(column.address, block.inputs[i][index], column.size_bytes);
    } else {
      machine_.set(column.name, block.inputs[i][index]);
    }
  }
  const std::optional<u64> steps =
      machine_.run_while(scenario_.options.max_steps, [&] { return !is_cancelled || !is_cancelled(); });
  if (!steps) return false;
  block.steps[index] = *steps;
  end = RunEnd::of(machine_.reason(), machine_.has_warnings(), machine_.skipped_vector() != 0);
  return true;
}

u64 ScalarRuns::read(const RegisterName& name) const {
  return outcome_ ? read_register(outcome_->state, name) : machine_.read(name);
}

const Memory& ScalarRuns::memory() const { return outcome_ ? outcome_->memory : machine_.memory_after(); }

u64 ScalarRuns::read(const CasePlace& place) const {
  if (place.is_memory()) return read_memory(place, memory());
  return read(place.column.name) & support::ones(place.bits);
}

}  // namespace salu::sweeping
