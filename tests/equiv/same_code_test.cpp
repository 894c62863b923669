#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/proof.hpp>

#include <string>

#include "programs.hpp"

// Identical programs need not be followed, whatever they compute. Programs with the same text are not identical if the
// state, the memory or the address of the code differs.
namespace salu::equiv_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Words at an address, with further parts of a scenario.
Scenario words_at(const std::string& base, const std::string& words, const std::string& more = {},
                  const std::string& mcpu = "gfx900") {
  const std::string yaml = "target: " + mcpu + "\ncode:\n  base: " + base + "\n  words: [" + words + "]\n" + more;
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "words.yaml");
  EXPECT_TRUE(loaded.at(0).has_value()) << (loaded[0] ? "" : loaded[0].error().to_string());
  return loaded[0] ? std::move(*loaded[0]) : Scenario{};
}

/// Assembly at an address, with further parts of a scenario.
Scenario assembly_at(const std::string& base, const std::string& text, const std::string& more = {},
                     const std::string& mcpu = "gfx900") {
  std::string yaml = "target: " + mcpu + "\ncode:\n  base: " + base + "\n  asm: |\n    start:\n";
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    yaml += "      " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  std::vector<Result<Scenario>> loaded = load_yaml(yaml + more, "assembly.yaml");
  EXPECT_TRUE(loaded.at(0).has_value()) << yaml << (loaded[0] ? "" : loaded[0].error().to_string());
  return loaded[0] ? std::move(*loaded[0]) : Scenario{};
}

ProofReport proof_of(const Scenario& a, const Scenario& b, ProofOptions options = {}) {
  if (options.compare.outputs.empty()) options.compare.outputs = {"s0"};
  options.compare.states = 20;
  // Most of the pairs with different code are not followed either; some time is spent on trial runs.
  options.seconds = 2;
  Result<ProofReport> report = prove_programs(a, b, options);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
  return report ? std::move(*report) : ProofReport{};
}

void expect_same_code(const ProofReport& report) {
  EXPECT_EQ(report.verdict, ProofVerdict::proved) << proof_text(report);
  EXPECT_EQ(report.how, "same code") << proof_text(report);
  EXPECT_EQ(report.questions, 0U);
  EXPECT_TRUE(report.obstacles.empty());
}

// None of these is supported by proofs.
constexpr const char* float_sum = "v_cvt_f32_u32 v0, s0\nv_add_f32 v0, v0, v0\nv_readfirstlane_b32 s0, v0\ns_endpgm";
constexpr const char* message = "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\ns_endpgm";
constexpr const char* clock_read = "s_memtime s[0:1]\ns_waitcnt lgkmcnt(0)\ns_endpgm";
constexpr const char* jump_anywhere =
    "s_and_b32 s0, s0, 8\ns_getpc_b64 s[2:3]\nhere:\ns_add_u32 s2, s2, s0\ns_addc_u32 s3, s3, 0\n"
    "s_add_u32 s2, s2, first-here\ns_addc_u32 s3, s3, 0\ns_setpc_b64 s[2:3]\nfirst:\ns_mov_b32 s0, 1\ns_endpgm\n"
    "s_mov_b32 s0, 2\ns_endpgm";

TEST(SameCode, IsProvedWithoutFollowingIt) {
  for (const char* const text : {float_sum, message, clock_read, jump_anywhere}) {
    SCOPED_TRACE(text);
    const ProofReport report = proof_of(assembly(text), assembly(text));
    expect_same_code(report);
    EXPECT_THAT(report.assumptions,
                Contains("both programs read the same values of clocks, messages and hardware registers"));
  }
  const ProofReport report = proof_of(assembly(float_sum), assembly(float_sum));
  EXPECT_THAT(proof_text(report), HasSubstr("proved: the same for all inputs (the same code)\n"));
  EXPECT_THAT(proof_json(report), HasSubstr("\"verdict\":\"proved\",\"by\":\"same code\",\"questions\":0"));
}

