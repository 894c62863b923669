#include <salu/sweep.hpp>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "streamed_file.hpp"
#include "suite/work_pool.hpp"

namespace salu::app {
namespace {

enum class SweepPrinting : u8 { text, csv, json, jsonl, npy };

struct SweepArguments {
  std::string file;
  loader::ScenarioChoice choice{.takes_table = true};
  LoadOptions load;
  LimitTexts limits;
  SweepOptions sweep;
  std::optional<SweepPrinting> format;
  std::optional<std::string> first;  ///< as written
  std::optional<std::string> output;
  bool summary = false;
  bool checksum = false;
  bool minmax = false;
  bool quiet = false;
  u32 jobs = 1;

  /// True if a summary of all states is printed instead of rows.
  [[nodiscard]] bool asks_for_report() const { return summary || checksum || minmax || sweep.histogram; }
};

/// The time of the first interrupt, in milliseconds of a monotonic clock, and its signal; 0: not interrupted.
std::atomic<i64> interrupted_at = 0;
std::atomic<int> interrupting_signal = 0;
static_assert(std::atomic<i64>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

/// The second interrupt ends the process at once. timeout(1) signals a process and its group: these count as one.
void interrupt(int signal) {
  constexpr i64 one_time = 300;
  timespec clock{};
  clock_gettime(CLOCK_MONOTONIC, &clock);
  const i64 now = 1 + clock.tv_sec * 1000 + clock.tv_nsec / 1'000'000;
  interrupting_signal = signal;
  i64 first = 0;
  if (!interrupted_at.compare_exchange_strong(first, now) && now - first > one_time) end_by_signal(signal);
}

std::optional<SweepFormat> rows_format(SweepPrinting printing) {
  switch (printing) {
    case SweepPrinting::csv:
      return SweepFormat::csv;
    case SweepPrinting::json:
      return SweepFormat::json;
    case SweepPrinting::jsonl:
      return SweepFormat::jsonl;
    case SweepPrinting::npy:
      return SweepFormat::npy;
    case SweepPrinting::text:
      break;
  }
  return std::nullopt;
}

/// The input files.
std::vector<std::string> input_files(const SweepArguments& options) {
  std::vector<std::string> files = {options.file};
  if (!options.load.state_file.empty()) files.push_back(options.load.state_file);
  for (const std::string& rows : options.sweep.rows) {
    const std::size_t equals = rows.find('=');
    files.push_back(rows.ends_with(".npy") && equals != std::string::npos ? rows.substr(equals + 1) : rows);
  }
  return files;
}

/// True if the output is a regular file, whose header can be rewritten.
bool goes_to_plain_file(const SweepArguments& options) {
  if (!options.output || *options.output == "-" || is_standard_output(*options.output)) return false;
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(*options.output, ignored);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

/// Selects the format of the output. Returns an error message for conflicting options, or "".
std::string choose_printing(SweepArguments& options) {
  SweepOptions& sweep = options.sweep;
  if (sweep.where && options.asks_for_report())
    return "--where selects rows, but --summary, --histogram, --checksum and --minmax cover all states; omit one of "
           "them";
  if (options.first && !sweep.where) return "--first: only with --where";
  const bool is_table = options.format && *options.format != SweepPrinting::text;
  if (options.asks_for_report() && is_table && *options.format != SweepPrinting::json)
    return "--summary, --histogram, --checksum and --minmax are printed as text or json";
  if (sweep.where && !is_table && options.format) return "--where: rows are written as csv, json, jsonl or npy";
  if (sweep.where && !options.format) options.format = SweepPrinting::csv;
  if (options.format && !options.asks_for_report()) sweep.format = rows_format(*options.format);
  if (sweep.where && sweep.format == SweepFormat::npy && !goes_to_plain_file(options))
    return "--format npy with --where: the array starts with the number of rows, which is known at the end; write it "
           "to "
           "a regular file (-o FILE)";
  sweep.statistics = !sweep.format;
  return {};
}

/// Reads the values of the options. Returns an error message, or "".
std::string read_sweep_options(SweepArguments& options) {
  std::string problem = read_load_options(options.limits, options.load);
  if (problem.empty()) problem = jobs_problem(options.jobs);
  if (problem.empty() && options.first)
    problem = read_count("--first", *options.first, "a number of rows", options.sweep.first);
  if (problem.empty()) problem = choose_printing(options);
  if (problem.empty()) problem = output_problem({{"--output", options.output}}, input_files(options));
  return problem;
}

/// The greatest exit code that `salu run` would return for one of the states.
int exit_code_of_runs(const SweepReport& report, const std::optional<Expectation>& expect) {
  int worst = exit_code::good;
  for (const auto& [name, count] : report.stops) {
    const std::optional<StopReason> reason = find_stop_reason(name);
    if (!reason || (expect && expect->stop == reason)) continue;
    worst = std::max(worst, exit_code_of(Stop{*reason, {}, 0, {}, {}}));
  }
  return worst;
}

/// Prints the summary of all states.
bool print_report(const SweepArguments& options, const SweepReport& report) {
  const bool is_whole = options.summary || !options.asks_for_report();
  const SweepView view{is_whole || options.minmax, is_whole || options.checksum, options.sweep.histogram};
  const bool is_json = options.format == SweepPrinting::json;
  const std::string text = is_json ? sweep_json(report, view) : sweep_text(report, view);
  if (options.output && *options.output != "-") return write_file(*options.output, text);
  is_json ? print_data(text) : print(text);
  return true;
}

int finish(const SweepReport& report, const Scenario& scenario) {
  send_output();
  if (!report.cancelled) return exit_code_of_runs(report, scenario.expect);
  spdlog::error("error: interrupted: the output covers {} of {} states", report.states, report.count);
  end_by_signal(interrupting_signal);
  return exit_code::bad_input;
}

int sweep_states(SweepArguments& options) {
  const std::string problem = read_sweep_options(options);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (options.output) options.load.files.outputs = {*options.output};
  const auto report_error = [](const Error& error) {
    spdlog::error("{}", error.to_string());
    return exit_code_of(error);
  };
  suite::WorkPool pool(options.jobs);
  SweepOptions& sweep_options = options.sweep;
  sweep_options.for_each = [&pool](std::size_t count, const PartWork& work) { pool.for_each(count, work); };
  options.load.for_each = sweep_options.for_each;
  const Result<Scenario> scenario = loader::load_one(options.file, options.load, options.choice);
  if (!scenario) return report_error(scenario.error());
  for (const Remark& remark : scenario->remarks) {
    if (!options.quiet) spdlog::warn("{}", remark.to_string());
  }
  sweep_options.load = options.load;
  sweep_options.fixed = options.load.set;
  std::optional<StreamedFile> file;
  const bool to_file =
      sweep_options.format && options.output && *options.output != "-" && !is_standard_output(*options.output);
  if (to_file) {
    Result<StreamedFile> opened = StreamedFile::open(*options.output);
    if (!opened) return report_error(opened.error());
    file = std::move(*opened);
  }
  bool has_begun = false;
  const auto write = [&](std::string_view text) {
    if (!file) return print_data(text);
    if (!has_begun) file->begin();
    has_begun = true;
    file->write(text);
  };
  // An interrupt ends the sweep with complete output.
  const SignalHandler on_interrupt(SIGINT, interrupt);
  const SignalHandler on_end(SIGTERM, interrupt);
  const SignalHandler on_hangup(SIGHUP, interrupt);
  sweep_options.is_cancelled = [] { return interrupted_at.load(std::memory_order_relaxed) != 0; };
  Progress progress("states");
  if (!options.quiet) sweep_options.progress = [&](u64 done, u64 count) { progress.show(done, count); };
  if (file) sweep_options.correct_header = [&file](std::string_view header) { file->rewrite(0, header); };
  const Result<SweepReport> report = sweep(*scenario, sweep_options, write);
  if (file) file->close();
  if (!report) return report_error(report.error());
  progress.finish(report->states);
  if (!sweep_options.format && !print_report(options, *report)) return exit_code::bad_input;
  return finish(*report, *scenario);
}

}  // namespace

void add_sweep(Command& app) {
  Command command = app.add("sweep", "run one program from many initial states: ranges of values, or rows of a table");
  const auto options = std::make_shared<SweepArguments>();
  SweepOptions& sweep = options->sweep;
  const Choices<SweepPrinting> formats = {{"text", SweepPrinting::text},
                                          {"csv", SweepPrinting::csv},
                                          {"json", SweepPrinting::json},
                                          {"jsonl", SweepPrinting::jsonl},
                                          {"npy", SweepPrinting::npy}};
  command.argument("FILE", options->file, "scenario (YAML), assembly (.s), words (.hex), binary (.bin) or ELF object");
  command.group("States");
  command.repeatable("--vary", sweep.vary,
                     "vary a value over a range: s0=0..0xffff, s1=0..100:5 (in steps of 5), args.n=0..64, "
                     "memory.0x10000:1=0..255 (bytes); repeat it for all combinations",
                     "PLACE=LO..HI");
  command.repeatable("--rows", sweep.rows,
                     "one state per row of a .csv, .jsonl or .npy file; s0=FILE.npy reads one column, and may be "
                     "repeated",
                     "FILE");
  command.list("--columns", sweep.columns, "the columns of a .npy file", "PLACE,...");
  add_jobs_option(command, options->jobs);
  add_engine_option(command, sweep.engine);
  command.group("Results");
  command.list("--outputs", sweep.outputs,
               "values to report: s0, s1:8 (low 8 bits), scc, memory.0x10000:8 (bytes), steps, stop", "PLACE,...");
  command.choice("--format", options->format, formats,
                 "a summary (text), or rows of inputs and outputs (default: text)");
  command.option("-o,--output", options->output, "write the result to FILE; - is standard output (default: -)", "FILE");
  command.option("--where", sweep.where, "only rows whose final state satisfies EXPR, e.g. 's0 > 5 && scc'", "EXPR");
  command.option("--first", options->first, "with --where, at most N rows (default: 10)", "N");
  command.flag("--summary", options->summary, "minimum, maximum and checksum of each output");
  command.flag("--minmax", options->minmax, "minimum and maximum of each output, and the first states that have them");
  command.flag("--checksum", options->checksum,
               "checksum of each output over all states, which depends on their order");
  command.flag("--histogram", sweep.histogram, "number of states for each value of an output");
  command.flag("-q,--quiet", options->quiet, "print no progress and no warnings");
  {
    const OptionGroup group(command, heading::program);
    command.option("--document", options->choice.document, "scenario of a file with several, by number or name",
                   "N|NAME");
  }
  add_load_options(command, options->load);
  add_approximations_option(command, options->limits);
  add_steps_option(command, options->limits);
  add_memory_option(command, options->limits);
  add_hazard_options(command, options->load);
  command.epilogue(
      {.notes = "If runs fail, the exit code is the greatest that `salu run` returns for one of the states.",
       .examples = {"salu sweep code.s --mcpu gfx900 --vary s0=0..0xffffffff --outputs s0",
                    "salu sweep code.s --mcpu gfx900 --vary s0=0..255 --vary s1=0..31 --format csv -o table.csv",
                    "salu sweep code.s --mcpu gfx900 --rows inputs.npy --columns s0,s1 --format npy -o results.npy",
                    "salu sweep code.s --mcpu gfx900 --vary s0=0..0xffff --where 's0 != 0 && scc' --first 3"},
       .exit_codes = {{exit_code::good, "all runs ended regularly"},
                      {exit_code::usage, "wrong usage"},
                      {exit_code::bad_input, "bad input"},
                      {exit_code::fault, "a run faulted"},
                      {exit_code::limit, "a run reached a limit"},
                      {exit_code::not_executable, "a run reached an unsupported instruction"},
                      {exit_code::stopped, "a run stopped by halt, trap or breakpoint"}}});
  command.action([options] { return sweep_states(*options); });
}

}  // namespace salu::app
