#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// How a reproducer is written.
struct ReproducerOptions {
  /// Of each program: the instructions that it needs, ascending; empty: all of its code.
  std::array<std::vector<u64>, 2> addresses;
  u64 patience = 1;                    ///< how many times the step limit the runs had
  std::vector<std::string> comment{};  ///< lines for the top, without `#`
};

/// Two scenarios, A then B, that start as the last runs of the sides did and expect what A's left: A holds, B does not.
/// Nothing in them depends on another file. Where a function would have returned stands an S_ENDPGM.
std::string make_reproducer(const Side& a, const Side& b, const OutputSet& set, const ReproducerOptions& options);

/// Whether the last run of the side can be a row of `cases_scenario`: not where the limit of steps has ended what might
/// have returned, as all rows have one limit, with a step for the S_ENDPGM that stands in for the end of a function.
bool can_be_row(const Side& side);
/// A row of a table of cases: what the last run of the side started from in its inputs, and what it left. `name`: of
/// one line.
std::string case_row(const Side& side, std::span<const Input> inputs, const OutputSet& set, const std::string& name);
/// A scenario of the side's program with these rows.
std::string cases_scenario(const Side& side, const std::vector<std::string>& rows);

/// Why a reproducer does not do what it is for; empty when it does.
std::string try_reproducer(const std::string& text);

}  // namespace salu::equiv
