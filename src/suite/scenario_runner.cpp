#include "suite/scenario_runner.hpp"

#include <algorithm>
#include <map>

#include "core/executed.hpp"

namespace salu::suite {
namespace {

/// What is compared on the machine itself; anything else is left to `check`.
bool is_simple(const Scenario& scenario, const SuiteOptions& options) {
  if (scenario.waves != nullptr) return false;
  if (options.strict || scenario.options.on_vector == OnVector::skip) return false;
  if (first_of(options.check_undefined, scenario.options.check_undefined) != CheckUndefined::off) return false;
  if (scenario.options.check_hazards || options.fidelity) return false;
  return !scenario.expect ||
         (!scenario.expect->warnings && !scenario.expect->max_steps && scenario.expect->memory.empty());
}

}  // namespace

RunOptions run_options(const Scenario& scenario, const SuiteOptions& options) {
  RunOptions result = scenario.options;
  result.strict = options.strict;
  result.check_undefined = first_of(options.check_undefined, result.check_undefined);
  result.coverage = options.coverage;
  if (options.fidelity) result.fidelity = FidelityReport::followed;
  return result;
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
    // A line counts once a run, whichever of its instructions was executed.
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
      is_plain_(is_simple(scenario, options)),
      machine_(scenario.program, scenario.initial, scenario.memory, run_options_) {
  if (options.coverage) lines_.emplace(scenario.program);
}

bool ScenarioRunner::stops_as(std::optional<StopReason> reason, std::optional<WarningKind> warning) const {
  if (!reason) return is_regular_end(machine_.reason());
  return machine_.reason() == *reason && !warning;
}

bool ScenarioRunner::holds_machine(std::size_t row) const {
  const CaseTable& table = *scenario_.cases;
  const auto cells = table.row(row);
  std::optional<StopReason> reason = scenario_.expect ? scenario_.expect->stop : std::nullopt;
  std::optional<WarningKind> warning = scenario_.expect ? scenario_.expect->stop_warning : std::nullopt;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CaseColumn& column = table.columns[i];
    const CaseCell& cell = cells[i];
    if (cell.mask == 0 || column.is_input()) continue;
    if (column.kind == CaseColumn::Kind::expected_register) {
      if (((machine_.read(column.name) ^ cell.value) & cell.mask) != 0) return false;
    } else if (column.kind == CaseColumn::Kind::expected_memory) {
      if (machine_.memory_after().read_dword(column.address) != cell.value) return false;
    } else {
      reason = static_cast<StopReason>(cell.value & 255);
      warning.reset();
      if (cell.value >> 8 != 0) warning = static_cast<WarningKind>((cell.value >> 8) - 1);
    }
  }
  if (!stops_as(reason, warning)) return false;
  if (!scenario_.expect) return true;
  return std::ranges::all_of(scenario_.expect->registers, [&](const RegisterExpectation& expected) {
    if (((machine_.read(expected.name) ^ expected.value) & expected.mask) == 0) return true;
    // What the row says of the same register was looked at above.
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const CaseColumn& column = table.columns[i];
      const bool replaced = cells[i].mask != 0 && column.kind == CaseColumn::Kind::expected_register;
      if (replaced && column.name == expected.name) return true;
    }
    return false;
  });
}

ScenarioRunner::Run ScenarioRunner::run_scenario(const Scenario& scenario) {
  const Outcome outcome = salu::run(scenario, run_options_);
  if (lines_) lines_->add(outcome.executed);
  if (run_options_.fidelity == FidelityReport::followed) fidelity_.add(scenario, outcome);
  return {check(scenario.expect.value_or(Expectation{}), outcome).empty(), outcome.steps};
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
  return {holds_machine(row), steps};
}

}  // namespace salu::suite
