#pragma once

#include <salu/integer.hpp>

#include <cstddef>

/// The interface of the row loops is plain data only. A unit that is compiled for a wider processor must not define an
/// inline function that other units could be linked with.
namespace salu::batch {

/// The operands of a row loop: of each a row, one dword a state. Of 64 bits the low half is row 0.
struct Operands {
  const u32* ssrc0[2] = {};
  const u32* ssrc1[2] = {};
  u32* sdst[2] = {};
  u32* exec[2] = {};
  const u32* vcc[2] = {};
  u32* scc = nullptr;         ///< 0 or 1
  const u32* mask = nullptr;  ///< 0 or ~0: whether a state executes this
  u32* leaves = nullptr;      ///< not 0 once a state has to be run on the scalar machine
  u64 uniform_ssrc1 = 0;      ///< in row loops for an SSRC1 that is the same in all states
  u64 next = 0;               ///< byte address of the next instruction
  i32 simm16 = 0;             ///< sign-extended
};

/// Executes one instruction for `count` states. A branch writes ~0 to SDST where it is taken, 0 elsewhere.
using RowLoop = void (*)(const Operands& operands, std::size_t count);

/// Row loops of an instruction, by whether SSRC1 is uniform, whether SCC is written, and whether there is a mask. Null
/// where there is none.
struct RowLoops {
  RowLoop of[2][2][2] = {};
};

/// What the values of a row come to.
struct RowSums {
  u32 least = ~0U;
  u32 greatest = 0;
  u64 sum = 0;
  u64 sum_by_number = 0;  ///< of value * its number in the row, modulo 2^64
};

/// All that is compiled for one kind of processor.
struct RowLoopTable {
  const RowLoops* loops = nullptr;  ///< by `isa::Insn`, scalar memory is not among them
  /// mask = values == value, and where it is set: counts += addend; returns for how many.
  u32 (*select)(const u32* values, u32 value, u32* mask, u32* counts, u32 addend, std::size_t count) = nullptr;
  /// Where the mask is set: values = taken ? first : second; returns the least of all values.
  u32 (*choose)(u32* values, const u32* mask, const u32* taken, u32 first, u32 second, std::size_t count) = nullptr;
  /// Where the mask is set: values += addend.
  void (*add)(u32* values, const u32* mask, u32 addend, std::size_t count) = nullptr;
  /// How many are not 0.
  u32 (*count_set)(const u32* mask, std::size_t count) = nullptr;
  /// values = first & bits, (first + step) & bits, ...
  void (*ramp)(u32* values, u32 first, u32 step, u32 bits, std::size_t count) = nullptr;
  /// Of values & bits.
  RowSums (*sums)(const u32* values, u32 bits, std::size_t count) = nullptr;
  /// The bits in which any value is not the one in the other row.
  u32 (*difference)(const u32* left, const u32* right, std::size_t count) = nullptr;
};

const RowLoopTable& baseline_loops();

}  // namespace salu::batch

// What the units of wider processors call it: their text is in namespaces of their own.
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
