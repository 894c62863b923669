#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assembling.hpp"

// The words are those of llvm-mc-19 for the same text.
namespace salu::assembler {
namespace {

/// `column: message` of the only error.
std::string error(std::string_view text, Generation generation = Generation::gcn1_4) {
  const Assembly assembly = assembled(text, generation);
  if (assembly.errors.size() != 1) return std::to_string(assembly.errors.size()) + " errors";
  return std::to_string(assembly.errors.front().where.column) + ": " + assembly.errors.front().message;
}

TEST(VectorAssembler, TakesTheShortestForm) {
  EXPECT_EQ(words("v_and_b32 v0, v1, v2"), (Words{0x26000501}));
  EXPECT_EQ(words("v_and_b32 v0, v1, s2"), (Words{0xd1130000, 0x00000501}));
  EXPECT_EQ(words("v_and_b32_e64 v0, v1, v2"), (Words{0xd1130000, 0x00020501}));
  EXPECT_EQ(words("v_and_b32 v0, 0x12345678, v2"), (Words{0x260004ff, 0x12345678}));
  EXPECT_EQ(words("v_and_b32 v0, v1, v2 src0_sel:WORD_1"), (Words{0x260004f9, 0x06051601}));
  EXPECT_EQ(words("V_AND_B32 V0, V1, V2"), (Words{0x26000501}));
  EXPECT_EQ(words("v_cndmask_b32 v0, v1, v2"), (Words{0x00000501}));
  EXPECT_EQ(words("v_cndmask_b32_e32 v0, v1, v2"), (Words{0x00000501}));
  // A source and a modifier have the same name.
  EXPECT_EQ(words("v_add_u32 v0, scc, v1"), words("v_add_u32 v0, src_scc, v1"));
  EXPECT_EQ(words("v_add_u32 v0, src_scc, v1"), (Words{0x680002fd}));
  EXPECT_EQ(words("v_cmp_eq_u32 vcc, v3, scc"), (Words{0xd0ca006a, 0x0001fb03}));
}

TEST(VectorAssembler, LanesOfDpp) {
  EXPECT_EQ(words("v_mov_b32 v0, v1 row_shl:15 row_mask:0xa bound_ctrl:1"), (Words{0x7e0002fa, 0xaf090f01}));
  EXPECT_EQ(words("v_add_f32_dpp v0, -v1, |v2| quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf bound_ctrl:0"),
            (Words{0x020004fa, 0xff98e401}));
  EXPECT_EQ(words("v_add_u32_dpp v0, vcc, v1, v2 quad_perm:[0,1,2,3]", Generation::gcn1_2),
            (Words{0x320004fa, 0xff00e401}));
  EXPECT_EQ(words("v_fmac_f64_dpp v[0:1], v[2:3], v[4:5] row_newbcast:1", Generation::cdna2),
            (Words{0x080008fa, 0xff015102}));
}

TEST(VectorAssembler, NamesOfTheGeneration) {
  EXPECT_EQ(words("v_add_i32 v0, vcc, v1, v2", Generation::gcn1_0), (Words{0x4a000501}));
  EXPECT_EQ(words("v_add_u32 v0, vcc, v1, v2", Generation::gcn1_2), (Words{0x32000501}));
  EXPECT_EQ(words("v_add_co_u32 v0, vcc, v1, v2", Generation::gcn1_4), (Words{0x32000501}));
  EXPECT_EQ(words("v_add_u32 v0, v1, v2", Generation::gcn1_4), (Words{0x68000501}));
}

TEST(VectorAssembler, Memory) {
  EXPECT_EQ(words("global_load_dword v1, v0, s[4:5] offset:-16"), (Words{0xdc509ff0, 0x01040000}));
  EXPECT_EQ(words("buffer_store_dword v1, off, s[0:3], s33 offset:4"), (Words{0xe0700004, 0x21000100}));
  EXPECT_EQ(words("ds_read2_b32 v[0:1], v2 offset0:1 offset1:2"), (Words{0xd86e0201, 0x00000002}));
  EXPECT_EQ(words("scratch_load_dword v1, off, s3 sc0 nt", Generation::cdna3), (Words{0xdc534000, 0x01030000}));
}

// Words of llvm-mc-22: LLVM 19 does not know gfx950.
TEST(VectorAssembler, InstructionsOfGfx950) {
  const auto of_gfx950 = [](std::string_view text) { return words(text, Generation::cdna4); };
  EXPECT_EQ(of_gfx950("v_bitop3_b32 v1, v2, v3, v4 bitop3:0x12"), (Words{0xd2340201, 0x44120702}));
  EXPECT_EQ(of_gfx950("v_bitop3_b32 v1, v2, v3, v4 bitop3:255"), (Words{0xd2340701, 0xfc120702}));
  EXPECT_EQ(of_gfx950("v_bitop3_b32 v1, v2, v3, v4"), (Words{0xd2340001, 0x04120702}));
  EXPECT_EQ(of_gfx950("v_bitop3_b16 v1, v2, v3, v4 bitop3:0x55 op_sel:[1,0,1,1]"), (Words{0xd2336a01, 0xac120702}));
  EXPECT_EQ(of_gfx950("v_ashr_pk_u8_i32 v1, v2, v3, v4 op_sel:[0,0,0,1]"), (Words{0xd2664001, 0x04120702}));
  EXPECT_EQ(of_gfx950("v_prng_b32 v1, 0x1234"), (Words{0x7e02b0ff, 0x1234}));
  EXPECT_EQ(of_gfx950("v_permlane16_swap_b32 v1, v2"), (Words{0x7e02b302}));
  EXPECT_EQ(of_gfx950("v_permlane32_swap_b32 v1, v2 bound_ctrl:1 fi:1"), (Words{0xd19a1801, 0x00000102}));
  EXPECT_EQ(of_gfx950("v_permlane16_swap_b32 v1, v2 fi:0"), (Words{0xd1990001, 0x00000102}));
  EXPECT_EQ(of_gfx950("ds_read_b64_tr_b4 v[2:3], v1 offset:16"), (Words{0xd9c00010, 0x02000001}));
  EXPECT_EQ(of_gfx950("ds_read_b96_tr_b6 a[1:3], v1"), (Words{0xdbc20000, 0x01000001}));
  EXPECT_EQ(of_gfx950("buffer_load_dwordx4 v1, s[0:3], 0 offen lds"), (Words{0xe05d1000, 0x80000001}));
  EXPECT_EQ(of_gfx950("global_load_lds_dwordx3 v[2:3], off"), (Words{0xddf88000, 0x007f0002}));
}

TEST(VectorAssembler, LoadsToLds) {
  EXPECT_EQ(words("buffer_load_dword off, s[0:3], 0 lds"), (Words{0xe0510000, 0x80000000}));
  EXPECT_EQ(words("global_load_dword v[2:3], off lds"), (Words{0xdc50a000, 0x007f0002}));
  EXPECT_EQ(words("global_load_sshort v2, s[2:3] offset:-5 glc lds"), (Words{0xdc4dbffb, 0x00020002}));
  EXPECT_EQ(words("scratch_load_sbyte off, s2 lds"), (Words{0xdc446000, 0x00020000}));
  EXPECT_EQ(words("global_load_lds_ubyte v2, s[2:3] offset:16", Generation::cdna3), (Words{0xdc988010, 0x00020002}));
  EXPECT_EQ(words("scratch_load_lds_dword v2, s2", Generation::cdna3), (Words{0xdca86000, 0x00020002}));
  EXPECT_EQ(error("global_load_dword v[2:3], off lds", Generation::cdna3),
            "31: lds is not available for global_load_dword on cdna3");
  EXPECT_EQ(error("global_load_dwordx2 v[2:3], off lds"), "33: lds is not available for global_load_dwordx2 on gcn1.4");
  EXPECT_EQ(error("v_bitop3_b32 v1, v2, v3, v4 bitop3:256", Generation::cdna4),
            "29: bitop3 is a truth table of 8 bits, from 0 to 0xff");
}

TEST(VectorAssembler, LabelsAndSymbols) {
  EXPECT_EQ(words("v_mov_b32 v0, end@abs32@lo\nend:", Generation::gcn1_4, 0x1000), (Words{0x7e0002ff, 0x00001008}));
  EXPECT_EQ(words(".set n, 3\nv_mov_b32 v0, n+1"), (Words{0x7e000284}));
  EXPECT_EQ(words(".set n, 8\nbuffer_load_dword v0, off, s[0:3], 0 offset:n*4"), (Words{0xe0500020, 0x80000000}));
}

TEST(VectorAssembler, OperandsThatCannotBe) {
  EXPECT_EQ(error("v_and_b32_e32 v0, v1, s2"), "23: src1 of v_and_b32_e32 must be a VGPR, such as v0");
  EXPECT_EQ(error("v_and_b32 v0, s1, s2"),
            "11: v_and_b32_e64 can read one scalar register (or pair) or literal, not 2");
  EXPECT_EQ(error("v_and_b32 v0, v1"), "17: v_and_b32 takes 3 operands");
  EXPECT_EQ(error("v_and_b32 v0, v1, v2, v3"), "23: v_and_b32 takes 3 operands");
  EXPECT_EQ(error("v_and_b32 s0, v1, v2"), "11: the destination of v_and_b32_e64 must be a VGPR, such as v0");
  EXPECT_EQ(error("v_lshlrev_b64 v[1:2], v3, v[4:5]", Generation::cdna2),
            "15: the destination of v_lshlrev_b64 must be a VGPR, such as v[0:1] that begins at an even number");
  EXPECT_EQ(error("v_add_co_u32_e32 v0, s[0:1], v1, v2"), "22: the mask that v_add_co_u32_e32 writes must be vcc");
  EXPECT_EQ(error("v_bfe_u32 v0, v1, v2, 0x12345678"),
            "23: src2 of v_bfe_u32 can be a register or an inline constant (-16 to 64, 0.5, 1.0, 2.0, 4.0), not a "
            "literal");
  EXPECT_EQ(error("v_mov_b32 v0, 0x123456789"), "15: 0x123456789 does not fit in 32 bits");
  EXPECT_EQ(error("v_add_u16 v0, 3.0, v1"),
            "15: a 16-bit operand reads the lower half of a literal and cannot have a floating-point number; give its "
            "bits, such as 0x3c00");
  EXPECT_EQ(error("v_readlane_b32 s0, v1, v2"),
            "24: src1 of v_readlane_b32 must be a scalar register or a constant from -16 to 64");
  EXPECT_EQ(error("v_mov_b32 v0, v256"), "15: no register v256 (v0 to v255)");
}

TEST(VectorAssembler, ModifiersThatAreNotThere) {
  EXPECT_EQ(error("v_and_b32_e64 v0, v1, v2 clamp"), "26: clamp is not available for v_and_b32_e64 on gcn1.4");
  EXPECT_EQ(error("v_and_b32 v0, -v1, v2"), "15: src0 of v_and_b32_e64 cannot be negated");
  EXPECT_EQ(error("v_and_b32 v0, v1, v2 src0_sel:WORD_2"),
            "22: src0_sel cannot be WORD_2 (BYTE_0 to BYTE_3, WORD_0, WORD_1, DWORD)");
  EXPECT_EQ(error("v_add_f32 v0, v1, v2 mul:3"),
            "22: the result can be multiplied by 2 or 4 (mul:2, mul:4) or divided by 2 (div:2)");
  EXPECT_EQ(error("v_pk_add_u16 v0, v1, v2 op_sel:[0,0,1]"), "25: op_sel of v_pk_add_u16 has 2 parts");
  EXPECT_EQ(error("v_and_b32 v0, v1, v2 glc"), "22: glc is not available for v_and_b32_e64 on gcn1.4");
  EXPECT_EQ(error("v_and_b32 v0, v1, v2 what"), "22: unexpected 'what' after the operands");
}

TEST(VectorAssembler, LanesOfDppThatCannotBe) {
  EXPECT_EQ(error("v_mov_b32_dpp v0, v1"),
            "21: v_mov_b32_dpp takes the lanes to read, such as quad_perm:[0,1,2,3] or row_shl:1");
  EXPECT_EQ(error("v_mov_b32 v0, v1 row_shl:16"), "18: row_shl is 1 to 15");
  EXPECT_EQ(error("v_mov_b32 v0, v1 row_bcast:16"), "18: row_bcast is 15 or 31");
  EXPECT_EQ(error("v_mov_b32 v0, v1 row_shl:1 row_shr:1"), "28: row_shl and row_shr cannot be combined");
  EXPECT_EQ(error("v_mov_b32 v0, v1 quad_perm:[0,1,2,4]"), "35: quad_perm has four lanes, from 0 to 3");
  EXPECT_EQ(error("v_mov_b32 v0, v1 quad_perm:[0,1,2]"), "34: quad_perm has four lanes, from 0 to 3");
  EXPECT_EQ(error("v_mov_b32 v0, v1 row_mirror row_mask:16"), "29: row_mask is from 0 to 0xf");
  EXPECT_EQ(error("v_mov_b32 v0, v1 row_mirror bound_ctrl:2"), "29: bound_ctrl is 0 or 1");
  EXPECT_EQ(error("v_mov_b32 v0, v1 row_newbcast:1"), "18: row_newbcast is not available for v_mov_b32 on gcn1.4");
  EXPECT_EQ(error("v_mov_b32 v0, s1 row_shl:1"), "15: src0 of v_mov_b32 must be a VGPR, such as v0");
  EXPECT_EQ(error("v_cmp_eq_u32 vcc, v1, v2 row_shl:1"), "26: row_shl is not available for v_cmp_eq_u32_e64 on gcn1.4");
}

TEST(VectorAssembler, MemoryThatCannotBe) {
  EXPECT_EQ(error("buffer_load_dword v0, v1, s[0:3], 0"),
            "23: the address of buffer_load_dword must be off, unless offen or idxen is given");
  EXPECT_EQ(error("buffer_load_dword v0, v1, s[0:3], 0 idxen offen"),
            "23: the address of buffer_load_dword must be 2 VGPRs, such as v[0:1]");
  EXPECT_EQ(error("buffer_load_dword v0, off, s[1:4], 0"),
            "28: the descriptor of buffer_load_dword must be four SGPRs, such as s[0:3]");
  EXPECT_EQ(error("buffer_load_dword v0, off, s[0:3], 0 offset:4096"),
            "38: the offset of buffer_load_dword must be from 0 to 4095");
  EXPECT_EQ(error("flat_load_dword v0, v[1:2] offset:4", Generation::gcn1_2),
            "28: flat_load_dword does not take an offset on gcn1.2");
  EXPECT_EQ(error("scratch_load_dword v0, v1, s2"),
            "24: scratch_load_dword has a VGPR or an SGPR for its address, not both, on gcn1.4");
  EXPECT_EQ(error("global_load_dword v0, v[1:2], off sc0"), "35: sc0 is not available for global_load_dword on gcn1.4");
  EXPECT_EQ(error("global_load_dword a0, v[0:1], off", Generation::cdna1),
            "19: the data of global_load_dword must be a VGPR, such as v0");
}

TEST(VectorAssembler, UnknownNames) {
  EXPECT_EQ(error("v_mov_b64 v[0:1], v[2:3]"), "1: v_mov_b64 is not available on gcn1.4 (it is on cdna3, cdna4)");
  EXPECT_EQ(error("v_bfe_u32_e32 v0, v1, v2, v3"), "1: v_bfe_u32 does not have the form _e32 on gcn1.4");
  EXPECT_EQ(error("v_mov_b32_sdwa v0, v1", Generation::gcn1_1), "1: v_mov_b32 does not have the form _sdwa on gcn1.1");
  EXPECT_EQ(error("image_load v0, v1"),
            "1: 'image_load' is not an instruction that salu supports (its words can be given with .long)");
  EXPECT_EQ(error("v_mov_b23 v0, v1"),
            "1: 'v_mov_b23' is not an instruction that salu supports (its words can be given with .long); did you mean "
            "v_mov_b32?");
}

}  // namespace
}  // namespace salu::assembler
