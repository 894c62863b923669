#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/cases.hpp>
#include <salu/proof.hpp>

#include <algorithm>
#include <string>

// Proofs about vector memory whose rules depend on the generation: the expected behaviour is an expression of the
// inputs.
namespace salu {
namespace {

Scenario memory_scenario(const std::string& target, const std::string& assembly) {
  std::string indented;
  for (const char c : assembly) indented += c == '\n' ? "\n    " : std::string(1, c);
  const std::string yaml = "target: " + target +
                           "\nregisters: {exec: 1, v0: 4, v1: 0x55}\nmemory: [{at: 0xffff00000000, words: [1, 2, 3, "
                           "4]}, {at: 0x100000, words: [7, 8, 9, 10]}]"
                           "\ncode:\n  asm: |\n    " +
                           indented + "\n    s_endpgm\n";
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "program.yaml");
  EXPECT_TRUE(loaded.at(0).has_value()) << yaml << (loaded[0] ? "" : loaded[0].error().to_string());
  return std::move(*loaded[0]);
}

ProofVerdict verdict_of(const std::string& target, const std::string& a, const std::string& b) {
  ProofOptions options;
  options.compare.outputs = {"s0"};
  options.compare.inputs = {"s1"};
  options.compare.states = 50;
  options.seconds = 20.0;
  const Result<ProofReport> report = prove_programs(memory_scenario(target, a), memory_scenario(target, b), options);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
  return report ? report->verdict : ProofVerdict::gave_up;
}

// LLVM AMDGPUUsage, "Kernel Prolog", M0: byte 4 of LDS is read if M0 is at least 8.
TEST(MemoryProofs, LoadsFromLdsDependOnM0) {
  const std::string load = "s_mov_b32 m0, s1\nds_read_b32 v2, v0\nv_readlane_b32 s0, v2, 0";
  for (const char* const target : {"gfx600", "gfx700", "gfx803"}) {
    EXPECT_EQ(verdict_of(target, load, "s_cmp_ge_u32 s1, 8\ns_cselect_b32 s0, 2, 0"), ProofVerdict::proved);
    EXPECT_EQ(verdict_of(target, load, "s_cmp_ge_u32 s1, 7\ns_cselect_b32 s0, 2, 0"), ProofVerdict::different);
    EXPECT_EQ(verdict_of(target, load, "s_mov_b32 s0, 2"), ProofVerdict::different);
  }
  EXPECT_EQ(verdict_of("gfx900", load, "s_mov_b32 s0, 2"), ProofVerdict::proved);
}

TEST(MemoryProofs, StoresToLdsDependOnM0) {
  const std::string store =
      "s_mov_b32 m0, s1\nds_write_b32 v0, v1\ns_mov_b32 m0, -1\nds_read_b32 v2, v0\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx803", store, "s_cmp_ge_u32 s1, 8\ns_cselect_b32 s0, 0x55, 2"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx803", store, "s_mov_b32 s0, 0x55"), ProofVerdict::different);
  EXPECT_EQ(verdict_of("gfx942", store, "s_mov_b32 s0, 0x55"), ProofVerdict::proved);
}

// An access that M0 drops does not fault, whatever its address.
TEST(MemoryProofs, AccessesBeyondM0DoNotFault) {
  const std::string load = "s_mov_b32 m0, 16\nds_read_b32 v2, v0 offset:4096\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx803", load, "s_mov_b32 s0, 0"), ProofVerdict::proved);
}

TEST(MemoryProofs, FlatAccessesToTheSharedApertureDependOnM0) {
  const std::string load =
      "v_mov_b32 v1, 0x20000000\ns_mov_b32 m0, s1\nflat_load_dword v2, v[0:1]\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx803", load, "s_cmp_ge_u32 s1, 8\ns_cselect_b32 s0, 2, 0"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx803", load, "s_mov_b32 s0, 2"), ProofVerdict::different);
}

