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

/// How a state's run came out.
enum class Ending : u8 {
  left,         ///< the scalar machine has to run it
  end_program,  ///< S_ENDPGM
  returned,     ///< the function returned
};
inline constexpr std::size_t ending_count = 3;

/// Many states, each array by state.
struct Chunk {
  std::size_t states = 0;
  std::vector<const u32*> inputs;  ///< by input of the plan
  std::vector<u32*> results;       ///< by result of the plan; undefined where a state has left
  u32* steps = nullptr;            ///< executed instructions, likewise; may be null
  Ending* endings = nullptr;
};

/// Runs the states of chunks by a plan, some hundred at a time: all that are in the same block execute it at once.
class Batch {
 public:
  /// The plan has to outlive it.
  Batch(const Plan& plan, const RowLoopTable& loops, const Memory& memory);

  /// Runs every state to its end, or until it leaves: at the latest before its instruction number `max_steps` + 1.
  void run(const Chunk& chunk, u64 max_steps);
  /// How many states of the last chunk came out so.
  [[nodiscard]] std::size_t count(Ending ending) const { return ended_[static_cast<std::size_t>(ending)]; }

  /// From now on the first state that comes to a block leaves: the scalar machine sees all that is executed.
  void sample_new_code() { is_new_.assign(plan_.blocks.size(), true); }

 private:
  /// An operation and what it works on.
  struct Bound {
    RowLoop plain = nullptr;   ///< where all states execute it
    RowLoop masked = nullptr;  ///< where some do
    Operands operands;
    const RowOp* load = nullptr;  ///< instead of a row loop
  };
  struct BoundBlock {
    std::vector<Bound> ops;
    Bound test;
  };

  /// A vector that lies across two lines of the cache takes two accesses.
  static constexpr std::align_val_t row_alignment{64};
  struct FreeRows {
    void operator()(u32* rows) const { ::operator delete[](rows, row_alignment); }
  };

  [[nodiscard]] u32* row(Row number) const { return rows_.get() + std::size_t{number} * stride_; }
  [[nodiscard]] Bound bind(const RowOp& op) const;
  /// The numbers behind those of the blocks: states whose run is over, or that have left.
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
  std::size_t stride_;  ///< dwords from a row to the next
  std::unique_ptr<u32[], FreeRows> rows_;
  std::vector<BoundBlock> blocks_;
  bool may_leave_ = false;    ///< an operation may find states that leave
  std::vector<bool> is_new_;  ///< by block; empty where that does not matter

  // By slot: a place for a state.
  u32* at_;      ///< the block that comes next; not kept while `together_`
  u32* mask_;    ///< ~0 where the block that is executed is a state's; not kept while `together_`
  u32* taken_;   ///< what a branch has come to
  u32* leaves_;  ///< not 0 where the scalar machine has to run a state
  u32* steps_;
  std::vector<u32> state_;  ///< the number of the state in the chunk; not kept while `in_sequence_`, nor are the steps

  const Chunk* chunk_ = nullptr;
  u64 max_steps_ = 0;
  std::size_t next_state_ = 0;                     ///< of the chunk, which has not begun
  std::size_t active_ = 0;                         ///< slots in use
  std::size_t over_ = 0;                           ///< of them, those whose run is over
  std::array<std::size_t, ending_count> ended_{};  ///< by `Ending`: states that were handed out
  std::size_t first_state_ = 0;
  bool in_sequence_ = false;  ///< slots hold the states from `first_state_` on, which have always been together
  bool together_ = false;     ///< all of them are at `block_`
  u32 block_ = 0;
  u32 least_ = 0;      ///< of all that comes next; not kept while `together_`
  u32 uncounted_ = 0;  ///< steps that all have made and `steps_` does not say yet
  u64 spent_ = 0;      ///< instructions of all blocks executed: what any state has made at most
};

}  // namespace salu::batch
