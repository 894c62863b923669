#include <gtest/gtest.h>

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <vector>

// --check-undefined: what is reported, where, and with which origin.
namespace salu::test::undefined_bits {
namespace {

struct Checked {
  std::vector<Warning> reads;  ///< the warnings of undefined reads
  Outcome outcome;
};

/// `code`: lines of assembly. `more`: further keys of the scenario.
Checked check(const std::string& code, const std::string& more = "", CheckUndefined kind = CheckUndefined::bits) {
  const std::string target = more.find("target:") == std::string::npos ? "target: gfx900\n" : "";
  std::string text = target + more + "code:\n  asm: |\n";
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = code.find('\n', begin);
    text += "    " + code.substr(begin, end - begin) + "\n";
    begin = end == std::string::npos ? code.size() : end + 1;
  }
  const std::vector<Result<Scenario>> scenarios = load_yaml(text, "test.yaml", {});
  Checked checked;
  if (scenarios.size() != 1 || !scenarios.front()) {
    ADD_FAILURE() << (scenarios.empty() ? "nothing" : scenarios.front().error().to_string()) << "\n" << text;
    return checked;
  }
  RunOptions options = scenarios.front()->options;
  options.check_undefined = kind;
  checked.outcome = run(*scenarios.front(), options);
  for (const Warning& warning : checked.outcome.warnings) {
    if (warning.kind == WarningKind::undefined_read) checked.reads.push_back(warning);
  }
  return checked;
}

void expect_silence(const std::string& code, const std::string& more = "") {
  const Checked checked = check(code, more);
  EXPECT_TRUE(checked.reads.empty()) << code << "\n  " << (checked.reads.empty() ? "" : checked.reads.front().detail);
}

/// Expects one warning, about these bits of an operand, that begins with this text.
void expect_read(const std::string& code, const std::string& operand, u64 bits, const std::string& origin,
                 const std::string& more = "") {
  const Checked checked = check(code, more);
  ASSERT_EQ(checked.reads.size(), 1U) << code;
  ASSERT_TRUE(checked.reads.front().undefined.has_value()) << code;
  const UndefinedRead& read = *checked.reads.front().undefined;
  EXPECT_EQ(read.operand, operand) << code;
  EXPECT_EQ(read.bits, bits) << code << "\n  " << checked.reads.front().detail;
  EXPECT_EQ(read.origin, origin) << code;
}

const std::string never = "never written";

TEST(UndefinedBits, MovingThemIsAllowed) {
  expect_silence("s_mov_b32 s1, s0\ns_add_u32 s2, s1, s3\ns_cmp_eq_u32 s2, 7\ns_endpgm");
  expect_silence("s_mov_b64 s[4:5], vcc\ns_and_saveexec_b64 s[6:7], s[8:9]\ns_mov_b64 exec, s[6:7]\ns_endpgm");
  expect_silence("s_store_dword s4, s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x0\ns_endpgm",
                 "registers: {\"s[0:1]\": 0x10000}\nmemory: [{at: 0x10000, size: 16}]\n");
}

TEST(UndefinedBits, ABranchMustNotDependOnThem) {
  const std::string branch = "s_cbranch_scc1 out\nout: s_endpgm";
  expect_read(branch, "scc", 1, never);
  expect_read("s_cmp_eq_u32 s0, 7\n" + branch, "scc", 1, never);
  expect_read("s_cbranch_vccnz out\nout: s_endpgm", "vcc", ~u64{0}, never);
  expect_read("s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, s0\ns_mov_b64 vcc, vcc\ns_cbranch_vccz out\nout: s_endpgm", "vcc",
              u64{0xffffffff} << 32, never);
  // The deciding bits are defined.
  expect_silence("s_and_b32 s1, s0, 0\n" + branch);
  expect_silence("s_or_b32 s1, s0, 1\n" + branch);
  expect_silence("s_mov_b32 vcc_lo, 1\ns_mov_b32 vcc_hi, s0\ns_cbranch_vccnz out\nout: s_endpgm");
  expect_silence("s_and_b32 s1, s0, 0xff\ns_cmp_lt_u32 s1, 0x100\n" + branch);
  expect_silence("s_and_b32 s1, s0, 0xff\ns_bitcmp1_b32 s1, 8\n" + branch);
  expect_read("s_and_b32 s1, s0, 0xff\ns_bitcmp1_b32 s1, 7\n" + branch, "scc", 1, never);
}

TEST(UndefinedBits, NeitherMustAnAddressOrATarget) {
  const std::string memory = "memory: [{at: 0x10000, size: 64}]\n";
  const std::string base = "registers: {\"s[0:1]\": 0x10000}\n" + memory;
  expect_read("s_load_dword s4, s[0:1], s6\ns_endpgm", "s6", 0xfffffffc, never, base);
  expect_silence("s_and_b32 s6, s7, 3\ns_load_dword s4, s[0:1], s6\ns_endpgm", base);
  expect_read("s_mov_b32 s1, 0\ns_load_dword s4, s[0:1], 0x0\ns_endpgm", "s0", 0xfc, "given as undefined",
              "registers: {s0: 0x10000}\nundefined: [\"s0[7:0]\"]\n" + memory);
  expect_read("s_mov_b32 m0, s9\ns_movrels_b32 s4, s0\ns_endpgm", "m0", 0xffffffff, never, "registers: {s0: 1}\n");
  expect_read("s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 12\ns_or_b32 s1, s1, s4\ns_setpc_b64 s[0:1]\ns_endpgm", "s[0:1]",
              u64{0xffff} << 32, "given as undefined", "registers: {s4: 0}\nundefined: [\"s4[15:0]\"]\n");
}

TEST(UndefinedBits, GprIndexModeReadsTwoFieldsOfM0) {
  const std::string move = "v_mov_b32 v2, v0\ns_set_gpr_idx_off\ns_endpgm";
  const std::string on = "registers: {s0: 1}\n";
  const std::string by_mode = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 1), 1\n";
  expect_silence("s_set_gpr_idx_on s0, gpr_idx(SRC0)\n" + move, on);
  expect_silence("s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_set_gpr_idx_idx s0\ns_set_gpr_idx_mode gpr_idx(DST)\n" + move,
                 on);
  expect_silence(by_mode + "s_set_gpr_idx_idx s0\ns_set_gpr_idx_mode gpr_idx(SRC0)\n" + move, on);
  // M0[7:0] is the distance, from the low byte of the operand.
  expect_read("s_set_gpr_idx_on s9, gpr_idx(SRC0)\n" + move, "m0", 0xff, never);
  expect_read("s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_set_gpr_idx_idx s9\n" + move, "m0", 0xff, never, on);
  expect_read("s_set_gpr_idx_on s0, gpr_idx(SRC0)\n" + move, "m0", 0x0f, "given as undefined",
              on + "undefined: [\"s0[3:0]\"]\n");
  expect_silence("s_set_gpr_idx_on s0, gpr_idx(SRC0)\n" + move, on + "undefined: [\"s0[31:8]\"]\n");
  // M0[15:12] selects the operands. The distance matters only if one is selected.
  expect_read(by_mode + move, "m0", 0xf0ff, never);
  expect_read(by_mode + "s_set_gpr_idx_idx s0\n" + move, "m0", 0xf000, never, on);
  expect_read(by_mode + "s_set_gpr_idx_mode gpr_idx(SRC0)\n" + move, "m0", 0xff, never);
  expect_silence("s_set_gpr_idx_on s9, 0\n" + move);
  // M0 as a whole is undefined.
  expect_read("s_mov_b32 m0, s9\n" + by_mode + move, "m0", 0xf0ff, never);
  // Whole registers are read.
  EXPECT_TRUE(check("s_set_gpr_idx_on s0, gpr_idx(SRC0)\n" + move, "registers: {s0: 1, v1: 7}\n", CheckUndefined::reads)
                  .reads.empty());
}

