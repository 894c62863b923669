#pragma once

#include <salu/target.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/built_program.hpp"
#include "loader/objects/code_input.hpp"

/// Combining blocks of code of any kind to a program.
namespace salu::loader {

/// Chooses the target of the code: `named` (from --mcpu or `target:`; may be null), or that of the first ELF object or
/// text with `.amdgcn_target`. Rejects a missing target, and targets of different generations, with `where` as the
/// place.
const Target* choose_target(const std::vector<CodeInput>& inputs, const Target* named, std::string_view named_by,
                            const SourcePlace& where);

/// Places, assembles and links the blocks. `symbol` overrides the entry; empty: that of the inputs.
BuiltProgram build_program(std::vector<CodeInput> inputs, const Target& target, const std::string& symbol);

/// Places, assembles and links the blocks without choosing an entry.
BuiltProgram place_code(std::vector<CodeInput> inputs, const Target& target);

}  // namespace salu::loader
