#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <salu/scenario.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "debug/console.hpp"
#include "debug_dap.hpp"
#include "exit_codes.hpp"
#include "history_file.hpp"
#include "line_editor.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "loader/text_file.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "support/names.hpp"
#include "support/replace_file.hpp"

namespace salu::app {
namespace {

struct DebugArguments {
  std::string file;
  LoadOptions load;
  LimitTexts limits;
  loader::ScenarioChoice choice;
  std::optional<u64> wave;
  std::string script;
  u64 history_mebibytes = 128;
  CheckUndefined check_undefined = CheckUndefined::off;
  bool dap = false;
  std::optional<u64> port;
  std::optional<std::string> socket;
  bool token = false;
  ColourChoice colour = ColourChoice::automatic;
};

/// The activity of the console, which decides the effect of Ctrl-C.
enum class Activity : u8 { waiting, typing, executing };

// These are lock-free, because the signal handler must not wait.
std::atomic<debug::Console*> running_console = nullptr;
static_assert(std::atomic<debug::Console*>::is_always_lock_free);
std::atomic<Activity> activity = Activity::waiting;
static_assert(std::atomic<Activity>::is_always_lock_free);
/// The time of the first interrupt of the current command, in nanoseconds; 0: not interrupted.
std::atomic<i64> first_interrupt = 0;
static_assert(std::atomic<i64>::is_always_lock_free);

i64 nanoseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return i64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Stops the current command. Ends the program if no command is running, or if it does not stop within two seconds.
void interrupt(int signal) {
  constexpr i64 patience = 2'000'000'000;
  const Activity now = activity;
  if (now == Activity::typing) return;
  const i64 first = first_interrupt;
  const i64 time = nanoseconds_now();
  if (now == Activity::waiting || (first != 0 && time - first >= patience)) return end_by_signal(signal);
  if (first == 0) first_interrupt = time;
  // Acquire: the console was constructed before the pointer was stored.
  if (debug::Console* const console = running_console.load(std::memory_order_acquire)) console->interrupt();
}

/// Executes a command and flushes its output. An interrupt may stop it.
bool execute(debug::Console& console, const std::string& line) {
  const Activity before = activity;
  first_interrupt = 0;
  activity = Activity::executing;
  const bool good = console.execute(line);
  // A program that sends the commands may wait for the output.
  send_output();
  activity = before;
  return good;
}

/// The size of the terminal; nothing if standard output is not a terminal.
std::optional<debug::ScreenSize> screen_size() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return debug::ScreenSize{size.ws_row, size.ws_col};
}

/// Executes commands typed on the terminal, with history and completion. Sets `asking` to the editor that asks
/// questions meanwhile.
int talk(debug::Console& console, LineEditor*& asking) {
  const KeptTerminal terminal;
  std::optional<HistoryFile> history;
  if (std::optional<HistoryPlace> place = find_history_place()) history.emplace(*std::move(place));
  LineEditor editor([&console](std::string_view line) { return console.complete(line); },
                    history ? history->read() : std::vector<std::string>());
  asking = &editor;
  activity = Activity::typing;
  console.greet();
  send_output();
  while (!console.wants_to_quit()) {
    const LineEditor::Typed typed = editor.read(console.is_collecting() ? "> " : "(salu) ");
    if (typed.kind == LineEditor::Typed::Kind::end) break;
    if (history) history->add(typed.line);
    execute(console, typed.line);
  }
  activity = Activity::waiting;
  asking = nullptr;
  const std::string problem = editor.problem();
  if (problem.empty() || console.wants_to_quit()) return exit_code::good;
  spdlog::error("error: {}", problem);
  return exit_code::usage;
}

/// Opens a file of commands. Returns an error message, or "".
std::string open_commands(const std::string& path, std::ifstream& file) {
  std::error_code error;
  // A directory can be opened too, and would be an empty script.
  if (std::filesystem::is_directory(path, error)) return "it is a directory";
  errno = 0;
  file.open(path);
  return file.is_open() ? "" : std::generic_category().message(errno);
}

/// Reads a file of commands.
Result<std::string> read_commands(const std::string& path) {
  std::ifstream file;
  const std::string problem = open_commands(path, file);
  if (!problem.empty())
    return Error{ErrorCode::io, {}, fmt::format("cannot read {}: {}", support::quote(path), problem), {}};
  std::string text;
  for (int byte = file.get(); byte != std::ifstream::traits_type::eof(); byte = file.get()) {
    text += static_cast<char>(byte);
    if (text.size() > loader::file_limit_bytes)
      return Error{ErrorCode::io, {}, support::quote(path) + " is too large for a file of commands", {}};
  }
  if (loader::find_non_text(text) == std::string::npos) return text;
  return Error{ErrorCode::usage, {}, support::quote(path) + " is not a text file", {}};
}

/// Writes a file for the command `save`, unless it is one of the inputs. Returns an error message, or "".
std::string save_file(const std::string& path, std::string_view text, const std::vector<std::string>& inputs) {
  if (path == "-") return "expected a file name, found `-`";
  std::string problem = output_problem({{"save", path}}, inputs);
  if (!problem.empty()) return problem;
  const std::string reason = support::replace_file(path, text);
  return reason.empty() ? "" : fmt::format("cannot write {}: {}", support::quote(path), reason);
}

/// A script of commands, read line by line on demand.
class Script {
 public:
  /// `most_bytes`: the limit of the script's size.
  Script(std::istream& stream, std::string name, u64 most_bytes)
      : bytes_(*stream.rdbuf()), name_(std::move(name)), most_bytes_(most_bytes) {}

