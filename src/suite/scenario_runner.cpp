#include "suite/scenario_runner.hpp"

#include <algorithm>
#include <map>

#include "core/executed.hpp"
#include "suite/schedules.hpp"

namespace salu::suite {
namespace {

/// True if a row overrides the scenario's expectation of a register.
bool is_replaced(const CaseTable& table, std::size_t row, const RegisterName& name) {
  const auto cells = table.row(row);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CaseColumn& column = table.columns[i];
    if (cells[i].mask != 0 && column.kind == CaseColumn::Kind::expected_register && column.name == name) return true;
  }
  return false;
}

/// The results of the machine, in the form that `holds` uses.
struct MachineResults {
  const Scenario& scenario;
  const core::RepeatedRun& machine;

  [[nodiscard]] u64 column(std::size_t index) const {
    const CaseColumn& column = scenario.cases->columns[index];
    if (column.kind == CaseColumn::Kind::expected_register) return machine.read(column.name);
    if (column.size_bytes == 4) return machine.memory_after().read_dword(column.address);
    std::array<u8, 8> bytes{};
    machine.memory_after().read(column.address, std::span(bytes).first(column.size_bytes));
    return std::bit_cast<u64>(bytes);
  }
  [[nodiscard]] u64 expected(std::size_t index) const { return machine.read(scenario.expect->registers[index].name); }
  [[nodiscard]] StopReason reason() const { return machine.reason(); }
};

batch::Part part_of(const CaseColumn& column) {
  const bool is_memory =
      column.kind == CaseColumn::Kind::input_memory || column.kind == CaseColumn::Kind::expected_memory;
  return {is_memory, column.name, column.address, column.size_bytes};
}

/// The results of a row of a batch.
class TableResults {
 public:
  TableResults(const std::vector<std::size_t>& result_of_column, const batch::TableRuns& runs, std::size_t state)
      : result_of_column_(result_of_column), runs_(runs), state_(state) {}

  [[nodiscard]] u64 column(std::size_t index) const { return runs_.read(result_of_column_[index], state_); }
  /// The expectations of the scenario itself follow the columns.
  [[nodiscard]] u64 expected(std::size_t index) const { return runs_.read(result_of_column_.back() + index, state_); }
  [[nodiscard]] StopReason reason() const {
    return runs_.ending(state_) == batch::Ending::returned ? StopReason::returned : StopReason::end_program;
  }

 private:
  const std::vector<std::size_t>& result_of_column_;
  const batch::TableRuns& runs_;
  std::size_t state_;
};

/// True if a result is the expected value of a column.
bool is_expected(const CaseColumn& column, const CaseCell& cell, u64 result) {
  if (!column.floats) return ((result ^ cell.value) & cell.mask) == 0;
  const bool is_register = column.kind == CaseColumn::Kind::expected_register;
  return are_equal(*column.floats, cell.value, result, is_register ? column.name.width : column.size_bytes * 8);
}

/// The index of the result for each column; the last entry is the first result of the scenario itself.
std::vector<std::size_t> results_of_columns(const CaseTable& table) {
  std::vector<std::size_t> numbers;
  std::size_t next = 0;
  for (const CaseColumn& column : table.columns) {
    numbers.push_back(next);
    if (!column.is_input() && column.kind != CaseColumn::Kind::expected_stop) ++next;
  }
  numbers.push_back(next);
  return numbers;
}

/// True if the expectations can be compared on the machine; others need `check`.
bool is_simple(const Scenario& scenario, const SuiteOptions& options) {
  if (scenario.runs_several_waves() || options.all_approximations) return false;
  if (options.strict || scenario.options.on_vector == OnVector::skip) return false;
  if (first_of(options.check_undefined, scenario.options.check_undefined) != CheckUndefined::off) return false;
  if (scenario.options.check_hazards || scenario.options.check_races || options.fidelity) return false;
  return !scenario.expect ||
         (!scenario.expect->warnings && !scenario.expect->max_steps && scenario.expect->memory.empty());
}

}  // namespace

