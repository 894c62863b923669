#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <functional>
#include <span>
#include <string>

#include "isa/decode.hpp"

namespace salu::isa {

/// Turns a branch target address into the label to print; an empty answer prints the dword distance.
using LabelResolver = std::function<std::string(u64 address)>;

struct DisassembleOptions {
  u64 address = 0;                       ///< of the instruction; matters with `label`
  const LabelResolver* label = nullptr;  ///< null: branch targets print as llvm-mc does, a dword distance
};

/// Text of a decoded instruction in LLVM's syntax, as llvm-mc-19 prints it. `<invalid>` for what the generation does
/// not have, operands included; `<vector VOP2>` and the like for vector instructions that isa/vector/ has no row of;
/// `<truncated>` when a dword is missing.
std::string disassemble(Generation generation, const Instruction& instruction, const DisassembleOptions& options = {});

/// True for a vector instruction that isa/vector/ has no row of: its text is `<vector VOP2>` and the like.
bool is_unknown_vector(Generation generation, const Instruction& instruction);

}  // namespace salu::isa
