#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "repetitions.hpp"

namespace salu::assembler {
namespace {

using testing::HasSubstr;

/// All errors of a text, one per line: `line:column: message`.
std::string errors(std::string_view text, Generation generation = Generation::gcn1_4) {
  Options options;
  options.generation = generation;
  std::string result;
  for (const Error& error : assemble(text, options).errors) {
    EXPECT_EQ(error.code, ErrorCode::assembly);
    result += (result.empty() ? "" : "\n") + std::to_string(error.where.line) + ":" +
              std::to_string(error.where.column) + ": " + error.message;
  }
  return result;
}

TEST(AssemblerErrors, UnknownInstructions) {
  EXPECT_EQ(errors("s_ad_u32 s0, s1, s2"), "1:1: unknown instruction 's_ad_u32'; did you mean s_add_u32?");
  EXPECT_EQ(errors("\n\n   s_mov_32 s0, s1"), "3:4: unknown instruction 's_mov_32'; did you mean s_mov_b32?");
  EXPECT_EQ(errors("s_cmp_eq_32 s0, s1"),
            "1:1: unknown instruction 's_cmp_eq_32'; did you mean s_cmp_eq_i32 or s_cmp_eq_u32?");
  EXPECT_EQ(errors("hello world"), "1:1: unknown instruction 'hello'");
  EXPECT_EQ(errors("image_load v0, v1"),
            "1:1: 'image_load' is not an instruction that salu supports (its words can be given with .long)");
  EXPECT_EQ(errors("s_mul_hi_u32 s0, s1, s2", Generation::gcn1_0),
            "1:1: s_mul_hi_u32 is not available on gcn1.0 (it is on gcn1.4, cdna1, cdna2, cdna3, cdna4)");
  EXPECT_EQ(errors("s_setkill 1", Generation::gcn1_0),
            "1:1: s_setkill is not available on gcn1.0 (it is on gcn1.1, gcn1.2, gcn1.4, cdna1, cdna2, cdna3, cdna4)");
  EXPECT_EQ(errors(std::string(100, 'a')), "1:1: unknown instruction '" + std::string(40, 'a') + "...'");
}

// An earlier use could refer to either value.
TEST(AssemblerErrors, NamesThatAreSetAgainAfterTheirUse) {
  EXPECT_EQ(errors(".set v, w+1\n.long v\n.set v, w+2\n.long v\nw=10"),
            "3:6: 'v' is set in line 1, and again here, but was used before it had a value");
  EXPECT_EQ(errors("a = b\nb = 3\n.long a\nb = 7"),
            "4:1: 'b' is set in line 2, and again here, but was used before it had a value");
  EXPECT_EQ(errors("s_mov_b32 s0, x\nx = 1\nx = 2"),
            "3:1: 'x' is set in line 2, and again here, but was used before it had a value");
}

// Some thousands of definitions, evaluated a million times: a short text that would take hours.
TEST(AssemblerErrors, WorkWithoutEndIsGivenUp) {
  std::string chain;
  for (int i = 0; i < 3000; ++i) chain += fmt::format(".set a{}, a{}+0\n", i, i + 1);
  EXPECT_THAT(errors(chain + ".rept 500000\n.ifdef a0\n.endif\n.endr"),
              HasSubstr("evaluating expressions takes too long"));
  std::string tree = ".set e0, e1";
  for (int i = 1; i < 2000; ++i) tree += "+1";
  for (int i = 1; i < 30; ++i) tree += fmt::format("\n.set e{}, e{}+{}", i, i + 1, i);
  EXPECT_THAT(errors(tree + "\n.rept 500000\n.set z, e0\n.endr"), HasSubstr("evaluating expressions takes too long"));
}

TEST(AssemblerErrors, DefinitionsThatNothingUsesDivideByZero) {
  EXPECT_EQ(errors("k = 1/0\ns_nop 0"), "1:6: division by zero");
  EXPECT_EQ(errors("s_nop 0\n.set j, 5 % 0\n.equ m, 1/0"), "2:11: division by zero\n3:10: division by zero");
  EXPECT_EQ(errors("k = 1/(b-a-4)\na: s_nop 0\nb:"), "1:6: division by zero");
  // An error of a definition that is used is reported once.
  EXPECT_EQ(errors("k = 1/0\ns_mov_b32 s0, k"), "1:6: division by zero");
  // Definitions without a value at the end of the text, as in LLVM, and redefinitions.
  EXPECT_EQ(errors("k = unknown + 4\nj = k\ns_nop 0"), "");
  EXPECT_EQ(errors("k = 1/0\nk = 1\ns_nop 0"), "");
}

// LLVM: "SHT_NOBITS section '.bss' cannot have non-zero initializers".
TEST(AssemblerErrors, SectionsWithoutContentsHaveZeros) {
  const std::string why = " does not have contents in an object (@nobits): only zeros can be put into it";
  for (const std::string section : {".bss", ".section .bss.x", ".section .bss, \"aw\""}) {
    const std::string name = section == ".section .bss.x" ? "`.bss.x`" : "`.bss`";
    EXPECT_EQ(errors(section + "\n.long 0, 5\n.text\ns_nop 0"), "2:10: " + name + why);
  }
  for (const std::string type : {"@nobits", "%nobits", "\"nobits\""})
    EXPECT_EQ(errors(".section .foo, \"aw\", " + type + "\n.ascii \"a\""), "2:8: `.foo`" + why);
  EXPECT_EQ(errors(".bss\n.fill 4, 1, 7"), "2:7: `.bss`" + why);
  EXPECT_EQ(errors(".bss\n.float 1.0"), "2:8: `.bss`" + why);
  EXPECT_EQ(errors(".bss\na: .quad a"), "2:10: `.bss`" + why);
  EXPECT_EQ(errors(".section .bss.x, \"aw\", @progbits\n.long 5\n.section .foo, \"aw\"\n.long 5"), "");
  EXPECT_EQ(errors(".bss\na: .zero 5\n.p2align 3, 7\nb: .long b - a - 8\n.comm c, 8, 4"), "");
}

TEST(AssemblerErrors, TextThatLlvmRejectsOrExtends) {
  EXPECT_EQ(errors("s_nop 0\n. = . + 8"), "2:1: '.' cannot be set here; use .space to reserve memory");
  EXPECT_EQ(errors(".set ., 5"), "1:6: '.' cannot be set here; use .space to reserve memory");
  EXPECT_EQ(errors(".text 1\ns_nop 0"), "1:1: numbered subsections are not supported");
  EXPECT_EQ(errors(".text 0\ns_nop 0"), "");
  EXPECT_EQ(errors(".rept 2 garbage\ns_nop 0\n.endr"), "1:9: unexpected 'garbage' after .rept");
  EXPECT_EQ(errors(".double 0x3ff0000000000000"), "1:9: expected a number in decimal");
  EXPECT_EQ(errors(".float 'a'"), "1:8: expected a number in decimal");
  EXPECT_EQ(errors(".p2align 4,,-1\ns_nop 0"), "1:13: the padding limit of an alignment is at least 1 byte");
  EXPECT_EQ(errors(".previous"), "1:1: .previous without a section before this one");
  EXPECT_EQ(errors(".weak 5"), "1:7: expected a name");
  EXPECT_EQ(errors(".purgem\ns_nop 0"), "1:8: expected a name");
  EXPECT_EQ(errors("s_sub_u32_e64 s41, 6, 22"), "1:1: s_sub_u32 does not have the form _e64 on gcn1.4");
  EXPECT_EQ(errors("s_nop (70000)"), "1:7: 70000 does not fit in 16 bits");
}

TEST(AssemblerErrors, Operands) {
  EXPECT_EQ(errors("s_add_u32 s0, s1"), "1:17: s_add_u32 takes 3 operands");
  EXPECT_EQ(errors("s_nop"), "1:6: s_nop takes 1 operand");
  EXPECT_EQ(errors("s_add_u32 s0, s1, s2, s3"), "1:21: unexpected ',' after the operands of s_add_u32");
  EXPECT_EQ(errors("s_add_u32 s0 = s2"), "1:14: expected ',' before the next operand of s_add_u32");
  EXPECT_EQ(errors("s_add_u32 s[0:1], s1, s2"), "1:11: sdst of s_add_u32 must be one register, such as s0");
  EXPECT_EQ(errors("s_mov_b64 s[0:1], s2"), "1:19: ssrc0 of s_mov_b64 must be a pair of registers, such as s[0:1]");
  EXPECT_EQ(errors("s_mov_b64 s[1:2], s[2:3]"), "1:11: sdst of s_mov_b64 must start at an even register");
  EXPECT_EQ(errors("s_load_dwordx4 s[2:5], s[2:3], 0"),
            "1:16: sdata of s_load_dwordx4 must start at a register that is a multiple of four");
  EXPECT_EQ(errors("s_mov_b32 5, s0"), "1:11: sdst of s_mov_b32 must be one register, such as s0");
  EXPECT_EQ(errors("s_swappc_b64 s[0:1], 0x1000"),
            "1:22: ssrc0 of s_swappc_b64 must be a pair of registers, such as s[0:1]");
  EXPECT_EQ(errors("s_load_dword m0, s[2:3], 0"), "1:14: sdata of s_load_dword cannot be this operand");
  EXPECT_EQ(errors("s_cbranch_g_fork 0x1234, s[2:3]"),
            "1:18: ssrc0 of s_cbranch_g_fork can be a register or an inline constant (-16 to 64, 0.5, 1.0, 2.0, 4.0), "
            "not a literal");
  EXPECT_EQ(errors("s_add_u32 s0, 0x12345, 0x54321"), "1:24: only one literal is possible in an instruction");
  EXPECT_EQ(errors("s_add_u32 s0, a, 0x54321\na:"), "1:18: only one literal is possible in an instruction");
  EXPECT_EQ(errors("s_add_u32 s0, lit(0), a\na:"), "1:23: only one literal is possible in an instruction");
  EXPECT_EQ(errors("s_mov_b32 s0, 0x100000000"), "1:15: 0x100000000 does not fit in the 32 bits of a literal");
  EXPECT_EQ(errors("s_mov_b32 s0, 0x8000000000000000"),
            "1:15: 0x8000000000000000 does not fit in the 32 bits of a literal");
  EXPECT_EQ(errors("n = 1 << 40\ns_mov_b32 s0, n + 1"),
            "2:15: n + 1 (1099511627777) does not fit in the 32 bits of a literal");
  EXPECT_EQ(errors("s_mov_b32 s0, 1e40"), "1:15: this number does not fit in single precision");
  EXPECT_EQ(errors("s_mov_b64 s[0:1], 1.5"),
            "1:19: a 64-bit operand takes the floating-point numbers 0.5, 1.0, 2.0, 4.0, their negatives, "
            "0.15915494309189532 and 0.0; "
            "another one does not fit in a literal");
  EXPECT_EQ(errors("s_mov_b32 s0, v3"), "1:15: v3 is a vector register");
}

TEST(AssemblerErrors, RegistersOfOtherGenerations) {
  EXPECT_EQ(errors("s_mov_b32 s0, s102"), "1:15: register s102 is not available on gcn1.4 (s0 to s101)");
  EXPECT_EQ(errors("s_mov_b32 s0, s[102]"), "1:15: register s[102:102] is not available on gcn1.4 (s0 to s101)");
  EXPECT_EQ(errors("s_mov_b64 s[0:1], flat_scratch", Generation::gcn1_0),
            "1:19: register flat_scratch is not available on gcn1.0");
  EXPECT_EQ(errors("s_mov_b32 s0, ttmp12", Generation::gcn1_2), "1:15: register ttmp12 is not available on gcn1.2");
  EXPECT_EQ(errors("s_mov_b32 s0, src_shared_base", Generation::gcn1_2),
            "1:15: src_shared_base is not available on gcn1.2");
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(HW_REG_TBA_LO)", Generation::gcn1_1),
            "1:24: HW_REG_TBA_LO is not available on gcn1.1");
  EXPECT_EQ(errors("s_sendmsg sendmsg(MSG_SAVEWAVE)", Generation::gcn1_1),
            "1:19: MSG_SAVEWAVE is not available on gcn1.1");
}

TEST(AssemblerErrors, Immediates) {
  EXPECT_EQ(errors("s_nop 65536"), "1:7: 65536 does not fit in 16 bits");
  EXPECT_EQ(errors("s_cmpk_eq_u32 s0, -1"), "1:19: -1 does not fit in 16 bits without sign");
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(64)"), "1:24: a hardware register number must be from 0 to 63");
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(1, 32, 1)"),
            "1:27: the first bit of a hardware register field must be from 0 to 31");
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(1, 0, 33)"), "1:30: a hardware register field is 1 to 32 bits wide");
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(1, 0)"), "1:28: expected ',' and the number of bits");
  EXPECT_EQ(errors("s_getreg_b32 s0, {id: 1, size: 40}"), "1:32: a hardware register field is 1 to 32 bits wide");
  EXPECT_EQ(errors("s_waitcnt vmcnt(16)", Generation::gcn1_2), "1:17: vmcnt must be from 0 to 15 on gcn1.2");
  EXPECT_EQ(errors("s_waitcnt vscnt(0)"), "1:11: unknown counter 'vscnt': expected vmcnt, expcnt or lgkmcnt");
  EXPECT_EQ(errors("s_sendmsg sendmsg(MSG_GS)"), "1:19: MSG_GS needs an operation");
  EXPECT_EQ(errors("s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 4)"), "1:38: a stream must be from 0 to 3");
  EXPECT_EQ(errors("s_sendmsg sendmsg(MSG_INTERRUPT, 0)"), "1:34: MSG_INTERRUPT does not take an operation");
  EXPECT_EQ(errors("s_set_gpr_idx_on s0, gpr_idx(SRC0,SRC0)"), "1:35: SRC0 is given twice");
  EXPECT_EQ(errors("s_set_gpr_idx_on s0, gpr_idx(SRC0"), "1:34: expected ')' after gpr_idx(");
}

