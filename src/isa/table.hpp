#pragma once

#include "isa/rows.hpp"
#include "isa/semantics/all.hpp"
#include "isa/traits.hpp"

namespace salu::isa {

namespace rows {
/// The rows of isa/instructions/*.def, indexed by `Insn`.
inline constexpr std::array<InstructionInfo, insn_count> table = {{
#define SALU_INSN(format, name, mnemonic, opcodes, notes) \
  described<&semantics::name>(mnemonic, Format::format, opcodes, notes),
#define SALU_MEMORY_INSN(format, name, mnemonic, opcodes, operation, ...) \
  described_memory(mnemonic, Format::format, opcodes, memory_operations::operation __VA_OPT__(, ) __VA_ARGS__),
#include "isa/instructions/all.def"
#undef SALU_INSN
}};
}  // namespace rows

/// `info` for use in constant expressions.
constexpr const InstructionInfo& row(Insn insn) { return rows::table[static_cast<std::size_t>(insn)]; }

}  // namespace salu::isa
