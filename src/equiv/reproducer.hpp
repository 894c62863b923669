#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// Options of a reproducer.
struct ReproducerOptions {
  /// The instructions that each program needs, ascending; empty: all its code.
  std::array<std::vector<u64>, 2> addresses;
  u64 patience = 1;                    ///< factor of the step limit in the runs
  std::vector<std::string> comment{};  ///< comment lines for the top, without `#`
};

/// Returns two scenarios, A and B, that start like the last runs of the sides and expect A's results, so that A passes
/// and B fails. They do not depend on other files. An S_ENDPGM replaces the return of a function.
std::string make_reproducer(const Side& a, const Side& b, const OutputSet& set, const ReproducerOptions& options);

/// True if the last run of the side can be a row of `cases_scenario`. False if a function reached the step limit: all
/// rows have the same limit, which includes a step for the S_ENDPGM at the end of a function.
bool can_be_row(const Side& side);
/// Returns a row of a table of cases, with the inputs and results of the last run of the side. `name` must be a single
/// line.
std::string case_row(const Side& side, std::span<const Input> inputs, const OutputSet& set, const std::string& name);
/// Returns a scenario of the side's program with these rows.
std::string cases_scenario(const Side& side, const std::vector<std::string>& rows);

/// Runs a reproducer. Returns why it does not show the difference; empty if it does.
std::string try_reproducer(const std::string& text);

}  // namespace salu::equiv
