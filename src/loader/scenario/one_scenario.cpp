#include "loader/scenario/one_scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "loader/rejection.hpp"
#include "loader/scenario/registers.hpp"
#include "loader/scenario/state_file.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

constexpr std::size_t most_listed = 10;

Error usage(const std::string& file, std::string message) { return {ErrorCode::usage, {file}, std::move(message), {}}; }

Result<Scenario> choose_document(std::vector<Result<Scenario>> all, const std::string& file,
                                 const ScenarioChoice& choice) {
  if (choice.document.empty()) {
    if (all.size() == 1) return std::move(all.front());
    std::string message = "the file contains " + support::counted(all.size(), "scenario");
    if (all.empty()) return usage(file, message);
    message += "; select one by number or name with " + std::string(choice.document_option) + ":";
    for (std::size_t i = 0; i < std::min(all.size(), most_listed); ++i) {
      message += fmt::format("\n  {}  {}", i + 1, all[i] ? support::quote(all[i]->name) : "(cannot be loaded)");
    }
    if (all.size() > most_listed) message += "\n  ...";
    return usage(file, message);
  }
  for (Result<Scenario>& scenario : all) {
    if (scenario && scenario->name == choice.document) return std::move(scenario);
  }
  const std::optional<u64> number = support::parse_unsigned(choice.document);
  if (number && *number >= 1 && *number <= all.size()) return std::move(all[static_cast<std::size_t>(*number - 1)]);
  return usage(file, fmt::format("{} {}: the file has {}, and none with this name", choice.document_option,
                                 choice.document, support::counted(all.size(), "scenario")));
}

Result<Scenario> choose_row(Scenario scenario, const ScenarioChoice& choice, const std::vector<std::string>& set) {
  const std::string option(choice.row_option);
  if (scenario.cases == nullptr) {
    if (choice.row.empty()) return scenario;
    return usage(scenario.file, fmt::format("{} {}: the scenario has no `cases:`", option, choice.row));
  }
  const std::string rows = support::counted(scenario.cases->rows(), "row");
  if (!choice.row.empty()) {
    if (const auto row = scenario.cases->find(choice.row)) return scenario_of_row(scenario, *row, set);
    return usage(scenario.file, fmt::format("{} {}: no such row; `cases:` has {}", option, choice.row, rows));
  }
  if (choice.takes_table) return scenario;
  if (choice.needs_row)
    return usage(scenario.file,
                 fmt::format("the scenario is a table of {}; select one by number or name with {}", rows, option));
  scenario.remarks.push_back(
      {scenario.cases->where, "the rows of `cases:` are not run; select one of them with " + option, {}});
  return scenario;
}

}  // namespace

Result<Scenario> scenario_of_row(const Scenario& scenario, std::size_t row, const std::vector<std::string>& set) {
  Scenario result = case_scenario(scenario, row);
  if (set.empty()) return result;
  try {
    const SymbolIndex symbols(result.program);
    RegisterWriter writer(result.initial, result.program.generation());
    for (const std::string& setting : set) apply_setting(setting, symbols, result, writer);
    set_in_waves(result, writer.written());
    return result;
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

Result<Scenario> load_one(const std::string& file, const LoadOptions& options, const ScenarioChoice& choice) {
  return choose_one(load_file(file, options), file, choice, options.set);
}

Result<Scenario> choose_one(std::vector<Result<Scenario>> loaded, const std::string& file, const ScenarioChoice& choice,
                            const std::vector<std::string>& set) {
  Result<Scenario> scenario = choose_document(std::move(loaded), file, choice);
  if (!scenario) return scenario;
  return choose_row(*std::move(scenario), choice, set);
}

}  // namespace salu::loader