// The base is M0, and the offset applies to both memories (CDNA 3 ISA manual, 10.3).
TEST(MemoryProofs, LoadsToLdsBeginAtM0) {
  const auto load = [](const std::string& instruction) {
    return "s_mov_b32 m0, 4\nv_mov_b32 v2, 0x100000\nv_mov_b32 v3, 0\n" + instruction +
           " v[2:3], off offset:4\nds_read_b32 v2, v0 offset:4\nv_readlane_b32 s0, v2, 0";
  };
  EXPECT_EQ(verdict_of("gfx942", load("global_load_lds_dword"), "s_mov_b32 s0, 8"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx942", load("global_load_lds_dword"), "s_mov_b32 s0, 3"), ProofVerdict::different);
  EXPECT_EQ(verdict_of("gfx950", load("global_load_lds_ubyte"), "s_mov_b32 s0, 8"), ProofVerdict::proved);
}

TEST(MemoryProofs, TransposingLoadsTakeColumns) {
  // All lanes load 1, 0, 2, 0: lane 2 gets the third of them four times.
  const std::string load =
      "s_mov_b64 exec, -1\nv_mov_b32 v0, 0\nds_read_b64_tr_b16 v[2:3], v0\nv_readlane_b32 s0, v3, 2";
  EXPECT_EQ(verdict_of("gfx950", load, "s_mov_b32 s0, 0x20002"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx950", load, "s_mov_b32 s0, 2"), ProofVerdict::different);
}

// Each lane finds the memory as the lane before it left it.
TEST(MemoryProofs, AtomicsOfLanes) {
  const std::string add =
      "s_mov_b64 exec, 3\nv_mov_b32 v0, 4\nv_mov_b32 v1, s1\nds_add_rtn_u32 v2, v0, v1\nv_readlane_b32 s0, v2, ";
  EXPECT_EQ(verdict_of("gfx900", add + "0", "s_mov_b32 s0, 2"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", add + "1", "s_add_u32 s0, s1, 2"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", add + "1", "s_mov_b32 s0, 2"), ProofVerdict::different);
  const std::string compare =
      "v_mov_b32 v0, 4\nv_mov_b32 v1, s1\nv_mov_b32 v3, 9\nds_cmpst_b32 v0, v1, v3\nds_read_b32 v2, v0\n"
      "v_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx942", compare, "s_cmp_eq_u32 s1, 2\ns_cselect_b32 s0, 9, 2"), ProofVerdict::proved);
  const std::string decrement =
      "v_mov_b32 v0, 0\nv_mov_b32 v2, s1\nv_mov_b32 v3, 0\nds_dec_rtn_u64 v[4:5], v0, v[2:3]\n"
      "ds_read_b32 v6, v0\nv_readlane_b32 s0, v6, 0";
  EXPECT_EQ(verdict_of("gfx900", decrement, "s_mov_b32 s0, s1"), ProofVerdict::proved) << "the old value is above";
}

TEST(MemoryProofs, AtomicsBeyondM0) {
  const std::string add = "s_mov_b32 m0, s1\nv_mov_b32 v0, 4\nds_add_rtn_u32 v2, v0, v1\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx803", add, "s_cmp_ge_u32 s1, 8\ns_cselect_b32 s0, 2, 0"), ProofVerdict::proved);
}

