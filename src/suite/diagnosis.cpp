

#include <fmt/core.h>

#include <algorithm>

#include "observe/last_writers.hpp"
#include "suite/scenario_runner.hpp"

/// Why an expectation did not hold: the instruction that wrote the wrong value.
namespace salu::suite {
namespace {

/// A run that is longer than this is not repeated to look for an instruction.
constexpr u64 most_traced_steps = 2'000'000;
}  // namespace

std::vector<Failure> explain(const Scenario& scenario, const SuiteOptions& options) {
  RunOptions run_options = suite::run_options(scenario, options);
  const Outcome outcome = run(scenario, run_options);
  std::vector<Failure> failures;
  for (Mismatch& mismatch : check(scenario.expect.value_or(Expectation{}), outcome))
    failures.push_back({{}, {}, std::move(mismatch), {}});

  std::vector<Location> places;
  std::vector<std::optional<std::size_t>> place_of;  // by failure
  for (const Failure& failure : failures) {
    const std::optional<Location>& place = failure.mismatch.location;
    place_of.push_back(place ? std::optional(places.size()) : std::nullopt);
    if (place) places.push_back(*place);
  }
  const bool is_short = outcome.steps <= most_traced_steps;
  observe::LastWriters writers(places);
  if (!places.empty() && is_short) {
    run_options.trace = [&writers](const TraceEvent& event) { writers.see(event); };
    (void)run(scenario, run_options);
  }
  auto hazard = outcome.warnings.begin();
  for (std::size_t i = 0; i < failures.size(); ++i) {
    std::string& text = failures[i].writer;
    if (failures[i].mismatch.kind == Mismatch::Kind::hazard) {
      hazard = std::find_if(hazard, outcome.warnings.end(),
                            [](const Warning& warning) { return warning.hazard && !warning.is_info(); });
      text = fmt::format("`{}` at {}", hazard->instruction, scenario.program.describe_place(hazard->pc));
      ++hazard;
    } else if (!place_of[i]) {
      // The stop reason, or how far the run went: the place where it ended says most.
      if (failures[i].mismatch.kind != Mismatch::Kind::stop) continue;
      const std::string place = scenario.program.describe_place(outcome.stop.pc);
      text = outcome.stop.instruction.empty() ? place : fmt::format("`{}` at {}", outcome.stop.instruction, place);
    } else if (const auto& writer = writers.of(*place_of[i])) {
      text =
          fmt::format("written last by `{}` at {}", writer->instruction, scenario.program.describe_place(writer->pc));
    } else {
      text = is_short ? "no instruction wrote it" : "";
    }
  }
  return failures;
}

}  // namespace salu::suite
