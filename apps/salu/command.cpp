#include "command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "command_line.hpp"
#include "wrapped_text.hpp"

namespace salu::app {
namespace {

/// CLI11 reads -1 as the largest number.
std::string find_sign(const std::string& text) {
  return text.starts_with('-') ? "expected a number, 0 or more, found " + text : "";
}

/// Rejects texts that are not a count from 1 to 2^32 - 1.
std::string find_no_count(const std::string& text) {
  constexpr u32 most = std::numeric_limits<u32>::max();
  u64 number = 0;
  if (!text.starts_with('-') && CLI::detail::lexical_cast(text, number) && number != 0 && number <= most) return "";
  return fmt::format("expected a number from 1 to {}, found {}", most, text);
}

auto refuse_nothing(const std::string& metavar) {
  const Named named = named_by(metavar);
  std::string what = named == Named::file ? "a file name" : named == Named::folder ? "a directory name" : "a value";
  return [what = std::move(what)](const std::string& text) {
    return text.empty() ? "expected " + what + ", found ``" : "";
  };
}

/// CLI11 would ignore an empty part of a list, and take the next word after a comma at the end.
std::string find_empty_part(const std::string& list) {
  const bool has_one = ("," + list + ",").find(",,") != std::string::npos;
  return has_one ? "expected comma-separated values, found `" + list + "`" : "";
}

std::string find_no_duration(const std::string& text) {
  double seconds = 0;
  const bool is_one = CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds) && seconds > 0;
  return is_one ? "" : "expected a number above 0, found " + text;
}

/// The epilogue as help prints it after an empty line.
std::string footer_of(const Epilogue& epilogue) {
  std::string text;
  if (!epilogue.notes.empty()) text += "\n" + wrapped(epilogue.notes, help_width) + "\n";
  std::size_t longest = 0;
  for (const Epilogue::Example& example : epilogue.examples) {
    if (!example.what.empty()) longest = std::max(longest, example.command.size());
  }
  if (!epilogue.examples.empty()) text += "\nExamples:\n";
  for (const Epilogue::Example& example : epilogue.examples) {
    const std::string gap = example.what.empty() ? "" : std::string(longest + 2 - example.command.size(), ' ');
    text.append("  ").append(example.command).append(gap).append(example.what).append("\n");
  }
  if (!epilogue.exit_codes.empty()) text += "\nExit codes:\n";
  for (const auto& [code, meaning] : epilogue.exit_codes)
    text.append("  ").append(std::to_string(code)).append("  ").append(meaning).append("\n");
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

bool is_repeatable_argument(const CLI::Option& option) {
  return option.get_positional() && option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
}

Named named_by(std::string_view metavar) {
  constexpr std::array<std::string_view, 4> files = {"FILE", "PATH", "A", "B"};
  if (std::ranges::find(files, metavar) != files.end()) return Named::file;
  return metavar == "DIR" ? Named::folder : Named::nothing;
}

Command::Command(CommandLine& line) : Command(line.app, line) { add_help(); }

Command Command::add(const std::string& name, const std::string& description) {
  Command command(*app_->add_subcommand(name, description), *line_);
  command.add_help();
  return command;
}

bool is_hidden(const CLI::Option& option) { return option.get_group() == hidden_group; }

Command Command::add_hidden(const std::string& name, const std::string& description) {
  return {*app_->add_subcommand(name, description)->group(""), *line_};
}

// The text and the heading differ between versions of CLI11.
void Command::add_help() { app_->set_help_flag("-h,--help", "print this help and exit")->group(general_options); }

void Command::finish(CLI::Option& option, const std::string& metavar, std::vector<std::string> words) {
  option.group(group_);
  // The formatter prints this after the name. An optional value is part of the name's word.
  std::string alternatives;
  for (const std::string& word : words) alternatives += (alternatives.empty() ? "" : "|") + word;
  if (option.get_positional())
    option.option_text(is_repeatable_argument(option) ? "..." : "");
  else if (!metavar.empty())
    option.option_text(" " + metavar);
  else if (!words.empty())
    option.option_text("[=" + alternatives + "]");
  line_->values[&option] = {metavar, std::move(words)};
  last_ = &option;
}

void Command::argument(const std::string& name, std::string& value, const std::string& help, Need need) {
  finish(*app_->add_option(name, value, help)->required(need == Need::required)->check(refuse_nothing(name)), {});
}

void Command::argument(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  finish(*app_->add_option(name, values, help)->required()->check(refuse_nothing(name)), {});
}

void Command::option(const std::string& names, std::string& value, const std::string& help, const std::string& metavar,
                     Need need) {
  finish(*app_->add_option(names, value, help)->required(need == Need::required)->check(refuse_nothing(metavar)),
         metavar);
}

void Command::option(const std::string& names, std::optional<std::string>& value, const std::string& help,
                     const std::string& metavar) {
  finish(*app_->add_option(names, value, help)->check(refuse_nothing(metavar)), metavar);
}

void Command::option(const std::string& names, std::optional<double>& value, const std::string& help,
                     const std::string& metavar) {
  finish(*app_->add_option(names, value, help)->check(find_no_duration), metavar);
}

void Command::option(const std::string& names, std::optional<u64>& value, const std::string& help,
                     const std::string& metavar) {
  finish(*app_->add_option(names, value, help)->check(find_sign), metavar);
}

void Command::option(const std::string& names, u32& value, const std::string& help, const std::string& metavar) {
  finish(*app_->add_option(names, value, help)->check(find_no_count), metavar);
}

void Command::option(const std::string& names, u64& value, const std::string& help, const std::string& metavar) {
  finish(*app_->add_option(names, value, help)->check(find_sign), metavar);
}

void Command::repeatable(const std::string& names, std::vector<std::string>& values, const std::string& help,
                         const std::string& metavar) {
  finish(*app_->add_option(names, values, help)
              ->expected(1)
              ->allow_extra_args(false)
              ->take_all()
              ->check(refuse_nothing(metavar)),
         metavar);
}

void Command::list(const std::string& names, std::vector<std::string>& values, const std::string& help,
                   const std::string& metavar) {
  const auto split = [&values](const std::vector<std::string>& lists) {
    for (const std::string& list : lists) {
      for (std::string& part : CLI::detail::split(list, ',')) values.push_back(std::move(part));
    }
  };
  finish(*app_->add_option_function<std::vector<std::string>>(names, split, help)
              ->expected(1)
              ->allow_extra_args(false)
              ->take_all()
              ->check(find_empty_part),
         metavar);
}

void Command::flag(const std::string& names, bool& value, const std::string& help) {
  finish(*app_->add_flag(names, value, help)->disable_flag_override(), {});
}

void Command::flag_one_of(const std::string& name, const std::vector<std::string>& words,
                          const std::function<void(std::size_t)>& set, const std::string& help) {
  const auto choose = [words, set](const std::string& word) {
    const auto found = word == "true" ? words.begin() : std::ranges::find(words, word);
    // The library names the option.
    if (found == words.end()) throw CLI::ValidationError(unknown_choice(word, words));
    set(static_cast<std::size_t>(found - words.begin()));
  };
  finish(*app_->add_flag(name, help)->each(choose), {}, words);
}

void Command::one_of(const std::string& name, const std::vector<std::string>& words, std::size_t shown,
                     const std::function<void(std::size_t)>& set, const std::string& help, Need need) {
  const std::vector<std::string> listed(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(shown));
  std::string joined;
  for (const std::string& word : listed) joined += (joined.empty() ? "" : "|") + word;
  const auto choose = [words, listed, set, name](const std::string& word) {
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) throw CLI::ValidationError(name, unknown_choice(word, listed));
    set(static_cast<std::size_t>(found - words.begin()));
  };
  finish(*app_->add_option_function<std::string>(name, choose, help)->required(need == Need::required), joined, listed);
}

void Command::suggest(std::vector<std::string> words) { line_->values[last_].words = std::move(words); }

void Command::epilogue(Epilogue epilogue) {
  app_->footer(footer_of(epilogue));
  line_->epilogues[app_] = std::move(epilogue);
}

void Command::action(std::function<int()> run) {
  app_->callback([run = std::move(run), line = line_] { line->exit_code = run(); });
}

}  // namespace salu::app