TEST(AssemblerErrors, NamesInsideImmediates) {
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(HW_REG_TRAPST)"),
            "1:24: no hardware register HW_REG_TRAPST on gcn1.4; did you mean HW_REG_TRAPSTS?");
  EXPECT_EQ(errors("s_getreg_b32 s0, hwreg(nonsense_and_more, 0, 1)"),
            "1:24: no hardware register nonsense_and_more on gcn1.4");
  EXPECT_EQ(errors("s_sendmsg sendmsg(MSG_INTERUPT)"),
            "1:19: no message MSG_INTERUPT on gcn1.4; did you mean MSG_INTERRUPT?");
  EXPECT_EQ(errors("s_sendmsg sendmsg(MSG_GS, GS_OP_CUTT, 0)"),
            "1:27: no operation of this message GS_OP_CUTT on gcn1.4; did you mean GS_OP_CUT?");
  EXPECT_EQ(errors("which = 1\ns_getreg_b32 s0, hwreg(which)\ns_getreg_b32 s0, hwreg(which + 1, 0, 8)"), "");
}

TEST(AssemblerErrors, ScalarMemory) {
  EXPECT_EQ(errors("s_load_dword s0, s[2:3], 256", Generation::gcn1_0),
            "1:26: the offset, in dwords, must be from 0 to 255 on gcn1.0");
  EXPECT_EQ(errors("s_load_dword s0, s[2:3], -4", Generation::gcn1_2),
            "1:26: the offset, in bytes, must be from 0 to 1048575");
  EXPECT_EQ(errors("s_load_dword s0, s[2:3], s4 offset:4", Generation::gcn1_2),
            "1:29: an offset in addition to a register requires gcn1.4 or later");
  EXPECT_EQ(errors("s_load_dword s0, s[2:3], s4 glc glc"), "1:33: glc is given twice");
  EXPECT_EQ(errors("s_load_dword s0, s[2:3], s[4:5]"),
            "1:26: the offset of s_load_dword must be one register, such as s0, or a number");
  EXPECT_EQ(errors("s_load_dword s0, s[2:3], 4 slc"), "1:28: unexpected 'slc' after the operands of s_load_dword");
  EXPECT_EQ(errors("s_atc_probe 128, s[2:3], 4"), "1:13: a probe's immediate must be from 0 to 127");
}

