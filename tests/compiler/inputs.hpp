#pragma once

#include "compiler/suite.hpp"

#include <vector>

namespace salu::compiler_test {

/// Argument lists for a function, the same in every configuration and every run: edge values in combination, then
/// values drawn from a generator seeded with the function's name. Bits above an argument's width are noise, because the
/// calling convention leaves them unspecified.
std::vector<std::vector<u64>> inputs_for(const Function& function);

}  // namespace salu::compiler_test
