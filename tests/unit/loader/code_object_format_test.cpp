#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "code_objects.hpp"
#include "elf_builder.hpp"
#include "loader/program/code_files.hpp"
#include "loader/program/program_builder.hpp"

// Versions of code objects, and damaged objects.
namespace salu {
namespace {

using test::ElfBuilder;
using testing::HasSubstr;

class CodeObjectFormat : public CodeObject {};

constexpr std::string_view c_source = R"(
__constant int table[4] = {10, 20, 30, 40};
__attribute__((noinline)) static int pick(int i) { return table[i & 3]; }
kernel void k(global int *out, int n) { out[0] = pick(n); }
)";

TEST_F(CodeObjectFormat, EveryCodeObjectVersionIsRead) {
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

/// Processors that LLVM 19 does not know, and `e_flags` as LLVM 20 writes them: XNACK and SRAMECC are "any", and the
/// highest byte is the version of a generic processor.
constexpr std::array<std::pair<std::string_view, u32>, 2> processors_of_llvm_20 = {
    {{"gfx950", 0x54f}, {"gfx9-4-generic", 0x100'055f}}};

TEST_F(CodeObjectFormat, ProcessorsOfLlvm20AreKnownByTheirFlags) {
  for (const auto& [name, flags] : processors_of_llvm_20) {
    ElfBuilder elf;
    elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
    elf.flags = flags;
    elf.os_abi = 64;
    elf.abi_version = 4;
    EXPECT_EQ(load(elf.build()).program.target->name, name);
  }
}

TEST_F(CodeObjectFormat, EveryProcessorOfTheFamiliesIsKnownByItsFlags) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  std::size_t count = 0;
  for (const Target& target : targets()) {
    if (target.name != target.processor) continue;
    const bool is_newer =
        std::ranges::count(processors_of_llvm_20, target.name, &std::pair<std::string_view, u32>::first) != 0;
    const std::string llvm_mc = is_newer ? SALU_LLVM_MC_22 : SALU_LLVM_MC;
    if (llvm_mc.empty()) continue;
    const std::string object = llvm_.assemble("t.o", "f: s_endpgm\n.type f,@function\n.size f, .-f\n",
                                              std::string(target.name), "--amdhsa-code-object-version=6", llvm_mc);
    EXPECT_EQ(load(object).program.target->name, target.name);
    ++count;
  }
  EXPECT_GT(count, 25U);
}

TEST_F(CodeObjectFormat, VersionsAndSystemsThatAreNotKnown) {
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

TEST_F(CodeObjectFormat, EveryTruncationIsAnError) {
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

TEST_F(CodeObjectFormat, DamagedTablesAreNamed) {
  ElfBuilder elf;
  const u16 text = elf.add_code(".text", {0xbf800000, 0xbf810000});
  elf.add_symbol("f", text, 0, 8);
  const u32 g = elf.add_symbol("g", text, 4, 4);
  const auto with = [&](u64 offset, u32 type, u32 symbol) {
    ElfBuilder changed = elf;
    changed.add_relocation(text, offset, type, symbol);
    return fail(changed.build());
  };
  EXPECT_THAT(with(8, 10, g), HasSubstr("R_AMDGPU_REL32_LO at .text+0x8 is outside of the contents"));
  EXPECT_THAT(with(6, 10, g), HasSubstr("is outside of the contents"));
  EXPECT_THAT(with(~u64{0}, 10, g), HasSubstr("is outside of the contents"));
  EXPECT_THAT(with(0, 12, g), HasSubstr("unknown relocation: relocation type 12 at .text+0x0"));
  EXPECT_THAT(with(0, 10, 99), HasSubstr("a relocation is against symbol 99 of 3"));
  EXPECT_THAT(with(0, 8, 0), HasSubstr("names no symbol"));

  std::string bytes = elf.build();
  const auto patched = [&](std::size_t offset, u64 value, std::size_t size) {
    std::string changed = bytes;
    for (std::size_t i = 0; i < size; ++i) changed[offset + i] = static_cast<char>(value >> (8 * i));
    return fail(changed);
  };
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_shentsize), 40, 2), HasSubstr("a section header has 40 bytes"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_shoff), 0, 8), HasSubstr("the section table of the ELF file is missing"));
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
  EXPECT_THAT(patched(header.e_phoff + offsetof(Elf64_Phdr, p_type), PT_NOTE, 4),
              HasSubstr("does not have a segment to load"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_phentsize), 32, 2), HasSubstr("a program header has 32 bytes"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_phnum), 60000, 2), HasSubstr("program header table would end"));
}

TEST_F(CodeObjectFormat, ZerosUseNoMemory) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string text = "f: s_endpgm\n.type f,@function\n.size f, .-f\n.bss\nlarge: .zero 0x100000000000\n";
  const Scenario scenario = load(llvm_.assemble("large.o", text, "gfx900"));
  const u64 large = scenario.program.find_symbol("large")->address;
  EXPECT_TRUE(scenario.memory.is_writable(large, 0x100000000000));
  EXPECT_EQ(scenario.memory.nonzero_pages(), (std::vector<u64>{0x1000}));
  // An executable segment without sections that mark code is treated as code as a whole.
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
