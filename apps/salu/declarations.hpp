#pragma once

#include <string>
#include <vector>

#include "command.hpp"

/// The commands and options as plain values, from which manual pages and completion scripts are generated.
namespace salu::app {

/// The completions that shells offer for a value.
enum class Completion { nothing, file, folder, words };

/// An option or an argument of a command.
struct OptionDeclaration {
  std::vector<std::string> names;  ///< with their dashes, `-o` before `--output`; empty for an argument
  std::string value;               ///< its metavariable in help; empty if it takes no value
  std::string help;
  std::string group;               ///< its heading in help
  std::vector<std::string> words;  ///< the values that shells offer
  Completion completion = Completion::nothing;
  bool is_required = false;
  bool is_repeatable = false;
  bool is_value_optional = false;  ///< `--name` or `--name=value`, never `--name value`
};

/// A command, or the program itself.
struct CommandDeclaration {
  std::string name;
  std::string description;
  std::vector<OptionDeclaration> arguments;
  std::vector<OptionDeclaration> options;
  std::vector<CommandDeclaration> commands;
  Epilogue epilogue;
};

/// The commands and options that help shows.
CommandDeclaration declarations_of(const CommandLine& line);

}  // namespace salu::app
