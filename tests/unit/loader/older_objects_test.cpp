#include <salu/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "elf_builder.hpp"
#include "kernel_objects.hpp"
#include "loader/launch/inspection.hpp"
#include "repetitions.hpp"
#include "unit/llvm_tools.hpp"

// Objects whose kernels have a header before their code: code object version 2, and Mesa's.
namespace salu {
namespace {

using test::brief;
using test::buffer_address;
using test::ElfBuilder;
using test::kernarg_address;
using test::load_bad;
using test::load_good;
using test::put;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr u8 symbol_type_kernel = 10;  // STT_AMDGPU_HSA_KERNEL
constexpr u32 mach_gfx803 = 0x2a;

/// Fields of amd_kernel_code_t at their offsets (LLVM, AMDKernelCodeT.h), as a compiler for gfx803 sets them.
struct HeaderFields {
  u32 version = 1;
  std::vector<u16> machine = {1, 8, 0, 3};
  i64 entry = 256;
  u32 rsrc1 = 2 << 6;           // 24 SGPRs
  u32 rsrc2 = 2 << 1 | 1 << 7;  // two user SGPRs, and the work-group's id along x
  u32 properties = 8;           // kernarg segment pointer
  u32 private_bytes = 0;
  u32 group_bytes = 0;
  u64 kernarg_bytes = 32;
  u8 wavefront = 6;

  [[nodiscard]] std::string bytes() const {
    std::string header(256, '\0');
    put(header, 0, version, 4);
    put(header, 4, 2, 4);
    for (std::size_t i = 0; i < machine.size(); ++i) put(header, 8 + 2 * i, machine[i], 2);
    put(header, 16, static_cast<u64>(entry), 8);
    put(header, 48, rsrc1, 4);
    put(header, 52, rsrc2, 4);
    put(header, 56, properties, 4);
    put(header, 60, private_bytes, 4);
    put(header, 64, group_bytes, 4);
    put(header, 72, kernarg_bytes, 8);
    put(header, 84, 24, 2);
    put(header, 86, 3, 2);
    put(header, 100, 4, 1);
    put(header, 103, wavefront, 1);
    return header;
  }
};

std::string note(std::string_view name, u32 type, std::string_view bytes) {
  std::string result(12, '\0');
  put(result, 0, name.size() + 1, 4);
  put(result, 4, bytes.size(), 4);
  put(result, 8, type, 4);
  const auto pad = [&] { result.resize((result.size() + 3) / 4 * 4, '\0'); };
  result += std::string(name) + '\0';
  pad();
  result += bytes;
  pad();
  return result;
}

/// NT_AMD_HSA_ISA_VERSION.
std::string isa_note(u32 major, u32 minor, u32 stepping) {
  std::string bytes(16, '\0');
  put(bytes, 0, 4, 2);
  put(bytes, 2, 7, 2);
  put(bytes, 4, major, 4);
  put(bytes, 8, minor, 4);
  put(bytes, 12, stepping, 4);
  return note("AMD", 3, bytes + std::string("AMD\0AMDGPU\0", 11));
}

/// The NT_AMD_HSA_METADATA that LLVM 8 writes for `kernel void k(global int *out, char c, local int *l, long n)`.
constexpr std::string_view metadata_yaml = R"(---
Version:         [ 1, 0 ]
Kernels:
  - Name:            k
    SymbolName:      'k@kd'
    Language:        OpenCL C
    LanguageVersion: [ 2, 0 ]
    Attrs:
      ReqdWorkGroupSize: [ 32, 2, 1 ]
    Args:
      - Name:            out
        TypeName:        'int*'
        Size:            8
        Align:           8
        ValueKind:       GlobalBuffer
        ValueType:       I32
        AddrSpaceQual:   Global
      - Name:            c
        TypeName:        char
        Size:            1
        Align:           1
        ValueKind:       ByValue
        ValueType:       I8
      - Name:            l
        TypeName:        'int*'
        Size:            4
        Align:           4
        ValueKind:       DynamicSharedPointer
        ValueType:       I32
        PointeeAlign:    4
        AddrSpaceQual:   Local
      - Name:            n
        TypeName:        long
        Size:            8
        Align:           8
        ValueKind:       ByValue
        ValueType:       I64
      - Size:            8
        Align:           8
        ValueKind:       HiddenGlobalOffsetX
        ValueType:       I64
    CodeProps:
      KernargSegmentSize: 32
      GroupSegmentFixedSize: 0
      PrivateSegmentFixedSize: 0
      KernargSegmentAlign: 8
      WavefrontSize:   64
      NumSGPRs:        10
      NumVGPRs:        3
      MaxFlatWorkGroupSize: 256
...
)";

// s_load_dwordx2 s[4:5], s[0:1], 0x10; s_mov_b32 s6, s2; s_endpgm (llvm-mc -mcpu=gfx803)
const std::vector<u32> code_words = {0xc0060100, 0x00000010, 0xbe860002, 0xbf810000};

/// A shared object of version 2 for gfx803 with kernels `k` and `l`.
struct OldObject {
  HeaderFields header;
  std::string notes = note("AMD", 10, metadata_yaml);
  u32 flags = mach_gfx803;
  u8 os_abi = 64;
  u16 type = ET_REL;

