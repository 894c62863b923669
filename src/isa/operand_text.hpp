#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <string>

namespace salu::isa {

/// A literal as LLVM writes it: as the inline constant with the same value, if one exists.
std::string literal_text(Generation generation, u32 value, u8 dwords);

/// An operand by its code, 0 to 255: a register, a constant, or the literal.
std::string operand_text(Generation generation, u8 code, u8 dwords, u32 literal);

}  // namespace salu::isa