TEST(UndefinedBits, RelativeMovesReadAllOfM0) {
  const std::string tonga = "target: tonga\nregisters: {m0: 1}\nundefined: [\"m0[31:8]\"]\n";
  for (const std::string move : {"v_movrels_b32 v2, v0\n", "v_movreld_b32 v2, v0\n", "v_movrelsd_b32 v2, v0\n"}) {
    expect_read(move + "s_endpgm", "m0", 0xffffff00, "given as undefined", tonga);
    expect_silence("s_and_b32 m0, m0, 0xff\n" + move + "s_endpgm", tonga);
  }
}

/// A fork between lanes 0 to 7 and the others in a loop of 40 iterations. Lanes 0 to 7 run first, to `other`, while
/// s[0:3] hold the other lanes and their address. `last`: executed in the last iteration; `behind`: executed after each
/// iteration.
std::string forks(const std::string& last, const std::string& behind) {
  return "s_getpc_b64 s[40:41]\nafter: s_add_u32 s40, s40, other-after\ns_addc_u32 s41, s41, 0\n"
         "loop: s_cbranch_g_fork s[42:43], s[40:41]\ns_branch join\n"
         "other: s_cmp_lg_u32 s50, 1\ns_cbranch_scc1 join\n" +
         last + "join: s_cbranch_join s46\ns_cbranch_execz next\nnext: s_mov_b64 exec, -1\n" + behind +
         "s_sub_u32 s50, s50, 1\ns_cmp_lg_u32 s50, 0\ns_cbranch_scc1 loop\ns_endpgm";
}
const std::string forking = "registers: {\"s[42:43]\": 0xff, s46: 0, s50: 40}\n";

