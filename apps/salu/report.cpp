#include <salu/page.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "debug/source_files.hpp"
#include "exit_codes.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "loader/yaml/named_file.hpp"
#include "output.hpp"
#include "support/numbers.hpp"

namespace salu::app {
namespace {

struct PageArguments {
  std::string file;
  std::string output;
  LoadOptions load;
  LimitTexts limits;
  loader::ScenarioChoice choice{.needs_row = false};
  std::optional<u64> wave;
  std::string steps;  ///< `FIRST..LAST`, as the user wrote it
  bool strict = false;
  CheckUndefined check_undefined = CheckUndefined::off;
};

int print_page_error(const Error& error) {
  spdlog::error("{}", error.to_string());
  return exit_code_of(error);
}

/// The error of `--wave`; empty if the run has such a wave.
std::string wave_problem(const Scenario& scenario, std::optional<u64> number) {
  if (!number) return {};
  if (!scenario.runs_several_waves())
    return fmt::format("no wave {}: only `kernel:` with `waves: all` has several", *number);
  const u64 count = scenario.wave_count();
  return *number < count ? "" : fmt::format("no wave {}: the grid has 0 to {}", *number, count - 1);
}

int write_page(const PageArguments& options, PageOptions page_options) {
  const Result<Scenario> chosen = loader::load_one(options.file, options.load, options.choice);
  if (!chosen) return print_page_error(chosen.error());
  const Scenario& scenario = *chosen;
  page_options.wave = options.wave;
  if (const std::string problem = wave_problem(scenario, options.wave); !problem.empty())
    return print_page_error({ErrorCode::usage, {scenario.file}, problem, {}});
  // The page shows the source files, which it must not overwrite.
  if (const std::string problem = output_problem({{"--output", options.output}}, scenario.program.files);
      !problem.empty())
    return print_page_error({ErrorCode::usage, {}, problem, {}});
  for (const Remark& remark : scenario.remarks) spdlog::warn("{}", remark.to_string());
  debug::SourceFiles files;
  page_options.read_source = [&](const std::string& name) -> const std::vector<std::string>* {
    if (scenario.root && name != scenario.file && !loader::lies_in(name, *scenario.root)) return nullptr;
    return files.find(name);
  };
  PageRecorder recorder(scenario, page_options);
  RunOptions run_options = scenario.options;
  run_options.strict = options.strict;
  run_options.check_undefined = first_of(options.check_undefined, run_options.check_undefined);
  const Outcome outcome = recorder.run(run_options);
  if (const u64 steps = recorder.steps(); page_options.first_step > steps && steps != 0) {
    return print_page_error(
        {ErrorCode::usage,
         {scenario.file},
         fmt::format("--steps {}: the {} has only {}", options.steps, scenario.runs_several_waves() ? "wave" : "run",
                     support::counted(steps, "step")),
         {}});
  }
  std::vector<Mismatch> mismatches;
  if (scenario.expect) mismatches = check(*scenario.expect, outcome);
  const std::string page = recorder.page(outcome, scenario.expect ? &mismatches : nullptr);
  for (const Error& problem : files.problems())
    spdlog::warn("{}: warning: {}; the page does not show this source file", problem.where.file, problem.message);
  if (options.output != "-") return write_file(options.output, page) ? exit_code::good : exit_code::bad_input;
  print_data(page);
  return exit_code::good;
}

int make_page(PageArguments& options) {
  PageOptions page_options;
  std::string problem = read_load_options(options.limits, options.load);
  if (problem.empty() && !options.steps.empty())
    problem = read_step_range("--steps", options.steps, page_options.first_step, page_options.last_step);
  const std::vector<Output> outputs = {{"--output", options.output}};
  if (problem.empty()) problem = output_problem(outputs, {options.file, options.load.state_file});
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (const std::string unwritable = write_problem(outputs); !unwritable.empty()) {
    spdlog::error("{}", unwritable);
    return exit_code::bad_input;
  }
  options.load.files.outputs = {options.output};
  return write_page(options, page_options);
}

}  // namespace

void add_report(Command& app) {
  Command command = app.add("report", "run a scenario and write an HTML page about the run");
  const auto options = std::make_shared<PageArguments>();
  command.argument("FILE", options->file,
                   "scenario (YAML), assembly (.s), words (.hex), binary (.bin) or ELF object; - reads a scenario from "
                   "standard input");
  command.option("-o,--output", options->output, "write the page to FILE; - is standard output", "FILE",
                 Command::Need::required);
  command.option("--steps", options->steps,
                 "show only these steps in the timelines: up to 4096 one by one, more in summary", "FIRST..LAST");
  add_choice_options(command, options->choice);
  add_wave_option(command, options->wave);
  add_load_options(command, options->load);
  add_approximations_option(command, options->limits);
  add_run_options(command, options->limits, options->load, options->strict, options->check_undefined);
  command.epilogue(
      {.notes = "The page is one file that needs no network. It shows the findings, the lanes, control stack and "
                "registers over time, the source and program with counts, the fork tree and the final "
                "state. Long runs are summarised, so that the page has a few megabytes at most. Of several waves it "
                "shows one at a time, that of --wave first.",
       .examples = {"salu report programs/fork_join.yaml -o fork_join.html",
                    "salu report programs/fork_orders.yaml --document 3 -o tie.html",
                    "salu report programs/tables/gcd.yaml --case 2 -o gcd.html",
                    "salu report long.yaml --steps 5000000..5001000 -o part.html",
                    "salu report programs/missing_barrier.yaml --document 2 --check-races -o race.html"},
       .exit_codes = {{exit_code::good, "the page was written, whatever the outcome of the run"},
                      {exit_code::usage, "wrong usage"},
                      {exit_code::bad_input, "bad input, or a file that cannot be written"}}});
  command.action([options] { return make_page(*options); });
}

}  // namespace salu::app
