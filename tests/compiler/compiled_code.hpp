#pragma once

#include "compiler/suite.hpp"

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <vector>

/// Running a compiled function natively and in salu.
namespace salu::compiler_test {

/// `value` in hexadecimal, with the digits that so many bits take.
std::string hex(u64 value, unsigned bits);

/// The object of a configuration, to start at a function.
Result<Scenario> load_function(const Configuration& configuration, const std::string& function);

/// The SGPRs from s0 on that hold arguments: one u64 per argument, two per descriptor.
std::vector<u32> sgprs_of(const Function& function, const std::vector<u64>& arguments);

/// Whether a loaded function has scalar instructions alone, helpers of its own included.
bool is_scalar(const Scenario& scenario);

/// What to look for in the run of one of many inputs: in the first one whether anything depends on undefined bits, and
/// in all of them where the environment has SALU_CHECK_UNDEFINED.
CheckUndefined check_of(std::size_t input);

/// Runs a loaded function with these in its first SGPRs.
Outcome run_function(const Scenario& scenario, const Function& function, const std::vector<u32>& sgprs,
                     CheckUndefined check);

std::vector<u64> results_in(const Function& function, const WaveState& state);

std::vector<u64> run_natively(const Function& function, const std::vector<u64>& arguments);

/// What a person needs to look into a difference.
std::string describe(const Configuration& configuration, const Function& function, const std::vector<u64>& arguments,
                     const std::vector<u64>& expected, const std::vector<u64>& actual, const Outcome& outcome);

}  // namespace salu::compiler_test
