#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct Options {
  std::vector<std::string> files;
  LoadOptions load;
  std::optional<std::string> max_steps;  ///< as written
  std::string row;                       ///< of a table: its name, or its number from 1
  ReportFormat format = ReportFormat::text;
  ColourChoice colour = ColourChoice::automatic;
  Dispatch dispatch = Dispatch::best;
  bool strict = false;
  bool check = false;
  bool check_undefined = false;
  bool trace = false;
  bool all_registers = false;
  bool quiet = false;
};

/// `0x1000: s_add_u32 s0, s1, s2    s1=0x7 s2=0x3 -> s0=0xa scc=0  ; note`
std::string trace_line(const TraceEvent& event) {
  constexpr std::size_t text_column = 48;
  std::string line = fmt::format("{:#x}: {}", event.pc, event.instruction);
  const bool has_more = !event.reads.empty() || !event.writes.empty() || !event.note.empty();
  if (has_more) line.resize(std::max(line.size() + 2, text_column), ' ');
  line.append(event.reads);
  if (!event.writes.empty()) line.append(event.reads.empty() ? "-> " : " -> ").append(event.writes);
  if (!event.note.empty()) line.append("  ; ").append(event.note);
  return line + "\n";
}

/// `// dot.c:12`, where the source line is another one than before; `before` keeps it. Assembly of the scenario's own
/// file has none: its text is the instruction's.
std::string source_line(const Scenario& scenario, u64 address, const LineEntry*& before) {
  const Program& program = scenario.program;
  const LineEntry* const entry = program.find_line(address);
  if (entry == nullptr) return {};
  const bool is_new = before == nullptr || before->file != entry->file || before->line != entry->line;
  before = entry;
  if (!is_new || program.files[entry->file] == scenario.file) return {};
  return "// " + program.files[entry->file] + ":" + std::to_string(entry->line) + "\n";
}

class Runner {
 public:
  explicit Runner(const Options& options)
      : options_(options), report_options_{use_colour(options.colour), options.all_registers} {}

  void run_file(const std::string& path) {
    std::vector<Result<Scenario>> scenarios = load_file(path, options_.load);
    for (Result<Scenario>& scenario : scenarios) {
      if (scenario) {
        run_row(*scenario);
      } else {
        report_failure(scenario.error());
      }
      // The next one may need the room.
      scenario = Error{};
    }
  }

  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  void report_failure(const Error& error) {
    if (options_.format == ReportFormat::json && !options_.quiet) {
      print(report_error(error, ReportFormat::json));
    } else if (options_.quiet && !error.remarks.empty()) {
      Error alone = error;
      alone.remarks.clear();
      spdlog::error("{}", alone.to_string());
    } else {
      spdlog::error("{}", error.to_string());
    }
    count(exit_code_of(error));
  }

  /// The scenario itself, or the row of its table that the user wants.
  void run_row(const Scenario& scenario) {
    if (scenario.cases == nullptr && options_.row.empty()) return run_scenario(scenario);
    const bool wants_row = !options_.row.empty();
    const std::optional<std::size_t> row =
        wants_row && scenario.cases != nullptr ? scenario.cases->find(options_.row) : std::nullopt;
    if (row) return run_scenario(case_scenario(scenario, *row));
    if (wants_row) {
      const std::string problem =
          scenario.cases == nullptr
              ? "the scenario has no `cases:`"
              : "there is no row " + options_.row + " in `cases:`, which has " + std::to_string(scenario.cases->rows());
      return report_failure(Error{ErrorCode::usage, {scenario.file}, "--case " + options_.row + ": " + problem, {}});
    }
    if (options_.check) {
      const std::string message = "--check: the rows of `cases:` are not run here; --case ROW checks one of the " +
                                  std::to_string(scenario.cases->rows()) + ", `salu test` all";
      return report_failure(Error{ErrorCode::usage, scenario.cases->where, message, {}});
    }
    if (!options_.quiet) {
      spdlog::warn("{}", Remark{scenario.cases->where,
                                "the rows of `cases:` are not run; --case N runs one of them, `salu test` all",
                                {}}
                             .to_string());
    }
    run_scenario(scenario);
  }

