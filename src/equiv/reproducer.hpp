#pragma once

#include <string>

#include "equiv/outputs.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// Two scenarios, A then B, that start as the last runs of the sides did and expect what A's left: A holds, B does not.
/// Nothing in them depends on another file. Where a function would have returned stands an S_ENDPGM. `patience`: how
/// many times the step limit the runs had. `comment`: lines for the top, without `#`.
std::string make_reproducer(const Side& a, const Side& b, const OutputSet& set, u64 patience,
                            const std::vector<std::string>& comment);

/// Why a reproducer does not do what it is for; empty when it does.
std::string try_reproducer(const std::string& text);

}  // namespace salu::equiv
