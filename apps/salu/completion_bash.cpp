#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <utility>

#include "completion_script.hpp"

namespace salu::app {
namespace {

/// The script around two lists: of the options of each command, and of what is offered where. Bash has split
/// `--name=value` at the `=`, which is a word then.
constexpr std::string_view bash_frame = R"(# Completion of salu in bash, as `salu completion bash` prints it.
# shellcheck disable=SC2207  # words that are offered have no spaces
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

/// What is set where a value is completed.
std::string assignment(const OptionDeclaration& option) {
  switch (option.completion) {
    case Completion::file:
      return "kind='file'";
    case Completion::folder:
      return "kind='folder'";
    case Completion::words:
      return fmt::format("words='{}'", fmt::join(option.words, " "));
    case Completion::nothing:
      break;
  }
  return {};
}

/// The two lists, grown by one command after the other.
struct Lists {
  std::string options;
  /// What is offered, and where: a command with an option, or with the number of an argument.
  std::map<std::string, std::vector<std::string>> places;

  void add(const CommandDeclaration& command, const std::string& name) {
    std::vector<std::string> all;
    std::vector<std::string> valued;
    for (const OptionDeclaration& option : command.options) {
      const bool takes_next = !option.value.empty() && !option.is_value_optional;
      all.insert(all.end(), option.names.begin(), option.names.end());
      if (takes_next) valued.insert(valued.end(), option.names.begin(), option.names.end());
      for (const std::string& each : option.names) {
        if (takes_next) offer(option, fmt::format("'{} {}'", name, each));
        if (each.starts_with("--")) offer(option, fmt::format("'{} {}='", name, each));
      }
    }
    options += fmt::format("    '{}')\n      options='{}'\n      valued='{}'\n      ;;\n", name, fmt::join(all, " "),
                           fmt::join(valued, " "));
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const OptionDeclaration& argument = command.arguments[i];
      offer(argument, argument.is_repeatable ? fmt::format("'{} '[0-9]*", name) : fmt::format("'{} {}'", name, i));
    }
  }

  void offer(const OptionDeclaration& option, std::string place) {
    const std::string assigned = assignment(option);
    if (!assigned.empty()) places[assigned].push_back(std::move(place));
  }
};

}  // namespace

std::string bash_script(const CommandDeclaration& program) {
  Lists lists;
  OptionDeclaration command;
  command.completion = Completion::words;
  lists.add(program, "");
  for (const CommandDeclaration& each : program.commands) {
    lists.add(each, each.name);
    command.words.push_back(each.name);
  }
  lists.offer(command, "' 0'");
  std::string values;
  for (const auto& [assigned, places] : lists.places)
    values += fmt::format("    {})\n      {}\n      ;;\n", fmt::join(places, " | "), assigned);
  return filled(bash_frame, {{"OPTIONS", lists.options}, {"VALUES", values}});
}

}  // namespace salu::app
