#include <salu/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "elf_builder.hpp"
#include "llvm_tools.hpp"
#include "loader/program_builder.hpp"
#include "loader_helpers.hpp"

// Objects as LLVM leaves them: what ld.lld makes of them at the same addresses is what salu has to make of them.
namespace salu {
namespace {

using test::ElfBuilder;
using test::FileSection;
using test::LlvmTools;
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
.comm shared_memory, 256, 64
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

class CodeObject : public testing::Test {
 protected:
  static Scenario load(const std::string& bytes, const LoadOptions& options = {}) {
    auto results = load_bytes(bytes, "test.o", options);
    EXPECT_EQ(results.size(), 1U);
    EXPECT_TRUE(results[0].has_value()) << (results[0] ? "" : results[0].error().to_string());
    return results[0] ? std::move(*results[0]) : Scenario{};
  }
  static std::string fail(const std::string& bytes, const LoadOptions& options = {}) {
    const auto results = load_bytes(bytes, "test.o", options);
    EXPECT_EQ(results.size(), 1U);
    EXPECT_FALSE(results[0].has_value());
    return results[0] ? "" : results[0].error().message;
  }
  static Outcome run_it(const Scenario& scenario) {
    return run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  }
  static std::string bytes_at(const Memory& memory, u64 address, std::size_t count) {
    std::vector<u8> bytes(count);
    memory.read(address, bytes);
    return {bytes.begin(), bytes.end()};
  }
  static LoadOptions with_pc(const std::string& place) {
    LoadOptions options;
    options.set = {"pc=" + place};
    return options;
  }
  static LoadOptions at_symbol(const std::string& symbol) {
    LoadOptions options;
    options.symbol = symbol;
    return options;
  }

  LlvmTools llvm_;
};

TEST_F(CodeObject, RelocationsComeOutAsLinkersMakeThem) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  for (const std::string processor : {"gfx803", "gfx900", "gfx90a"}) {
    // One entry in the global offset table: the order of several is up to the linker.
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

TEST_F(CodeObject, ASharedObjectRunsWhereverItLies) {
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
    // .data holds the addresses of table, helper and pub: R_AMDGPU_RELATIVE64 and R_AMDGPU_ABS64.
    const u64 data = base + sections.at(".data").header.sh_addr;
    const u64 rodata = base + sections.at(".rodata").header.sh_addr;
    std::array<u64, 3> values{};
    scenario.memory.read(data, {reinterpret_cast<u8*>(values.data()), sizeof values});
    EXPECT_EQ(values, (std::array<u64, 3>{rodata, scenario.program.find_symbol("helper")->address, data + 24}));
    EXPECT_TRUE(scenario.memory.is_writable(data, 8));
    EXPECT_FALSE(scenario.memory.is_writable(rodata, 4));
    EXPECT_TRUE(scenario.memory.is_writable(base + sections.at(".bss").header.sh_addr, 64));
  }
  // Without .symtab, the dynamic symbols are there.
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

// ---- what is missing ----

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

TEST_F(CodeObject, WhatRefersToAMissingSymbolDoesNotRun) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string object = llvm_.assemble("missing.o", with_missing, "gfx900");
  EXPECT_EQ(run_it(load(object)).stop.reason, StopReason::end_program);
  for (const std::string function : {"literal", "offset"}) {
    EXPECT_THAT(fail(object, at_symbol(function)), HasSubstr("the code of `" + function + "` refers to `ext`"));
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto, Dispatch::tail_calls}) {
      Scenario scenario = load(object, with_pc(function));
      scenario.options.dispatch = dispatch;
      const Outcome outcome = run_it(scenario);
      EXPECT_EQ(outcome.stop.reason, StopReason::unsupported_instruction) << function;
      EXPECT_EQ(outcome.stop.detail, "refers to `ext`, which this object does not define: link it first");
      EXPECT_EQ(outcome.stop.pc, scenario.initial.pc + 4);
      EXPECT_EQ(outcome.steps, 2U);
    }
  }
  // Data that would hold its address is not there.
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

TEST_F(CodeObject, MemoryThatOverlapsTheDataOfAnObjectIsAnError) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string text = "f: s_endpgm\n.type f,@function\n.size f, .-f\n.data\n.p2align 4\n.long 1, 2\n";
  (void)llvm_.folder().write("f.o", llvm_.assemble("d.o", text, "gfx900"));
  const std::string file = llvm_.folder().path("x.yaml");
  EXPECT_THAT(test::load_bad("code: {file: f.o}\nmemory: [{at: 0x1014, size: 16}]\n", {}, file).message,
              HasSubstr("overlaps the memory at 0x1010 to 0x1017"));
  EXPECT_THAT(test::load_bad("code: [{file: f.o}, {file: f.o, base: 0x1010}]\n", {}, file).message,
              HasSubstr("the code at 0x1010 to 0x1013 overlaps the data at 0x1010 to 0x1017"));
  // By itself, the next block begins behind the data.
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

// ---- compiled code, versions, targets ----

constexpr std::string_view c_source = R"(
__constant int table[4] = {10, 20, 30, 40};
__attribute__((noinline)) static int pick(int i) { return table[i & 3]; }
kernel void k(global int *out, int n) { out[0] = pick(n); }
)";

