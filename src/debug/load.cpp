#include "debug/load.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace salu::debug {

Result<Scenario> load_one(const std::string& file, std::string_view row, const LoadOptions& options) {
  const auto refuse = [&](std::string message) { return Error{ErrorCode::usage, {file}, std::move(message), {}}; };
  std::vector<Result<Scenario>> scenarios = load_file(file, options);
  if (scenarios.size() != 1) {
    return refuse("the file has " + std::to_string(scenarios.size()) + " scenarios; one at a time can be debugged");
  }
  if (!scenarios.front()) return std::move(scenarios.front()).error();
  Scenario scenario = *std::move(scenarios.front());
  if (scenario.cases == nullptr && row.empty()) return scenario;
  if (scenario.cases == nullptr) return refuse("the scenario has no `cases:`");
  if (row.empty()) return refuse("a table of cases: say with --case which row to debug");
  const std::optional<std::size_t> index = scenario.cases->find(row);
  if (!index) return refuse("there is no row " + std::string(row) + " in `cases:`");
  return case_scenario(scenario, *index);
}

}  // namespace salu::debug
