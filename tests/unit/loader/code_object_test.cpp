#include <gmock/gmock.h>

#include <array>

#include "code_objects.hpp"
#include "elf_builder.hpp"
#include "unit/loader_helpers.hpp"

// Relocatable objects of LLVM: salu must load them like ld.lld links them at the same addresses.
namespace salu {
namespace {

using test::ElfBuilder;
using test::FileSection;
using test::sections_of;
using testing::HasSubstr;

/// Every relocation that ld.lld applies: in code against local and global symbols, constants, variables, zeros, a
/// common symbol, through the global offset table and as a branch into another section; in data ABS64, REL32 and REL64.
constexpr std::string_view everything = R"(
.section .rodata,"a",@progbits
.p2align 6
table: .long 11,22,33,44
.section .rodata.str1.1,"aMS",@progbits,1
text: .asciz "hello"
.data
.p2align 4
var: .quad table, helper, pub
.globl pub
pub: .long helper - ., 5
.quad helper - .
.bss
.p2align 3
buf: .zero 64
.comm shared_memory, 256, 6
.weak nowhere
.text
.globl main
.p2align 8
.type main,@function
main:
  s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, table@rel32@lo+4
  s_addc_u32 s5, s5, table@rel32@hi+12
  s_load_dword s6, s[4:5], 0x8
  s_getpc_b64 s[8:9]
  s_add_u32 s8, s8, var@gotpcrel32@lo+4
  s_addc_u32 s9, s9, var@gotpcrel32@hi+12
  s_load_dwordx2 s[10:11], s[8:9], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx2 s[12:13], s[10:11], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dword s14, s[12:13], 0xc
  s_getpc_b64 s[16:17]
  s_add_u32 s16, s16, shared_memory@rel32@lo+4
  s_addc_u32 s17, s17, shared_memory@rel32@hi+12
  s_getpc_b64 s[22:23]
  s_add_u32 s22, s22, pub@gotpcrel32@lo+4
  s_addc_u32 s23, s23, pub@gotpcrel32@hi+12
  s_getpc_b64 s[24:25]
  s_add_u32 s24, s24, nowhere@gotpcrel32@lo+4
  s_addc_u32 s25, s25, nowhere@gotpcrel32@hi+12
  s_load_dwordx2 s[26:27], s[24:25], 0x0
  s_getpc_b64 s[20:21]
  s_add_u32 s20, s20, helper@rel32@lo+4
  s_addc_u32 s21, s21, helper@rel32@hi+12
  s_swappc_b64 s[30:31], s[20:21]
  s_branch far
.Lmain_end:
.size main, .Lmain_end-main
.globl helper
.hidden helper
.type helper,@function
helper:
  s_add_u32 s18, s6, s14
  s_setpc_b64 s[30:31]
.Lhelper_end:
.size helper, .Lhelper_end-helper
.section .text.far,"ax",@progbits
.p2align 8
.globl far
.hidden far
far: s_endpgm
)";

TEST_F(CodeObject, RelocationsComeOutAsLinkersMakeThem) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  for (const std::string processor : {"gfx803", "gfx900", "gfx90a"}) {
    // One entry in the global offset table: the linker determines the order of several entries.
    std::string text(everything);
    for (const std::string_view other : {"var@got", "nowhere@got"}) {
      for (std::size_t at = 0; (at = text.find(other)) != std::string::npos;) text.replace(at, other.size(), "pub@got");
    }
    const std::string object = llvm_.assemble("all.o", text, processor);
    const std::string linker_script =
        "SECTIONS { . = 0x1000; .text : {*(.text)} .rodata : {*(.rodata)} .rodata.str1.1 : {*(.rodata.str1.1)}\n"
        ".data : {*(.data)} .bss : {*(.bss)} .text.far : {*(.text.far)} .common : {*(COMMON)} .got : {*(.got)} }\n";
    (void)llvm_.folder().write("all.ld", linker_script);
    const auto linked = sections_of(llvm_.link("all.exe", "-T all.ld all.o"));
    const Scenario scenario = load(object);
    std::size_t compared = 0;
    for (const auto& [name, section] : linked) {
      if ((section.header.sh_flags & SHF_ALLOC) == 0 || section.header.sh_size == 0) continue;
      const u64 address = section.header.sh_addr;
      ASSERT_TRUE(scenario.memory.is_mapped(address, section.header.sh_size)) << processor << " " << name;
      const bool is_writable = name == ".data" || name == ".bss" || name == ".common";
      EXPECT_EQ(scenario.memory.is_writable(address, section.header.sh_size), is_writable) << name;
      if (section.bytes.empty()) continue;
      EXPECT_EQ(bytes_at(scenario.memory, address, section.bytes.size()), section.bytes) << processor << " " << name;
      compared += section.bytes.size();
    }
    EXPECT_GT(compared, 200U);
  }
}