TEST(UndefinedBits, AForkDefinesItsEntryOfTheControlStack) {
  expect_silence(forks("", ""), forking);
  expect_silence(forks("", "s_mov_b64 s[0:1], s[60:61]\ns_mov_b64 s[2:3], s[60:61]\n"), forking);
}

TEST(UndefinedBits, AJoinReadsItsEntryOfTheControlStack) {
  // After many iterations in which everything was defined.
  expect_read(forks("s_mov_b32 s2, s60\n", ""), "s[2:3]", 0xffffffff, never, forking);
  expect_read(forks("s_mov_b64 s[0:1], s[60:61]\n", ""), "exec", ~u64{0}, never, forking);
}

TEST(UndefinedBits, TheyAreFollowedThroughMemory) {
  const std::string base = "registers: {\"s[0:1]\": 0x10000, s5: 3}\nmemory: [{at: 0x10000, size: 64}]\n";
  const std::string tail = "s_cmp_eq_u32 s6, 0\ns_cbranch_scc1 out\nout: s_endpgm";
  expect_read("s_store_dword s4, s[0:1], 0x8\ns_load_dword s6, s[0:1], 0x8\n" + tail, "scc", 1, never, base);
  expect_silence("s_store_dword s4, s[0:1], 0x8\ns_load_dword s6, s[0:1], 0xc\n" + tail, base);
  expect_silence("s_store_dword s4, s[0:1], 0x8\ns_store_dword s5, s[0:1], 0x8\ns_load_dword s6, s[0:1], 0x8\n" + tail,
                 base);
  expect_read(
      "s_atomic_add s5, s[0:1], 0x8\ns_store_dword s4, s[0:1], 0x8\ns_atomic_or s5, s[0:1], 0x8\n"
      "s_load_dword s6, s[0:1], 0x8\ns_bitcmp1_b32 s6, 2\ns_cbranch_scc1 out\nout: s_endpgm",
      "scc", 1, never, base);
  expect_silence(
      "s_store_dword s4, s[0:1], 0x8\ns_atomic_or s5, s[0:1], 0x8\ns_load_dword s6, s[0:1], 0x8\n"
      "s_bitcmp1_b32 s6, 1\ns_cbranch_scc1 out\nout: s_endpgm",
      base);
}

TEST(UndefinedBits, ForksAndJoins) {
  // The mask is defined if EXEC is, and so is the fork.
  const std::string join = "a: s_cbranch_join s20\n";
  expect_read("s_cbranch_g_fork s[0:1], s[2:3]\ns_endpgm", "s[0:1]", ~u64{0}, never,
              "registers: {\"s[2:3]\": 0x100, exec: 0xff, csp: 0}\n");
  expect_read("s_mov_b64 exec, s[0:1]\nv_mov_b32 v0, 0\ns_endpgm", "exec", ~u64{0}, never);
  expect_silence("s_mov_b64 exec, s[0:1]\ns_mov_b64 exec, -1\nv_mov_b32 v0, 0\ns_endpgm");
  expect_read(join + "s_endpgm", "s20", 0xffffffff, never, "registers: {csp: 0}\n");
}

TEST(UndefinedBits, ModesAreFollowedBitByBit) {
  const std::string more = "registers: {s0: 0}\nundefined: [s0]\n";
  expect_silence("s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0\nv_mov_b32 v0, 0\ns_endpgm", more);
  expect_read("s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0\nv_mov_b32 v0, 0\ns_endpgm", "mode", u64{1} << 28,
              "given as undefined", more);
  expect_silence(
      "s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\n"
      "v_mov_b32 v0, 0\ns_endpgm",
      more);
  expect_read(
      "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0\ns_getreg_b32 s1, hwreg(HW_REG_MODE, 3, 2)\ns_bitcmp1_b32 s1, 0\n"
      "s_cbranch_scc1 out\nout: s_endpgm",
      "scc", 1, "given as undefined", more);
  expect_silence(
      "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0\ns_getreg_b32 s1, hwreg(HW_REG_MODE, 3, 2)\n"
      "s_bitcmp1_b32 s1, 1\ns_cbranch_scc1 out\nout: s_endpgm",
      more);
}

