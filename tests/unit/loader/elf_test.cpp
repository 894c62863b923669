#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "elf_builder.hpp"
#include "repetitions.hpp"
#include "unit/loader_helpers.hpp"

namespace salu {
namespace {

using test::ElfBuilder;
using test::load_bad;
using test::load_good;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::StartsWith;

// LLVM 19, gfx900.
constexpr u32 s_nop = 0xbf800000;
constexpr u32 s_endpgm = 0xbf810000;
constexpr u32 s_add_s0_s1 = 0x80000100;       // s_add_u32 s0, s0, s1
constexpr u32 s_setpc_s30 = 0xbe801d1e;       // s_setpc_b64 s[30:31]
constexpr u32 s_cbranch_scc1_1 = 0xbf850001;  // s_cbranch_scc1 over one instruction
constexpr u32 s_branch_0 = 0xbf820000;        // s_branch to the next instruction

class Elf : public testing::Test {
 protected:
  Scenario load(const std::string& bytes, const LoadOptions& options = {}) const {
    auto results = load_bytes(bytes, "test.o", options);
    EXPECT_EQ(results.size(), 1U);
    EXPECT_TRUE(results[0].has_value()) << (results[0] ? "" : results[0].error().to_string());
    return results[0] ? std::move(*results[0]) : Scenario{};
  }
  Error fail(const std::string& bytes, const LoadOptions& options = {}) const {
    auto results = load_bytes(bytes, "test.o", options);
    EXPECT_EQ(results.size(), 1U);
    EXPECT_FALSE(results[0].has_value());
    return results[0] ? Error{} : results[0].error();
  }
  static LoadOptions at_symbol(const std::string& symbol) {
    LoadOptions options;
    options.symbol = symbol;
    return options;
  }
  static LoadOptions for_cpu(const std::string& mcpu) {
    LoadOptions options;
    options.mcpu = mcpu;
    return options;
  }

  TemporaryFolder folder_;
};

TEST_F(Elf, StartsAtTheFirstFunctionAndEndsWithIt) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_endpgm, s_nop, s_add_s0_s1, s_endpgm});
  elf.add_symbol("later", text, 12, 4);
  elf.add_symbol("first", text, 4, 8);
  elf.add_symbol("label", text, 0, 0, STT_NOTYPE);
  const Scenario scenario = load(elf.build());
  EXPECT_EQ(scenario.program.target->name, "gfx900");
  ASSERT_EQ(scenario.program.code.size(), 1U);
  EXPECT_EQ(scenario.program.code[0].base, 0x1000U);
  EXPECT_EQ(scenario.program.code[0].words, (std::vector<u32>{s_endpgm, s_nop, s_add_s0_s1, s_endpgm}));
  EXPECT_EQ(scenario.program.entry, 0x1004U);
  EXPECT_EQ(scenario.initial.pc, 0x1004U);
  EXPECT_EQ(scenario.program.function_end, 0x100cU);
  EXPECT_FALSE(scenario.program.return_address);
  ASSERT_EQ(scenario.program.symbols.size(), 3U);
  EXPECT_EQ(scenario.program.symbols[0].name, "label");
  EXPECT_EQ(scenario.program.symbols[1].size_bytes, 8U);
}

TEST_F(Elf, StartsAtANamedSymbol) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_nop, s_endpgm, s_nop, s_endpgm});
  elf.add_symbol("f", text, 0, 8);
  elf.add_symbol("g", text, 8, 8);
  elf.add_symbol("label", text, 4, 0, STT_NOTYPE);
  EXPECT_EQ(load(elf.build(), at_symbol("g")).program.entry, 0x1008U);
  EXPECT_EQ(load(elf.build(), at_symbol("label")).program.entry, 0x1004U);
  const Error error = fail(elf.build(), at_symbol("gg"));
  EXPECT_EQ(error.code, ErrorCode::elf);
  EXPECT_THAT(error.message, HasSubstr("unknown symbol `gg`; did you mean `g`"));
  EXPECT_THAT(fail(elf.build(), at_symbol("something_else")).message, HasSubstr("the code has `f` and `g`"));
  // A default entry is reported.
  EXPECT_TRUE(load(elf.build(), at_symbol("g")).remarks.empty());
  const Scenario chosen = load(elf.build());
  EXPECT_EQ(chosen.program.entry, 0x1000U);
  ASSERT_EQ(chosen.remarks.size(), 1U);
  EXPECT_THAT(chosen.remarks[0].message, HasSubstr("starting at the first function, `f`"));
  EXPECT_THAT(chosen.remarks[0].message, HasSubstr("the code has `f` and `g`"));
  EXPECT_EQ(chosen.remarks[0].where.file, "test.o");
}

