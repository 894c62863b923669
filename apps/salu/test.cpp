#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <salu/suite.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <thread>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "output.hpp"
#include "shards.hpp"
#include "support/numbers.hpp"

namespace salu::app {
namespace {

constexpr u32 most_jobs = 1024;

struct TestArguments {
  std::vector<std::string> paths;
  SuiteOptions suite;
  std::optional<std::string> max_steps;
  std::string shard;
  std::string junit;
  std::string coverage;
  ColourChoice colour = ColourChoice::automatic;
  bool stats = false;
  bool update = false;
  bool verbose = false;
  bool quiet = false;
};

/// Which files an update has to look at.
class UpdateSet {
 public:
  void add(const TestResult& test) {
    if (test.status == TestResult::Status::not_loaded) return;
    if (tests_.empty() || tests_.back().file != test.file || tests_.back().table != test.table_file)
      tests_.push_back({test.file, test.table_file});
    if (test.status == TestResult::Status::failed) tests_.back().failed = true;
  }

  /// The files with tests that failed and, where a test that passed has a say, those that share a text with them.
  [[nodiscard]] std::vector<std::string> files() const {
    std::set<std::string> texts;
    for (const Test& test : tests_) {
      if (test.failed) texts.merge(texts_of(test));
    }
    std::vector<std::string> files;
    if (texts.empty()) return files;
    for (const Test& test : tests_) {
      const std::set<std::string> own = texts_of(test);
      const bool shares = std::ranges::any_of(own, [&](const std::string& text) { return texts.contains(text); });
      if (shares && (files.empty() || files.back() != test.file)) files.push_back(test.file);
    }
    return files;
  }

 private:
  struct Test {
    std::string file;
    std::string table;
    bool failed = false;
  };

  static std::set<std::string> texts_of(const Test& test) {
    std::set<std::string> texts;
    for (const std::string& path : {test.file, test.table}) {
      std::error_code ignored;
      if (!path.empty()) texts.insert(std::filesystem::weakly_canonical(path, ignored).string());
    }
    return texts;
  }

  std::vector<Test> tests_;
};

/// Prints what becomes of the tests, and keeps what a report needs.
class Printer {
 public:
  Printer(const TestArguments& options, std::size_t file_count)
      : options_(options),
        colour_(use_colour(options.colour)),
        shows_progress_(!options.quiet && !options.verbose && !options.suite.list && isatty(STDERR_FILENO) != 0),
        file_count_(file_count) {}

  void add(const TestResult& test) {
    if (options_.suite.list) {
      if (test.error) print_error(test);
      if (!test.error) {
        print(printable(test.id) + (test.name == test.id ? "" : "  " + printable(test.name)) +
              (test.is_table ? " (" + support::counted(test.runs, "row") + ")" : "") + "\n");
      }
      return;
    }
    clear_progress();
    for (const Remark& remark : test.remarks) {
      if (!options_.quiet) spdlog::warn("{}", remark.to_string());
    }
    if (test.error) {
      print_error(test);
    } else if (test.status == TestResult::Status::failed) {
      print_failures(test);
    } else if (options_.verbose) {
      print(styled("PASS", good) + ": " + title(test) + rows_text(test) + "\n");
    }
    show_progress(test);
    if (options_.update) update_set_.add(test);
    if (!options_.junit.empty()) tests_.push_back(test);
  }

  void finish(const SuiteResult& suite) {
    clear_progress();
    if (options_.suite.list) return;
    const u64 tests = suite.passed + suite.failed + suite.not_loaded;
    std::string text = support::counted(tests, "test");
    if (suite.runs != tests - suite.not_loaded) text += " (" + support::counted(suite.runs, "run") + ")";
    text += ": " + std::to_string(suite.passed) + " passed";
    if (suite.failed != 0) text += ", " + styled(std::to_string(suite.failed) + " failed", bad);
    if (suite.not_loaded != 0) text += ", " + styled(std::to_string(suite.not_loaded) + " not loaded", bad);
    if (suite.stopped_early) text += "; stopped at the first that does not hold";
    const Shard& shard = options_.suite.shard;
    if (shard.count > 1) text += fmt::format("; shard {} of {}", shard.index + 1, shard.count);
    print(text + "\n");
    if (suite.without_expectations != 0 && !options_.quiet) {
      print(support::counted(suite.without_expectations, "test") +
            " without `expect:`: nothing but a regular end of the run was checked\n");
    }
    if (options_.stats) print_stats(suite);
  }

  [[nodiscard]] const std::vector<TestResult>& tests() const { return tests_; }
  [[nodiscard]] const UpdateSet& update_set() const { return update_set_; }

 private:
  static constexpr const char* good = "\x1b[32m";
  static constexpr const char* bad = "\x1b[31m";

  [[nodiscard]] std::string styled(const std::string& text, const char* style) const {
    return colour_ ? style + text + "\x1b[0m" : text;
  }
  static std::string title(const TestResult& test) {
    return printable(test.id) + (test.name == test.id ? "" : " (" + printable(test.name) + ")");
  }
  static std::string rows_text(const TestResult& test) {
    return test.is_table ? ", " + support::counted(test.runs, "row") : "";
  }