TEST(AssemblerErrors, Names) {
  EXPECT_EQ(errors("s_branch nowhere"), "1:10: 'nowhere' is not defined");
  EXPECT_EQ(errors("s_branch 1f"), "1:10: label '1:' is not defined");
  EXPECT_EQ(errors("s_branch 1b"), "1:10: no label '1:' before this");
  EXPECT_EQ(errors("a: s_nop 0\na: s_nop 0"), "2:1: 'a' is already defined in line 1");
  EXPECT_EQ(errors("a: s_nop 0\na = 5"), "2:1: 'a' is already defined in line 1");
  EXPECT_EQ(errors(".equiv a, 1\n.equiv a, 2"), "2:8: 'a' is already defined in line 1");
  EXPECT_EQ(errors("a = b\nb = a\ns_mov_b32 s0, a"), "2:5: 'a' is defined by itself or through too many other names");
  EXPECT_EQ(errors("s_mov_b32 s0, table\n.section .debug_info\ntable: .long 1"),
            "1:15: 'table' is in a section that is not assembled");
  EXPECT_EQ(errors("s_mov_b32 s0, f@gotpcrel32@lo+4"), "1:15: 'f' is not defined");
  EXPECT_EQ(
      errors("s_mov_b32 s0, f@gotpcrel64"),
      "1:16: '@gotpcrel64' needs a linker; only @abs32, @rel32 and @gotpcrel32 with @lo and @hi are resolved here");
  EXPECT_EQ(errors(".data\na: .long 1\n.text\n.if a > 4\n.endif"),
            "4:7: this depends on the addresses of data sections, which are not known before the end of the text");
}