// Local functions of two linked files.
TEST_F(Elf, AnAmbiguousNameIsReported) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_nop, s_endpgm, s_nop, s_endpgm, s_endpgm});
  elf.add_symbol("f", text, 0, 8);
  elf.add_symbol("f", text, 8, 8);
  elf.add_symbol("g", text, 16, 4);
  elf.add_symbol("g", text, 16, 4);
  const Scenario scenario = load(elf.build(), at_symbol("f"));
  EXPECT_EQ(scenario.program.entry, 0x1000U);
  ASSERT_EQ(scenario.remarks.size(), 1U);
  EXPECT_THAT(scenario.remarks[0].message, StartsWith("`f` is the name of 2 places; the run starts at 0x1000"));
  EXPECT_THAT(scenario.remarks[0].message, HasSubstr("`--set pc=0x1008`"));
  EXPECT_TRUE(load(elf.build(), at_symbol("g")).remarks.empty());
}

TEST_F(Elf, AScenarioNamesFileSymbolAndBase) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_nop, s_endpgm, s_add_s0_s1});
  elf.add_symbol("f", text, 0, 8);
  elf.add_symbol("g", text, 8, 4);
  (void)folder_.write("f.o", elf.build());
  const std::string file = folder_.path("x.yaml");
  const Scenario scenario =
      load_good("code: {file: f.o, symbol: g, base: 0x8000}\nregisters: {s0: f, s1: 2}\n", {}, file);
  EXPECT_EQ(scenario.program.entry, 0x8008U);
  EXPECT_EQ(scenario.program.function_end, 0x800cU);
  EXPECT_EQ(scenario.initial.file[0], 0x8000U);
  const Error error = load_bad("code: {file: f.o, symbol: h}\n", {}, file);
  EXPECT_EQ(error.where, (SourcePlace{file, 1, 27}));
  EXPECT_THAT(error.message, StartsWith("unknown symbol `h`"));
}

TEST_F(Elf, SectionsFollowEachOtherFromTheBase) {
  ElfBuilder elf;
  elf.add_code(".text", {});
  const u16 one = elf.add_code(".text.one", {s_nop, s_nop, s_endpgm});
  ElfBuilder::Section data;
  data.name = ".rodata";
  data.flags = SHF_ALLOC;
  data.alignment = 64;
  data.bytes = std::string(5, 'x');
  const u16 rodata = elf.add(data);
  const u16 two = elf.add_code(".text.two", {s_endpgm}, 256);
  elf.add({".comment", SHT_PROGBITS, 0, 0, 1, "no code"});
  elf.add_symbol("two", two, 0, 4);
  elf.add_symbol("one", one, 0, 12);
  elf.add_symbol("table", rodata, 1, 4, STT_OBJECT);
  const Scenario scenario = load(elf.build());
  ASSERT_EQ(scenario.program.code.size(), 2U);
  EXPECT_EQ(scenario.program.code[0].base, 0x1000U);
  EXPECT_EQ(scenario.program.code[1].base, 0x1100U);
  EXPECT_EQ(scenario.program.entry, 0x1000U);
  EXPECT_EQ(scenario.program.find_symbol("table")->address, 0x1041U);
  EXPECT_EQ(load(elf.build(), at_symbol("two")).program.entry, 0x1100U);
  EXPECT_THAT(fail(elf.build(), at_symbol("table")).message, HasSubstr("not an address in the code"));
}

