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

/// One part of a suite: every `count`th test from `index` on.
struct Shard {
  u32 index = 0;  ///< from 0
  u32 count = 1;  ///< at least 1
};

/// What to run, and how.
struct SuiteOptions {
  LoadOptions load;
  bool strict = false;
  CheckUndefined check_undefined = CheckUndefined::off;
  /// Tests and rows whose id or name holds one of these texts (`*` and `?` stand for other characters); `!TEXT` leaves
  /// out. Empty: all.
  std::vector<std::string> filters;
  Shard shard;
  u32 jobs = 1;            ///< threads
  bool fail_fast = false;  ///< nothing behind the first test, or row of a table, that does not hold
  bool list = false;       ///< find and name the tests, run none
  bool coverage = false;
  bool fidelity = false;          ///< fill `SuiteResult::fidelity`
  Engine engine = Engine::batch;  ///< of tables
};

/// An expectation that did not hold, and the instruction that wrote the wrong value.
struct Failure {
  std::optional<u64> row;  ///< of a table, from 0
  std::string row_name;    ///< empty when it has none
  Mismatch mismatch;
  std::string writer;  ///< `s_add_u32 s2, s0, s1 at 0x1000 (start, add.s:3)`, or why there is none; may be empty
  /// What that instruction made the value of, and so on for a few links: `s4[7] = 0, written by ...`.
  std::vector<std::string> chain;
};

/// What became of one test: a document of a scenario file, or a file that could not be loaded.
struct TestResult {
  enum class Status : u8 { passed, failed, not_loaded };
  std::string file;
  std::string id;    ///< the file, and `#2` for the second of several documents
  std::string name;  ///< `name:` of the scenario, or the id
  Status status = Status::passed;
  bool has_expectations = true;  ///< false: only its end was looked at
  bool is_table = false;
  std::string table_file;  ///< that the rows of a table stand in
  u64 runs = 0;            ///< 1, or the rows of a table that were run (`list`: that would be)
  u64 failed_runs = 0;
  u64 steps = 0;  ///< instructions executed
  double seconds = 0;
  std::vector<Failure> failures;  ///< of the first failed runs (`most_failures` of them)
  std::optional<Error> error;     ///< why it was not loaded
  std::vector<Remark> remarks;
};
inline constexpr u64 most_failures = 20;

/// How often the runs of a suite came by the lines of a source file.
using LineCounts = std::map<u32, u64>;

/// How exact the runs of a suite were (`Fidelity`). Instructions count once for each test.
struct SuiteFidelity {
  u64 exact = 0;
  u64 approximate = 0;
  u64 skipped = 0;
  u64 assumed = 0;
  u64 runs = 0;
  u64 inexact_runs = 0;           ///< that executed an instruction which was not exact
  u64 affected_control_flow = 0;  ///< runs whose control flow depends on one
  u64 affected_addresses = 0;
  u64 affected_results = 0;                   ///< those in which something that is compared does
  std::vector<InstructionCoverage> coverage;  ///< by generation, those of which anything was executed

  /// Adds the counts of runs.
  void add_runs(const SuiteFidelity& other) {
    runs += other.runs;
    inexact_runs += other.inexact_runs;
    affected_control_flow += other.affected_control_flow;
    affected_addresses += other.affected_addresses;
    affected_results += other.affected_results;
  }
};

/// Everything that a suite did.
struct SuiteResult {
  u64 passed = 0;
  u64 failed = 0;
  u64 not_loaded = 0;
  u64 without_expectations = 0;
  u64 runs = 0;
  u64 steps = 0;
  bool stopped_early = false;  ///< `fail_fast`
  bool has_match = true;       ///< false: the filters match no test, in other shards neither
  double load_seconds = 0;     ///< of all threads' processors: reading, parsing, assembling
  double run_seconds = 0;      ///< of all threads' processors: running and comparing
  double wall_seconds = 0;
  std::optional<SuiteFidelity> fidelity;
  std::map<std::string, LineCounts> coverage;  ///< by source file: every line with code, and how many runs came by
};

/// The files below these paths: a file is itself, a folder all of its `.yaml` and `.yml` files, sorted by path. An
/// error for a path where there is nothing, and for no files at all.
Result<std::vector<std::string>> find_suite_files(const std::vector<std::string>& paths);

/// Called from one thread at a time, in the order of the tests whatever the number of threads.
using ResultHandler = std::function<void(const TestResult&)>;

/// Runs the scenarios in these files and checks what they expect. The same results in the same order with any number
/// of threads.
SuiteResult run_suite(const std::vector<std::string>& files, const SuiteOptions& options, const ResultHandler& handle);

/// The new text of a file whose expectations did not hold.
struct UpdatedFile {
  std::string file;
  std::string text;
  std::string old_text;  ///< of the file as it was read; what has been changed since is not to be overwritten
  u64 changes = 0;       ///< values that are others than before
};

/// What `--update` makes of the tests of some files.
struct Update {
  std::vector<UpdatedFile> files;  ///< scenario files and tables of cases, each once
  /// `file:line: ...`: what does not hold and could not be rewritten, and what cannot be read.
  std::vector<std::string> left;
};

/// Runs the tests of some files (those that `options.filters` select, whatever the shard) and rewrites the values that
/// they expect and do not get; comments, layout and the way in which a number is written stay. A value that several
/// tests use, by an alias or in a table that they share, is rewritten when it is wrong in the same way for all of them:
/// so all files that share a table have to be given at once. What cannot be loaded is left alone. This writes no
/// file.
Update update_expectations(const std::vector<std::string>& files, const SuiteOptions& options);

/// A JUnit report, as CI systems read it. `seconds` of the tests are in it.
std::string junit_report(const std::vector<TestResult>& tests, const SuiteResult& suite);

/// An LCOV tracefile of what was covered; `lcov -a` adds such files up.
std::string lcov_report(const SuiteResult& suite);

}  // namespace salu
