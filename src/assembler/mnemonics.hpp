#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.hpp"
#include "isa/vector/decode.hpp"

namespace salu::assembler {

/// The instruction that a mnemonic or an alias denotes on a generation, in any letter case.
std::optional<isa::Insn> find_instruction(Generation generation, std::string_view mnemonic);

/// The meaning of the mnemonic of a vector instruction.
struct VectorMnemonic {
  isa::vector::Insn insn{};
  std::optional<isa::vector::Form> form;  ///< from the suffix `_e32`, `_e64`, `_sdwa` or `_dpp`: the only form allowed
};

/// The vector instruction that a mnemonic denotes on a generation, with or without suffix, in any letter case.
std::optional<VectorMnemonic> find_vector_instruction(Generation generation, std::string_view mnemonic);

/// The forms of an ALU instruction on a generation, the shortest first.
std::vector<isa::vector::Form> forms_of(Generation generation, isa::vector::Insn insn);

/// True if LLVM has a vector, memory or export instruction with this mnemonic on a generation, or a form of one, that
/// salu neither executes nor encodes.
bool is_unsupported_instruction(Generation generation, std::string_view mnemonic);

/// The error message for an unknown mnemonic: an instruction that salu does not support, an instruction of other
/// generations, or a name with suggestions.
std::string explain_unknown_instruction(Generation generation, std::string_view mnemonic);

}  // namespace salu::assembler
