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

/// An instruction that the program can come to, or the place where its code ends.
struct WalkedInstruction {
  enum class Kind : u8 {
    go_on,  ///< at the successors of `node`
    end,    ///< the run is over when it has been executed
    leave,  ///< the scalar machine runs what comes here
  };
  Kind kind = Kind::leave;
  exec::CfgNode node;
  core::MicroOp op;
  core::HandlerInfo handler;
  StopReason reason = StopReason::end_program;  ///< with `Kind::end`; `returned` for the end of a function
  // Of a load: how many dwords, and of which base.
  u8 load_dwords = 0;
  u8 base_dwords = 0;
  std::optional<LaneMove> move{};

  /// True if it always goes on to the next instruction.
  [[nodiscard]] bool is_straight() const { return node.falls_through && !node.target; }
  [[nodiscard]] bool is_load() const { return load_dwords != 0; }
};

/// The instructions of a program that can be reached from the start of a state and executed for many states.
struct CodeWalk {
  /// Nothing where no instruction can be done over rows, or there is too much code. `varied`: registers, by operand
  /// encoding, that are not the same in all states.
  static std::optional<CodeWalk> from(const Program& program, const WaveState& initial, const Memory& memory,
                                      OnVector on_vector, const std::bitset<code::count>& varied);

  std::map<u64, WalkedInstruction> instructions;  ///< by address
  std::bitset<code::count> written;               ///< registers that any of them writes
  core::Wave wave;                                ///< what registers and constants hold at first
  u64 entry = 0;

  explicit CodeWalk(Generation generation) : wave(generation) {}
};

}  // namespace salu::batch