TEST(UndefinedBits, LanesGoTheirOwnWays) {
  const std::string branch = "s_cmp_eq_u32 s4, 0\ns_cbranch_scc1 out\nout: s_endpgm";
  const std::string lanes = "registers: {v0: [1, 2], s0: 5}\n";
  expect_silence("v_readlane_b32 s4, v0, 1\n" + branch, lanes);
  expect_read("v_readlane_b32 s4, v0, 2\n" + branch, "scc", 1, never, lanes);
  expect_silence("v_writelane_b32 v0, s0, 2\nv_readlane_b32 s4, v0, 2\n" + branch, lanes);
  expect_read("v_writelane_b32 v0, s1, 1\nv_mov_b32 v3, v0\nv_readlane_b32 s4, v3, 1\n" + branch, "scc", 1, never,
              lanes);
  expect_silence("v_writelane_b32 v0, s1, 1\nv_mov_b32 v3, v0\nv_readlane_b32 s4, v3, 0\n" + branch, lanes);
  expect_read("v_add_u32_e32 v1, 1, v0\nv_readlane_b32 s4, v1, 5\n" + branch, "scc", 1, never, lanes);
  expect_silence("v_add_u32_e32 v1, 1, v0\nv_readfirstlane_b32 s4, v1\n" + branch, lanes);
  // A comparison computes one bit for each lane.
  expect_read("v_cmp_eq_u32_e32 vcc, 1, v0\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v1, 0\ns_endpgm", "exec", ~u64{3},
              never, lanes);
  expect_silence(
      "s_mov_b64 exec, 3\nv_cmp_eq_u32_e32 vcc, 1, v0\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v1, 0\ns_endpgm",
      lanes);
}

// The second lane loads undefined data into an unwritten register, the first lane defined data.
TEST(UndefinedBits, LanesOfALoadGoTheirOwnWays) {
  const std::string more =
      "registers: {exec: 3, v1: [7], v2: [0x10000, 0x10004], v3: [0, 0]}\n"
      "memory: [{at: 0x10000, words: [0, 0], access: rw}]\n";
  const std::string copy = "global_store_dword v[2:3], v1, off\nglobal_load_dword v4, v[2:3], off\ns_waitcnt 0\n";
  const std::string branch = "s_cmp_eq_u32 s4, 0\ns_cbranch_scc1 out\nout: s_endpgm";
  expect_silence(copy + "v_readlane_b32 s4, v4, 0\n" + branch, more);
  expect_read(copy + "v_readlane_b32 s4, v4, 1\n" + branch, "scc", 1, never, more);
}

TEST(UndefinedBits, ASkippedVectorInstructionLeavesThem) {
  const std::string more = "on_vector: skip\n";
  expect_read("v_readfirstlane_b32 s4, v0\ns_add_u32 s5, s4, 1\ns_cmp_eq_u32 s5, 0\ns_cbranch_scc1 out\nout: s_endpgm",
              "scc", 1, "skipped vector instruction", more);
  const Checked checked = check("v_readfirstlane_b32 s4, v0\ns_mov_b32 s5, s4\ns_mov_b32 s4, 0\ns_endpgm", more);
  EXPECT_FALSE(checked.outcome.lost.test(4));
  EXPECT_TRUE(checked.outcome.lost.test(5));
}

TEST(UndefinedBits, AnUnspecifiedResultIsUndefined) {
  expect_read("s_bfe_u32 s1, s0, 0x7f0000\ns_cbranch_scc1 out\nout: s_endpgm", "scc", 1, "unspecified result",
              "registers: {s0: 1}\n");
}

TEST(UndefinedBits, ComparedResultsAreChecked) {
  const std::string expects = "expect: {registers: {s1: 0}}\n";
  expect_read("s_and_b32 s1, s0, 0xf0\ns_endpgm", "s1", 0xf0, never, expects);
  expect_silence("s_and_b32 s1, s0, 0\ns_endpgm", expects);
}