  /// The next line, without its line end; nothing at the end of the script or after an error.
  std::optional<std::string> next() {
    constexpr int end_of_file = std::streambuf::traits_type::eof();
    constexpr std::size_t longest = 65'536;
    std::string line;
    ++number_;
    int byte = bytes_.sbumpc();
    if (byte == end_of_file) return std::nullopt;
    for (; byte != end_of_file; byte = bytes_.sbumpc()) {
      if (++taken_ > most_bytes_)
        return fail(fmt::format("{}: error: too large for a script: the limit is {} MiB", name_, most_bytes_ >> 20),
                    exit_code::bad_input);
      if (byte == '\n') break;
      line += static_cast<char>(byte);
      if (line.size() > longest) return fail_here(fmt::format("the command is longer than {} bytes", longest));
    }
    if (loader::find_non_text(line) != std::string::npos) return fail_here("the command is not text");
    return line;
  }

  /// `FILE:LINE` of the last line returned.
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", name_, number_); }
  /// The exit code of the process: not 0 after an error, which has been printed.
  [[nodiscard]] int code() const { return code_; }

 private:
  std::nullopt_t fail_here(const std::string& problem) {
    return fail(fmt::format("{}: error: {}", place(), problem), exit_code::usage);
  }
  std::nullopt_t fail(const std::string& message, int code) {
    spdlog::error("{}", message);
    code_ = code;
    return std::nullopt;
  }

