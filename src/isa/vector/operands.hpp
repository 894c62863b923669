#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include "isa/vector/instruction.hpp"

/// Checks of the fields of vector instructions, shared by the decoder and the assembler.
namespace salu::isa::vector {

/// Source codes from this one on are VGPRs.
inline constexpr u16 first_vgpr = 256;
/// The codes of the first source that select SDWA and DPP.
inline constexpr u16 sdwa_code = 249;
inline constexpr u16 dpp_code = 250;

/// True if the VGPRs (or AGPRs) from `first` on exist; from CDNA 2 on, more than one register must begin at an even
/// number.
bool may_be_vgprs(Generation generation, u32 first, u32 dwords);

/// True if memory instructions can load to or store from these VGPRs.
bool may_be_data(Generation generation, const Access& access, u32 first, u32 dwords);

/// True if a source can have this nine-bit code. `may_be_literal`: the form allows a literal.
bool may_be_source(Generation generation, const Operand& operand, u32 code, bool may_be_literal);

/// True if a result can be written to this VGPR, or for a scalar result to the register with this operand code.
bool may_be_destination(Generation generation, const Operand& operand, u32 number);

/// True if a mask can be in the pair of SGPRs with this operand code.
bool may_be_mask(Generation generation, u32 code);

}  // namespace salu::isa::vector
