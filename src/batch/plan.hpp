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

/// One program over many states: its instructions as operations on rows, one dword a state in each. What a plan has no
/// answer for (a warning, a fault, a store, a jump to nobody knows where) is left to the scalar machine, from the start
/// of the run: there is no second truth.
namespace salu::batch {

/// The number of a row in a batch.
using Row = u16;
inline constexpr Row no_row = 0xffff;

/// What a load reads. `base`: 2 dwords of an address, or 4 of a buffer descriptor, as `base_dwords` says.
inline isa::semantics::Extent extent_of_load(const std::array<u32, 4>& base, std::size_t base_dwords, i32 offset_bytes,
                                             u32 offset_register, u32 dwords) {
  const u64 offset = static_cast<u64>(i64{offset_bytes}) + isa::semantics::dword_aligned(offset_register);
  if (base_dwords == 4) return isa::semantics::extent(isa::semantics::buffer(base), offset, dwords);
  return isa::semantics::extent(base[0] | u64{base[1]} << 32, offset, dwords);
}

/// One instruction over rows.
struct RowOp {
  enum class Kind : u8 {
    row_loop,  ///< its semantic function, state by state
    load,      ///< of memory that no state changes
  };
  Kind kind = Kind::row_loop;
  isa::Insn insn{};
  bool has_uniform_ssrc1 = false;
  bool writes_scc = false;
  bool is_masked = true;   ///< states that are elsewhere may still read what it writes
  bool may_leave = false;  ///< it finds states that the scalar machine has to run
  std::array<Row, 2> sdst{no_row, no_row};
  std::array<Row, 2> ssrc0{no_row, no_row};
  std::array<Row, 2> ssrc1{no_row, no_row};
  i32 simm16 = 0;
  u64 uniform_ssrc1 = 0;
  u64 next = 0;  ///< byte address of the next instruction
  // Of a load.
  std::vector<Row> base{};  ///< 2 dwords of an address, or 4 of a buffer descriptor; SSRC1 is the offset
  std::vector<Row> loaded{};
  i32 offset_bytes = 0;
};

/// Instructions that are executed one after the other, and where they lead.
struct RowBlock {
  enum class Exit : u8 {
    jump,    ///< to `next`
    branch,  ///< to `taken` where `test` says so, else to `next`
    end,     ///< the run is over
    leave,   ///< the scalar machine runs the state
  };
  std::vector<RowOp> ops;
  u32 instructions = 0;  ///< in it, those that need no operation included
  Exit exit = Exit::leave;
  RowOp test;
  u32 taken = 0;
  u32 next = 0;
  StopReason reason = StopReason::end_program;
  bool may_leave = false;  ///< one of its operations may

  /// Calls `visit(block)` for the blocks that a state may go on with.
  template <class Visit>
  void for_each_successor(const Visit& visit) const {
    if (exit == Exit::jump || exit == Exit::branch) visit(next);
    if (exit == Exit::branch) visit(taken);
  }
};

/// A dword of the states that is not the same in all of them.
struct VariedDword {
  enum class Kind : u8 { file, scc, memory, lane };
  Kind kind = Kind::file;
  u64 place = 0;  ///< operand encoding, address, or the `state_index` of a lane, which only results can be
};

/// A program as operations on rows.
struct Plan {
  /// All of these have to be as they are for the runs. `results`: the dwords of the state that are asked for
  /// afterwards. Nothing where too little of the program can be done this way.
  static std::optional<Plan> make(const Program& program, const WaveState& initial, const Memory& memory,
                                  OnVector on_vector, const std::vector<VariedDword>& inputs,
                                  const std::vector<VariedDword>& results);

  /// In an order in which those where ways meet again come after the ways.
  std::vector<RowBlock> blocks;
  u32 entry = 0;  ///< the block in which a run begins
  u32 rows = 0;
  struct Value {
    Row row = 0;
    u32 value = 0;
  };
  std::vector<Value> constants;  ///< rows that stay as they are
  std::vector<Value> initial;    ///< rows that every state starts with
  std::vector<Row> inputs;       ///< by input
  std::vector<Row> results;      ///< by result
  Row scc = 0;
  std::array<Row, 2> exec{};
  std::array<Row, 2> vcc{};
  u64 address_mask = 0;
  std::vector<u64> varied_memory;  ///< addresses that loads may not read this way, ascending
};

}  // namespace salu::batch