TEST(AssemblerErrors, BranchesOutOfReach) {
  const std::string far = ".fill 32768, 4, 0xbf800000\n";
  EXPECT_EQ(errors("s_branch end\n" + far + "end:"),
            "1:10: the target is 32768 dwords away: a branch reaches from -32768 to 32767 dwords");
  EXPECT_EQ(errors("start:\n" + far + "s_cbranch_scc0 start"),
            "3:16: the target is -32769 dwords away: a branch reaches from -32768 to 32767 dwords");
  EXPECT_EQ(errors("start:\n.fill 32767, 4, 0\ns_branch start"), "");
  EXPECT_EQ(errors("s_branch a+2\na:"), "1:10: the branch target is not at a multiple of four bytes");
  EXPECT_EQ(errors("s_branch 65536"),
            "1:10: 65536 dwords are out of reach: a branch reaches from -32768 to 32767 dwords");
  // The lowest possible number; the distance to it wraps.
  EXPECT_EQ(errors("a: s_branch a+0x7fffffffffffffff+1"),
            "1:13: the target is 2305843009213693951 dwords away: a branch reaches from -32768 to 32767 dwords");
}

TEST(AssemblerErrors, AddressesThatDoNotFit) {
  Options options;
  options.base = 0x100000000;
  const Assembly assembly = assemble("s_mov_b32 s0, end\nend:", options);
  ASSERT_EQ(assembly.errors.size(), 1U);
  EXPECT_EQ(assembly.errors[0].message,
            "end (4294967304) does not fit in 32 bits: take the halves of an address with @abs32@lo and @abs32@hi");
}