  [[nodiscard]] std::string build() const {
    ElfBuilder elf;
    elf.flags = flags;
    elf.os_abi = os_abi;
    elf.type = type;
    ElfBuilder::Section text;
    text.name = ".text";
    text.alignment = 256;
    text.address = type == ET_REL ? 0 : 0x1000;
    text.bytes = header.bytes();
    std::string code(16, '\0');
    for (std::size_t i = 0; i < code_words.size(); ++i) put(code, 4 * i, code_words[i], 4);
    text.bytes += code;
    text.bytes.resize(512, '\0');
    text.bytes += HeaderFields().bytes() + code;
    const u64 start = text.address;
    const u16 number = elf.add(text);
    elf.add_symbol("k", number, start, 272, symbol_type_kernel);
    elf.add_symbol("l", number, start + 512, 272, symbol_type_kernel);
    if (!notes.empty()) elf.add({".note", SHT_NOTE, 0, 0, 4, notes, 0, 0, 0});
    return elf.build();
  }
};

class OlderObjects : public testing::Test {
 protected:
  std::string scenario(const std::string& kernel, const std::string& more = "") {
    return more + "code: {file: " + folder_.write("k.o", object_.build()) + "}\nkernel: " + kernel + "\n";
  }
  Scenario load(const std::string& kernel) { return load_good(scenario(kernel)); }
  std::string fail(const std::string& kernel) { return brief(load_bad(scenario(kernel))); }
  static Outcome run_it(const Scenario& scenario) {
    return run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  }

  OldObject object_;
  test::TemporaryFolder folder_;
};

TEST_F(OlderObjects, KernelOfVersion2IsLaunchedByItsMetadata) {
  for (const u16 type : {u16{ET_REL}, u16{ET_DYN}}) {
    object_.type = type;
    const Scenario loaded = load(
        "{name: k, args: {out: {buffer: 64}, c: 7, l: {buffer: 16}, n: 0x123456789a}, workgroup_id: [5], "
        "grid_size: [320, 2]}");
    const u64 header = loaded.program.find_symbol("k.kd")->address;
    EXPECT_EQ(loaded.program.entry, header + 256);
    EXPECT_EQ(loaded.program.find_symbol("k")->address, header + 256);
    EXPECT_EQ(loaded.program.find_block(header), nullptr) << "the header is not code";
    EXPECT_EQ(loaded.initial.file[0] | u64{loaded.initial.file[1]} << 32, kernarg_address);
    EXPECT_EQ(loaded.initial.file[2], 5U);
    // Offsets are derived from sizes and alignments: 0, 8, 12, 16 and the hidden argument at 24.
    std::vector<u8> bytes(32);
    loaded.memory.read(kernarg_address, bytes);
    EXPECT_EQ(bytes[4], 2U);  // of the buffer's address
    EXPECT_EQ(bytes[8], 7U);
    EXPECT_EQ(bytes[16], 0x9aU);
    const Outcome outcome = run_it(loaded);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.state.file[4], 0x3456789aU);
    EXPECT_EQ(outcome.state.file[5], 0x12U);
    EXPECT_EQ(outcome.state.file[6], 5U);
  }
}