TEST_F(CodeObject, ARelocatableObjectRunsWithItsConstantsAndCalls) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const Scenario scenario = load(llvm_.assemble("all.o", everything, "gfx900"));
  const Outcome outcome = run_it(scenario);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.stop.pc, scenario.program.find_symbol("far")->address);
  EXPECT_EQ(outcome.state.file[6], 33U);
  EXPECT_EQ(outcome.state.file[14], 44U);
  EXPECT_EQ(outcome.state.file[18], 77U);
  EXPECT_EQ(outcome.state.read64(16), scenario.program.find_symbol("shared_memory")->address);
  EXPECT_EQ(outcome.state.read64(26), 0U);
  EXPECT_EQ(bytes_at(scenario.memory, scenario.program.find_symbol("text")->address, 6), std::string("hello\0", 6));
}

TEST_F(CodeObject, ASharedObjectRunsAtAnyAddress) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  std::string text(everything);
  text.replace(text.find("shared_memory@rel32@lo"), 22, "buf@rel32@lo");
  text.replace(text.find("shared_memory@rel32@hi"), 22, "buf@rel32@hi");
  (void)llvm_.assemble("all.o", text, "gfx900");
  const std::string shared = llvm_.link("all.so", "-shared all.o");
  const auto sections = sections_of(shared);
  for (const u64 base : {u64{0x1000}, u64{0x7f0000000000}}) {
    (void)llvm_.folder().write("all.so", shared);
    const Scenario scenario = test::load_good("code: {file: all.so, base: " + std::to_string(base) + "}\n", {},
                                              llvm_.folder().path("x.yaml"));
    ASSERT_EQ(scenario.program.code.size(), 1U);
    const FileSection& code = sections.at(".text");
    EXPECT_EQ(scenario.program.code[0].base, base + code.header.sh_addr);
    EXPECT_EQ(scenario.program.code[0].words.size() * 4, code.bytes.size());
    EXPECT_EQ(scenario.program.code[0].access, Access::read);
    EXPECT_EQ(bytes_at(scenario.memory, base + code.header.sh_addr, code.bytes.size()), code.bytes);
    const Outcome outcome = run_it(scenario);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[6], 33U);
    EXPECT_EQ(outcome.state.file[14], 44U);
    EXPECT_EQ(outcome.state.file[18], 77U);
    EXPECT_EQ(outcome.state.read64(26), 0U);
    // .data contains the addresses of table, helper and pub: R_AMDGPU_RELATIVE64 and R_AMDGPU_ABS64.
    const u64 data = base + sections.at(".data").header.sh_addr;
    const u64 rodata = base + sections.at(".rodata").header.sh_addr;
    std::array<u64, 3> values{};
    scenario.memory.read(data, {reinterpret_cast<u8*>(values.data()), sizeof values});
    EXPECT_EQ(values, (std::array<u64, 3>{rodata, scenario.program.find_symbol("helper")->address, data + 24}));
    EXPECT_TRUE(scenario.memory.is_writable(data, 8));
    EXPECT_FALSE(scenario.memory.is_writable(rodata, 4));
    EXPECT_TRUE(scenario.memory.is_writable(base + sections.at(".bss").header.sh_addr, 64));
  }
  // Without .symtab, the dynamic symbols are used.
  const Scenario stripped = load(llvm_.link("stripped.so", "-shared --strip-all all.o"));
  EXPECT_EQ(run_it(stripped).state.file[18], 77U);
  EXPECT_EQ(stripped.program.describe_address(stripped.program.entry), "main");
}

TEST_F(CodeObject, AbsoluteHalvesOfAddresses) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string object = llvm_.assemble("abs.o",
                                            "f:\n s_mov_b32 s0, g@abs32@lo+8\n s_mov_b32 s1, g@abs32@hi\n s_endpgm\n"
                                            ".type f,@function\n.size f, . - f\n.data\n.globl g\n.long 1\ng: .long 2\n",
                                            "gfx900");
  (void)llvm_.folder().write("abs.o", object);
  const Scenario scenario =
      test::load_good("code: {file: abs.o, base: 0x7f1234567000}\n", {}, llvm_.folder().path("x.yaml"));
  // The code has five dwords; .data follows it, and g is its second dword.
  const Outcome outcome = run_it(scenario);
  EXPECT_EQ(outcome.state.file[0], 0x34567000U + 20 + 4 + 8);
  EXPECT_EQ(outcome.state.file[1], 0x7f12U);
}

// ---- undefined symbols ----

constexpr std::string_view with_missing = R"(
.globl f
.type f,@function
f: s_endpgm
.size f, . - f
.globl literal
.type literal,@function
literal: s_nop 0
  s_mov_b32 s0, ext@abs32@lo
  s_endpgm
