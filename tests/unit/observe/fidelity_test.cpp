#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/suite.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "observe/accesses.hpp"
#include "unit/loader_helpers.hpp"

// The fidelity of runs. The expected results are derived from the programs.
namespace salu {
namespace {

using test::load_good;
using test::TemporaryFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string text_of_scenario(const std::string& code, const std::string& more = "") {
  std::string text = "target: gfx900\ncode:\n  asm: |\n";
  std::string line;
  for (const char c : code + ";") {
    if (c != ';') {
      line += c;
      continue;
    }
    text += "    " + line + "\n";
    line.clear();
  }
  return text + more;
}

Outcome run_followed(const Scenario& scenario) {
  RunOptions options = scenario.options;
  options.fidelity = FidelityReport::followed;
  return run(scenario, options);
}

Fidelity followed(const std::string& code, const std::string& more = "") {
  return *run_followed(load_good(text_of_scenario(code, more))).fidelity;
}

std::vector<std::string> names(const Fidelity& fidelity) {
  std::vector<std::string> result;
  for (const Location& place : fidelity.affected->results)
    result.push_back(observe::location_name(Generation::gcn1_4, place));
  return result;
}

TEST(Fidelity, OfExactRunsIsReportedOnRequest) {
  const Scenario scenario = load_good(text_of_scenario("s_mov_b32 s0, 1; s_cbranch_scc0 end; s_nop 0; end: s_endpgm"));
  RunOptions options = scenario.options;
  EXPECT_FALSE(run(scenario, options).fidelity);
  options.fidelity = FidelityReport::always;
  const auto fidelity = run(scenario, options).fidelity;
  ASSERT_TRUE(fidelity);
  EXPECT_TRUE(fidelity->is_exact());
  EXPECT_THAT(fidelity->exact, ElementsAre(0x1000, 0x1004, 0x100c))
      << "instructions that the branch skips were not executed";
  EXPECT_FALSE(fidelity->affected);
  const Fidelity all = *run_followed(scenario).fidelity;
  EXPECT_THAT(names(all), IsEmpty());
  EXPECT_FALSE(all.affected->control_flow || all.affected->address);
}

TEST(Fidelity, OfClocksAndReciprocals) {
  // Each is reported without the option.
  for (const std::string code : {"s_memtime s[4:5]; s_endpgm", "v_rcp_f32 v1, v0; s_endpgm",
                                 "v_rcp_iflag_f32 v1, v0; s_endpgm", "s_incperflevel 1; s_endpgm"}) {
    const Scenario scenario = load_good(text_of_scenario(code, "registers: {v0: 0x40400000}\n"));
    const auto fidelity = run(scenario, scenario.options).fidelity;
    ASSERT_TRUE(fidelity) << code;
    EXPECT_THAT(fidelity->approximate, ElementsAre(0x1000)) << code;
    EXPECT_EQ(fidelity->exact.size(), 1U);
    EXPECT_FALSE(fidelity->affected);
  }
}

// Lanes 0 and 1 share an address unless v3 is added to it.
TEST(Fidelity, OfTheOrderOfLanes) {
  const std::string memory =
      "memory: [{at: 0xffff00000000, words: [1, 2, 3, 4], access: rw}, {at: 0x2000, words: [1, 2], access: rw}]\n"
      "registers: {exec: 3, v0: 0, v1: 5, v2: 7, v3: [0, 4], v4: 0x2000, v5: 0, m0: 0}\n";
  const std::vector<std::string> exact = {
      "ds_add_u32 v0, v1",
      "ds_max_i32 v0, v1",
      "ds_xor_b32 v0, v1",
      "ds_add_rtn_u32 v6, v3, v1",
      "ds_wrap_rtn_b32 v6, v3, v1, v2",
      "ds_add_f32 v3, v1",
      "ds_add_rtn_f32 v6, v3, v1",
      "global_atomic_sub v[4:5], v1, off",
      "flat_atomic_umin v[4:5], v1",
      "ds_append v6",
  };
  const std::vector<std::string> in_order = {
      "ds_add_rtn_u32 v6, v0, v1",
      "ds_inc_u32 v0, v1",
      "ds_add_f32 v0, v1",
      "ds_rsub_u32 v0, v1",
      "ds_cmpst_b32 v0, v1, v2",
      "ds_mskor_b32 v0, v1, v2",
      "ds_wrxchg_rtn_b32 v6, v0, v1",
      "global_atomic_swap v[4:5], v1, off",
      "global_atomic_sub v6, v[4:5], v1, off glc",
      "ds_wrxchg2_rtn_b32 v[6:7], v3, v1, v2 offset0:1 offset1:1",
  };
  for (const std::string& code : exact) EXPECT_TRUE(followed(code + "; s_endpgm", memory).is_exact()) << code;
  for (const std::string& code : in_order) {
    const Scenario scenario = load_good(text_of_scenario(code + "; s_endpgm", memory));
    const Outcome outcome = run(scenario, scenario.options);
    ASSERT_TRUE(outcome.fidelity) << code;
    EXPECT_THAT(outcome.fidelity->approximate, ElementsAre(0x1000)) << code;
    ASSERT_EQ(outcome.warnings.size(), 1U);
    EXPECT_THAT(outcome.warnings[0].detail, HasSubstr("lanes are served in ascending order")) << code;
  }
}

TEST(Fidelity, IsFollowedThroughAtomics) {
  const std::string memory =
      "memory: [{at: 0xffff00000000, words: [1, 2], access: rw}]\n"
      "registers: {exec: 3, v0: 0, v1: 5, v3: [0, 4]}\n";
  const Fidelity ordered = followed("ds_add_rtn_u32 v6, v0, v1; v_and_b32 v7, 0, v6; s_endpgm", memory);
  EXPECT_THAT(names(ordered), ElementsAre("v6", "[0xffff00000000]"));
  const Fidelity separate = followed("ds_add_rtn_u32 v6, v3, v1; s_endpgm", memory);
  EXPECT_THAT(names(separate), IsEmpty());
}

TEST(Fidelity, IsFollowedBitByBit) {
  const Fidelity fidelity =
      followed("s_memtime s[4:5]; s_and_b32 s6, s4, 0; s_and_b32 s7, s5, 1; s_mov_b32 s4, 0; s_endpgm");
  EXPECT_THAT(names(fidelity), ElementsAre("s5", "s7", "scc")) << "whatever the clock is, s6 is 0";
  EXPECT_FALSE(fidelity.affected->control_flow);
  EXPECT_FALSE(fidelity.affected->address);
}

TEST(Fidelity, IsFollowedToBranches) {
  EXPECT_TRUE(followed("s_memtime s[4:5]; s_cmp_eq_u32 s4, 7; s_cbranch_scc1 end; s_nop 0; end: s_endpgm")
                  .affected->control_flow);
  EXPECT_FALSE(followed("s_memtime s[4:5]; s_cmp_eq_u32 s8, 7; s_cbranch_scc1 end; s_nop 0; end: s_endpgm")
                   .affected->control_flow);
  const std::string lanes =
      "v_rcp_f32 v1, v0; v_cmp_lt_f32 vcc, 0, v1; s_and_b64 exec, exec, vcc; v_mov_b32 v2, 1; s_endpgm";
  EXPECT_TRUE(followed(lanes, "registers: {v0: 0x40400000}\n").affected->control_flow) << "which lanes are on";
}

TEST(Fidelity, IsFollowedToAddresses) {
  const std::string memory =
      "memory: [{at: 0x2000, words: [1, 2, 3, 4], access: rw}]\nregisters: {\"s[2:3]\": 0x2000}\n";
  const Fidelity loads =
      followed("s_memtime s[4:5]; s_and_b32 s4, s4, 4; s_load_dword s6, s[2:3], s4; s_endpgm", memory);
  EXPECT_TRUE(loads.affected->address);
  const Fidelity stores = followed(
      "s_memtime s[4:5]; s_store_dword s4, s[2:3], 0x8; s_load_dword s7, s[2:3], 0x8; "
      "s_load_dword s8, s[2:3], 0x4; s_endpgm",
      memory);
  EXPECT_FALSE(stores.affected->address);
  EXPECT_THAT(names(stores), ElementsAre("s4", "s5", "s7", "[0x2008]"));
}

TEST(Fidelity, OfSkippedInstructions) {
  const std::string code = "v_cmp_eq_u32 vcc, 0, v0; s_cbranch_vccnz end; s_nop 0; end: s_endpgm";
  const Fidelity skipped = followed(code, "on_vector: skip\n");
  EXPECT_THAT(skipped.skipped, ElementsAre(0x1000));
  EXPECT_TRUE(skipped.affected->control_flow);
  EXPECT_TRUE(followed(code, "registers: {v0: 0}\n").is_exact()) << "it is executed";
  const Fidelity vskip = followed("s_setvskip -1, 0; v_mov_b32 v0, 1; s_endpgm");
  EXPECT_TRUE(vskip.is_exact()) << "hardware passes over it, too";
  EXPECT_EQ(vskip.exact.size(), 3U);
}

TEST(Fidelity, OfAssumptions) {
  // image_load
  const Fidelity fidelity = followed(".long 0xf0001100, 0; s_add_u32 s3, s2, 1; s_mov_b32 s5, 3; s_endpgm",
                                     "assume: {0x1000: {s2: 5, v1: 6}}\n");
  EXPECT_THAT(fidelity.assumed, ElementsAre(0x1000));
  EXPECT_THAT(names(fidelity), ElementsAre("s2", "s3", "scc", "v1"));
}

TEST(Fidelity, OfUnspecifiedResults) {
  // A field that is wider than the operand.
  const Fidelity fidelity = followed("s_bfe_u32 s2, s0, 0x3f0000; s_endpgm", "registers: {s0: 5}\n");
  EXPECT_THAT(fidelity.approximate, ElementsAre(0x1000));
  EXPECT_THAT(names(fidelity), Contains("s2"));
}

TEST(Fidelity, IsReported) {
  const Scenario scenario =
      load_good(text_of_scenario("s_memtime s[4:5]; s_cbranch_scc1 0; s_endpgm", "registers: {scc: 0}\n"));
  const Outcome outcome = run_followed(scenario);
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::json),
              HasSubstr(R"("fidelity":{"exact":2,"approximate":["0x0000000000001000"],"skipped":[],"assumed":[],)"
                        R"("affected":{"control_flow":false,"address":false,"results":["s4","s5"]}})"));
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::yaml),
              HasSubstr("\nfidelity: {exact: 2, approximate: [0x1000], skipped: [], assumed: [], affected: "
                        "{control_flow: false, address: false, results: [\"s4\", \"s5\"]}}\n"));
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text),
              HasSubstr("  fidelity: 2 of 3 executed instructions exact\n    approximate: 0x1000"));
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text), HasSubstr("that affects: the results s4, s5\n"));
}

