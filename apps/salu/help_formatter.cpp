#include "help_formatter.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace salu::app {
namespace {

/// A name and, from a column on, a description; in lines of its own where the name is longer.
std::string entry(const std::string& name, std::string_view description) {
  constexpr std::size_t column = 34;
  const std::string indented = "  " + name;
  std::string text = fmt::format("{:<{}}", indented, column);
  if (!description.empty() && indented.size() >= column) text += "\n" + std::string(column, ' ');
  for (const char c : description) text += c == '\n' ? "\n" + std::string(column, ' ') : std::string(1, c);
  return text + "\n";
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode /*mode*/) const {
  const auto arguments = app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  const auto commands = app->get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
  std::string text = app->get_description() + "\nUsage: " + name + " [OPTIONS]";
  for (const CLI::Option* argument : arguments) text += " " + make_option_usage(argument);
  text += commands.empty() ? "\n" : " SUBCOMMAND\n";
  if (!arguments.empty()) text += "\nPositionals:\n";
  for (const CLI::Option* argument : arguments)
    text += entry(make_option_name(argument, true) + make_option_opts(argument), argument->get_description());
  const std::vector<std::string> groups = app->get_groups();
  for (const std::string& group : groups) {
    const auto options = app->get_options(
        [&group](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
    if (group.empty() || options.empty()) continue;
    text += "\n" + group + ":\n";
    for (const CLI::Option* option : options)
      text += entry(make_option_name(option, false) + make_option_opts(option), option->get_description());
    if (group != groups.back()) text += "\n";
  }
  if (!commands.empty()) text += "\nSubcommands:\n";
  for (const CLI::App* command : commands) text += entry(command->get_name(), command->get_description());
  const std::string footer = app->get_footer();
  return text + "\n" + (footer.empty() ? "" : footer + "\n");
}

}  // namespace salu::app
