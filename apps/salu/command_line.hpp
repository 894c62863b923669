#pragma once

#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace CLI {
class ParseError;
}

/// Messages of the command line that say what to do, and values that several commands read.
namespace salu::app {

/// `` `xml` is not known; expected `text`, `yaml` or `json` ``.
std::string unknown_choice(std::string_view word, const std::vector<std::string>& known);

/// Reads a number, 0 to 2^63 - 1, that is `what`: `a number of instructions`. Returns what is wrong, or nothing.
std::string read_count(const std::string& option, const std::string& text, const std::string& what, u64& value);

/// Limits of a run as they are written.
struct LimitTexts {
  std::optional<std::string> steps;
  std::optional<std::string> memory;
};

/// Reads --max-steps and --max-memory like `limits:`. Returns what is wrong with them, --mcpu, --set, --defsym or
/// --root, or nothing.
std::string read_load_options(const LimitTexts& limits, LoadOptions& options);

/// Reads steps counted from 1: `100..200`, `100..`, `..200`, `100`. What is left out keeps its value. Returns what is
/// wrong, or nothing.
std::string read_step_range(const std::string& option, const std::string& text, u64& first, u64& last);

/// Adds the options that say what code runs, on what processor and from what state. `load` has to live as long as the
/// application.
void add_load_options(Command& command, LoadOptions& load);

/// Adds an option that takes a target.
void add_target_option(Command& command, const std::string& name, std::string& target, const std::string& help,
                       Command::Need need = Command::Need::optional);

/// Adds the options about how far a run goes, and what it looks at on the way.
void add_run_options(Command& command, LimitTexts& limits, LoadOptions& load, bool& strict,
                     CheckUndefined& check_undefined);
/// --check-undefined, --check-undefined=reads.
void add_undefined_option(Command& command, CheckUndefined& check_undefined);

/// Adds --check-hazards and --xnack.
void add_hazard_options(Command& command, LoadOptions& load);

/// Adds --xnack.
void add_xnack_option(Command& command, std::optional<bool>& xnack);

/// Adds --max-memory.
void add_memory_option(Command& command, LimitTexts& limits);

/// Adds --engine, for commands that run a program from many states.
void add_engine_option(Command& command, Engine& engine);

/// Adds --jobs, and gives it its default.
void add_jobs_option(Command& command, u32& jobs);
/// What is wrong with a number of threads, or nothing.
std::string jobs_problem(u32 jobs);

/// Adds --wave, for commands that show one wave.
void add_wave_option(Command& command, std::optional<u64>& wave);

/// Adds --llvm.
void add_llvm_option(Command& command, std::string& llvm);
/// Describes an invalid version of --llvm; empty for a valid one.
std::string llvm_problem(const std::string& llvm);

/// Adds the options about how text is assembled.
void add_assembly_options(Command& command, AssemblyOptions& assembly);

/// Adds --root, which holds for what scenarios name.
void add_root_option(Command& command, LoadOptions& load);

/// What is wrong with the word that should name a command: nothing when it does, or is an option of `app` itself.
std::string command_problem(const CLI::App& app, int argc, const char* const* argv);

/// What a parse error means and what to do, without `error:`.
std::string explain(const CLI::ParseError& error, const CLI::App& app);

}  // namespace salu::app
