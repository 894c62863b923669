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

/// Counts by source line of what a test's program executes.
class LineCounter {
 public:
  explicit LineCounter(const Program& program);

  /// One run more, which executed these addresses.
  void add(const std::vector<u64>& executed);
  /// Adds the counts by file and line.
  void add_to(std::map<std::string, LineCounts>& coverage) const;

 private:
  const Program& program_;
  std::vector<std::pair<u32, u32>> lines_;  ///< file and line, each once
  std::vector<u32> line_of_entry_;          ///< index into `lines_`, by `Program::lines`
  std::vector<u64> counts_;                 ///< by `lines_`: the runs that came by
  std::vector<u64> last_run_;               ///< by `lines_`: the last of them
  u64 runs_ = 0;
};

/// Runs one scenario and compares: a table row by row on one machine, without decoding names or places again.
class ScenarioRunner {
 public:
  /// Both have to outlive the runner.
  ScenarioRunner(const Scenario& scenario, const SuiteOptions& options);

  /// What one run came to.
  struct Run {
    bool holds = false;
    u64 steps = 0;
  };
  /// A scenario without a table.
  Run run_plain();
  /// A row of the table.
  Run run_row(std::size_t row);
  /// Some rows of the table, by what `prepare_table` has made of it: many at once.
  std::vector<Run> run_rows(const batch::PreparedTable& table, std::span<const std::size_t> rows);

  [[nodiscard]] const std::optional<LineCounter>& lines() const { return lines_; }
  [[nodiscard]] const FidelityTally& fidelity() const { return fidelity_; }

 private:
  template <class Results>
  [[nodiscard]] bool holds(std::size_t row, const Results& results) const;
  Run run_scenario(const Scenario& scenario);

  const Scenario& scenario_;
  RunOptions run_options_;
  bool is_plain_;  ///< nothing but registers, memory and the stop reason is looked at
  core::RepeatedRun machine_;
  std::optional<batch::TableRuns> table_runs_;
  std::vector<std::size_t> result_of_column_;  ///< of the table that these are of
  std::vector<u64> executed_;
  std::optional<LineCounter> lines_;
  FidelityTally fidelity_;
};

/// Makes the table of a scenario ready to be run many rows at once; nothing where each row needs the scalar machine.
std::optional<batch::PreparedTable> prepare_table(const Scenario& scenario, const SuiteOptions& options);

/// How a scenario is run in a suite.
RunOptions run_options(const Scenario& scenario, const SuiteOptions& options);

/// What a failed run differs in, with the instructions that wrote the wrong values.
std::vector<Failure> explain(const Scenario& scenario, const SuiteOptions& options);

}  // namespace salu::suite
