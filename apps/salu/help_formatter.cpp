#include "help_formatter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "support/printable.hpp"
#include "wrapped_text.hpp"

namespace salu::app {
namespace {

constexpr std::string_view usage_start = "Usage:";
constexpr std::string_view commands_heading = "Commands:";
constexpr std::string_view examples_heading = "Examples:";

/// A name and, from a fixed column on, its description. The description of a longer name starts on the next line.
std::string entry(const std::string& name, std::string_view description) {
  constexpr std::size_t column = 34;
  constexpr std::size_t gap = 2;
  const std::string next_line = "\n" + std::string(column, ' ');
  const std::string indented = "  " + name;
  std::string text = fmt::format("{:<{}}", indented, column);
  if (!description.empty() && indented.size() + gap > column) text = indented + next_line;
  for (const char c : wrapped(description, help_width - column)) text += c == '\n' ? next_line : std::string(1, c);
  return text + "\n";
}

/// `-o, --output FILE`
std::string names_of(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
  return text + option.get_option_text();
}

std::string usage_of(const std::string& name, const CLI::App& app) {
  std::string text = fmt::format("{} {} [OPTIONS]", usage_start, name);
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_required() || option->get_positional()) continue;
    text += " --" + option->get_lnames().front() + option->get_option_text();
  }
  for (const CLI::Option* argument : app.get_options([](const CLI::Option* each) { return each->get_positional(); })) {
    const std::string shown = argument->get_name() + argument->get_option_text();
    text += argument->get_required() ? " " + shown : " [" + shown + "]";
  }
  return text;
}

/// The option names within `-o, --output FILE`, in colour.
std::string coloured_names(std::string_view names) {
  std::string text;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find_first_of(" ,["), names.size());
    const std::string_view word = names.substr(0, end);
    text += word.starts_with('-') ? fmt::format("{}{}{}", support::style::bold, word, support::style::plain)
                                  : std::string(word);
    // A value out of some words, which hold no names.
    if (end < names.size() && names[end] == '[') return text.append(names.substr(end));
    if (end < names.size()) text += names[end];
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return text;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode /*mode*/) const {
  const auto arguments = app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  const auto commands = app->get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
  std::string text = usage_of(name, *app) + (commands.empty() ? "\n\n" : " COMMAND ...\n\n");
  text += wrapped(app->get_description(), help_width) + "\n";
  if (!commands.empty()) text += fmt::format("\n{}\n", commands_heading);
  for (const CLI::App* command : commands) text += entry(command->get_name(), command->get_description());
  if (!arguments.empty()) text += "\nArguments:\n";
  for (const CLI::Option* argument : arguments)
    text += entry(argument->get_name() + argument->get_option_text(), argument->get_description());
  for (const std::string& group : app->get_groups()) {
    const auto options = app->get_options(
        [&group](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
    if (options.empty() || is_hidden(*options.front())) continue;
    text += "\n" + group + ":\n";
    for (const CLI::Option* option : options)
      text += entry(names_of(*option), option->get_description() + (option->get_required() ? " (required)" : ""));
  }
  const std::string footer = app->get_footer();
  return footer.empty() ? text : text + footer + "\n";
}

std::string coloured_help(const std::string& text) {
  std::string coloured;
  std::istringstream lines(text);
  std::string heading;
  for (std::string line; std::getline(lines, line); coloured += '\n') {
    const bool is_heading = !line.starts_with(' ') && line.ends_with(':');
    const bool is_entry = line.starts_with("  ") && line.size() > 2 && line[2] != ' ';
    const std::size_t name_end = is_entry ? std::min(line.find("  ", 2), line.size()) : 0;
    if (is_heading) heading = line;
    if (is_heading) {
      coloured += fmt::format("{}{}{}", support::style::bold_yellow, line, support::style::plain);
    } else if (line.starts_with(usage_start)) {
      coloured += fmt::format("{}{}{}{}", support::style::bold_yellow, usage_start, support::style::plain,
                              line.substr(usage_start.size()));
    } else if (is_entry && heading == commands_heading) {
      coloured += fmt::format("  {}{}{}{}", support::style::bold, line.substr(2, name_end - 2), support::style::plain,
                              line.substr(name_end));
    } else if (is_entry && line[2] == '-' && heading != examples_heading) {
      coloured += "  " + coloured_names(std::string_view(line).substr(2, name_end - 2)) + line.substr(name_end);
    } else {
      coloured += line;
    }
  }
  return coloured;
}

void print_help(const std::string& text) { print(use_colour(ColourChoice::automatic) ? coloured_help(text) : text); }

}  // namespace salu::app
