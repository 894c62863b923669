#pragma once

#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "output.hpp"

namespace CLI {
class ParseError;
}

/// Error messages of the command line, and options and values that several commands share.
namespace salu::app {

/// `` unknown value `xml`; expected `text`, `yaml` or `json` ``.
std::string unknown_choice(std::string_view word, const std::vector<std::string>& known);

/// Reads a number, 0 to 2^63 - 1, that `what` names: `a number of instructions`. Returns an error message, or "".
std::string read_count(const std::string& option, const std::string& text, const std::string& what, u64& value);

/// Limits and settings of a run as the user wrote them.
struct LimitTexts {
  std::optional<std::string> steps;
  std::optional<std::string> memory;
  std::optional<std::string> approximations;
};

/// Reads --max-steps, --max-memory and --approximations, and checks --mcpu, --set, --defsym and --root. Returns an
/// error message, or "".
std::string read_load_options(const LimitTexts& limits, LoadOptions& options);

/// Reads a range of steps, counted from 1: `100..200`, `100..`, `..200`, `100`. An omitted end keeps its value. Returns
/// an error message, or "".
std::string read_step_range(const std::string& option, const std::string& text, u64& first, u64& last);

/// Adds the options that select the processor, the code and the initial state. `load` must live as long as the
/// application.
void add_load_options(Command& command, LoadOptions& load);

/// Adds --document and --case, for commands that run one scenario.
void add_choice_options(Command& command, loader::ScenarioChoice& choice);

/// Adds --color.
void add_color_option(Command& command, ColourChoice& colour);

/// Adds an option that takes a target.
void add_target_option(Command& command, const std::string& name, std::string& target, const std::string& help,
                       Command::Need need = Command::Need::optional);

/// Adds the limits and checks of a run.
void add_run_options(Command& command, LimitTexts& limits, LoadOptions& load, bool& strict,
                     CheckUndefined& check_undefined);
/// Adds --check-undefined, which may have a value: --check-undefined=reads.
void add_undefined_option(Command& command, CheckUndefined& check_undefined);

/// Adds --approximations.
void add_approximations_option(Command& command, LimitTexts& limits);

/// Adds --check-races.
void add_race_option(Command& command, LoadOptions& load);
/// Adds --check-hazards and --xnack.
void add_hazard_options(Command& command, LoadOptions& load);

/// Adds --xnack.
void add_xnack_option(Command& command, std::optional<bool>& xnack);

/// Adds --max-steps. `help` describes the limit.
void add_steps_option(Command& command, LimitTexts& limits, const std::string& help = {});

/// Adds --max-memory.
void add_memory_option(Command& command, LimitTexts& limits);

/// Adds --engine, for commands that run a program from many states.
void add_engine_option(Command& command, Engine& engine);

/// Adds --jobs and sets its default.
void add_jobs_option(Command& command, u32& jobs);
/// Returns an error message for a number of threads above the limit, or "".
std::string jobs_problem(u32 jobs);

/// Adds --wave, for commands that show one wave.
void add_wave_option(Command& command, std::optional<u64>& wave);

/// Adds --llvm.
void add_llvm_option(Command& command, std::string& llvm);
/// Returns an error message for an invalid version of --llvm, or "".
std::string llvm_problem(const std::string& llvm);

/// Adds the options of the assembler.
void add_assembly_options(Command& command, AssemblyOptions& assembly);

/// Adds --root, which restricts the files that scenarios may name.
void add_root_option(Command& command, LoadOptions& load);

/// The names of the commands that help shows.
std::vector<std::string> command_names(const CLI::App& app);

/// `` unknown command `rum`; did you mean `run`? ``
std::string unknown_command(std::string_view word, const CLI::App& app);

/// Checks the first word of the command line. Returns an error message, or "" if it names a command or is an option of
/// `app` itself.
std::string command_problem(const CLI::App& app, int argc, const char* const* argv);

/// Explains a parse error, without `error:`.
std::string explain(const CLI::ParseError& error, const CLI::App& app);

}  // namespace salu::app
