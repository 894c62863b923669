#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "isa/instruction.hpp"

namespace salu::assembler {

/// The instruction of a generation that a mnemonic or one of its aliases stands for, in any letter case.
std::optional<isa::Insn> find_instruction(Generation generation, std::string_view mnemonic);

/// Why `find_instruction` found nothing: a vector instruction, one of other generations, or a name with near ones.
std::string explain_unknown_instruction(Generation generation, std::string_view mnemonic);

}  // namespace salu::assembler
