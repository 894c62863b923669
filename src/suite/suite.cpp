#include <salu/suite.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "suite/scenario_runner.hpp"
#include "suite/selection.hpp"
#include "suite/work_pool.hpp"

namespace salu {
namespace {

using suite::RowSelection;
using suite::ScenarioRunner;
using Clock = std::chrono::steady_clock;
using Coverage = std::map<std::string, LineCounts>;

/// The most rows of a table that run at once, and the number of parts of a smaller table.
constexpr std::size_t most_rows_at_once = 4096;
constexpr std::size_t least_parts = 64;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The processor time of this thread, without waiting.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void add_coverage(Coverage& total, const ScenarioRunner& runner) {
  if (runner.lines()) runner.lines()->add_to(total);
}

/// Runs the selected rows of one table in the shard.
class TableRun {
 public:
  TableRun(const Scenario& scenario, const RowSelection& selection, const SuiteOptions& options)
      : scenario_(scenario), selection_(selection), options_(options) {
    const std::size_t rows = scenario.cases->rows();
    std::size_t least_at_once = 1;
    // Preparing a table takes as long as running some rows, and so does the start of each part.
    constexpr std::size_t least_rows = 256;
    if (rows >= least_rows) {
      prepared_ = suite::prepare_table(scenario, options);
      if (prepared_) least_at_once = least_rows;
    }
    rows_at_once_ = std::clamp<std::size_t>(rows / least_parts, least_at_once, most_rows_at_once);
    parts_.resize((rows + rows_at_once_ - 1) / rows_at_once_);
  }

  void run(const ForEach& for_each, TestResult& result) {
    for_each(parts_.size(), [this](std::size_t index) { return run_part(index); });
    std::vector<std::size_t> failed_rows;
    for (const Part& part : parts_) {
      result.runs += part.runs;
      result.failed_runs += part.failed;
      result.steps += part.steps;
      for (const std::size_t row : part.failed_rows) {
        if (failed_rows.size() < most_failures) failed_rows.push_back(row);
      }
      // Other threads may have run rows after the first that fails.
      if (options_.fail_fast && part.failed != 0) break;
    }
    for (const std::size_t row : failed_rows) {
      for (Failure& failure : suite::explain(case_scenario(scenario_, row), options_)) {
        failure.row = row;
        failure.row_name = scenario_.cases->name(row);
        result.failures.push_back(std::move(failure));
      }
    }
  }

  [[nodiscard]] const Coverage& coverage() const { return coverage_; }
  [[nodiscard]] const suite::FidelityTally& fidelity() const { return fidelity_; }

 private:
  struct Part {
    u64 runs = 0;
    u64 failed = 0;
    u64 steps = 0;
    std::vector<std::size_t> failed_rows;  ///< the first failed rows
  };

  /// Returns false if the rows after this part can be skipped.
  bool run_part(std::size_t index) {
    Part& part = parts_[index];
    ScenarioRunner runner(scenario_, options_);
    const std::size_t first = index * rows_at_once_;
    const std::size_t end = std::min(first + rows_at_once_, scenario_.cases->rows());
    std::vector<std::size_t> rows;
    for (std::size_t row = first; row < end; ++row) {
      if (row % options_.shard.count == options_.shard.index && selection_.has(row)) rows.push_back(row);
    }
    std::vector<ScenarioRunner::Run> runs;
    if (prepared_) runs = runner.run_rows(*prepared_, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ScenarioRunner::Run run = prepared_ ? runs[i] : runner.run_row(rows[i]);
      ++part.runs;
      part.steps += run.steps;
      if (run.holds) continue;
      ++part.failed;
      if (part.failed_rows.size() < most_failures) part.failed_rows.push_back(rows[i]);
      if (options_.fail_fast) break;
    }
    if (options_.coverage || options_.fidelity) {
      const std::lock_guard lock(mutex_);
      add_coverage(coverage_, runner);
      fidelity_.merge(runner.fidelity());
    }
    return !options_.fail_fast || part.failed == 0;
  }

  const Scenario& scenario_;
  const RowSelection& selection_;
  const SuiteOptions& options_;
  std::size_t rows_at_once_ = 1;
  std::vector<Part> parts_;
  std::optional<batch::PreparedTable> prepared_;  ///< nothing if the rows need the scalar machine
  std::mutex mutex_;
  Coverage coverage_;
  suite::FidelityTally fidelity_;
};

class SuiteRun {
 public:
  SuiteRun(const std::vector<std::string>& files, const SuiteOptions& options, const ResultHandler& handle)
      : files_(files), options_(options), handle_(handle), pool_(options.jobs), results_(files.size()) {}

