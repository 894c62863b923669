#pragma once

#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include "observe/static_accesses.hpp"

namespace salu::observe {

/// Registers that a program can access in any run from a state, derived from its code by a walk over all instructions
/// that are reachable from the entry.
struct RegisterFlow {
  WaveRegisters writes;  ///< written by some reachable instruction
  WaveRegisters reads;   ///< read by some reachable instruction
  /// Live at the entry: on some path read before any write, or not written until the end.
  WaveRegisters live;
  bool writes_memory = false;
  /// False if an indirect jump, a call, a trap handler or a return may reach any instruction: then the sets are those
  /// of all code, and every register that is read counts as live.
  bool is_exact = true;
};

/// Computes the flow. `live_at_end`: registers whose final values count. `on_vector`: vector instructions that are not
/// executed do not access anything.
RegisterFlow find_register_flow(const Program& program, const WaveState& initial, OnVector on_vector,
                                const WaveRegisters& live_at_end = {});

}  // namespace salu::observe
