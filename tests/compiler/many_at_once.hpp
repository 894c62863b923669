#pragma once

#include "compiler/suite.hpp"

#include <salu/scenario.hpp>

#include <optional>
#include <vector>

namespace salu::compiler_test {

/// What a loaded function comes to with each of these in its first SGPRs, all at once. Nothing where a run is left to
/// the machine or does not end as `ends_program` says.
std::vector<std::optional<std::vector<u64>>> run_many(const Scenario& scenario, const Function& function,
                                                      const std::vector<std::vector<u32>>& sgprs, bool ends_program);

}  // namespace salu::compiler_test
