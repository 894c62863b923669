#include "observe/final_state.hpp"

#include <set>

#include "observe/argument_memory.hpp"
#include "observe/group_memory.hpp"

namespace salu::observe {
namespace {

/// Makes registers undefined.
void forget_values(WaveState& state, const core::DefinedSet& registers) {
  for (u32 code = 0; code < code::count; ++code) {
    if (registers.test(code)) state.file[code] = 0;
  }
  if (registers.test(state_index::scc)) state.scc = false;
  state.defined &= ~registers;
}

}  // namespace

void take_final_state(core::Machine& machine, const core::DefinedSet& missing, Outcome& outcome) {
  outcome.skipped_vector = machine.skipped_vector();
  outcome.warnings = machine.warnings();
  outcome.state = machine.state();
  forget_values(outcome.state, missing);
  outcome.lost = missing;
  outcome.has_lost_vectors = machine.has_lost_vectors();
  outcome.memory = machine.memory();
}

void add_new(std::vector<Warning>& all, const std::vector<Warning>& more) {
  std::set<WarningIdentity> known;
  for (const Warning& warning : all) known.insert(identity_of(warning));
  for (const Warning& warning : more) {
    if (known.insert(identity_of(warning)).second) all.push_back(warning);
  }
}

RunOptions complete_options(const Scenario& scenario, const RunOptions& options) {
  RunOptions result = options;
  const bool checks_bits = options.check_undefined == CheckUndefined::bits;
  if ((checks_bits || options.check_races) && result.named_memory.empty())
    result.named_memory = argument_memory(scenario);
  if (!checks_bits) return result;
  if (scenario.expect && !scenario.runs_several_waves()) {
    for (const RegisterExpectation& expected : scenario.expect->registers)
      result.compared.push_back({expected.name, expected.mask});
    for (const MemoryExpectation& expected : scenario.expect->memory)
      result.compared_memory.push_back({expected.address, expected.bytes.size()});
  }
  const std::vector<MemoryRegion> uninitialised = group_memory(scenario);
  result.uninitialised.insert(result.uninitialised.end(), uninitialised.begin(), uninitialised.end());
  return result;
}

}  // namespace salu::observe
