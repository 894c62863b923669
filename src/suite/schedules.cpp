#include "suite/schedules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "support/numbers.hpp"

namespace salu::suite {
namespace {

/// True for memory whose contents at the end of a run are not results.
bool is_temporary(const Scenario& scenario, u64 address) {
  if (address >= shared_memory_base) return true;
  const std::optional<MemoryRegion>& own = scenario.private_memory;
  return own && address >= own->base && address < own->end();
}

/// The first dword that differs, among those that are results.
std::optional<u64> find_difference(const Scenario& scenario, const Memory& left, const Memory& right) {
  for (const u64 page : Memory::differing_pages(left, right)) {
    if (is_temporary(scenario, page)) continue;
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      if (left.read_dword(address) != right.read_dword(address)) return address;
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> compare(const Scenario& scenario, const Outcome& outcome, const Outcome& other) {
  const SourcePlace where = scenario.expect ? scenario.expect->where : SourcePlace{scenario.file};
  if (outcome.stop.reason != other.stop.reason || outcome.stop.warning != other.stop.warning) {
    return Mismatch{where, "stop", std::string(outcome.stop.reason_name()), std::string(other.stop.reason_name()),
                    Mismatch::Kind::stop};
  }
  std::vector<Mismatch> wrong = check(scenario.expect.value_or(Expectation{}), other);
  if (!wrong.empty()) return std::move(wrong.front());
  const std::optional<u64> address = find_difference(scenario, outcome.memory, other.memory);
  if (!address) return std::nullopt;
  return Mismatch{where, "memory " + support::hex(*address), support::hex(outcome.memory.read_dword(*address), 8),
                  support::hex(other.memory.read_dword(*address), 8)};
}

}  // namespace

std::optional<Failure> find_dependence(const Scenario& scenario, const RunOptions& options, const Outcome& outcome,
                                       u64 schedules, u64& steps) {
  // A short slice gives more different orders of the accesses.
  constexpr u64 longest_slice = 50;
  if (!scenario.runs_several_waves()) return std::nullopt;
  for (u64 seed = 0; seed < schedules; ++seed) {
    RunOptions in_other_order = options;
    in_other_order.schedule.seed = seed;
    in_other_order.schedule.slice = std::min(options.schedule.slice, longest_slice);
    const Outcome other = run(scenario, in_other_order);
    steps += other.steps;
    std::optional<Mismatch> mismatch = compare(scenario, outcome, other);
    if (!mismatch) continue;
    Failure failure;
    failure.mismatch = *std::move(mismatch);
    failure.writer = fmt::format("with the order of waves of `schedule: {{seed: {}, slice: {}}}`", seed,
                                 in_other_order.schedule.slice);
    return failure;
  }
  return std::nullopt;
}

}  // namespace salu::suite