std::optional<batch::PreparedTable> prepare_table(const Scenario& scenario, const SuiteOptions& options) {
  const RunOptions run = run_options(scenario, options);
  if (options.engine == Engine::scalar || run.max_seconds || run.coverage || !is_simple(scenario, options))
    return std::nullopt;
  std::vector<batch::Part> inputs;
  std::vector<batch::Part> results;
  for (const CaseColumn& column : scenario.cases->columns) {
    if (column.kind != CaseColumn::Kind::expected_stop)
      (column.is_input() ? inputs : results).push_back(part_of(column));
  }
  if (scenario.expect) {
    for (const RegisterExpectation& expected : scenario.expect->registers) {
      if (expected.floats) return std::nullopt;
      results.push_back({false, expected.name});
    }
  }
  return batch::PreparedTable::make(scenario.program, scenario.initial, scenario.memory, run.on_vector, inputs,
                                    results);
}

RunOptions run_options(const Scenario& scenario, const SuiteOptions& options) {
  RunOptions result = scenario.options;
  result.strict = options.strict;
  result.check_undefined = first_of(options.check_undefined, result.check_undefined);
  result.coverage = options.coverage;
  if (options.fidelity) result.fidelity = FidelityReport::followed;
  return result;
}

std::vector<RunOptions> other_approximations(const RunOptions& run_options, const SuiteOptions& options) {
  using Rounding = Approximations::Rounding;
  std::vector<RunOptions> others;
  if (!options.all_approximations) return others;
  for (const Rounding rounding : {Rounding::nearest, Rounding::low, Rounding::high}) {
    if (rounding == run_options.approximations.rounding) continue;
    others.push_back(run_options);
    others.back().approximations = {rounding, 0};
  }
  return others;
}

LineCounter::LineCounter(const Program& program) : program_(program) {
  std::map<std::pair<u32, u32>, u32> known;
  for (const LineEntry& entry : program.lines) {
    const std::pair<u32, u32> line{entry.file, entry.line};
    const auto [place, is_new] = known.try_emplace(line, static_cast<u32>(lines_.size()));
    if (is_new) lines_.push_back(line);
    line_of_entry_.push_back(place->second);
  }
  counts_.resize(lines_.size());
  last_run_.resize(lines_.size());
}

void LineCounter::add(const std::vector<u64>& executed) {
  ++runs_;
  for (const u64 address : executed) {
    const LineEntry* const entry = program_.find_line(address);
    if (entry == nullptr) continue;
    // A line counts once per run, with any number of its instructions.
    const u32 line = line_of_entry_[static_cast<std::size_t>(entry - program_.lines.data())];
    if (last_run_[line] != runs_) ++counts_[line];
    last_run_[line] = runs_;
  }
}

void LineCounter::add_to(std::map<std::string, LineCounts>& coverage) const {
  for (std::size_t i = 0; i < lines_.size(); ++i)
    coverage[program_.files[lines_[i].first]][lines_[i].second] += counts_[i];
}

ScenarioRunner::ScenarioRunner(const Scenario& scenario, const SuiteOptions& options)
    : scenario_(scenario),
      run_options_(run_options(scenario, options)),
      others_(other_approximations(run_options_, options)),
      schedules_(options.schedules),
      is_plain_(is_simple(scenario, options)),
      machine_(scenario.program, scenario.initial, scenario.memory, run_options_) {
  if (options.coverage) lines_.emplace(scenario.program);
}

