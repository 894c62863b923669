#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <salu/suite.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "output.hpp"
#include "shards.hpp"
#include "suite/result_text.hpp"
#include "suite/update_set.hpp"

namespace salu::app {
namespace {

struct TestArguments {
  std::vector<std::string> paths;
  SuiteOptions suite;
  LimitTexts limits;
  std::string shard;
  std::optional<std::string> schedules;  ///< as the user wrote it
  std::optional<std::string> approximations;
  std::optional<std::string> junit;
  std::optional<std::string> coverage;
  ColourChoice colour = ColourChoice::automatic;
  bool stats = false;
  bool update = false;
  bool verbose = false;
  bool quiet = false;
};

/// Prints the results of the tests, and keeps them for reports.
class Printer {
 public:
  Printer(const TestArguments& options, std::size_t file_count)
      : options_(options),
        text_({.colour = use_colour(options.colour),
               .passed = options.verbose,
               .remarks = !options.quiet,
               .stats = options.stats,
               .uncovered = options.verbose,
               .only_list = options.suite.list},
              options.suite),
        shows_progress_(!options.quiet && !options.verbose && !options.suite.list && isatty(STDERR_FILENO) != 0),
        progress_(file_count) {}

  void add(const TestResult& test) {
    clear_progress();
    would_overwrite_ |= test.error && test.error->code == ErrorCode::overwrite;
    for (const Remark& remark : test.remarks) {
      if (!options_.quiet && !options_.suite.list) spdlog::warn("{}", remark.to_string());
    }
    print(text_.of(test));
    if (options_.suite.list) return;
    show_progress(test);
    if (options_.update) update_set_.add(test);
    if (options_.junit) tests_.push_back(test);
  }

  void finish(const SuiteResult& suite) {
    clear_progress();
    print(text_.summary(suite));
  }

  /// True if a test reads a file that a report would replace.
  [[nodiscard]] bool would_overwrite() const { return would_overwrite_; }
  [[nodiscard]] const std::vector<TestResult>& tests() const { return tests_; }
  [[nodiscard]] const suite::UpdateSet& update_set() const { return update_set_; }

 private:
  void show_progress(const TestResult& test) {
    if (!shows_progress_) return;
    const std::string line = progress_.after(test);
    send_output();
    (void)std::fprintf(stderr, "\r%s", line.c_str());
    progress_width_ = line.size();
  }
  void clear_progress() {
    if (progress_width_ == 0) return;
    (void)std::fprintf(stderr, "\r%*s\r", static_cast<int>(progress_width_), "");
    progress_width_ = 0;
  }