TEST_F(OlderObjects, LaterVersionsAreLaunchedAlike) {
  test::KernelObject object;
  object.words = {0xbf810000};
  for (const u8 abi_version : {u8{1}, u8{2}, u8{3}, u8{4}}) {
    std::string bytes = object.build();
    bytes[EI_ABIVERSION] = static_cast<char>(abi_version);
    const std::string path = folder_.write("v.o", bytes);
    const auto inspected = loader::inspect_file(path, {});
    ASSERT_TRUE(inspected.has_value());
    EXPECT_EQ(inspected->code_object_version, abi_version + 2U);
    ASSERT_EQ(inspected->kernels.size(), 1U);
    EXPECT_FALSE(inspected->kernels[0].metadata.has_code_header);
    EXPECT_EQ(run_it(load_good("code: {file: " + path + "}\nkernel: {name: k}\n")).stop.reason,
              StopReason::end_program);
  }
}

TEST_F(OlderObjects, MetadataOfVersion2AreChecked) {
  EXPECT_THAT(fail("{name: k, workgroup_size: [64]}"), HasSubstr("compiled for a work-group of [32, 2, 1]"));
  EXPECT_THAT(fail("{name: k, args: {out: {buffer: 64}}}"), HasSubstr("needs the argument `c` (`char`, by_value"));
  EXPECT_THAT(fail("{name: m}"), HasSubstr("unknown kernel `m`; did you mean `k` or `l`?"));
  object_.notes = note("AMD", 10, "- [");
  EXPECT_THAT(fail("{name: k}"), HasSubstr("(NT_AMD_HSA_METADATA) cannot be used: it is not valid YAML"));
  object_.notes = note("AMD", 10, "---\nVersion: [ 1, 0 ]\nKernels:\n  - SymbolName: k\n");
  EXPECT_THAT(fail("{name: k}"), HasSubstr("`.name` of a kernel is missing or not a string"));
}

/// As LLVM 5 and 6 wrote them: other names, a power of two, and hidden arguments outside of the segment.
TEST_F(OlderObjects, MetadataOfTheFirstCompilersAreRead) {
  object_.header.kernarg_bytes = 8;
  object_.notes = note("AMD", 10, R"(---
Version:         [ 1, 0 ]
Kernels:
  - Name:            k
    Args:
      - Size:            4
        Align:           4
        ValueKind:       ByValue
        ValueType:       U32
        AccQual:         Default
        TypeName:        uint
      - Size:            8
        Align:           8
        ValueKind:       HiddenGlobalOffsetX
        ValueType:       I64
      - Size:            8
        Align:           8
        ValueKind:       HiddenMultiGridSyncArg
    CodeProps:
      KernargSegmentSize: 4
      WavefrontNumSGPRs: 22
      WorkitemNumVGPRs: 17
      KernargSegmentAlign: 4
      WavefrontSize:   6
...
)");
  const auto object = loader::inspect_file(folder_.write("k.o", object_.build()), {});
  ASSERT_TRUE(object.has_value());
  const loader::KernelMetadata& kernel = object->kernels.at(0).metadata;
  EXPECT_EQ(kernel.sgpr_count, 22U);
  EXPECT_EQ(kernel.vgpr_count, 17U);
  EXPECT_EQ(kernel.kernarg_size_bytes, 24U);
  EXPECT_EQ(object->kernels[0].argument_names,
            (std::vector<std::string>{"arg0", "hidden_global_offset_x", "hidden_multigrid_sync_arg"}));
  EXPECT_EQ(kernel.arguments[2].offset, 16U);
}