TEST(UndefinedBits, ThePathIsReported) {
  const Checked checked =
      check("s_mov_b32 s1, s0\ns_add_u32 s2, s1, 1\ns_cmp_eq_u32 s2, 7\ns_cbranch_scc1 out\nout: s_endpgm");
  ASSERT_EQ(checked.reads.size(), 1U);
  const Warning& warning = checked.reads.front();
  const u64 first = warning.pc - 12;
  EXPECT_EQ(warning.undefined->way, (std::vector<u64>{first, first + 4, first + 8}));
  EXPECT_FALSE(warning.undefined->origin_pc.has_value());
  EXPECT_NE(warning.detail.find("s0 was never written; propagated by `s_mov_b32 s1, s0` at "), std::string::npos)
      << warning.detail;
}

// Lanes 0 to 7 pass through an addition that the other lanes do not; all pass through the instruction that copies the
// register, or computes with it.
TEST(UndefinedBits, TheWayOfALaneIsItsOwn) {
  const auto way_of = [](const std::string& last, int lane) {
    const Checked checked = check("v_mov_b32 v1, v0\ns_mov_b64 exec, 0xff\nv_add_u32 v1, 1, v1\ns_mov_b64 exec, -1\n" +
                                  last + " v2, v1\nv_readlane_b32 s4, v2, " + std::to_string(lane) +
                                  "\ns_cmp_eq_u32 s4, 7\ns_cbranch_scc1 out\nout: s_endpgm");
    EXPECT_EQ(checked.reads.size(), 1U);
    std::vector<u64> way = checked.reads.front().undefined->way;
    for (u64& pc : way) pc -= checked.reads.front().pc;
    return way;
  };
  // Distances from the branch: the move is nine dwords before it, the addition six.
  const auto back = [](u64 dwords) { return u64{0} - dwords * 4; };
  for (const std::string last : {"v_mov_b32", "v_not_b32"}) {
    SCOPED_TRACE(last);
    EXPECT_EQ(way_of(last, 3), (std::vector<u64>{back(9), back(6), back(4), back(3), back(1)}));
    EXPECT_EQ(way_of(last, 40), (std::vector<u64>{back(9), back(4), back(3), back(1)}));
  }
}

TEST(UndefinedBits, ALoopTellsNoEndlessStory) {
  const Checked checked = check(
      "s_movk_i32 s3, 100\nagain: s_add_u32 s1, s1, s0\ns_xor_b32 s2, s1, s2\ns_sub_u32 s3, s3, 1\ns_cmp_lg_u32 s3, 0\n"
      "s_cbranch_scc1 again\ns_cmp_eq_u32 s2, 7\ns_cbranch_scc1 out\nout: s_endpgm",
      "registers: {s1: 0, s2: 0}\n");
  ASSERT_EQ(checked.reads.size(), 1U);
  EXPECT_LE(checked.reads.front().undefined->way.size(), 9U);
}

TEST(UndefinedBits, ReadsMode) {
  const Checked checked = check("s_mov_b32 s1, s0\ns_mov_b32 s2, s1\ns_endpgm", "", CheckUndefined::reads);
  ASSERT_EQ(checked.reads.size(), 1U);
  EXPECT_EQ(checked.reads.front().detail, "s0 is read, but was never written");
  EXPECT_FALSE(checked.reads.front().undefined.has_value());
}

TEST(UndefinedBits, MemoryThatIsComparedMustNotBe) {
  const std::string code = "s_store_dword s4, s[0:1], 0x8\ns_endpgm";
  const std::string memory =
      "registers: {\"s[0:1]\": 0x10000, s4: 1}\nundefined: [\"s4[15:8]\"]\nmemory: [{at: 0x10000, size: 16}]\n";
  expect_read(code, "[0x10008]", 0xff00, "given as undefined",
              memory + "expect: {memory: [{at: 0x10000, words: [0, 0, 1, 0]}]}\n");
  expect_silence(code, memory + "expect: {memory: [{at: 0x10000, words: [0, 0]}]}\n");
  expect_silence(code, memory + "expect: {memory: [{at: 0x1000a, bytes: [0, 0]}]}\n");
  expect_read(code, "[0x10008]", 0xff00, "given as undefined",
              memory + "expect: {memory: [{at: 0x10009, bytes: [0]}]}\n");
}