/// True if the expectations of a row hold. `results` provides the values of columns, the values of registers that the
/// scenario expects of every row, and the stop reason.
template <class Results>
bool ScenarioRunner::holds(std::size_t row, const Results& results) const {
  const CaseTable& table = *scenario_.cases;
  const auto cells = table.row(row);
  std::optional<StopReason> reason = scenario_.expect ? scenario_.expect->stop : std::nullopt;
  std::optional<WarningKind> warning = scenario_.expect ? scenario_.expect->stop_warning : std::nullopt;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CaseColumn& column = table.columns[i];
    const CaseCell& cell = cells[i];
    if (cell.mask == 0 || column.is_input()) continue;
    if (column.kind == CaseColumn::Kind::expected_stop) {
      reason = static_cast<StopReason>(cell.value & 255);
      warning.reset();
      if (cell.value >> 8 != 0) warning = static_cast<WarningKind>((cell.value >> 8) - 1);
    } else if (!is_expected(column, cell, results.column(i))) {
      return false;
    }
  }
  const bool ends_as_expected = reason ? results.reason() == *reason && !warning : is_regular_end(results.reason());
  if (!ends_as_expected) return false;
  if (!scenario_.expect) return true;
  for (std::size_t i = 0; i < scenario_.expect->registers.size(); ++i) {
    const RegisterExpectation& expected = scenario_.expect->registers[i];
    if (((results.expected(i) ^ expected.value) & expected.mask) == 0) continue;
    if (!is_replaced(table, row, expected.name)) return false;
  }
  return true;
}

ScenarioRunner::Run ScenarioRunner::run_scenario(const Scenario& scenario) {
  const Outcome outcome = salu::run(scenario, run_options_);
  if (lines_) lines_->add(outcome.executed);
  if (run_options_.fidelity == FidelityReport::followed) fidelity_.add(scenario, outcome);
  Run run{check(scenario.expect.value_or(Expectation{}), outcome).empty(), outcome.steps};
  for (auto other = others_.begin(); run.holds && other != others_.end(); ++other) {
    const Outcome again = salu::run(scenario, *other);
    run.holds = check(scenario.expect.value_or(Expectation{}), again).empty();
    run.steps += again.steps;
  }
  if (run.holds) run.holds = !find_dependence(scenario, run_options_, outcome, schedules_, run.steps);
  return run;
}

ScenarioRunner::Run ScenarioRunner::run_plain() { return run_scenario(scenario_); }

ScenarioRunner::Run ScenarioRunner::run_row(std::size_t row) {
  if (!is_plain_) return run_scenario(case_scenario(scenario_, row));
  const CaseTable& table = *scenario_.cases;
  const auto cells = table.row(row);
  machine_.reset();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CaseColumn& column = table.columns[i];
    if (cells[i].mask == 0 || !column.is_input()) continue;
    if (column.kind == CaseColumn::Kind::input_register) {
      machine_.set(column.name, cells[i].value);
    } else {
      machine_.set_memory(column.address, cells[i].value, column.size_bytes);
    }
  }
  const u64 steps = machine_.run_for_a_time(run_options_.max_steps);
  if (lines_) {
    core::list_executed(machine_, executed_);
    lines_->add(executed_);
  }
  return {holds(row, MachineResults{scenario_, machine_}), steps};
}

std::vector<ScenarioRunner::Run> ScenarioRunner::run_rows(const batch::PreparedTable& table,
                                                          std::span<const std::size_t> rows) {
  if (!table_runs_) {
    table_runs_.emplace(table);
    result_of_column_ = results_of_columns(*scenario_.cases);
  }
  table_runs_->begin(rows.size());
  const CaseTable& cases = *scenario_.cases;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto cells = cases.row(rows[i]);
    std::size_t input = 0;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (!cases.columns[column].is_input()) continue;
      if (cells[column].mask != 0) table_runs_->set(input, i, cells[column].value);
      ++input;
    }
  }
  table_runs_->run(run_options_.max_steps);
  std::vector<Run> runs;
  runs.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool has_left = table_runs_->ending(i) == batch::Ending::left;
    runs.push_back(has_left
                       ? run_row(rows[i])
                       : Run{holds(rows[i], TableResults(result_of_column_, *table_runs_, i)), table_runs_->steps(i)});
  }
  return runs;
}

}  // namespace salu::suite
