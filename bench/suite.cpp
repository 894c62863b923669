#include <yaml-cpp/yaml.h>
#include <salu/scenario.hpp>

#include <sstream>

#include "benchmarks.hpp"
#include "suite/scenario_runner.hpp"

namespace salu::bench {
namespace {

constexpr i64 row_count = 4096;

/// Thirty instructions on two inputs, with expected results.
std::string table_scenario() {
  std::ostringstream text;
  text << "target: gfx900\ncode:\n  asm: |\n";
  for (int i = 0; i < 28; ++i) text << "    s_xor_b32 s" << 10 + i << ", s0, s1\n";
  text << "    s_add_u32 s2, s0, s1\n    s_endpgm\ncases:\n  columns: [s0, s1, expect.s2, expect.scc]\n  rows:\n";
  u32 random = 1;
  for (i64 row = 0; row < row_count; ++row) {
    const u32 left = random = random * 1664525 + 1013904223;
    const u32 right = random = random * 1664525 + 1013904223;
    const u64 sum = u64{left} + right;
    text << "    - [" << left << ", " << right << ", " << (sum & 0xffffffff) << ", " << (sum >> 32) << "]\n";
  }
  return text.str();
}

/// A typical test of a compiler, written by hand.
constexpr std::string_view small_scenario = R"(name: add and shift
target: gfx900
code:
  asm: |
    start:
      s_add_u32 s2, s0, s1
      s_lshl_b32 s3, s2, 2
      s_cmp_eq_u32 s3, 0
      s_cbranch_scc1 done
      s_mov_b32 s4, 1
    done:
      s_endpgm
registers:
  s0: 1071
  s1: 462
expect:
  registers:
    s2: 1533
    s3: 6132
    s4: 1
)";

/// One program, many rows: set inputs, run, compare.
void table_rows(benchmark::State& state) {
  const auto scenarios = load_yaml(table_scenario(), "table.yaml");
  const SuiteOptions options;
  suite::ScenarioRunner runner(scenarios.front().value(), options);
  i64 rows = 0;
  bool holds = true;
  for ([[maybe_unused]] const auto round : state) {
    for (std::size_t row = 0; row < row_count; ++row) holds = runner.run_row(row).holds && holds;
    rows += row_count;
  }
  if (!holds) fail(state, "an expectation of a row failed");
  state.SetItemsProcessed(rows);
}

/// A small scenario from its text to its verdict.
void small_scenarios(benchmark::State& state) {
  const SuiteOptions options;
  bool holds = true;
  for ([[maybe_unused]] const auto round : state) {
    const auto scenarios = load_yaml(small_scenario, "small.yaml");
    holds = suite::ScenarioRunner(scenarios.front().value(), options).run_plain().holds && holds;
  }
  if (!holds) fail(state, "an expectation of the scenario failed");
  state.SetItemsProcessed(state.iterations());
}

/// Only yaml-cpp on the same text.
void small_scenarios_yaml_cpp(benchmark::State& state) {
  for ([[maybe_unused]] const auto round : state) {
    auto documents = YAML::LoadAll(std::string(small_scenario));
    benchmark::DoNotOptimize(documents);
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

void register_suite() {
  benchmark::RegisterBenchmark("table_rows", table_rows);
  benchmark::RegisterBenchmark("small_scenarios", small_scenarios);
  benchmark::RegisterBenchmark("small_scenarios/yaml_cpp", small_scenarios_yaml_cpp);
}

}  // namespace salu::bench
