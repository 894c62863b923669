#pragma once

#include <salu/equivalence.hpp>

#include <vector>

#include "equiv/code_map.hpp"
#include "equiv/outputs.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// Where the computations of the last run of each side part, from a look at both traces:
///   - two programs of the same shape (the same reachable addresses, one generation) run side by side: the first
///     instruction that does something else;
///   - else, for the first output that differs: the instruction that wrote it last in each, and on the way there the
///     first result of each that the other never computes;
///   - the first write to memory that differs;
///   - how they ended, where that differs.
std::vector<PartingNote> find_parting(const Side& a, const Side& b, const CodeMap& map_a, const CodeMap& map_b,
                                      const OutputSet& set);

}  // namespace salu::equiv
