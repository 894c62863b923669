#pragma once

#include <salu/memory.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/micro_op.hpp"
#include "isa/instruction.hpp"
#include "isa/semantics/scalar_memory.hpp"

/// One program over many states: its instructions as operations on rows, each with one dword per state. Whatever a plan
/// does not support (a warning, a fault, a store, a jump to an unknown address) is left to the scalar machine, which
/// repeats the run from its start, so that there is only one implementation of these cases.
namespace salu::batch {

/// The number of a row in a batch.
using Row = u16;
inline constexpr Row no_row = 0xffff;

/// The memory that a load reads. `base`: 2 dwords of an address, or 4 of a buffer descriptor (`base_dwords`).
inline isa::semantics::Extent extent_of_load(const std::array<u32, 4>& base, std::size_t base_dwords, i32 offset_bytes,
                                             u32 offset_register, u32 dwords) {
  const u64 offset = static_cast<u64>(i64{offset_bytes}) + isa::semantics::dword_aligned(offset_register);
  if (base_dwords == 4) return isa::semantics::extent(isa::semantics::buffer(base), offset, dwords);
  return isa::semantics::extent(base[0] | u64{base[1]} << 32, offset, dwords);
}

/// One instruction over rows.
struct RowOp {
  enum class Kind : u8 {
    row_loop,  ///< calls its semantic function for each state
    load,      ///< reads memory that no state changes
  };
  Kind kind = Kind::row_loop;
  isa::Insn insn{};
  bool has_uniform_ssrc1 = false;
  bool writes_scc = false;
  bool is_masked = true;   ///< its destination may be live in states at other blocks
  bool may_leave = false;  ///< it may mark states for the scalar machine
  std::array<Row, 2> sdst{no_row, no_row};
  std::array<Row, 2> ssrc0{no_row, no_row};
  std::array<Row, 2> ssrc1{no_row, no_row};
  i32 simm16 = 0;
  u64 uniform_ssrc1 = 0;
  u64 next = 0;  ///< byte address of the next instruction
  // For loads.
  std::vector<Row> base{};  ///< 2 dwords of an address, or 4 of a buffer descriptor; SSRC1 is the offset
  std::vector<Row> loaded{};
  i32 offset_bytes = 0;
};

/// Instructions that are executed in sequence, and their successors.
struct RowBlock {
  enum class Exit : u8 {
    jump,    ///< to `next`
    branch,  ///< to `taken` if `test` is set, otherwise to `next`
    end,     ///< the run is over
    leave,   ///< the scalar machine must run the state
  };
  std::vector<RowOp> ops;
  u32 instructions = 0;  ///< number of instructions, including those without an operation
  Exit exit = Exit::leave;
  RowOp test;
  u32 taken = 0;
  u32 next = 0;
  StopReason reason = StopReason::end_program;
  bool may_leave = false;  ///< one of its operations may mark states that leave

  /// Calls `visit(block)` for the blocks that a state may go on with.
  template <class Visit>
  void for_each_successor(const Visit& visit) const {
    if (exit == Exit::jump || exit == Exit::branch) visit(next);
    if (exit == Exit::branch) visit(taken);
  }
};

/// A dword of the state that can differ between states.
struct VariedDword {
  enum class Kind : u8 { file, scc, memory, lane };
  Kind kind = Kind::file;
  u64 place = 0;  ///< operand code, address, or the `state_index` of a lane (results only)
};

/// A program as operations on rows.
struct Plan {
  /// The arguments must stay unchanged during the runs. `results`: the dwords of the state that are needed afterwards.
  /// Returns nothing if too little of the program is supported.
  static std::optional<Plan> make(const Program& program, const WaveState& initial, const Memory& memory,
                                  OnVector on_vector, const std::vector<VariedDword>& inputs,
                                  const std::vector<VariedDword>& results);

  /// Ordered such that a block where paths join comes after these paths.
  std::vector<RowBlock> blocks;
  u32 entry = 0;  ///< the block in which a run begins
  u32 rows = 0;
  struct Value {
    Row row = 0;
    u32 value = 0;
  };
  std::vector<Value> constants;  ///< rows that never change
  std::vector<Value> initial;    ///< initial values of rows
  std::vector<Row> inputs;       ///< by input
  std::vector<Row> results;      ///< by result
  Row scc = 0;
  std::array<Row, 2> exec{};
  std::array<Row, 2> vcc{};
  u64 address_mask = 0;
  std::vector<u64> varied_memory;  ///< addresses that loads of the plan must not read, ascending
};

}  // namespace salu::batch
