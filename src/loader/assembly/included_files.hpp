#pragma once

#include <salu/error.hpp>

#include <optional>

#include "assembler/assembler.hpp"
#include "loader/objects/code_input.hpp"

namespace salu::loader {

/// Returns a reader of files that an assembly text includes: searched in the folder of the including file, then in the
/// folders of `AssemblyOptions`, subject to `CodeInput::files`. `input` must outlive the reader.
assembler::IncludeReader include_reader(const CodeInput& input);

/// Finds the first included file, directly or through other files, that an output would overwrite; for assemblers that
/// read the files themselves. Calls `FileRules::read` for each file. File names that macros construct are not found.
std::optional<Error> find_overwritten(const CodeInput& input);

}  // namespace salu::loader
