#pragma once

#include <salu/target.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/built_program.hpp"
#include "loader/objects/code_input.hpp"

/// Blocks of code of any kind, put together to a program.
namespace salu::loader {

/// Which target the code is for: `named` (of --mcpu or `target:`; may be null) or that of the first block that says
/// one, an ELF object or a text with `.amdgcn_target`. Rejects none at all, and two of different generations. `where`
/// is the place for these messages.
const Target* choose_target(const std::vector<CodeInput>& inputs, const Target* named, std::string_view named_by,
                            const SourcePlace& where);

/// Places, assembles and links up the blocks. `symbol` overrides where to start; empty: the inputs' own.
BuiltProgram build_program(std::vector<CodeInput> inputs, const Target& target, const std::string& symbol);

/// The same without choosing where to start: the code and the symbols alone.
BuiltProgram place_code(std::vector<CodeInput> inputs, const Target& target);

}  // namespace salu::loader
