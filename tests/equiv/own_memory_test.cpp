#include <gtest/gtest.h>

#include <salu/proof.hpp>

#include <string>

#include "equiv/own_memory.hpp"
#include "programs.hpp"

// Inputs that are used as addresses in the code or the data of the programs.
namespace salu::equiv_test {
namespace {

u64 left_out(const EquivalenceReport& report) {
  const auto found = report.skipped.find(equiv::own_memory_is_input);
  return found == report.skipped.end() ? 0 : found->second;
}

EquivalenceOptions exhaustive(const std::string& inputs, const std::string& outputs) {
  EquivalenceOptions options;
  options.exhaustive = {inputs};
  options.outputs = {outputs};
  return options;
}

/// Loads from 0x10000, or, if s4 is 1, from 0x1000, the first instruction.
std::string load_by_input(const std::string& first, const std::string& load) {
  return first + "\ns_lshl_b32 s5, s4, 2\ns_lshr_b32 s0, 0x10000, s5\ns_mov_b32 s1, 0\n" + load + "\ns_endpgm\n";
}
const std::string data = "memory: [{at: 0x10000, words: [7, 8]}]\n";

TEST(OwnMemory, AnInputThatPointsToCodeIsLeftOut) {
  for (const std::string load : {"s_load_dword s2, s[0:1], 0x0",
                                 "v_mov_b32 v0, s0\nv_mov_b32 v1, s1\nglobal_load_dword v2, v[0:1], off\n"
                                 "s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s2, v2"}) {
    const Scenario a = scenario(load_by_input("s_nop 0", load), data);
    const Scenario b = scenario(load_by_input("s_nop 1", load), data);
    const EquivalenceReport report = compare(a, b, exhaustive("s4=0..1", "s2"));
    EXPECT_EQ(report.combinations, 2U) << load;
    EXPECT_EQ(report.verdict, Verdict::incomplete) << load << "\n" << equivalence_text(report);
    EXPECT_EQ(left_out(report), 1U) << load;
    EXPECT_EQ(report.combinations_compared, 1U) << load;
    const std::string text = equivalence_text(report);
    EXPECT_NE(text.find("1 of 2 combinations could not be compared"), std::string::npos) << text;
    EXPECT_NE(text.find("skipped       1 state: " + std::string(equiv::own_memory_is_input)), std::string::npos)
        << text;
    EXPECT_NE(equivalence_json(report).find(std::string(equiv::own_memory_is_input) + "\":1"), std::string::npos);
  }
}

TEST(OwnMemory, ADifferenceBesideCodeIsFound) {
  const std::string load = "s_load_dword s2, s[0:1], ";
  const Scenario a = scenario(load_by_input("s_nop 0", load + "0x0"), data);
  const Scenario b = scenario(load_by_input("s_nop 1", load + "0x4"), data);
  const EquivalenceReport report = compare(a, b, exhaustive("s4=0..1", "s2"));
  ASSERT_EQ(report.verdict, Verdict::different) << equivalence_text(report);
  EXPECT_EQ(report.difference->outputs.at(0).a, "0x00000007");
  EXPECT_EQ(report.difference->outputs.at(0).b, "0x00000008");
}

/// Shrinking must not replace a difference by one that only reads the code.
TEST(OwnMemory, AShrunkInputDoesNotPointToCode) {
  const std::string code = "s_load_dword s2, s[0:1], 0x0\ns_endpgm\n";
  EquivalenceOptions options;
  options.inputs = {"s[0:1]=0x1000..0x1103"};
  options.outputs = {"s2"};
  const Scenario a = scenario("s_nop 0\n" + code, "memory: [{at: 0x1100, words: [7]}]\n");
  const Scenario b = scenario("s_nop 1\n" + code, "memory: [{at: 0x1100, words: [8]}]\n");
  options.states = 3000;
  const EquivalenceReport report = compare(a, b, options);
  ASSERT_EQ(report.verdict, Verdict::different) << equivalence_text(report);
  EXPECT_EQ(shrunk_value(report, "s[0:1]") & ~u64{3}, 0x1100U);
}

/// An element of a table after the code, by an index from -8 to 3.
std::string element_of_table(const std::string& last, const std::string& words) {
  return "s_getpc_b64 s[2:3]\nafter:\ns_add_u32 s2, s2, table-after\ns_addc_u32 s3, s3, 0\ns_sub_u32 s0, s0, 8\n"
         "s_lshl_b32 s0, s0, 2\ns_ashr_i32 s1, s0, 31\ns_add_u32 s2, s2, s0\ns_addc_u32 s3, s3, s1\n"
         "s_load_dword s4, s[2:3], 0x0\n" +
         last + "\ns_endpgm\ntable:\n.long " + words + "\n";
}

TEST(OwnMemory, ATableThatDiffersIsADifference) {
  const EquivalenceReport report =
      compare(assembly(element_of_table("s_nop 0", "1, 2, 3, 4")), assembly(element_of_table("s_nop 0", "1, 2, 5, 4")),
              exhaustive("s0=8..11", "s4"));
  ASSERT_EQ(report.verdict, Verdict::different) << equivalence_text(report);
  EXPECT_EQ(shrunk_value(report, "s0"), 10U);
}

TEST(OwnMemory, AnIndexThatLeadsFromATableToCodeIsLeftOut) {
  const Scenario a = assembly(element_of_table("s_nop 0", "1, 2, 3, 4"));
  const Scenario b = assembly(element_of_table("s_nop 1", "1, 2, 3, 4"));
  const EquivalenceReport report = compare(a, b, exhaustive("s0=0..11", "s4"));
  EXPECT_EQ(report.verdict, Verdict::incomplete) << equivalence_text(report);
  EXPECT_EQ(left_out(report), 1U);
  EXPECT_EQ(report.combinations_compared, 11U);
}

/// A pointer in the scenario's memory is not an input unless this memory is varied.
TEST(OwnMemory, OnlyInputsAreDrawn) {
  const std::string code = "s_load_dwordx2 s[2:3], s[0:1], 0x0\ns_load_dword s4, s[2:3], 0x0\ns_endpgm\n";
  const std::string pointer = "registers: {\"s[0:1]\": 0x10000}\nmemory: [{at: 0x10000, qwords: [0x1000]}]\n";
  EquivalenceOptions options;
  options.outputs = {"s4"};
  EXPECT_EQ(compare(scenario("s_nop 0\n" + code, pointer), scenario("s_nop 1\n" + code, pointer), options).verdict,
            Verdict::different);
  options.inputs = {"memory.0x10000:1"};
  const EquivalenceReport report =
      compare(scenario("s_nop 0\n" + code, pointer), scenario("s_nop 1\n" + code, pointer), options);
  EXPECT_NE(report.verdict, Verdict::different) << equivalence_text(report);
  EXPECT_GT(left_out(report), 0U);
}

TEST(OwnMemory, AJumpThatAnInputDecidesIsLeftOut) {
  // To 0x1008 or 0x100c.
  const auto code = [](const std::string& there) {
    return "s_lshl_b32 s4, s4, 2\ns_add_u32 s4, s4, s6\ns_mov_b32 s5, 0\ns_setpc_b64 s[4:5]\n" + there + "\ns_endpgm\n";
  };
  const std::string start = "registers: {s6: 0}\n";
  const EquivalenceReport report = compare(scenario(code("s_mov_b32 s2, 1"), start),
                                           scenario(code("s_mov_b32 s2, 2"), start), exhaustive("s4=1028..1029", "s2"));
  EXPECT_NE(report.verdict, Verdict::different) << equivalence_text(report);
  EXPECT_EQ(left_out(report), 1U) << equivalence_text(report);
}

TEST(OwnMemory, AProofDoesNotCallThemDifferent) {
  const std::string load = "s_load_dword s2, s[0:1], 0x0";
  ProofOptions options;
  options.compare.inputs = {"s4=0..1"};
  options.compare.outputs = {"s2"};
  const Result<ProofReport> report = prove_programs(scenario(load_by_input("s_nop 0", load), data),
                                                    scenario(load_by_input("s_nop 1", load), data), options);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->verdict, ProofVerdict::gave_up) << proof_text(*report);
  EXPECT_GT(left_out(report->compared), 0U) << proof_text(*report);
}

}  // namespace
}  // namespace salu::equiv_test
