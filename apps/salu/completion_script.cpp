#include "completion_script.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace salu::app {
namespace {

/// The bash script, with placeholders for the options of each command and for the completions of each place. Bash
/// splits
/// `--name=value` at the `=`, which is a word of its own.
constexpr std::string_view bash_frame = R"(# Completion of salu in bash, as `salu completion bash` prints it.
# shellcheck disable=SC2207  # the words contain no spaces
_salu() {
  local IFS=$' \t\n' command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local options='' valued='' equals='' words='' kind='' position=0 i word key
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    command=''
  fi
  case $command in
@OPTIONS@
  esac
  if [[ $current == '=' ]]; then
    current=''
    equals='='
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
    equals='='
  fi
  if [[ -n $equals || " $valued " == *" $previous "* ]]; then
    key="$command $previous$equals"
  elif [[ $current == -* && $current != - ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  else
    for ((i = 2; i < COMP_CWORD; ++i)); do
      word=${COMP_WORDS[i]}
      if [[ $word == '=' || (" $valued " == *" $word "* && ${COMP_WORDS[i + 1]} != '=') ]]; then
        ((++i))
      elif [[ $word != -* || $word == - ]]; then
        ((++position))
      fi
    done
    key="$command $position"
  fi
  case $key in
@VALUES@
  esac
  case $kind in
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
  if [[ -n $kind ]]; then
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _salu salu
)";

/// The zsh script, with placeholders for the commands and their arguments. It is read by `source`, or found by its
/// first line in a directory of `fpath`.
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

constexpr std::string_view fish_frame = R"(# Completion of salu in fish, as `salu completion fish` prints it.

# Succeeds if the argument is the command on the line; without an argument, if the line has no command.
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

/// The frame of a script with texts in place of its lines `@NAME@`.
std::string filled(std::string_view frame, const std::vector<std::pair<std::string, std::string>>& texts) {
  std::string result(frame);
  for (const auto& [name, text] : texts) {
    const std::string line = "@" + name + "@\n";
    result.replace(result.find(line), line.size(), text);
  }
  return result;
}

/// The text with a prefix before each of some characters.
std::string escaped(std::string_view text, std::string_view special, std::string_view prefix = "\\") {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += prefix;
    result += c;
  }
  return result;
}

/// Quotes a text in single quotes: for zsh, where a single quote ends the string, or for fish, which allows escapes
/// inside.
std::string quoted_zsh(std::string_view text) { return "'" + escaped(text, "'", "'\\'") + "'"; }
std::string quoted_fish(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

bool takes_value(const OptionDeclaration& option) { return !option.value.empty() && !option.is_value_optional; }

/// How a shell is told to complete a value; `{}` in `words` is replaced by the words.
struct ValueSyntax {
  std::string_view file, folder, words, nothing;
};
constexpr ValueSyntax bash_values = {"kind='file'", "kind='folder'", "words='{}'", ""};
constexpr ValueSyntax zsh_values = {"_files", "_files -/", "({})", " "};
constexpr ValueSyntax fish_values = {" -r -F", " -x -a '(__fish_complete_directories (commandline -ct))'",
                                     " -x -a '{}'", " -x"};

std::string value_of(const OptionDeclaration& option, const ValueSyntax& syntax) {
  switch (option.completion) {
    case Completion::file:
      return std::string(syntax.file);
    case Completion::folder:
      return std::string(syntax.folder);
    case Completion::words:
      return fmt::format(fmt::runtime(syntax.words), fmt::join(option.words, " "));
    case Completion::nothing:
      break;
  }
  return std::string(syntax.nothing);
}

std::string bash_script(const CommandDeclaration& program) {
  std::string options;
  // The places of each completion: a command with an option, or with the number of an argument.
  std::map<std::string, std::vector<std::string>> places;
  const auto offer = [&](const OptionDeclaration& option, std::string place) {
    const std::string value = value_of(option, bash_values);
    if (!value.empty()) places[value].push_back(std::move(place));
  };
  const auto add = [&](const CommandDeclaration& command, const std::string& name) {
    std::vector<std::string> all;
    std::vector<std::string> valued;
    for (const OptionDeclaration& option : command.options) {
      for (const std::string& each : option.names) {
        all.push_back(each);
        if (takes_value(option)) valued.push_back(each);
        if (takes_value(option)) offer(option, fmt::format("'{} {}'", name, each));
        if (each.starts_with("--")) offer(option, fmt::format("'{} {}='", name, each));
      }
    }
    options += fmt::format("    '{}')\n      options='{}'\n      valued='{}'\n      ;;\n", name, fmt::join(all, " "),
                           fmt::join(valued, " "));
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const bool repeats = command.arguments[i].is_repeatable;
      offer(command.arguments[i], repeats ? fmt::format("'{} '[0-9]*", name) : fmt::format("'{} {}'", name, i));
    }
  };
  OptionDeclaration command;
  command.completion = Completion::words;
  add(program, "");
  for (const CommandDeclaration& each : program.commands) {
    add(each, each.name);
    command.words.push_back(each.name);
  }
  offer(command, "' 0'");
  std::string values;
  for (const auto& [value, where] : places)
    values += fmt::format("    {})\n      {}\n      ;;\n", fmt::join(where, " | "), value);
  return filled(bash_frame, {{"OPTIONS", options}, {"VALUES", values}});
}

/// `:value:completion`, as _arguments takes it.
std::string zsh_action(const OptionDeclaration& option) {
  return fmt::format(":{}:{}", option.value.empty() ? "value" : escaped(option.value, ":\\"),
                     value_of(option, zsh_values));
}

/// The specifications of a command's options and arguments for _arguments, one for each name.
std::string zsh_specifications(const CommandDeclaration& command, std::string_view indent) {
  std::vector<std::string> specifications;
  for (const OptionDeclaration& option : command.options) {
    // If one name of an option was typed, its other names are not offered.
    const std::string excluded = option.is_repeatable ? "*" : fmt::format("({})", fmt::join(option.names, " "));
    for (const std::string& name : option.names) {
      std::string text = excluded + name;
      if (takes_value(option)) text += name.starts_with("--") ? "=" : "+";
      if (option.is_value_optional) text += "=-";
      text += fmt::format("[{}]", escaped(option.help, "[]\\"));
      if (option.is_value_optional) text += ":";
      if (takes_value(option) || option.is_value_optional) text += zsh_action(option);
      specifications.push_back(std::move(text));
    }
  }
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const OptionDeclaration& argument = command.arguments[i];
    const std::string number = std::to_string(i + 1) + (argument.is_required ? "" : ":");
    specifications.push_back((argument.is_repeatable ? "*" : number) + zsh_action(argument));
  }
  std::string lines;
  for (const std::string& each : specifications) lines += fmt::format(" \\\n{}{}", indent, quoted_zsh(each));
  return lines;
}

std::string zsh_script(const CommandDeclaration& program) {
  std::string commands;
  std::string arguments;
  for (const CommandDeclaration& command : program.commands) {
    commands += fmt::format("    {}\n", quoted_zsh(command.name + ":" + escaped(command.description, ":\\")));
    arguments += fmt::format("        {})\n          _arguments -s -S{}\n          ;;\n", command.name,
                             zsh_specifications(command, "            "));
  }
  const std::string options = zsh_specifications(program, "    ").substr(3) + " \\\n";
  return filled(zsh_frame, {{"COMMANDS", commands}, {"OPTIONS", options}, {"ARGUMENTS", arguments}});
}

std::string fish_lines(const CommandDeclaration& command, const std::string& condition) {
  const std::string start = fmt::format("complete -c salu -n {}", condition);
  std::string lines;
  for (const OptionDeclaration& option : command.options) {
    lines += start;
    for (const std::string& name : option.names)
      lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (takes_value(option)) lines += value_of(option, fish_values);
    lines += " -d " + quoted_fish(option.help) + "\n";
    // Fish does not support optional values: `--name=value` is offered as an argument.
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
  return takes_files ? lines : lines + start + " -f\n";
}

std::string fish_script(const CommandDeclaration& program) {
  std::string lines;
  for (const CommandDeclaration& command : program.commands)
    lines += fmt::format("complete -c salu -n __salu_is -a {} -d {}\n", command.name, quoted_fish(command.description));
  lines += fish_lines(program, "__salu_is");
  for (const CommandDeclaration& command : program.commands)
    lines += fish_lines(command, fmt::format("'__salu_is {}'", command.name));
  return filled(fish_frame, {{"LINES", lines}});
}

}  // namespace

std::string completion_script(const CommandDeclaration& program, Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_script(program);
    case Shell::zsh:
      return zsh_script(program);
    case Shell::fish:
      break;
  }
  return fish_script(program);
}

}  // namespace salu::app
