#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "assembling.hpp"

// Words and addresses here are LLVM's for the same text, or derived from AMD's encodings.
namespace salu::assembler {
namespace {

TEST(Assembler, EmptyText) {
  EXPECT_EQ(words(""), Words{});
  EXPECT_EQ(words("\n\n  // nothing\n"), Words{});
}

TEST(Assembler, LabelsHaveAddresses) {
  const Assembly assembly =
      assembled("start: s_nop 0\nmiddle:\n  s_mov_b32 s0, 0x1234\nend:\n", Generation::gcn1_4, 0x1000);
  ASSERT_EQ(assembly.labels.size(), 3U);
  EXPECT_EQ(assembly.labels[0].name, "start");
  EXPECT_EQ(assembly.labels[0].address, 0x1000U);
  EXPECT_EQ(assembly.labels[1].address, 0x1004U);
  EXPECT_EQ(assembly.labels[2].address, 0x100cU);
}

TEST(Assembler, LinesOfInstructions) {
  Options options;
  options.base = 0x100;
  options.first_line = 10;
  const Assembly assembly = assemble("s_nop 0\n\ns_mov_b32 s0, 0x1234\n.long 5\ns_endpgm", options);
  ASSERT_EQ(assembly.lines.size(), 3U);
  EXPECT_EQ(assembly.lines[0].address, 0x100U);
  EXPECT_EQ(assembly.lines[0].line, 10U);
  EXPECT_EQ(assembly.lines[1].address, 0x104U);
  EXPECT_EQ(assembly.lines[1].line, 12U);
  EXPECT_EQ(assembly.lines[2].address, 0x110U);
  EXPECT_EQ(assembly.lines[2].line, 14U);
}

TEST(Assembler, Branches) {
  EXPECT_EQ(words("loop: s_nop 0\n s_branch loop\n s_branch end\n s_nop 0\nend:"),
            (Words{0xbf800000, 0xbf82fffe, 0xbf820001, 0xbf800000}));
  EXPECT_EQ(words("s_branch there+4\nthere: s_nop 0\n"), (Words{0xbf820001, 0xbf800000}));
  EXPECT_EQ(words("s_branch .\n s_branch .-4\n s_branch .+8"), (Words{0xbf82ffff, 0xbf82fffe, 0xbf820001}));
  EXPECT_EQ(words("s_branch -1\n s_branch 65535\n s_call_b64 s[4:5], 2"), (Words{0xbf82ffff, 0xbf82ffff, 0xba840002}));
  EXPECT_EQ(words("\"a label\": s_branch \"a label\""), (Words{0xbf82ffff}));
}

TEST(Assembler, LabelsAsNumbers) {
  // A label in a literal is its address; LLVM leaves this to a linker.
  EXPECT_EQ(words("s_mov_b32 s0, end\n s_mov_b64 s[2:3], end+4\nend:", Generation::gcn1_4, 0x2000),
            (Words{0xbe8000ff, 0x2010, 0xbe8201ff, 0x2014}));
  EXPECT_EQ(words("a: s_movk_i32 s0, b-a\nb: s_nop b-a"), (Words{0xb0000004, 0xbf800004}));
  EXPECT_EQ(words(".long b, b-a\na: .quad b\nb:", Generation::gcn1_4, 0x100), (Words{0x110, 8, 0x110, 0}));
  EXPECT_EQ(words("s_setreg_imm32_b32 hwreg(HW_REG_MODE), b-a\na:\n.long 0\nb:"), (Words{0xba00f801, 4, 0}));
}

TEST(Assembler, RelocationsOfCompilers) {
  // s_getpc_b64 returns the address after itself: callee - (address of the literal) + 4 is the distance to the callee.
  const Words code = words(
      "s_getpc_b64 s[4:5]\n s_add_u32 s4, s4, callee@rel32@lo+4\n s_addc_u32 s5, s5, callee@rel32@hi+12\n s_nop "
      "0\ncallee:",
      Generation::gcn1_4, 0x1000);
  ASSERT_EQ(code.size(), 6U);
  EXPECT_EQ(0x1004 + code[2], 0x1018U);
  EXPECT_EQ(code[4], 0U);
  const Words backwards =
      words("callee: s_nop 0\n s_add_u32 s4, s4, callee@rel32@lo+4\n s_addc_u32 s5, s5, callee@rel32@hi+12");
  EXPECT_EQ(backwards[2], static_cast<u32>(4 - 8));
  EXPECT_EQ(backwards[4], 0xffffffffU);
  EXPECT_EQ(words("a: s_mov_b32 s0, a@abs32@lo\n s_mov_b32 s1, a@abs32@hi", Generation::gcn1_4, 0x123456789a0),
            (Words{0xbe8000ff, 0x456789a0, 0xbe8100ff, 0x123}));
}

TEST(Assembler, Constants) {
  EXPECT_EQ(words("x = 5\n s_mov_b32 s0, x\nx = x + 1\n s_mov_b32 s0, x"), (Words{0xbe800085, 0xbe800086}));
  // Defined later: encoded as a literal, whatever the value.
  EXPECT_EQ(words("s_mov_b32 s0, x\n.set x, y+1\n.set y, 4"), (Words{0xbe8000ff, 5}));
  EXPECT_EQ(words(".set i, 2\n s_mov_b64 s[i:i+1], s[i*2:i*2+1]"), (Words{0xbe820104}));
  EXPECT_EQ(words("here = .\n s_nop 0\n s_branch here"), (Words{0xbf800000, 0xbf82fffe}));
  // 2^70 times an address.
  std::string doubled = "s_nop 0\nx = .\n";
  for (int i = 0; i < 70; ++i) doubled += "x = x+x\n";
  EXPECT_EQ(words(doubled + ".quad -x"), (Words{0xbf800000, 0, 0}));
}

TEST(Assembler, NamesThatAreSetAgainCountAsTheyAreWhereTheyAreUsed) {
  EXPECT_EQ(words("a: s_nop 0\nb: s_nop 0\n.set c, a\ns_mov_b32 s0, c\n.set c, b\ns_mov_b32 s1, c"),
            (Words{0xbf800000, 0xbf800000, 0xbe8000ff, 0, 0xbe8100ff, 4}));
  EXPECT_EQ(words("start:\n.rept 3\nhere = .\n.long here-start\n.endr"), (Words{0, 4, 8}));
  EXPECT_EQ(words(".set x, .\ns_nop 0\n.set y, .\n.long y-x\n.set x, .\n.long x-y"), (Words{0xbf800000, 4, 4}));
  EXPECT_EQ(words("s_nop 0\np = .\np = p+4\n.long p-."), (Words{0xbf800000, 4}));
  // As in llvm-mc-19: a symbol that has not been used can be redefined.
  EXPECT_EQ(words("x = y+1\nx = 3\n.long x"), (Words{3}));
}

// Each as in llvm-mc-19.
TEST(Assembler, SuffixesOfIntegersAndEscapedCharacters) {
  EXPECT_EQ(words("s_mov_b32 s0, 1u\ns_mov_b32 s0, 1UL\ns_mov_b32 s0, 1ll\ns_mov_b32 s0, 1ULL\ns_mov_b32 s0, 011L"),
            (Words{0xbe800081, 0xbe800081, 0xbe800081, 0xbe800081, 0xbe800089}));
  EXPECT_EQ(words("s_mov_b32 s0, 0x1fU\ns_mov_b32 s0, 0b11u\ns_mov_b32 s0, 0x1u+1"),
            (Words{0xbe80009f, 0xbe800083, 0xbe800082}));
  EXPECT_EQ(
      words("s_mov_b32 s0, '\\n'\ns_mov_b32 s0, '\\t'\ns_mov_b32 s0, '\\b'\ns_mov_b32 s0, '\\f'\ns_mov_b32 s0, '\\r'"),
      (Words{0xbe80008a, 0xbe800089, 0xbe800088, 0xbe80008c, 0xbe80008d}));
  EXPECT_EQ(words("s_mov_b32 s0, '\\\\'\ns_mov_b32 s0, '\\''\ns_mov_b32 s0, '\\0'"),
            (Words{0xbe8000ff, 0x5c, 0xbe8000a7, 0xbe8000b0}));
}

// The words are those of llvm-mc-19.
TEST(Assembler, AsLlvmHasIt) {
  EXPECT_EQ(words("x=1\n.section .debug_foo\n.set x, 2\ny = .\n.text\ns_mov_b32 s0, x"), (Words{0xbe800082}));
  EXPECT_EQ(words(".set b, a+1\n.ifdef b\ns_nop 1\n.else\ns_nop 2\n.endif"), (Words{0xbf800002}));
  EXPECT_EQ(words("a:\n.set b, a+1\n.ifdef b\ns_nop 1\n.else\ns_nop 2\n.endif"), (Words{0xbf800001}));
  EXPECT_EQ(words(".irp a,x,,\ns_nop 3\n.endr"), (Words{0xbf800003}));
  EXPECT_EQ(words(".irp a,,x,,y,\ns_nop 3\n.endr"), (Words(4, 0xbf800003)));
  EXPECT_EQ(words(".float 010, 1, 1.5, -2"), (Words{0x41200000, 0x3f800000, 0x3fc00000, 0xc0000000}));
  EXPECT_EQ(words(".long 5 ! 0, 1 ! 2 + 3, 1 * 2 ! 3, !1 ! !0, 1 != 2"),
            (Words{0xffffffff, 0, 0xfffffffe, 0xfffffffe, 0xffffffff}));
  EXPECT_EQ(words(".ascii \"ab\" \"cd\", \"efgh\" \"ijkl\""), (Words{0x64636261, 0x68676665, 0x6c6b6a69}));
  EXPECT_EQ(words("s_nop 0\n.balign 0\ns_nop 1\n.align 0"), (Words{0xbf800000, 0xbf800001}));
  EXPECT_EQ(words("s_sub_u32_e32 s0, s1, s2\ns_load_dword_e32 s0, s[2:3], 0\ns_branch_e32 0\nds_read_b32_e32 v0, v1"),
            (Words{0x80800201, 0xc0020001, 0, 0xbf820000, 0xd86c0000, 1}));
}

// The words are those of llvm-mc-22; llvm-mc-19 pads with S_NOP if the fill value is 0 and the width is one byte, and
// with zeros if only a width is given.
TEST(Assembler, PaddingOfCode) {
  EXPECT_EQ(words("s_nop 1\n.p2alignl 3, 0\ns_nop 2"), (Words{0xbf800001, 0, 0xbf800002}));
  EXPECT_EQ(words("s_nop 1\n.p2align 3, 0\ns_nop 2"), (Words{0xbf800001, 0, 0xbf800002}));
  EXPECT_EQ(words("s_nop 1\n.balign 8, 0\ns_nop 2"), (Words{0xbf800001, 0, 0xbf800002}));
  EXPECT_EQ(words("s_nop 1\n.balignw 8, 0\ns_nop 2"), (Words{0xbf800001, 0, 0xbf800002}));
  for (const std::string padding : {".balign 8", ".balignw 8", ".balignl 8", ".p2align 3", ".p2align 3, , 7"})
    EXPECT_EQ(words("s_nop 1\n" + padding + "\ns_nop 2"), (Words{0xbf800001, 0xbf800000, 0xbf800002})) << padding;
}

// The numbers are those of llvm-mc-22. Generations of occupancy(): 5 is GFX6, 6 GFX7, 7 GFX8, 8 GFX9, 9 GFX10.
TEST(Assembler, FunctionsInExpressions) {
  EXPECT_EQ(words(".long max(1, 2, -5), or(1, 6, 8), alignto(13, 4), alignto(12, 5), alignto(0, 4), max(7)"),
            (Words{2, 15, 16, 15, 0, 7}));
  EXPECT_EQ(words(".long 1+max(a, max(b, 3)*2)\na = 5\nb = a - 1"), (Words{9}));
  EXPECT_EQ(words("s_mov_b32 s0, max(3, 5)\nmax: s_nop 0\n.long max"), (Words{0xbe800085, 0xbf800000, 4}));
  const auto vgprs = ".long totalnumvgprs(0, 5), totalnumvgprs(3, 5), totalnumvgprs(8, 5)";
  EXPECT_EQ(words(vgprs, Generation::cdna1), (Words{5, 5, 8}));
  EXPECT_EQ(words(vgprs, Generation::cdna2), (Words{5, 11, 16}));
  const auto sgprs =
      ".long extrasgprs(0, 0, 0), extrasgprs(1, 0, 0), extrasgprs(0, 1, 0), extrasgprs(0, 0, 1), extrasgprs(1, 1, 1)";
  EXPECT_EQ(words(sgprs, Generation::gcn1_0), (Words{0, 2, 4, 0, 4}));
  EXPECT_EQ(words(sgprs, Generation::gcn1_2), (Words{0, 2, 6, 4, 6}));
  EXPECT_EQ(words(sgprs, Generation::cdna3), (Words{6, 6, 6, 6, 6}));
  EXPECT_EQ(words(".long occupancy(10,4,256,8,10,0,0), occupancy(10,4,256,8,10,80,0), occupancy(10,4,256,8,10,81,24)\n"
                  ".long occupancy(10,4,256,8,10,100,25), occupancy(10,4,256,8,7,101,25)\n"
                  ".long occupancy(8,8,512,8,8,20,3), occupancy(8,8,512,8,8,20,200)\n"
                  ".long occupancy(10,4,256,5,10,48,0), occupancy(10,4,256,5,10,49,0), occupancy(10,4,256,6,10,57,0)\n"
                  ".long occupancy(10,4,256,6,10,90,300), occupancy(20,4,1024,9,20,200,29)\n"
                  ".long occupancy(10,4,256,7,10,49,0)"),
            (Words{10, 10, 9, 8, 7, 8, 2, 10, 9, 8, 1, 20, 10}));
}

// The output of LLVM 22 and 23: the resources of a kernel depend on those of a function whose symbols are defined
// later. The descriptor is that of llvm-mc-22 and llvm-mc-23.
TEST(Assembler, DescriptorsOfSymbolsThatAreDefinedLater) {
  const Assembly assembly = assembled(R"(	.amdgcn_target "amdgcn-amd-amdhsa-unknown-gfx90a"
k:	s_endpgm
	.no_dead_strip	k
	.section .rodata,"a",@progbits
	.p2align 6, 0x0
	.amdhsa_kernel k
		.amdhsa_private_segment_fixed_size 16+max(f.private_seg_size, 8)
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)
		.amdhsa_next_free_sgpr max(k.numbered_sgpr+extrasgprs(k.uses_vcc, 0, 1), 1, 0)-extrasgprs(k.uses_vcc, 0, 1)
		.amdhsa_accum_offset (((((alignto(max(1, k.num_vgpr), 4)/4)-1)&~65536)&63)+1)*4
		.amdhsa_reserve_vcc k.uses_vcc
	.end_amdhsa_kernel
	.text
	.set k.num_vgpr, max(5, f.num_vgpr)
	.set k.num_agpr, max(3, f.num_agpr)
	.set k.numbered_sgpr, max(33, f.numbered_sgpr)
	.set k.uses_vcc, or(0, f.uses_vcc)
	.set f.num_vgpr, 42
	.set f.num_agpr, 0
	.set f.numbered_sgpr, 40
	.set f.uses_vcc, 1
	.set f.private_seg_size, 24
)",
                                      Generation::cdna2);
  EXPECT_EQ(problem(assembly), "");
  EXPECT_EQ(assembly.object.system, "amdhsa");
  ASSERT_EQ(assembly.data.size(), 1U);
  std::array<u32, 16> dwords{};
  ASSERT_EQ(assembly.data[0].bytes.size(), sizeof dwords);
  for (u32 i = 0; i < sizeof dwords; ++i) dwords[i / 4] |= u32{assembly.data[0].bytes[i]} << (8 * (i % 4));
  // Dwords 4 and 5 are the distance to the code, which begins at 0.
  const u32 distance = 0U - static_cast<u32>(assembly.data[0].base);
  EXPECT_EQ(dwords,
            (std::array<u32, 16>{0, 0x28, 0x118, 0, distance, 0xffffffff, 0, 0, 0, 0, 0, 0xa, 0xac0145, 0x84, 8, 0}));
}

