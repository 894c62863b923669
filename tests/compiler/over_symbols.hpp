#pragma once

#include "compiler/suite.hpp"

#include <salu/scenario.hpp>

#include <optional>
#include <vector>

namespace salu::compiler_test {

/// What a function comes to for its inputs when it is executed over symbols once.
struct SymbolicResults {
  std::vector<std::optional<std::vector<u64>>> results;  ///< of each input; nothing on a way that was left
  bool has_floats = false;                               ///< which are not followed
  bool was_cut = false;                                  ///< something takes more rounds, or more memory, than it gets
};

/// `sgprs`: of each input, from s0 on.
SymbolicResults run_over_symbols(const Scenario& scenario, const Function& function,
                                 const std::vector<std::vector<u32>>& sgprs, bool ends_program);

}  // namespace salu::compiler_test
