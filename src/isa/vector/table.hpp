#pragma once

#include "isa/vector/instruction.hpp"
#include "isa/vector/rows.hpp"
#include "isa/vector/traits.hpp"

namespace salu::isa::vector {

namespace rows {
/// The rows of isa/vector/instructions/*.def, indexed by `Insn`.
inline constexpr std::array<InstructionInfo, insn_count> table = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers)                               \
  traits::completed<&semantics::name>({{}, names, Format::format, opcodes, vop3, shape, modifiers, {}}, \
                                      &semantics::name),
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) \
  {{}, names, Format::format, opcodes, nowhere, {}, plain, access},
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
}};
}  // namespace rows

/// `info` for use in constant expressions.
constexpr const InstructionInfo& row(Insn insn) { return rows::table[static_cast<std::size_t>(insn)]; }

}  // namespace salu::isa::vector
