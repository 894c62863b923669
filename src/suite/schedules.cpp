#include "suite/schedules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "observe/group_memory.hpp"
#include "support/numbers.hpp"

namespace salu::suite {
namespace {

/// The first dword that differs, except in memory that does not outlive a work-group.
std::optional<u64> find_difference(const Scenario& scenario, const Memory& left, const Memory& right) {
  const std::vector<MemoryRegion> temporary = observe::group_memory(scenario);
  const auto is_result = [&](u64 address) {
    return std::ranges::none_of(
        temporary, [&](const MemoryRegion& region) { return address >= region.base && address < region.end(); });
  };
  for (const u64 page : Memory::differing_pages(left, right)) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      if (left.read_dword(address) != right.read_dword(address) && is_result(address)) return address;
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
  // Other memory than the expected may depend on the order: that of a queue, for example.
  if (scenario.expect && !scenario.expect->memory.empty()) return std::nullopt;
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