TEST_F(OlderObjects, KernelsWithoutMetadataTakeArgumentsByOffset) {
  object_.notes.clear();
  const Scenario loaded = load("{name: k, args: {0: {words: [1, 2]}, 8: 7, 12: -1, 16: [3, 4], 24: 0x123456789}}");
  std::vector<u8> bytes(32);
  loaded.memory.read(kernarg_address, bytes);
  EXPECT_THAT(bytes, ElementsAre(0, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 3, 0, 0, 0, 4, 0, 0, 0,
                                 0x89, 0x67, 0x45, 0x23, 1, 0, 0, 0));
  std::vector<u8> buffer(8);
  loaded.memory.read(buffer_address, buffer);
  EXPECT_THAT(buffer, ElementsAre(1, 0, 0, 0, 2, 0, 0, 0));
  EXPECT_EQ(run_it(load("{name: l}")).stop.reason, StopReason::end_program);

  EXPECT_THAT(fail("{name: k, args: [1]}"), HasSubstr("does not describe the arguments of the kernel `k`; give each at "
                                                      "its offset in bytes: `args: {0: {buffer: 4096}, 8: 7}`"));
  EXPECT_THAT(fail("{name: k, args: {out: 1}}"), HasSubstr("so they are unnamed"));
  EXPECT_THAT(fail("{name: k, args: {-4: 1}}"), HasSubstr("so they are unnamed"));
  EXPECT_THAT(fail("{name: k, args: {28: {buffer: 16}}}"),
              HasSubstr("the argument at 28 has 8 bytes, but the kernel `k` has 32 bytes of arguments"));
  EXPECT_THAT(fail("{name: k, args: {0xffffffffffffffff: 1}}"), HasSubstr("but the kernel `k` has 32 bytes"));
  EXPECT_THAT(fail("{name: k, args: {0: {buffer: 16}, 4: 1}}"), HasSubstr("the argument at 4 overlaps the one at 0"));
  EXPECT_THAT(fail("{name: k, args: {0: 1, 0x0: 2}}"), HasSubstr("the argument at 0x0 overlaps the one at 0"));
  EXPECT_THAT(fail("{args: {}}"), HasSubstr("needs a `name:`; the object has `k` and `l`"));
}

TEST_F(OlderObjects, HeadersSetTheSameAsDescriptors) {
  object_.notes.clear();
  object_.header.properties = 8 | 7 << 7;        // kernarg pointer, work-groups of the grid along x, y and z
  object_.header.rsrc2 = 5 << 1 | 1 | 7 << 7;    // five user SGPRs, scratch, work-group ids
  object_.header.rsrc1 |= 0xc0 << 12 | 1 << 23;  // denormals of 64 and 16 bits, IEEE
  object_.header.private_bytes = 16;
  object_.header.group_bytes = 100;
  object_.header.properties |= 1 << 17;  // scratch in elements of 4 bytes
  const Scenario loaded = load("{name: k, workgroup_size: [64, 2], grid_size: [130, 5, 7], workgroup_id: [1, 0, 4]}");
  const auto& file = loaded.initial.file;
  EXPECT_EQ(std::vector<u32>(file.begin() + 2, file.begin() + 9), (std::vector<u32>{3, 3, 7, 1, 0, 4, 0}));
  EXPECT_EQ(loaded.initial.mode, 0x2c0U);
  EXPECT_EQ(loaded.initial.sgprs, 24U);
  EXPECT_TRUE(loaded.memory.is_mapped(shared_memory_base, 112));
  ASSERT_TRUE(loaded.private_memory.has_value());
  EXPECT_EQ(loaded.private_memory->size_bytes, 2 * 1024U);  // two waves of 64 work-items with 16 bytes each

  object_.header.properties |= 3 << 17;
  EXPECT_THAT(fail("{name: k}"), HasSubstr("elements of 16 bytes"));
  object_.header.properties = 8 | 1 << 10;
  EXPECT_THAT(fail("{name: k}"), HasSubstr("wavefronts of 32"));
}