TEST(Assembler, InstructionsThatAreNotEncodedKeepAPlace) {
  Options options;
  options.base = 0x100;
  options.keeps_unencoded = true;
  const Assembly assembly =
      assemble("s_nop 0\n  v_lerp_u8 v0, v2, v4, v5 // mean\nend: s_branch end\nv_nop_dpp row_shl:1", options);
  EXPECT_EQ(problem(assembly), "");
  ASSERT_EQ(assembly.words.size(), 4U);
  EXPECT_EQ(assembly.words[2], 0xbf82ffffU);
  ASSERT_EQ(assembly.unencoded.size(), 2U);
  EXPECT_EQ(assembly.unencoded[0].address, 0x104U);
  EXPECT_EQ(assembly.unencoded[0].text, "v_lerp_u8 v0, v2, v4, v5");
  EXPECT_EQ(assembly.unencoded[0].where.line, 2U);
  EXPECT_EQ(assembly.unencoded[1].text, "v_nop_dpp row_shl:1");
  EXPECT_EQ(problem(assemble("v_adc_f64 v0", options)).substr(0, 52),
            "'v_adc_f64' is not an instruction that salu supports");
}

// The bytes are those of llvm-mc-22 and llvm-mc-19.
TEST(Assembler, KernelHeaders) {
  Options options;
  options.target = find_target("tonga");
  options.generation = Generation::gcn1_2;
  const Assembly assembly = assemble(R"(
	.amdgpu_hsa_kernel k
k:	.amd_kernel_code_t
		granulated_workitem_vgpr_count = (11468800|((((alignto(max(k.num_vgpr, 1), 4)/4)-1)&63)|704))&63
		enable_wgp_mode = 0
		enable_sgpr_kernarg_segment_ptr = 1
		kernarg_segment_byte_size = 28
		call_convention = -1
	.end_amd_kernel_code_t
	s_endpgm
	.set k.num_vgpr, 32
)",
                                     options);
  EXPECT_EQ(problem(assembly), "");
  ASSERT_EQ(assembly.words.size(), 65U);
  Words header(64);
  header[0] = 1;
  header[1] = 2;
  header[2] = 0x80001;
  header[3] = 0x20000;
  header[4] = 256;
  header[12] = 7;
  header[14] = 8;
  header[18] = 28;
  header[25] = 0x06040404;
  header[26] = 0xffffffff;
  EXPECT_EQ(Words(assembly.words.begin(), assembly.words.begin() + 64), header);
  ASSERT_EQ(assembly.headers.size(), 1U);
  EXPECT_EQ(assembly.headers[0].name, "k");
  EXPECT_EQ(assembly.headers[0].address, 0U);
}

