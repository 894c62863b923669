#pragma once

#include <salu/vector_registers.hpp>

#include <cstddef>

#include "core/wave.hpp"
#include "isa/vector/decode.hpp"

namespace salu::core {

/// The number of a register that there is not: v0 is read, and nothing written.
inline constexpr u32 no_register = VectorRegisters::count;

/// The vector register that a source names, or the first of two: `no_register` beyond the allocation.
u32 named_source(const Wave& wave, const isa::vector::Instruction& instruction, std::size_t source, u32 dwords);

/// The same where S_SET_GPR_IDX_ON moves it.
u32 source_register(const Wave& wave, const isa::vector::Instruction& instruction, std::size_t source, u32 dwords);

/// The same of the destination.
u32 destination_register(const Wave& wave, const isa::vector::Instruction& instruction, u32 dwords);

}  // namespace salu::core
