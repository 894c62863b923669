#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>

#include "fuzz/fuzzing.hpp"

/// Input: scenario YAML. Every document is refused with a message, or runs and is reported in every format.
namespace salu::fuzzing {
namespace {

void check_scenario(Scenario& scenario) {
  constexpr u64 most_steps = 2000;
  RunOptions options = scenario.options;
  options.max_steps = std::min(options.max_steps, most_steps);
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, options);
  require(outcome.steps <= options.max_steps, "the step limit holds");
  std::vector<Mismatch> mismatches;
  if (scenario.expect) mismatches = check(*scenario.expect, outcome);
  for (const ReportFormat format : {ReportFormat::text, ReportFormat::yaml, ReportFormat::json}) {
    const std::string report = report_outcome(scenario, outcome, format, &mismatches);
    require(!report.empty(), "a report says something");
    const bool one_line = report.find('\n') >= report.size() - 1;
    require(format != ReportFormat::json || one_line, "JSON is one line", report);
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  // Nothing lies there, so that a `file:` of the input finds nothing by a relative path.
  const std::string file = "/nonexistent/fuzz.yaml";
  fuzzing::Bytes input(data, size);
  const std::string_view text = input.take_text();
  // An absolute path might name a device.
  if (text.find("/dev") != std::string_view::npos || text.find("/proc") != std::string_view::npos) return 0;
  std::vector<Result<Scenario>> scenarios = load_yaml(text, file);
  fuzzing::require(!scenarios.empty(), "a text gives a scenario or an error");
  for (Result<Scenario>& scenario : scenarios) {
    if (scenario) {
      fuzzing::check_scenario(*scenario);
    } else {
      fuzzing::require(!scenario.error().message.empty(), "an error says what is wrong");
      for (const ReportFormat format : {ReportFormat::text, ReportFormat::json}) report_error(scenario.error(), format);
    }
  }
  return 0;
}