TEST(MemoryProofs, CountsOfLanes) {
  const std::string append = "v_mov_b32 v0, 0\ns_mov_b32 m0, 0\ns_mov_b64 exec, 7\nds_append v2\nds_read_b32 v3, v0\n";
  EXPECT_EQ(verdict_of("gfx900", append + "v_readlane_b32 s0, v2, 2", "s_mov_b32 s0, 1"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", append + "v_readlane_b32 s0, v3, 0", "s_mov_b32 s0, 4"), ProofVerdict::proved);
  const std::string unknown = "s_mov_b32 m0, 0\ns_mov_b32 exec_lo, s1\nds_append v2\ns_mov_b32 s0, 0";
  EXPECT_EQ(verdict_of("gfx900", unknown, "s_mov_b32 exec_lo, s1\ns_mov_b32 s0, 0"), ProofVerdict::gave_up);
}

TEST(MemoryProofs, PermutationsOfLanes) {
  const std::string move = "v_mov_b32 v0, 4\nv_mov_b32 v1, s1\nds_bpermute_b32 v2, v0, v1\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx900", "s_mov_b64 exec, 3\n" + move, "s_mov_b32 s0, s1"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", move, "s_mov_b32 s0, 0"), ProofVerdict::proved) << "lane 1 is inactive";
  const std::string swap =
      "s_mov_b64 exec, 3\nv_mov_b32 v1, s1\nv_writelane_b32 v1, 5, 0\n"
      "ds_swizzle_b32 v2, v1 offset:swizzle(SWAP,1)\nv_readlane_b32 s0, v2, ";
  EXPECT_EQ(verdict_of("gfx600", swap + "0", "s_mov_b32 s0, s1"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx600", swap + "1", "s_mov_b32 s0, 5"), ProofVerdict::proved);
  const std::string unknown = "v_mov_b32 v0, s1\nv_mov_b32 v1, 0\nds_bpermute_b32 v2, v0, v1\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx900", unknown, "s_mov_b32 s0, 0"), ProofVerdict::gave_up);
}

TEST(MemoryProofs, DataParallelPrimitives) {
  const std::string values =
      "s_mov_b64 exec, -1\nv_mov_b32 v1, s1\nv_writelane_b32 v1, 6, 3\nv_mov_b32 v2, 5\ns_nop 0\n";
  const std::string shift = values + "v_mov_b32_dpp v2, v1 row_shr:1\nv_readlane_b32 s0, v2, ";
  EXPECT_EQ(verdict_of("gfx900", shift + "4", "s_mov_b32 s0, 6"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", shift + "5", "s_mov_b32 s0, s1"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", shift + "16", "s_mov_b32 s0, 5"), ProofVerdict::proved) << "keeps the destination";
  const std::string sum =
      values + "v_add_u32_dpp v2, v1, v2 row_shr:1 row_mask:0xd bound_ctrl:1\nv_readlane_b32 s0, v2, ";
  EXPECT_EQ(verdict_of("gfx900", sum + "1", "s_add_u32 s0, s1, 5"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx900", sum + "0", "s_mov_b32 s0, 5"), ProofVerdict::proved) << "reads 0";
  EXPECT_EQ(verdict_of("gfx900", sum + "17", "s_mov_b32 s0, 5"), ProofVerdict::proved) << "a disabled row";
  // Lanes 3 and 4 must be active.
  const std::string masked =
      values + "s_mov_b32 exec_lo, s1\nv_mov_b32_dpp v2, v1 row_shr:1\nv_readlane_b32 s0, v2, 4\ns_mov_b64 exec, 1";
  const std::string expected = "s_and_b32 s2, s1, 24\ns_cmp_eq_u32 s2, 24\ns_cselect_b32 s0, 6, 5";
  EXPECT_EQ(verdict_of("gfx803", masked, expected), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx803", masked, "s_bitcmp1_b32 s1, 4\ns_cselect_b32 s0, 6, 5"), ProofVerdict::different);
  const std::string wide =
      "v_mov_b32 v2, s1\nv_mov_b32 v3, 3\ns_nop 0\nv_mov_b64_dpp v[4:5], v[2:3] row_newbcast:0\nv_readlane_b32 s0, v4, "
      "0";
  EXPECT_EQ(verdict_of("gfx942", wide, "s_mov_b32 s0, s1"), ProofVerdict::proved);
}

TEST(MemoryProofs, InstructionsOfCdna4) {
  const std::string exchange =
      "s_mov_b64 exec, -1\nv_mov_b32 v2, s1\nv_mov_b32 v3, 5\nv_permlane32_swap_b32 v2, v3\nv_readlane_b32 s0, ";
  EXPECT_EQ(verdict_of("gfx950", exchange + "v3, 31", "s_mov_b32 s0, s1"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx950", exchange + "v2, 32", "s_mov_b32 s0, 5"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx950", exchange + "v2, 31", "s_mov_b32 s0, 5"), ProofVerdict::different);
  const std::string logic = "v_mov_b32 v2, s1\nv_bitop3_b32 v2, v2, v0, v1 bitop3:0x96\nv_readlane_b32 s0, v2, 0";
  EXPECT_EQ(verdict_of("gfx950", logic, "s_xor_b32 s0, s1, 0x51"), ProofVerdict::proved);
  EXPECT_EQ(verdict_of("gfx950", logic, "s_or_b32 s0, s1, 0x51"), ProofVerdict::different);
}

}  // namespace
}  // namespace salu
