#include "command_line.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <thread>

#include "loader/assembly/text_assembler.hpp"
#include "loader/llvm_versions.hpp"
#include "loader/number.hpp"
#include "loader/yaml/named_file.hpp"
#include "loader/yaml/reader.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

std::string unknown_option(std::string_view argument, const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    if (is_hidden(*option)) continue;
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string_view name = argument.substr(0, argument.find('='));
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  return fmt::format("unknown option `{}`{}", name, loader::did_you_mean(name, candidates));
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(command->get_name());
  return names;
}

std::string unknown_command(std::string_view word, const CLI::App& app) {
  const std::vector<std::string> known = command_names(app);
  const std::vector<std::string_view> names(known.begin(), known.end());
  return fmt::format("unknown command `{}`{}; expected {}", word, loader::did_you_mean(word, names),
                     loader::name_list(names));
}

std::string unknown_choice(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  return fmt::format("unknown value `{}`; expected {}", word, loader::name_list(names));
}

std::string read_count(const std::string& option, const std::string& text, const std::string& what, u64& value) {
  constexpr u32 bits = 63;
  const loader::ParsedNumber parsed = loader::parse_number(text);
  if (parsed.number && !parsed.number->negative && parsed.number->fits(bits)) {
    value = parsed.number->low64();
    return {};
  }
  // A note about formats of numbers would not help here.
  const bool has_reason = !parsed.problem.empty() && !parsed.is_float;
  return fmt::format("{} {}: expected {}, 0 to 2^63 - 1{}", option, text, what,
                     has_reason ? "; " + parsed.problem : "");
}

std::string llvm_problem(const std::string& llvm) {
  if (llvm.empty() || loader::is_llvm_version(llvm)) return {};
  return "--llvm " + llvm + ": expected a version of LLVM, as in --llvm 22";
}

std::string read_load_options(const LimitTexts& limits, LoadOptions& options) {
  const std::string unknown = options.mcpu.empty() ? std::string() : target_problem(options.mcpu);
  if (!unknown.empty()) return "--mcpu: " + unknown;
  options.assembly.features = target_features(options.mcpu).value_or("");
  for (const std::string& setting : options.set) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size())
      return "--set " + setting + ": expected NAME=VALUE, as in --set s0=7";
    if (!options.symbol.empty() && setting.substr(0, equals) == "pc")
      return "--symbol and --set " + setting + ": both set the start address; omit one of them";
  }
  if (!options.symbol.empty() && !options.state_file.empty())
    return "--symbol and --state: a state has its own start address; omit one of them";
  for (const std::string& symbol : options.assembly.symbols) {
    if (!loader::parse_definition(symbol)) return "--defsym " + symbol + ": expected NAME=NUMBER, as in --defsym n=4";
  }
  if (const std::string wrong = llvm_problem(options.assembly.llvm); !wrong.empty()) return wrong;
  const std::string no_root = options.files.root ? loader::root_problem(*options.files.root) : std::string();
  if (!no_root.empty()) return "--root: " + no_root;
  if (limits.memory) {
    const loader::ParsedSize size = loader::parse_size(*limits.memory);
    if (!size.bytes) return fmt::format("--max-memory {}: {}", *limits.memory, size.problem);
    options.max_memory_bytes = size.bytes;
  }
  if (limits.approximations) {
    options.approximations = parse_approximations(*limits.approximations);
    if (!options.approximations) {
      return fmt::format("--approximations {}: expected `nearest`, `low`, `high`, `seed=N`, or for `salu test` `all`",
                         *limits.approximations);
    }
  }
  if (!limits.steps) return {};
  u64 steps = 0;
  const std::string problem = read_count("--max-steps", *limits.steps, "a number of instructions", steps);
  if (problem.empty()) options.max_steps = steps;
  return problem;
}

std::string read_step_range(const std::string& option, const std::string& text, u64& first, u64& last) {
  const std::size_t dots = text.find("..");
  const std::string from = text.substr(0, dots);
  const std::string to = dots == std::string::npos ? from : text.substr(dots + 2);
  if (from.empty() && to.empty()) {
    return fmt::format("{} {}: expected FIRST..LAST; either end may be omitted, steps are counted from 1", option,
                       text);
  }
  std::string problem;
  if (!from.empty()) problem = read_count(option, from, "the number of the first step", first);
  if (problem.empty() && !to.empty()) problem = read_count(option, to, "the number of the last step", last);
  if (problem.empty() && (first == 0 || last < first)) {
    return fmt::format("{} {}: expected a first step of at least 1, and a last step that is not before it", option,
                       text);
  }
  return problem;
}

