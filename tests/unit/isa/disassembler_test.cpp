#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/disassemble.hpp"

// Golden text: the output of llvm-mc-19 for these words (or, if LLVM cannot disassemble them, its accepted input), and
// AMD's names.
namespace salu::isa {
namespace {

std::string text(Generation generation, std::vector<u32> words) {
  return disassemble(generation, decode(generation, words));
}

TEST(Disassembler, ScalarAlu) {
  EXPECT_EQ(text(Generation::gcn1_4, {0x80000201}), "s_add_u32 s0, s1, s2");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8001c1}), "s_mov_b64 s[0:1], -1");
  EXPECT_EQ(text(Generation::gcn1_0, {0xbe8004c1}), "s_mov_b64 s[0:1], -1");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8000ff, 0x12345678}), "s_mov_b32 s0, 0x12345678");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8000f8}), "s_mov_b32 s0, 0.15915494");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8001f8}), "s_mov_b64 s[0:1], 0.15915494309189532");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8001ff, 0x80000000}), "s_mov_b64 s[0:1], 0x80000000");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8000fd}), "s_mov_b32 s0, src_scc");
  EXPECT_EQ(text(Generation::gcn1_4, {0x8e80ff02, 7}), "s_lshl_b64 s[0:1], s[2:3], 7");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf0d7e6a}), "s_bitcmp1_b32 vcc_lo, exec_lo");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe801c00}), "s_getpc_b64 s[0:1]");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbeee1d70}), "s_setpc_b64 ttmp[4:5]") << "the SDST field is not an operand";
}

TEST(Disassembler, NamesInImmediates) {
  EXPECT_EQ(text(Generation::gcn1_4, {0xb8801801}), "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xb880f801}), "s_getreg_b32 s0, hwreg(HW_REG_MODE)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xb880f808}), "s_getreg_b32 s0, hwreg(8)");
  EXPECT_EQ(text(Generation::gcn1_2, {0xb880f810}), "s_getreg_b32 s0, hwreg(16)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xb880f810}), "s_getreg_b32 s0, hwreg(HW_REG_TBA_LO)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xba00f801, 0x3f800000}), "s_setreg_imm32_b32 hwreg(HW_REG_MODE), 1.0");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf8c0070}), "s_waitcnt vmcnt(0) lgkmcnt(0)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf8ccf7f}), "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(15)");
  EXPECT_EQ(text(Generation::gcn1_2, {0xbf8c0f7f}), "s_waitcnt vmcnt(15) expcnt(7) lgkmcnt(15)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf8c0f7f}), "s_waitcnt vmcnt(15)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf900012}), "s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 0)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf900003}), "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)");
  EXPECT_EQ(text(Generation::gcn1_2, {0xbf900005}), "s_sendmsg sendmsg(5, 0, 0)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf900080}), "s_sendmsg 128");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf110900}), "s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf9d0000}), "s_set_gpr_idx_mode gpr_idx()");
  EXPECT_EQ(text(Generation::gcn1_4, {0xb000ffff}), "s_movk_i32 s0, 0xffff");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf80ffff}), "s_nop 0xffff");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf810000}), "s_endpgm");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf810005}), "s_endpgm 5");
}

