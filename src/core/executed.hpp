#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <vector>

namespace salu::core {

/// Lists the addresses that a `Machine` or a `RepeatedRun` has executed, sorted and without duplicates (a program that
/// changes its code may report an instruction twice).
template <class Run>
void list_executed(const Run& run, std::vector<u64>& addresses) {
  addresses.clear();
  run.visit_executed([&](u64 address) { addresses.push_back(address); });
  std::ranges::sort(addresses);
  const auto repeated = std::ranges::unique(addresses);
  addresses.erase(repeated.begin(), repeated.end());
}

}  // namespace salu::core
