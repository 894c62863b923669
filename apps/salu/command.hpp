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

/// The values of an option by the words that denote them.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// The kind of name that a value is, by its metavariable in help.
enum class Named { nothing, file, folder };
Named named_by(std::string_view metavar);

/// True for an argument that takes any number of values.
bool is_repeatable_argument(const CLI::Option& option);

/// The default heading of options in help. CLI11's own default depends on its version.
inline constexpr const char* general_options = "Options";
/// The heading of options that help, manual pages and shells do not list. CLI11 omits the name of an option without a
/// heading from errors.
inline constexpr std::string_view hidden_group = "(hidden)";
bool is_hidden(const CLI::Option& option);

/// Headings of options that several commands have.
namespace heading {
inline constexpr const char* program = "Program and initial state";
inline constexpr const char* assembler = "Assembler";
inline constexpr const char* limits = "Limits";
inline constexpr const char* checks = "Checks";
inline constexpr const char* output = "Output";
}  // namespace heading

/// The end of a command's help, after the options.
struct Epilogue {
  struct Example {
    Example(const char* line, const char* effect = "") : command(line), what(effect) {}
    std::string command;
    std::string what;  ///< its effect; may be empty
  };
  std::string notes;
  std::vector<Example> examples;
  std::vector<std::pair<int, std::string>> exit_codes;
};

/// An application, with the facts about its commands that CLI11 does not store. Help, manual pages and shell
/// completions are generated from both.
struct CommandLine {
  struct Value {
    std::string name;                ///< its metavariable in help
    std::vector<std::string> words;  ///< the values that shells offer
  };
  explicit CommandLine(CLI::App& application) : app(application) {}

  CLI::App& app;
  int exit_code = 0;  ///< of the chosen command
  std::map<const CLI::Option*, Value> values{};
  std::map<const CLI::App*, Epilogue> epilogues{};
};

/// A command, or the application itself. Hides CLI11, whose headers take longer to compile than any of the commands.
///
/// Options are named as in CLI11: `-o,--output`. The variables that they set must live as long as the application.
/// `metavar` denotes the value in help. Shells complete file names for FILE, PATH, A and B, and directories for DIR.
/// An empty text is an error: it is usually an unset variable of a script.
class Command {
 public:
  enum class Need : bool { optional, required };

  /// The application itself.
  explicit Command(CommandLine& line);

  /// A subcommand.
  [[nodiscard]] Command add(const std::string& name, const std::string& description);
  /// A subcommand for the build, which help does not show.
  [[nodiscard]] Command add_hidden(const std::string& name, const std::string& description);

  void argument(const std::string& name, std::string& value, const std::string& help, Need need = Need::required);
  /// An argument that takes one or more values.
  void argument(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void option(const std::string& names, std::string& value, const std::string& help, const std::string& metavar,
              Need need = Need::optional);
  void option(const std::string& names, std::optional<std::string>& value, const std::string& help,
              const std::string& metavar);
  /// A duration in seconds, above 0.
  void option(const std::string& names, std::optional<double>& value, const std::string& help,
              const std::string& metavar);
  void option(const std::string& names, std::optional<u64>& value, const std::string& help, const std::string& metavar);
  /// A count: 1 or more.
  void option(const std::string& names, u32& value, const std::string& help, const std::string& metavar);
  void option(const std::string& names, u64& value, const std::string& help, const std::string& metavar);
  /// An option that may be repeated.
  void repeatable(const std::string& names, std::vector<std::string>& values, const std::string& help,
                  const std::string& metavar);
  /// An option that may be repeated and takes comma-separated values.
  void list(const std::string& names, std::vector<std::string>& values, const std::string& help,
            const std::string& metavar);
  void flag(const std::string& names, bool& value, const std::string& help);
  /// An option with an optional value out of `words`: `--name`, which selects the first word, or `--name=word`.
  void flag_one_of(const std::string& name, const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& set, const std::string& help);
  /// An option or argument with one of a few words as its value. `older`: former spellings, accepted but not shown.
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
  /// Words that shells offer for the option or argument declared last; other values are accepted as well.
  void suggest(std::vector<std::string> words);

  /// Sets the heading of the following options in help. Returns the previous heading.
  std::string group(std::string name) { return std::exchange(group_, std::move(name)); }
  /// Declares hidden options: former names, and options for tests.
  template <class Declare>
  void hidden(Declare declare) {
    const std::string before = group(std::string(hidden_group));
    declare();
    group(before);
  }
  void epilogue(Epilogue epilogue);
  /// The action of this command, which runs while the command line is parsed.
  void action(std::function<int()> run);

 private:
  Command(CLI::App& app, CommandLine& line) : app_(&app), line_(&line) {}
  /// Help, errors and shells list the first `shown` words.
  void one_of(const std::string& name, const std::vector<std::string>& words, std::size_t shown,
              const std::function<void(std::size_t)>& set, const std::string& help, Need need);
  void finish(CLI::Option& option, const std::string& metavar, std::vector<std::string> words = {});
  void add_help();

  CLI::App* app_;
  CommandLine* line_;
  std::string group_ = general_options;
  CLI::Option* last_ = nullptr;
};

/// Puts the options of a command that are declared during its lifetime under a heading of help.
class OptionGroup {
 public:
  OptionGroup(Command& command, std::string name) : command_(command), before_(command.group(std::move(name))) {}
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;
  ~OptionGroup() { command_.group(std::move(before_)); }

 private:
  Command& command_;
  std::string before_;
};

}  // namespace salu::app
