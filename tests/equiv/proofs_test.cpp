#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/cases.hpp>
#include <salu/proof.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

// Small programs that are proved, refuted or left open. It is known which of them are equal for all inputs.
namespace salu {
namespace {

using testing::HasSubstr;
using testing::Not;

Scenario scenario_of(const std::string& assembly, const std::string& more = {}) {
  std::string indented;
  for (const char c : assembly) indented += c == '\n' ? "\n    " : std::string(1, c);
  const std::string yaml = "target: gfx900\ncode:\n  asm: |\n    " + indented + "\n" + more;
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "program.yaml");
  EXPECT_TRUE(loaded.at(0).has_value()) << yaml << (loaded[0] ? "" : loaded[0].error().to_string());
  return std::move(*loaded[0]);
}

ProofReport proof_of(const std::string& a, const std::string& b, ProofOptions options = {},
                     const std::string& more = {}) {
  if (options.compare.outputs.empty()) options.compare.outputs = {"s0"};
  options.compare.states = 50;
  options.seconds = std::min(options.seconds, 20.0);
  Result<ProofReport> report = prove_programs(scenario_of(a, more), scenario_of(b, more), options);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
  return report ? std::move(*report) : ProofReport{};
}

TEST(Proofs, TheSameByRewriting) {
  const ProofReport report =
      proof_of("s_mul_i32 s0, s0, 5\ns_endpgm", "s_lshl_b32 s1, s0, 2\ns_add_u32 s0, s1, s0\ns_endpgm");
  EXPECT_EQ(report.verdict, ProofVerdict::proved);
  EXPECT_EQ(report.how, "rewriting");
  EXPECT_EQ(report.questions, 0U);
}

TEST(Proofs, BranchesAndSelects) {
  const ProofReport report = proof_of(
      "s_cmp_lt_i32 s0, s1\ns_cbranch_scc1 less\ns_mov_b32 s0, s1\ns_branch done\nless:\ns_add_u32 s0, s0, "
      "0\ndone:\ns_endpgm",
      "s_min_i32 s0, s0, s1\ns_endpgm");
  EXPECT_EQ(report.verdict, ProofVerdict::proved);
}

TEST(Proofs, AverageOfTwoByASolver) {
  const ProofReport report = proof_of(
      "s_and_b32 s2, s0, s1\ns_xor_b32 s3, s0, s1\ns_lshr_b32 s3, s3, 1\ns_add_u32 s0, s2, s3\ns_endpgm",
      "s_add_u32 s0, s0, s1\ns_cselect_b32 s2, 0x80000000, 0\ns_lshr_b32 s0, s0, 1\ns_or_b32 s0, s0, s2\ns_endpgm");
  EXPECT_EQ(report.verdict, ProofVerdict::proved);
  EXPECT_GT(report.questions, 0U);
}

// A single input of 2^64, which random tries do not find.
TEST(Proofs, TheOneInputThatDiffersIsFoundAndReplayed) {
  const ProofReport report =
      proof_of("s_mov_b32 s2, 0\ns_mov_b32 s0, s2\ns_endpgm",
               "s_xor_b32 s2, s0, 0x12345678\ns_xor_b32 s3, s1, 0x9abcdef0\ns_mul_i32 s4, s0, s1\n"
               "s_or_b32 s2, s2, s3\ns_cmp_eq_u32 s2, 0\ns_cselect_b32 s0, 1, 0\ns_endpgm");
  ASSERT_EQ(report.verdict, ProofVerdict::different);
  const Difference& difference = *report.compared.difference;
  ASSERT_EQ(difference.shrunk.size(), 2U);
  EXPECT_EQ(difference.shrunk[0].value, 0x12345678U);
  EXPECT_EQ(difference.shrunk[1].value, 0x9abcdef0U);
  EXPECT_EQ(difference.reproducer_problem, "");
}

TEST(Proofs, LoopsThatEndByThemselvesAreFollowedToTheirEnd) {
  // Bits counted by clearing one after the other, at most eight of them.
  const std::string loop =
      "s_and_b32 s1, s0, 0xff\ns_mov_b32 s0, 0\nloop:\ns_cmp_eq_u32 s1, 0\ns_cbranch_scc1 done\ns_sub_u32 s2, s1, 1\n"
      "s_and_b32 s1, s1, s2\ns_add_u32 s0, s0, 1\ns_branch loop\ndone:\ns_endpgm";
  EXPECT_EQ(proof_of(loop, "s_and_b32 s0, s0, 0xff\ns_bcnt1_i32_b32 s0, s0\ns_endpgm").verdict, ProofVerdict::proved);
}

TEST(Proofs, OtherLoopsAreProvedForSoManyRounds) {
  const std::string up =
      "s_mov_b32 s1, 0\nloop:\ns_add_u32 s1, s1, 3\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\n"
      "s_cbranch_scc1 loop\ns_mov_b32 s0, s1\ns_endpgm";
  ProofOptions options;
  options.rounds = 4;
  options.compare.inputs = {"s0=1..100000", "s2"};
  const ProofReport report = proof_of(up, "s_mul_i32 s0, s0, 3\ns_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::proved_in_rounds);
  EXPECT_EQ(report.rounds, 4U);
  EXPECT_THAT(proof_text(report), HasSubstr("proved up to 4 rounds of each loop"));
}

TEST(Proofs, LoopsOfFewInputsAreTriedToTheirEnd) {
  const std::string up =
      "s_mov_b32 s1, 0\nloop:\ns_add_u32 s1, s1, 3\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\n"
      "s_cbranch_scc1 loop\ns_mov_b32 s0, s1\ns_endpgm";
  ProofOptions options;
  options.rounds = 4;
  options.compare.inputs = {"s0=1..80"};
  const ProofReport report = proof_of(up, "s_mul_i32 s0, s0, 3\ns_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::proved_by_trying) << proof_text(report);
  EXPECT_THAT(proof_json(report), Not(HasSubstr("\"rounds\"")));
}

// If no input leaves the loop before the limit, every statement about its result would be true.
TEST(Proofs, NothingIsProvedOfNoInput) {
  const std::string loop = "s_add_u32 s1, s0, 9\nloop:\ns_sub_u32 s1, s1, 1\ns_cmp_lg_u32 s1, 0\ns_cbranch_scc1 loop\n";
  ProofOptions options;
  options.rounds = 4;
  options.compare.inputs = {"s0=0..100"};
  options.compare.outputs = {"s1"};
  const ProofReport report = proof_of(loop + "s_endpgm", loop + "s_nop 0\ns_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::proved_by_trying);
  options.compare.inputs = {"s0=0..0xfffffff0", "s2"};
  const ProofReport other = proof_of(loop + "s_endpgm", loop + "s_nop 0\ns_endpgm", options);
  EXPECT_EQ(other.verdict, ProofVerdict::gave_up);
  EXPECT_THAT(proof_text(other), HasSubstr("no input leaves its loops within 4 rounds"));
}

TEST(Proofs, CallsAndReturns) {
  const std::string calls =
      "s_getpc_b64 s[2:3]\ns_add_u32 s2, s2, twice-.\ns_addc_u32 s3, s3, 0\ns_swappc_b64 s[4:5], s[2:3]\n"
      "s_swappc_b64 s[4:5], s[2:3]\ns_endpgm\ntwice:\ns_lshl_b32 s0, s0, 1\ns_setpc_b64 s[4:5]";
  EXPECT_EQ(proof_of(calls, "s_lshl_b32 s0, s0, 2\ns_endpgm").verdict, ProofVerdict::proved);
}

TEST(Proofs, ForksAndJoins) {
  // Lanes with a bit in s[4:5] set their bit in s[0:1], the others do not.
  const std::string forks =
      "s_mov_b64 s[8:9], 0\ns_cbranch_i_fork s[4:5], there\ns_branch met\nthere:\ns_or_b64 s[8:9], s[8:9], exec\nmet:\n"
      "s_cbranch_join s20\ns_mov_b64 s[0:1], s[8:9]\ns_endpgm";
  ProofOptions options;
  options.compare.outputs = {"s[0:1]"};
  options.compare.inputs = {"s[4:5]"};
  const ProofReport report = proof_of(forks, "s_mov_b64 s[0:1], s[4:5]\ns_endpgm", options, "registers: {s20: 0}\n");
  EXPECT_EQ(report.verdict, ProofVerdict::proved) << proof_text(report);
}

TEST(Proofs, SpilledToLanes) {
  EXPECT_EQ(
      proof_of("v_writelane_b32 v0, s0, 3\ns_mov_b32 s0, 0\nv_readlane_b32 s0, v0, 3\ns_endpgm", "s_endpgm").verdict,
      ProofVerdict::proved);
}

TEST(Proofs, TablesAndMemory) {
  const std::string memory =
      "memory:\n  - at: 0x10000\n    words: [0, 1, 4, 9, 16, 25, 36, 49]\n"
      "registers: {s2: 0x10000, s3: 0}\n";
  ProofOptions options;
  options.compare.inputs = {"s0"};
  const ProofReport report =
      proof_of("s_and_b32 s1, s0, 7\ns_lshl_b32 s1, s1, 2\ns_load_dword s0, s[2:3], s1\ns_waitcnt lgkmcnt(0)\ns_endpgm",
               "s_and_b32 s0, s0, 7\ns_mul_i32 s0, s0, s0\ns_endpgm", options, memory);
  EXPECT_EQ(report.verdict, ProofVerdict::proved) << proof_text(report);
}

// Each lane takes the greater of two words, once by a compare and a select.
TEST(Proofs, LanesCompute) {
  ProofOptions options;
  options.compare.inputs = {"v0", "v1"};
  options.compare.outputs = {"v2"};
  const std::string by_choice = "v_cmp_gt_u32 vcc, v0, v1\nv_cndmask_b32 v2, v1, v0, vcc\ns_endpgm";
  EXPECT_EQ(proof_of(by_choice, "v_max_u32 v2, v0, v1\ns_endpgm", options).verdict, ProofVerdict::proved);
  options.compare.inputs = {"v0[3]", "v1[3]"};
  const ProofReport report = proof_of(by_choice, "v_max_i32 v2, v0, v1\ns_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::different);
}

// An inactive lane keeps its value.
TEST(Proofs, LanesThatAreOffStay) {
  ProofOptions options;
  options.compare.inputs = {"s[0:1]", "v0"};
  options.compare.outputs = {"v0"};
  const std::string masked = "s_mov_b64 exec, s[0:1]\nv_not_b32 v0, v0\ns_mov_b64 exec, -1\ns_endpgm";
  EXPECT_EQ(proof_of(masked, "v_not_b32 v1, v0\nv_cndmask_b32 v0, v0, v1, s[0:1]\ns_endpgm", options).verdict,
            ProofVerdict::proved);
  options.compare.inputs = {"s[0:1]", "v0[3]"};
  EXPECT_EQ(proof_of(masked, "v_not_b32 v0, v0\ns_endpgm", options).verdict, ProofVerdict::different);
}

constexpr const char* array_of_eight =
    "memory:\n  - at: 0x10000\n    fill: 0\n    size: 32\n    access: rw\nregisters: {s2: 0x10000, s3: 0}\n";

// EXEC is known, and there are inactive lanes between active ones.
TEST(Proofs, LanesAfterInactiveOnesAreComputed) {
  const std::string begin = "s_mov_b64 exec, 0b1011\n";
  const std::string unlikely = "s_mul_i32 s2, s0, 0x10001\ns_cmp_eq_u32 s2, 0x2d2d6543\ns_cselect_b32 s1, 7, s1\n";
  const std::string end = "v_mov_b32 v1, s1\nv_cmp_eq_u32 vcc, 7, v1\ns_endpgm";
  for (const std::string output : {"v1[0]", "v1[3]", "vcc_lo"}) {
    ProofOptions options;
    options.compare.outputs = {output};
    EXPECT_EQ(proof_of(begin + end, begin + unlikely + end, options).verdict, ProofVerdict::different) << output;
    EXPECT_EQ(proof_of(begin + end, begin + "s_nop 0\n" + end, options).verdict, ProofVerdict::proved) << output;
  }
}

// s2 is 0x77777777 for one s0.
TEST(Proofs, StatusAndThePcAreCompared) {
  const std::string begin = "s_mul_i32 s2, s0, 0x10001\ns_xor_b32 s2, s2, 0x5a5a1234\n";
  const std::string rarely = begin + "s_cmp_eq_u32 s2, 0x77777777\ns_nop 0\ns_endpgm";
  const std::string never = begin + "s_cmp_eq_u32 s2, s2\ns_cmp_lg_u32 s2, s2\ns_endpgm";
  const std::string branches = begin + "s_cmp_eq_u32 s2, 0x77777777\ns_cbranch_scc1 x\ns_endpgm\nx: s_endpgm";
  ProofOptions options;
  options.compare.outputs = {"status"};
  EXPECT_EQ(proof_of(rarely, never, options).verdict, ProofVerdict::different);
  EXPECT_EQ(proof_of(rarely, begin + "s_cmp_eq_u32 s2, 0x77777777\ns_endpgm", options).verdict, ProofVerdict::proved);
  options.compare.outputs = {"pc"};
  EXPECT_EQ(proof_of(branches, rarely, options).verdict, ProofVerdict::different);
  EXPECT_EQ(proof_of(rarely, begin + "s_cmp_eq_u32 s2, 0x77777777\ns_nop 1\ns_endpgm", options).verdict,
            ProofVerdict::proved);
  // EXECZ and VCCZ.
  options.compare.outputs = {"status"};
  for (const std::string pair : {"exec", "vcc"}) {
    EXPECT_EQ(proof_of("s_mov_b64 " + pair + ", 0\ns_endpgm", "s_mov_b64 " + pair + ", 1\ns_endpgm", options).verdict,
              ProofVerdict::different);
  }
}

// One input of 2^32 reaches the limit, which runs need not find.
TEST(Proofs, NothingIsProvedOfRunsThatComeToALimit) {
  const std::string end = "s_xor_b32 s4, s0, 0x13579bdf\ns_cmp_eq_u32 s4, 0x5a5a1234\ns_cbranch_scc0 done\n";
  std::string stores;
  std::string longer;
  for (int i = 0; i < 5; ++i) {
    stores += fmt::format("s_store_dword s1, s[20:21], 0x{}000\n", i);
    longer += "s_nop 0\n";
  }
  const std::string memory = "registers: {s20: 0x10000, s21: 0}\nmemory: [{at: 0x10000, size: 0x10000}]\n";
  ProofOptions options;
  options.compare.inputs = {"s0"};
  options.seconds = 2;
  const auto verdict = [&](const std::string& more, const std::string& limit) {
    Result<ProofReport> report = prove_programs(scenario_of(end + more + "done:\ns_endpgm", memory + limit),
                                                scenario_of(end + "done:\ns_endpgm", memory), options);
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
    return report->verdict;
  };
  options.compare.outputs = {"s0"};
  EXPECT_NE(verdict(longer, "limits: {steps: 8}"), ProofVerdict::proved);
  EXPECT_EQ(verdict(longer, "limits: {steps: 9}"), ProofVerdict::proved);
  // Memory includes the page of the code.
  EXPECT_NE(verdict(stores, "limits: {memory: 20 KiB}"), ProofVerdict::proved);
  EXPECT_EQ(verdict(stores, "limits: {memory: 24 KiB}"), ProofVerdict::proved);
}

// Whether the page of an input uses memory depends on the input, and code uses pages as well.
TEST(Proofs, MemoryOfInputsAndCodeCountsForTheLimit) {
  const std::string memory =
      "registers: {s10: 0x100000, s11: 0}\nmemory: [{at: 0x100000, size: 0x2000}]\nlimits: {memory: 8 KiB}\n";
  const std::string load = "s_load_dwordx2 s[4:5], s[10:11], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s1, s4\n";
  ProofOptions options;
  options.seconds = 2;
  options.compare.inputs = {"memory.0x100000:16", "memory.0x101000:16"};
  options.compare.outputs = {"s1"};
  const auto verdict = [&](const Scenario& a, const Scenario& b) {
    Result<ProofReport> report = prove_programs(a, b, options);
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
    return report->verdict;
  };
  EXPECT_NE(verdict(scenario_of(load + "s_endpgm", memory),
                    scenario_of(load + "s_store_dword s4, s[10:11], 0x0\ns_endpgm", memory)),
            ProofVerdict::proved);
  options.compare.inputs = {"s0"};
  const std::string rare =
      "s_xor_b32 s4, s0, 0x13579bdf\ns_cmp_eq_u32 s4, 0x5a5a1234\ns_cbranch_scc0 done\n"
      "s_store_dword s1, s[10:11], 0x0\ndone:\ns_endpgm";
  const std::string far = "\n.fill 1024, 4, 0xbf800000";
  EXPECT_EQ(verdict(scenario_of(rare, memory), scenario_of(rare, memory)), ProofVerdict::proved);
  EXPECT_NE(verdict(scenario_of(rare, memory), scenario_of(rare + far, memory)), ProofVerdict::proved);
}

TEST(Proofs, AssumptionsAboutStatus) {
  const std::string selects = "s_cselect_b32 s2, s5, 3\ns_cmp_eq_u32 s2, 0x2345671\ns_cselect_b32 s0, 1, 0\ns_endpgm";
  ProofOptions options;
  options.compare.inputs = {"scc", "s5"};
  options.compare.assume = {"status & 1"};
  EXPECT_EQ(proof_of(selects, "s_mov_b32 s0, 0\ns_endpgm", options).verdict, ProofVerdict::different);
  options.compare.assume = {"!(status & 1)"};
  EXPECT_EQ(proof_of(selects, "s_mov_b32 s0, 0\ns_endpgm", options).verdict, ProofVerdict::proved);
}

TEST(Proofs, StoresGoWhereAnIndexLeads) {
  ProofOptions options;
  options.compare.inputs = {"s0", "s1", "s4=0..7"};
  // Two stores, the second of which may be to the same address, and a load from it.
  const std::string stores =
      "s_and_b32 s5, s0, 7\ns_lshl_b32 s5, s5, 2\ns_store_dword s1, s[2:3], s5\ns_lshl_b32 s6, s4, 2\n"
      "s_store_dword s0, s[2:3], s6\ns_dcache_wb\ns_load_dword s0, s[2:3], s5\ns_waitcnt lgkmcnt(0)\ns_endpgm";
  const std::string chosen = "s_and_b32 s5, s0, 7\ns_cmp_eq_u32 s5, s4\ns_cselect_b32 s0, s0, s1\ns_endpgm";
  const ProofReport report = proof_of(stores, chosen, options, array_of_eight);
  EXPECT_EQ(report.verdict, ProofVerdict::proved) << proof_text(report);
  EXPECT_EQ(proof_of(stores, "s_mov_b32 s0, s1\ns_endpgm", options, array_of_eight).verdict, ProofVerdict::different);
}

// An index that a branch limits to the array, and an index without a limit.
TEST(Proofs, FaultsHaveToBeImpossible) {
  const std::string checked =
      "s_cmp_lt_u32 s0, 8\ns_cbranch_scc0 done\ns_lshl_b32 s1, s0, 2\ns_load_dword s0, s[2:3], s1\n"
      "s_waitcnt lgkmcnt(0)\ndone:\ns_endpgm";
  ProofOptions options;
  options.compare.inputs = {"s0"};
  EXPECT_EQ(proof_of(checked, "s_cmp_lt_u32 s0, 8\ns_cselect_b32 s0, 0, s0\ns_endpgm", options, array_of_eight).verdict,
            ProofVerdict::proved);
  options.compare.inputs = {"s0=0..15"};
  const std::string unchecked = "s_lshl_b32 s1, s0, 2\ns_load_dword s0, s[2:3], s1\ns_waitcnt lgkmcnt(0)\ns_endpgm";
  const ProofReport report = proof_of(unchecked, "s_mov_b32 s0, 0\ns_endpgm", options, array_of_eight);
  EXPECT_NE(report.verdict, ProofVerdict::proved) << proof_text(report);
}

TEST(Proofs, UnsupportedInstructionsAreNamed) {
  const std::string converts = "v_cvt_f32_u32 v0, s0\nv_readfirstlane_b32 s0, v0\n";
  ProofOptions options;
  options.compare.inputs = {"s0", "s1"};
  const ProofReport report = proof_of(converts + "s_endpgm", converts + "s_nop 0\ns_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::gave_up);
  ASSERT_FALSE(report.obstacles.empty());
  EXPECT_THAT(report.obstacles[0].why, HasSubstr("floats"));
  EXPECT_THAT(report.obstacles[0].instruction, HasSubstr("v_cvt_f32_u32"));
}

// Two sums that differ if there is a carry.
TEST(Proofs, AssumptionsLeaveInputsOut) {
  const std::string wide = "s_add_u32 s0, s0, s1\ns_cselect_b32 s0, 7, s0\ns_endpgm";
  const std::string narrow = "s_add_u32 s0, s0, s1\ns_endpgm";
  ProofOptions options;
  options.compare.assume = {"s0 < 0x80000000", "i32(s1) >= 0"};
  const ProofReport report = proof_of(wide, narrow, options);
  EXPECT_EQ(report.verdict, ProofVerdict::proved) << proof_text(report);
  EXPECT_THAT(proof_text(report), HasSubstr("assumed       s0 < 0x80000000\n                i32(s1) >= 0\n"));
  options.compare.assume = {"s0 != 0", "i32(s1) < -4"};
  const ProofReport found = proof_of(wide, narrow, options);
  ASSERT_EQ(found.verdict, ProofVerdict::different);
  // Shrinking stays within the assumptions.
  ASSERT_EQ(found.compared.difference->shrunk.size(), 2U);
  EXPECT_NE(found.compared.difference->shrunk[0].value, 0U);
  EXPECT_LT(static_cast<i32>(found.compared.difference->shrunk[1].value), -4);
}

TEST(Proofs, AssumptionsAreAsTheDebuggerReadsThem) {
  ProofOptions options;
  options.compare.assume = {"s0 <"};
  const Scenario program = scenario_of("s_endpgm");
  const Result<ProofReport> report = prove_programs(program, program, options);
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().to_string(), HasSubstr("--assume:1:5: error: expected a register"));
  options.compare.assume = {"s0 / 3 == 4"};
  options.compare.inputs = {"s0", "s1"};
  const ProofReport quotient = proof_of("s_nop 0\ns_endpgm", "s_endpgm", options);
  EXPECT_EQ(quotient.verdict, ProofVerdict::gave_up);
  EXPECT_THAT(proof_text(quotient), HasSubstr("--assume: s0 / 3 == 4    a quotient or remainder"));
  options.compare.assume = {"[0x99999] == 1"};
  EXPECT_THAT(proof_text(proof_of("s_nop 0\ns_endpgm", "s_endpgm", options)), HasSubstr("memory that is not mapped"));
  options.compare.assume = {"s0 < 4", "s0 > 4"};
  const ProofReport none = proof_of("s_nop 0\ns_endpgm", "s_endpgm", options);
  EXPECT_EQ(none.verdict, ProofVerdict::gave_up);
  EXPECT_THAT(proof_text(none), HasSubstr("no input satisfies the assumptions"));
}

// For each row, the machine takes the branch that the row is for; the table's own words determine the required rows.
TEST(Proofs, TablesCoverBothWaysOfBranches) {
  const std::string code =
      "s_cmp_eq_u32 s0, 0x12345678\ns_cbranch_scc0 other\ns_mov_b32 s1, 1\ns_endpgm\nother:\ns_and_b32 s2, s0, 3\n"
      "s_cmp_gt_u32 s2, 3\ns_cbranch_scc1 never\ns_mov_b32 s1, 2\ns_endpgm\nnever:\ns_mov_b32 s1, 3\ns_endpgm";
  ProofOptions options;
  options.cover = true;
  options.compare.outputs = {"s1"};
  const ProofReport report = proof_of(code, code, options);
  ASSERT_TRUE(report.covered.has_value());
  const std::string& table = report.covered->table;
  EXPECT_THAT(table, HasSubstr("\"s0\": 0x12345678, \"expect\": {\"stop\": end_program, \"s1\": 0x1}"));
  EXPECT_THAT(table, HasSubstr("\"s1\": 0x2}"));
  EXPECT_THAT(table, testing::Not(HasSubstr("\"s1\": 0x3}")));
  EXPECT_EQ(report.covered->impossible.size(), 2U) << proof_text(report);
  EXPECT_TRUE(report.covered->left.empty());
  EXPECT_EQ(report.covered->covered + 2, report.covered->turns);
  std::vector<Result<Scenario>> loaded = load_yaml(table, "table.yaml");
  ASSERT_TRUE(loaded.at(0).has_value()) << loaded[0].error().to_string();
  ASSERT_NE(loaded[0]->cases, nullptr);
  EXPECT_EQ(loaded[0]->cases->rows(), report.covered->rows);
  for (std::size_t row = 0; row < report.covered->rows; ++row) {
    const Scenario scenario = case_scenario(*loaded[0], row);
    EXPECT_TRUE(check(*scenario.expect, run(scenario, scenario.options)).empty());
  }
}

// The direction of the branch is not visible in its successor.
TEST(Proofs, TablesDoNotTakeABranchToTheNextInstructionForOneThatIsNeverTaken) {
  const std::string branch = "\ns_cbranch_scc1 next\nnext:\ns_endpgm";
  ProofOptions options;
  options.cover = true;
  const ProofReport either = proof_of("s_cmp_lt_u32 s0, 7" + branch, "s_cmp_lt_u32 s0, 7" + branch, options);
  ASSERT_TRUE(either.covered.has_value());
  EXPECT_TRUE(either.covered->impossible.empty()) << proof_text(either);
  const ProofReport always = proof_of("s_cmp_eq_u32 s0, s0" + branch, "s_cmp_eq_u32 s0, s0" + branch, options);
  ASSERT_TRUE(always.covered.has_value());
  // SCC is never 0.
  EXPECT_EQ(always.covered->impossible.size(), 1U) << proof_text(always);
  EXPECT_EQ(always.covered->turns, 2U) << proof_text(always);
}

// The behaviour of loops beyond the unrolling limit is unknown.
TEST(Proofs, TablesSayOfNoTurnThatItIsImpossibleWhereAWayIsCutOff) {
  const std::string code =
      "s_mov_b32 s1, 0\ns_and_b32 s0, s0, 0xff\nloop:\ns_cmp_eq_u32 s1, 100\ns_cbranch_scc1 hit\nback:\n"
      "s_add_u32 s1, s1, 1\ns_cmp_lt_u32 s1, s0\ns_cbranch_scc1 loop\ns_endpgm\nhit:\ns_mov_b32 s3, 1\ns_branch back";
  ProofOptions options;
  options.cover = true;
  options.compare.outputs = {"s3"};
  const ProofReport report = proof_of(code, code, options);
  ASSERT_TRUE(report.covered.has_value());
  EXPECT_TRUE(report.covered->impossible.empty()) << proof_text(report);
  EXPECT_FALSE(report.covered->left.empty());
  ASSERT_EQ(report.covered->not_followed.size(), 1U) << proof_text(report);
  EXPECT_EQ(report.covered->not_followed[0].why, "more than 64 rounds of the loop");
}

// All rows have the same step limit, and a run that reaches it must not continue, whatever another program does.
TEST(Proofs, RowsOfTablesMayEndAtTheLimit) {
  const std::string loop = "s_mov_b32 s4, 0\nloop:\ns_add_u32 s4, s4, s1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 loop\n";
  const std::string ends = loop + "s_endpgm";
  const std::string returns = ".type f,@function\nf:\n" + loop + "s_setpc_b64 s[30:31]\n.size f, .-f\n";
  const std::array<std::array<std::string, 2>, 3> pairs = {{{ends, ends}, {returns, returns}, {ends, "s_endpgm"}}};
  for (const auto& [a, b] : pairs) {
    ProofOptions options;
    options.cover = true;
    options.rounds = 4;
    options.seconds = 2;
    options.compare.max_steps = 200;
    options.compare.inputs = {"s0", "s1"};
    options.compare.outputs = {"s4", "scc"};
    const ProofReport report = proof_of(a, b, options);
    ASSERT_TRUE(report.covered.has_value());
    std::vector<Result<Scenario>> loaded = load_yaml(report.covered->table, "table.yaml");
    ASSERT_TRUE(loaded.at(0).has_value()) << loaded[0].error().to_string();
    ASSERT_NE(loaded[0]->cases, nullptr);
    EXPECT_EQ(report.covered->table.find("step_limit") == std::string::npos, a == returns) << report.covered->table;
    for (std::size_t row = 0; row < loaded[0]->cases->rows(); ++row) {
      const Scenario scenario = case_scenario(*loaded[0], row);
      EXPECT_TRUE(check(*scenario.expect, run(scenario, scenario.options)).empty()) << report.covered->table;
    }
  }
}

TEST(Proofs, TablesOfProgramsWithoutBranchesHaveARow) {
  ProofOptions options;
  options.cover = true;
  options.compare.outputs = {"s0"};
  const ProofReport report = proof_of("s_mov_b32 s0, 7\ns_endpgm", "s_mov_b32 s0, 7\ns_endpgm", options);
  ASSERT_TRUE(report.covered.has_value());
  EXPECT_EQ(report.covered->turns, 0U);
  EXPECT_EQ(report.covered->rows, 1U);
  EXPECT_THAT(report.covered->table, HasSubstr("\"expect\": {\"stop\": end_program, \"s0\": 0x7}"));
}

TEST(Proofs, TheOneRowIsAsAssumed) {
  ProofOptions options;
  options.cover = true;
  options.compare.assume = {"s0 > 77 && s0 < 80 && s0 != 78"};
  const ProofReport report = proof_of("s_mov_b32 s0, s0\ns_endpgm", "s_mov_b32 s0, s0\ns_endpgm", options);
  ASSERT_TRUE(report.covered.has_value());
  EXPECT_THAT(report.covered->table, HasSubstr("\"s0\": 0x4f, \"expect\": {\"stop\": end_program, \"s0\": 0x4f}"));
}

// Two varied bytes are in one dword, which a row names once.
TEST(Proofs, RowsOfTablesNameADwordOnce) {
  const std::string code =
      "v_mov_b32 v0, 0\nglobal_load_ubyte v2, v0, s[0:1] offset:1\nglobal_load_ubyte v3, v0, s[0:1] offset:2\n"
      "s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s2, v2\nv_readfirstlane_b32 s3, v3\ns_cmp_lg_u32 s2, s3\n"
      "s_cbranch_scc1 done\ns_mov_b32 s4, 1\ndone:\ns_endpgm";
  ProofOptions options;
  options.cover = true;
  options.compare.inputs = {"memory.0x20001:1", "memory.0x20002:1"};
  options.compare.outputs = {"s4"};
  const ProofReport report = proof_of(code, code, options,
                                      "memory: [{at: 0x20000, fill: 0, size: 256}]\n"
                                      "registers: {s0: 0x20000, s1: 0, s4: 0, exec: 1}\n");
  ASSERT_TRUE(report.covered.has_value());
  EXPECT_EQ(report.covered->covered, 4U) << proof_text(report);
  std::vector<Result<Scenario>> loaded = load_yaml(report.covered->table, "table.yaml");
  ASSERT_TRUE(loaded.at(0).has_value()) << loaded[0].error().to_string() << report.covered->table;
  EXPECT_EQ(loaded[0]->cases->rows(), 2U);
}

TEST(Proofs, TablesNameWhereWaysAreNotFollowed) {
  const std::string code =
      "s_cmp_eq_u32 s0, 5\ns_cbranch_scc1 done\nv_rcp_f32 v1, v0\nv_readfirstlane_b32 s2, v1\ns_cmp_eq_u32 s2, 3\n"
      "s_cbranch_scc1 done\ns_mov_b32 s0, 1\ndone:\ns_endpgm";
  ProofOptions options;
  options.cover = true;
  const ProofReport report = proof_of(code, code, options);
  ASSERT_TRUE(report.covered.has_value());
  EXPECT_EQ(report.covered->turns, 4U);
  ASSERT_EQ(report.covered->not_followed.size(), 1U) << proof_text(report);
  EXPECT_EQ(report.covered->not_followed[0].instruction, "v_rcp_f32_e32 v1, v0");
  EXPECT_THAT(proof_text(report), HasSubstr("\nnot followed  0x1008"));
}

// A fork counts bits of EXEC: for its address, only the comparison is a choice, not each bit.
TEST(Proofs, ForksInLoopsAreFollowed) {
  const std::string code =
      "s_xor_saveexec_b64 s[2:3], vcc\nloop:\ns_cbranch_i_fork s[0:1], other\ns_nop 0\nother:\n"
      "s_cbranch_vccz loop\n";
  ProofOptions options;
  options.compare.outputs = {"s2"};
  const std::string state = "registers: {exec: 0, vcc: 0x2545a5708cc6c240}\n";
  const ProofReport report = proof_of(code + "s_endpgm", code + "s_mov_b32 s4, s5\ns_endpgm", options, state);
  EXPECT_EQ(report.verdict, ProofVerdict::proved) << proof_text(report);
}

// Each condition halves the remaining possibilities: there are too many paths to explore.
TEST(Proofs, AddressesOfManyChoicesEndByTheClock) {
  std::string code = "s_getpc_b64 s[2:3]\n";
  for (int i = 10; i < 40; ++i) {
    code +=
        fmt::format("s_cmp_gt_u32 s{}, s{}\ns_cselect_b32 s4, {}, 0\ns_add_u32 s2, s2, s4\n", i, i + 1, 8 << (i % 8));
  }
  code += "s_setpc_b64 s[2:3]\n";
  ProofOptions options;
  options.seconds = 1;
  options.compare.outputs = {"s2"};
  options.compare.max_steps = 1000;
  const ProofReport report = proof_of(code + "s_endpgm", code + "s_nop 0\ns_endpgm", options);
  EXPECT_NE(report.verdict, ProofVerdict::proved) << proof_text(report);
}

TEST(Proofs, TablesAreMadeOfProgramsThatDiffer) {
  ProofOptions options;
  options.cover = true;
  const ProofReport report =
      proof_of("s_cmp_eq_u32 s0, 0\ns_cbranch_scc1 done\ns_mov_b32 s0, 1\ndone:\ns_endpgm", "s_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::different);
  ASSERT_TRUE(report.covered.has_value());
  EXPECT_EQ(report.covered->covered, report.covered->turns);
}

// Lanes of a register that is only stored as a whole are not inputs; an input that decides a branch is listed even if
// no run reached the branch.
TEST(Proofs, RowsOfTablesContainDecisiveInputs) {
  const std::string memory =
      "memory:\n  - at: 0x20000\n    fill: 0\n    size: 256\n    access: rw\n"
      "registers: {s4: 0x20000, s5: 0, s6: 256, s7: 0x27000, v1: [LANES]}\n";
  std::string lanes;
  for (int lane = 0; lane < 64; ++lane) lanes += (lane == 0 ? "" : ", ") + std::to_string(4 * lane);
  std::string more = memory;
  more.replace(more.find("LANES"), 5, lanes);
  const std::string code =
      "s_cmp_lg_u32 s0, 0x12345678\ns_cbranch_scc1 done\nv_writelane_b32 v2, s0, 3\n"
      "buffer_store_dword v2, v1, s[4:7], 0 offen\nv_readlane_b32 s2, v3, 5\ns_cmp_eq_u32 s2, 77\n"
      "s_cbranch_scc1 done\ns_mov_b32 s1, 1\ndone:\ns_endpgm";
  ProofOptions options;
  options.cover = true;
  options.compare.outputs = {"s1"};
  const ProofReport report = proof_of(code, code, options, more);
  ASSERT_TRUE(report.covered.has_value());
  const std::string& table = report.covered->table;
  EXPECT_THAT(table, HasSubstr("\"s0\": 0x12345678"));
  EXPECT_THAT(table, HasSubstr("v3[5]"));
  EXPECT_THAT(table, testing::Not(HasSubstr("v2[")));
  EXPECT_EQ(report.covered->covered, report.covered->turns) << proof_text(report);
}

// During the construction of terms, before a solver is started.
TEST(Proofs, EndWhenTheyAreCancelled) {
  std::string code = "v_mov_b32 v1, s0\n";
  for (int i = 0; i < 200; ++i)
    code += "v_mul_lo_u32 v1, v1, v0\nv_lshrrev_b32 v2, s1, v1\nv_xor_b32 v1, v2, v1\nv_max_u32 v1, v1, v0\n";
  ProofOptions options;
  options.compare.inputs = {"s0", "s1", "v0"};
  options.compare.outputs = {"v1"};
  u64 asked = 0;
  options.compare.is_cancelled = [&asked] {
    ++asked;
    return false;
  };
  EXPECT_EQ(proof_of(code + "s_endpgm", code + "s_nop 0\ns_endpgm", options).verdict, ProofVerdict::proved);
  ASSERT_GT(asked, 100U);
  asked = 0;
  options.compare.is_cancelled = [&asked] { return ++asked >= 50; };
  const ProofReport report = proof_of(code + "s_endpgm", code + "s_nop 0\ns_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::gave_up);
  ASSERT_EQ(report.obstacles.size(), 1U);
  EXPECT_EQ(report.obstacles[0].why, "cancelled");
  EXPECT_EQ(report.questions, 0U);
  EXPECT_EQ(asked, 50U);
}

TEST(Proofs, RangesAreAssumptions) {
  ProofOptions options;
  options.compare.inputs = {"s0=0..31"};
  const ProofReport report = proof_of("s_and_b32 s0, s0, 31\ns_endpgm", "s_endpgm", options);
  EXPECT_EQ(report.verdict, ProofVerdict::proved);
  EXPECT_THAT(proof_text(report), HasSubstr("assumed       s0 from 0x0 to 0x1f"));
}

}  // namespace
}  // namespace salu
