#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Loading of single scenarios, for commands that show one run.
namespace salu::loader {

/// The selection of one run of a file; empty if there is only one.
struct ScenarioChoice {
  std::string document{};  ///< of a file with several scenarios: the number (from 1) or name
  std::string row{};       ///< of a table of cases: the number (from 1) or name
  /// Reject a table without `row`; otherwise its scenario is used without rows, with a warning.
  bool needs_row = true;
  /// Without `row` use the whole table, for commands that run all rows.
  bool takes_table = false;
  /// The names of both options in messages.
  std::string_view document_option = "--document";
  std::string_view row_option = "--case";
};

/// Returns a row of a scenario's `cases:` as a separate scenario. `LoadOptions::set` is applied after the row.
Result<Scenario> scenario_of_row(const Scenario& scenario, std::size_t row, const std::vector<std::string>& set);

/// Loads the selected scenario of a file.
Result<Scenario> load_one(const std::string& file, const LoadOptions& options, const ScenarioChoice& choice);
/// Selects one of the scenarios that `load_file` has returned. `set` is `LoadOptions::set` of that call.
Result<Scenario> choose_one(std::vector<Result<Scenario>> loaded, const std::string& file, const ScenarioChoice& choice,
                            const std::vector<std::string>& set);

}  // namespace salu::loader
