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
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "loader/objects/listing.hpp"
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
  loader::ScenarioChoice choice{.takes_table = true};
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
    const auto run_loaded = [this](const Result<Scenario>& scenario) {
      scenario ? run_row(*scenario) : report_failure(scenario.error());
    };
    if (options_.choice.document.empty()) return load_each(path, options_.load, run_loaded);
    run_loaded(loader::load_one(path, options_.load, {.document = options_.choice.document, .takes_table = true}));
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

  /// Runs the scenario, or the row of its table that the user selected.
  void run_row(const Scenario& scenario) {
    const std::string& row = options_.choice.row;
    if (!row.empty()) {
      std::vector<Result<Scenario>> alone;
      alone.emplace_back(scenario);
      const Result<Scenario> chosen =
          loader::choose_one(std::move(alone), scenario.file, {.row = row}, options_.load.set);
      return chosen ? run_scenario(*chosen) : report_failure(chosen.error());
    }
    if (scenario.cases == nullptr) return run_scenario(scenario);
    if (options_.check) {
      const std::string message = fmt::format(
          "--check: the rows of `cases:` are not run; check one of the {} with --case, or all with `salu test`",
          scenario.cases->rows());
      return report_failure(Error{ErrorCode::usage, scenario.cases->where, message, {}});
    }
    if (!options_.quiet) {
      spdlog::warn("{}",
                   Remark{scenario.cases->where,
                          "the rows of `cases:` are not run; run one of them with --case, or all with `salu test`",
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
    Outcome outcome = run(scenario, run_options);
    loader::name_unsupported_instruction(scenario.program, outcome.stop, options_.load.assembly.llvm);
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

/// Checks that the trace does not overwrite a file that a later scenario names: the first step replaces the file.
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
  Command command = app.add("run", "run scenarios, assembly, words or ELF objects and print the final state");
  const auto options = std::make_shared<RunArguments>();
  const Choices<ReportFormat> formats = {
      {"text", ReportFormat::text}, {"yaml", ReportFormat::yaml}, {"json", ReportFormat::json}};
  const Choices<Dispatch> loops = {{"best", Dispatch::best},
                                   {"switch", Dispatch::switched},
                                   {"goto", Dispatch::direct_goto},
                                   {"tail", Dispatch::direct_goto}};
  command.argument("FILE", options->files,
                   "scenario (YAML), assembly (.s), words (.hex), binary (.bin) or ELF object; - "
                   "reads a scenario from standard input");
  add_choice_options(command, options->choice);
  add_load_options(command, options->load);
  add_approximations_option(command, options->limits);
  command.group(heading::checks);
  command.flag("--check", options->check, "compare the final state with the scenario's `expect:`");
  add_run_options(command, options->limits, options->load, options->strict, options->check_undefined);
  command.flag("--fidelity", options->fidelity,
               "report how many instructions are modelled exactly, and the effect of the others on the results");
  command.group(heading::output);
  command.choice("--format", options->format, formats,
                 "format of the final state (default: text); --state loads yaml again");
  command.flag("--all", options->all_registers, "with text, also print registers that are zero and unwritten");
  add_color_option(command, options->colour);
  command.flag("-q,--quiet", options->quiet, "print errors only");
  add_trace_options(command, options->trace);
  // All loops give the same results; tests select them.
  command.hidden([&] { command.choice("--dispatch", options->dispatch, loops, ""); });
  command.epilogue(
      {.notes = {},
       .examples = {"salu run program.yaml", "salu run --check programs/*.yaml",
                    "salu run --trace --set s0=48 --set s1=18 gcd.yaml",
                    "salu run --trace-only 's_cbranch_*' --trace-steps 100..200 program.yaml",
                    "salu run --trace-file trace.json --trace-format perfetto program.yaml",
                    "salu run --mcpu gfx900 code.s", "salu run function.o --symbol f --set s0=7 --format json"},
       .exit_codes = {{exit_code::good, "the program ended"},
                      {exit_code::expectation_failed, "an expectation failed (--check)"},
                      {exit_code::usage, "wrong usage"},
                      {exit_code::bad_input, "bad input"},
                      {exit_code::fault, "the program faulted"},
                      {exit_code::limit, "a limit of steps, time or memory was reached"},
                      {exit_code::not_executable, "an unsupported instruction was reached"},
                      {exit_code::stopped, "stopped by halt, trap, breakpoint or --strict"}}});
  command.action([options] { return run_all(*options); });
}

}  // namespace salu::app