TEST_F(OlderObjects, HeadersThatCannotBeUsed) {
  object_.notes.clear();
  const auto message = [&](auto change) {
    OldObject good;
    std::swap(good, object_);
    object_ = good;
    change(object_.header);
    std::string found = fail("{name: k}");
    object_ = good;
    return found;
  };
  EXPECT_THAT(message([](HeaderFields& h) { h.version = 2; }), HasSubstr("its version is 2; expected 1"));
  EXPECT_THAT(message([](HeaderFields& h) { h.wavefront = 5; }), HasSubstr("wavefronts of 2^5 work-items"));
  EXPECT_THAT(message([](HeaderFields& h) { h.kernarg_bytes = ~u64{0}; }), HasSubstr("18446744073709551615 bytes"));
  EXPECT_THAT(message([](HeaderFields& h) { h.entry = 0x7fffffff; }), HasSubstr("which is not in code"));
  EXPECT_THAT(message([](HeaderFields& h) { h.entry = 0; }), HasSubstr("which is not in code"));
  EXPECT_THAT(message([](HeaderFields& h) { h.entry = 258; }), HasSubstr("which is not in code"));
}

// A segment can be shorter than the section in which the header was found.
TEST_F(OlderObjects, HeadersReachNoFurtherThanTheirSegment) {
  ElfBuilder elf;
  elf.type = ET_DYN;
  elf.flags = mach_gfx803;
  elf.abi_version = 0;
  HeaderFields header;
  header.entry = -256;
  std::string code(512, '\0');
  put(code, 0, 0xbf810000, 4);
  code.replace(256, 256, header.bytes());
  const u16 text = elf.add({".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, 256, code, 0, 0, 0});
  elf.add_symbol("k", text, 0x1100, 256, symbol_type_kernel);
  const std::string good = elf.build();
  Elf64_Ehdr file{};
  std::memcpy(&file, good.data(), sizeof file);
  LoadOptions options;
  options.symbol = "k";
  EXPECT_TRUE(load_bytes(good, "k.so", options).at(0).has_value());
  for (const u64 size : {260U, 320U, 508U}) {
    std::string bytes = good;
    put(bytes, file.e_phoff + offsetof(Elf64_Phdr, p_filesz), size, 8);
    put(bytes, file.e_phoff + offsetof(Elf64_Phdr, p_memsz), size, 8);
    const auto results = load_bytes(bytes, "k.so", options);
    ASSERT_FALSE(results.at(0).has_value());
    EXPECT_THAT(results[0].error().message,
                HasSubstr("the header of the kernel at 0x2100 (amd_kernel_code_t) reaches"));
  }
}

TEST_F(OlderObjects, RunsWithoutKernelFromItsCode) {
  object_.notes.clear();
  LoadOptions options;
  options.symbol = "l";
  const auto results = load_bytes(object_.build(), "k.hsaco", options);
  ASSERT_TRUE(results.at(0).has_value());
  EXPECT_EQ(results[0]->program.entry, results[0]->program.find_symbol("l.kd")->address + 256);
  EXPECT_EQ(results[0]->program.describe_address(results[0]->program.entry + 8), "l+0x8");
}

TEST_F(OlderObjects, ProcessorIsFoundInNotesAndHeaders) {
  const auto target_of = [&] { return load("{name: k, args: {}}").program.target->name; };
  object_.flags = 0;
  object_.notes.clear();
  EXPECT_EQ(target_of(), "gfx803");
  object_.flags = 3;  // XNACK and trap handler, before processors had numbers
  EXPECT_EQ(target_of(), "gfx803");
  object_.header.machine = {1, 8, 1, 0};
  EXPECT_EQ(target_of(), "gfx810");
  object_.notes = isa_note(9, 0, 10);
  EXPECT_EQ(target_of(), "gfx90a");
  object_.notes = note("AMD", 11, "amdgcn-amd-amdhsa--gfx906+xnack");
  EXPECT_EQ(target_of(), "gfx906");
  object_.notes = isa_note(10, 1, 0);
  EXPECT_THAT(fail("{name: k}"),
              HasSubstr("an object for gfx1010 (according to a note in it), a processor that is not"));
  object_.notes.clear();
  object_.header.machine = {1, 5, 0, 0};
  EXPECT_THAT(fail("{name: k}"), HasSubstr("an object for gfx500 (according to the header of `k`)"));
}

TEST_F(OlderObjects, ProcessorsOfOtherKindsAreNamed) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
  const auto message = [&](u32 flags) {
    elf.flags = flags;
    return load_bytes(elf.build(), "f.o", {}).at(0).error().message;
  };
  EXPECT_THAT(message(0x36), HasSubstr("an object for gfx1030 (EF_AMDGPU_MACH 0x36 in e_flags), a processor that is "
                                       "not supported; expected one of gfx6 to gfx9"));
  EXPECT_THAT(message(0x01), HasSubstr("r600"));
  EXPECT_THAT(message(0x55), HasSubstr("gfx1152"));
  EXPECT_THAT(message(0xfe), HasSubstr("a processor without a known name"));
  EXPECT_THAT(message(0), HasSubstr("does not specify its processor (EF_AMDGPU_MACH is 0 in e_flags): specify it with "
                                    "`target:` or --mcpu. Without -mcpu LLVM generates code for gfx600"));
  elf.os_abi = 64;
  elf.abi_version = 3;
  EXPECT_THAT(message(0), HasSubstr("gfx700"));
  LoadOptions options;
  options.mcpu = "gfx900";
  EXPECT_TRUE(load_bytes(elf.build(), "f.o", options).at(0).has_value());
}

TEST_F(OlderObjects, NumbersAndDataAreNotInstructions) {
  ElfBuilder elf;
  elf.add_symbol("f", elf.add_code(".text", {0xbf810000}), 0, 4);
  elf.add_symbol("answer", SHN_ABS, 42, 0, STT_NOTYPE);
  elf.add_symbol("table", elf.add({".rodata", SHT_PROGBITS, SHF_ALLOC, 0, 4, "1234", 0, 0, 0}), 0, 4, STT_OBJECT);
  const auto message = [&](const std::string& symbol) {
    LoadOptions options;
    options.symbol = symbol;
    const auto results = load_bytes(elf.build(), "f.o", options);
    return results.at(0) ? "" : results[0].error().message;
  };
  EXPECT_EQ(message("answer"),
            "the symbol `answer` is a number (SHN_ABS), not an address in the code; the code has `f`");
  EXPECT_EQ(message("table"), "the symbol `table` is not an address in the code");
  // A function has priority over data of the same name, in any order.
  elf.add_symbol("f", 2, 0, 4, STT_OBJECT, STB_LOCAL);
  EXPECT_EQ(message("f"), "");
}

TEST_F(OlderObjects, ProcessorNamesAreThoseOfLlvm) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const test::LlvmTools llvm;
  for (const std::string processor :
       {"gfx1010", "gfx1011", "gfx1012",         "gfx1013",         "gfx1030",       "gfx1031",
        "gfx1032", "gfx1033", "gfx1034",         "gfx1035",         "gfx1036",       "gfx1100",
        "gfx1101", "gfx1102", "gfx1103",         "gfx1150",         "gfx1151",       "gfx1152",
        "gfx1200", "gfx1201", "gfx10-1-generic", "gfx10-3-generic", "gfx11-generic", "gfx12-generic"}) {
    const std::string generic = processor.ends_with("generic") ? "--amdhsa-code-object-version=6" : "";
    const auto loaded = load_bytes(llvm.assemble("f.o", "s_endpgm\n", processor, generic), "f.o", {});
    ASSERT_FALSE(loaded.at(0).has_value());
    EXPECT_THAT(loaded[0].error().message, HasSubstr("an object for " + processor + " (")) << processor;
  }
}

