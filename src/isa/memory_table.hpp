#pragma once

#include <array>
#include <cstddef>

#include "isa/semantics/scalar_memory.hpp"
#include "isa/table.hpp"

namespace salu::isa {

/// The number of instructions other than scalar memory; they are first in the table.
inline constexpr std::size_t alu_insn_count = 0
#define SALU_INSN(...) +1
#include "isa/instructions/sop.def"
#undef SALU_INSN
    ;

constexpr bool is_scalar_memory(Insn insn) { return static_cast<std::size_t>(insn) >= alu_insn_count; }

namespace memory_operations {
inline constexpr std::array table = {
#define SALU_MEMORY_INSN(format, name, mnemonic, opcodes, operation, ...) operation,
#include "isa/instructions/memory.def"
};
static_assert(table.size() == insn_count - alu_insn_count);
}  // namespace memory_operations

/// The operation of a scalar memory instruction.
constexpr const MemoryOperation& memory_operation(Insn insn) {
  return memory_operations::table[static_cast<std::size_t>(insn) - alu_insn_count];
}

}  // namespace salu::isa
