#pragma once

#include <salu/error.hpp>

#include <optional>

#include "assembler/assembler.hpp"
#include "loader/objects/code_input.hpp"

namespace salu::loader {

/// What reads the files that an assembly text includes: from the folder of the file that names one, then from the
/// folders of `AssemblyOptions`, as `CodeInput::files` allows. `input` has to outlive it.
assembler::IncludeReader include_reader(const CodeInput& input);

/// The first file that a text includes, itself or by way of others, and whose place an output would take: for who has
/// another assembler read them. `FileRules::read` is told of each that it opens. Names that macros put together are not
/// found.
std::optional<Error> find_overwritten(const CodeInput& input);

}  // namespace salu::loader
