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

/// A dword of the scalar state while blocks are gone through, or half of a constant.
struct alignas(16) Cell {
  u32 value = 0;
  u32 undefined = 0;    ///< bits
  OriginId origin = 0;  ///< 0 where all is defined
};

/// The scalar state in cells, each taken from the machine and its shadow when a block first reads it.
class ShadowCells {
 public:
  [[nodiscard]] Cell* at(u32 index) { return &cells_[index]; }

 private:
  std::array<Cell, state_index::scalar_count> cells_{};
};

/// Plain scalar instructions one behind the other, up to a branch, with their operands found: the semantic functions
/// over words with undefined bits make values and masks of them without a step of the machine in between.
class ShadowBlock {
 public:
  struct Op;
  /// What a pass has at hand for an instruction.
  struct Frame {
    Exploration& exploration;
    State& state;
    u64 first_step = 0;    ///< of the block's first instruction, counted from 1
    u64 next = 0;          ///< where the program goes on behind the block
    bool is_known = true;  ///< whether that does not depend on what is undefined
    OriginId seen = 0;     ///< all origins of undefined operands, one or the other: 0 where there were none
  };
  using Handler = void (*)(Frame& frame, Op& op);
  struct Op {
    Handler handler = nullptr;
    std::array<const Cell*, 2> sources{};
    Cell* destination = nullptr;
    Cell* scc = nullptr;
    Cell* exec = nullptr;
    u64 pc = 0;
    u64 next = 0;    ///< behind it
    u32 number = 0;  ///< in the block, counted from 0
    i16 simm16 = 0;
    u64 target = 0;  ///< of a branch
    // What it made last of which origin.
    OriginId from = 0;
    OriginId made = 0;
  };

  /// Adds the instruction behind those that are there; false where it can be no part of a block.
  bool add(ShadowCells& cells, const core::Machine& machine, u64 pc, const KnownInstruction& known);
  /// Whether the last instruction ends it.
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] u32 steps() const { return static_cast<u32>(ops_.size()); }

 private:
  friend class ShadowPass;
  /// Where a source is; null where it is to be found anew each time.
  const Cell* find_source(ShadowCells& cells, const isa::OperandSpec& operand, const isa::Instruction& instruction,
                          const ShadowPlan& plan);

  std::vector<Op> ops_;
  std::deque<std::array<Cell, 2>> constants_;  // A deque: they are pointed to.
  ScalarSet reads_;                            ///< before they are written
  ScalarSet writes_;
  bool branches_ = false;
};

/// Goes through blocks, one behind the other, and then has the machine execute the same instructions.
class ShadowPass {
 public:
  ShadowPass(State& state, core::Machine& machine, ShadowCells& cells)
      : machine_(machine), cells_(cells), frame_{exploration_, state} {
    exploration_.go_straight();
  }

  /// Goes through a block. False where it came to an instruction of which something is to be said, or where nothing was
  /// undefined, so that there is no more to do here.
  bool go_through(ShadowBlock& block);
  [[nodiscard]] u64 steps() const { return steps_; }
  /// Where the program goes on.
  [[nodiscard]] u64 pc() const { return frame_.next; }
  /// The machine executes them, and the shadow becomes what they make of it.
  void end();

 private:
  void take(const ScalarSet& indices);

  core::Machine& machine_;
  ShadowCells& cells_;
  Exploration exploration_;
  ShadowBlock::Frame frame_;
  ScalarSet present_;  ///< what is in cells
  ScalarSet written_;
  u64 steps_ = 0;
};

}  // namespace salu::observe::undefined
