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

/// What every part of a sweep does with its states.
struct Task {
  const Scenario& scenario;
  const States& states;
  std::vector<CasePlace> results;               ///< the outputs, then the registers that the expression names
  std::size_t outputs = 0;                      ///< how many of them are outputs
  std::optional<expr::Expression> where;        ///< evaluated behind each run
  std::optional<batch::PreparedTable> table{};  ///< nothing where each state is run alone
  bool steps = false;                           ///< somebody asks for those of each run
  const std::function<bool()>& is_cancelled;

  /// Makes `table`, where many states at once are wanted and possible.
  void prepare(Engine engine);
};

/// Runs blocks of states for one thread at a time.
class BlockRunner {
 public:
  /// The task has to outlive it.
  explicit BlockRunner(const Task& task) : task_(task) {}

  /// The most states of a block: what they take stays in the cache.
  static constexpr std::size_t states_at_once = 4096;

  /// Runs `count` states from `first` on. Returns what is wrong with an input of one, or nothing; `block.count` is how
  /// many were run, less where that was cancelled. With a tally they are added to it, and nobody looks at the states
  /// one by one: the columns need not be filled then.
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
  bool batches_pay_ = true;  ///< fewer than half of the states have to be run once more
  std::optional<ScalarRuns> scalar_;
};

}  // namespace salu::sweeping
