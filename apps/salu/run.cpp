#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "output.hpp"
#include "support/file_identity.hpp"
#include "trace.hpp"

namespace salu::app {
namespace {

struct RunArguments {
  std::vector<std::string> files;
  LoadOptions load;
  LimitTexts limits;
  std::string row;  ///< of a table: its name, or its number from 1
  ReportFormat format = ReportFormat::text;
  ColourChoice colour = ColourChoice::automatic;
  Dispatch dispatch = Dispatch::best;
  bool strict = false;
  bool check = false;
  CheckUndefined check_undefined = CheckUndefined::off;
  bool fidelity = false;
  bool all_registers = false;
  bool quiet = false;
  TraceArguments trace;
};

class Runner {
 public:
  /// `trace` may be null.
  Runner(const RunArguments& options, Trace* trace)
      : options_(options), trace_(trace), report_options_{use_colour(options.colour), options.all_registers} {}

  void run_file(const std::string& path) {
    load_each(path, options_.load, [this](const Result<Scenario>& scenario) {
      if (scenario) {
        run_row(*scenario);
      } else {
        report_failure(scenario.error());
      }
    });
  }

  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  void report_failure(const Error& error) {
    if (options_.format == ReportFormat::json && !options_.quiet) {
      print_data(report_error(error, ReportFormat::json));
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
    if (row) {
      const Result<Scenario> chosen = loader::scenario_of_row(scenario, *row, options_.load.set);
      return chosen ? run_scenario(*chosen) : report_failure(chosen.error());
    }
    if (wants_row) {
      const std::string problem =
          scenario.cases == nullptr
              ? "the scenario has no `cases:`"
              : fmt::format("there is no row {} in `cases:`, which has {}", options_.row, scenario.cases->rows());
      return report_failure(
          Error{ErrorCode::usage, {scenario.file}, fmt::format("--case {}: {}", options_.row, problem), {}});
    }
    if (options_.check) {
      const std::string message = fmt::format(
          "--check: the rows of `cases:` are not run here; --case ROW checks one of the {}, `salu test` all",
          scenario.cases->rows());
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
    run_options.check_undefined = first_of(options_.check_undefined, run_options.check_undefined);
    if (options_.fidelity) run_options.fidelity = FidelityReport::followed;
    run_options.dispatch = options_.dispatch;
    const bool text = options_.format == ReportFormat::text;
    if (trace_ != nullptr) {
      if (const std::optional<Error> error = trace_->writer().begin(scenario)) return report_failure(*error);
      trace_->begin();
      run_options.trace = [&writer = trace_->writer()](const TraceEvent& event) { writer.see(event); };
    }
    if (text && printed_ && !options_.quiet) print("\n");
    const Outcome outcome = run(scenario, run_options);
    const bool checked = options_.check && scenario.expect.has_value();
    std::vector<Mismatch> mismatches;
    if (checked) mismatches = salu::check(*scenario.expect, outcome);
    if (trace_ != nullptr) {
      trace_->tell_of(trace_->writer().end(outcome), outcome, scenario.name);
      if (trace_->is_among_results()) print("\n");
    }
    if (!options_.quiet) {
      const std::string report =
          report_outcome(scenario, outcome, options_.format, checked ? &mismatches : nullptr, report_options_);
      text ? print(report) : print_data(report);
      if (text && options_.check && !checked) print("nothing to check: the scenario has no `expect:`\n");
    }
    printed_ = true;
    send_output();
    count(checked ? exit_code_of(outcome.stop, *scenario.expect, mismatches) : exit_code_of(outcome.stop));
  }

  void count(int code) { exit_code_ = std::max(exit_code_, code); }

  const RunArguments& options_;
  Trace* trace_;
  ReportOptions report_options_;
  bool printed_ = false;
  int exit_code_ = exit_code::good;
};

/// A trace takes the place of a file with its first step, and the file may be one that a later scenario names. Returns
/// what is wrong then.
std::optional<Error> trace_problem(const RunArguments& options) {
  std::optional<Error> problem;
  if (options.files.size() == 1 || !options.trace.file || !support::identity_of(*options.trace.file)) return problem;
  for (const std::string& file : options.files) {
    if (file == "-") continue;
    load_each(file, options.load, [&problem](const Result<Scenario>& scenario) {
      if (!scenario && scenario.error().code == ErrorCode::overwrite && !problem) problem = scenario.error();
    });
  }
  return problem;
}

int run_all(RunArguments& options) {
  std::string problem = read_load_options(options.limits, options.load);
  std::vector<std::string> inputs = options.files;
  inputs.push_back(options.load.state_file);
  if (problem.empty()) problem = output_problem({{"--trace-file", options.trace.file}}, inputs);
  if (options.trace.file) options.load.files.outputs = {*options.trace.file};
  if (std::ranges::count(options.files, "-") > 1) problem = "standard input (-) can be read once only";
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (const std::optional<Error> error = trace_problem(options)) {
    spdlog::error("{}", error->to_string());
    return exit_code::usage;
  }
  std::unique_ptr<Trace> trace;
  if (options.trace.is_wanted()) {
    Result<std::unique_ptr<Trace>> opened = Trace::open(options.trace, options.format, options.quiet);
    if (!opened) {
      spdlog::error("{}", opened.error().to_string());
      return exit_code_of(opened.error());
    }
    trace = std::move(*opened);
  }
  Runner runner(options, trace.get());
  for (const std::string& file : options.files) runner.run_file(file);
  if (trace != nullptr) trace->close();
  return runner.exit_code();
}

}  // namespace

void add_run(Command& app) {
  Command command = app.add("run", "Run scenarios, assembly, words or ELF objects and print the final state");
  const auto options = std::make_shared<RunArguments>();
  const Choices<ReportFormat> formats = {
      {"text", ReportFormat::text}, {"yaml", ReportFormat::yaml}, {"json", ReportFormat::json}};
  const Choices<ColourChoice> colours = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  const Choices<Dispatch> loops = {{"best", Dispatch::best},
                                   {"switch", Dispatch::switched},
                                   {"goto", Dispatch::direct_goto},
                                   {"tail", Dispatch::direct_goto}};
  command.argument("FILE", options->files,
                   "scenario (YAML), .s, .hex, .bin or ELF object; - is a scenario on standard input");
  command.choice("--format", options->format, formats, "how to print the final state: text, yaml (loads back) or json");
  add_load_options(command, options->load);
  add_run_options(command, options->limits, options->load, options->strict, options->check_undefined);
  command.flag("--fidelity", options->fidelity,
               "say how many instructions did exactly what hardware does, and what depends on the others");
  command.option("--case", options->row, "run one row of the scenario's `cases:`, by its number or name", "ROW");
  command.flag("--check", options->check, "compare with the scenario's expect:");
  command.flag("--all", options->all_registers, "text: print the registers that are zero and untouched as well");
  command.choice("--color", options->colour, colours, "colour the text: auto (on a terminal), always or never");
  command.flag("-q,--quiet", options->quiet, "print errors only");
  add_trace_options(command, options->trace);
  // For tests: all loops do the same.
  command.group("");
  command.choice("--dispatch", options->dispatch, loops, "");
  command.epilogue(
      {.notes = {},
       .examples = {"salu run program.yaml", "salu run --check programs/*.yaml",
                    "salu run --trace --set s0=48 --set s1=18 gcd.yaml",
                    "salu run --trace-only 's_cbranch_*' --trace-steps 100..200 program.yaml",
                    "salu run --trace-file trace.json --trace-format perfetto program.yaml",
                    "salu run --mcpu gfx900 code.s", "salu run function.o --symbol f --set s0=7 --format json"},
       .exit_codes = {{exit_code::good, "ended"},
                      {exit_code::expectation_failed, "an expectation failed (--check)"},
                      {exit_code::usage, "wrong usage"},
                      {exit_code::bad_input, "bad input"},
                      {exit_code::fault, "the program faulted"},
                      {exit_code::limit, "a limit of steps, time or memory"},
                      {exit_code::not_executable, "an instruction that is not executed here"},
                      {exit_code::stopped, "halt, trap, breakpoint or --strict"}}});
  command.action([options] { return run_all(*options); });
}

}  // namespace salu::app
