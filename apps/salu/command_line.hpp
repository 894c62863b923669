#pragma once

#include <salu/scenario.hpp>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the command line needs beyond CLI11: options with a fixed set of values, and messages that say what to do.
namespace salu::app {

/// The values of an option by the words that stand for them.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// `` `xml` is not known; expected `text`, `yaml` or `json` ``.
std::string unknown_choice(std::string_view word, const std::vector<std::string>& known);

/// Adds an option that takes one of a few words and sets `variable`, which has to live as long as the application.
template <class T, class Variable>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Variable& variable, const Choices<T>& choices,
                        const std::string& description) {
  std::string words;
  for (const auto& choice : choices) words += (words.empty() ? "" : "|") + choice.first;
  const auto set = [&variable, choices, name](const std::string& word) {
    std::vector<std::string> known;
    for (const auto& [text, value] : choices) {
      if (text == word) {
        variable = value;
        return;
      }
      known.push_back(text);
    }
    throw CLI::ValidationError(name, unknown_choice(word, known));
  };
  return app.add_option_function<std::string>(name, set, description)->option_text(words);
}

/// Reads a count, 0 to 2^63 - 1, of something (`of instructions`; may be empty). Returns what is wrong, or nothing.
std::string read_count(const std::string& option, const std::string& text, const std::string& of_what, u64& value);

/// Reads --max-steps like `limits: {steps: ...}`. Returns what is wrong, or nothing.
std::string read_max_steps(const std::optional<std::string>& text, LoadOptions& options);

/// What is wrong with the word that should name a command: nothing when it does, or is an option of `app` itself.
std::string command_problem(const CLI::App& app, int argc, const char* const* argv);

/// What a parse error means and what to do, without `error:`.
std::string explain(const CLI::ParseError& error, const CLI::App& app);

}  // namespace salu::app
