#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <functional>
#include <span>
#include <string>

#include "isa/decode.hpp"

namespace salu::isa {

/// Returns the label for a branch target address; for an empty string, the distance in dwords is printed.
using LabelResolver = std::function<std::string(u64 address)>;

struct DisassembleOptions {
  u64 address = 0;                       ///< of the instruction; used with `label`
  const LabelResolver* label = nullptr;  ///< null: branch targets are printed as a dword distance, like llvm-mc does
};

/// The text of a decoded instruction in LLVM's syntax, as llvm-mc-19 prints it. `<invalid>` for instructions and
/// operands that the generation does not have; `<vector VOP2>` and the like for vector instructions without a row in
/// isa/vector/; `<truncated>` if a dword is missing.
std::string disassemble(Generation generation, const Instruction& instruction, const DisassembleOptions& options = {});

/// True for a vector instruction without a row in isa/vector/: its text is `<vector VOP2>` and the like.
bool is_unknown_vector(Generation generation, const Instruction& instruction);

}  // namespace salu::isa
