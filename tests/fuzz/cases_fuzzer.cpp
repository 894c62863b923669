#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/suite.hpp>

#include <algorithm>
#include <filesystem>

#include "fuzz/fuzzing.hpp"
#include "suite/scenario_runner.hpp"

/// Input: a table of cases, JSON Lines if it starts with `{`, otherwise comma-separated. It is rejected with a message,
/// or its rows have the same results in batches and alone; rewritten expectations pass, and are not rewritten again.
namespace salu::fuzzing {
namespace {

constexpr std::string_view scenario_head =
    "target: gfx900\n"
    "code: {asm: \"start: s_add_u32 s2, s0, s1\\ns_addc_u32 s3, s3, 0\\ns_endpgm\"}\n"
    "memory: [{at: 0x10000, words: [1, 2]}]\n"
    "limits: {steps: 100}\n";

void check_rows(const Scenario& scenario) {
  constexpr std::size_t most_rows = 16;
  const SuiteOptions options;
  suite::ScenarioRunner runner(scenario, options);
  for (std::size_t row = 0; row < std::min(scenario.cases->rows(), most_rows); ++row) {
    const Scenario alone = case_scenario(scenario, row);
    const Outcome outcome = run(alone.program, alone.initial, alone.memory, alone.options);
    const bool holds = check(alone.expect.value_or(Expectation{}), outcome).empty();
    const suite::ScenarioRunner::Run quick = runner.run_row(row);
    require(quick.holds == holds && quick.steps == outcome.steps, "a row has the same result as its scenario",
            [&] { return "row " + std::to_string(row); });
  }
}

/// Updates until nothing changes, which must be after the first time, except for unchanged parts.
void check_update(const Folder& folder, const std::string& scenario_file) {
  const Update first = update_expectations({scenario_file}, {});
  for (const UpdatedFile& updated : first.files) {
    (void)folder.write(std::filesystem::path(updated.file).filename().string(), updated.text);
  }
  const auto scenarios = load_file(scenario_file);
  require(scenarios.front().has_value(), "an updated table can be read",
          [&] { return scenarios.front().error().to_string(); });
  const Update second = update_expectations({scenario_file}, {});
  require(second.files.empty(), "updated expectations pass", [&] { return second.files.front().text; });
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  static const fuzzing::Folder folder("salu_cases_fuzzer");
  fuzzing::Bytes input(data, size);
  const std::string_view text = input.take_text();
  const std::string name = text.starts_with('{') ? "rows.jsonl" : "rows.csv";
  (void)folder.write(name, text);
  const std::string scenario_file =
      folder.write("cases.yaml", std::string(fuzzing::scenario_head) + "cases: {file: " + name + "}\n");
  const auto scenarios = load_file(scenario_file);
  fuzzing::require(scenarios.size() == 1, "a document gives a scenario or an error");
  if (!scenarios.front()) {
    fuzzing::check_error(scenarios.front().error());
    return 0;
  }
  constexpr std::size_t most_rows = 200;
  if (scenarios.front()->cases->rows() > most_rows) return 0;
  fuzzing::check_rows(*scenarios.front());
  fuzzing::check_update(folder, scenario_file);
  return 0;
}
