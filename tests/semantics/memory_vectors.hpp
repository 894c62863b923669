#pragma once

#include <salu/memory.hpp>

#include <string>
#include <vector>

#include "semantics/vector_files.hpp"

/// The vectors of tests/data/vectors/memory.txt as words with the state and memory before and after.
namespace salu::test {

/// The address mode of a scalar memory instruction: `immediate`, `register` (in OFFSET), `literal`, `soffset`, `both`
/// (immediate and SOFFSET), `negative` (immediate), `both_negative`; `none` without an address.
using MemoryMode = std::string;

/// The modes in which a row can be encoded on a generation.
std::vector<MemoryMode> memory_modes(Generation generation, const OpcodeRow& row);

/// One instruction in one mode.
struct MemoryCase {
  MemoryMode mode;
  MemoryFields fields;
  WaveState initial;
  Memory memory;
  WaveState expected;  ///< including the PC
  Memory expected_memory;
  Code code;  ///< the instruction, followed by S_ENDPGM
};

/// The cases of a vector on a generation: one for each mode if the line says mode=any. With `holes`, no page is mapped
/// as a whole: 16 bytes in the middle of each page are missing.
std::vector<MemoryCase> memory_cases(const StateVector& vector, Generation generation, bool holes);

}  // namespace salu::test
