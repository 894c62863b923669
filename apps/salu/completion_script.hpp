#pragma once

#include <string>

#include "declarations.hpp"

namespace salu::app {

enum class Shell { bash, zsh, fish };

/// A script that has the shell complete the program's commands, options and their values.
std::string completion_script(const CommandDeclaration& program, Shell shell);

}  // namespace salu::app