TEST(Disassembler, ScalarMemory) {
  EXPECT_EQ(text(Generation::gcn1_0, {0xc0020104}), "s_load_dword s4, s[0:1], 0x4");
  EXPECT_EQ(text(Generation::gcn1_1, {0xc00200ff, 0x1234}), "s_load_dword s4, s[0:1], 0x1234");
  EXPECT_EQ(text(Generation::gcn1_0, {0xc00200ff}), "<invalid>") << "no literal offset before GCN 1.1";
  EXPECT_EQ(text(Generation::gcn1_2, {0xc0020141, 0x14}), "s_load_dword s5, s[2:3], 0x14");
  EXPECT_EQ(text(Generation::gcn1_4, {0xc0034141, 0x0e000005}), "s_load_dword s5, s[2:3], s7 offset:0x5 glc");
  EXPECT_EQ(text(Generation::gcn1_4, {0xc0020141, 0x001ffffc}), "s_load_dword s5, s[2:3], -0x4");
  EXPECT_EQ(text(Generation::gcn1_2, {0xc0020141, 0x001ffffc}), "s_load_dword s5, s[2:3], 0xffffc");
  EXPECT_EQ(text(Generation::gcn1_4, {0xc09a0141, 4}), "s_atc_probe 5, s[2:3], 0x4");
  EXPECT_EQ(text(Generation::cdna3, {0xc09a0141, 4}), "<invalid>");
  EXPECT_EQ(text(Generation::gcn1_4, {0xc0920100, 0}), "s_memtime s[4:5]") << "unused bits are ignored";
}

TEST(Disassembler, UnavailableInstructions) {
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe80007d}), "<invalid>") << "code 125";
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8000d1}), "<invalid>") << "code 209";
  EXPECT_EQ(text(Generation::gcn1_2, {0xbe8000eb}), "<invalid>") << "apertures start with GFX9";
  EXPECT_EQ(text(Generation::gcn1_1, {0xbe8003f8}), "<invalid>") << "1/(2*PI) starts with GCN 1.2";
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe830100}), "<invalid>") << "odd pair";
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe801e80}), "<invalid>") << "S_SWAPPC from a constant";
  EXPECT_EQ(text(Generation::gcn1_0, {0xbf8b0001}), "<invalid>") << "S_SETKILL starts with GCN 1.1";
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf9f0000}), "<invalid>");
  EXPECT_EQ(text(Generation::cdna3, {0xbf9f0000}), "s_set_valu_coexec_mode 0");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe803100}), "s_mov_fed_b32 s0, s0");
  EXPECT_EQ(text(Generation::gcn1_4, {0xc8000000}), "<invalid>");
}

TEST(Disassembler, VectorAndTruncated) {
  EXPECT_EQ(text(Generation::gcn1_4, {0x7e000280}), "v_mov_b32_e32 v0, 0");
  EXPECT_EQ(text(Generation::gcn1_4, {0xd1ff0000, 0x040a0300}), "v_add3_u32 v0, v0, v1, v2") << "of two dwords";
  EXPECT_EQ(text(Generation::gcn1_4, {0x7e006f80}), "<vector VOP1>") << "V_SCREEN_PARTITION_4SE_B32";
  EXPECT_EQ(text(Generation::gcn1_4, {0xd0000000, 0}), "<vector VOP3>");
  EXPECT_EQ(text(Generation::gcn1_4, {0x7e0002ff}), "<truncated>");
  EXPECT_EQ(text(Generation::gcn1_4, {0xbe8000ff}), "<truncated>");
  EXPECT_EQ(text(Generation::gcn1_4, {0xc0020141}), "<truncated>");
  EXPECT_EQ(text(Generation::gcn1_4, {}), "<truncated>");
}

TEST(Disassembler, BranchTargets) {
  EXPECT_EQ(text(Generation::gcn1_4, {0xbf82ffff}), "s_branch 65535") << "as llvm-mc prints it";
  const LabelResolver label = [](u64 address) { return address == 0x1000 ? std::string("loop") : std::string{}; };
  DisassembleOptions options;
  options.address = 0x1008;
  options.label = &label;
  const auto with_label = [&](u32 word) {
    return disassemble(Generation::gcn1_4, decode(Generation::gcn1_4, std::vector{word}), options);
  };
  EXPECT_EQ(with_label(0xbf82fffd), "s_branch loop");
  EXPECT_EQ(with_label(0xb804fffd), "s_cbranch_i_fork s[4:5], loop");
  EXPECT_EQ(with_label(0xbf820001), "s_branch 1") << "no label there";
  options.address = 0;
  EXPECT_EQ(with_label(0xbf828000), "s_branch 32768") << "addresses wrap";
}

}  // namespace
}  // namespace salu::isa