TEST(SameCode, MayBeElsewhere) {
  expect_same_code(proof_of(assembly_at("0x1000", float_sum), assembly_at("0x20000", float_sum)));
  const std::string loop =
      "loop:\nv_cvt_f32_u32 v0, s0\nv_readfirstlane_b32 s0, v0\ns_lshr_b32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\n"
      "s_cbranch_scc0 done\ns_sub_u32 s1, s1, 1\ns_cbranch_scc0 loop\ndone:\ns_endpgm";
  expect_same_code(proof_of(assembly_at("0x1000", loop), assembly_at("0x3000", loop)));
}

// Code after the end of one program is unreachable.
TEST(SameCode, IsLimitedToReachableCode) {
  const std::string text = float_sum;
  expect_same_code(proof_of(assembly(text), assembly(text + "\ns_mov_b32 s0, 7\ns_endpgm")));
  // It is reachable through a branch that trial runs do not take.
  const std::string branch = "s_cmp_eq_u32 s0, 0x12345678\ns_cbranch_scc1 rare\n" + text + "\nrare:\ns_mov_b32 s0, ";
  const ProofReport report = proof_of(assembly(branch + "1\ns_endpgm"), assembly(branch + "2\ns_endpgm"));
  EXPECT_EQ(report.verdict, ProofVerdict::different) << proof_text(report);
}

// The result contains the address of the code: it is equal at equal addresses, and differs at others.
TEST(SameCode, ThatShowsItsAddress) {
  const std::string pc = "s_getpc_b64 s[0:1]\ns_endpgm";
  expect_same_code(proof_of(assembly_at("0x1000", pc), assembly_at("0x1000", pc + "\ns_nop 0")));
  EXPECT_EQ(proof_of(assembly_at("0x1000", pc), assembly_at("0x2000", pc)).verdict, ProofVerdict::different);
  const std::string hwreg = "s_getreg_b32 s0, hwreg(8)\ns_endpgm";
  EXPECT_NE(proof_of(assembly_at("0x1000", hwreg), assembly_at("0x2000", hwreg)).how, "same code");
  const std::string call = "s_call_b64 s[0:1], there\nthere:\ns_endpgm";
  EXPECT_EQ(proof_of(assembly_at("0x1000", call), assembly_at("0x2000", call)).verdict, ProofVerdict::different);
  // The same in a rare case.
  const std::string rare = "s_mov_b32 s2, s0\ns_mov_b32 s0, 0\ns_cmp_lg_u32 s2, 0x12345678\ns_cbranch_scc1 done\n" +
                           pc + "\ndone:\ns_endpgm";
  EXPECT_EQ(proof_of(assembly_at("0x1000", rare), assembly_at("0x2000", rare)).verdict, ProofVerdict::different);
  ProofOptions options;
  options.compare.outputs = {"pc"};
  EXPECT_NE(proof_of(assembly_at("0x1000", float_sum), assembly_at("0x2000", float_sum), options).verdict,
            ProofVerdict::proved);
}

TEST(SameCode, ThatJumpsSomewhere) {
  // At one address, and with all other code the same.
  const std::string jump = "s_setpc_b64 s[2:3]\ns_nop 0\ns_mov_b32 s0, 1\ns_endpgm\n";
  const std::string there = "registers: {s2: 0x1008, s3: 0}\n";
  expect_same_code(proof_of(assembly_at("0x1000", jump, there), assembly_at("0x1000", jump, there)));
  // The same instruction with a different target.
  const std::string other = "s_setpc_b64 s[2:3]\ns_nop 0\ns_mov_b32 s0, 2\ns_endpgm\n";
  EXPECT_EQ(proof_of(assembly_at("0x1000", jump, there), assembly_at("0x1000", other, there)).verdict,
            ProofVerdict::different);
  EXPECT_NE(proof_of(assembly_at("0x1000", jump, there), assembly_at("0x0ffc", "s_nop 0\n" + jump, there)).how,
            "same code");
}

