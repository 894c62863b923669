#pragma once

#include "compiler/suite.hpp"

#include <salu/scenario.hpp>

#include <optional>
#include <vector>

namespace salu::compiler_test {

/// The results of a function for its inputs from one symbolic execution.
struct SymbolicResults {
  std::vector<std::optional<std::vector<u64>>> results;  ///< by input; nothing on a path that was not followed
  bool has_floats = false;                               ///< which are not supported
  bool was_cut = false;                                  ///< a loop or memory exceeds its limit
};

/// `sgprs`: for each input, from s0 on.
SymbolicResults run_over_symbols(const Scenario& scenario, const Function& function,
                                 const std::vector<std::vector<u32>>& sgprs, bool ends_program);

}  // namespace salu::compiler_test
