#pragma once

#include <salu/equivalence.hpp>

#include <string>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/run_pair.hpp"

namespace salu::equiv {

/// An input on which two programs differ.
struct Finding {
  u64 state = 0;            ///< from 1
  std::string row;          ///< row of `cases:`; empty for other inputs
  std::vector<u64> values;  ///< values of the pair's inputs
  Judgement::Kind kind = Judgement::Kind::outputs_differ;
};

/// Shrinks the input until `shrinking` is over, and describes the behaviour of the programs on it.
Difference explain(RunPair& pair, const OutputSet& set, const Finding& finding, const Deadline& shrinking);

}  // namespace salu::equiv
