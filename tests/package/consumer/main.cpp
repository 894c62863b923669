// A program outside salu's tree that uses an installation by `cmake --install`: it loads, runs and reports a scenario.
#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/target.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr const char* scenario_text = R"(
target: tahiti
code:
  asm: |
    s_add_u32 s0, s1, s2
    s_addc_u32 s3, s4, s5
    s_endpgm
registers: {s1: 0xffffffff, s2: 11, s4: 20, s5: 21}
)";

bool holds(bool condition, const char* what) {
  if (!condition) std::printf("does not hold: %s\n", what);
  return condition;
}

}  // namespace

int main() {
  const std::vector<salu::Result<salu::Scenario>> loaded = salu::load_yaml(scenario_text, "consumer.yaml");
  if (!holds(loaded.size() == 1, "one document makes one scenario")) return 1;
  if (!loaded.front().has_value()) {
    std::puts(loaded.front().error().to_string().c_str());
    return 1;
  }

  const salu::Scenario& scenario = loaded.front().value();
  const salu::Outcome outcome = salu::run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  bool good = holds(scenario.program.generation() == salu::Generation::gcn1_0, "tahiti is GCN 1.0");
  good &= holds(outcome.stop.reason == salu::StopReason::end_program, "the program ends with s_endpgm");
  good &= holds(outcome.steps == 3, "three instructions are executed");
  // 0xffffffff + 11 is 10 with a carry; 20 + 21 + carry is 42 without one.
  good &= holds(outcome.state.file[0] == 10, "s0 is 10");
  good &= holds(outcome.state.file[3] == 42, "s3 is 42");
  good &= holds(!outcome.state.scc, "scc is 0");

  const std::string report = salu::report_outcome(scenario, outcome, salu::ReportFormat::json);
  good &= holds(report.find("\"salu-state-v1\"") != std::string::npos, "the report names its schema");
  if (good) std::puts("the installed package works");
  return good ? 0 : 1;
}