TEST(Assembler, ChainsOfDefinitions) {
  std::string text = ".long f0.n\n";
  for (u32 i = 0; i < 200; ++i) text += fmt::format(".set f{}.n, max({}, f{}.n)\n", i, i, i + 1);
  EXPECT_EQ(words(text + ".set f200.n, 7"), (Words{199}));
}

// As in ld.lld, and in the loader of objects.
TEST(Assembler, WeakSymbolsThatNothingDefinesAreZero) {
  EXPECT_EQ(words(".weak u, d\n.type f,@function\nf: s_mov_b32 s0, u@abs32@lo\ns_mov_b32 s1, u@rel32@lo+4\n"
                  "s_mov_b32 s2, d@abs32@lo\nd = 7",
                  Generation::gcn1_4, 0x1000),
            (Words{0xbe8000ff, 0, 0xbe8100ff, 0xffffeff8, 0xbe8200ff, 7}));
}

TEST(Assembler, SpellingsOfClrx) {
  EXPECT_EQ(words("s_cmp_ne_u64 s[0:1], s[2:3]"), words("s_cmp_lg_u64 s[0:1], s[2:3]"));
  EXPECT_EQ(words("S_GETREG_B32 S0, HWREG(mode, 0, 4)"), words("s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)"));
  EXPECT_EQ(words("s_getreg_b32 s0, hwreg(hwreg_status, 0, 1)"), words("s_getreg_b32 s0, hwreg(2, 0, 1)"));
  EXPECT_EQ(words("s_getreg_b32 s0, hwreg(pc_lo, 0, 32)"), words("s_getreg_b32 s0, hwreg(8)"));
  EXPECT_EQ(words("s_getreg_b32 s0, hwreg(sq_shader_tba_lo, 0, 32)"), words("s_getreg_b32 s0, hwreg(HW_REG_TBA_LO)"));
  EXPECT_EQ(words("s_waitcnt vmcnt(0) & lgkmcnt(0)"), words("s_waitcnt vmcnt(0) lgkmcnt(0)"));
  EXPECT_EQ(words("s_waitcnt VMCNT(0), LGKMCNT(0)"), words("s_waitcnt vmcnt(0) lgkmcnt(0)"));
  EXPECT_EQ(words("s_sendmsg sendmsg(interrupt)"), words("s_sendmsg sendmsg(MSG_INTERRUPT)"));
  EXPECT_EQ(words("s_sendmsg sendmsg(gs, cut, 1)"), words("s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 1)"));
  EXPECT_EQ(words("s_sendmsg sendmsg(gs, emit-cut, 2)"), words("s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 2)"));
  EXPECT_EQ(words("s_sendmsg sendmsg(gs_done, gs_nop)"), words("s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)"));
  EXPECT_EQ(words("s_sendmsg sendmsg(system, reg_rd)"), words("s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)"));
  EXPECT_EQ(words("s_mov_b64 VCC, EXEC"), words("s_mov_b64 vcc, exec"));
  EXPECT_EQ(words("s_mov_b32 s[3], s[4]"), words("s_mov_b32 s3, s4"));
  EXPECT_EQ(words("s_mov_b32 s0, lit(1)"), (Words{0xbe8000ff, 1}));
  EXPECT_EQ(words("s_load_dword s5, s[2:3], 0x5 nv glc"), (Words{0xc0038141 | 0x8000, 5}));
}