TEST_F(CodeObject, EveryCodeObjectVersionIsRead) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  for (const std::string version : {"4", "5", "6"}) {
    std::vector<std::string> processors = {"gfx803", "gfx900", "gfx906:sramecc+:xnack-", "gfx90a:xnack+", "gfx942"};
    if (version == "6") processors.emplace_back("gfx9-generic");
    for (const std::string& processor : processors) {
      const std::string object = llvm_.compile("v.o", c_source, processor, "-mcode-object-version=" + version);
      const std::string shared = llvm_.link("v.so", "-shared v.o");
      for (const std::string& bytes : {object, shared}) {
        const Scenario scenario = load(bytes, at_symbol("k"));
        EXPECT_EQ(scenario.program.target->name, processor.substr(0, processor.find(':'))) << version;
        ASSERT_NE(scenario.program.find_symbol("k.kd"), nullptr);
        // The descriptor's kernel_code_entry_byte_offset is the distance from it to the kernel's code.
        i64 distance = 0;
        const u64 descriptor = scenario.program.find_symbol("k.kd")->address;
        scenario.memory.read(descriptor + 16, {reinterpret_cast<u8*>(&distance), 8});
        EXPECT_EQ(descriptor + static_cast<u64>(distance), scenario.program.entry) << processor << " v" << version;
      }
      std::vector<loader::CodeInput> inputs = {loader::make_code_input(object, "v.o", loader::CodeFileKind::elf)};
      const loader::BuiltProgram built = loader::place_code(std::move(inputs), *find_target("gfx900"));
      ASSERT_EQ(built.objects.size(), 1U);
      EXPECT_EQ(built.objects[0].code_object_version, static_cast<u32>(version[0] - '0'));
      EXPECT_EQ(built.objects[0].os_abi, 64U);
      ASSERT_EQ(built.objects[0].notes.size(), 1U);
      EXPECT_EQ(built.objects[0].notes[0].name, "AMDGPU");
      EXPECT_EQ(built.objects[0].notes[0].type, 32U);
      EXPECT_THAT(built.objects[0].notes[0].bytes, HasSubstr("amdhsa.kernels"));
    }
  }
}

TEST_F(CodeObject, EveryProcessorOfTheFamiliesIsKnownByItsFlags) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  std::size_t count = 0;
  for (const Target& target : targets()) {
    if (target.name != target.processor) continue;
    const std::string object = llvm_.assemble("t.o", "f: s_endpgm\n.type f,@function\n.size f, .-f\n",
                                              std::string(target.name), "--amdhsa-code-object-version=6");
    EXPECT_EQ(load(object).program.target->name, target.name);
    ++count;
  }
  EXPECT_GT(count, 25U);
}

TEST_F(CodeObject, VersionsAndSystemsThatAreNotKnown) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
  elf.os_abi = 64;
  for (u8 version = 0; version <= 4; ++version) {
    elf.abi_version = version;
    EXPECT_EQ(load(elf.build()).program.entry, 0x1000U);
  }
  elf.abi_version = 5;
  EXPECT_THAT(fail(elf.build()), HasSubstr("code object version 7"));
  elf.os_abi = ELFOSABI_LINUX;
  EXPECT_THAT(fail(elf.build()), HasSubstr("another operating system (EI_OSABI 3)"));
  elf.os_abi = 65;
  EXPECT_EQ(load(elf.build()).program.entry, 0x1000U);
}

// ---- damage ----

