#pragma once

#include <salu/memory.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "batch/plan.hpp"
#include "batch/row_loop.hpp"
#include "core/memory_port.hpp"

namespace salu::batch {

/// The outcome of a state's run.
enum class Ending : u8 {
  left,         ///< must be run on the scalar machine
  end_program,  ///< S_ENDPGM
  returned,     ///< the function returned
};
inline constexpr std::size_t ending_count = 3;

/// Many states; each array has one element per state.
struct Chunk {
  std::size_t states = 0;
  std::vector<const u32*> inputs;  ///< by input of the plan
  std::vector<u32*> results;       ///< by result of the plan; undefined for states that have left
  u32* steps = nullptr;            ///< executed instructions; undefined for states that have left; may be null
  Ending* endings = nullptr;
};

/// Runs the states of a chunk by a plan, some hundred at a time: all states in the same block execute it together.
class Batch {
 public:
  /// The plan must outlive the batch.
  Batch(const Plan& plan, const RowLoopTable& loops, const Memory& memory);

  /// Runs every state until it ends or leaves, at the latest before its instruction number `max_steps` + 1.
  void run(const Chunk& chunk, u64 max_steps);
  /// The number of states of the last chunk with this outcome.
  [[nodiscard]] std::size_t count(Ending ending) const { return ended_[static_cast<std::size_t>(ending)]; }

  /// From now on the first state that reaches a block leaves, so that the scalar machine sees all executed code.
  void sample_new_code() { is_new_.assign(plan_.blocks.size(), true); }

 private:
  /// An operation with its operands.
  struct Bound {
    RowLoop plain = nullptr;   ///< if all states execute it
    RowLoop masked = nullptr;  ///< if some states execute it
    Operands operands;
    const RowOp* load = nullptr;  ///< used instead of a row loop
  };
  struct BoundBlock {
    std::vector<Bound> ops;
    Bound test;
  };

  /// A vector that crosses a cache line takes two accesses.
  static constexpr std::align_val_t row_alignment{64};
  struct FreeRows {
    void operator()(u32* rows) const { ::operator delete[](rows, row_alignment); }
  };

  [[nodiscard]] u32* row(Row number) const { return rows_.get() + std::size_t{number} * stride_; }
  [[nodiscard]] Bound bind(const RowOp& op) const;
  /// The block numbers after the last block: states whose run is over, or that have left.
  [[nodiscard]] u32 number_of(Ending ending) const {
    return static_cast<u32>(plan_.blocks.size()) + static_cast<u32>(ending);
  }
  [[nodiscard]] bool is_over(std::size_t slot) const { return at_[slot] >= plan_.blocks.size(); }

  void run_all();
  void begin_next();
  void begin(std::size_t slot);
  void deliver(std::size_t slot);
  void deliver_together(Ending ending);
  void refill();
  void shrink();

  void execute(u32 number);
  void load(const RowOp& op);
  bool read(u64 address, std::span<u32> values);
  void count(u32 instructions);
  void spread();
  void leave_marked();
  void leave_at_limit(u32 instructions);
  void leave_one();
  void go_to(u32 number);
  void end(Ending ending);
  void branch(u32 number);

  const Plan& plan_;
  const RowLoopTable& loops_;
  core::MemoryPort port_;
  std::size_t width_;   ///< states at once
  std::size_t stride_;  ///< dwords from one row to the next
  std::unique_ptr<u32[], FreeRows> rows_;
  std::vector<BoundBlock> blocks_;
  bool may_leave_ = false;    ///< an operation may mark states that leave
  std::vector<bool> is_new_;  ///< by block; empty if not needed

  // By slot.
  u32* at_;      ///< the next block; not valid while `together_`
  u32* mask_;    ///< ~0 for states at the current block; not valid while `together_`
  u32* taken_;   ///< the result of a branch
  u32* leaves_;  ///< nonzero if the scalar machine must run the state
  u32* steps_;
  std::vector<u32> state_;  ///< number of the state in the chunk; not valid while `in_sequence_`, nor are the steps

  const Chunk* chunk_ = nullptr;
  u64 max_steps_ = 0;
  std::size_t next_state_ = 0;                     ///< of the chunk; not begun yet
  std::size_t active_ = 0;                         ///< slots in use
  std::size_t over_ = 0;                           ///< slots in use whose run is over
  std::array<std::size_t, ending_count> ended_{};  ///< by `Ending`: states whose results are stored
  std::size_t first_state_ = 0;
  bool in_sequence_ = false;  ///< slots contain the states from `first_state_` on, which have always been together
  bool together_ = false;     ///< all slots are at `block_`
  u32 block_ = 0;
  u32 least_ = 0;      ///< smallest number of the next blocks; not valid while `together_`
  u32 uncounted_ = 0;  ///< steps of all states that are not in `steps_` yet
  u64 spent_ = 0;      ///< instructions of all executed blocks: an upper limit for the steps of a state
};

}  // namespace salu::batch
