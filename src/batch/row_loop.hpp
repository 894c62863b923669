#pragma once

#include <salu/integer.hpp>

#include <cstddef>

/// The interface of the row loops is plain data. A unit that is compiled for a wider processor must not define inline
/// functions, because the linker could choose them for other units.
namespace salu::batch {

/// The operands of a row loop: a row each, with one dword per state. For 64 bits, row 0 is the low half.
struct Operands {
  const u32* ssrc0[2] = {};
  const u32* ssrc1[2] = {};
  u32* sdst[2] = {};
  u32* exec[2] = {};
  const u32* vcc[2] = {};
  u32* scc = nullptr;         ///< 0 or 1
  const u32* mask = nullptr;  ///< 0 or ~0: nonzero for states that execute this instruction
  u32* leaves = nullptr;      ///< nonzero once a state must be run on the scalar machine
  u64 uniform_ssrc1 = 0;      ///< in row loops for an SSRC1 that is the same in all states
  u64 next = 0;               ///< byte address of the next instruction
  i32 simm16 = 0;             ///< sign-extended
};

/// Executes one instruction for `count` states. A branch writes ~0 to SDST if it is taken, otherwise 0.
using RowLoop = void (*)(const Operands& operands, std::size_t count);

/// Row loops of an instruction, by whether SSRC1 is uniform, whether SCC is written, and whether there is a mask. Null
/// for combinations that do not exist.
struct RowLoops {
  RowLoop of[2][2][2] = {};
};

/// Sums over the values of a row.
struct RowSums {
  u32 least = ~0U;
  u32 greatest = 0;
  u64 sum = 0;
  u64 sum_by_number = 0;  ///< of value * its number in the row, modulo 2^64
};

/// All row loops for one kind of processor.
struct RowLoopTable {
  const RowLoops* loops = nullptr;  ///< by `isa::Insn`, without scalar memory
  /// mask = values == value; counts += addend for set masks; returns their number.
  u32 (*select)(const u32* values, u32 value, u32* mask, u32* counts, u32 addend, std::size_t count) = nullptr;
  /// For set masks: values = taken ? first : second; returns the least of all values.
  u32 (*choose)(u32* values, const u32* mask, const u32* taken, u32 first, u32 second, std::size_t count) = nullptr;
  /// For set masks: values += addend.
  void (*add)(u32* values, const u32* mask, u32 addend, std::size_t count) = nullptr;
  /// The number of nonzero dwords.
  u32 (*count_set)(const u32* mask, std::size_t count) = nullptr;
  /// values = first & bits, (first + step) & bits, ...
  void (*ramp)(u32* values, u32 first, u32 step, u32 bits, std::size_t count) = nullptr;
  /// Sums of values & bits.
  RowSums (*sums)(const u32* values, u32 bits, std::size_t count) = nullptr;
  /// The bits in which any pair of values of the two rows differs.
  u32 (*difference)(const u32* left, const u32* right, std::size_t count) = nullptr;
};

const RowLoopTable& baseline_loops();

}  // namespace salu::batch

// The name of the table in units for wider processors, in a separate namespace.
#define SALU_BATCH_WIDE(name)       \
  namespace name {                  \
  using namespace salu;             \
  namespace batch {                 \
  using namespace salu::batch;      \
  const RowLoopTable& wide_loops(); \
  }                                 \
  }
SALU_BATCH_WIDE(salu_avx2)
SALU_BATCH_WIDE(salu_avx512)
#undef SALU_BATCH_WIDE