TEST_F(CodeObject, EveryTruncationIsAnError) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  const std::string object = llvm_.compile("t.o", c_source, "gfx900", "-g");
  const std::string shared = llvm_.link("t.so", "-shared t.o");
  for (const std::string& whole : {object, shared}) {
    ASSERT_TRUE(load(whole).program.target != nullptr);
    for (std::size_t size = 0; size < whole.size(); size += size < 512 ? 1 : 7) {
      const std::string message = fail(whole.substr(0, size));
      if (size >= 4) {
        EXPECT_THAT(message, HasSubstr("truncated")) << size;
      }
    }
    EXPECT_THAT(fail(whole.substr(0, whole.size() - 1)),
                HasSubstr("its section table would end at byte " + std::to_string(whole.size()) +
                          ", but the file has " + std::to_string(whole.size() - 1) + " bytes"));
  }
}

TEST_F(CodeObject, DamagedTablesAreNamed) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {0xbf800000, 0xbf810000});
  elf.add_symbol("f", text, 0, 8);
  const u32 g = elf.add_symbol("g", text, 4, 4);
  const auto with = [&](u64 offset, u32 type, u32 symbol) {
    ElfBuilder changed = elf;
    changed.add_relocation(text, offset, type, symbol);
    return fail(changed.build());
  };
  EXPECT_THAT(with(8, 10, g), HasSubstr("R_AMDGPU_REL32_LO at .text+0x8 lies outside the contents"));
  EXPECT_THAT(with(6, 10, g), HasSubstr("lies outside the contents"));
  EXPECT_THAT(with(~u64{0}, 10, g), HasSubstr("lies outside the contents"));
  EXPECT_THAT(with(0, 12, g), HasSubstr("not known: relocation type 12 at .text+0x0"));
  EXPECT_THAT(with(0, 10, 99), HasSubstr("a relocation is against symbol 99 of 3"));
  EXPECT_THAT(with(0, 8, 0), HasSubstr("names no symbol"));

  std::string bytes = elf.build();
  const auto patched = [&](std::size_t offset, u64 value, std::size_t size) {
    std::string changed = bytes;
    for (std::size_t i = 0; i < size; ++i) changed[offset + i] = static_cast<char>(value >> (8 * i));
    return fail(changed);
  };
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_shentsize), 40, 2), HasSubstr("a section header has 40 bytes"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_shoff), 0, 8), HasSubstr("no section table"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_shoff), ~u64{0} - 8, 8), HasSubstr("section table"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_shnum), 60000, 2), HasSubstr("its section table would end at byte"));
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t first = header.e_shoff + sizeof(Elf64_Shdr);
  EXPECT_THAT(patched(first + offsetof(Elf64_Shdr, sh_size), 1 << 20, 8), HasSubstr("section `.text` would end"));
  EXPECT_THAT(patched(first + offsetof(Elf64_Shdr, sh_offset), ~u64{0} - 3, 8), HasSubstr("2^64"));

  elf.type = ET_DYN;
  bytes = elf.build();
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_THAT(patched(header.e_phoff + offsetof(Elf64_Phdr, p_filesz), 4096, 8), HasSubstr("the segment at 0x0"));
  EXPECT_THAT(patched(header.e_phoff + offsetof(Elf64_Phdr, p_memsz), 4, 8), HasSubstr("only 4 in memory"));
  EXPECT_THAT(patched(header.e_phoff + offsetof(Elf64_Phdr, p_type), PT_NOTE, 4), HasSubstr("no segment to load"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_phentsize), 32, 2), HasSubstr("a program header has 32 bytes"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_phnum), 60000, 2), HasSubstr("program header table would end"));
}

TEST_F(CodeObject, WhatIsZeroCostsNothing) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string text = "f: s_endpgm\n.type f,@function\n.size f, .-f\n.bss\nlarge: .zero 0x100000000000\n";
  const Scenario scenario = load(llvm_.assemble("large.o", text, "gfx900"));
  const u64 large = scenario.program.find_symbol("large")->address;
  EXPECT_TRUE(scenario.memory.is_writable(large, 0x100000000000));
  EXPECT_EQ(scenario.memory.nonzero_pages(), (std::vector<u64>{0x1000}));
  // Code is no such thing: an executable segment without sections that say what is code is code as a whole.
  ElfBuilder elf;
  elf.type = ET_DYN;
  elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
  std::string bytes = elf.build();
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t text_header = header.e_shoff + sizeof(Elf64_Shdr);
  bytes[text_header + offsetof(Elf64_Shdr, sh_flags)] = SHF_ALLOC;
  EXPECT_EQ(load(bytes).program.code.at(0).words, (std::vector<u32>{0xbf810000}));
  bytes[header.e_phoff + offsetof(Elf64_Phdr, p_memsz) + 5] = 1;
  EXPECT_THAT(fail(bytes), HasSubstr("MiB of code and data"));
}

}  // namespace
}  // namespace salu
