#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <vector>

namespace salu::core {

/// What a `Machine` or a `RepeatedRun` has executed: addresses, sorted. Each is there once: a program that changes its
/// code may have executed an instruction before and after that.
template <class Run>
void list_executed(const Run& run, std::vector<u64>& addresses) {
  addresses.clear();
  run.visit_executed([&](u64 address) { addresses.push_back(address); });
  std::ranges::sort(addresses);
  const auto repeated = std::ranges::unique(addresses);
  addresses.erase(repeated.begin(), repeated.end());
}

}  // namespace salu::core
