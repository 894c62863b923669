#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.hpp"
#include "isa/vector/decode.hpp"

namespace salu::assembler {

/// The instruction of a generation that a mnemonic or one of its aliases stands for, in any letter case.
std::optional<isa::Insn> find_instruction(Generation generation, std::string_view mnemonic);

/// What the mnemonic of a vector instruction says.
struct VectorMnemonic {
  isa::vector::Insn insn{};
  std::optional<isa::vector::Form> form;  ///< with `_e32`, `_e64` or `_sdwa`: the only one that is meant
};

/// The vector instruction of a generation that a mnemonic stands for, with or without suffix, in any letter case.
std::optional<VectorMnemonic> find_vector_instruction(Generation generation, std::string_view mnemonic);

/// The forms that an instruction of the ALU has on a generation, the shortest first.
std::vector<isa::vector::Form> forms_of(Generation generation, isa::vector::Insn insn);

/// Whether LLVM has a vector, memory or export instruction of this mnemonic on a generation, or a form of one that salu
/// does not have: salu neither executes nor encodes it.
bool is_unsupported_instruction(Generation generation, std::string_view mnemonic);

/// Why neither of the two found anything: an instruction that salu does not run, one of other generations, or a name
/// with near ones.
std::string explain_unknown_instruction(Generation generation, std::string_view mnemonic);

}  // namespace salu::assembler
