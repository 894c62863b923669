#include "suite/fidelity_tally.hpp"

#include <algorithm>
#include <span>

#include "observe/fidelity.hpp"

namespace salu::suite {
namespace {

bool is_compared(const Scenario& scenario, const Location& place) {
  if (!scenario.expect) return false;
  return std::ranges::any_of(scenario.expect->registers,
                             [&](const RegisterExpectation& expected) {
                               return overlap(place, {expected.name.index, expected.name.dwords()});
                             }) ||
         std::ranges::any_of(scenario.expect->memory, [&](const MemoryExpectation& expected) {
           const auto dwords = static_cast<u32>((expected.bytes.size() + 3) / 4);
           return overlap(place, Location::in_memory(expected.address, dwords));
         });
}

}  // namespace

void FidelityTally::add(const Scenario& scenario, const Outcome& outcome) {
  const Fidelity& fidelity = *outcome.fidelity;
  ++runs_.runs;
  if (!fidelity.is_exact()) {
    const Affected& affected = *fidelity.affected;
    ++runs_.inexact_runs;
    runs_.affected_control_flow += u64{affected.control_flow};
    runs_.affected_addresses += u64{affected.address};
    runs_.affected_results +=
        u64{std::ranges::any_of(affected.results, [&](const Location& place) { return is_compared(scenario, place); })};
  }
  observe::merge(all_, std::optional(fidelity));
}

void FidelityTally::merge(const FidelityTally& other) {
  observe::merge(all_, std::optional(other.all_));
  runs_.add_runs(other.runs_);
}

void SuiteTally::add(const Program& program, const FidelityTally& test) {
  sums_.add_runs(test.runs_);
  if (!test.all_) return;
  const Fidelity& all = *test.all_;
  sums_.exact += all.exact.size();
  sums_.approximate += all.approximate.size();
  sums_.skipped += all.skipped.size();
  sums_.assumed += all.assumed.size();
  observe::TriedInstructions& tried = tried_[program.generation()];
  for (const auto* const addresses : {&all.exact, &all.approximate}) {
    for (const u64 address : *addresses) {
      const CodeBlock* const block = program.find_block(address);
      if (block == nullptr) continue;
      tried.add(program.generation(), std::span(block->words).subspan((address - block->base) / 4));
    }
  }
}

SuiteFidelity SuiteTally::result() const {
  SuiteFidelity result = sums_;
  for (const auto& [generation, tried] : tried_) result.coverage.push_back(tried.coverage(generation));
  return result;
}

}  // namespace salu::suite
