#include "declarations.hpp"

#include <CLI/CLI.hpp>

namespace salu::app {
namespace {

Completion completion_of(const OptionDeclaration& option) {
  if (!option.words.empty()) return Completion::words;
  const Named named = named_by(option.value);
  return named == Named::file ? Completion::file : named == Named::folder ? Completion::folder : Completion::nothing;
}

OptionDeclaration declaration_of(const CLI::Option& option, const CommandLine& line) {
  OptionDeclaration declared;
  const bool is_argument = option.get_positional();
  for (const std::string& name : option.get_snames()) declared.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) declared.names.push_back("--" + name);
  declared.help = option.get_description();
  declared.group = option.get_group();
  if (const auto known = line.values.find(&option); known != line.values.end()) {
    declared.value = known->second.name;
    declared.words = known->second.words;
  }
  const bool is_flag = option.get_type_size() == 0 || option.get_items_expected_max() == 0;
  declared.is_value_optional = is_flag && !declared.words.empty();
  if (is_argument) {
    declared.value = option.get_name();
  } else if (declared.value.empty() && !is_flag) {
    declared.value = option.get_type_name();
  }
  declared.completion = completion_of(declared);
  declared.is_required = option.get_required();
  declared.is_repeatable = is_argument ? is_repeatable_argument(option)
                                       : option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return declared;
}

CommandDeclaration declaration_of(const CLI::App& app, const CommandLine& line) {
  CommandDeclaration declared;
  declared.name = app.get_name();
  declared.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (is_hidden(*option)) continue;
    (option->get_positional() ? declared.arguments : declared.options).push_back(declaration_of(*option, line));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    declared.commands.push_back(declaration_of(*command, line));
  }
  if (const auto known = line.epilogues.find(&app); known != line.epilogues.end()) declared.epilogue = known->second;
  return declared;
}

}  // namespace

CommandDeclaration declarations_of(const CommandLine& line) { return declaration_of(line.app, line); }

}  // namespace salu::app
