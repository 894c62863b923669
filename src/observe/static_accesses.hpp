#pragma once

#include <salu/location.hpp>
#include <salu/program.hpp>
#include <salu/vector_registers.hpp>

#include <bitset>
#include <span>

#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"

/// Register and memory accesses of an instruction, derived from its words alone. If they depend on the state (relative
/// addressing, EXEC, the control stack), every register is included that is accessed in some state.
namespace salu::observe {

/// A set of registers: dwords of the scalar state by `state_index`, vector registers by number (a0 is 256).
struct WaveRegisters {
  std::bitset<state_index::scalar_count> scalars;
  std::bitset<VectorRegisters::count> vectors;

  WaveRegisters& operator|=(const WaveRegisters& other) {
    scalars |= other.scalars;
    vectors |= other.vectors;
    return *this;
  }
  /// Removes the registers of another set.
  WaveRegisters& remove(const WaveRegisters& other) {
    scalars &= ~other.scalars;
    vectors &= ~other.vectors;
    return *this;
  }
  friend bool operator==(const WaveRegisters&, const WaveRegisters&) = default;
};

/// The accesses of one instruction.
struct StaticAccesses {
  WaveRegisters reads;   ///< may be read
  WaveRegisters writes;  ///< may be written
  /// Completely written whenever the instruction executes; for vector registers, if all 64 lanes are active.
  WaveRegisters always;
  bool reads_memory = false;
  bool writes_memory = false;
};

/// The part of a state that static accesses depend on.
struct StaticContext {
  Generation generation{};
  u32 sgprs = 0;  ///< allocated to the wave
  u32 vgprs = VectorRegisters::vgprs;
  u32 agprs = VectorRegisters::vgprs;
  bool moves_vectors = true;  ///< some instruction may set MODE.GPR_IDX_EN, so that M0 moves vector operands
  bool skips_vectors = true;  ///< some instruction may set MODE.VSKIP, so that vector instructions may not execute
};

/// The accesses of a scalar instruction. An instruction with an illegal operand stops the run and accesses nothing.
StaticAccesses static_accesses(const StaticContext& context, const isa::Instruction& instruction);

/// The accesses of a vector instruction as the wave executes it (`core::allocate`).
StaticAccesses static_accesses(const StaticContext& context, const isa::vector::Instruction& instruction);

/// The accesses of an instruction whose effects a scenario assumes.
StaticAccesses static_accesses(const Assumption& assumption);

}  // namespace salu::observe
