#include <fmt/core.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "help_formatter.hpp"
#include "output.hpp"
#include "support/printable.hpp"

namespace {

/// Standard error, in order with standard output if both are the same file.
class OrderedSink : public spdlog::sinks::stderr_sink_st {
 public:
  void log(const spdlog::details::log_msg& message) override {
    salu::app::send_output();
    const std::string text =
        salu::support::printable({message.payload.data(), message.payload.size()}, salu::support::Keep::lines);
    spdlog::details::log_msg shown = message;
    shown.payload = text;
    spdlog::sinks::stderr_sink_st::log(shown);
  }
};

/// The end of the program's help. The help of each command lists the exit codes of that command.
salu::app::Epilogue epilogue() {
  namespace exit_code = salu::app::exit_code;
  return {.notes = "See `salu help COMMAND` for the options of a command.",
          .examples = {{"salu run program.yaml", "run a scenario and print the final state"},
                       {"salu run --mcpu gfx900 --set s1=7 code.s", "run assembly"},
                       {"salu test tests/", "run scenarios and check their expectations"},
                       {"salu equiv f_O0.o f_O2.o --symbol f", "compare two programs on generated inputs"},
                       {"salu prove f_O0.o f_O2.o --symbol f", "prove that they are equal for all inputs"},
                       {"salu sweep code.s --vary s0=0..0xffff", "run a program from many initial states"},
                       {"salu debug program.yaml", "step through it, forwards and backwards"},
                       {"salu report program.yaml -o out.html", "write an HTML page about a run"},
                       {"salu why program.yaml exec[7]", "show which instructions produced a value"},
                       {"salu asm --mcpu gfx900 code.s", "assemble"},
                       {"salu dis --mcpu gfx900 code.hex", "disassemble"},
                       {"salu info kernel.o", "list the kernels and functions of an object"},
                       {"salu targets", "list the supported processors"},
                       {"salu completion bash", "print a shell completion script"}},
          .exit_codes = {{exit_code::good, "success"},
                         {exit_code::expectation_failed, "an expectation failed, or two programs differ"},
                         {exit_code::usage, "wrong usage"},
                         {exit_code::bad_input, "bad input"},
                         {exit_code::fault, "the program faulted"},
                         {exit_code::limit, "a limit of steps, time or memory was reached"},
                         {exit_code::not_executable, "an unsupported instruction was reached"},
                         {exit_code::stopped, "stopped by halt, trap, breakpoint or --strict"}}};
}

/// Returns an error message if the stack limit is too low for the most deeply nested input, or "". The limit applies to
/// threads too.
std::string stack_problem() {
  constexpr rlim_t least_bytes = 256 << 10;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= least_bytes) return {};
  return fmt::format("the stack limit is {} KiB, and salu needs {} KiB; raise it with `ulimit -s`",
                     stack.rlim_cur >> 10, least_bytes >> 10);
}

int run_command_line(int argc, char** argv) {
  using namespace salu::app;
  CLI::App app("a functional emulator of the scalar unit of AMD's GCN GPUs", "salu");
  app.formatter(std::make_shared<HelpFormatter>());
  app.option_defaults()->group(general_options);
  app.require_subcommand(1);
  CommandLine line(app);
  Command commands(line);
  app.set_version_flag("--version", "salu " SALU_VERSION, "print the version and exit");
  commands.epilogue(epilogue());
  add_run(commands);
  add_test(commands);
  add_equiv(commands);
  add_prove(commands);
  add_sweep(commands);
  add_debug(commands);
  add_report(commands);
  add_why(commands);
  add_asm(commands);
  add_dis(commands);
  add_info(commands);
  add_targets(commands);
  add_completion(commands, line);
  add_version(commands);
  add_help(commands, line);
  add_manual(commands, line);
  if (const std::string problem = command_problem(app, argc, argv); !problem.empty()) {
    spdlog::error("error: {}\nSee `salu --help`", problem);
    return exit_code::usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has an exit code for each kind of wrong usage; salu has one for all of them.
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream help;
      app.exit(error, help, help);
      print_help(help.str());
      send_output();
      return exit_code::good;
    }
    spdlog::error("error: {}", explain(error, app));
    return exit_code::usage;
  }
  send_output();
  return line.exit_code;
}

}  // namespace

/// Handles an exception that leaves a destructor: libraries may run out of memory there.
[[noreturn]] void end_uncaught() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    salu::app::end_out_of_memory();
  } catch (...) {  // NOLINT(bugprone-empty-catch): aborts, as without this handler
  }
  std::abort();
}

int main(int argc, char** argv) {
  std::set_terminate(end_uncaught);
  salu::app::prepare_streams();
  try {
    const auto logger = std::make_shared<spdlog::logger>("salu", std::make_shared<OrderedSink>());
    logger->set_pattern("%v");
    spdlog::set_default_logger(logger);
    if (const std::string problem = stack_problem(); !problem.empty()) {
      spdlog::error("error: {}", problem);
      return salu::app::exit_code::bad_input;
    }
    return run_command_line(argc, argv);
  } catch (const std::bad_alloc&) {
    salu::app::end_out_of_memory();
  } catch (const std::exception& exception) {
    spdlog::error("error: {}", exception.what());
    return salu::app::exit_code::bad_input;
  }
}