TEST_F(OlderObjects, InfoAndItsScenario) {
  const auto inspect = [&] { return loader::inspect_file(folder_.write("k.o", object_.build()), {}); };
  for (const bool has_notes : {true, false}) {
    if (!has_notes) object_.notes.clear();
    const auto object = inspect();
    ASSERT_TRUE(object.has_value());
    EXPECT_EQ(object->code_object_version, 2U);
    ASSERT_EQ(object->kernels.size(), 2U);
    EXPECT_EQ(object->kernels[0].metadata.knows_arguments, has_notes);
    EXPECT_EQ(object->kernels[0].address, 0x100U);
    EXPECT_EQ(object->kernels[0].size_bytes, 16U);
    EXPECT_TRUE(object->functions.empty());
    for (const std::string name : {"k", "l"}) {
      const auto text = loader::starting_scenario(*object, name, folder_.path("k.o"));
      ASSERT_TRUE(text.has_value());
      EXPECT_EQ(run_it(load_good(*text)).stop.reason, StopReason::end_program) << *text;
    }
  }
}

// ---- objects of LLVM 19 ----

TEST_F(OlderObjects, KernelsOfMesaRun) {
  SALU_NEEDS(SALU_LLC, "llc-19");
  constexpr std::string_view ir = R"(
define amdgpu_kernel void @first(ptr addrspace(1) %out, i32 %a, i32 %b) {
  %id = call i32 @llvm.amdgcn.workgroup.id.x()
  %s = add i32 %a, %b
  %t = add i32 %s, %id
  store i32 %t, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @second(ptr addrspace(1) %out) {
  %scratch = alloca [4 x i32], addrspace(5)
  %at = getelementptr i32, ptr addrspace(5) %scratch, i32 2
  store volatile i32 41, ptr addrspace(5) %at
  %v = load volatile i32, ptr addrspace(5) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.amdgcn.workgroup.id.x()
)";
  const std::string source = folder_.write("m.ll", ir);
  for (const std::string processor : {"tahiti", "gfx700", "gfx803", "gfx900", "gfx906"}) {
    (void)test::run_llvm(fmt::format("{} -mtriple=amdgcn-mesa-mesa3d -mcpu={} -filetype=obj {} -o {}", SALU_LLC,
                                     processor, source, folder_.path("m.o")));
    const auto word = [&](const std::string& kernel) {
      const Scenario loaded = load_good("code: {file: " + folder_.path("m.o") + "}\nkernel: " + kernel + "\n");
      const Outcome outcome = run_it(loaded);
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << processor;
      std::vector<u8> bytes(4);
      outcome.memory.read(buffer_address, bytes);
      return bytes[0];
    };
    EXPECT_EQ(word("{name: first, args: {0: {buffer: 64}, 8: 5, 12: 6}, grid_size: [256], workgroup_id: [2]}"), 13)
        << processor;
    EXPECT_EQ(word("{name: second, args: {0: {buffer: 64}}, workgroup_size: [1]}"), 42) << processor;
  }
}

TEST_F(OlderObjects, HeadersThatLlvmAssemblesAreRead) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  constexpr std::string_view text = R"(
.text
.p2align 8
.amdgpu_hsa_kernel k
k:
.amd_kernel_code_t
  enable_sgpr_kernarg_segment_ptr = 1
  enable_sgpr_grid_workgroup_count_y = 1
  user_sgpr_count = 3
  enable_sgpr_workgroup_id_x = 1
  granulated_wavefront_sgpr_count = 3
  workgroup_group_segment_byte_size = 256
  kernarg_segment_byte_size = 24
  is_dynamic_callstack = 1
.end_amd_kernel_code_t
  s_endpgm
.Lend:
.size k, .Lend-k
)";
  (void)test::run_llvm(fmt::format("{} -triple=amdgcn-mesa-mesa3d -mcpu=gfx803 -filetype=obj {} -o {}", SALU_LLVM_MC,
                                   folder_.write("h.s", text), folder_.path("h.o")));
  const auto object = loader::inspect_file(folder_.path("h.o"), {});
  ASSERT_TRUE(object.has_value());
  ASSERT_EQ(object->kernels.size(), 1U);
  const loader::InspectedKernel& kernel = object->kernels[0];
  EXPECT_EQ(kernel.metadata.kernarg_size_bytes, 24U);
  EXPECT_EQ(kernel.metadata.group_segment_bytes, 256U);
  ASSERT_TRUE(kernel.descriptor.has_value());
  EXPECT_TRUE(kernel.descriptor->has(loader::KernelDescriptor::uses_dynamic_stack));
  std::vector<std::string> places;
  for (const auto& each : starting_sgprs(*kernel.descriptor, Generation::gcn1_2))
    places.push_back(fmt::format("s{}+{} {}", each.first, each.count, each.what));
  EXPECT_THAT(places, ElementsAre("s0+2 kernarg_segment_ptr", "s2+1 grid_workgroup_count_y", "s3+1 workgroup_id_x"));
}

