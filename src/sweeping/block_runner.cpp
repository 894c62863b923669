#include "sweeping/block_runner.hpp"

#include <algorithm>
#include <utility>

#include "support/numbers.hpp"

namespace salu::sweeping {
namespace {

batch::Part part_of(const CasePlace& place) {
  return {place.is_memory(), place.column.name, place.column.address, place.column.size_bytes};
}

/// The end of a run that was completed in the batch.
RunEnd end_of(batch::Ending ending) {
  constexpr u32 distance = static_cast<u32>(StopReason::returned) - static_cast<u32>(StopReason::end_program);
  const u32 is_return = ending == batch::Ending::returned ? 1 : 0;
  return RunEnd{static_cast<u8>(static_cast<u32>(StopReason::end_program) + distance * is_return)};
}

/// The state that an expression reads for one of many states, whose run did not store to memory.
class BlockState final : public expr::ExpressionState {
 public:
  BlockState(const Task& task, const Block& block, std::size_t index) : task_(task), block_(block), index_(index) {}

  [[nodiscard]] u64 read(const RegisterName& name) const override {
    for (std::size_t i = task_.outputs; i < task_.results.size(); ++i) {
      if (task_.results[i].column.name == name) return block_.results[i][index_];
    }
    return 0;
  }
  [[nodiscard]] const Memory& memory() const override { return task_.scenario.memory; }

 private:
  const Task& task_;
  const Block& block_;
  std::size_t index_;
};

}  // namespace

void Task::prepare(Engine engine) {
  const RunOptions& options = scenario.options;
  const bool is_memory_set = std::ranges::any_of(states.inputs(), &CasePlace::is_memory);
  const bool sees_set_memory = where && where->reads_memory() && is_memory_set;
  if (engine == Engine::scalar || !is_unwatched(options) || sees_set_memory) return;
  std::vector<batch::Part> in;
  std::vector<batch::Part> out;
  for (const CasePlace& input : states.inputs()) in.push_back(part_of(input));
  for (const CasePlace& result : results) out.push_back(part_of(result));
  table = batch::PreparedTable::make(scenario.program, scenario.initial, scenario.memory, options.on_vector, in, out);
}

std::optional<Error> BlockRunner::run(u64 first, std::size_t count, Block& block, Tally* tally) {
  block.first = first;
  block.inputs.resize(task_.states.inputs().size());
  block.results.resize(task_.results.size());
  block.resize(count);
  if (task_.where) block.holds.assign(count, false);
  const bool is_ended = task_.is_cancelled && task_.is_cancelled();
  const bool in_batches = !is_ended && task_.table && batches_pay_;
  bool has_inputs = false;
  const auto fill_inputs = [&]() -> std::optional<Error> {
    if (std::exchange(has_inputs, true)) return std::nullopt;
    return task_.states.fill(first, block.inputs);
  };
  if (!in_batches || tally == nullptr) {
    if (auto problem = fill_inputs()) return problem;
  }
  if (in_batches) {
    if (auto problem = run_batch(block, has_inputs)) return problem;
    // Usually no state has left the batch.
    const bool have_all = batches_->count(batch::Ending::left) == 0;
    if (have_all && tally != nullptr) {
      tally_batch(block, *tally);
      return std::nullopt;
    }
    read_batch(block);
    if (have_all && !task_.where) return std::nullopt;
    if (auto problem = fill_inputs()) return problem;
  }
  std::size_t alone = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (in_batches && batches_->ending(i) != batch::Ending::left) {
      if (task_.where) block.holds[i] = holds(block, i);
      continue;
    }
    ++alone;
    if (is_ended || !run_alone(block, i)) {
      block.count = i;
      break;
    }
  }
  constexpr std::size_t states_that_tell = 64;
  if (in_batches && count >= states_that_tell) batches_pay_ = alone * 2 <= count;
  if (tally != nullptr) tally->add(block);
  return std::nullopt;
}

/// Runs a block in a batch. `has_inputs`: the columns of the inputs are filled.
std::optional<Error> BlockRunner::run_batch(Block& block, bool has_inputs) {
  if (!batches_) batches_.emplace(*task_.table);
  batches_->begin(block.count);
  for (std::size_t i = 0; i < block.inputs.size(); ++i) {
    const std::span<u32> row = batches_->values(i);
    if (!row.empty() && task_.states.fill_dwords(i, block.first, row, batches_->loops())) continue;
    std::vector<u64>& values = block.inputs[i];
    if (!has_inputs) {
      if (auto problem = task_.states.fill(i, block.first, values)) return problem;
    }
    if (row.empty()) {
      for (std::size_t state = 0; state < block.count; ++state) batches_->set(i, state, values[state]);
    } else {
      std::ranges::transform(values, row.begin(), [](u64 value) { return static_cast<u32>(value); });
    }
  }
  batches_->run(task_.scenario.options.max_steps);
  return std::nullopt;
}

void BlockRunner::read_batch(Block& block) const {
  for (std::size_t i = 0; i < block.results.size(); ++i) read_batch(i, block.results[i]);
  std::ranges::transform(batches_->endings(), block.ends.begin(), end_of);
  for (std::size_t state = 0; task_.steps && state < block.count; ++state) block.steps[state] = batches_->steps(state);
}

/// Reads the values of a result.
void BlockRunner::read_batch(std::size_t result, std::span<u64> values) const {
  const std::span<const u32> row = batches_->results(result);
  const u64 mask = support::ones(task_.results[result].bits);
  if (row.empty()) {
    for (std::size_t state = 0; state < values.size(); ++state) values[state] = batches_->read(result, state) & mask;
  } else {
    std::ranges::transform(row, values.begin(), [mask](u32 value) { return value & mask; });
  }
}

/// Adds the states of a batch that no state has left to a tally.
void BlockRunner::tally_batch(Block& block, Tally& tally) const {
  for (const batch::Ending ending : {batch::Ending::end_program, batch::Ending::returned})
    tally.add_ends(end_of(ending), batches_->count(ending));
  for (std::size_t i = 0; i < task_.outputs; ++i) {
    const std::span<const u32> row = batches_->results(i);
    if (row.empty() || !tally.needs_no_values()) {
      read_batch(i, block.results[i]);
      tally.add_values(i, block.results[i], block.first);
    } else {
      tally.add_row(i, row, static_cast<u32>(support::ones(task_.results[i].bits)), block.first, batches_->loops());
    }
  }
}

/// Runs a state on the scalar machine. Returns false if cancelled.
bool BlockRunner::run_alone(Block& block, std::size_t index) {
  if (!scalar_) scalar_.emplace(task_.scenario, task_.states.inputs());
  if (!scalar_->run(block, index, task_.is_cancelled)) return false;
  for (std::size_t i = 0; i < task_.results.size(); ++i) block.results[i][index] = scalar_->read(task_.results[i]);
  if (task_.where) block.holds[index] = task_.where->evaluate(*scalar_).is_true();
  return true;
}

bool BlockRunner::holds(const Block& block, std::size_t index) const {
  return task_.where->evaluate(BlockState(task_, block, index)).is_true();
}

}  // namespace salu::sweeping