// The entry must be a function, whether it is named or not.
TEST_F(Elf, StartsAtAnInstruction) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_nop, s_nop, s_endpgm});
  elf.add_symbol("odd", text, 2, 8);
  EXPECT_THAT(fail(elf.build()).message, HasSubstr("the symbol `odd` is not dword aligned"));
  EXPECT_THAT(fail(elf.build(), at_symbol("odd")).message, HasSubstr("the symbol `odd` is not dword aligned"));
  ElfBuilder behind;
  behind.add_symbol("end", behind.add_code(".text", {s_nop, s_endpgm}), 8, 0);
  EXPECT_THAT(fail(behind.build(), at_symbol("end")).message,
              HasSubstr("the symbol `end` is not an address in the code"));
}

TEST_F(Elf, SharedObjectsKeepTheirAddresses) {
  ElfBuilder elf;
  elf.type = ET_DYN;
  const u16 text = elf.add_code(".text", {s_nop, s_endpgm}, 256, 0x1500);
  elf.add_symbol("k", text, 0x1504, 4);
  const Scenario scenario = load(elf.build());
  EXPECT_EQ(scenario.program.code.at(0).base, 0x2500U);
  EXPECT_EQ(scenario.program.entry, 0x2504U);
}

// ---- how functions end ----

TEST_F(Elf, AFunctionThatReturnsByRegisterGetsAReturnAddress) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_add_s0_s1, s_setpc_s30, s_endpgm});
  elf.add_symbol("f", text, 0, 8);
  elf.add_symbol("g", text, 8, 4);
  const Scenario scenario = load(elf.build());
  ASSERT_TRUE(scenario.program.return_address);
  EXPECT_EQ(*scenario.program.return_address, 0xfffffffffffcU);
  EXPECT_EQ(scenario.initial.read64(30), 0xfffffffffffcU);
  EXPECT_TRUE(scenario.initial.defined.test(30) && scenario.initial.defined.test(31));
  // It never reaches its end, so a call of the function after it is not a return.
  EXPECT_FALSE(scenario.program.function_end);
}

TEST_F(Elf, TheUsersReturnAddressIsTheUsers) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_add_s0_s1, s_setpc_s30});
  elf.add_symbol("f", text, 0, 8);
  (void)folder_.write("f.o", elf.build());
  const std::string file = folder_.path("x.yaml");
  const Scenario named = load_good("code: {file: f.o}\nregisters: {\"s[30:31]\": 0x2000}\n", {}, file);
  EXPECT_FALSE(named.program.return_address);
  EXPECT_EQ(named.initial.read64(30), 0x2000U);
  LoadOptions options;
  options.set = {"s31=5"};
  EXPECT_FALSE(load_good("code: {file: f.o}\n", options, file).program.return_address);
  EXPECT_TRUE(load_good("code: {file: f.o}\nregisters: {s29: 1}\n", {}, file).program.return_address);
  // Without s[30:31], the return address cannot be set.
  EXPECT_FALSE(load_good("code: {file: f.o}\nsgprs: 30\n", {}, file).program.return_address);
}

TEST_F(Elf, AnEarlyReturnBranchesToTheEnd) {
  ElfBuilder elf;
  // The branch goes past s_branch, to the end of f.
  const u16 text = elf.add_code(".text", {s_cbranch_scc1_1, s_nop, s_branch_0, s_endpgm});
  elf.add_symbol("f", text, 0, 12);
  EXPECT_EQ(load(elf.build()).program.function_end, 0x100cU);
  ElfBuilder inside;
  const u16 other = inside.add_code(".text", {s_cbranch_scc1_1, s_nop, s_endpgm, s_endpgm});
  inside.add_symbol("f", other, 0, 12);
  EXPECT_FALSE(load(inside.build()).program.function_end);
}

TEST_F(Elf, ASymbolWithoutASizeHasNoEnd) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_nop, s_endpgm});
  elf.add_symbol("f", text, 0, 0);
  EXPECT_FALSE(load(elf.build()).program.function_end);
  ElfBuilder beyond;
  beyond.add_symbol("f", beyond.add_code(".text", {s_nop, s_nop}), 0, 4000);
  EXPECT_EQ(load(beyond.build()).program.function_end, 0x1008U);
}

// ---- relocations ----