// A lane stores all of its dwords before the next lane: if lanes overlap by a dword, the first dword of lane 1 remains,
// and the second dword of lane 63.
TEST(UndefinedBits, OfLanesThatOverlapTheLastStoreStays) {
  const auto code = [](const std::string& store, const std::string& load) {
    return "v_mbcnt_lo_u32_b32 v4, -1, 0\nv_mbcnt_hi_u32_b32 v4, -1, v4\nv_lshlrev_b32 v4, 2, v4\nv_mov_b32 v1, 5\n" +
           std::string("v_mov_b32 v2, v1\nv_mov_b32 v3, v1\ns_mov_b32 m0, -1\n") + store + "\n" + load +
           "\ns_waitcnt lgkmcnt(0)\nv_readlane_b32 s4, v5, 1\ns_cmp_eq_u32 s4, 7\ns_cbranch_scc1 out\nout: s_endpgm";
  };
  const std::string shared = "memory: [{at: 0xffff00000000, size: 4096}]\n";
  const std::string load = "ds_read_b32 v5, v4";
  // v0 is undefined, v1 to v3 are not.
  expect_read(code("ds_write_b64 v4, v[0:1]", load), "scc", 1, never, shared);
  expect_read(code("ds_write_b96 v4, v[0:2]", load), "scc", 1, never, shared);
  expect_read(code("ds_write_b128 v4, v[0:3]", load), "scc", 1, never, shared);
  expect_read(code("ds_write2_b32 v4, v0, v1 offset1:1", load), "scc", 1, never, shared);
  expect_read(code("ds_write2_b32 v4, v1, v0 offset0:1", load), "scc", 1, never, shared);
  expect_silence(code("ds_write2_b32 v4, v0, v1 offset0:1", load), shared);
  const std::string data = "registers: {\"s[0:1]\": 0x10000}\nmemory: [{at: 0x10000, size: 4096}]\n";
  const std::string global_load = "global_load_dword v5, v4, s[0:1]\ns_waitcnt vmcnt(0)";
  for (const std::string store : {"x2 v4, v[0:1]", "x3 v4, v[0:2]", "x4 v4, v[0:3]"})
    expect_read(code("global_store_dword" + store + ", s[0:1]", global_load), "scc", 1, never, data);
}

TEST(UndefinedBits, FlatReadsFlatScratchForPrivateMemoryAlone) {
  const auto code = [](const std::string& high) {
    return "s_mov_b64 exec, 1\nv_mov_b32 v0, 0\nv_mov_b32 v1, " + high + "\nflat_load_dword v2, v[0:1]\ns_endpgm";
  };
  const std::string more =
      "registers: {flat_scratch: 0x10000}\nmemory: [{at: 0, size: 64}, {at: 0x10000, size: 4096}]\n"
      "undefined: [\"flat_scratch_lo[12:12]\"]\n";
  expect_silence(code("0"), more);
  expect_read(code("0x20000"), "flat_scratch_lo", 0x1000, "given as undefined", more);
}

// ---- memory at the end of a run ----

const std::string output_memory = "registers: {\"s[0:1]\": 0x10000, s3: 7}\nmemory: [{at: 0x10000, size: 64}]\n";

std::vector<Warning> outputs(const std::string& code, const std::string& more) {
  std::vector<Warning> warnings = check(code, more).outcome.warnings;
  std::erase_if(warnings, [](const Warning& each) { return each.kind != WarningKind::undefined_output; });
  return warnings;
}

TEST(UndefinedBits, ASelectionByAnUndefinedSccIsReportedWhereItIsStored) {
  const std::vector<Warning> warnings =
      outputs("s_cselect_b32 s6, 5, 8\ns_store_dword s6, s[0:1], 0x8\ns_dcache_wb\ns_endpgm", output_memory);
  ASSERT_EQ(warnings.size(), 1U);
  const Warning& warning = warnings.front();
  EXPECT_EQ(warning.instruction, "s_store_dword s6, s[0:1], 0x8");
  ASSERT_TRUE(warning.undefined);
  EXPECT_EQ(warning.undefined->operand, "[0x10008]");
  EXPECT_EQ(warning.undefined->bits, 5U ^ 8U);
  EXPECT_EQ(warning.undefined->origin, never);
  EXPECT_EQ(warning.undefined->way, (std::vector<u64>{warning.pc - 4, warning.pc}));
  EXPECT_EQ(warning.undefined->memory, (std::vector<UndefinedOutput>{{0x10008, 1, ""}}));
  EXPECT_NE(warning.detail.find("1 byte at 0x10008"), std::string::npos) << warning.detail;
  EXPECT_NE(warning.detail.find("scc was never written"), std::string::npos) << warning.detail;
}

