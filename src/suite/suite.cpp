#include <salu/suite.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "suite/scenario_runner.hpp"
#include "suite/selection.hpp"

namespace salu {
namespace {

using suite::ScenarioRunner;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Rows of a table that one thread runs at a time.
constexpr std::size_t rows_per_chunk = 4096;

/// Rows of one table, which any thread may help with.
class TableRun {
 public:
  TableRun(const Scenario& scenario, const SuiteOptions& options)
      : scenario_(scenario),
        options_(options),
        chunks_((scenario.cases->rows() + rows_per_chunk - 1) / rows_per_chunk) {
    results_.resize(chunks_);
  }

  [[nodiscard]] bool has_work() const { return next_ < chunks_; }

  /// Runs chunks until there are none left. Returns how long that took.
  double help() {
    const Clock::time_point start = Clock::now();
    ++helpers_;
    std::optional<ScenarioRunner> runner;
    for (std::size_t chunk = next_++; chunk < chunks_; chunk = next_++) {
      if (!runner) runner.emplace(scenario_, options_);
      run_chunk(*runner, chunk);
      ++done_;
    }
    const std::lock_guard lock(mutex_);
    if (runner && runner->lines()) runner->lines()->add_to(coverage_);
    --helpers_;
    all_done_.notify_all();
    return seconds_since(start);
  }

  /// Waits for every chunk and adds up what they came to, in order. The scenario is not used any more afterwards: who
  /// comes to help now finds nothing to do.
  void finish(TestResult& result) {
    {
      std::unique_lock lock(mutex_);
      all_done_.wait(lock, [this] { return done_ == chunks_ && helpers_ == 0; });
    }
    for (const Chunk& chunk : results_) {
      result.runs += chunk.runs;
      result.failed_runs += chunk.failed;
      result.steps += chunk.steps;
      for (const std::size_t row : chunk.failed_rows) {
        if (failed_rows_.size() < most_failures) failed_rows_.push_back(row);
      }
    }
    for (const std::size_t row : failed_rows_) {
      for (Failure& failure : suite::explain(case_scenario(scenario_, row), options_)) {
        failure.row = row;
        if (!scenario_.cases->names.empty()) failure.row_name = scenario_.cases->names[row];
        result.failures.push_back(std::move(failure));
      }
    }
  }

  [[nodiscard]] const std::map<std::string, LineCounts>& coverage() const { return coverage_; }

 private:
  struct Chunk {
    u64 runs = 0;
    u64 failed = 0;
    u64 steps = 0;
    std::vector<std::size_t> failed_rows;  ///< the first of them
  };

  void run_chunk(ScenarioRunner& runner, std::size_t index) {
    Chunk& chunk = results_[index];
    const std::size_t first = index * rows_per_chunk;
    const std::size_t last = std::min(first + rows_per_chunk, scenario_.cases->rows());
    for (std::size_t row = first; row < last; ++row) {
      if (row % options_.shard.count != options_.shard.index) continue;
      const ScenarioRunner::Run run = runner.run_row(row);
      ++chunk.runs;
      chunk.steps += run.steps;
      if (run.holds) continue;
      ++chunk.failed;
      if (chunk.failed_rows.size() < most_failures) chunk.failed_rows.push_back(row);
    }
  }

  const Scenario& scenario_;
  const SuiteOptions& options_;
  std::size_t chunks_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<u32> helpers_ = 0;
  std::vector<Chunk> results_;
  std::vector<std::size_t> failed_rows_;
  std::map<std::string, LineCounts> coverage_;
  std::mutex mutex_;
  std::condition_variable all_done_;
};

class SuiteRun {
 public:
  SuiteRun(const std::vector<std::string>& files, const SuiteOptions& options, const ResultHandler& handle)
      : files_(files), options_(options), handle_(handle), results_(files.size()) {}

