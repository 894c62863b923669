#pragma once

#include <salu/outcome.hpp>
#include <salu/scenario.hpp>

#include <vector>

/// The exit codes of the process. Part of the interface.
namespace salu::app {

namespace exit_code {
inline constexpr int good = 0;
inline constexpr int expectation_failed = 1;
inline constexpr int usage = 2;
inline constexpr int bad_input = 3;
inline constexpr int fault = 4;
inline constexpr int limit = 5;           ///< of steps, time or memory
inline constexpr int not_executable = 6;  ///< vector, export or unsupported
inline constexpr int stopped = 7;         ///< halt, trap, breakpoint, --strict
}  // namespace exit_code

/// The exit code of a run without --check.
int exit_code_of(const Stop& stop);

/// The exit code of a run with --check. A stop that the expectation names is good.
int exit_code_of(const Stop& stop, const Expectation& expectation, const std::vector<Mismatch>& mismatches);

/// The exit code for input that cannot be loaded.
int exit_code_of(const Error& error);

}  // namespace salu::app
