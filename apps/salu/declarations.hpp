#pragma once

#include <string>
#include <vector>

#include "command.hpp"

/// What the command line takes, as plain values: what help says, in a form that pages and scripts are made of.
namespace salu::app {

/// What shells complete a value with.
enum class Completion { nothing, file, folder, words };

/// An option or an argument of a command.
struct OptionDeclaration {
  std::vector<std::string> names;  ///< with their dashes, `-o` before `--output`; none of an argument
  std::string value;               ///< what stands for its value in help; empty: it takes none
  std::string help;
  std::string group;               ///< the heading above it in help
  std::vector<std::string> words;  ///< that are offered for its value
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

/// Without what help does not show.
CommandDeclaration declarations_of(const CommandLine& line);

}  // namespace salu::app
