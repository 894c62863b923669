#include <gtest/gtest.h>

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "conformance/llvm.hpp"

// Whole texts: labels, directives and compiler output, against the code that LLVM puts into an object.
namespace salu::conformance {
namespace {

/// The bytes of a section in an ELF object; relocations of the object must not matter.
std::vector<u8> section_bytes(const std::filesystem::path& path, const std::string& wanted) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  Elf64_Ehdr header{};
  if (bytes.size() < sizeof header) return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), bytes.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const char* names = bytes.data() + sections[header.e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : sections) {
    if (names + section.sh_name != wanted) continue;
    const auto start = bytes.begin() + static_cast<std::ptrdiff_t>(section.sh_offset);
    return {start, start + static_cast<std::ptrdiff_t>(section.sh_size)};
  }
  return {};
}

/// The dwords of `.text`.
std::vector<u32> text_section(const std::filesystem::path& path) {
  const std::vector<u8> bytes = section_bytes(path, ".text");
  std::vector<u32> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

std::filesystem::path temporary(const std::string& suffix) {
  return std::filesystem::temp_directory_path() / ("salu_programs_" + std::to_string(::getpid()) + suffix);
}

std::vector<u32> llvm_words(std::string_view processor, const std::string& text, std::string* complaint) {
  const auto object = temporary(".o");
  const CommandOutput output = run_command(
      {llvm().mc, "-triple=amdgcn", "-mcpu=" + std::string(processor), "-filetype=obj", "-o", object.string()}, text);
  *complaint = output.err;
  const std::vector<u32> words = text_section(object);
  std::filesystem::remove(object);
  return words;
}

assembler::Assembly salu_words(Generation generation, const std::string& text, u64 base = 0) {
  assembler::Options options;
  options.generation = generation;
  options.base = base;
  return assembler::assemble(text, options);
}

std::string first_error(const assembler::Assembly& assembly) {
  return assembly.errors.empty() ? std::string{} : assembly.errors.front().message;
}

struct Program {
  std::string name;
  std::string text;
};

std::ostream& operator<<(std::ostream& out, const Program& program) { return out << program.name; }

class Programs : public testing::TestWithParam<Program> {};

TEST_P(Programs, SameWordsOnEveryGeneration) {
  SALU_NEEDS_LLVM;
  // docs/reference/llvm-differences.md, Alignment with zeros.
  const bool is_difference = GetParam().name == "alignment_by_zeros" && until_19.has(llvm().version);
  for (const Generation generation : generations()) {
    std::string complaint;
    const std::vector<u32> expected = llvm_words(main_processor(generation), GetParam().text, &complaint);
    ASSERT_TRUE(complaint.empty()) << complaint;
    ASSERT_FALSE(expected.empty());
    // The address of the code does not change it.
    for (const u64 base : {u64{0}, u64{0x10000}}) {
      const assembler::Assembly assembly = salu_words(generation, GetParam().text, base);
      EXPECT_EQ(first_error(assembly), "") << generation_name(generation);
      if (is_difference)
        EXPECT_NE(assembly.words, expected) << generation_name(generation);
      else
        EXPECT_EQ(assembly.words, expected) << generation_name(generation);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Llvm, Programs,
    testing::Values(
        Program{
            "labels",
            "start:\n  s_branch end\nloop: s_add_u32 s0, s0, 1\n  s_cmp_lg_u32 s0, s1\n  s_cbranch_scc1 loop\nend:\n"
            "  s_cbranch_scc0 start\n  s_branch end\n  s_endpgm\n"},
        Program{"numeric_labels",
                "1:\n  s_branch 1f\n  s_branch 1b\n1:\n  s_branch 1b\n2: 3: s_branch 2b\n  s_cbranch_vccz 3b\n  "
                "s_branch 0f\n0:\n"},
        Program{"fork_and_join",
                "  s_cbranch_g_fork s[4:5], s[6:7]\n  s_cbranch_i_fork s[8:9], there\n  s_nop 0\nthere:\n  "
                "s_cbranch_join s3\n"},
        Program{
            "constants",
            ".set four, 4\nfive = four + 1\n.equ six, five + 1\n.equiv seven, 7\n  s_mov_b32 s[four], five\n"
            "  s_mov_b64 s[six:seven], s[four:five]\n.set four, 8\n  s_mov_b32 s0, four*seven\n  s_movk_i32 s1, -four\n"
            "  s_nop five\n  s_mov_b32 s2, (six << 20) | 0xff\n"},
        Program{"differences",
                "a:\n  s_nop 0\n  s_mov_b32 s0, b-a\n  s_add_u32 s1, s1, c-a+4\nb:\n  s_mov_b32 s2, a-b\nc:\n  .long "
                "c-a, b-a, 7\n"},
        Program{
            "data",
            ".long 1, 2, -1, 0xffffffff\n.int 0x80000000\n.4byte 5\n.quad 1, -2\n.8byte 0x123456789abcdef0\n.float "
            "1.5, -2\n"
            ".single 0.1\n.double 1.5\n.fill 2, 4, 0x1234\n.fill 1, 8, 0x12345678\n.space 8\n.zero 4\n.skip 8, 1\n"},
        Program{"alignment",
                "  s_endpgm\n.p2align 3\n  s_nop 1\n.align 16\n  s_nop 2\n.balign 32\n  s_nop 3\n.p2align 4, 0x11\n"
                "  s_nop 4\n.p2align 6,,4\n  s_nop 5\n.p2alignl 4, 0xbf800007\n  s_nop "
                "7\n.balignw 16, 0x1234\n  s_nop 8\n"},
        Program{"alignment_by_zeros", "  s_nop 5\n.p2align 4, 0\n  s_nop 6\n.balign 16, 0\n  s_endpgm\n"},
        Program{"comments",
                "// one\n; two\n/* three */ s_nop 1 // four\n  s_nop /* five\n six */ 2 ; seven\n# eight\n#line 9\n\n  "
                "s_nop 3\n"},
        Program{"no_effect",
                ".text\n.globl f\n.p2align 8\n.type f,@function\nf:\n  s_nop 1\n.Lfunc_end0:\n.size f, .Lfunc_end0-f\n"
                ".ident \"x\"\n.section .rodata,\"a\",@progbits\ntable:\n.long 1\n.byte 2\n.text\n  s_endpgm\n"
                ".section \".note.GNU-stack\",\"\",@progbits\n.addrsig\n.data\n.ascii \"text\"\n.text\n  s_nop 2\n"},
        Program{"sections",
                "  s_nop 1\n.pushsection .rodata,\"a\"\n.long 1\n.popsection\n  s_nop 2\n.data\n.long 2\n.previous\n  "
                "s_nop 3\n"},
        Program{
            "bytes",
            ".byte 1, -1, 0xff, 'a'\n.short 1, 0xffff\n.2byte -32768, 2\n.ascii \"a\\n\\x41\\101\", \"\\\"\\\\\\0z\"\n"
            ".asciz \"abc\"\n.string \"def\"\na: .byte b-a, 1, 2, 3\nb: .short b-a, a-b\n"}),
    [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    LlvmText, Programs,
    testing::Values(
        Program{
            "macros",
            ".macro pair x, y=5, z:vararg\n  .long \\x, \\y\n  .long \\z\n.endm\npair 1\npair 1 2\npair 1, 2, 3, 4\n"
            "pair 1 +2, 7, 9\npair y=3, x=1\npair (1 + 2) 4 5\npair -1 - 2, ~0\n"
            ".macro texts x\n  .ascii \"\\x\"\n.endm\ntexts \"four\"\ntexts five\ntexts \"six \\\"\"\ntexts "
            "\"\"\n.byte 0, 0, 0\n"
            ".macro needed x:req, y\n  .long \\x, \\y+1\n.endmacro\nneeded 1\nneeded 1,2 // a comment\n"
            ".macro any\n  .long 3\n.endm\nany\n"},
        Program{
            "counted_macros",
            ".macro named\nlabel\\@:\n  s_branch label\\@\n  .long \\@, \\+\n.endm\nnamed\nnamed\n"
            ".macro other x\n  named\n  .long \\+, \\@ + \\x\\()0\n.endm\nother 1\nother 2\n.rept 3\n.long \\+\n.endr\n"
            ".irp i, 4, 5\n.long \\+, \\i\n.endr\n"},
        Program{
            "nested_macros",
            ".macro outer name, value\n.macro \\name x\n  s_movk_i32 s\\x, \\value\n.endm\n.endm\nouter first, 7\n"
            "outer second, 8\nfirst 1\nsecond 2\n.macro down n\n.if \\n\n  s_nop \\n\n  down "
            "\\n-1\n.endif\n.endm\ndown 5\n"
            ".macro s_mov3 d, a, b, c\n  s_mov_b32 s[\\d], \\a\n  s_mov_b32 s[\\d+1], \\b\n  s_mov_b32 s[\\d+2], \\c\n"
            ".endm\ns_mov3 4, 1, s0, -1\n.purgem first\n.macro first\n s_nop 9\n.endm\nfirst\n"},
        Program{
            "leaving_macros",
            ".macro some n\n.rept 4\n.if \\n > 2\n.exitm\n.endif\n  s_nop 1\n.endr\n  s_nop 2\n.if \\n == 1\n.exitm\n"
            ".endif\n  s_nop 3\n.endm\nsome 0\nsome 1\nsome 3\n"},
        Program{"repetitions",
                ".rept 3\n  s_nop 1\n  .rept 2\n  s_nop 2\n  .endr\n.endr\n.rept 0\n  s_nop 3\n.endr\n.rep 2\n s_nop "
                "4\n.endr\n"
                ".irp reg, s1, s2 ,vcc_lo\n  s_mov_b32 \\reg, 1\n.endr\n.irp x, 1, \"2\", (3 + 4)\n  .long \\x\n.endr\n"
                ".irpc c, 0189\n  s_nop \\c\n.endr\n.irp none,\n.long 1\n.endr\n.long 2\n"
                ".set i, 0\n.rept 5\n  s_mov_b32 s[i], i\n  .set i, i + 1\n.endr\n"},
        Program{"conditions",
                ".set n, 3\n.if n == 3\n  s_nop 1\n.else\n  bad\n.endif\n.if n > 3\n  bad\n.elseif n == 3\n  s_nop 2\n"
                ".elseif bad\n  bad\n.else\n  bad\n.endif\n.if 0\n.if 1\n  bad\n.else\n  bad\n.endif\n.elseif 0\n  "
                "bad\n.else\n  s_nop 3\n"
                ".endif\n.ifdef n\n  s_nop 4\n.endif\n.ifndef m\n  s_nop 5\n.endif\n.ifnotdef n\n  bad\n.endif\nl: "
                "s_nop 6\n.ifdef l\n"
                "  s_nop 7\n.endif\n.if . - l == 8\n  s_nop 8\n.endif\n"
                ".ifeq n-3\n s_nop 9\n.endif\n.ifne n\n s_nop 10\n.endif\n.ifge n-3\n s_nop 11\n.endif\n.ifgt n-3\n "
                "bad\n.endif\n"
                ".ifle n-3\n s_nop 12\n.endif\n.iflt n-4\n s_nop 13\n.endif\n"},
        Program{
            "conditions_on_texts",
            ".macro m a, b\n.ifb \\a\n s_nop 1\n.endif\n.ifnb \\a\n s_nop 2\n.endif\n.ifc \\a, \\b\n s_nop 3\n.endif\n"
            ".ifnc \\a,\\b\n s_nop 4\n.endif\n.ifeqs \"\\a\", \"x\"\n s_nop 5\n.endif\n.ifnes \"\\a\",\"x\"\n s_nop "
            "6\n.endif\n"
            ".endm\nm\nm x\nm x, x\nm \"x\" y // comment\nm v[0:1], v[0:1]\n"},
        Program{"alternate_macros",
                ".altmacro\n.macro c x, y\n  .long \\x, y\n.endm\nc %(1+2), 4\nc %3+4, %1<<4\n.macro d x\n  .ascii "
                "\"\\x\"\n"
                ".endm\nd <a, !<b!>>\n.byte 0, 0\n.noaltmacro\nc 1, 2\n.set y, 9\nc 1, 2\n"},
        Program{"skipped_text",
                ".if 0\n.macro x\n.if\n.endif\n.endm\nbad bad\n.else\n s_nop 1\n.endif\n.macro y\n.if 1\n "
                "s_nop 2\n.endm\n"
                "y\n s_nop 3\n.else\n bad\n.endif\n s_nop 4\n.end\n bad\n"}),
    [](const auto& each) { return each.param.name; });

// ---- kernels ----

/// A directive of `.amdhsa_kernel` with a value other than the default.
struct KernelDirective {
  std::string name;
  std::string value;
};

const std::vector<KernelDirective>& kernel_directives() {
  static const std::vector<KernelDirective> all = {
      {"group_segment_fixed_size", "4096"},
      {"private_segment_fixed_size", "0x24"},
      {"kernarg_size", "280"},
      {"user_sgpr_private_segment_buffer", "1"},
      {"user_sgpr_dispatch_ptr", "1"},
      {"user_sgpr_queue_ptr", "1"},
      {"user_sgpr_kernarg_segment_ptr", "1"},
      {"user_sgpr_dispatch_id", "1"},
      {"user_sgpr_flat_scratch_init", "1"},
      {"user_sgpr_private_segment_size", "1"},
      {"uses_dynamic_stack", "1"},
      {"user_sgpr_kernarg_preload_length", "5"},
      {"user_sgpr_kernarg_preload_offset", "3"},
      {"user_sgpr_count", "9"},
      {"system_sgpr_private_segment_wavefront_offset", "1"},
      {"enable_private_segment", "1"},
      {"system_sgpr_workgroup_id_x", "0"},
      {"system_sgpr_workgroup_id_y", "1"},
      {"system_sgpr_workgroup_id_z", "1"},
      {"system_sgpr_workgroup_info", "1"},
      {"system_vgpr_workitem_id", "2"},
      {"exception_fp_ieee_invalid_op", "1"},
      {"exception_fp_denorm_src", "1"},
      {"exception_fp_ieee_div_zero", "1"},
      {"exception_fp_ieee_overflow", "1"},
      {"exception_fp_ieee_underflow", "1"},
      {"exception_fp_ieee_inexact", "1"},
      {"exception_int_div_zero", "1"},
      {"float_round_mode_32", "2"},
      {"float_round_mode_16_64", "3"},
      {"float_denorm_mode_32", "1"},
      {"float_denorm_mode_16_64", "2"},
      {"dx10_clamp", "0"},
      {"ieee_mode", "0"},
      {"fp16_overflow", "1"},
      {"tg_split", "1"},
      {"reserve_vcc", "0"},
      {"reserve_flat_scratch", "0"},
  };
  return all;
}

std::string kernel_text(const std::string& directives, const std::string& next_vgpr = "33",
                        const std::string& next_sgpr = "17", const std::string& accumulators = {}) {
  return ".text\nk:\n  s_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr " + next_vgpr +
         " // VGPRs\n\n  .amdhsa_next_free_sgpr " + next_sgpr + "\n" +
         (accumulators.empty() ? "" : "  .amdhsa_accum_offset " + accumulators + "\n") + directives +
         ".end_amdhsa_kernel\n";
}

class KernelBlocks : public testing::TestWithParam<Processor> {
 protected:
  /// Compares the descriptor with LLVM's, unless LLVM rejects the text; then it must be rejected here too.
  static void compare(const std::string& text) {
    const std::string processor = GetParam().name;
    const auto object = temporary(".k.o");
    const CommandOutput output = run_command(
        {llvm().mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=" + processor, "-filetype=obj", "-o", object.string()}, text);
    assembler::Options options;
    options.target = find_target(processor);
    options.generation = options.target->generation;
    const assembler::Assembly assembly = assembler::assemble(text, options);
    ASSERT_EQ(output.status == 0, assembly.errors.empty()) << processor << "\n"
                                                           << text << output.err << first_error(assembly);
    if (output.status != 0) return;
    std::vector<u8> expected = section_bytes(object, ".rodata");
    std::filesystem::remove(object);
    ASSERT_EQ(expected.size(), 64U);
    ASSERT_EQ(assembly.data.size(), 1U);
    std::vector<u8> found = assembly.data.front().bytes;
    ASSERT_EQ(found.size(), expected.size());
    // LLVM leaves the distance to the code to the linker.
    for (std::size_t i = 16; i < 24; ++i) found[i] = expected[i];
    EXPECT_EQ(found, expected) << processor << "\n" << text;
  }
};

TEST_P(KernelBlocks, SameDescriptorAsLlvm) {
  SALU_NEEDS_LLVM;
  const Generation generation = GetParam().generation();
  const std::string accumulators = generation_info(generation).packs_work_item_ids ? "36" : "";
  compare(kernel_text("", "33", "17", accumulators));
  for (const KernelDirective& directive : kernel_directives())
    compare(kernel_text("  .amdhsa_" + directive.name + " " + directive.value + "\n", "33", "17", accumulators));
  for (const char* registers : {"0", "1", "8", "9", "88", "90", "94", "96", "102", "103", "104", "105"})
    compare(kernel_text("", "33", registers, accumulators));
  for (const char* registers : {"0", "1", "4", "5", "24", "25", "256", "257", "512", "513"})
    compare(kernel_text("", registers, "8", generation_info(generation).packs_work_item_ids ? "4" : ""));
  // Missing although required, or only valid for other processors.
  compare(kernel_text("", "8", "8", accumulators.empty() ? "8" : ""));
  compare(kernel_text("  .amdhsa_wavefront_size32 1\n", "33", "8", accumulators));
  compare(kernel_text("  .amdhsa_user_sgpr_count 1\n  .amdhsa_user_sgpr_dispatch_ptr 1\n", "33", "8", accumulators));
  compare(kernel_text("  .amdhsa_ieee_mode 2\n", "33", "8", accumulators));
  compare(kernel_text("  .amdhsa_ieee_mode 1\n  .amdhsa_ieee_mode 1\n", "33", "8", accumulators));
}

INSTANTIATE_TEST_SUITE_P(
    Llvm, KernelBlocks,
    testing::ValuesIn(selected(known_processors(
        {{"gfx700"}, {"gfx802"}, {"gfx803"}, {"gfx810"}, {"gfx900"}, {"gfx908"}, {"gfx90a"}, {"gfx942"}, {"gfx950"}}))),
    [](const auto& each) { return test_name(each.param.name); });

constexpr std::string_view ir = R"(
define amdgpu_ps i32 @collatz(i32 inreg %n) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %n, %entry ], [ %next, %loop ]
  %steps = phi i32 [ 0, %entry ], [ %more, %loop ]
  %half = lshr i32 %x, 1
  %triple = mul i32 %x, 3
  %up = add i32 %triple, 1
  %bit = and i32 %x, 1
  %odd = icmp eq i32 %bit, 1
  %next = select i1 %odd, i32 %up, i32 %half
  %more = add i32 %steps, 1
  %done = icmp ult i32 %next, 2
  br i1 %done, label %exit, label %loop
exit:
  %r = call i32 @llvm.amdgcn.readfirstlane(i32 %more)
  %s = xor i32 %r, 305419896
  ret i32 %s
}
define amdgpu_ps i64 @mix(i64 inreg %a, i64 inreg %b) {
  %x = xor i64 %a, %b
  %y = shl i64 %x, 13
  %z = ashr i64 %y, 7
  %w = add i64 %z, 123456789
  ret i64 %w
}
declare i32 @llvm.amdgcn.readfirstlane(i32)
)";

class CompilerOutput : public testing::TestWithParam<Processor> {};

/// The assembly output of llc, with all its directives, assembles to the code that llc writes as an object.
TEST_P(CompilerOutput, AssemblesToTheObject) {
  SALU_NEEDS_LLVM;
  const auto assembly_file = temporary(".s");
  const auto object_file = temporary(".c.o");
  const std::string processor = "-mcpu=" + GetParam().name;
  for (const std::string triple : {"-mtriple=amdgcn-amd-amdpal", "-mtriple=amdgcn-amd-mesa3d", "-mtriple=amdgcn"}) {
    run_command({llvm().llc, triple, processor, "-filetype=asm", "-o", assembly_file.string()}, ir);
    run_command({llvm().llc, triple, processor, "-filetype=obj", "-o", object_file.string()}, ir);
    std::ifstream stream(assembly_file);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const std::vector<u32> expected = text_section(object_file);
    ASSERT_GT(expected.size(), 10U);
    const assembler::Assembly assembly = salu_words(GetParam().generation(), text);
    // GlobalISel and SelectionDAG leave different instructions to the vector unit; vector instructions cannot be
    // assembled here.
    if (first_error(assembly).find("not a scalar instruction") != std::string::npos) {
      ADD_FAILURE() << "the functions are meant to be scalar: " << first_error(assembly);
      continue;
    }
    EXPECT_EQ(first_error(assembly), "");
    EXPECT_EQ(assembly.words, expected) << triple;
    const auto is_function = [](const Symbol& symbol) { return symbol.name == "collatz" || symbol.name == "mix"; };
    EXPECT_EQ(std::ranges::count_if(assembly.labels, is_function), 2);
  }
  std::filesystem::remove(assembly_file);
  std::filesystem::remove(object_file);
}

INSTANTIATE_TEST_SUITE_P(
    Llvm, CompilerOutput,
    testing::ValuesIn(selected(known_processors(
        {{"tahiti"}, {"bonaire"}, {"tonga"}, {"gfx900"}, {"gfx908"}, {"gfx90a"}, {"gfx942"}, {"gfx950"}}))),
    [](const auto& each) { return test_name(each.param.name); });

}  // namespace
}  // namespace salu::conformance
