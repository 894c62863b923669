#pragma once

#include <salu/target.hpp>

#include <string>

#include "isa/vector/decode.hpp"

namespace salu::isa::vector {

/// The text of an instruction as LLVM writes it.
std::string disassemble(Generation generation, const Instruction& instruction);

}  // namespace salu::isa::vector