// The manuals do not define the result if the field does not fit into the operand.
TEST(Fidelity, CountsInexactInstructionsOfRowsOnce) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {folder.write(
      "table.yaml", text_of_scenario("s_bfe_u32 s1, s2, s0; s_endpgm",
                                     "cases: [{s0: 0x80000, expect.s1: 0}, {s0: 0x280000, expect.s1: 0}]\n"))};
  SuiteOptions options;
  options.fidelity = true;
  const SuiteResult suite = run_suite(files, options, [](const TestResult&) {});
  ASSERT_TRUE(suite.fidelity);
  EXPECT_EQ(suite.fidelity->inexact_runs, 1U);
  EXPECT_EQ(suite.fidelity->exact, 1U) << "s_endpgm";
  EXPECT_EQ(suite.fidelity->approximate, 1U);
}

TEST(Fidelity, OfASuite) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {
      folder.write("exact.yaml", text_of_scenario("s_mov_b32 s0, 1; s_endpgm")),
      folder.write("branch.yaml", text_of_scenario("s_memtime s[4:5]; s_cmp_eq_u32 s4, 7; s_cbranch_scc1 end; s_nop 0; "
                                                   "end: s_endpgm",
                                                   "expect: {registers: {s8: 0}}\n")),
      folder.write("table.yaml", text_of_scenario("s_cmp_eq_u32 s0, 0; s_cbranch_scc1 end; s_memtime s[4:5]; "
                                                  "end: s_endpgm",
                                                  "cases: [{s0: 0, expect.s4: 0}, {s0: 1, expect.s4: 0}]\n"))};
  SuiteOptions options;
  options.fidelity = true;
  for (const u32 jobs : {1U, 4U}) {
    options.jobs = jobs;
    const SuiteResult suite = run_suite(files, options, [](const TestResult&) {});
    ASSERT_TRUE(suite.fidelity);
    EXPECT_EQ(suite.fidelity->exact, 2U + 4 + 3) << "the table's rows have executed all of it";
    EXPECT_EQ(suite.fidelity->approximate, 2U);
    EXPECT_EQ(suite.fidelity->runs, 4U);
    EXPECT_EQ(suite.fidelity->inexact_runs, 2U);
    EXPECT_EQ(suite.fidelity->affected_control_flow, 1U);
    EXPECT_EQ(suite.fidelity->affected_addresses, 0U);
    EXPECT_EQ(suite.fidelity->affected_results, 1U) << "s4 of the row that reads the clock";
    ASSERT_EQ(suite.fidelity->coverage.size(), 1U);
    const InstructionCoverage& coverage = suite.fidelity->coverage.front();
    EXPECT_EQ(coverage.generation, Generation::gcn1_4);
    EXPECT_EQ(coverage.scalar.covered, 6U) << "mov, endpgm, memtime, cmp, cbranch_scc1, nop";
    // s_mov_b32 SGPR, integer; s_memtime SGPR; s_cmp_eq_u32 SGPR, integer.
    EXPECT_EQ(coverage.operand_forms.covered, 5U);
    EXPECT_THAT(coverage.never_executed, Contains("s_cbranch_scc0"));
    EXPECT_THAT(coverage.never_executed, Not(Contains("s_nop")));
    EXPECT_EQ(coverage.never_executed.size(), coverage.scalar.all - 6);
  }
}

}  // namespace
}  // namespace salu
