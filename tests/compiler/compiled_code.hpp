#pragma once

#include "compiler/suite.hpp"

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <vector>

/// Running a compiled function natively and in salu.
namespace salu::compiler_test {

/// `value` in hexadecimal, with the number of digits for `bits` bits.
std::string hex(u64 value, unsigned bits);

/// Loads the object of a configuration, with a function as the entry.
Result<Scenario> load_function(const Configuration& configuration, const std::string& function);

/// The SGPRs from s0 on that hold arguments: one u64 per argument, two per descriptor.
std::vector<u32> sgprs_of(const Function& function, const std::vector<u64>& arguments);

/// True if a loaded function and its helpers consist of scalar instructions.
bool is_scalar(const Scenario& scenario);

/// The check for a run: undefined bits for the first input, and for all inputs if SALU_CHECK_UNDEFINED is set.
CheckUndefined check_of(std::size_t input);

/// Runs a loaded function with these values in its first SGPRs.
Outcome run_function(const Scenario& scenario, const Function& function, const std::vector<u32>& sgprs,
                     CheckUndefined check);

std::vector<u64> results_in(const Function& function, const WaveState& state);

std::vector<u64> run_natively(const Function& function, const std::vector<u64>& arguments);

/// The information needed to investigate a difference.
std::string describe(const Configuration& configuration, const Function& function, const std::vector<u64>& arguments,
                     const std::vector<u64>& expected, const std::vector<u64>& actual, const Outcome& outcome);

}  // namespace salu::compiler_test
