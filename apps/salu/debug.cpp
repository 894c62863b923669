#include <editline/readline.h>
#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <salu/scenario.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "debug/console.hpp"
#include "debug_dap.hpp"
#include "exit_codes.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "output.hpp"
#include "support/names.hpp"

namespace salu::app {
namespace {

struct DebugArguments {
  std::string file;
  LoadOptions load;
  std::optional<std::string> max_steps;
  loader::ScenarioChoice choice;
  std::string script;
  u64 history_mebibytes = 128;
  bool check_undefined = false;
  bool dap = false;
  std::optional<u64> port;
  ColourChoice colour = ColourChoice::automatic;
};

/// What a signal handler can get at: it may wait for nothing.
std::atomic<debug::Console*> running_console = nullptr;
static_assert(std::atomic<debug::Console*>::is_always_lock_free);
/// What the completion of a C library can get at.
const debug::Console* completing_console = nullptr;

/// Whether Ctrl-C was pressed since somebody looked.
volatile std::sig_atomic_t was_interrupted = 0;

void interrupt(int) {
  was_interrupted = 1;
  // What the console is made of was written before it could be found here.
  if (debug::Console* const console = running_console.load(std::memory_order_acquire)) console->interrupt();
}

char* next_completion(const char*, int state) {
  static std::vector<std::string> words;
  if (state == 0) {
    const std::string line(rl_line_buffer, static_cast<std::size_t>(rl_point));
    words = completing_console->complete(line);
  }
  const auto index = static_cast<std::size_t>(state);
  // The library frees it.
  return index < words.size() ? strdup(words[index].c_str()) : nullptr;
}

char** complete(const char* text, int, int) { return rl_completion_matches(text, next_completion); }

/// Commands that somebody types, with history and completion.
void talk(debug::Console& console) {
  completing_console = &console;
  rl_attempted_completion_function = complete;
  using_history();
  console.greet();
  send_output();
  while (!console.wants_to_quit()) {
    was_interrupted = 0;
    const std::unique_ptr<char, decltype(&std::free)> typed(readline("(salu) "), &std::free);
    if (!typed) {
      print("\n");
      send_output();
      // Ctrl-C gives up the line; only the end of the input ends it all.
      if (was_interrupted != 0) continue;
      return;
    }
    const std::string line(typed.get());
    if (line.find_first_not_of(" \t") != std::string::npos) add_history(line.c_str());
    console.execute(line);
    send_output();
  }
}

/// Commands of a script: the first that is wrong ends it.
int follow(debug::Console& console, std::istream& script, const std::string& name) {
  std::string line;
  for (u64 number = 1; !console.wants_to_quit() && std::getline(script, line); ++number) {
    // An empty line of a script repeats nothing.
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const bool good = console.execute(line);
    // Whoever feeds the commands may wait for the answer.
    send_output();
    if (good) continue;
    spdlog::error("{}:{}: error: the command {} failed", name, number, support::quote(line));
    return exit_code::usage;
  }
  return exit_code::good;
}

/// What is wrong with how --dap, --port and FILE go together; nothing when all is well.
std::string dap_problem(const DebugArguments& options) {
  constexpr u64 greatest_port = 65'535;
  if (!options.dap && options.port) return "--port: only with --dap";
  if (!options.dap) return options.file.empty() ? "FILE is required\n`salu debug --help` tells more" : "";
  if (!options.script.empty()) return "--command: not with --dap, where the client says what to do";
  if (options.file == "-") return "with --dap there is no scenario on standard input: that is where the client writes";
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
  defaults.load = options.load;
  defaults.history = history_options(options);
  return serve_debug_clients(defaults, options.port ? std::optional(static_cast<u16>(*options.port)) : std::nullopt);
}

int debug_file(DebugArguments& options) {
  std::string problem = read_max_steps(options.max_steps, options.load);
  if (problem.empty() && !options.load.mcpu.empty()) {
    problem = target_problem(options.load.mcpu);
    if (!problem.empty()) problem = "--mcpu: " + problem;
  }
  constexpr u64 most_mebibytes = 65'536;
  if (options.history_mebibytes == 0 || options.history_mebibytes > most_mebibytes)
    problem = fmt::format("--history-memory: expected 1 to {} MiB", most_mebibytes);
  if (!options.dap && options.file == "-" && options.script.empty())
    problem = "a scenario on standard input leaves no room for commands: give them with --command FILE";
  if (problem.empty()) problem = dap_problem(options);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (options.dap) return serve_clients(options);
  std::ifstream script;
  if (!options.script.empty()) {
    // A folder can be opened, too, and would be a script without commands.
    std::error_code error;
    if (!std::filesystem::is_directory(options.script, error)) script.open(options.script);
    if (!script.is_open()) {
      spdlog::error("{}: error: cannot read the commands", options.script);
      return exit_code::bad_input;
    }
  }
  const Result<Scenario> scenario = loader::load_one(options.file, options.load, options.choice);
  if (!scenario) {
    spdlog::error("{}", scenario.error().to_string());
    return exit_code_of(scenario.error());
  }
  for (const Remark& remark : scenario->remarks) spdlog::warn("{}", remark.to_string());

  debug::Session session(*scenario, history_options(options));
  debug::Console console(session, [](std::string_view text) { print(text); }, use_colour(options.colour));
  running_console.store(&console, std::memory_order_release);
  std::signal(SIGINT, interrupt);
  int code = exit_code::good;
  if (!options.script.empty()) {
    code = follow(console, script, options.script);
  } else if (isatty(STDIN_FILENO) != 0) {
    talk(console);
  } else {
    code = follow(console, std::cin, "<stdin>");
  }
  std::signal(SIGINT, SIG_DFL);
  running_console.store(nullptr, std::memory_order_release);
  return code;
}

}  // namespace

void add_debug(Command& app) {
  Command command = app.add("debug", "Step through a program, forwards and backwards");
  const auto options = std::make_shared<DebugArguments>();
  const Choices<ColourChoice> colours = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  command.argument("FILE", options->file,
                   "scenario (YAML), .s, .hex, .bin or ELF object; with --dap it may be left out",
                   Command::Need::optional);
  command.option("--command,-c", options->script, "execute the commands in a file, and end", "FILE");
  command.option("--document", options->choice.document, "which scenario of a file with several: its number or name",
                 "N");
  command.option("--case", options->choice.row, "a row of the scenario's `cases:`, by its number or name", "ROW");
  add_load_options(command, options->load);
  command.option("--max-steps", options->max_steps, "the most instructions that one command executes", "NUMBER");
  command.flag("--check-undefined", options->check_undefined,
               "warn of reads of registers that nothing has written (slower)");
  command.option("--history-memory", options->history_mebibytes,
                 "what may be kept for going back, in MiB (default: 128)", "MIB");
  command.flag("--dap", options->dap, "serve an editor with the Debug Adapter Protocol, on standard input and output");
  command.option("--port", options->port, "with --dap: on a port of 127.0.0.1 (0: any that is free)", "NUMBER");
  command.choice("--color", options->colour, colours, "colour the text: auto (on a terminal), always or never");
  command.footer(
      "\n`help` in the console lists its commands. Without a terminal they are read from standard input.\n"
      "\nExamples:\n"
      "  salu debug program.yaml\n"
      "  printf 'break loop if s0 == 3\\ncontinue\\ninfo registers\\n' | salu debug program.yaml\n"
      "  salu debug --dap --port 4711\n"
      "\nExit codes: 0, 2 wrong usage or a command of a script failed, 3 bad input, or with --dap messages that are "
      "none.");
  command.action([options] { return debug_file(*options); });
}

}  // namespace salu::app