  void print_error(const TestResult& test) {
    const Error& error = *test.error;
    std::string place = error.where.file;
    if (error.where.line != 0) place += fmt::format(":{}:{}", error.where.line, error.where.column);
    print(styled("ERROR", bad) + ": " + place + ": " + error.message + "\n");
  }

  void print_failures(const TestResult& test) {
    const Failure* last = nullptr;
    u64 shown = 0;
    for (const Failure& failure : test.failures) {
      std::string name = printable(test.id);
      if (failure.row) {
        name += "[" + (failure.row_name.empty() ? std::to_string(*failure.row + 1) : printable(failure.row_name)) + "]";
        if (last == nullptr || last->row != failure.row) ++shown;
        last = &failure;
      } else if (test.name != test.id) {
        name = title(test);
      }
      const Mismatch& mismatch = failure.mismatch;
      std::string text = name + ": " + mismatch.what + ": expected " + mismatch.expected + ", got " + mismatch.actual;
      if (!failure.writer.empty()) text += "; " + failure.writer;
      if (mismatch.where.line != 0)
        text += "; expected in " + mismatch.where.file + ":" + std::to_string(mismatch.where.line);
      std::ranges::replace(text, '\n', ' ');
      print(styled("FAIL", bad) + ": " + text + "\n");
    }
    if (test.is_table && test.failed_runs > shown) {
      print(styled("FAIL", bad) + ": " + title(test) + ": " + support::counted(test.failed_runs - shown, "more row") +
            " of " + std::to_string(test.runs) + "\n");
    }
  }

  void print_stats(const SuiteResult& suite) const {
    const auto rate = [](u64 count, double seconds) {
      return seconds > 0 ? fmt::format("{:.3g} million a second", static_cast<double>(count) / seconds / 1e6) : "-";
    };
    print(fmt::format("{} in {:.3f} s with {}: loading {:.3f} s, running and comparing {:.3f} s (of all threads)\n",
                      support::counted(suite.runs, "run"), suite.wall_seconds,
                      support::counted(options_.suite.jobs, "thread"), suite.load_seconds, suite.run_seconds));
    print(fmt::format("runs: {} and thread, instructions: {} and thread\n", rate(suite.runs, suite.run_seconds),
                      rate(suite.steps, suite.run_seconds)));
  }

  void show_progress(const TestResult& test) {
    if (!shows_progress_) return;
    if (test.file != last_file_) ++files_done_;
    last_file_ = test.file;
    failed_ += test.status == TestResult::Status::passed ? 0 : 1;
    send_output();
    const std::string line = fmt::format("[{}/{}] {} failed", files_done_, file_count_, failed_);
    (void)std::fprintf(stderr, "\r%s", line.c_str());
    progress_width_ = line.size();
  }
  void clear_progress() {
    if (progress_width_ == 0) return;
    (void)std::fprintf(stderr, "\r%*s\r", static_cast<int>(progress_width_), "");
    progress_width_ = 0;
  }

