#pragma once

#include <salu/error.hpp>
#include <salu/fidelity.hpp>
#include <salu/integer.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace salu {

/// A part of a suite: every `count`th test from `index` on.
struct Shard {
  u32 index = 0;  ///< from 0
  u32 count = 1;  ///< at least 1
};

/// Options of a suite run.
struct SuiteOptions {
  LoadOptions load;
  bool strict = false;
  CheckUndefined check_undefined = CheckUndefined::off;
  /// Only tests and rows whose id or name matches one of these texts (`*` and `?` are wildcards); `!TEXT` excludes.
  /// Empty: all.
  std::vector<std::string> filters;
  std::string document;  ///< only this scenario of each file: its number (from 1) or name; empty: all
  Shard shard;
  u32 jobs = 1;  ///< threads
  /// Runs of each test with several waves in addition to the first one, each in another random order of the waves
  /// (`Schedule::seed` from 0). A test fails if its results depend on the order.
  u64 schedules = 0;
  /// Also run each test with results of approximations that are rounded to nearest, down and up (`Approximations`). A
  /// test fails if an expectation does not hold with one of them.
  bool all_approximations = false;
  bool fail_fast = false;  ///< stop after the first test or table row that fails
  bool list = false;       ///< list the tests without running them
  bool coverage = false;
  bool fidelity = false;          ///< fill `SuiteResult::fidelity`
  Engine engine = Engine::batch;  ///< for tables
};

/// A failed expectation, and the instruction that wrote the wrong value.
struct Failure {
  std::optional<u64> row;  ///< row of a table, from 0
  std::string row_name;    ///< empty if the row has no name
  Mismatch mismatch;
  std::string writer;  ///< `s_add_u32 s2, s0, s1 at 0x1000 (start, add.s:3)`, or why it is unknown; may be empty
  /// The inputs of that instruction and their writers, for a few links: `s4[7] = 0, written by ...`.
  std::vector<std::string> chain;
};

/// The result of one test: a document of a scenario file, or a file that could not be loaded.
struct TestResult {
  enum class Status : u8 { passed, failed, not_loaded };
  std::string file;
  std::string id;    ///< the file, plus `#2` for the second of several documents
  std::string name;  ///< `name:` of the scenario, or the id
  Status status = Status::passed;
  bool has_expectations = true;  ///< false: only the stop reason was checked
  bool is_table = false;
  std::string table_file;  ///< the file that contains the rows of a table
  u64 runs = 0;            ///< 1, or the number of table rows that were run (with `list`: would be run)
  u64 failed_runs = 0;
  u64 steps = 0;  ///< instructions executed
  double seconds = 0;
  std::vector<Failure> failures;  ///< of the first `most_failures` failed runs
  std::optional<Error> error;     ///< with `not_loaded`: the reason
  std::vector<Remark> remarks;
};
inline constexpr u64 most_failures = 20;

/// The number of runs that executed each line of a source file.
using LineCounts = std::map<u32, u64>;

/// The fidelity of the runs of a suite (`Fidelity`). Each instruction is counted once per test.
struct SuiteFidelity {
  u64 exact = 0;
  u64 approximate = 0;
  u64 skipped = 0;
  u64 assumed = 0;
  u64 runs = 0;
  u64 inexact_runs = 0;           ///< runs that executed an inexact instruction
  u64 affected_control_flow = 0;  ///< runs whose control flow depends on an inexact instruction
  u64 affected_addresses = 0;
  u64 affected_results = 0;                   ///< runs in which a compared result depends on an inexact instruction
  std::vector<InstructionCoverage> coverage;  ///< by generation, if any of its instructions was executed

  /// Adds the counts of runs.
  void add_runs(const SuiteFidelity& other) {
    runs += other.runs;
    inexact_runs += other.inexact_runs;
    affected_control_flow += other.affected_control_flow;
    affected_addresses += other.affected_addresses;
    affected_results += other.affected_results;
  }
};

/// The result of a suite run.
struct SuiteResult {
  u64 passed = 0;
  u64 failed = 0;
  u64 not_loaded = 0;
  u64 without_expectations = 0;
  u64 runs = 0;
  u64 steps = 0;
  bool stopped_early = false;  ///< `fail_fast`
  bool has_match = true;       ///< false: the filters and `document` match no test in any shard
  double load_seconds = 0;     ///< processor time of all threads: reading, parsing, assembling
  double run_seconds = 0;      ///< processor time of all threads: running and comparing
  double wall_seconds = 0;
  std::optional<SuiteFidelity> fidelity;
  std::map<std::string, LineCounts> coverage;  ///< by source file, for every line with code
};

/// Finds the scenario files of some paths: a file itself, or all `.yaml` and `.yml` files below a folder, sorted by
/// path. Returns an error for a path that does not exist, and if there are no files.
Result<std::vector<std::string>> find_suite_files(const std::vector<std::string>& paths);

/// Receives the results, called from one thread at a time, in the order of the tests for any number of threads.
using ResultHandler = std::function<void(const TestResult&)>;

/// Runs the scenarios in these files and checks their expectations. The results and their order do not depend on the
/// number of threads.
SuiteResult run_suite(const std::vector<std::string>& files, const SuiteOptions& options, const ResultHandler& handle);

/// The new text of a file whose expectations did not hold.
struct UpdatedFile {
  std::string file;
  std::string text;
  std::string old_text;  ///< the file as it was read; do not overwrite the file if it has changed since
  u64 changes = 0;       ///< number of changed values
};

/// The result of `update_expectations`.
struct Update {
  std::vector<UpdatedFile> files;  ///< scenario files and tables of cases, each once
  /// `file:line: ...`: failed expectations that could not be rewritten, and files that cannot be read.
  std::vector<std::string> left;
};

/// Runs the tests of some files (those that `options.filters` select, in all shards) and replaces expected values that
/// do not hold by the computed ones. Comments, layout and number formats stay. A value that several tests share, by an
/// alias or in a table, is replaced only if all of them computed the same value; therefore all files that share a table
/// must be passed in one call. Files that cannot be loaded are not changed. The function does not write files.
Update update_expectations(const std::vector<std::string>& files, const SuiteOptions& options);

/// Formats a JUnit report for CI systems, with the time of each test.
std::string junit_report(const std::vector<TestResult>& tests, const SuiteResult& suite);

/// Formats the coverage as an LCOV tracefile; `lcov -a` merges such files.
std::string lcov_report(const SuiteResult& suite);

}  // namespace salu
