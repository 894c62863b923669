#pragma once

#include <salu/memory.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <bitset>
#include <map>
#include <optional>

#include "batch/lane_moves.hpp"
#include "batch/role.hpp"
#include "core/code_cache.hpp"
#include "core/wave.hpp"
#include "exec/cfg.hpp"

namespace salu::batch {

/// A reachable instruction, or the address at which the code ends.
struct WalkedInstruction {
  enum class Kind : u8 {
    go_on,  ///< continues at the successors of `node`
    end,    ///< the run ends after this instruction
    leave,  ///< states that reach this instruction continue on the scalar machine
  };
  Kind kind = Kind::leave;
  exec::CfgNode node;
  core::MicroOp op;
  core::HandlerInfo handler;
  StopReason reason = StopReason::end_program;  ///< for `Kind::end`; `returned` at the end of a function
  // For a load: the number of dwords, and the dwords of the base.
  u8 load_dwords = 0;
  u8 base_dwords = 0;
  std::optional<LaneMove> move{};

  /// True if the next instruction is the only successor.
  [[nodiscard]] bool is_straight() const { return node.falls_through && !node.target; }
  [[nodiscard]] bool is_load() const { return load_dwords != 0; }
};

/// The instructions of a program that are reachable from its entry, with information for executing them for many states
/// at once.
struct CodeWalk {
  /// Returns nothing if the program cannot run over rows, or is too long. `varied`: registers, by operand encoding,
  /// that differ between states.
  static std::optional<CodeWalk> from(const Program& program, const WaveState& initial, const Memory& memory,
                                      OnVector on_vector, const std::bitset<code::count>& varied);

  std::map<u64, WalkedInstruction> instructions;  ///< by address
  std::bitset<code::count> written;               ///< registers that any instruction writes
  core::Wave wave;                                ///< the initial registers and constants
  u64 entry = 0;

  explicit CodeWalk(Generation generation) : wave(generation) {}
};

}  // namespace salu::batch