TEST_F(Elf, AMissingSymbolInTheCodeThatRunsIsAnError) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_nop, s_endpgm, s_nop, s_nop, s_endpgm});
  elf.add_symbol("f", text, 0, 8);
  elf.add_symbol("g", text, 8, 12);
  const u32 global = elf.add_symbol("global", 0, 0, 0, STT_NOTYPE);
  elf.add_relocation(text, 12, 10, global);
  const Scenario scenario = load(elf.build());
  EXPECT_EQ(scenario.program.entry, 0x1000U);
  ASSERT_EQ(scenario.program.unresolved.size(), 1U);
  EXPECT_EQ(scenario.program.unresolved[0].address, 0x100cU);
  EXPECT_EQ(scenario.program.unresolved[0].symbol, "global");
  const Error error = fail(elf.build(), at_symbol("g"));
  EXPECT_EQ(error.code, ErrorCode::elf);
  EXPECT_THAT(error.message, HasSubstr("the code of `g` refers to `global`, which the object does not define"));
  EXPECT_THAT(error.message, HasSubstr("R_AMDGPU_REL32_LO at g+0x4"));
  EXPECT_THAT(error.message, HasSubstr("link it"));
}

// ---- unsupported objects ----

TEST_F(Elf, TargetsComeFromTheObject) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {s_endpgm}), 0, 4);
  elf.flags = 0x20;
  EXPECT_EQ(load(elf.build()).program.target->name, "gfx600");
  EXPECT_EQ(load(elf.build(), for_cpu("pitcairn")).program.target->name, "pitcairn");
  const Error error = fail(elf.build(), for_cpu("gfx900"));
  EXPECT_EQ(error.code, ErrorCode::target);
  EXPECT_THAT(error.message, HasSubstr("the object test.o is for gfx600 (gcn1.0), but --mcpu is gfx900 (gcn1.4)"));
  // Feature bits in addition to the processor.
  elf.flags = 0x22c;
  EXPECT_EQ(load(elf.build()).program.target->name, "gfx900");
  elf.flags = 0x41;  // gfx1100
  EXPECT_THAT(fail(elf.build()).message, HasSubstr("EF_AMDGPU_MACH 0x41"));
  (void)folder_.write("f.o", elf.build());
  EXPECT_THAT(load_bad("target: gfx900\ncode: {file: f.o}\n", {}, folder_.path("x.yaml")).message,
              HasSubstr("not supported"));
  elf.flags = 0x2c;
  (void)folder_.write("f.o", elf.build());
  const Error other = load_bad("target: tahiti\ncode: {file: f.o}\n", {}, folder_.path("x.yaml"));
  EXPECT_THAT(other.message, HasSubstr("f.o is for gfx900 (gcn1.4), but `target:` is tahiti (gcn1.0)"));
  EXPECT_EQ(other.where.line, 1U);
  EXPECT_EQ(other.where.column, 9U);
}

// A size that ends within an instruction includes all of it.
TEST_F(Elf, AFunctionEndsAfterAnInstruction) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {s_nop, s_nop, s_endpgm}), 0, 6);
  const Scenario scenario = load(elf.build());
  EXPECT_EQ(scenario.program.function_end, 0x1008U);
}

// The header of a section that a linker has dropped may still have flags and an offset beyond the end of the file.
TEST_F(Elf, HeadersWithoutASectionAreNothing) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {s_endpgm}), 0, 4);
  std::string bytes = elf.build();
  Elf64_Ehdr file{};
  std::memcpy(&file, bytes.data(), sizeof file);
  for (u16 i = 1; i < file.e_shnum; ++i) {
    Elf64_Shdr header{};
    char* const place = bytes.data() + file.e_shoff + i * sizeof header;
    std::memcpy(&header, place, sizeof header);
    if (header.sh_type == SHT_PROGBITS) continue;
    std::string damaged = bytes;
    header.sh_type = SHT_NULL;
    header.sh_flags = SHF_ALLOC;
    header.sh_offset = 1U << 20;
    std::memcpy(damaged.data() + file.e_shoff + i * sizeof header, &header, sizeof header);
    for (const Result<Scenario>& scenario : load_bytes(damaged, "test.o")) {
      const std::string problem = scenario ? "" : scenario.error().message;
      EXPECT_FALSE(problem.starts_with("cannot be loaded")) << problem;
    }
  }
}