  SuiteResult run() {
    const Clock::time_point start = Clock::now();
    pool_.for_each(files_.size(), [this](std::size_t file) {
      std::vector<TestResult> tests = run_safely(file);
      const std::lock_guard lock(mutex_);
      results_[file] = {std::move(tests), true};
      hand_on();
      return !total_.stopped_early;
    });
    const bool ran_nothing = total_.passed + total_.failed + total_.not_loaded == 0;
    const bool selects = !options_.filters.empty() || !options_.document.empty();
    if (ran_nothing && selects) total_.has_match = options_.shard.count > 1 && matches_somewhere();
    total_.wall_seconds = seconds_since(start);
    if (options_.fidelity) total_.fidelity = fidelity_.result();
    return std::move(total_);
  }

 private:
  struct FileResult {
    std::vector<TestResult> tests;
    bool done = false;
  };

  /// A file that exhausts memory, for example, fails alone.
  std::vector<TestResult> run_safely(std::size_t file) {
    Error problem{ErrorCode::io, {files_[file]}, {}, {}};
    try {
      return run_file(files_[file], file);
    } catch (const std::bad_alloc&) {
      problem.code = ErrorCode::memory;
      problem.message = "not enough memory";
    } catch (const std::exception& exception) {
      problem.message = exception.what();
    }
    TestResult test;
    test.file = test.id = test.name = files_[file];
    test.status = TestResult::Status::not_loaded;
    test.error = std::move(problem);
    return {std::move(test)};
  }

  /// Reports complete results in order. Called with the lock held.
  void hand_on() {
    for (; next_result_ < results_.size() && results_[next_result_].done; ++next_result_) {
      for (const TestResult& test : results_[next_result_].tests) {
        if (total_.stopped_early) break;
        count(test);
        handle_(test);
        total_.stopped_early = options_.fail_fast && test.status != TestResult::Status::passed;
      }
      results_[next_result_].tests = {};
    }
  }

  void count(const TestResult& test) {
    total_.passed += test.status == TestResult::Status::passed ? 1 : 0;
    total_.failed += test.status == TestResult::Status::failed ? 1 : 0;
    total_.not_loaded += test.status == TestResult::Status::not_loaded ? 1 : 0;
    total_.without_expectations += test.status != TestResult::Status::not_loaded && !test.has_expectations ? 1 : 0;
    total_.runs += test.runs;
    total_.steps += test.steps;
  }

  /// Each scenario is run and released before the next but one is loaded: memory may not suffice for a whole file.
  std::vector<TestResult> run_file(const std::string& file, std::size_t index) {
    std::vector<TestResult> tests;
    const bool is_mine = index % options_.shard.count == options_.shard.index;
    double last = processor_seconds();
    load_in_turn(file, is_mine, [&](TestResult test, Result<Scenario> scenario) {
      const double load_end = processor_seconds();
      if (run_test(std::move(scenario), is_mine, test)) tests.push_back(std::move(test));
      const std::lock_guard lock(mutex_);
      total_.load_seconds += load_end - std::exchange(last, processor_seconds());
      total_.run_seconds += last - load_end;
    });
    const std::lock_guard lock(mutex_);
    total_.load_seconds += processor_seconds() - last;
    return tests;
  }

  /// Returns false if the test is not selected here.
  bool run_test(Result<Scenario> scenario, bool is_mine, TestResult& test) {
    const Clock::time_point start = Clock::now();
    if (scenario && scenario->cases != nullptr) {
      const RowSelection selection(options_.filters, test.id, test.name, *scenario->cases);
      if (selection.count(options_.shard) == 0) return false;
      run_table(*scenario, selection, test);
    } else if (!is_mine || !suite::is_selected(options_.filters, test.id, test.name)) {
      return false;
    } else if (scenario) {
      run_scenario(*scenario, test);
    } else {
      test.status = TestResult::Status::not_loaded;
      test.error = std::move(scenario).error();
    }
    if (test.failed_runs != 0) test.status = TestResult::Status::failed;
    test.seconds = seconds_since(start);
    return true;
  }

  using TestHandler = std::function<void(TestResult test, Result<Scenario> scenario)>;

