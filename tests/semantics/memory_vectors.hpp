#pragma once

#include <salu/memory.hpp>

#include <string>
#include <vector>

#include "semantics/vector_files.hpp"

/// tests/data/vectors/memory.txt laid out: words, state and memory before, state and memory after.
namespace salu::test {

/// How the address of a scalar memory instruction is made up. `immediate`, `register` (the one that OFFSET names),
/// `literal`, `soffset`, `both` (immediate and SOFFSET), `negative` (immediate), `both_negative`; `none` without one.
using MemoryMode = std::string;

/// The modes in which a row can be encoded on a generation.
std::vector<MemoryMode> memory_modes(Generation generation, const OpcodeRow& row);

/// One instruction in one mode.
struct MemoryCase {
  MemoryMode mode;
  MemoryFields fields;
  WaveState initial;
  Memory memory;
  WaveState expected;  ///< PC included
  Memory expected_memory;
  Code code;  ///< the instruction, then S_ENDPGM
};

/// The cases of a vector on a generation: one for each mode where the line says mode=any. With `holes`, no page is
/// mapped as a whole: 16 bytes in the middle of each are missing.
std::vector<MemoryCase> memory_cases(const StateVector& vector, Generation generation, bool holes);

}  // namespace salu::test