.size literal, . - literal
.globl offset
.type offset,@function
offset: s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, ext@gotpcrel32@lo+4
  s_endpgm
.size offset, . - offset
.globl load
.type load,@function
load: s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, pointers@rel32@lo+4
  s_addc_u32 s1, s1, pointers@rel32@hi+12
  s_load_dword s2, s[0:1], 0x0
  s_load_dword s3, s[0:1], 0x10
  s_load_dword s4, s[0:1], 0xc
  s_endpgm
.size load, . - load
.data
pointers: .quad 5, ext_data, 7
)";

TEST_F(CodeObject, InstructionsWithMissingSymbolsDoNotRun) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string object = llvm_.assemble("missing.o", with_missing, "gfx900");
  EXPECT_EQ(run_it(load(object)).stop.reason, StopReason::end_program);
  for (const std::string function : {"literal", "offset"}) {
    EXPECT_THAT(fail(object, at_symbol(function)), HasSubstr("the code of `" + function + "` refers to `ext`"));
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      Scenario scenario = load(object, with_pc(function));
      scenario.options.dispatch = dispatch;
      const Outcome outcome = run_it(scenario);
      EXPECT_EQ(outcome.stop.reason, StopReason::unsupported_instruction) << function;
      EXPECT_EQ(outcome.stop.detail, "refers to `ext`, which this object does not define; link the object first");
      EXPECT_EQ(outcome.stop.pc, scenario.initial.pc + 4);
      EXPECT_EQ(outcome.steps, 2U);
    }
  }
  // Data with the address of an undefined symbol is not mapped.
  const Outcome outcome = run_it(load(object, at_symbol("load")));
  EXPECT_EQ(outcome.stop.reason, StopReason::unmapped_memory);
  EXPECT_THAT(outcome.stop.detail, HasSubstr("would hold the address of `ext_data`"));
  EXPECT_EQ(outcome.state.file[2], 5U);
  EXPECT_EQ(outcome.state.file[3], 7U);
}

TEST_F(CodeObject, ABranchToAMissingSymbolDoesNotRun) {
  ElfBuilder elf;
  const u16 text =
      elf.add_code(".text", {0xbf810000, 0xbf800000, 0xbf820000, 0xbf810000});  // s_endpgm; s_nop, s_branch
  elf.add_symbol("f", text, 0, 4);
  elf.add_symbol("g", text, 4, 12);
  elf.add_relocation(text, 8, 14, elf.add_symbol("elsewhere", 0, 0, 0, STT_NOTYPE));
  const Outcome outcome = run_it(load(elf.build(), with_pc("g")));
  EXPECT_EQ(outcome.stop.reason, StopReason::unsupported_instruction);
  EXPECT_EQ(outcome.stop.pc, 0x1008U);
  EXPECT_THAT(outcome.stop.detail, HasSubstr("`elsewhere`"));
}

TEST_F(CodeObject, WeakMissingSymbolsAreZero) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {0xbe8000ff, 0x12345678, 0xbf810000});  // s_mov_b32 s0, literal
  elf.add_symbol("f", text, 0, 12);
  elf.add_relocation(text, 4, 1, elf.add_symbol("maybe", 0, 0, 0, STT_NOTYPE, STB_WEAK), 3);
  const Scenario scenario = load(elf.build());
  EXPECT_TRUE(scenario.program.unresolved.empty());
  EXPECT_EQ(run_it(scenario).state.file[0], 3U);
}

TEST_F(CodeObject, CommonSymbolsAreAlignedAsTheyAsk) {
  for (const u64 alignment : {u64{0}, u64{1}, u64{16}, u64{8192}, u64{1} << 20}) {
    ElfBuilder elf;
    elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
    elf.add_symbol("x", SHN_COMMON, alignment, 5, STT_OBJECT);
    const Scenario scenario = load(elf.build());
    EXPECT_EQ(scenario.program.find_symbol("x")->address % std::max<u64>(alignment, 1), 0U) << alignment;
  }
  for (const u64 alignment : {u64{3}, u64{1} << 21}) {
    ElfBuilder elf;
    elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
    elf.add_symbol("x", SHN_COMMON, alignment, 5, STT_OBJECT);
    EXPECT_THAT(fail(elf.build(), {}), HasSubstr("damaged: the alignment of the common symbol `x`")) << alignment;
  }
}