void add_load_options(Command& command, LoadOptions& load) {
  const Choices<OnVector> on_vector = {{"run", OnVector::run}, {"stop", OnVector::stop}, {"skip", OnVector::skip}};
  {
    const OptionGroup group(command, heading::program);
    add_target_option(command, "--mcpu", load.mcpu, "processor or generation, see `salu targets`");
    command.option("--symbol", load.symbol,
                   "start at this ELF symbol or label (default: the first function or instruction)", "NAME");
    command.repeatable("--set", load.set, "set a register, e.g. s0=7; may be repeated", "NAME=VALUE");
    command.option("--state", load.state_file, "start from a state written by `salu run --format yaml`", "FILE");
    command.choice("--on-vector", load.on_vector, on_vector,
                   "run vector instructions, stop the run there or skip them (default: run)");
  }
  add_root_option(command, load);
  add_assembly_options(command, load.assembly);
}

void add_choice_options(Command& command, loader::ScenarioChoice& choice) {
  const OptionGroup group(command, heading::program);
  command.option("--document", choice.document, "scenario of a file with several, by number or name", "N|NAME");
  command.option("--case", choice.row, "row of the scenario's `cases:`, by number or name", "N|NAME");
}

void add_color_option(Command& command, ColourChoice& colour) {
  const OptionGroup group(command, heading::output);
  const Choices<ColourChoice> colours = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  command.choice("--color", colour, colours, "colour text: auto (on a terminal), always or never (default: auto)");
}

void add_target_option(Command& command, const std::string& name, std::string& target, const std::string& help,
                       Command::Need need) {
  command.option(name, target, help, "TARGET", need);
  std::vector<std::string> names;
  for (const Target& each : targets()) names.emplace_back(each.name);
  command.suggest(std::move(names));
}

void add_llvm_option(Command& command, std::string& llvm) {
  command.option("--llvm", llvm, "version of LLVM's tools (default: the newest installed)", "VERSION");
}

void add_assembly_options(Command& command, AssemblyOptions& assembly) {
  const OptionGroup group(command, heading::assembler);
  const Choices<Assembler> assemblers = {
      {"auto", Assembler::automatic}, {"salu", Assembler::salu}, {"llvm", Assembler::llvm}};
  command.choice("--assembler", assembly.assembler, assemblers,
                 "assembler to use: salu, llvm (llvm-mc) or auto, salu with llvm as the fallback (default: auto)");
  add_llvm_option(command, assembly.llvm);
  command.repeatable("-I,--include", assembly.include_folders, "search DIR for included files; may be repeated", "DIR");
  command.repeatable("--defsym", assembly.symbols, "define a symbol before assembling; may be repeated", "NAME=NUMBER");
}

void add_root_option(Command& command, LoadOptions& load) {
  const OptionGroup group(command, heading::program);
  command.option("--root", load.files.root, "only allow `file:` paths inside DIR", "DIR");
}

void add_steps_option(Command& command, LimitTexts& limits, const std::string& help) {
  const OptionGroup group(command, heading::limits);
  command.option("--max-steps", limits.steps,
                 help.empty() ? "stop a run after STEPS instructions (default: 10 million)" : help, "STEPS");
}

void add_memory_option(Command& command, LimitTexts& limits) {
  const OptionGroup group(command, heading::limits);
  command.option("--max-memory", limits.memory, "memory limit of a run, e.g. 64MiB (default: 512MiB)", "SIZE");
}

void add_engine_option(Command& command, Engine& engine) {
  const Choices<Engine> engines = {{"batch", Engine::batch}, {"scalar", Engine::scalar}};
  const Choices<Engine> older = {{"lanes", Engine::batch}};
  command.choice("--engine", engine, engines,
                 "run many states at once if possible (batch), or one after the other (scalar); the results are the "
                 "same (default: batch)",
                 Command::Need::optional, older);
}

void add_jobs_option(Command& command, u32& jobs) {
  jobs = std::max(1U, std::thread::hardware_concurrency());
  command.option("-j,--jobs", jobs, "number of threads (default: one per processor)", "N");
}

