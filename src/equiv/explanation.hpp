#pragma once

#include <salu/equivalence.hpp>

#include <string>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/run_pair.hpp"

namespace salu::equiv {

/// An input on which two programs were found to differ.
struct Finding {
  u64 state = 0;            ///< from 1
  std::string row;          ///< of `cases:`; empty for others
  std::vector<u64> values;  ///< of the pair's inputs
  Judgement::Kind kind = Judgement::Kind::outputs_differ;
};

/// Makes the finding as simple as it gets until `shrinking` is over, and says what the programs do there.
Difference explain(RunPair& pair, const OutputSet& set, const Finding& finding, const Deadline& shrinking);

}  // namespace salu::equiv
