#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "declarations.hpp"

namespace salu::app {

enum class Shell { bash, zsh, fish };

/// A script that has the shell complete the program's commands, options and their values.
std::string completion_script(const CommandDeclaration& program, Shell shell);

/// A script with texts in the place of its lines `@NAME@`.
std::string filled(std::string_view script, const std::vector<std::pair<std::string, std::string>>& texts);
/// In single quotes, as a shell takes it: what would end them is replaced.
std::string quoted(std::string_view text, std::string_view quote_inside);

/// One for each shell.
std::string bash_script(const CommandDeclaration& program);
std::string zsh_script(const CommandDeclaration& program);
std::string fish_script(const CommandDeclaration& program);

}  // namespace salu::app
