#include <salu/equivalence.hpp>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "loader/text_file.hpp"
#include "observe/hazards/hazard_walk.hpp"
#include "output.hpp"
#include "pair_arguments.hpp"
#include "progress.hpp"
#include "suite/work_pool.hpp"

namespace salu::app {
namespace {

struct EquivArguments : PairArguments {
  bool verbose = false;
};

/// Explains why two programs without a difference were not found to be equal.
std::string why_not_equal(const EquivalenceReport& report, const std::string& kernel_scenario) {
  if (report.verdict == Verdict::incomplete) {
    const u64 left = report.combinations - report.combinations_compared;
    return fmt::format("{} of {} combinations were not compared{}{}", left, report.combinations,
                       report.out_of_time ? ": --max-time was reached" : "; remove them from --exhaustive",
                       report.skipped.contains("both faulted") ? ", or compare the faults (--faults compare)" : "");
  }
  const std::string nothing = "nothing was compared; ";
  if (report.out_of_time && report.states == 0) return nothing + "--max-time was reached before the first state";
  if (kernel_scenario.empty()) return nothing + "name the inputs and outputs with --inputs and --outputs";
  return nothing + "start the kernels with other arguments or more work-items, by a scenario such as:\n\n" +
         kernel_scenario;
}

/// Warns about hazards on all paths of a program from its entry.
void warn_about_hazards(const Scenario& scenario) {
  const Program& program = scenario.program;
  for (const observe::PathHazard& found :
       observe::walk_hazards(program, std::span(&scenario.initial.pc, 1), scenario.options.xnack)) {
    const Hazard hazard = found.finding.hazard();
    spdlog::warn("{}: {}: hazard {} at {}: {}", loader::display_name(scenario.file),
                 hazard.is_info ? "info" : "warning", hazard.id, program.describe_place(found.pc),
                 observe::path_hazard_detail(program, found));
  }
}

/// Suggests `salu prove` if only some inputs were tried.
std::string hint_at_proof(const EquivalenceReport& report) {
  const bool leaves_some = report.verdict == Verdict::equal && report.combinations == 0 && !report.varied.empty() &&
                           report.programs[0].waves == 1 && report.programs[1].waves == 1;
  return leaves_some ? "\nThis holds for the inputs that were tried; `salu prove` may prove it for all inputs.\n" : "";
}

int compare(EquivArguments& options) {
  std::string problem = read_pair_options(options);
  if (problem.empty()) problem = read_pair_output(options);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  const Result<ProgramPair> pair = load_pair_of(options, KernelLaunch::work_group_if_barriers);
  if (!pair) return report_pair_error(pair.error());
  for (const Scenario* scenario : {&pair->a, &pair->b}) {
    if (scenario->options.check_hazards && !options.quiet) warn_about_hazards(*scenario);
  }
  options.compare.fixed = options.load.set;
  options.compare.vary_buffers = !pair->kernel_scenario.empty();
  std::optional<suite::WorkPool> pool;
  options.compare.for_each = [&pool](std::size_t count, const PartWork& work) {
    if (!pool) pool.emplace(std::max(1U, std::thread::hardware_concurrency()));
    pool->for_each(count, work);
  };
  Progress progress("inputs");
  if (!options.quiet) {
    options.compare.progress = [&progress](u64 done, u64 count) { progress.show(done, count); };
  }
  const Result<EquivalenceReport> report = compare_programs(pair->a, pair->b, options.compare);
  if (!report) return report_pair_error(report.error());
  progress.finish(report->states);
  if (!options.quiet && options.json) print_data(equivalence_json(*report));
  if (!options.quiet && !options.json) print(equivalence_text(*report, options.verbose) + hint_at_proof(*report));
  if (report->difference) return write_reproducer(options, *report->difference);
  if (report->verdict == Verdict::equal) return exit_code::good;
  spdlog::error("error: {}", why_not_equal(*report, pair->kernel_scenario));
  return exit_code::bad_input;
}

}  // namespace

void add_equiv(Command& app) {
  Command command = app.add("equiv", "compare two programs on generated inputs");
  const auto options = std::make_shared<EquivArguments>();
  const Choices<bool> faults = {{"skip", false}, {"compare", true}};
  add_pair_options(command, *options);
  command.group("Search");
  command.option("--states", options->states, "number of inputs to try (default: 10000), unless --exhaustive tries all",
                 "N");
  command.list("--exhaustive", options->compare.exhaustive,
               "try every value of a range, e.g. s0=0..65535; may be repeated", "NAME=LO..HI");
  command.option("--seed", options->seed, "seed of the input generator (default: 1)", "N");
  command.option("--ulps", options->compare.ulps,
                 "allowed distance of floats in --outputs, in units of the last place (default: 0)", "N");
  command.choice("--faults", options->compare.compare_faults, faults,
                 "inputs on which both programs fault: skip them, or compare the reasons (default: skip)");
  add_engine_option(command, options->compare.engine);
  add_steps_option(command, options->limits,
                   "stop a run after STEPS instructions (default: 1 million, or `limits:` if lower)");
  add_memory_option(command, options->limits);
  add_pair_time_option(command, options->compare.seconds, "stop the comparison after SECONDS (default: none)");
  add_approximations_option(command, options->limits);
  add_hazard_options(command, options->load);
  add_assembly_options(command, options->load.assembly);
  add_pair_output(command, *options);
  command.flag("-v,--verbose", options->verbose, "with text, also list the code that was never executed");
  command.flag("-q,--quiet", options->quiet, "print errors only");
  command.epilogue({.notes = {},
                    .examples = {"salu equiv f_O0.o f_O2.o --symbol f",
                                 "salu equiv old.s new.s --mcpu gfx900 --inputs s0,s1=0..31 --outputs s0",
                                 "salu equiv f_tahiti.o f_gfx900.o --symbol f --exhaustive s0=0..65535",
                                 "salu equiv kernel.yaml kernel_O2.o --inputs args.n=0..64 --max-time 10"},
                    .exit_codes = {{exit_code::good, "equal on all inputs that were tried"},
                                   {exit_code::expectation_failed, "a difference was found"},
                                   {exit_code::usage, "wrong usage"},
                                   {exit_code::bad_input,
                                    "bad input, nothing was compared, or not all combinations of --exhaustive"}}});
  command.action([options] { return compare(*options); });
}

}  // namespace salu::app
