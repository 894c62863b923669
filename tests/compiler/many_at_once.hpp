#pragma once

#include "compiler/suite.hpp"

#include <salu/scenario.hpp>

#include <optional>
#include <vector>

namespace salu::compiler_test {

/// The results of a loaded function for each of these values of its first SGPRs, in one batch. Nothing for a run that
/// is left to the machine or does not end as `ends_program` requires.
std::vector<std::optional<std::vector<u64>>> run_many(const Scenario& scenario, const Function& function,
                                                      const std::vector<std::vector<u32>>& sgprs, bool ends_program);

}  // namespace salu::compiler_test
