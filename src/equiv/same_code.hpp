#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equiv/comparison.hpp"
#include "isa/decode.hpp"

namespace salu::equiv {

/// Whether both programs do the same because they are the same: they start from one state with one set of inputs, and
/// every instruction that they can come to is the same. Nothing is executed, so it does not matter what the
/// instructions do. The code may be elsewhere where nothing depends on the address that it has. Returns what is assumed
/// then; nothing where it is not known.
std::optional<std::vector<std::string>> find_same_code(const ComparedPrograms& compared);

/// Whether an instruction may read, write or wait for memory, as far as its words tell.
bool touches_memory(const isa::Instruction& instruction);

}  // namespace salu::equiv