TEST(UndefinedBits, MemoryThatIsDefinedAtTheEndIsNotReported) {
  const std::string store = "s_store_dword s4, s[0:1], 0x8\n";
  EXPECT_EQ(outputs(store + "s_endpgm", output_memory).size(), 1U);
  EXPECT_TRUE(outputs(store + "s_store_dword s3, s[0:1], 0x8\ns_endpgm", output_memory).empty());
  EXPECT_TRUE(outputs("s_and_b32 s4, s4, 0\n" + store + "s_endpgm", output_memory).empty());
  // The run ends before the program.
  EXPECT_TRUE(outputs(store + "s_trap 2\ns_endpgm", output_memory + "limits: {steps: 1}\n").empty());
  // `expect:` compares the dword, which `undefined_read` reports.
  const std::string compared = output_memory + "expect: {memory: [{at: 0x10008, words: [0]}]}\n";
  EXPECT_TRUE(outputs(store + "s_endpgm", compared).empty());
  EXPECT_EQ(outputs("s_store_dwordx2 s[4:5], s[0:1], 0x8\ns_endpgm", compared).front().undefined->memory,
            (std::vector<UndefinedOutput>{{0x1000c, 4, ""}}));
}

TEST(UndefinedBits, EachStoreIsReportedOnceWithAllItsMemory) {
  const std::string lanes = "v_mbcnt_lo_u32_b32 v4, -1, 0\nv_lshlrev_b32 v4, 3, v4\n";
  const std::vector<Warning> warnings = outputs(
      "s_mov_b64 exec, 15\n" + lanes + "global_store_short v4, v0, s[0:1]\ns_store_dword s4, s[0:1], 0x24\ns_endpgm",
      output_memory);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].undefined->memory,
            (std::vector<UndefinedOutput>{{0x10000, 2, ""}, {0x10008, 2, ""}, {0x10010, 2, ""}, {0x10018, 2, ""}}));
  EXPECT_NE(warnings[0].detail.find("2 bytes at 0x10000 and 6 other bytes"), std::string::npos) << warnings[0].detail;
  EXPECT_EQ(warnings[1].undefined->memory, (std::vector<UndefinedOutput>{{0x10024, 4, ""}}));
}

TEST(UndefinedBits, SharedMemoryDoesNotOutliveTheWave) {
  EXPECT_TRUE(outputs("s_mov_b64 exec, 1\nv_mov_b32 v1, 0\nds_write_b32 v1, v0\ns_endpgm",
                      "memory: [{at: 0xffff00000000, size: 64}]\n")
                  .empty());
}

TEST(UndefinedBits, TheArgumentOfAKernelIsNamed) {
  const std::string text = R"(target: gfx900
code:
  asm: |
    .amdhsa_code_object_version 5
    .text
    .globl fill
    .p2align 8
    .type fill,@function
    fill:
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      s_store_dword s9, s[2:3], 0x8
      s_dcache_wb
      s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel fill
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 8
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .amdgpu_metadata
    ---
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: fill
        .symbol: fill.kd
        .kernarg_segment_size: 8
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 0
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 16
        .vgpr_count: 1
        .max_flat_workgroup_size: 64
        .args:
          - {.name: out, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
    ...
    .end_amdgpu_metadata
kernel:
  name: fill
  workgroup_size: 64
  grid_size: 64
  args: {out: {buffer: 64}}
)";
  const std::vector<Result<Scenario>> scenarios = load_yaml(text, "test.yaml", {});
  ASSERT_TRUE(scenarios.size() == 1 && scenarios.front()) << scenarios.front().error().to_string();
  RunOptions options = scenarios.front()->options;
  options.check_undefined = CheckUndefined::bits;
  const Outcome outcome = run(*scenarios.front(), options);
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_EQ(outcome.warnings.front().undefined->memory, (std::vector<UndefinedOutput>{{0x200000008, 4, "out+0x8"}}));
}

