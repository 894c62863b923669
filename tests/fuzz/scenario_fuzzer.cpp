#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>

#include "fuzz/fuzzing.hpp"

/// Input: scenario YAML. Every document is rejected with a message, or runs and is printed in every format, and the
/// YAML of the first one that runs loads as the same state.
namespace salu::fuzzing {
namespace {

// `file:` in the input refers to the objects there.
constexpr const char* file_name = SALU_FUZZ_OBJECTS_DIR "/fuzz.yaml";

Outcome run_shortly(const Scenario& scenario) {
  constexpr u64 most_steps = 2000;
  RunOptions options = scenario.options;
  options.max_steps = std::min(options.max_steps, most_steps);
  Outcome outcome = run(scenario, options);
  require(outcome.steps <= options.max_steps, "the step limit holds");
  return outcome;
}

void check_reports(const Scenario& scenario, const Outcome& outcome) {
  std::vector<Mismatch> mismatches;
  if (scenario.expect) mismatches = check(*scenario.expect, outcome);
  for (const ReportFormat format : {ReportFormat::text, ReportFormat::yaml, ReportFormat::json}) {
    const std::string report = report_outcome(scenario, outcome, format, &mismatches);
    require(!report.empty(), "a report is not empty");
    const bool one_line = report.find('\n') >= report.size() - 1;
    require(format != ReportFormat::json || one_line, "JSON is one line", report);
  }
}

/// Loads the input again, with the final state of its `index`th document.
void check_dump(std::string_view text, std::size_t index, const Scenario& scenario, const Outcome& outcome) {
  const std::string dump = report_outcome(scenario, outcome, ReportFormat::yaml);
  const MemoryFile file(dump);
  LoadOptions options;
  options.state_file = file.path();
  const std::vector<Result<Scenario>> again = load_yaml(text, file_name, options);
  require(again[index].has_value(), "a state loads back", [&] { return dump + again[index].error().to_string(); });
  require(again[index]->initial == outcome.state, "a state is unchanged after loading", dump);
  require(again[index]->memory == outcome.memory, "memory is unchanged after loading", dump);
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  fuzzing::Bytes input(data, size);
  const std::string_view text = input.take_text();
  // An absolute path might name a device.
  if (text.find("/dev") != std::string_view::npos || text.find("/proc") != std::string_view::npos) return 0;
  const std::vector<Result<Scenario>> scenarios = load_yaml(text, fuzzing::file_name);
  fuzzing::require(!scenarios.empty(), "a text gives a scenario or an error");
  bool has_run = false;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const Result<Scenario>& scenario = scenarios[i];
    if (!scenario) {
      fuzzing::check_error(scenario.error());
      continue;
    }
    const Outcome outcome = fuzzing::run_shortly(*scenario);
    fuzzing::check_reports(*scenario, outcome);
    // A state file has the state of one wave.
    if (!has_run && !scenario->runs_several_waves()) fuzzing::check_dump(text, i, *scenario, outcome);
    has_run = true;
  }
  return 0;
}