// Local symbols of two objects that `ld.lld -r` has combined, each with its own entry.
TEST_F(CodeObject, LocalSymbolsOfOneNameAreSeveral) {
  ElfBuilder elf;
  const u16 text = elf.add_code(
      ".text", {0xbe801c00,                                            // s_getpc_b64 s[0:1]
                0x8000ff00, 0,                                         // s_add_u32 s0, s0, x@gotpcrel32@lo+4
                0x8201ff01, 0,                                         // s_addc_u32 s1, s1, x@gotpcrel32@hi+12
                0xc0060080, 0x00000000,                                // s_load_dwordx2 s[2:3], s[0:1], 0x0
                0xbe801c00,                                            // again, with the other x
                0x8000ff00, 0, 0x8201ff01, 0, 0xc0060100, 0x00000000,  // s_load_dwordx2 s[4:5], s[0:1], 0x0
                0xbf8c007f,                                            // s_waitcnt lgkmcnt(0)
                0xbf810000});
  elf.add_symbol("f", text, 0, 16 * 4);
  constexpr u32 gotpcrel32_lo = 8;
  constexpr u32 gotpcrel32_hi = 9;
  for (const auto& [start, value] : {std::pair{0U, 0x1111U}, std::pair{28U, 0x2222U}}) {
    const auto x = elf.add_symbol("x", SHN_ABS, value, 0, STT_NOTYPE, STB_LOCAL);
    elf.add_relocation(text, start + 8, gotpcrel32_lo, x, 4);
    elf.add_relocation(text, start + 16, gotpcrel32_hi, x, 12);
  }
  const Outcome outcome = run_it(load(elf.build()));
  EXPECT_EQ(outcome.state.file[2], 0x1111U);
  EXPECT_EQ(outcome.state.file[4], 0x2222U);
}

TEST_F(CodeObject, MemoryThatOverlapsTheDataOfAnObjectIsAnError) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string text = "f: s_endpgm\n.type f,@function\n.size f, .-f\n.data\n.p2align 4\n.long 1, 2\n";
  (void)llvm_.folder().write("f.o", llvm_.assemble("d.o", text, "gfx900"));
  const std::string file = llvm_.folder().path("x.yaml");
  EXPECT_THAT(test::load_bad("code: {file: f.o}\nmemory: [{at: 0x1014, size: 16}]\n", {}, file).message,
              HasSubstr("overlaps the memory at 0x1010 to 0x1017"));
  EXPECT_THAT(test::load_bad("code: [{file: f.o}, {file: f.o, base: 0x1010}]\n", {}, file).message,
              HasSubstr("the code at 0x1010 to 0x1013 overlaps the data at 0x1010 to 0x1017"));
  // By default, the next block begins after the data.
  const Scenario both = test::load_good("code: [{file: f.o}, {file: f.o}]\n", {}, file);
  EXPECT_EQ(both.program.code.at(1).base, 0x1100U);
}

// ---- how a run ends ----

TEST_F(CodeObject, TheEndIsThatOfTheFunctionWhereTheRunStarts) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string object = llvm_.assemble("ends.o", R"(
.macro func name
.globl \name
.type \name,@function
\name:
.endm
func falls
  s_mov_b32 s0, 1
.size falls, . - falls
func next
  s_mov_b32 s0, 2
  s_mov_b32 s1, 3
.size next, . - next
func returns
  s_mov_b32 s0, 4
  s_setpc_b64 s[30:31]
.size returns, . - returns
func saved
  s_endpgm_saved
.size saved, . - saved
func ordered
  s_endpgm_ordered_ps_done
.size ordered, . - ordered
)",
                                            "gfx900");
  EXPECT_EQ(load(object).program.function_end, 0x1004U);
  EXPECT_EQ(load(object, at_symbol("next")).program.function_end, 0x100cU);
  EXPECT_EQ(load(object, with_pc("next")).program.function_end, 0x100cU);
  EXPECT_FALSE(load(object, at_symbol("saved")).program.function_end);
  EXPECT_FALSE(load(object, at_symbol("ordered")).program.function_end);
  const Outcome outcome = run_it(load(object, with_pc("next")));
  EXPECT_EQ(outcome.stop.reason, StopReason::returned);
  EXPECT_EQ(outcome.state.file[1], 3U);

  const Scenario returning = load(object, with_pc("returns"));
  EXPECT_FALSE(returning.program.function_end);
  EXPECT_EQ(run_it(returning).stop.reason, StopReason::returned);
  (void)llvm_.folder().write("ends.o", object);
  const std::string file = llvm_.folder().path("x.yaml");
  const Scenario named = test::load_good("code: {file: ends.o}\nregisters: {pc: returns}\n", {}, file);
  EXPECT_FALSE(named.program.function_end);
  EXPECT_EQ(run_it(named).stop.reason, StopReason::returned);
  EXPECT_EQ(run_it(named).state.file[0], 4U);
  const Scenario own =
      test::load_good("code: {file: ends.o}\nregisters: {pc: returns, \"s[30:31]\": 0x1000}\n", {}, file);
  EXPECT_FALSE(own.program.return_address);
}

}  // namespace
}  // namespace salu
