#pragma once

#include <array>
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

/// Why a reproducer does not do what it is for; empty when it does.
std::string try_reproducer(const std::string& text);

}  // namespace salu::equiv
