#include <fmt/core.h>
#include <fmt/ranges.h>

#include <string_view>

#include "completion_script.hpp"

namespace salu::app {
namespace {

constexpr std::string_view fish_frame = R"(# Completion of salu in fish, as `salu completion fish` prints it.

# Whether the command on the line is this one; without an argument: whether there is none yet.
function __salu_is
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -eq 1
    else
        test "$words[2]" = "$argv[1]"
    end
end

complete -c salu -e
complete -c salu -n __salu_is -f
@LINES@
)";

constexpr std::string_view fish_quote = R"(\')";

std::string text_of(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += '\\';
    escaped += c;
  }
  return quoted(escaped, fish_quote);
}

/// The options of `complete` for what an option or an argument takes.
std::string value_of(const OptionDeclaration& option) {
  switch (option.completion) {
    case Completion::file:
      return " -r -F";
    case Completion::folder:
      return " -x -a '(__fish_complete_directories (commandline -ct))'";
    case Completion::words:
      return fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
    case Completion::nothing:
      break;
  }
  return " -x";
}

std::string lines_of(const CommandDeclaration& command, const std::string& condition) {
  const std::string start = fmt::format("complete -c salu -n {}", condition);
  std::string lines;
  for (const OptionDeclaration& option : command.options) {
    lines += start;
    for (const std::string& name : option.names)
      lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty() && !option.is_value_optional) lines += value_of(option);
    lines += " -d " + text_of(option.help) + "\n";
    // Fish knows no values that may be left out.
    if (!option.is_value_optional) continue;
    for (const std::string& word : option.words)
      lines += fmt::format("{} -a {}={}\n", start, option.names.back(), word);
  }
  bool takes_files = false;
  for (const OptionDeclaration& argument : command.arguments) {
    if (argument.completion == Completion::words)
      lines += fmt::format("{} -f -a '{}'\n", start, fmt::join(argument.words, " "));
    takes_files = takes_files || argument.completion == Completion::file;
  }
  if (!takes_files) lines += start + " -f\n";
  return lines;
}

}  // namespace

std::string fish_script(const CommandDeclaration& program) {
  std::string lines;
  for (const CommandDeclaration& command : program.commands)
    lines += fmt::format("complete -c salu -n __salu_is -a {} -d {}\n", command.name, text_of(command.description));
  lines += lines_of(program, "__salu_is");
  for (const CommandDeclaration& command : program.commands)
    lines += lines_of(command, fmt::format("'__salu_is {}'", command.name));
  return filled(fish_frame, {{"LINES", lines}});
}

}  // namespace salu::app
