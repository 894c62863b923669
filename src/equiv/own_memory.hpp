#pragma once

#include <optional>
#include <string_view>

#include "equiv/deadline.hpp"
#include "equiv/outputs.hpp"
#include "equiv/run_pair.hpp"

namespace salu::equiv {

/// The reason for skipping a pair of runs that accesses the code or data of A or B through an input.
inline constexpr std::string_view own_memory_is_input =
    "an address that depends on inputs is in the code or the data of A or B";

/// Compares the results of the last runs of both programs, as `judge` does. Two programs have different code and data
/// at an address, so a difference does not count if one of them accesses such memory at an address that depends on the
/// inputs; this is not determined if several waves run. Returns nothing if time ran out before this was determined.
std::optional<Judgement> judge_runs(const RunPair& pair, const OutputSet& set, const Deadline& deadline);

/// True if several waves run, and the last run of one of the programs accesses the code or the data of A or B: then
/// `judge_runs` does not determine whether the address depends on the inputs.
bool may_depend_on_own_memory(const RunPair& pair);

}  // namespace salu::equiv
