#pragma once

#include <salu/integer.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "core/machine.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/shadow_plan.hpp"
#include "observe/undefined/tracker.hpp"

namespace salu::observe::undefined {

/// A dword of the scalar state during the processing of blocks, or half of a constant.
struct alignas(16) Cell {
  u32 value = 0;
  u32 undefined = 0;    ///< undefined bits
  OriginId origin = 0;  ///< 0 if all bits are defined
};

/// The scalar state in cells, each loaded from the machine and its shadow when a block first reads it.
class ShadowCells {
 public:
  [[nodiscard]] Cell* at(u32 index) { return &cells_[index]; }

 private:
  std::array<Cell, state_index::scalar_count> cells_{};
};

/// Consecutive plain scalar instructions, up to a branch, with resolved operands. Their semantic functions over words
/// with undefined bits compute values and masks; the machine does not execute them one by one.
class ShadowBlock {
 public:
  struct Op;
  /// The state of a pass that instructions need.
  struct Frame {
    Exploration& exploration;
    State& state;
    u64 first_step = 0;    ///< step of the block's first instruction, counted from 1
    u64 next = 0;          ///< the address after the block
    bool is_known = true;  ///< `next` does not depend on undefined bits
    OriginId seen = 0;     ///< an origin of the undefined operands; 0 if all operands were defined
  };
  using Handler = void (*)(Frame& frame, Op& op);
  struct Op {
    Handler handler = nullptr;
    std::array<const Cell*, 2> sources{};
    Cell* destination = nullptr;
    Cell* scc = nullptr;
    Cell* exec = nullptr;
    u64 pc = 0;
    u64 next = 0;    ///< address of the next instruction
    u32 number = 0;  ///< index in the block
    i16 simm16 = 0;
    u64 target = 0;  ///< branch target
    // The last derived origin and its source.
    OriginId from = 0;
    OriginId made = 0;
  };

  /// Appends the instruction; false if it cannot be part of a block.
  bool add(ShadowCells& cells, const core::Machine& machine, u64 pc, const KnownInstruction& known);
  /// True if the last instruction ends the block.
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] u32 steps() const { return static_cast<u32>(ops_.size()); }

 private:
  friend class ShadowPass;
  /// The cell of a source; null if it must be resolved each time.
  const Cell* find_source(ShadowCells& cells, const isa::OperandSpec& operand, const isa::Instruction& instruction,
                          const ShadowPlan& plan);

  std::vector<Op> ops_;
  std::deque<std::array<Cell, 2>> constants_;  // a deque, because there are pointers to its elements
  ScalarSet reads_;                            ///< registers that the block reads before it writes them
  ScalarSet writes_;
  bool branches_ = false;
};

/// Processes consecutive blocks, and then makes the machine execute the same instructions.
class ShadowPass {
 public:
  ShadowPass(State& state, core::Machine& machine, ShadowCells& cells)
      : machine_(machine), cells_(cells), frame_{exploration_, state} {
    exploration_.go_straight();
  }

  /// Processes a block. Returns false if the pass should end: before a branch that depends on undefined bits, or
  /// because all operands were defined.
  bool go_through(ShadowBlock& block);
  [[nodiscard]] u64 steps() const { return steps_; }
  /// The address of the next instruction.
  [[nodiscard]] u64 pc() const { return frame_.next; }
  /// Makes the machine execute the instructions, and updates the shadow.
  void end();

 private:
  void take(const ScalarSet& indices);

  core::Machine& machine_;
  ShadowCells& cells_;
  Exploration exploration_;
  ShadowBlock::Frame frame_;
  ScalarSet present_;  ///< cells that are loaded
  ScalarSet written_;
  u64 steps_ = 0;
};

}  // namespace salu::observe::undefined