TEST(Assembler, FloatsOfSetreg) {
  EXPECT_EQ(words("s_setreg_imm32_b32 hwreg(HW_REG_MODE), 1.5"), (Words{0xba00f801, 0x3fc00000}));
  EXPECT_EQ(words("s_setreg_imm32_b32 hwreg(HW_REG_MODE), -0.5"), (Words{0xba00f801, 0xbf000000}));
}

TEST(Assembler, DirectivesOfCompilers) {
  EXPECT_EQ(words(R"(	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
	.amdhsa_code_object_version 5
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: "it's a kernel /* not a comment
amdhsa.target:   amdgcn-amd-amdhsa--gfx900
...

	.end_amdgpu_metadata
)"),
            (Words{0xbf810000}));
}

TEST(Assembler, LargeCodeIsAnError) {
  Options options;
  options.most_words = 4;
  EXPECT_EQ(problem(assemble("s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\n", options)), "");
  EXPECT_EQ(problem(assemble("s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\n", options)),
            "the code is larger than 16 bytes");
  EXPECT_EQ(problem(assemble(".fill 0x10000000, 4, 0\n", options)), "the code is larger than 16 bytes");
  EXPECT_EQ(problem(assemble(".space 0x7fffffffffff\n", options)), "the code is larger than 16 bytes");
  EXPECT_EQ(problem(assemble(".data\n.space 20\n", options)), "the code is larger than 16 bytes");
  EXPECT_EQ(problem(assemble(".p2align 16\n s_nop 0\n .p2align 16\n", options)), "the code is larger than 16 bytes");
}

