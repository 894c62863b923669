#pragma once

#include <salu/suite.hpp>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "batch/table_runs.hpp"
#include "core/repeated_run.hpp"
#include "suite/fidelity_tally.hpp"

namespace salu::suite {

/// Execution counts of a test, by source line.
class LineCounter {
 public:
  explicit LineCounter(const Program& program);

  /// Adds a run that executed these addresses.
  void add(const std::vector<u64>& executed);
  /// Adds the counts by file and line.
  void add_to(std::map<std::string, LineCounts>& coverage) const;

 private:
  const Program& program_;
  std::vector<std::pair<u32, u32>> lines_;  ///< file and line, each once
  std::vector<u32> line_of_entry_;          ///< index into `lines_`, by `Program::lines`
  std::vector<u64> counts_;                 ///< by `lines_`: number of runs that executed the line
  std::vector<u64> last_run_;               ///< by `lines_`: the last of these runs
  u64 runs_ = 0;
};

/// Runs a scenario and checks its expectations. The rows of a table run on one machine, and names are decoded once.
class ScenarioRunner {
 public:
  /// Both must outlive the runner.
  ScenarioRunner(const Scenario& scenario, const SuiteOptions& options);

  /// The result of one run.
  struct Run {
    bool holds = false;
    u64 steps = 0;
  };
  /// Runs a scenario without a table.
  Run run_plain();
  /// Runs a row of the table.
  Run run_row(std::size_t row);
  /// Runs many rows of the prepared table at once.
  std::vector<Run> run_rows(const batch::PreparedTable& table, std::span<const std::size_t> rows);

  [[nodiscard]] const std::optional<LineCounter>& lines() const { return lines_; }
  [[nodiscard]] const FidelityTally& fidelity() const { return fidelity_; }

 private:
  template <class Results>
  [[nodiscard]] bool holds(std::size_t row, const Results& results) const;
  Run run_scenario(const Scenario& scenario);

  const Scenario& scenario_;
  RunOptions run_options_;
  std::vector<RunOptions> others_;  ///< with other approximations
  u64 schedules_;                   ///< `SuiteOptions::schedules`
  bool is_plain_;                   ///< only registers, memory and the stop reason are compared
  core::RepeatedRun machine_;
  std::optional<batch::TableRuns> table_runs_;
  std::vector<std::size_t> result_of_column_;  ///< of the current table
  std::vector<u64> executed_;
  std::optional<LineCounter> lines_;
  FidelityTally fidelity_;
};

/// Prepares the table of a scenario for running many rows at once; nothing if the rows need the scalar machine.
std::optional<batch::PreparedTable> prepare_table(const Scenario& scenario, const SuiteOptions& options);

/// The run options of a scenario in a suite.
RunOptions run_options(const Scenario& scenario, const SuiteOptions& options);

/// With `SuiteOptions::all_approximations`: the options of a scenario with each of the other settings of
/// approximations.
std::vector<RunOptions> other_approximations(const RunOptions& run_options, const SuiteOptions& options);

/// The failed expectations of a run, with the instructions that wrote the wrong values.
std::vector<Failure> explain(const Scenario& scenario, const SuiteOptions& options);

}  // namespace salu::suite