  const TestArguments& options_;
  bool colour_;
  bool shows_progress_;
  std::size_t file_count_;
  std::size_t files_done_ = 0;
  std::size_t failed_ = 0;
  std::size_t progress_width_ = 0;
  std::string last_file_;
  std::vector<TestResult> tests_;
  UpdateSet update_set_;
};

/// How an update went.
struct UpdateOutcome {
  bool written = true;   ///< every file that had to be
  bool complete = true;  ///< and all tests hold now
};

/// Rewrites what the tests of some files expect.
UpdateOutcome update_files(const std::vector<std::string>& files, SuiteOptions options) {
  UpdateOutcome outcome;
  const Update update = update_expectations(files, options);
  for (const UpdatedFile& updated : update.files) {
    if (write_file(updated.file, updated.text)) {
      print(
          fmt::format("updated {}: {} {}\n", updated.file, updated.changes, updated.changes == 1 ? "value" : "values"));
    } else {
      outcome.written = false;
    }
  }
  for (const std::string& left : update.left) print("not updated: " + left + "\n");
  if (!update.files.empty()) {
    print(
        "What is expected now is what was computed. Whether it is right, somebody has to judge: read the "
        "difference.\n");
  }
  options.fail_fast = false;
  options.coverage = false;
  const SuiteResult again = run_suite(files, options, [](const TestResult&) {});
  const u64 failed = again.failed + again.not_loaded;
  if (failed != 0) print(fmt::format("{} of the updated tests still fail\n", failed));
  outcome.complete = outcome.written && update.left.empty() && failed == 0;
  return outcome;
}

/// What is wrong with the options; empty when nothing is.
std::string usage_problem(TestArguments& options) {
  std::string problem = read_max_steps(options.max_steps, options.suite.load);
  if (problem.empty()) problem = choose_shard(options.shard, options.suite.shard);
  if (!problem.empty()) return problem;
  const std::string unknown = options.suite.load.mcpu.empty() ? "" : target_problem(options.suite.load.mcpu);
  if (!unknown.empty()) return "--mcpu: " + unknown;
  if (options.update && std::ranges::find(options.paths, "-") != options.paths.end())
    return "--update rewrites files; standard input (-) is none";
  if (options.update && options.suite.shard.count > 1) {
    return fmt::format("--update rewrites whole files, but this is shard {} of {} ({}): update without shards",
                       options.suite.shard.index + 1, options.suite.shard.count,
                       options.shard.empty() ? "the environment says so" : "--shard " + options.shard);
  }
  if (options.suite.jobs == 0 || options.suite.jobs > most_jobs)
    return fmt::format("-j {}: expected 1 to {} threads", options.suite.jobs, most_jobs);
  const bool writes = !options.junit.empty() || !options.coverage.empty() || options.update;
  if (options.suite.list && writes) return "--list runs nothing: there is nothing for --junit, --coverage or --update";
  if (!options.junit.empty() && options.junit == options.coverage)
    return "--junit and --coverage name the same file, " + options.junit;
  return {};
}

int run_tests(TestArguments& options) {
  const std::string problem = usage_problem(options);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  for (const std::string* const file : {&options.junit, &options.coverage}) {
    const std::string unwritable = file->empty() ? "" : write_problem(*file);
    if (unwritable.empty()) continue;
    spdlog::error("{}: error: {}", file == &options.junit ? "--junit" : "--coverage", unwritable);
    return exit_code::bad_input;
  }
  const Result<std::vector<std::string>> files = find_suite_files(options.paths);
  if (!files) {
    spdlog::error("{}", files.error().to_string());
    return exit_code::bad_input;
  }
  options.suite.coverage = !options.coverage.empty();
  Printer printer(options, files->size());
  const SuiteResult suite = run_suite(*files, options.suite, [&](const TestResult& test) { printer.add(test); });
  printer.finish(suite);
  bool written = true;
  if (!options.junit.empty()) written = write_file(options.junit, junit_report(printer.tests(), suite));
  if (!options.coverage.empty()) written = write_file(options.coverage, lcov_report(suite)) && written;
  bool updated = false;
  if (options.update && suite.failed != 0) {
    const UpdateOutcome update = update_files(printer.update_set().files(), options.suite);
    written = written && update.written;
    updated = update.complete;
  }
  if (!written || suite.not_loaded != 0) return exit_code::bad_input;
  if (!suite.has_match) {
    spdlog::error("error: no test matches {}", fmt::join(options.suite.filters, ", "));
    return exit_code::usage;
  }
  return suite.failed == 0 || updated ? exit_code::good : exit_code::expectation_failed;
}

}  // namespace

void add_test(Command& app) {
  Command command = app.add("test", "Run scenarios and check what they expect");
  const auto options = std::make_shared<TestArguments>();
  SuiteOptions& suite = options->suite;
  suite.jobs = std::max(1U, std::thread::hardware_concurrency());
  const Choices<ColourChoice> colours = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  command.argument("PATH", options->paths, "scenario file, or folder: all .yaml and .yml files below it");
  command.option("-j,--jobs", suite.jobs, "threads (default: one for each processor)", "N");
  command.repeatable("-k", suite.filters,
                     "only tests and rows (`file.yaml#2[3]`) whose id or name holds TEXT (* and ? stand for others); "
                     "!TEXT leaves out; may be repeated",
                     "TEXT");
  command.flag("-x,--fail-fast", suite.fail_fast, "stop at the first test, or row of a table, that does not hold");
  command.option("--shard", options->shard, "run part I of N, from 1/N to N/N", "I/N");
  command.flag("--list", suite.list, "name the tests, run none");
  command.flag("--update", options->update, "rewrite the values that do not hold with those that were computed");
  command.option("--junit", options->junit, "write a JUnit report", "FILE");
  command.option("--coverage", options->coverage, "write an LCOV tracefile of the source lines that were run", "FILE");
  command.flag("--stats", options->stats, "print how long what took");
  command.option("--mcpu", suite.load.mcpu, "processor or generation (`salu targets` lists them)");
  add_run_options(command, options->max_steps, suite.strict, suite.check_undefined);
  command.choice("--color", options->colour, colours, "colour the text: auto (on a terminal), always or never");
  command.flag("-v,--verbose", options->verbose, "print the tests that pass, too");
  command.flag("-q,--quiet", options->quiet, "print failures and the summary only");
  command.footer(
      "\nExamples:\n"
      "  salu test tests/\n"
      "  salu test -k fork -k '!trap' --junit report.xml tests/\n"
      "  salu test --shard 1/4 --coverage part1.info tests/\n"
      "\nExit codes: 0 all hold, 1 one fails, 2 wrong usage, 3 one cannot be loaded.");
  command.action([options] { return run_tests(*options); });
}

}  // namespace salu::app
