#pragma once

#include <optional>
#include <string_view>

#include "equiv/deadline.hpp"
#include "equiv/outputs.hpp"
#include "equiv/run_pair.hpp"

namespace salu::equiv {

/// The reason for leaving out a pair of runs that accesses the code or data of A or B through an input.
inline constexpr std::string_view own_memory_is_input =
    "an address that the inputs decide is in the code or the data of A or B";

/// Compares what the last runs of both programs left, as `judge` does. Two programs have different code and data at an
/// address, so a difference does not count where one of them accesses such memory at an address that the inputs decide.
/// Nothing when time ran out before it was known whether there is such an access.
std::optional<Judgement> judge_runs(const RunPair& pair, const OutputSet& set, const Deadline& deadline);

}  // namespace salu::equiv
