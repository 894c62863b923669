#pragma once

#include <salu/vector_registers.hpp>

#include <cstddef>

#include "core/wave.hpp"
#include "isa/vector/decode.hpp"

namespace salu::core {

/// Marks a register that does not exist: v0 is read, and nothing is written.
inline constexpr u32 no_register = VectorRegisters::count;

/// The vector register in a source field, or the first of a pair; `no_register` beyond the allocation.
u32 named_source(const Wave& wave, const isa::vector::Instruction& instruction, std::size_t source, u32 dwords);

/// The source register after S_SET_GPR_IDX_ON has moved it.
u32 source_register(const Wave& wave, const isa::vector::Instruction& instruction, std::size_t source, u32 dwords);

/// The destination register after S_SET_GPR_IDX_ON has moved it.
u32 destination_register(const Wave& wave, const isa::vector::Instruction& instruction, u32 dwords);

}  // namespace salu::core
