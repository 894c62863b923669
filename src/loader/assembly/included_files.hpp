#pragma once

#include "asm/assembler.hpp"
#include "loader/objects/program_builder.hpp"

namespace salu::loader {

/// What reads the files that an assembly text includes: from the folder of the file that names one, then from the
/// folders of `AssemblyOptions`, as `CodeInput::files` allows. `input` has to outlive it.
assembler::IncludeReader include_reader(const CodeInput& input);

}  // namespace salu::loader