  void run_scenario(const Scenario& scenario) {
    for (const Remark& remark : scenario.remarks) {
      if (!options_.quiet) spdlog::warn("{}", remark.to_string());
    }
    RunOptions run_options = scenario.options;
    run_options.strict = options_.strict;
    run_options.check_undefined = options_.check_undefined;
    run_options.dispatch = options_.dispatch;
    const bool text = options_.format == ReportFormat::text;
    if (options_.trace) {
      // Beside a machine-readable result the trace would spoil it.
      std::FILE* stream = text ? stdout : stderr;
      const LineEntry* place = nullptr;
      run_options.trace = [stream, &scenario, place](const TraceEvent& event) mutable {
        const std::string line = source_line(scenario, event.pc, place) + trace_line(event);
        std::fwrite(line.data(), 1, line.size(), stream);
      };
    }
    if (text && printed_ && !options_.quiet) print("\n");
    const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, run_options);
    const bool checked = options_.check && scenario.expect.has_value();
    std::vector<Mismatch> mismatches;
    if (checked) mismatches = salu::check(*scenario.expect, outcome);
    if (options_.trace && text) print("\n");
    if (!options_.quiet) {
      print(report_outcome(scenario, outcome, options_.format, checked ? &mismatches : nullptr, report_options_));
      if (text && options_.check && !checked) print("nothing to check: the scenario has no `expect:`\n");
    }
    printed_ = true;
    send_output();
    count(checked ? exit_code_of(outcome.stop, *scenario.expect, mismatches) : exit_code_of(outcome.stop));
  }

  void count(int code) { exit_code_ = std::max(exit_code_, code); }

  const Options& options_;
  ReportOptions report_options_;
  bool printed_ = false;
  int exit_code_ = exit_code::good;
};

int run_all(Options& options) {
  std::string problem = read_max_steps(options.max_steps, options.load);
  const std::string unknown = options.load.mcpu.empty() ? std::string() : target_problem(options.load.mcpu);
  if (!unknown.empty()) problem = "--mcpu: " + unknown;
  for (const std::string& setting : options.load.set) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size()) {
      problem = "--set " + setting + ": expected NAME=VALUE, as in --set s0=7";
    }
  }
  if (!has_dispatch(options.dispatch)) problem = "--dispatch: this build does not have that loop";
  if (std::ranges::count(options.files, "-") > 1) problem = "standard input (-) can be read once only";
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  Runner runner(options);
  for (const std::string& file : options.files) runner.run_file(file);
  return runner.exit_code();
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("run", "Run scenarios, assembly, words or ELF objects and print the final state");
  const auto options = std::make_shared<Options>();
  const Choices<ReportFormat> formats = {
      {"text", ReportFormat::text}, {"yaml", ReportFormat::yaml}, {"json", ReportFormat::json}};
  const Choices<ColourChoice> colours = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  const Choices<OnVector> on_vector = {{"stop", OnVector::stop}, {"skip", OnVector::skip}};
  const Choices<Dispatch> loops = {{"best", Dispatch::best},
                                   {"switch", Dispatch::switched},
                                   {"goto", Dispatch::direct_goto},
                                   {"tail", Dispatch::tail_calls}};
  command
      ->add_option("FILE", options->files,
                   "scenario (YAML), .s, .hex, .bin or ELF object; - is a scenario on standard input")
      ->required();
  add_choice(*command, "--format", options->format, formats,
             "how to print the final state: text, yaml (loads back) or json");
  command->add_option("--mcpu", options->load.mcpu, "processor or generation (`salu targets` lists them)");
  command->add_option("--symbol", options->load.symbol,
                      "where to start: an ELF symbol or a label (default: the first function or instruction)");
  command->add_option("--set", options->load.set, "set a register, as in s0=7; may be repeated")
      ->option_text("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--state", options->load.state_file, "start from a state that --format yaml wrote");
  command->add_option("--max-steps", options->max_steps, "stop after so many instructions (default: 10 million)")
      ->option_text("NUMBER");
  add_choice(*command, "--on-vector", options->load.on_vector, on_vector,
             "what a vector instruction does: stop the run (default) or nothing");
  command->add_option("--case", options->row, "run one row of the scenario's `cases:`, by its number or name")
      ->option_text("ROW");
  command->add_flag("--strict", options->strict, "stop at the first warning");
  command->add_flag("--check", options->check, "compare with the scenario's expect:");
  command->add_flag("--check-undefined", options->check_undefined,
                    "warn of reads of registers that nothing has written");
  command->add_flag("--trace", options->trace,
                    "print every instruction, what it read and wrote (on standard error with --format yaml or json)");
  command->add_flag("--all", options->all_registers, "text: print the registers that are zero and untouched as well");
  add_choice(*command, "--color", options->colour, colours, "colour the text: auto (on a terminal), always or never");
  command->add_flag("-q,--quiet", options->quiet, "print errors only");
  add_choice(*command, "--dispatch", options->dispatch, loops, "")->group("");
  command->footer(
      "\nExamples:\n"
      "  salu run program.yaml\n"
      "  salu run --check programs/*.yaml\n"
      "  salu run --trace --set s0=48 --set s1=18 gcd.yaml\n"
      "  salu run --mcpu gfx900 code.s\n"
      "  salu run function.o --symbol f --set s0=7 --format json\n"
      "\nExit codes: 0 ended, 1 an expectation failed (--check), 2 wrong usage, 3 bad input, 4 the program faulted,\n"
      "5 step limit, 6 an instruction that is not executed here, 7 halt, trap, breakpoint or --strict.");
  command->callback([options, &exit_code] { exit_code = run_all(*options); });
}

}  // namespace salu::app
