#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "batch/table_runs.hpp"
#include "expr/expression.hpp"
#include "sweeping/block.hpp"
#include "sweeping/outputs.hpp"
#include "sweeping/scalar_runs.hpp"
#include "sweeping/states.hpp"
#include "sweeping/tally.hpp"

namespace salu::sweeping {

/// The work that is the same for all states of a sweep.
struct Task {
  const Scenario& scenario;
  const States& states;
  std::vector<CasePlace> results;               ///< the outputs, then the registers in the expression
  std::size_t outputs = 0;                      ///< number of outputs among `results`
  std::optional<expr::Expression> where;        ///< evaluated after each run
  std::optional<batch::PreparedTable> table{};  ///< empty if each state runs alone
  bool steps = false;                           ///< steps are an output
  const std::function<bool()>& is_cancelled;

  /// Makes `table` if batch execution is requested and possible.
  void prepare(Engine engine);
};

/// Runs blocks of states for one thread at a time.
class BlockRunner {
 public:
  /// The task must outlive the runner.
  explicit BlockRunner(const Task& task) : task_(task) {}

  /// The most states of a block, limited so that their data stays in the cache.
  static constexpr std::size_t states_at_once = 4096;

  /// Runs `count` states from `first` on. Returns an error for an invalid input; `block.count` is the number of states
  /// that were run, fewer if cancelled. With a tally the results are added to it, and the columns of the block may not
  /// be filled.
  std::optional<Error> run(u64 first, std::size_t count, Block& block, Tally* tally = nullptr);

 private:
  std::optional<Error> run_batch(Block& block, bool has_inputs);
  bool run_alone(Block& block, std::size_t index);
  void read_batch(Block& block) const;
  void read_batch(std::size_t result, std::span<u64> values) const;
  void tally_batch(Block& block, Tally& tally) const;
  [[nodiscard]] bool holds(const Block& block, std::size_t index) const;

  const Task& task_;
  std::optional<batch::TableRuns> batches_;
  bool batches_pay_ = true;  ///< fewer than half of the states must be rerun on the scalar machine
  std::optional<ScalarRuns> scalar_;
};

}  // namespace salu::sweeping