  std::streambuf& bytes_;
  std::string name_;
  u64 most_bytes_;
  u64 number_ = 0;
  u64 taken_ = 0;
  int code_ = exit_code::good;
};

/// Executes the commands of a script up to the first that fails.
int follow(debug::Console& console, Script script) {
  while (!console.wants_to_quit()) {
    const std::optional<std::string> line = script.next();
    if (!line) break;
    // An empty line in a script does not repeat the last command.
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    if (execute(console, *line)) continue;
    spdlog::error("{}: error: the command {} failed", script.place(), support::quote(*line));
    return exit_code::usage;
  }
  if (script.code() != exit_code::good || !console.is_collecting() || console.wants_to_quit()) return script.code();
  spdlog::error("{}: error: `commands` without `end`", script.place());
  return exit_code::usage;
}

/// Returns an error message for conflicts of --dap, its options and FILE, or "".
std::string dap_problem(const DebugArguments& options) {
  constexpr u64 greatest_port = 65'535;
  if (!options.dap && options.port) return "--port: only with --dap";
  if (!options.dap && options.socket) return "--socket: only with --dap";
  if (options.token && !options.port) return "--token: only with --port";
  if (options.port && options.socket) return "--port and --socket: omit one of them";
  if (!options.dap) return options.file.empty() ? "FILE is required\nSee `salu debug --help`" : "";
  if (!options.script.empty()) return "--command: not with --dap, where the client sends the commands";
  if (options.file == "-") return "--dap reads the client's messages from standard input; name a file instead of `-`";
  if (options.port && *options.port > greatest_port) return fmt::format("--port: expected 0 to {}", greatest_port);
  return "";
}

debug::HistoryOptions history_options(const DebugArguments& options) {
  debug::HistoryOptions history;
  history.history_bytes = options.history_mebibytes << 20;
  history.check_undefined = options.check_undefined;
  return history;
}

int serve_clients(const DebugArguments& options) {
  dap::Launch defaults;
  defaults.program = options.file;
  defaults.choice.document = options.choice.document;
  defaults.choice.row = options.choice.row;
  defaults.wave = options.wave;
  defaults.load = options.load;
  defaults.history = history_options(options);
  DebugClients clients{.socket = options.socket.value_or(""), .need_token = options.token};
  if (options.port) clients.port = static_cast<u16>(*options.port);
  return serve_debug_clients(defaults, clients);
}

int debug_file(DebugArguments& options) {
  std::string problem = read_load_options(options.limits, options.load);
  constexpr u64 most_mebibytes = 65'536;
  if (options.history_mebibytes == 0 || options.history_mebibytes > most_mebibytes)
    problem = fmt::format("--history-memory: expected 1 to {} MiB", most_mebibytes);
  if (!options.dap && options.file == "-" && options.script.empty())
    problem = "standard input is the scenario; read the commands from a file with --command FILE";
  if (problem.empty()) problem = dap_problem(options);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (options.dap) return serve_clients(options);
  std::ifstream script;
  if (!options.script.empty()) {
    const std::string reason = open_commands(options.script, script);
    if (!reason.empty()) {
      spdlog::error("{}: error: cannot read the commands: {}", options.script, reason);
      return exit_code::bad_input;
    }
  }
  // The console must not overwrite any of these.
  std::vector<std::string> inputs = {"-", options.script};
  options.load.files.read = [&inputs](const std::string& path) { inputs.push_back(path); };
  Result<Scenario> chosen = loader::load_one(options.file, options.load, options.choice);
  if (!chosen) {
    spdlog::error("{}", chosen.error().to_string());
    return exit_code_of(chosen.error());
  }
  const Scenario& scenario = *chosen;
  for (const Remark& remark : scenario.remarks) spdlog::warn("{}", remark.to_string());
  const std::vector<std::string>& sources = scenario.program.files;
  inputs.insert(inputs.end(), sources.begin(), sources.end());
  const bool has_terminal = options.script.empty() && isatty(STDIN_FILENO) != 0;
  if (has_terminal) problem = LineEditor::terminal_problem();
  if (const std::optional<HistoryPlace> history = find_history_place(); problem.empty() && has_terminal && history)
    problem = output_problem({{"SALU_HISTORY", history->path}}, inputs);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }

