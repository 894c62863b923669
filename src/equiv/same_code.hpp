#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equiv/comparison.hpp"
#include "isa/decode.hpp"

namespace salu::equiv {

/// Determines if both programs are the same: they start from the same state with the same inputs, and all reachable
/// instructions are equal. Nothing is executed, so any instructions are supported. The code may have another address if
/// nothing depends on it. Returns the assumptions of this result; nothing if the programs are not known to be the same.
std::optional<std::vector<std::string>> find_same_code(const ComparedPrograms& compared);

/// True if an instruction may read, write or wait for memory, according to its words.
bool touches_memory(const isa::Instruction& instruction);

}  // namespace salu::equiv
