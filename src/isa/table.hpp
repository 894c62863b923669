#pragma once

#include "isa/instruction.hpp"
#include "isa/rows.hpp"

namespace salu::isa {

namespace rows {
/// The rows of isa/instructions/*.def, indexed by `Insn`.
inline constexpr std::array<InstructionInfo, insn_count> table = {{
#define SALU_INSN(format, name, mnemonic, opcodes, shape, effects) {mnemonic, Format::format, opcodes, shape, effects},
#include "isa/instructions/all.def"
#undef SALU_INSN
}};
}  // namespace rows

/// `info` for use in constant expressions.
constexpr const InstructionInfo& row(Insn insn) { return rows::table[static_cast<std::size_t>(insn)]; }

}  // namespace salu::isa