  const TestArguments& options_;
  suite::ResultText text_;
  bool shows_progress_;
  suite::Progress progress_;
  std::size_t progress_width_ = 0;
  bool would_overwrite_ = false;
  std::vector<TestResult> tests_;
  suite::UpdateSet update_set_;
};

/// The outcome of --update.
struct UpdateOutcome {
  bool written = true;   ///< all files were written
  bool complete = true;  ///< and all tests pass now
};

/// Rewrites the expectations of the tests of some files.
UpdateOutcome update_files(const std::vector<std::string>& files, SuiteOptions options) {
  UpdateOutcome outcome;
  bool has_updated = false;
  const Update update = update_expectations(files, options);
  for (const UpdatedFile& updated : update.files) {
    if (write_file(updated.file, updated.text, updated.old_text)) {
      has_updated = true;
      print(
          fmt::format("updated {}: {} {}\n", updated.file, updated.changes, updated.changes == 1 ? "value" : "values"));
    } else {
      outcome.written = false;
    }
  }
  for (const std::string& left : update.left) print("not updated: " + left + "\n");
  if (has_updated) {
    print(
        "The expected values are now the computed ones. Review the changes: salu cannot tell whether they are "
        "right.\n");
  }
  options.fail_fast = false;
  options.coverage = false;
  const SuiteResult again = run_suite(files, options, [](const TestResult&) {});
  const u64 failed = again.failed + again.not_loaded;
  if (failed != 0) print(fmt::format("{} of the updated tests still fail\n", failed));
  outcome.complete = outcome.written && update.left.empty() && failed == 0;
  return outcome;
}

/// True if a path names an open descriptor, such as /dev/stdin or a link to it.
bool names_descriptor(const std::string& path) {
  constexpr int most_links = 40;  // the limit of Linux
  std::error_code gone;
  std::filesystem::path full = std::filesystem::absolute(path, gone);
  for (int links = 0; links < most_links; ++links) {
    // Directories may be links too. Links of the file itself are followed one by one: a pipe has no final path.
    full = std::filesystem::weakly_canonical(full.parent_path(), gone) / full.filename();
    const std::string text = full.string();
    if (text.starts_with("/dev/std") || text.starts_with("/dev/fd/") || text.starts_with("/proc/")) return true;
    const std::filesystem::path target = std::filesystem::read_symlink(full, gone);
    if (gone) return false;
    full = full.parent_path() / target;
  }
  return false;
}

/// Returns an error message for conflicting options, or "".
std::string usage_problem(TestArguments& options) {
  options.suite.all_approximations = options.approximations == "all";
  if (!options.suite.all_approximations) options.limits.approximations = options.approximations;
  std::string problem = read_load_options(options.limits, options.suite.load);
  if (problem.empty()) problem = choose_shard(options.shard, options.suite.shard);
  if (problem.empty() && options.schedules)
    problem = read_count("--schedules", *options.schedules, "a number of orders", options.suite.schedules);
  if (!problem.empty()) return problem;
  if (options.update && std::ranges::find(options.paths, "-") != options.paths.end())
    return "--update rewrites files, and standard input (-) is not a file";
  const auto descriptor = std::ranges::find_if(options.paths, names_descriptor);
  if (options.update && descriptor != options.paths.end())
    return fmt::format("--update rewrites files, and {} is an open descriptor; name the file", *descriptor);
  if (options.update && options.suite.shard.count > 1) {
    return fmt::format("--update rewrites whole files, but this is shard {} of {} ({}); update without shards",
                       options.suite.shard.index + 1, options.suite.shard.count,
                       options.shard.empty() ? "set by the environment" : "--shard " + options.shard);
  }
  if (problem = jobs_problem(options.suite.jobs); !problem.empty()) return problem;
  const bool needs_runs =
      options.junit || options.coverage || options.update || options.suite.fidelity || options.stats;
  if (options.suite.list && needs_runs)
    return "--list does not run the tests; omit --junit, --coverage, --update, --fidelity and --stats";
  return {};
}

int run_tests(TestArguments& options) {
  const std::string problem = usage_problem(options);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  // Files to update are read more than once.
  options.suite.load.files.regular_only = options.update;
  const Result<std::vector<std::string>> files = find_suite_files(options.paths);
  if (!files) {
    spdlog::error("{}", files.error().to_string());
    return exit_code::bad_input;
  }
  const std::vector<Output> outputs = {{"--junit", options.junit}, {"--coverage", options.coverage}};
  if (const std::string wrong = output_problem(outputs, *files); !wrong.empty()) {
    spdlog::error("error: {}", wrong);
    return exit_code::usage;
  }
  for (const Output& output : outputs) {
    if (output.path != "-") continue;
    spdlog::error("{}: error: expected a file name, found `-`", output.option);
    return exit_code::bad_input;
  }
  if (const std::string unwritable = write_problem(outputs); !unwritable.empty()) {
    spdlog::error("{}", unwritable);
    return exit_code::bad_input;
  }
  for (const Output& output : outputs) {
    if (output.path) options.suite.load.files.outputs.push_back(*output.path);
  }
  options.suite.coverage = options.coverage.has_value();
  Printer printer(options, files->size());
  const SuiteResult suite = run_suite(*files, options.suite, [&](const TestResult& test) { printer.add(test); });
  printer.finish(suite);
  if (printer.would_overwrite()) {
    spdlog::error("error: the report is not written, because it would overwrite a file that a test reads");
    return exit_code::usage;
  }
  // Source files are known only after loading: objects name them.
  std::vector<std::string> sources;
  for (const auto& [file, lines] : suite.coverage) sources.push_back(file);
  if (const std::string wrong = output_problem(outputs, sources); !wrong.empty()) {
    spdlog::error("error: {}", wrong);
    return exit_code::usage;
  }
  bool written = true;
  if (options.junit) written = write_file(*options.junit, junit_report(printer.tests(), suite));
  if (options.coverage) written = write_file(*options.coverage, lcov_report(suite)) && written;
  bool updated = false;
  if (options.update && suite.failed != 0) {
    const UpdateOutcome update = update_files(printer.update_set().files(), options.suite);
    written = written && update.written;
    updated = update.complete;
  }
  if (!written || suite.not_loaded != 0) return exit_code::bad_input;
  if (!suite.has_match) {
    std::vector<std::string> selection = options.suite.filters;
    if (!options.suite.document.empty()) selection.push_back("--document " + options.suite.document);
    spdlog::error("error: no test matches {}", fmt::join(selection, ", "));
    return exit_code::usage;
  }
  return suite.failed == 0 || updated ? exit_code::good : exit_code::expectation_failed;
}

}  // namespace

void add_test(Command& app) {
  Command command = app.add("test", "run scenarios and check their expectations");
  const auto options = std::make_shared<TestArguments>();
  SuiteOptions& suite = options->suite;
  command.argument("PATH", options->paths, "scenario file, or directory to search for .yaml and .yml files");
  command.group("Tests");
  command.repeatable("-k", suite.filters,
                     "only tests and rows (`file.yaml#2[3]`) whose id or name matches PATTERN (* and ? are "
                     "wildcards); !PATTERN excludes; may be repeated",
                     "PATTERN");
  command.option("--document", suite.document, "only this scenario of each file, by number or name", "N|NAME");
  command.option("--shard", options->shard, "run part I of N, from 1/N to N/N", "I/N");
  command.option("--schedules", options->schedules,
                 "run each kernel with several waves in N more random orders of the waves; results that depend on the "
                 "order fail",
                 "N");
  command.option(
      "--approximations", options->approximations,
      "rounding of results that hardware approximates: nearest, low, high or seed=N (default: nearest); all: "
      "run each test with nearest, low and high, and fail if an expectation depends on it",
      "ROUNDING");
  command.suggest({"nearest", "low", "high", "all"});
  command.flag("-x,--fail-fast", suite.fail_fast, "stop at the first test, or row of a table, that fails");
  command.flag("--list", suite.list, "list the tests without running them");
  command.flag("--update", options->update, "replace failing expected values with the computed ones");
  add_jobs_option(command, suite.jobs);
  add_engine_option(command, suite.engine);
  command.group(heading::program);
  add_target_option(command, "--mcpu", suite.load.mcpu, "processor or generation, see `salu targets`");
  add_root_option(command, suite.load);
  add_assembly_options(command, suite.load.assembly);
  add_run_options(command, options->limits, suite.load, suite.strict, suite.check_undefined);
  command.group(heading::output);
  command.option("--junit", options->junit, "write a JUnit report", "FILE");
  command.option("--coverage", options->coverage, "write an LCOV tracefile of the executed source lines", "FILE");
  command.flag("--fidelity", suite.fidelity,
               "report how many instructions are modelled exactly and which were executed; with -v also those that "
               "were not");
  command.flag("--stats", options->stats, "print timing statistics");
  add_color_option(command, options->colour);
  command.flag("-v,--verbose", options->verbose, "also print passing tests");
  command.flag("-q,--quiet", options->quiet, "print failures and the summary only");
  command.epilogue({.notes = {},
                    .examples = {"salu test tests/", "salu test -k fork -k '!trap' --junit report.xml tests/",
                                 "salu test --shard 1/4 --coverage part1.info tests/"},
                    .exit_codes = {{exit_code::good, "all tests pass"},
                                   {exit_code::expectation_failed, "a test fails"},
                                   {exit_code::usage, "wrong usage"},
                                   {exit_code::bad_input, "a test cannot be loaded"}}});
  command.action([options] { return run_tests(*options); });
}

}  // namespace salu::app
