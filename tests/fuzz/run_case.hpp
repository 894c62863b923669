#pragma once

#include <salu/run.hpp>

#include <string>

#include "fuzz/fuzzing.hpp"

namespace salu::fuzzing {

/// A run, as the target `run` derives it from its input.
struct Case {
  Program program;
  WaveState initial;
  Memory memory;
  RunOptions options;
  u64 split = 0;  ///< the position at which a run is interrupted
};

/// The input: a generation, how to run, a seed for the state and for memory, then code: plain words, or fields for
/// valid instructions.
Case make_case(Bytes& input);

/// The case for messages.
std::string describe(const Case& made);

}  // namespace salu::fuzzing