constexpr const char* eight_words = "memory:\n  - at: 0x10000\n    words: [0, 1, 4, 9, 16, 25, 36, 49]\n";
constexpr const char* table_and_pointer = "registers: {s2: 0x10000, s3: 0}\n";
constexpr const char* lookup =
    "s_and_b32 s1, s0, 7\ns_lshl_b32 s1, s1, 2\ns_load_dword s0, s[2:3], s1\ns_waitcnt lgkmcnt(0)\n"
    "v_cvt_f32_u32 v0, s0\nv_readfirstlane_b32 s0, v0\ns_endpgm";

TEST(SameCode, WithMemory) {
  const std::string more = std::string(eight_words) + table_and_pointer;
  expect_same_code(proof_of(assembly_at("0x1000", lookup, more), assembly_at("0x1000", lookup, more)));
  const ProofReport elsewhere = proof_of(assembly_at("0x1000", lookup, more), assembly_at("0x4000", lookup, more));
  expect_same_code(elsewhere);
  EXPECT_THAT(elsewhere.assumptions, Contains("no memory access is to code of A or B"));
  // Another word in the table, which one of 2^32 inputs reads.
  const std::string rare = "s_cmp_lg_u32 s0, 0x12345677\ns_cselect_b32 s0, 0, s0\n" + std::string(lookup);
  const std::string data = "memory:\n  - at: 0x10000\n    words: [0, 1, 4, 9, 16, 25, 36, 50]\n";
  const ProofReport report =
      proof_of(assembly_at("0x1000", rare, more), assembly_at("0x1000", rare, data + table_and_pointer));
  EXPECT_NE(report.verdict, ProofVerdict::proved) << proof_text(report);
}

// A table after the code, at an address relative to it.
TEST(SameCode, WithDataBesideIt) {
  const std::string text =
      "s_and_b32 s0, s0, 4\ns_cmp_lg_u32 s1, 0x12345678\ns_cselect_b32 s0, 0, s0\ns_getpc_b64 s[2:3]\nhere:\n"
      "s_add_u32 s2, s2, table-here\ns_addc_u32 s3, s3, 0\ns_load_dword s0, s[2:3], s0\ns_waitcnt lgkmcnt(0)\n"
      "v_cvt_f32_u32 v0, s0\nv_readfirstlane_b32 s0, v0\ns_endpgm\ntable:\n.long 5\n.long ";
  ProofOptions options;
  options.compare.inputs = {"s0", "s1"};
  expect_same_code(proof_of(assembly(text + "6"), assembly(text + "6"), options));
  EXPECT_NE(proof_of(assembly(text + "6"), assembly(text + "7"), options).verdict, ProofVerdict::proved);
}

TEST(SameCode, StartsFromTheSame) {
  const Scenario plain = assembly(float_sum);
  EXPECT_NE(proof_of(plain, assembly(float_sum, "gfx906")).how, "same code");
  EXPECT_NE(proof_of(plain, scenario(float_sum, "registers: {s0: 5}\n")).how, "same code");
  EXPECT_NE(proof_of(plain, scenario(float_sum, "registers: {exec: 1}\n")).how, "same code");
  EXPECT_NE(proof_of(plain, scenario(float_sum, "registers: {mode: 5}\n")).how, "same code");
  Scenario slower = plain;
  slower.options.clock.per_step = 7;
  EXPECT_NE(proof_of(plain, slower).how, "same code");
  // A literal at the end of the code counts.
  EXPECT_NE(proof_of(words_at("0x1000", "0xbe8000ff, 0x12345678, 0xbf810000"),
                     words_at("0x1000", "0xbe8000ff, 0x12345679, 0xbf810000"))
                .verdict,
            ProofVerdict::proved);
}

TEST(SameCode, IsNotAskedForOfNoInput) {
  ProofOptions options;
  options.compare.assume = {"s0 < 4", "s0 > 4"};
  EXPECT_EQ(proof_of(assembly(float_sum), assembly(float_sum), options).verdict, ProofVerdict::gave_up);
}

}  // namespace
}  // namespace salu::equiv_test
