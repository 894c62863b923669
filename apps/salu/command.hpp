#pragma once

#include <salu/integer.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name of the library's namespace
class App;
class Option;
}  // namespace CLI

namespace salu::app {

/// The values of an option by the words that stand for them.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// What a value is the name of, by what help puts for it.
enum class Named { nothing, file, folder };
Named named_by(std::string_view metavar);

/// The default heading of options in help. CLI11's own default depends on its version.
inline constexpr const char* general_options = "Options";

/// What help says of a command behind its options.
struct Epilogue {
  struct Example {
    Example(const char* line, const char* effect = "") : command(line), what(effect) {}
    std::string command;
    std::string what;  ///< it does; may be empty
  };
  std::string notes;
  std::vector<Example> examples;
  std::vector<std::pair<int, std::string>> exit_codes;
};

/// An application, and what is known of its commands beside what CLI11 keeps: help, manual pages and the completion of
/// shells are made of both.
struct CommandLine {
  struct Value {
    std::string name;                ///< what stands for it in help
    std::vector<std::string> words;  ///< what shells offer for it
  };
  explicit CommandLine(CLI::App& application) : app(application) {}

  CLI::App& app;
  int exit_code = 0;  ///< what the command returned that the user chose
  std::map<const CLI::Option*, Value> values{};
  std::map<const CLI::App*, Epilogue> epilogues{};
};

/// A command of the command line, or the application that they belong to. CLI11 stays behind it: its headers take
/// longer to compile than any of the commands.
///
/// Options are named as CLI11 takes names, `-o,--output`. What they set has to live as long as the application.
/// `metavar` is what help puts for the value; without one it says what type it has. Shells complete the names of files
/// and folders, which FILE and PATH, the arguments A and B of two programs, and DIR are. A text has letters: an empty
/// one is the variable of a script that is not set.
class Command {
 public:
  enum class Need : bool { optional, required };

  /// The application itself.
  explicit Command(CommandLine& line) : Command(line.app, line) {}

  /// A subcommand.
  [[nodiscard]] Command add(const std::string& name, const std::string& description);
  /// One that only the build uses: help does not show it.
  [[nodiscard]] Command add_hidden(const std::string& name, const std::string& description);

  void argument(const std::string& name, std::string& value, const std::string& help, Need need = Need::required);
  /// One or more.
  void argument(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void option(const std::string& names, std::string& value, const std::string& help, const std::string& metavar = {},
              Need need = Need::optional);
  void option(const std::string& names, std::optional<std::string>& value, const std::string& help,
              const std::string& metavar = {});
  /// How long something may take: above 0.
  void option(const std::string& names, std::optional<double>& value, const std::string& help,
              const std::string& metavar = {});
  void option(const std::string& names, std::optional<u64>& value, const std::string& help,
              const std::string& metavar = {});
  /// A count: 1 or more.
  void option(const std::string& names, u32& value, const std::string& help, const std::string& metavar = {});
  void option(const std::string& names, u64& value, const std::string& help, const std::string& metavar = {});
  /// May be given several times.
  void repeatable(const std::string& names, std::vector<std::string>& values, const std::string& help,
                  const std::string& metavar);
  /// The same, and may have several values with commas between them.
  void list(const std::string& names, std::vector<std::string>& values, const std::string& help,
            const std::string& metavar);
  void flag(const std::string& names, bool& value, const std::string& help);
  /// An option that stands alone, or with one of some words: `--name`, `--name=word`. Alone it is the first of them.
  void flag_one_of(const std::string& name, const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& set, const std::string& help);
  /// One of a few words. `older`: former spellings, which are accepted and not shown.
  template <class T, class Variable>
  void choice(const std::string& name, Variable& variable, const Choices<T>& choices, const std::string& help,
              Need need = Need::optional, const Choices<T>& older = {}) {
    Choices<T> all = choices;
    all.insert(all.end(), older.begin(), older.end());
    std::vector<std::string> words;
    for (const auto& each : all) words.push_back(each.first);
    one_of(
        name, words, choices.size(), [&variable, all](std::size_t index) { variable = all[index].second; }, help, need);
  }
  /// Shells offer these words for what was declared last; others are taken as well.
  void suggest(std::vector<std::string> words);

  /// The heading in help of the options that follow; empty: help does not show them.
  void group(const std::string& name) { group_ = name; }
  /// Ends the help text.
  void epilogue(Epilogue epilogue);
  /// Runs when the user chose this command, while the command line is parsed.
  void action(std::function<int()> run);

 private:
  Command(CLI::App& app, CommandLine& line) : app_(&app), line_(&line) {}
  /// The first `shown` words are those that help, errors and shells list.
  void one_of(const std::string& name, const std::vector<std::string>& words, std::size_t shown,
              const std::function<void(std::size_t)>& set, const std::string& help, Need need);
  void finish(CLI::Option& option, const std::string& metavar, std::vector<std::string> words = {});

  CLI::App* app_;
  CommandLine* line_;
  std::optional<std::string> group_;
  CLI::Option* last_ = nullptr;
};

}  // namespace salu::app