// ---- warnings ----

std::string warnings(std::string_view text, Generation generation = Generation::gcn1_4) {
  const Assembly assembly = assembled(text, generation);
  EXPECT_EQ(problem(assembly), "") << text;
  std::string result;
  for (const Remark& remark : assembly.remarks) {
    result +=
        std::to_string(remark.where.line) + ":" + std::to_string(remark.where.column) + ": " + remark.message + "\n";
  }
  return result;
}

TEST(AssemblerWarnings, LiteralsThatAreExtended) {
  EXPECT_EQ(warnings("s_mov_b64 s[0:1], -17"),
            "1:19: the literal of this 64-bit operand is zero-extended: -17 becomes 0x00000000ffffffef\n");
  EXPECT_EQ(warnings("s_ashr_i64 s[0:1], 0x80000000, s2"),
            "1:20: the literal of this 64-bit operand is sign-extended: 0x80000000 becomes 0xffffffff80000000\n");
  EXPECT_EQ(
      warnings("s_cmp_eq_u64 s[0:1], 0xffffffff80000000"),
      "1:22: the literal of this 64-bit operand is zero-extended: 0xffffffff80000000 becomes 0x0000000080000000\n");
  EXPECT_EQ(warnings("s_and_b64 s[0:1], s[2:3], b-a\nb: s_nop 0\na:"),
            "1:27: the literal of this 64-bit operand is zero-extended: b-a (-4) becomes 0x00000000fffffffc\n");
  EXPECT_EQ(warnings("s_mov_b64 s[0:1], 0xffffffffffffffef"),
            "1:19: the literal of this 64-bit operand is zero-extended: 0xffffffffffffffef becomes "
            "0x00000000ffffffef\n");
  EXPECT_EQ(warnings("s_branch 32767\ns_branch -1\ns_branch 0xffff"), "");
  EXPECT_EQ(warnings("s_branch 32768"), "1:10: the distance of a branch is sign-extended: 32768 becomes -32768\n");
  EXPECT_EQ(warnings("s_cbranch_scc0 far\nfar = 65535"),
            "1:16: the distance of a branch is sign-extended: far (65535) becomes -1\n");
  EXPECT_EQ(warnings("s_movk_i32 s0, 65535"), "1:16: the 16-bit immediate is sign-extended: 65535 becomes -1\n");
}

TEST(AssemblerWarnings, NoneWhereTheNumberIsMeant) {
  EXPECT_EQ(warnings("s_mov_b64 s[0:1], -16"), "") << "an inline constant";
  EXPECT_EQ(warnings("s_mov_b64 s[0:1], 0xffffffff"), "");
  EXPECT_EQ(warnings("s_ashr_i64 s[0:1], -17, s2"), "");
  EXPECT_EQ(warnings("s_lshl_b64 s[0:1], s[2:3], -17"), "") << "a 32-bit operand";
  EXPECT_EQ(warnings("s_mov_b32 s0, -17"), "");
  EXPECT_EQ(warnings("s_movk_i32 s0, 0xffff"), "") << "bits, not a number";
  EXPECT_EQ(warnings("s_movk_i32 s0, -1"), "");
  EXPECT_EQ(warnings("s_cmpk_eq_u32 s0, 65535"), "") << "zero-extended";
}

}  // namespace
}  // namespace salu::assembler
