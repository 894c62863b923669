#include <fmt/core.h>
#include <fmt/ranges.h>

#include <string_view>

#include "completion_script.hpp"

namespace salu::app {
namespace {

/// The script around the list of the commands, and of what each of them takes. It is read by `source`, or found by its
/// first line in a folder of `fpath`.
constexpr std::string_view zsh_frame = R"(#compdef salu
# Completion of salu in zsh, as `salu completion zsh` prints it.
_salu() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands
  commands=(
@COMMANDS@
  )
  _arguments -C -s -S \
@OPTIONS@
    '1: :->command' '*:: :->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      curcontext=${curcontext%:*}-$words[1]:
      case $words[1] in
@ARGUMENTS@
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _salu ]]; then
  _salu "$@"
else
  compdef _salu salu
fi
)";

constexpr std::string_view zsh_quote = R"('\'')";

std::string escaped_zsh(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// `:value:what completes it`, as _arguments takes it.
std::string action(const OptionDeclaration& option) {
  const std::string value = option.value.empty() ? "value" : escaped_zsh(option.value, ":\\");
  switch (option.completion) {
    case Completion::file:
      return fmt::format(":{}:_files", value);
    case Completion::folder:
      return fmt::format(":{}:_files -/", value);
    case Completion::words:
      return fmt::format(":{}:({})", value, fmt::join(option.words, " "));
    case Completion::nothing:
      break;
  }
  return fmt::format(":{}: ", value);
}

/// What _arguments is told of an option: a word for each of its names.
std::string specifications(const OptionDeclaration& option, std::string_view indent) {
  const bool takes_value = !option.value.empty() && !option.is_value_optional;
  const std::string help = fmt::format("[{}]", escaped_zsh(option.help, "[]\\"));
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    // Names of one option are not offered beside each other.
    const std::string excluded = option.is_repeatable ? "*" : fmt::format("({})", fmt::join(option.names, " "));
    std::string specification = excluded + name;
    if (takes_value) specification += is_long ? "=" : "+";
    if (option.is_value_optional) specification += "=-";
    specification += help;
    if (option.is_value_optional) specification += ":";
    if (takes_value || option.is_value_optional) specification += action(option);
    text += fmt::format("{}{} \\\n", indent, quoted(specification, zsh_quote));
  }
  return text;
}

}  // namespace

std::string zsh_script(const CommandDeclaration& program) {
  constexpr std::string_view indent = "            ";
  std::string commands;
  std::string options;
  std::string arguments;
  for (const OptionDeclaration& option : program.options) options += specifications(option, "    ");
  for (const CommandDeclaration& command : program.commands) {
    const std::string description = command.name + ":" + escaped_zsh(command.description, ":\\");
    commands += fmt::format("    {}\n", quoted(description, zsh_quote));
    arguments += fmt::format("        {})\n          _arguments -s -S", command.name);
    std::string specified;
    for (const OptionDeclaration& option : command.options) specified += specifications(option, indent);
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const OptionDeclaration& argument = command.arguments[i];
      const std::string place =
          argument.is_repeatable ? "*" : std::to_string(i + 1) + (argument.is_required ? "" : ":");
      specified += fmt::format("{}{} \\\n", indent, quoted(place + action(argument), zsh_quote));
    }
    // The last line goes on nowhere.
    if (!specified.empty()) specified.erase(specified.rfind(" \\\n"), 2);
    arguments += " \\\n" + specified + "          ;;\n";
  }
  return filled(zsh_frame, {{"COMMANDS", commands}, {"OPTIONS", options}, {"ARGUMENTS", arguments}});
}

}  // namespace salu::app