TEST_F(Elf, OtherFilesAreRefused) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {s_endpgm}), 0, 4);
  elf.machine = EM_X86_64;
  EXPECT_THAT(fail(elf.build()).message, HasSubstr("x86-64 (e_machine 62); expected AMDGPU (224)"));
  elf.machine = 224;
  elf.elf_class = ELFCLASS32;
  EXPECT_THAT(fail(elf.build()).message, HasSubstr("32-bit"));
  elf.elf_class = ELFCLASS64;
  elf.byte_order = ELFDATA2MSB;
  EXPECT_THAT(fail(elf.build()).message, HasSubstr("big-endian"));
  elf.byte_order = ELFDATA2LSB;
  elf.type = ET_EXEC;
  EXPECT_THAT(fail(elf.build()).message, HasSubstr("e_type is 2"));
  EXPECT_THAT(fail("").message, HasSubstr("not an ELF file"));
  EXPECT_THAT(fail("hello, this is text").message, HasSubstr("not an ELF file"));
  EXPECT_THAT(fail("\177ELF").message, HasSubstr("truncated"));
  EXPECT_THAT(fail("__CLANG_OFFLOAD_BUNDLE__xxxx").message, HasSubstr("clang-offload-bundler"));
  EXPECT_THAT(fail("CCOB\002").message, HasSubstr("a compressed bundle"));
  EXPECT_THAT(fail("!<arch>\nf.o/            0").message, HasSubstr("an archive"));
  EXPECT_THAT(fail("!<thin>\n").message, HasSubstr("a thin archive"));
  EXPECT_THAT(fail("BC\xc0\xde\x35\x14").message, HasSubstr("LLVM bitcode"));
  EXPECT_THAT(fail("\xde\xc0\x17\x0b").message, HasSubstr("LLVM bitcode"));
}

TEST_F(Elf, ObjectsWithoutCodeOrFunctions) {
  ElfBuilder empty;
  EXPECT_THAT(fail(empty.build()).message, HasSubstr("does not contain code"));
  ElfBuilder labels;
  labels.add_symbol("label", labels.add_code(".text", {s_endpgm}), 0, 0, STT_NOTYPE);
  EXPECT_THAT(fail(labels.build()).message, HasSubstr("does not contain a function to start at"));
  EXPECT_THAT(fail(labels.build()).message, HasSubstr("`label`"));
  EXPECT_EQ(load(labels.build(), at_symbol("label")).program.entry, 0x1000U);
}

ElfBuilder ordinary() {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {s_add_s0_s1, s_cbranch_scc1_1, s_nop, s_setpc_s30, s_endpgm});
  elf.add_symbol("f", text, 0, 16);
  const u32 global = elf.add_symbol("global", 0, 0, 0, STT_NOTYPE);
  elf.add_relocation(text, 16, 10, global);
  return elf;
}

TEST_F(Elf, TruncatedFilesNeverCrash) {
  const std::string whole = ordinary().build();
  ASSERT_EQ(load(whole).program.entry, 0x1000U);
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto results = load_bytes(whole.substr(0, size), "test.o");
    ASSERT_EQ(results.size(), 1U);
    if (!results[0]) ++refused;
  }
  // The section headers are last, so a truncated file never loads.
  EXPECT_EQ(refused, whole.size());
}

TEST_F(Elf, DamagedFilesNeverCrash) {
  const std::string whole = ordinary().build();
  std::mt19937 random(1);
  for (int i = 0; i < test::repetitions(20000); ++i) {
    std::string damaged = whole;
    const std::size_t count = 1 + random() % 4;
    for (std::size_t k = 0; k < count; ++k) {
      // Headers more often than the rest: they contain offsets and sizes.
      const std::size_t offset = random() % 2 == 0 ? random() % 64 : random() % damaged.size();
      damaged[offset] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    }
    const auto results = load_bytes(damaged, "test.o");
    ASSERT_EQ(results.size(), 1U);
    if (!results[0]) {
      EXPECT_FALSE(results[0].error().message.empty());
    }
  }
}

}  // namespace
}  // namespace salu
