#include <salu/page.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <spdlog/spdlog.h>

#include <charconv>
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
  std::string file;
  std::string output;
  LoadOptions load;
  std::optional<std::string> max_steps;  ///< as written
  std::string document;                  ///< which scenario of the file: its number from 1, or its name
  std::string row;                       ///< of a table: its name, or its number from 1
  std::string steps;                     ///< `FIRST..LAST`, as written
  bool strict = false;
  bool check_undefined = false;
};

bool read_number(std::string_view text, u64& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Reads `FIRST..LAST`. Returns what is wrong, or nothing.
std::string read_steps(const std::string& text, PageOptions& options) {
  if (text.empty()) return {};
  const std::size_t dots = text.find("..");
  const bool is_range = dots != std::string::npos &&
                        read_number(std::string_view(text).substr(0, dots), options.first_step) &&
                        read_number(std::string_view(text).substr(dots + 2), options.last_step);
  if (is_range && options.first_step >= 1 && options.first_step <= options.last_step) return {};
  return "--steps " + text + ": expected FIRST..LAST, steps counted from 1, as in --steps 1..500";
}

Error usage_error(const SourcePlace& where, std::string message) {
  return {ErrorCode::usage, where, std::move(message), {}};
}

/// The scenario of the file that the user wants.
Result<Scenario> choose_document(std::vector<Result<Scenario>> all, const Options& options) {
  if (options.document.empty()) {
    if (all.size() == 1) return std::move(all.front());
    std::string message = "the file holds " + std::to_string(all.size()) + " scenarios; --document N picks one:";
    for (std::size_t i = 0; i < all.size(); ++i) {
      message += "\n  " + std::to_string(i + 1) + "  " + (all[i] ? printable(all[i]->name) : "(cannot be loaded)");
    }
    return usage_error({options.file}, message);
  }
  for (Result<Scenario>& scenario : all) {
    if (scenario && scenario->name == options.document) return std::move(scenario);
  }
  u64 number = 0;
  if (read_number(options.document, number) && number >= 1 && number <= all.size()) {
    return std::move(all[static_cast<std::size_t>(number - 1)]);
  }
  return usage_error({options.file}, "--document " + options.document + ": the file has " + std::to_string(all.size()) +
                                         (all.size() == 1 ? " scenario" : " scenarios") + " and none of that name");
}

/// The row of its table that the user wants.
Result<Scenario> choose_row(Scenario scenario, const Options& options) {
  if (options.row.empty()) {
    if (scenario.cases != nullptr) {
      scenario.remarks.push_back(
          {scenario.cases->where, "the rows of `cases:` are not run; --case N runs one of them", {}});
    }
    return scenario;
  }
  if (scenario.cases == nullptr) {
    return usage_error({scenario.file}, "--case " + options.row + ": the scenario has no `cases:`");
  }
  if (const auto row = scenario.cases->find(options.row)) return case_scenario(scenario, *row);
  return usage_error({scenario.file}, "--case " + options.row + ": there is no row " + options.row +
                                          " in `cases:`, which has " + std::to_string(scenario.cases->rows()));
}

int report_error(const Error& error) {
  spdlog::error("{}", error.to_string());
  return exit_code_of(error);
}

int write_report(const Options& options, const PageOptions& page_options) {
  Result<Scenario> document = choose_document(load_file(options.file, options.load), options);
  if (!document) return report_error(document.error());
  const Result<Scenario> chosen = choose_row(std::move(*document), options);
  if (!chosen) return report_error(chosen.error());
  const Scenario& scenario = *chosen;
  for (const Remark& remark : scenario.remarks) spdlog::warn("{}", remark.to_string());
  PageRecorder recorder(scenario, page_options);
  RunOptions run_options = scenario.options;
  run_options.strict = options.strict;
  run_options.check_undefined = options.check_undefined;
  run_options.trace = [&recorder](const TraceEvent& event) { recorder.add(event); };
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, run_options);
  if (page_options.first_step > outcome.steps && outcome.steps != 0) {
    return report_error(usage_error(
        {scenario.file}, "--steps " + options.steps + ": the run has " + std::to_string(outcome.steps) + " steps"));
  }
  std::vector<Mismatch> mismatches;
  if (scenario.expect) mismatches = check(*scenario.expect, outcome);
  const std::string page = recorder.page(outcome, scenario.expect ? &mismatches : nullptr);
  if (options.output != "-") return write_file(options.output, page) ? exit_code::good : exit_code::bad_input;
  print(page);
  return exit_code::good;
}

int report(Options& options) {
  PageOptions page_options;
  std::string problem = read_max_steps(options.max_steps, options.load);
  const std::string unknown = options.load.mcpu.empty() ? std::string() : target_problem(options.load.mcpu);
  if (!unknown.empty()) problem = "--mcpu: " + unknown;
  for (const std::string& setting : options.load.set) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size()) {
      problem = "--set " + setting + ": expected NAME=VALUE, as in --set s0=7";
    }
  }
  if (problem.empty()) problem = read_steps(options.steps, page_options);
  if (problem.empty() && options.output != "-") problem = write_problem(options.output);
  if (problem.empty()) return write_report(options, page_options);
  spdlog::error("error: {}", problem);
  return exit_code::usage;
}

}  // namespace

void add_report(Command& app) {
  Command command = app.add("report", "Run a scenario and make a page (HTML) that shows the run");
  const auto options = std::make_shared<Options>();
  command.argument("FILE", options->file,
                   "scenario (YAML), .s, .hex, .bin or ELF object; - is a scenario on standard input");
  command.option("-o,--output", options->output, "where the page goes; - is standard output", {},
                 Command::Need::required);
  command.option("--document", options->document, "which scenario of a file with several: its number or name", "N");
  command.option("--case", options->row, "run one row of the scenario's `cases:`, by its number or name", "ROW");
  command.option("--steps", options->steps,
                 "show these steps in the timelines, one by one when they are no more than 4096", "FIRST..LAST");
  add_load_options(command, options->load);
  command.option("--max-steps", options->max_steps, "stop after so many instructions (default: 10 million)", "NUMBER");
  command.flag("--strict", options->strict, "stop at the first warning");
  command.flag("--check-undefined", options->check_undefined, "warn of reads of registers that nothing has written");
  command.footer(
      "\nThe page is one file that needs no network: lanes and control stack over time, the fork tree, the program "
      "with\n"
      "counts, registers over time, the final state, warnings. A run of any length gives a page of a few megabytes at\n"
      "most; what it summarises it says.\n"
      "\nExamples:\n"
      "  salu report programs/fork_join.yaml -o fork_join.html\n"
      "  salu report programs/fork_orders.yaml --document 3 -o tie.html\n"
      "  salu report programs/tables/gcd.yaml --case 2 -o gcd.html\n"
      "  salu report long.yaml --steps 5000000..5001000 -o part.html\n"
      "\nExit codes: 0 the page is written, however the run ended, 2 wrong usage, 3 bad input or a file that cannot "
      "be\n"
      "written.");
  command.action([options] { return report(*options); });
}

}  // namespace salu::app
