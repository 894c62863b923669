#pragma once

#include <salu/target.hpp>

#include <string>

#include "semantics/opcodes.hpp"

/// Facts from tests/data/isa that the tests hold the machine against.
namespace salu::test {

/// Bits of a hardware register that some field of the generation covers; of one field alone when `name` is not empty.
u32 hwreg_field_bits(Generation generation, u32 id, const std::string& name = {});

/// Whether the generation has a hardware register with this id.
bool has_hwreg(Generation generation, u32 id);

/// Whether an operand code can be a source (or destination) of a scalar instruction.
bool is_source_code(Generation generation, u32 code);
bool is_destination_code(Generation generation, u32 code);

/// Length in dwords of the vector instruction that begins with a word (semantics.md 10); 0 when it begins none.
u32 vector_dwords(Generation generation, u32 word);

}  // namespace salu::test