  // A failing write to standard output ends the console with a message and exit code 3, as it ends every command.
  std::signal(SIGPIPE, SIG_IGN);
  const SignalHandler on_interrupt(SIGINT, interrupt);
  const SignalHandler on_quit(SIGQUIT, end_by_signal);
  const SignalHandler on_end(SIGTERM, end_by_signal);
  const SignalHandler on_hangup(SIGHUP, end_by_signal);
  debug::Session session(scenario, history_options(options));
  if (options.wave) {
    if (const auto error = session.start_at_wave(*options.wave)) {
      spdlog::error("{}", error->to_string());
      return exit_code_of(*error);
    }
  }
  LineEditor* editor = nullptr;
  debug::ConsoleHost host;
  host.read_file = [&inputs](const std::string& path) {
    inputs.push_back(path);
    return read_commands(path);
  };
  host.write_file = [&inputs](const std::string& path, std::string_view text) { return save_file(path, text, inputs); };
  if (has_terminal) {
    host.screen = screen_size;
    host.clear_screen = [] { print_data("\x1b[H\x1b[2J"); };
    host.ask = [&editor](std::string_view question) { return editor == nullptr || editor->ask(question); };
  }
  debug::Console console(
      session, [](std::string_view text) { print(text); }, use_colour(options.colour), std::move(host));
  running_console.store(&console, std::memory_order_release);
  constexpr u64 any_size = std::numeric_limits<u64>::max();
  int code = exit_code::good;
  if (!options.script.empty()) {
    code = follow(console, Script(script, options.script, loader::file_limit_bytes));
  } else if (has_terminal) {
    code = talk(console, editor);
  } else {
    // The commands may come from a program that runs for long.
    code = follow(console, Script(std::cin, "<stdin>", any_size));
    // The error of the read that ended the script.
    const int reason = errno;
    if (code == exit_code::good && std::ferror(stdin) != 0) {
      spdlog::error("<stdin>: error: cannot read the commands: {}", std::strerror(reason));
      code = exit_code::bad_input;
    }
  }
  running_console.store(nullptr, std::memory_order_release);
  // On a terminal, the failures have been shown.
  const debug::EndReport* const end = has_terminal ? nullptr : console.last_end();
  if (code == exit_code::good && end != nullptr && !end->failed.empty())
    return exit_code_of(end->stop, *scenario.expect, end->failed);
  return code;
}

}  // namespace

void add_debug(Command& app) {
  Command command = app.add("debug", "step through a program, forwards and backwards");
  const auto options = std::make_shared<DebugArguments>();
  command.argument("FILE", options->file,
                   "scenario (YAML), assembly (.s), words (.hex), binary (.bin) or ELF object; optional with --dap",
                   Command::Need::optional);
  command.option("-c,--command", options->script, "execute the commands in FILE and exit", "FILE");
  add_color_option(command, options->colour);
  add_choice_options(command, options->choice);
  add_wave_option(command, options->wave);
  add_load_options(command, options->load);
  add_approximations_option(command, options->limits);
  add_steps_option(command, options->limits, "stop a command after STEPS instructions (default: 10 million)");
  add_memory_option(command, options->limits);
  command.group(heading::limits);
  command.option("--history-memory", options->history_mebibytes, "memory for reverse execution (default: 128)", "MIB");
  add_undefined_option(command, options->check_undefined);
  add_hazard_options(command, options->load);
  add_race_option(command, options->load);
  command.group("Debug Adapter Protocol");
  command.flag("--dap", options->dap, "serve an editor on standard input and output");
  command.option("--socket", options->socket, "with --dap, listen on a Unix domain socket that only this user can open",
                 "PATH");
  command.option("--port", options->port,
                 "with --dap, listen on a TCP port of 127.0.0.1 for clients of this user (0: any free port)", "PORT");
  command.flag("--token", options->token, "with --port, clients must send a token, which is printed");
  command.epilogue(
      {.notes = "Commands are typed on the terminal, or read from standard input if it is not a terminal; `help` lists "
                "them.",
       .examples = {"salu debug program.yaml",
                    "printf 'break loop if s0 == 3\\ncontinue\\ninfo registers\\n' | salu debug program.yaml",
                    "salu debug --dap --socket ~/.salu.socket"},
       .exit_codes = {
           {exit_code::good, "the commands were executed, or typed on a terminal"},
           {exit_code::expectation_failed, "a script ran the program to its end, and an expectation failed"},
           {exit_code::usage, "wrong usage, or a command of a script failed"},
           {exit_code::bad_input, "bad input, output that cannot be written, or malformed messages with --dap"},
           {exit_code::fault,
            "like 1, but the program faulted; 5, 6 and 7 likewise, with the meaning of `salu run`"}}});
  command.action([options] { return debug_file(*options); });
}

}  // namespace salu::app
