#include <gtest/gtest.h>

#include <string>

#include "programs.hpp"

/// Batches and single runs: the reports must be identical.
namespace salu::equiv_test {
namespace {

std::string report_of(const Scenario& a, const Scenario& b, EquivalenceOptions options, Engine engine) {
  options.engine = engine;
  const Result<EquivalenceReport> report = compare_programs(a, b, options);
  return report ? equivalence_json(*report) : report.error().to_string();
}

void expect_same_reports(const std::string& a, const std::string& b, const EquivalenceOptions& options) {
  const Scenario first = assembly(a);
  const Scenario second = assembly(b);
  const std::string scalar = report_of(first, second, options, Engine::scalar);
  EXPECT_EQ(report_of(first, second, options, Engine::batch), scalar);
  EXPECT_NE(scalar.find("verdict"), std::string::npos) << scalar;
}

const std::string multiply = "s_mul_i32 s0, s0, 5\ns_endpgm\n";
const std::string shift_and_add = "s_lshl_b32 s1, s0, 2\ns_add_u32 s0, s0, s1\ns_endpgm\n";

EquivalenceOptions all_of_16_bits() {
  EquivalenceOptions options;
  options.exhaustive = {"s0=0..0xffff"};
  options.outputs = {"s0"};
  return options;
}

TEST(EquivEngines, AgreeOnEqualPrograms) {
  expect_same_reports(multiply, shift_and_add, all_of_16_bits());
  EquivalenceOptions drawn;
  drawn.states = 5000;
  expect_same_reports(multiply, shift_and_add, drawn);
}

TEST(EquivEngines, AgreeOnTheOneInputThatDiffers) {
  const std::string planted =
      "s_mov_b32 s2, s0\ns_mul_i32 s0, s0, 5\ns_cmp_eq_u32 s2, 0x9c41\ns_cselect_b32 s2, 1, 0\n"
      "s_xor_b32 s0, s0, s2\ns_endpgm\n";
  EquivalenceOptions options = all_of_16_bits();
  expect_same_reports(multiply, planted, options);
  const Result<EquivalenceReport> report = compare_programs(assembly(multiply), assembly(planted), options);
  ASSERT_TRUE(report && report->difference);
  EXPECT_EQ(report->difference->found[0].value, 0x9c41U);
  EXPECT_EQ(report->states, 0x9c42U);
}

TEST(EquivEngines, AgreeWhereStatesHaveToBeRunOneByOne) {
  // A fault for some states, a step limit for others, a warning, a jump that depends on the input.
  const std::string faults =
      "s_cmp_lt_u32 s0, 0x8000\ns_cbranch_scc1 good\ns_load_dword s1, s[4:5], 0x0\ngood:\ns_endpgm\n";
  expect_same_reports(faults, faults, all_of_16_bits());
  const std::string loops =
      "s_and_b32 s0, s0, 0xfff\nagain:\ns_add_u32 s1, s1, 1\ns_sub_u32 s0, s0, 1\ns_cbranch_scc0 again\ns_endpgm\n";
  EquivalenceOptions limited = all_of_16_bits();
  limited.exhaustive = {"s0=0..0x1fff"};
  limited.max_steps = 5000;
  expect_same_reports(loops, loops, limited);
  const std::string jumps =
      "s_getpc_b64 s[2:3]\ns_and_b32 s0, s0, 1\ns_lshl_b32 s0, s0, 2\ns_add_u32 s2, s2, s0\ns_add_u32 s2, s2, 20\n"
      "s_setpc_b64 s[2:3]\ns_endpgm\ns_endpgm\n";
  expect_same_reports(jumps, jumps, all_of_16_bits());
}

TEST(EquivEngines, AgreeWhereOneProgramMayMakeFewerSteps) {
  const std::string loops = "s_and_b32 s0, s0, 0x3f\nagain:\ns_sub_u32 s0, s0, 1\ns_cbranch_scc0 again\ns_endpgm\n";
  const Scenario first = assembly(loops);
  const Scenario second = scenario(loops, "limits: {steps: 5}\n");
  EquivalenceOptions options = all_of_16_bits();
  options.exhaustive = {"s0=0..0x3ff"};
  const std::string scalar = report_of(first, second, options, Engine::scalar);
  EXPECT_EQ(report_of(first, second, options, Engine::batch), scalar);
  EXPECT_NE(scalar.find("step_limit"), std::string::npos) << scalar;
}

// Memory that an input has enlarged is not enlarged for the next state if its input is 0.
TEST(EquivEngines, StatesDoNotDependOnThoseBefore) {
  const std::string setting =
      "registers: {s10: 0x100000, s11: 0, s12: 0x101000, s13: 0}\nlimits: {memory: 8 KiB}\n"
      "memory: [{at: 0x100000, size: 0x2000}]\n";
  const std::string load = "s_load_dword s6, s[12:13], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s1, s6\n";
  const Scenario first = scenario(load + "s_endpgm\n", setting);
  const Scenario second = scenario(
      load + "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 end\ns_store_dword s6, s[10:11], 0x0\nend: s_endpgm\n", setting);
  EquivalenceOptions options;
  options.outputs = {"s1"};
  for (const char* const values : {"memory.0x101000:4=-3..3", "memory.0x101000:4=0..3", "memory.0x101000:4=-1..0"}) {
    options.exhaustive = {values};
    for (const Engine engine : {Engine::scalar, Engine::batch})
      EXPECT_NE(report_of(first, second, options, engine).find("\"equal\""), std::string::npos) << values;
  }
}

TEST(EquivEngines, AgreeOnAssumptions) {
  EquivalenceOptions options = all_of_16_bits();
  options.assume = {"s0 < 0x1234"};
  expect_same_reports(multiply, shift_and_add, options);
  const Result<EquivalenceReport> report = compare_programs(assembly(multiply), assembly(shift_and_add), options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->compared, 0x1234U);
  EquivalenceOptions none;
  none.assume = {"s0 < 5 && s0 > 5"};
  const std::string nothing = report_of(assembly(multiply), assembly(multiply), none, Engine::batch);
  EXPECT_EQ(nothing, report_of(assembly(multiply), assembly(multiply), none, Engine::scalar));
  EXPECT_EQ(nothing.find("\"equal\""), std::string::npos) << nothing;
}

TEST(EquivEngines, AgreeOnPartsOfRegistersAndOnCombinations) {
  const std::string a = "s_add_u32 s0, s0, s1\ns_addc_u32 s3, s2, s2\ns_endpgm\n";
  const std::string b = "s_add_u32 s0, s1, s0\ns_addc_u32 s3, s2, s2\ns_endpgm\n";
  EquivalenceOptions options;
  options.exhaustive = {"s0=0xffffff00..0xffffffff", "s1=0..127", "s2=3..7"};
  options.outputs = {"s0:12", "s3", "scc"};
  expect_same_reports(a, b, options);
  options.exhaustive = {"s0=0..0x3ff"};
  options.inputs = {"s[2:3]", "s1=1..31"};
  expect_same_reports(a, b, options);
}

}  // namespace
}  // namespace salu::equiv_test