TEST(UndefinedBits, AStrictRunStopsForUndefinedOutput) {
  const std::string text =
      "target: gfx900\n" + output_memory + "code: {asm: \"s_store_dword s4, s[0:1], 0x8\\ns_endpgm\"}\n";
  const std::vector<Result<Scenario>> scenarios = load_yaml(text, "test.yaml", {});
  ASSERT_TRUE(scenarios.size() == 1 && scenarios.front()) << text;
  RunOptions options = scenarios.front()->options;
  options.check_undefined = CheckUndefined::bits;
  EXPECT_EQ(run(*scenarios.front(), options).stop.reason, StopReason::end_program);
  options.strict = true;
  const Outcome outcome = run(*scenarios.front(), options);
  EXPECT_EQ(outcome.stop.reason_name(), "undefined_output");
  EXPECT_EQ(outcome.stop.instruction, "s_store_dword s4, s[0:1], 0x8");
}

// The undefined bits of each lane, read from the sums and products themselves.
TEST(UndefinedBits, OfLanesAreFollowedOneByOne) {
  const auto expect_low_half = [](const std::string& code, u64 bits) {
    SCOPED_TRACE(code);
    const std::string more =
        "registers: {v0: 3, v1: 0xffff0000, v2: 7, s4: 0, s6: 0, s9: 0x05040504}\nundefined: [s4, \"s6[31:16]\"]\n";
    const std::string moved = "v_mov_b32 v5, s4\nv_mov_b32 v4, 1\nv_mov_b32 v6, s6\n" + code +
                              "\nv_readfirstlane_b32 s8, v8\ns_cmp_eq_u32 s8, 0\ns_endpgm";
    const Checked checked = check(moved, more);
    EXPECT_TRUE(checked.reads.empty());
    u64 found = 0;
    for (const UndefinedBits& each : checked.outcome.undefined_bits) {
      if (each.index == 8) found = each.mask;
    }
    EXPECT_EQ(found, bits);
  };
  expect_low_half("v_mad_u64_u32 v[8:9], s[10:11], v0, v2, v[4:5]", 0);
  expect_low_half("v_lshlrev_b64 v[8:9], 1, v[4:5]", 0);
  expect_low_half("v_lshrrev_b64 v[8:9], 8, v[4:5]", 0xff000000);
  expect_low_half("v_add_u32 v8, v0, v6", 0xffff0000);
  expect_low_half("v_and_b32 v8, 0xff, v6", 0);
  expect_low_half("v_lshlrev_b32 v8, 16, v6", 0);
  expect_low_half("v_lshlrev_b16 v8, 1, v6", 0);
  expect_low_half("v_pk_add_u16 v8, v6, v0", 0xffff0000);
  expect_low_half("v_mul_lo_u32 v8, v6, v2", 0xffff0000);
  expect_low_half("v_perm_b32 v8, v6, v0, s9", 0);
  expect_low_half("v_bfe_u32 v8, v6, 4, 8", 0);
  expect_low_half("v_mov_b32_sdwa v8, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0", 0);
  expect_low_half("v_mov_b32_sdwa v8, sext(v6) dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_1", 0xffff0000);
  // The selected half of the source is defined, or the other half is not read.
  expect_low_half("v_cvt_f32_u32_sdwa v8, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0", 0);
  expect_low_half("v_cvt_f32_u32_sdwa v8, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3", 0xffffffff);
  expect_low_half("v_cmp_gt_u32 vcc, 0x10000, v0\nv_cndmask_b32 v8, v6, v2, vcc", 0);
  // Of 16-bit floats, only the halves that are read; the other half of the destination may be preserved.
  expect_low_half("v_add_f16 v8, v6, v0", 0);
  expect_low_half("v_cvt_f32_f16 v8, v6", 0);
  expect_low_half("v_add_f16_sdwa v8, v6, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0",
                  0xffff0000);
  expect_low_half("v_pk_add_f16 v8, v6, v0", 0xffff0000);
  expect_low_half("v_pk_add_f16 v8, v6, v0 op_sel_hi:[0,0]", 0);
  expect_low_half("v_pk_fma_f16 v8, v0, v6, v0 op_sel:[0,1,0] op_sel_hi:[1,0,1]", 0xffff);
  expect_low_half("v_mov_b32 v8, 0\nv_fma_f16 v8, v6, v0, v0 op_sel:[1,0,0,1]", 0xffff0000);
  expect_low_half("v_mov_b32 v8, v6\nv_fma_f16 v8, v0, v0, v0", 0xffff0000);
  expect_low_half("v_mov_b32 v8, v6\nv_fma_f16 v8, v0, v0, v0 op_sel:[0,0,0,1]", 0);
}

}  // namespace
}  // namespace salu::test::undefined_bits
