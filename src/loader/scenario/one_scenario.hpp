#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

/// For commands that look at one run.
namespace salu::loader {

/// Which run of a file is meant; empty where there is only one.
struct ScenarioChoice {
  std::string document{};  ///< of a file with several scenarios: its number from 1, or its name
  std::string row{};       ///< of a table of cases: its number from 1, or its name
  /// A table without `row` is refused; else its scenario is taken without the rows, with a remark.
  bool needs_row = true;
  /// Without `row` a table is taken as it is, by those who run all of it.
  bool takes_table = false;
  /// What messages call the two choices.
  std::string_view document_option = "--document";
  std::string_view row_option = "--case";
};

/// A row of a scenario's `cases:` as a scenario of its own, with what `LoadOptions::set` says behind what the row says.
Result<Scenario> scenario_of_row(const Scenario& scenario, std::size_t row, const std::vector<std::string>& set);

/// The scenario of a file that is chosen.
Result<Scenario> load_one(const std::string& file, const LoadOptions& options, const ScenarioChoice& choice);
/// The same of what `load_file` has loaded. `set`: of the options that it was loaded with.
Result<Scenario> choose_one(std::vector<Result<Scenario>> loaded, const std::string& file, const ScenarioChoice& choice,
                            const std::vector<std::string>& set);

}  // namespace salu::loader