  /// Loads the scenarios of a file and names them as tests: a single document has the name of its file. Shards take
  /// turns with files, but share the rows of tables: files of other shards are loaded if they may contain a table.
  void load_in_turn(const std::string& file, bool is_mine, const TestHandler& handle) {
    LoadOptions options = options_.load;
    options.for_each = shared_by_threads(total_.load_seconds);
    std::optional<Result<Scenario>> first;
    std::size_t count = 0;
    const auto hand_on = [&](const std::string& id, std::size_t number, Result<Scenario> scenario) {
      TestResult test;
      test.file = file;
      test.id = id;
      test.name = scenario ? scenario->name : id;
      if (!suite::is_chosen_document(options_.document, number, test.name)) return;
      handle(std::move(test), std::move(scenario));
    };
    const auto see = [&](Result<Scenario> scenario) {
      if (++count == 1) {
        first.emplace(std::move(scenario));
        return;
      }
      if (count == 2) hand_on(file + "#1", 1, *std::exchange(first, std::nullopt));
      hand_on(fmt::format("{}#{}", file, count), count, std::move(scenario));
    };
    try {
      std::string bytes =
          loader::read_file(file, loader::file_limit_bytes, "a scenario or a file of code", options.files);
      if (is_mine || bytes.find("cases") != std::string::npos) load_each(std::move(bytes), file, options, see);
    } catch (loader::Rejection& rejection) {
      if (is_mine) see(std::move(rejection).take());
    }
    if (count == 1) hand_on(file, 1, *std::exchange(first, std::nullopt));
  }

  void run_table(const Scenario& scenario, const RowSelection& selection, TestResult& test) {
    const CaseTable& table = *scenario.cases;
    test.remarks = scenario.remarks;
    test.is_table = true;
    test.table_file = table.file;
    test.has_expectations = expects_something(scenario) || expects_something(table);
    if (options_.list) {
      test.runs = selection.count(options_.shard);
      return;
    }
    TableRun run(scenario, selection, options_);
    run.run(shared_by_threads(total_.run_seconds), test);
    merge_coverage(run.coverage());
    add_fidelity(scenario, run.fidelity());
  }

  static bool expects_something(const Scenario& scenario) {
    return scenario.expect && scenario.expect->says_something();
  }
  static bool expects_something(const CaseTable& table) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (table.expects_something(row)) return true;
    }
    return false;
  }

  void run_scenario(const Scenario& scenario, TestResult& test) {
    test.remarks = scenario.remarks;
    test.has_expectations = expects_something(scenario);
    if (options_.list) return;
    ScenarioRunner runner(scenario, options_);
    const ScenarioRunner::Run run = runner.run_plain();
    test.runs = 1;
    test.steps = run.steps;
    test.failed_runs = run.holds ? 0 : 1;
    if (!run.holds) test.failures = suite::explain(scenario, options_);
    add_fidelity(scenario, runner.fidelity());
    if (!options_.coverage) return;
    Coverage coverage;
    add_coverage(coverage, runner);
    merge_coverage(coverage);
  }

  /// A `ForEach` of the pool. Adds the processor time of helping threads to `seconds`; the caller measures its own.
  ForEach shared_by_threads(double& seconds) {
    return [this, &seconds](std::size_t count, const PartWork& work) {
      const std::thread::id owner = std::this_thread::get_id();
      pool_.for_each(count, [&](std::size_t index) {
        if (std::this_thread::get_id() == owner) return work(index);
        const double start = processor_seconds();
        const bool goes_on = work(index);
        const std::lock_guard lock(mutex_);
        seconds += processor_seconds() - start;
        return goes_on;
      });
    };
  }

  void merge_coverage(const Coverage& coverage) {
    const std::lock_guard lock(mutex_);
    for (const auto& [file, lines] : coverage) {
      LineCounts& counts = total_.coverage[file];
      for (const auto& [line, count] : lines) counts[line] += count;
    }
  }

  void add_fidelity(const Scenario& scenario, const suite::FidelityTally& test) {
    if (!options_.fidelity) return;
    const std::lock_guard lock(mutex_);
    fidelity_.add(scenario.program, test);
  }

  /// True if the filters match something in the files of all shards.
  bool matches_somewhere() {
    std::atomic<bool> found = false;
    pool_.for_each(files_.size(), [&](std::size_t index) {
      load_in_turn(files_[index], true, [&](const TestResult& test, const Result<Scenario>& scenario) {
        if (scenario && scenario->cases != nullptr) {
          if (RowSelection(options_.filters, test.id, test.name, *scenario->cases).count({}) != 0) found = true;
        } else if (suite::is_selected(options_.filters, test.id, test.name)) {
          found = true;
        }
      });
      return !found;
    });
    return found;
  }

  const std::vector<std::string>& files_;
  const SuiteOptions& options_;
  const ResultHandler& handle_;
  suite::WorkPool pool_;
  std::mutex mutex_;
  std::size_t next_result_ = 0;
  std::vector<FileResult> results_;
  suite::SuiteTally fidelity_;
  SuiteResult total_;
};

}  // namespace

SuiteResult run_suite(const std::vector<std::string>& files, const SuiteOptions& options, const ResultHandler& handle) {
  return SuiteRun(files, options, handle).run();
}

}  // namespace salu
