#pragma once

#include <salu/equivalence.hpp>

#include <vector>

#include "equiv/code_map.hpp"
#include "equiv/outputs.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// Finds where the computations of the last runs diverge, from both traces:
///   - for programs of the same shape (the same reachable addresses and generation): the first instruction with another
///   effect;
///   - otherwise, for the first output that differs: the last instruction that wrote it in each program, and before it
///   the first result that the other program never computes;
///   - the first write to memory that differs;
///   - the ends of the runs, if they differ.
std::vector<PartingNote> find_parting(const Side& a, const Side& b, const CodeMap& map_a, const CodeMap& map_b,
                                      const OutputSet& set);

}  // namespace salu::equiv