std::string jobs_problem(u32 jobs) {
  constexpr u32 most_jobs = 1024;
  if (jobs <= most_jobs) return {};
  return fmt::format("-j {}: expected 1 to {} threads", jobs, most_jobs);
}

void add_wave_option(Command& command, std::optional<u64>& wave) {
  const OptionGroup group(command, heading::program);
  command.option("--wave", wave, "wave N of a kernel with `waves: all`, counted from 0", "N");
}

void add_run_options(Command& command, LimitTexts& limits, LoadOptions& load, bool& strict,
                     CheckUndefined& check_undefined) {
  add_steps_option(command, limits);
  add_memory_option(command, limits);
  {
    const OptionGroup group(command, heading::limits);
    command.option("--max-time", load.max_seconds, "stop a run after SECONDS of wall-clock time (default: none)",
                   "SECONDS");
  }
  {
    const OptionGroup group(command, heading::checks);
    command.flag("--strict", strict, "stop at the first warning");
  }
  add_undefined_option(command, check_undefined);
  add_hazard_options(command, load);
  add_race_option(command, load);
}

void add_approximations_option(Command& command, LimitTexts& limits) {
  const OptionGroup group(command, heading::program);
  command.option("--approximations", limits.approximations,
                 "rounding of results that hardware approximates, such as reciprocals: nearest, low, high or seed=N "
                 "(default: nearest)",
                 "ROUNDING");
  command.suggest({"nearest", "low", "high"});
}

void add_race_option(Command& command, LoadOptions& load) {
  const OptionGroup group(command, heading::checks);
  command.flag("--check-races", load.check_races,
               "warn about data races of waves and lanes, and about divergent barriers");
}

void add_hazard_options(Command& command, LoadOptions& load) {
  {
    const OptionGroup group(command, heading::checks);
    command.flag("--check-hazards", load.check_hazards, "warn about results used before the hardware has written them");
  }
  add_xnack_option(command, load.xnack);
}

void add_xnack_option(Command& command, std::optional<bool>& xnack) {
  const OptionGroup group(command, heading::checks);
  const Choices<bool> choices = {{"on", true}, {"off", false}};
  command.choice("--xnack", xnack, choices,
                 "with --check-hazards: assume that memory accesses may be replayed (default: as in the object)");
}

void add_undefined_option(Command& command, CheckUndefined& check_undefined) {
  const OptionGroup group(command, heading::checks);
  constexpr std::array values = {CheckUndefined::bits, CheckUndefined::reads};
  command.flag_one_of(
      "--check-undefined", {"bits", "reads"},
      [&check_undefined, values](std::size_t i) { check_undefined = values[i]; },
      "warn when a branch, address or result depends on undefined bits (=bits, the default), or on every read of an "
      "unwritten register (=reads)");
}

std::string command_problem(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2) {
    const std::vector<std::string> known = command_names(app);
    return "no command; expected " + loader::name_list(std::vector<std::string_view>(known.begin(), known.end()));
  }
  const std::string_view word = argv[1];
  if (word.starts_with('-')) {
    return app.get_option_no_throw(std::string(word)) == nullptr ? unknown_option(word, app) : std::string();
  }
  const bool is_known = !app.get_subcommands([&](const CLI::App* each) { return each->get_name() == word; }).empty();
  return is_known ? std::string() : unknown_command(word, app);
}

std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string help =
      fmt::format("\nSee `{}{} --help`", chosen.empty() ? "" : app.get_name() + " ", command.get_name());
  // A required argument may be missing because an unknown option was given in its place.
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (is_missing || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> rest = command.remaining(true);
    if (!rest.empty() && rest.front().starts_with('-')) return unknown_option(rest.front(), command) + help;
    if (!rest.empty() && !is_missing) return fmt::format("unexpected argument `{}`{}", rest.front(), help);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    // CLI11's message has no dashes and calls the value an override.
    const std::string text = error.what();
    const std::size_t name_ends = text.find(" was given a disallowed flag override");
    const std::string dashes = name_ends == 1 ? "-" : "--";
    if (name_ends != std::string::npos) return dashes + text.substr(0, name_ends) + ": takes no value" + help;
  }
  return error.what() + help;
}

}  // namespace salu::app
