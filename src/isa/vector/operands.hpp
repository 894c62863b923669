#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include "isa/vector/instruction.hpp"

/// What a field of a vector instruction may hold: asked by the decoder and by the assembler.
namespace salu::isa::vector {

/// Codes of sources from this one on are VGPRs.
inline constexpr u16 first_vgpr = 256;

/// Whether there are VGPRs (or AGPRs) from `first` on, and, from CDNA 2 on, more than one begin at an even number.
bool may_be_vgprs(Generation generation, u32 first, u32 dwords);

/// Whether memory instructions may load to these VGPRs or store them.
bool may_be_data(Generation generation, const Access& access, u32 first, u32 dwords);

/// Whether a source may have this code of nine bits. `may_be_literal`: the form has room for one.
bool may_be_source(Generation generation, const Operand& operand, u32 code, bool may_be_literal);

/// Whether a result may go to this VGPR, or for a scalar result to the register with this operand code.
bool may_be_destination(Generation generation, const Operand& operand, u32 number);

/// Whether a mask may be in the pair of SGPRs with this operand code.
bool may_be_mask(Generation generation, u32 code);

}  // namespace salu::isa::vector