  SuiteResult run() {
    const Clock::time_point start = Clock::now();
    std::vector<std::thread> threads;
    for (u32 i = 1; i < options_.jobs; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    total_.wall_seconds = seconds_since(start);
    return std::move(total_);
  }

 private:
  struct FileResult {
    std::vector<TestResult> tests;
    bool done = false;
  };

  /// Something to do for a thread: help with a table, run a file, or neither when all is done.
  struct Task {
    std::shared_ptr<TableRun> table;
    std::optional<std::size_t> file;
  };

  Task take_task() {
    std::unique_lock lock(mutex_);
    const auto has_file = [this] { return next_file_ < files_.size() && !stopped_; };
    // Whoever is busy with a file may still open a table.
    waiting_.wait(lock, [&] { return has_open_table() || has_file() || busy_ == 0; });
    if (has_open_table()) return {open_tables_.front(), {}};
    if (!has_file()) return {};
    ++busy_;
    return {nullptr, next_file_++};
  }

  void work() {
    for (Task task = take_task(); task.table || task.file; task = take_task()) {
      if (task.table) {
        const double seconds = task.table->help();
        const std::lock_guard lock(mutex_);
        total_.run_seconds += seconds;
        continue;
      }
      std::vector<TestResult> tests = run_safely(*task.file);
      const std::lock_guard lock(mutex_);
      results_[*task.file] = {std::move(tests), true};
      --busy_;
      hand_on();
      waiting_.notify_all();
    }
  }

  /// A file that is too much for the memory, or the like, fails alone.
  std::vector<TestResult> run_safely(std::size_t file) {
    try {
      return run_file(files_[file], file);
    } catch (const std::exception& exception) {
      TestResult test;
      test.file = test.id = test.name = files_[file];
      test.status = TestResult::Status::not_loaded;
      test.error = Error{ErrorCode::io, {files_[file]}, exception.what(), {}};
      return {std::move(test)};
    }
  }

  /// With the lock held: drops tables that need no more help.
  bool has_open_table() {
    std::erase_if(open_tables_, [](const std::shared_ptr<TableRun>& table) { return !table->has_work(); });
    return !open_tables_.empty();
  }

  /// With the lock held: reports what is complete, in order.
  void hand_on() {
    for (; next_result_ < results_.size() && results_[next_result_].done; ++next_result_) {
      for (const TestResult& test : results_[next_result_].tests) {
        if (stopped_) break;
        count(test);
        handle_(test);
        if (options_.fail_fast && test.status != TestResult::Status::passed) stopped_ = total_.stopped_early = true;
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

  std::vector<TestResult> run_file(const std::string& file, std::size_t index) {
    std::vector<TestResult> tests;
    const Clock::time_point start = Clock::now();
    const bool is_mine = index % options_.shard.count == options_.shard.index;
    std::vector<Result<Scenario>> scenarios = load(file, is_mine);
    const double load_seconds = seconds_since(start);
    double run_seconds = 0;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      TestResult test;
      test.file = file;
      test.id = scenarios.size() == 1 ? file : file + "#" + std::to_string(i + 1);
      test.name = scenarios[i] ? scenarios[i]->name : test.id;
      const bool is_table = scenarios[i] && scenarios[i]->cases != nullptr;
      if (!is_table && !is_mine) continue;
      if (!suite::is_selected(options_.filters, test.id, test.name)) continue;
      const Clock::time_point run_start = Clock::now();
      if (scenarios[i]) {
        run_scenario(*scenarios[i], test);
      } else {
        test.status = TestResult::Status::not_loaded;
        test.error = std::move(scenarios[i]).error();
      }
      test.seconds = seconds_since(run_start);
      run_seconds += test.seconds;
      tests.push_back(std::move(test));
    }
    const std::lock_guard lock(mutex_);
    total_.load_seconds += load_seconds;
    total_.run_seconds += run_seconds;
    return tests;
  }

  /// Shards take turns with the files, but share the rows of tables: a file of another shard is of interest when there
  /// may be a table in it.
  std::vector<Result<Scenario>> load(const std::string& file, bool is_mine) const {
    if (is_mine) return load_file(file, options_.load);
    std::string bytes;
    try {
      bytes = loader::read_file(file, loader::file_limit_bytes, "a scenario");
    } catch (const loader::Rejection&) {
      return {};
    }
    if (bytes.find("cases") == std::string::npos) return {};
    return load_bytes(std::move(bytes), file, options_.load);
  }

  void run_scenario(const Scenario& scenario, TestResult& test) {
    test.remarks = scenario.remarks;
    test.is_table = scenario.cases != nullptr;
    test.has_expectations = scenario.expect.has_value() || test.is_table;
    if (options_.list) return;
    if (test.is_table) {
      test.table_file = scenario.cases->file;
      const auto table = std::make_shared<TableRun>(scenario, options_);
      {
        const std::lock_guard lock(mutex_);
        open_tables_.push_back(table);
        waiting_.notify_all();
      }
      table->help();
      table->finish(test);
      add_coverage(table->coverage());
    } else {
      ScenarioRunner runner(scenario, options_);
      const ScenarioRunner::Run run = runner.run_plain();
      test.runs = 1;
      test.steps = run.steps;
      test.failed_runs = run.holds ? 0 : 1;
      if (!run.holds) test.failures = suite::explain(scenario, options_);
      if (runner.lines()) {
        std::map<std::string, LineCounts> coverage;
        runner.lines()->add_to(coverage);
        add_coverage(coverage);
      }
    }
    if (test.failed_runs != 0) test.status = TestResult::Status::failed;
  }

  void add_coverage(const std::map<std::string, LineCounts>& coverage) {
    const std::lock_guard lock(mutex_);
    for (const auto& [file, lines] : coverage) {
      LineCounts& counts = total_.coverage[file];
      for (const auto& [line, count] : lines) counts[line] += count;
    }
  }

  const std::vector<std::string>& files_;
  const SuiteOptions& options_;
  const ResultHandler& handle_;
  std::mutex mutex_;
  std::condition_variable waiting_;
  std::deque<std::shared_ptr<TableRun>> open_tables_;
  std::size_t next_file_ = 0;
  std::size_t next_result_ = 0;
  u32 busy_ = 0;
  bool stopped_ = false;
  std::vector<FileResult> results_;
  SuiteResult total_;
};

}  // namespace

SuiteResult run_suite(const std::vector<std::string>& files, const SuiteOptions& options, const ResultHandler& handle) {
  return SuiteRun(files, options, handle).run();
}

}  // namespace salu