// ---- damage ----

TEST_F(OlderObjects, DamagedOnesNeverCrash) {
  const auto check = [&](const std::string& bytes) {
    const std::string path = folder_.write("damaged.o", bytes);
    for (const std::string kernel : {"{name: k}", "{name: l, args: {0: {buffer: 64}}}"}) {
      for (Result<Scenario>& result : load_yaml("code: {file: " + path + "}\nkernel: " + kernel + "\n", "d.yaml", {})) {
        if (!result) {
          EXPECT_FALSE(result.error().message.empty());
          continue;
        }
        result->options.max_steps = 1000;
        (void)run_it(*result);
      }
    }
    (void)loader::inspect_file(path, {});
  };
  for (const bool has_notes : {true, false}) {
    if (!has_notes) object_.notes.clear();
    const std::string whole = object_.build();
    for (std::size_t size = 0; size < whole.size(); size += size < 1024 ? 1 : 3) check(whole.substr(0, size));
    std::mt19937 random(1);
    for (int i = 0; i < test::repetitions(5000); ++i) {
      std::string damaged = whole;
      for (std::size_t k = 0; k < 1 + random() % 4; ++k)
        damaged[random() % damaged.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
      check(damaged);
    }
  }
}

// ---- files other than objects ----

TEST(OtherFiles, AreNamedWithTheWayToAnObject) {
  const auto message = [](const std::string& bytes, const std::string& name) {
    const auto results = load_bytes(bytes, name, {});
    return results.empty() || results[0] ? "" : results[0].error().message;
  };
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__";
  const auto number = [&](u64 value) {
    bundle.resize(bundle.size() + 8);
    put(bundle, bundle.size() - 8, value, 8);
  };
  number(2);
  for (const std::string name : {"host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx900"}) {
    number(4096);
    number(16);
    number(name.size());
    bundle += name;
  }
  EXPECT_THAT(message(bundle, "k.hipfb"),
              HasSubstr("a bundle of code objects with `hipv4-amdgcn-amd-amdhsa--gfx900`; extract the one to run with "
                        "clang-offload-bundler --unbundle --type=o --input=FILE --output=kernel.o "
                        "--targets=hipv4-amdgcn-amd-amdhsa--gfx900"));
  for (std::size_t size = 24; size < bundle.size(); ++size)
    EXPECT_THAT(message(bundle.substr(0, size), "k.hipfb"), HasSubstr("a bundle of code objects, none of them"));
  EXPECT_THAT(message("CCOB\2", "k.o"), HasSubstr("a compressed bundle"));
  EXPECT_THAT(message("!<arch>\n", "k.a"), HasSubstr("an archive; extract the object to run with llvm-ar x"));
  EXPECT_THAT(message("BC\xc0\xde\x35", "k.bc"), HasSubstr("LLVM bitcode; compile it with llc"));
  EXPECT_THAT(message("\x10\xff\x10\xad", "k.pkg"), HasSubstr("clang-offload-packager FILE --image="));
  EXPECT_THAT(message("\x1f\x8b\x08", "k.o.gz"), HasSubstr("compressed with gzip"));
}

TEST(OtherFiles, ProgramsOfTheHostAreSearchedForCode) {
  ElfBuilder elf;
  elf.machine = EM_X86_64;
  elf.add_code(".text", {0});
  const auto message = [&] { return load_bytes(elf.build(), "host.o", {}).at(0).error().message; };
  EXPECT_EQ(message(), "an ELF file for x86-64 (e_machine 62); expected AMDGPU (224)");
  elf.add({".hip_fatbin", SHT_PROGBITS, SHF_ALLOC, 0, 8, "x", 0, 0, 0});
  EXPECT_THAT(message(), HasSubstr("Its section .hip_fatbin contains code for other processors; extract it with "
                                   "llvm-objcopy --dump-section .hip_fatbin=bundle.o FILE"));
  elf.add({"__CLANG_OFFLOAD_BUNDLE__hipv4-amdgcn-amd-amdhsa--gfx90a", SHT_PROGBITS, 0, 0, 8, "x", 0, 0, 0});
  EXPECT_THAT(message(), HasSubstr("--targets=hipv4-amdgcn-amd-amdhsa--gfx90a"));
}

}  // namespace
}  // namespace salu
