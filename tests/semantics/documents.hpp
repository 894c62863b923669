#pragma once

#include <salu/target.hpp>

#include <string>

#include "semantics/opcodes.hpp"

/// Facts from tests/data/isa with which the tests compare the machine.
namespace salu::test {

/// Bits of a hardware register that belong to a field of the generation; of a single field if `name` is not empty.
u32 hwreg_field_bits(Generation generation, u32 id, const std::string& name = {});

/// True if the generation has a hardware register with this id.
bool has_hwreg(Generation generation, u32 id);

/// True if an operand code can be a source (or destination) of a scalar instruction.
bool is_source_code(Generation generation, u32 code);
bool is_destination_code(Generation generation, u32 code);

/// Length in dwords of the vector instruction that begins with a word (semantics.md 10); 0 if it is not one.
u32 vector_dwords(Generation generation, u32 word);

}  // namespace salu::test