TEST(AssemblerErrors, Expressions) {
  EXPECT_EQ(errors("s_mov_b32 s0, 1 +"), "1:18: expected a number, a name or '('");
  EXPECT_EQ(errors("s_mov_b32 s0, (1"), "1:17: expected ')'");
  EXPECT_EQ(errors("s_mov_b32 s0, 5/0"), "1:16: division by zero");
  for (const std::string text : {"s_mov_b32 s0, x@\n", "s_mov_b32 s0, x@ \ns_nop 0", "s_mov_b32 s0, x@"})
    EXPECT_EQ(errors(text),
              "1:16: '@' needs a linker; only @abs32, @rel32 and @gotpcrel32 with @lo and @hi are resolved here");
  EXPECT_EQ(errors("s_mov_b32 s0, 1 + 2.5"), "1:19: a floating-point number is not allowed in an expression");
  EXPECT_EQ(errors("s_mov_b32 s0, 0xg"), "1:15: malformed number");
  EXPECT_EQ(errors("s_mov_b32 s0, 089"), "1:15: malformed number");
  for (const std::string number : {"1LU", "1LLL", "1uu", "1.5L", "0xL", "1fu"})
    EXPECT_EQ(errors("s_mov_b32 s0, " + number), "1:15: malformed number") << number;
  for (const std::string constant : {"'ab'", "'\\'", "'\\nn'", "''"})
    EXPECT_NE(errors("s_mov_b32 s0, " + constant), "") << constant;
  EXPECT_EQ(errors("s_mov_b32 s0, 18446744073709551616"), "1:15: this number does not fit in 64 bits");
  EXPECT_EQ(errors("s_mov_b32 s0, " + std::string(5'000'000, '(')), "1:216: this expression is nested too deeply");
  EXPECT_EQ(errors("s_mov_b32 s0, " + std::string(5'000'000, '-') + "1"),
            "1:216: this expression is nested too deeply");
  std::string chain = "s_mov_b32 s0, 1";
  for (int i = 0; i < 100'000; ++i) chain += "+1";
  EXPECT_EQ(errors(chain).substr(0, 200).find("this expression is too long") != std::string::npos, true);
}

TEST(AssemblerErrors, ListsOfRegistersNest) {
  EXPECT_EQ(errors("s_mov_b64 " + std::string(16, '[') + "s0" + std::string(16, ']') + ", 0"),
            errors("s_mov_b64 [s0], 0"));
  EXPECT_EQ(errors("s_mov_b32 " + std::string(16, '[') + "s0" + std::string(16, ']') + ", 0"), "");
  for (const std::size_t depth : {17U, 20'000U, 200'000U, 5'000'000U}) {
    EXPECT_EQ(errors("s_mov_b32 " + std::string(depth, '[') + "s0" + std::string(depth, ']') + ", 0"),
              "1:27: this list of registers is nested too deeply");
  }
  // The next instruction is parsed independently.
  EXPECT_EQ(errors("s_mov_b32 " + std::string(30, '[') + "\ns_mov_b32 [[s0]], 0"),
            "1:27: this list of registers is nested too deeply");
}

// LLVM rejects them, too.
TEST(AssemblerErrors, ByteOrderMarks) {
  const std::string message = "a byte order mark is not allowed in code: save the file as UTF-8 without it";
  EXPECT_EQ(errors("\xef\xbb\xbfs_endpgm"), "1:1: " + message);
  EXPECT_EQ(errors("s_nop 0\n\xef\xbb\xbfs_endpgm"), "2:1: " + message);
}

TEST(AssemblerErrors, QuotesNoHalfCharacters) {
  const std::string name = "a" + std::string(18, 'b');
  const std::string euros = "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac";
  EXPECT_EQ(errors("s_nop 0 \"" + name + euros + "\xe2\x82\xac\""),
            "1:9: unexpected '" + name + euros + "' after the operands of s_nop");
}

TEST(AssemblerErrors, Directives) {
  EXPECT_EQ(errors(".long 0x100000000"), "1:7: 0x100000000 does not fit in 32 bits");
  EXPECT_EQ(errors(".bogus 1"), "1:1: unknown directive '.bogus'");
  EXPECT_EQ(errors("s_nop 0\n.byte 1"), "2:7: code is made of whole dwords: the one that begins here is incomplete");
  EXPECT_EQ(errors(".short 1\ns_nop 0\n.short 2"), "2:1: this instruction would begin within the dword of line 1");
  EXPECT_EQ(errors(".byte 256"), "1:7: 256 does not fit in 8 bits");
  EXPECT_EQ(errors(".short -32769, 1"), "1:8: -32769 does not fit in 16 bits");
  EXPECT_EQ(errors("a: .byte b-a, 0, 0, 0\n.space 252\nb:"), "1:10: b-a (256) does not fit in 8 bits");
  EXPECT_EQ(errors(".ascii \"\\q\""),
            "1:8: unknown escape; expected one of \\b \\f \\n \\r \\t \\\" \\\\, octal and \\x numbers");
  EXPECT_EQ(errors(".ascii 5"), "1:8: expected a text in quotes");
  EXPECT_EQ(errors(".section"), "1:9: expected the name of a section");
  EXPECT_EQ(errors(".data\ns_nop 0"),
            "2:1: instructions are not allowed in section '.data'; use a section of code such as .text");
  EXPECT_EQ(errors(".comm x, -1"), "1:7: a size cannot be negative");
  EXPECT_EQ(errors(".comm x, 4, 16"), "");
  EXPECT_EQ(errors(".comm x, 4, 17"),
            "1:13: an alignment must be from 2^0 to 2^16 (`.comm x, 64, 4` is one of 16 bytes)");
  EXPECT_EQ(errors(".lcomm x, 4, 3"), "1:12: unexpected ',' after .lcomm");
  EXPECT_EQ(errors(".org 8"), "1:1: .org is not supported");
  EXPECT_EQ(errors(".p2align 17"), "1:10: an alignment must be from 2^0 to 2^16");
  EXPECT_EQ(errors(".balign 12"), "1:9: an alignment must be a power of two up to 65536");
  EXPECT_EQ(errors(".fill 3"), "1:7: code is made of whole dwords: the one that begins here is incomplete");
  EXPECT_EQ(errors(".popsection"), "1:1: .popsection without .pushsection");
  EXPECT_EQ(errors(".amdgpu_metadata\n---"), "1:1: .amdgpu_metadata without .end_amdgpu_metadata");
  EXPECT_EQ(errors(".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\""),
            "1:1: the text is for gfx803, which is gcn1.2, but it is assembled for gcn1.4");
  EXPECT_EQ(errors(".amdgcn_target \"gfx900\""), "1:16: expected a target such as \"amdgcn-amd-amdhsa--gfx900\"");
}

TEST(AssemblerErrors, FunctionsInExpressions) {
  EXPECT_EQ(errors(".long max()"), "1:11: expected a number, a name or '('");
  EXPECT_EQ(errors(".long max(1,)"), "1:13: expected a number, a name or '('");
  EXPECT_EQ(errors(".long max(1 2)"), "1:13: expected ',' or ')'");
  EXPECT_EQ(errors(".long max(1"), "1:12: expected ',' or ')'");
  EXPECT_EQ(errors(".long alignto(1)"), "1:7: alignto() takes 2 arguments, not 1");
  EXPECT_EQ(errors(".long alignto(1, 2, 3)"), "1:7: alignto() takes 2 arguments, not 3");
  EXPECT_EQ(errors(".long alignto(5, 0)"), "1:7: alignment to multiples of 0");
  EXPECT_EQ(errors(".long max(nowhere, 1)"), "1:11: 'nowhere' is not defined");
  EXPECT_EQ(errors("a: s_nop 0\n.long max(a, 1)"), "2:7: an argument of a function is a number, not an address");
  EXPECT_EQ(errors(".long min(1, 2)"),
            "1:7: unknown function 'min'; expected one of max, or, alignto, totalnumvgprs, extrasgprs, occupancy");
}

TEST(AssemblerErrors, KernelDescriptors) {
  const std::string begin = "k: s_endpgm\n.rodata\n.amdhsa_kernel k\n.amdhsa_next_free_sgpr 1\n";
  EXPECT_EQ(errors(begin + ".amdhsa_next_free_vgpr n\n.end_amdhsa_kernel"), "5:24: 'n' is not defined");
  EXPECT_EQ(errors(begin + ".amdhsa_next_free_vgpr n\n.end_amdhsa_kernel\n.set n, 257"),
            "3:1: .amdhsa_next_free_vgpr: a kernel has at most 256 VGPRs");
  EXPECT_EQ(errors(begin + ".amdhsa_next_free_vgpr k\n.end_amdhsa_kernel"), "5:24: expected a number, not an address");
  EXPECT_EQ(errors(begin + ".amdhsa_next_free_vgrp 1\n.end_amdhsa_kernel"),
            "5:1: unknown directive '.amdhsa_next_free_vgrp' in .amdhsa_kernel; did you mean next_free_vgpr?");
  EXPECT_EQ(errors(".amd_kernel_code_t\nwavefront_siz = 6\nenable_wgp_mode = 1\npriority 1\n.end_amd_kernel_code_t"),
            "4:10: expected '=' and a value");
  EXPECT_EQ(errors(".amd_kernel_code_t\nwavefront_siz = 6\nenable_wgp_mode = 1\n.end_amd_kernel_code_t"),
            "2:1: unknown field 'wavefront_siz' of amd_kernel_code_t; did you mean wavefront_size?\n"
            "3:1: enable_wgp_mode is 0 before GFX10");
  EXPECT_EQ(errors(".amd_kernel_code_t\n"), "1:1: .amd_kernel_code_t without .end_amd_kernel_code_t");
  EXPECT_EQ(errors(".data\n.amd_kernel_code_t"), "2:1: .amd_kernel_code_t must be in a section of code such as .text");
  EXPECT_EQ(errors(".bss\n.amdhsa_kernel k\n.end_amdhsa_kernel"),
            "2:1: `.bss` does not have contents in an object (@nobits): only zeros can be put into it\n"
            "3:1: unknown directive '.end_amdhsa_kernel'");
}

TEST(AssemblerErrors, AllOfThemInTheOrderOfTheText) {
  EXPECT_EQ(errors("s_branch nowhere\ns_ad_u32 s0, s1, s2\ns_nop 0\n  s_mov_b32 s0"),
            "1:10: 'nowhere' is not defined\n"
            "2:1: unknown instruction 's_ad_u32'; did you mean s_add_u32?\n"
            "4:15: s_mov_b32 takes 2 operands");
}

TEST(AssemblerErrors, PlacesInsideAnotherFile) {
  Options options;
  options.file = "scenario.yaml";
  options.first_line = 7;
  options.first_column = 5;
  const Assembly assembly = assemble("s_nop 0\n  s_mov_b32 s0, s999\n", options);
  ASSERT_EQ(assembly.errors.size(), 1U);
  const Error& error = assembly.errors[0];
  EXPECT_EQ(error.where.file, "scenario.yaml");
  EXPECT_EQ(error.where.line, 8U);
  EXPECT_EQ(error.where.column, 21U);
  EXPECT_EQ(error.source_line, "      s_mov_b32 s0, s999") << "the caret stands under the same column";
}

TEST(AssemblerErrors, SourceLine) {
  const Assembly assembly = assemble("s_nop 0\r\ns_bad\r\ns_nop 0", {});
  ASSERT_EQ(assembly.errors.size(), 1U);
  EXPECT_EQ(assembly.errors[0].source_line, "s_bad");
  EXPECT_EQ(assembly.errors[0].where.line, 2U);
  const Assembly long_line = assemble(std::string(10'000, 'x'), {});
  ASSERT_EQ(long_line.errors.size(), 1U);
  EXPECT_EQ(long_line.errors[0].source_line, "") << "very long lines are not shown";
}

TEST(AssemblerErrors, Comments) {
  EXPECT_EQ(errors("s_nop 0 /* never ends\ns_nop 1"), "1:9: unterminated comment");
  EXPECT_EQ(errors("/* a\n b */ s_bad"), "2:7: unknown instruction 's_bad'");
}

TEST(AssemblerErrors, Conditions) {
  EXPECT_EQ(errors("s_nop 0\n.if 1\n.if 0\n.endif"), "2:1: this condition is not closed by .endif");
  EXPECT_EQ(errors(".endif"), "1:1: .endif without .if");
  EXPECT_EQ(errors(".else"), "1:1: .else without .if, or after .else");
  EXPECT_EQ(errors(".if 1\n.else\n.else\n.endif"), "3:1: .else without .if, or after .else");
  EXPECT_EQ(errors(".if 1\n.else\n.elseif 1\n.endif"), "3:1: .elseif without .if, or after .else");
  EXPECT_EQ(errors(".if\n.endif"), "1:4: expected a number, a name or '('");
  EXPECT_EQ(errors(".if nothing\n.endif"), "1:5: 'nothing' is not defined");
  EXPECT_EQ(errors(".if 1 2\n.endif"), "1:7: unexpected '2' after .if");
  EXPECT_EQ(errors(".ifdef 5\n.endif"), "1:8: expected a name");
  EXPECT_EQ(errors(".ifc a\n.endif"), "1:7: expected ',' and the text to compare with");
  EXPECT_EQ(errors(".ifeqs \"a\"\n.endif"), "1:11: expected ',' and another text in quotes");
  EXPECT_EQ(errors(".ifeqs a, b\n.endif"), "1:8: expected two texts in quotes");
  EXPECT_EQ(errors(".if 0\n.error \"never\"\n.endif\n.error \"now\"\n.err"), "4:1: now\n5:1: .err");
}

TEST(AssemblerErrors, Macros) {
  EXPECT_EQ(errors(".macro foo"), "1:1: .macro without .endm");
  EXPECT_EQ(errors(".macro\n.endm"), "1:7: expected the name of the macro");
  EXPECT_EQ(errors(".macro m 5\n.endm"), "1:10: expected the name of a parameter");
  EXPECT_EQ(errors(".macro m a a\n.endm"), "1:12: macro 'm' has two parameters 'a'");
  EXPECT_EQ(errors(".macro m a:some\n.endm"), "1:12: 'some' is not a kind of parameter; expected 'req' or 'vararg'");
  EXPECT_EQ(errors(".macro m a:vararg, b\n.endm"),
            "1:20: a 'vararg' parameter takes all remaining arguments and must be the last one");
  EXPECT_EQ(errors(".macro m\n.endm\n.macro m\n.endm"),
            "3:8: macro 'm' is already defined in line 1 (.purgem removes it)");
  EXPECT_EQ(errors(".macro m a\n.endm\nm 1, 2"), "3:6: macro 'm' has only 1 parameter");
  EXPECT_EQ(errors(".macro m a\n.endm\nm b=2"), "3:3: macro 'm' does not have a parameter 'b'");
  EXPECT_EQ(errors(".macro m a, b\n.endm\nm a=2, 3"), "3:8: an argument without a name cannot follow one with a name");
  // After a comma there is an argument, even if it is empty.
  EXPECT_EQ(errors(".macro m a, b\n.endm\nm a=2,"), "3:7: an argument without a name cannot follow one with a name");
  EXPECT_EQ(errors(".macro m a, b\n.endm\nm 1 b=,"), "3:8: macro 'm' has only 2 parameters");
  EXPECT_EQ(errors(".macro m a, b\n.endm\nm 1,"), "");
  EXPECT_EQ(errors(".macro m a:req\n.endm\nm"), "3:2: macro 'm' needs its parameter 'a'");
  EXPECT_EQ(errors(".macro m a\n.endm\nm (1"), "3:3: the parentheses of this argument are not closed");
  // The expansion is empty, but takes hours.
  std::string parameters;
  for (int i = 0; i < 3000; ++i) parameters += " p" + std::to_string(i);
  EXPECT_THAT(errors(".macro m" + parameters + "\n\n.endm\n.rept 8000000\nm\n.endr"), HasSubstr("exceed 16 MiB"));
  EXPECT_EQ(errors(".endm"), "1:1: .endm does not close a block");
  EXPECT_EQ(errors(".exitm"), "1:1: .exitm outside of a macro");
  EXPECT_EQ(errors(".purgem m"), "1:9: no macro named 'm'");
  // The place is that in the definition; the message names the expansions.
  EXPECT_EQ(errors("s_nop 0\n.macro m x\n  s_nop 0\n  s_bad \\x\n.endm\nm 1"),
            "4:3: unknown instruction 's_bad' (in macro 'm', used in line 6)");
  EXPECT_EQ(errors(".macro a\n s_bad\n.endm\n.macro b\n a\n.endm\n.rept 1\n b\n.endr"),
            "2:2: unknown instruction 's_bad' (in macro 'a', used in line 5, in macro 'b', used in line 8, in .rept, "
            "used in line 7)");
  const std::string endless = errors(".macro m\n m\n.endm\nm");
  EXPECT_TRUE(endless.starts_with("2:2: macros, repetitions and included files are nested more than 100 deep"))
      << endless;
}

TEST(AssemblerErrors, Repetitions) {
  EXPECT_EQ(errors(".rept 2\ns_nop 0"), "1:1: .rept without .endr");
  EXPECT_EQ(errors(".irp x, 1\ns_nop 0"), "1:1: .irp without .endr");
  EXPECT_EQ(errors(".endr"), "1:1: .endr does not close a block");
  EXPECT_EQ(errors(".rept -1\n.endr"), "1:7: a repetition cannot have a negative count");
  EXPECT_EQ(errors(".rept later\ns_bad\n.endr\nlater:"), "1:7: 'later' is not defined");
  EXPECT_EQ(errors(".rept 0x10000000\ns_nop 0\n.endr"), "1:7: macros, repetitions and included files exceed 16 MiB");
  EXPECT_EQ(errors(".irp 5, 1\n.endr"), "1:6: expected a name");
  EXPECT_EQ(errors(".irp x 1\n.endr"), "1:8: expected ',' and the values of the name");
  EXPECT_EQ(errors(".irpc x, a, b\n.endr"),
            "1:7: .irpc takes one text and repeats the block for each of its characters");
  // Each iteration has the lines of the text.
  EXPECT_EQ(errors(".rept 2\n\n s_bad\n.endr"),
            "3:2: unknown instruction 's_bad' (in .rept, used in line 1)\n"
            "3:2: unknown instruction 's_bad' (in .rept, used in line 1)");
}

TEST(AssemblerErrors, Kernels) {
  const auto kernel = [](const std::string& directives) {
    return errors("k: s_endpgm\n.rodata\n.amdhsa_kernel k\n" + directives + ".end_amdhsa_kernel");
  };
  const std::string enough = ".amdhsa_next_free_sgpr 8\n.amdhsa_next_free_vgpr 1\n";
  EXPECT_EQ(kernel(enough), "");
  EXPECT_EQ(errors(".amdhsa_kernel k"), "1:1: .amdhsa_kernel without .end_amdhsa_kernel");
  EXPECT_EQ(errors(".rodata\n.amdhsa_kernel k\n" + enough + ".end_amdhsa_kernel"), "2:16: 'k' is not defined");
  EXPECT_EQ(kernel(""), "3:1: .amdhsa_next_free_vgpr is missing");
  EXPECT_EQ(kernel(".amdhsa_next_free_vgpr 1\n"), "3:1: .amdhsa_next_free_sgpr is missing");
  EXPECT_EQ(kernel(enough + ".amdhsa_iee_mode 1\n"),
            "6:1: unknown directive '.amdhsa_iee_mode' in .amdhsa_kernel; did you mean ieee_mode?");
  EXPECT_EQ(kernel(enough + "s_nop 0\n"), "6:1: unknown directive 's_nop' in .amdhsa_kernel");
  EXPECT_EQ(kernel(enough + ".amdhsa_tg_split 1\n"), "6:1: .amdhsa_tg_split is not for gcn1.4");
  EXPECT_EQ(kernel(enough + ".amdhsa_ieee_mode 2\n"), "6:1: .amdhsa_ieee_mode cannot be 2");
  EXPECT_EQ(kernel(enough + ".amdhsa_ieee_mode 1 2\n"), "6:21: unexpected '2' after .amdhsa_ieee_mode");
  EXPECT_EQ(kernel(enough + ".amdhsa_next_free_sgpr 8\n"), "6:1: .amdhsa_next_free_sgpr is given twice");
  EXPECT_EQ(kernel(".amdhsa_next_free_sgpr 103\n.amdhsa_next_free_vgpr 1\n"),
            "3:1: .amdhsa_next_free_sgpr: a kernel has at most 102 SGPRs");
  EXPECT_EQ(kernel(".amdhsa_next_free_sgpr 8\n.amdhsa_next_free_vgpr 257\n"),
            "3:1: .amdhsa_next_free_vgpr: a kernel has at most 256 VGPRs");
  EXPECT_EQ(kernel(enough + ".amdhsa_user_sgpr_count 1\n.amdhsa_user_sgpr_queue_ptr 1\n"),
            "3:1: .amdhsa_user_sgpr_count is 1, but 2 are enabled");
  EXPECT_EQ(errors(".amdhsa_code_object_version 2"), "1:29: code object versions are 3 to 6");
  const std::string metadata = ".amdgpu_metadata\n---\n.end_amdgpu_metadata\n";
  EXPECT_EQ(errors(metadata + metadata), "4:1: .amdgpu_metadata is given twice");
}

// llvm-mc 19 accepts and rejects the same.
TEST(AssemblerErrors, FlagsOfSectionsAfterHashes) {
  const std::string no_code =
      "2:1: instructions are not allowed in section '.foo'; use a section of code such as .text";
  for (const std::string flags : {"#alloc,#execinstr", "#execinstr , # alloc", "#alloc,#execinstr,",
                                  "#alloc,#alloc,#execinstr", "#execinstr // as code", "#write,#tls,#execinstr"})
    EXPECT_EQ(errors(".section .foo," + flags + "\ns_nop 0"), "") << flags;
  for (const std::string flags : {"#alloc", "#alloc,#write", "#alloc,#tls"}) {
    EXPECT_EQ(errors(".section .foo," + flags + "\n.long 1"), "") << flags;
    EXPECT_EQ(errors(".section .foo," + flags + "\ns_nop 0"), no_code) << flags;
  }
  const std::string known = "; expected #alloc, #write, #execinstr or #tls";
  EXPECT_EQ(errors(".section x,#exclude"), "1:13: unknown flag of a section '#exclude'" + known);
  EXPECT_EQ(errors(".section x,#alloc,#ALLOC"), "1:20: unknown flag of a section '#ALLOC'" + known);
  EXPECT_EQ(errors(".section x,#"), "1:13: unknown flag of a section" + known);
  EXPECT_EQ(errors(".section x,#alloc #write"), "1:19: unexpected '#' after .section");
  EXPECT_EQ(errors(".section x,#alloc,@progbits"), "1:19: unexpected '@' after .section");
  EXPECT_EQ(errors(".section x,\"a\",#progbits"), "1:16: unexpected '#' after .section");
  EXPECT_EQ(errors(".pushsection x,#alloc"),
            "1:16: the flags of .pushsection are in quotes, as in `.pushsection name, \"ax\"`");
}

// llvm-mc rejects the same.
TEST(AssemblerErrors, DirectivesForLinkersAreChecked) {
  EXPECT_EQ(errors(".type f,@bogus"), "1:10: expected the type of the symbol, such as @function or @object");
  EXPECT_EQ(errors(".type f,@tls_object more"), "1:21: unexpected 'more' after .type");
  EXPECT_EQ(errors(".section foo bar\n.text"),
            "1:10: the name of a section cannot contain blanks; write ',' before its flags");
  EXPECT_EQ(errors(".section foo,\"a\",@progbits bar\n.text"), "1:28: unexpected 'bar' after .section");
  EXPECT_EQ(errors(".section foo,a\n.text"), "1:14: unexpected 'a' after .section");
  EXPECT_EQ(errors(".section \"foo\" \"a\"\n.text"), "1:16: unexpected 'a' after .section");
  for (const std::string binding : {".weak", ".globl", ".global", ".local", ".hidden", ".protected", ".internal"}) {
    const std::size_t column = binding.size() + 2;
    EXPECT_EQ(errors(binding + " ,,"), "1:" + std::to_string(column) + ": expected a name");
    EXPECT_EQ(errors(binding + " a b"), "1:" + std::to_string(column + 2) + ": unexpected 'b' after " + binding);
    EXPECT_EQ(errors(binding + " a,"), "1:" + std::to_string(column + 2) + ": expected a name");
    EXPECT_EQ(errors(binding + "\n" + binding + " a, \"b c\", d"), "");
  }
  EXPECT_EQ(errors(".asciz \"abc\" \"d\""), "1:14: unexpected 'd' after .asciz");
}

TEST(AssemblerErrors, IncludedFiles) {
  EXPECT_EQ(errors(".include \"x\""), "1:10: files cannot be included here");
  EXPECT_EQ(errors(".include x"), "1:10: expected the name of a file in quotes");
  EXPECT_EQ(errors(".incbin \"x\""), "1:9: files cannot be included here");
}

TEST(AssemblerErrors, AtMostTen) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "bad\n";
  const Assembly assembly = assemble(text, {});
  ASSERT_EQ(assembly.errors.size(), 11U);
  EXPECT_EQ(assembly.errors.back().message, "too many errors; stopping");
}

/// Random text: there must be a result before the timeout of this test.
TEST(AssemblerErrors, LargeNonsense) {
  const std::vector<std::string> pieces = {std::string(1, '\0'),
                                           "\xff",
                                           "/*",
                                           "(",
                                           "a:",
                                           "1:\n",
                                           "\"",
                                           "'",
                                           "=",
                                           "x=",
                                           "x=x+",
                                           "s[",
                                           "[",
                                           "{",
                                           "s_nop 0",
                                           "s_nop\n",
                                           ".",
                                           ".set ",
                                           "0x",
                                           "0b",
                                           "9",
                                           "1.",
                                           "e",
                                           ";",
                                           "//",
                                           "\n",
                                           "\\",
                                           "@a@",
                                           "a@b ",
                                           ".data\n/*",
                                           ".section x\n",
                                           ".amdgpu_metadata\n/*\n"};
  for (const std::string& piece : pieces) {
    std::string text;
    while (text.size() < std::size_t{test::work(2'000'000)}) text += piece;
    const Assembly assembly = assemble(text, {});
    EXPECT_LE(assembly.errors.size(), 101U);
  }
}

}  // namespace
}  // namespace salu::assembler
