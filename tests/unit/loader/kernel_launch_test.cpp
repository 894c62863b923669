#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernel_objects.hpp"

namespace salu {
namespace {

using nlohmann::json;
using test::brief;
using test::buffer_address;
using test::kernarg_address;
using test::kernel_metadata;
using test::KernelObject;
using test::load_bad;
using test::load_good;
using test::metadata_bytes;
using test::packet_address;
using test::TemporaryFolder;
using testing::HasSubstr;

constexpr u64 queue_address = 0x120000000;
constexpr u64 scratch_address = 0x140000000;

json argument(const std::string& name, u64 offset, u64 size, const std::string& kind) {
  json map = {{".offset", offset}, {".size", size}, {".value_kind", kind}};
  if (!name.empty()) map[".name"] = name;
  return map;
}

u64 read_value(const Memory& memory, u64 address, u32 size) {
  u64 value = 0;
  std::array<u8, 8> bytes{};
  memory.read(address, std::span(bytes).first(size));
  for (u32 i = 0; i < size; ++i) value |= u64{bytes[i]} << (8 * i);
  return value;
}

class KernelLaunch : public testing::Test {
 protected:
  KernelLaunch() {
    object_.descriptor.properties = 8;           // kernarg segment pointer
    object_.descriptor.rsrc1 = 2 << 6;           // 32 SGPRs
    object_.descriptor.rsrc2 = 2 << 1 | 7 << 7;  // two user SGPRs, work-group ids
  }

  void set_arguments(const std::vector<json>& arguments, u64 bytes = 64) {
    object_.metadata = metadata_bytes({kernel_metadata(arguments, bytes)});
  }

  std::string scenario(const std::string& kernel) {
    return "code: {file: " + folder_.write("k.o", object_.build()) + "}\nkernel: " + kernel + "\n";
  }
  Scenario load(const std::string& kernel) { return load_good(scenario(kernel)); }
  std::string fail(const std::string& kernel) { return brief(load_bad(scenario(kernel))); }

  KernelObject object_;
  TemporaryFolder folder_;
};

TEST_F(KernelLaunch, EntryAndRegisters) {
  object_.words = {0xbf800000, 0xbf800000, 0xbf810000};
  object_.descriptor.entry_offset = 8;  // after the symbol
  const Scenario loaded = load("{name: k, workgroup_id: [3, 2, 1], workgroup_size: [4, 4, 4], grid_size: [16, 12, 8]}");
  EXPECT_EQ(loaded.program.entry, 0x1008U);
  EXPECT_EQ(loaded.initial.pc, 0x1008U);
  EXPECT_EQ(loaded.initial.read64(0), kernarg_address);
  EXPECT_EQ(loaded.initial.file[2], 3U);
  EXPECT_EQ(loaded.initial.file[3], 2U);
  EXPECT_EQ(loaded.initial.file[4], 1U);
  EXPECT_EQ(loaded.initial.sgprs, 32U);
  EXPECT_FALSE(loaded.program.function_end.has_value());
  EXPECT_FALSE(loaded.program.return_address.has_value());
}

TEST_F(KernelLaunch, RegistersOfTheScenarioWin) {
  const Scenario loaded = load("{}\nregisters: {s2: 77, exec: 1, m0: 5}\nsgprs: 20");
  EXPECT_EQ(loaded.initial.file[2], 77U);
  EXPECT_EQ(loaded.initial.exec(), 1U);
  EXPECT_EQ(loaded.initial.sgprs, 20U);
  EXPECT_EQ(loaded.initial.read64(0), kernarg_address);
}

TEST_F(KernelLaunch, WithoutTheBlockNothingIsSet) {
  const std::string file = folder_.write("k.o", object_.build());
  const Scenario loaded = load_good("code: {file: " + file + ", symbol: k}\n");
  EXPECT_EQ(loaded.initial.pc, 0x1000U);
  EXPECT_FALSE(loaded.initial.defined[0]);
  EXPECT_EQ(loaded.initial.sgprs, 102U);
  EXPECT_FALSE(loaded.memory.is_mapped(kernarg_address, 1));
}

TEST_F(KernelLaunch, ValuesByKind) {
  set_arguments({argument("c", 0, 1, "by_value"), argument("h", 2, 2, "by_value"), argument("i", 4, 4, "by_value"),
                 argument("l", 8, 8, "by_value"), argument("f", 16, 4, "by_value"), argument("d", 24, 8, "by_value"),
                 argument("s", 32, 12, "by_value"), argument("b", 44, 3, "by_value"),
                 argument("p", 48, 8, "global_buffer"), argument("q", 56, 8, "by_value")});
  const Scenario loaded = load(
      "{args: {c: -1, h: 0x1234, i: -2, l: 0x123456789abcdef0, f: {f32: 1.5}, d: {f64: -2},"
      " s: [1, {f32: 1}, -1], b: {bytes: 'aa bb cc'}, p: k, q: {words: [5, 6]}}}");
  const auto at = [&](u64 offset, u32 size) { return read_value(loaded.memory, kernarg_address + offset, size); };
  ASSERT_EQ(loaded.arguments.size(), 10U);
  EXPECT_EQ(loaded.arguments[2].name, "i");
  EXPECT_EQ(loaded.arguments[2].address, kernarg_address + 4);
  EXPECT_EQ(loaded.arguments[2].size_bytes, 4U);
  EXPECT_TRUE(loaded.arguments[2].by_value);
  EXPECT_FALSE(loaded.arguments[8].by_value);
  EXPECT_EQ(at(0, 1), 0xffU);
  EXPECT_EQ(at(2, 2), 0x1234U);
  EXPECT_EQ(at(4, 4), 0xfffffffeU);
  EXPECT_EQ(at(8, 8), 0x123456789abcdef0U);
  EXPECT_EQ(at(16, 4), std::bit_cast<u32>(1.5F));
  EXPECT_EQ(at(24, 8), std::bit_cast<u64>(-2.0));
  EXPECT_EQ(at(32, 4), 1U);
  EXPECT_EQ(at(36, 4), std::bit_cast<u32>(1.0F));
  EXPECT_EQ(at(40, 4), 0xffffffffU);
  EXPECT_EQ(at(44, 3), 0xccbbaaU);
  EXPECT_EQ(at(48, 8), 0x1000U);
  EXPECT_EQ(at(56, 8), 0x0000000600000005U);
  const MemoryRegion* region = loaded.memory.find_region(kernarg_address);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(*region, (MemoryRegion{kernarg_address, 64, Access::read}));
}

TEST_F(KernelLaunch, BuffersAreMapped) {
  set_arguments({argument("a", 0, 8, "global_buffer"), argument("b", 8, 8, "global_buffer"),
                 argument("c", 16, 8, "global_buffer"), argument("d", 24, 8, "global_buffer")});
  const Scenario loaded = load(
      "{args: {a: {buffer: 64 KiB}, b: {words: [1, 2], size: 12, access: r}, c: {buffer: 8, at: 0x5004, text: hi}, d: "
      "{qwords: [9]}}}\nmemory: [{at: 0x200020000, size: 4}]");
  const std::vector<u64> expected = {buffer_address, buffer_address + 0x30000, 0x5004, buffer_address + 0x40000};
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(read_value(loaded.memory, kernarg_address + 8 * i, 8), expected[i]) << i;
  EXPECT_EQ(loaded.memory.find_region(expected[0])->size_bytes, 65536U);
  EXPECT_EQ(*loaded.memory.find_region(expected[1]), (MemoryRegion{expected[1], 12, Access::read}));
  EXPECT_EQ(read_value(loaded.memory, expected[1], 8), 0x0000000200000001U);
  EXPECT_EQ(read_value(loaded.memory, expected[1] + 8, 4), 0U);
  EXPECT_EQ(read_value(loaded.memory, 0x5004, 3), 0x6968U);
  EXPECT_EQ(read_value(loaded.memory, expected[3], 8), 9U);
}

TEST_F(KernelLaunch, ArgumentsWithoutNamesAndInAList) {
  set_arguments({argument("", 0, 4, "by_value"), argument("", 4, 4, "hidden_none"), argument("", 8, 4, "by_value")});
  const Scenario named = load("{args: {arg1: 2, arg0: 1}}");
  EXPECT_EQ(read_value(named.memory, kernarg_address, 4), 1U);
  EXPECT_EQ(read_value(named.memory, kernarg_address + 8, 4), 2U);
  const Scenario listed = load("{args: [3, 4]}");
  EXPECT_EQ(read_value(listed.memory, kernarg_address, 4), 3U);
  EXPECT_EQ(read_value(listed.memory, kernarg_address + 8, 4), 4U);
  EXPECT_EQ(fail("{args: [3, 4, 5]}"), "2:23: the kernel `k` has fewer arguments; it has `arg0` and `arg1`");
  EXPECT_THAT(fail("{args: [3]}"), HasSubstr("2:16: the kernel `k` needs the argument `arg1` (by_value, 4 bytes)"));
}

// MIOpen's igemm_v4r1_dynamic.s calls both input and output p_in.
TEST_F(KernelLaunch, ArgumentsOfTheSameName) {
  set_arguments({argument("p", 0, 4, "by_value"), argument("q", 4, 4, "by_value"), argument("p", 8, 4, "by_value")});
  const Scenario loaded = load("{args: {p: 1, q: 2, arg2: 3}}");
  for (u32 i = 0; i < 3; ++i) EXPECT_EQ(read_value(loaded.memory, kernarg_address + 4 * i, 4), i + 1);
}

TEST_F(KernelLaunch, SharedMemoryIsHandedOut) {
  json first = argument("a", 0, 4, "dynamic_shared_pointer");
  first[".pointee_align"] = 16;
  json kernel = kernel_metadata(
      {first, argument("b", 4, 4, "dynamic_shared_pointer"), argument("", 8, 4, "hidden_dynamic_lds_size")});
  kernel[".group_segment_fixed_size"] = 20;
  object_.metadata = metadata_bytes({kernel});
  object_.descriptor.group_bytes = 20;
  object_.descriptor.properties = 2;  // dispatch pointer
  const Scenario loaded = load("{args: {a: {buffer: 100}, b: 0x4000}}");
  EXPECT_EQ(read_value(loaded.memory, kernarg_address, 4), 32U);
  EXPECT_EQ(read_value(loaded.memory, kernarg_address + 4, 4), 0x4000U);
  EXPECT_EQ(read_value(loaded.memory, kernarg_address + 8, 4), 112U);
  EXPECT_EQ(loaded.initial.read64(0), packet_address);
  EXPECT_EQ(read_value(loaded.memory, packet_address + 28, 4), 132U);
}

TEST_F(KernelLaunch, HiddenArguments) {
  const std::vector<std::pair<std::string, u64>> expected = {
      {"hidden_block_count_x", 6},     {"hidden_block_count_y", 2},
      {"hidden_block_count_z", 1},     {"hidden_group_size_x", 16},
      {"hidden_group_size_y", 4},      {"hidden_group_size_z", 1},
      {"hidden_remainder_x", 4},       {"hidden_remainder_y", 3},
      {"hidden_remainder_z", 0},       {"hidden_grid_dims", 2},
      {"hidden_global_offset_x", 0},   {"hidden_printf_buffer", 0},
      {"hidden_heap_v1", 0x7000},      {"hidden_private_base", 0x20000},
      {"hidden_shared_base", 0x10000}, {"hidden_queue_ptr", queue_address}};
  std::vector<json> arguments;
  for (std::size_t i = 0; i < expected.size(); ++i) arguments.push_back(argument("", 8 * i, 8, expected[i].first));
  set_arguments(arguments, 8 * expected.size());
  const std::string block = "{workgroup_size: [16, 4], grid_size: [100, 11], args: {hidden_heap_v1: 0x7000}}";
  const Scenario loaded = load(block);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(read_value(loaded.memory, kernarg_address + 8 * i, 8), expected[i].second) << expected[i].first;

  object_.flags = 0x2a;  // EF_AMDGPU_MACH_AMDGCN_GFX803
  const Scenario older = load(block);
  EXPECT_EQ(read_value(older.memory, kernarg_address + 8 * 13, 8), 0x20000001U);
  EXPECT_EQ(read_value(older.memory, kernarg_address + 8 * 14, 8), 0x20000000U);
  EXPECT_EQ(read_value(older.memory, queue_address + 0x40, 8), 0x2000000120000000U);
}

TEST_F(KernelLaunch, ScratchThatNoProcessorHasIsRefused) {
  for (const u32 bytes : {0x80000001U, 0xfffffffdU, 0xffffffffU}) {
    object_.descriptor.private_bytes = bytes;
    EXPECT_THAT(fail("{name: k}"),
                HasSubstr("the kernel's descriptor requires " + std::to_string(bytes) + " bytes of scratch memory"));
  }
}

// A 32-bit register has the address of a wave's scratch.
TEST_F(KernelLaunch, ScratchOfManyWavesThatNoOffsetReachesIsRefused) {
  object_.descriptor.private_bytes = 0x4000000;
  (void)load("{name: k, workgroup_size: 64}");
  EXPECT_THAT(fail("{name: k, workgroup_size: 128, wave: 0}"),
              HasSubstr("the 2 waves of the work-group need 8589934592 bytes of scratch memory"));
  object_.descriptor.private_bytes = 0x3fffff0;
  (void)load("{name: k, workgroup_size: 128, wave: 1}");
}

TEST_F(KernelLaunch, SharedMemoryThatNoProcessorHasIsRefused) {
  object_.descriptor.group_bytes = 160 << 10;
  (void)load("{name: k}");
  for (const u32 bytes : {(160U << 10) + 1, 0xfffffffdU, 0xffffffffU}) {
    object_.descriptor.group_bytes = bytes;
    EXPECT_THAT(fail("{name: k}"),
                HasSubstr("the kernel requires " + std::to_string(bytes) + " bytes of shared memory (LDS)"));
  }
}

TEST_F(KernelLaunch, DispatchPacket) {
  object_.descriptor.properties = 2;
  object_.descriptor.private_bytes = 12;
  const Scenario loaded = load("{workgroup_size: [16, 4, 2], grid_size: [100, 11, 3]}");
  const auto at = [&](u64 offset, u32 size) { return read_value(loaded.memory, packet_address + offset, size); };
  EXPECT_EQ(at(0, 1), 2U);  // HSA_PACKET_TYPE_KERNEL_DISPATCH
  EXPECT_EQ(at(2, 2), 3U);
  EXPECT_EQ(at(4, 8), 0x0000'0002'0004'0010U);
  EXPECT_EQ(at(12, 4), 100U);
  EXPECT_EQ(at(16, 4), 11U);
  EXPECT_EQ(at(20, 4), 3U);
  EXPECT_EQ(at(24, 4), 12U);
  EXPECT_EQ(at(32, 8), loaded.program.find_symbol("k.kd")->address);
  EXPECT_EQ(at(40, 8), kernarg_address);
  EXPECT_EQ(at(56, 8), 0U);
}

TEST_F(KernelLaunch, ScratchMemory) {
  object_.descriptor.private_bytes = 10;
  object_.descriptor.properties = 1 | 1 << 5 | 1 << 6;
  object_.descriptor.rsrc2 = 7 << 1 | 1;
  const std::string block = "{workgroup_size: 192, wave: 2}";
  // 12 bytes of 64 lanes are 768: a wave takes a multiple of 1024.
  const Scenario loaded = load(block);
  EXPECT_EQ(loaded.memory.find_region(scratch_address)->size_bytes, 3 * 1024U);
  EXPECT_EQ(loaded.initial.file[0], 0x40000000U);
  EXPECT_EQ(loaded.initial.file[1], 0x80000001U);
  EXPECT_EQ(loaded.initial.file[2], 3 * 1024U);
  EXPECT_EQ(loaded.initial.read64(4), scratch_address);
  EXPECT_EQ(loaded.initial.file[6], 12U);
  EXPECT_EQ(loaded.initial.file[7], 2 * 1024U);
  object_.flags = 0x2a;
  EXPECT_EQ(load(block).initial.read64(4), u64{12} << 32);
}

TEST_F(KernelLaunch, ExecHoldsTheLanesThatThereAre) {
  const auto exec = [&](const std::string& block) { return load(block).initial.exec(); };
  EXPECT_EQ(exec("{}"), ~u64{0});
  EXPECT_EQ(exec("{workgroup_size: 5}"), 0x1fU);
  EXPECT_EQ(exec("{workgroup_size: [10, 10], wave: 1}"), 0xfffffffffU);
  EXPECT_EQ(exec("{workgroup_size: [8, 8], grid_size: [20, 8], workgroup_id: 2}"), 0xffffffffU);
  EXPECT_EQ(exec("{workgroup_size: [8, 8], grid_size: [20, 9], workgroup_id: [2, 1]}"), 0xfU);
  EXPECT_EQ(exec("{workgroup_size: 64, grid_size: 1}"), 1U);
  object_.descriptor.rsrc2 = 2 << 1 | 1 << 10;  // work-group info
  EXPECT_EQ(load("{workgroup_size: 200}").initial.file[2], 0x80000004U);
  EXPECT_EQ(load("{workgroup_size: 200, wave: 1}").initial.file[2], 4U);
}

TEST_F(KernelLaunch, LanesHoldTheirWorkItemIds) {
  const std::string block = "{workgroup_size: [5, 4, 5], wave: 1}";
  const auto lanes = [](const Scenario& loaded, u32 number) { return loaded.initial.vectors.lanes(number); };
  const Scenario only_x = load(block);
  // Item 64 is [4, 0, 3], item 99 the last one.
  EXPECT_EQ(lanes(only_x, 0)[0], 4U);
  EXPECT_EQ(lanes(only_x, 0)[1], 0U);
  EXPECT_EQ(only_x.initial.vectors.defined(0), (u64{1} << 36) - 1);
  EXPECT_EQ(only_x.initial.vectors.defined(1), 0U);
  object_.descriptor.rsrc2 |= 2U << 11;
  const Scenario all = load(block);
  EXPECT_EQ(lanes(all, 1)[0], 0U);
  EXPECT_EQ(lanes(all, 1)[1], 1U);
  EXPECT_EQ(lanes(all, 2)[0], 3U);
  EXPECT_EQ(lanes(all, 2)[35], 4U);
  EXPECT_EQ(all.initial.vectors.defined(3), 0U);
  object_.flags = 0x3f;  // gfx90a
  const Scenario packed = load(block);
  EXPECT_EQ(lanes(packed, 0)[0], 4U | 3U << 20);
  EXPECT_EQ(lanes(packed, 0)[1], 0U | 1U << 10 | 3U << 20);
  EXPECT_EQ(packed.initial.vectors.defined(1), 0U);
}

TEST_F(KernelLaunch, SharedMemoryIsThere) {
  object_.descriptor.group_bytes = 20;
  const auto region = [this] { return *load("{}").memory.find_region(shared_memory_base); };
  // Blocks of 128 dwords; of 1280 bytes on CDNA 4 (ISA manuals, 3.6.5).
  EXPECT_EQ(region(), (MemoryRegion{shared_memory_base, 512, Access::read_write}));
  object_.descriptor.group_bytes = 513;
  EXPECT_EQ(region(), (MemoryRegion{shared_memory_base, 1024, Access::read_write}));
  const u32 flags = std::exchange(object_.flags, 0x4f);  // gfx950
  EXPECT_EQ(region(), (MemoryRegion{shared_memory_base, 1280, Access::read_write}));
  object_.flags = flags;
  EXPECT_THAT(fail("{}\nmemory: [{at: 0xffff00000010, size: 4}]"),
              HasSubstr("shared memory at 0xffff00000000 overlaps"));
}

TEST_F(KernelLaunch, AllWavesOfTheGrid) {
  object_.words = {0xbf800000, 0xbf810000};
  const Scenario loaded =
      load("{workgroup_size: [10, 10], grid_size: [15, 10], waves: all}\nregisters: {s9: 7, \"v1[3]\": 8}");
  ASSERT_NE(loaded.waves, nullptr);
  ASSERT_EQ(loaded.waves->count, 3U);
  const DispatchedWave second = loaded.waves->wave(1);
  EXPECT_EQ(second.name, "wave 1 of work-group [0, 0, 0]");
  EXPECT_FALSE(second.begins_group);
  EXPECT_EQ(second.initial.exec(), (u64{1} << 36) - 1);
  EXPECT_EQ(second.initial.vectors.lanes(0)[0], 4U);
  EXPECT_EQ(second.initial.file[2], 0U);
  // The half of a work-group that is within the grid.
  const DispatchedWave third = loaded.waves->wave(2);
  EXPECT_EQ(third.name, "wave 0 of work-group [1, 0, 0]");
  EXPECT_TRUE(third.begins_group);
  EXPECT_EQ(third.initial.exec(), (u64{1} << 50) - 1);
  EXPECT_EQ(third.initial.vectors.lanes(0)[6], 1U);
  EXPECT_EQ(third.initial.file[2], 1U);
  EXPECT_EQ(third.initial, loaded.initial);
  for (u64 number = 0; number < 3; ++number) {
    EXPECT_EQ(loaded.waves->wave(number).initial.file[9], 7U);
    EXPECT_EQ(loaded.waves->wave(number).initial.vectors.lanes(1)[3], 8U);
  }
  const Outcome outcome = run(loaded, loaded.options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 6U);
  EXPECT_EQ(outcome.state.exec(), third.initial.exec());
  RunOptions short_of_steps = loaded.options;
  short_of_steps.max_steps = 3;
  const Outcome stopped = run(loaded, short_of_steps);
  EXPECT_EQ(stopped.stop.reason, StopReason::step_limit);
  EXPECT_EQ(stopped.steps, 3U);
  EXPECT_EQ(stopped.stop.detail, "wave 1 of work-group [0, 0, 0]: the limit of 3 steps is reached");
  RunOptions traced = loaded.options;
  std::vector<u64> steps;
  traced.trace = [&steps](const TraceEvent& event) { steps.push_back(event.step); };
  EXPECT_EQ(run(loaded, traced).steps, 6U);
  EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(fail("{waves: 2}"), HasSubstr("`waves:` must be `all`"));
  EXPECT_THAT(fail("{waves: all, wave: 0}"), HasSubstr("`wave:` selects a wave, but `waves: all` runs all waves"));
  EXPECT_THAT(fail("{waves: all, workgroup_id: 0}"), HasSubstr("`workgroup_id:` selects a wave"));
  EXPECT_THAT(fail("{waves: all, workgroup_size: 1, grid_size: 0xffffffff}"),
              HasSubstr("the grid has 4294967295 work-groups; `waves: all` supports at most 1048576"));
  EXPECT_THAT(fail("{waves: all, workgroup_size: 1, grid_size: [0xffffffff, 0xffffffff, 0xffffffff]}"),
              HasSubstr("work-groups; `waves: all` supports at most 1048576"));
}

TEST_F(KernelLaunch, AllWavesShareMemory) {
  // s_mov_b32 s20, 0; s_mov_b32 s21, 3; s_load_dword s22, s[20:21], 0; s_add_u32 s22, s22, 1; s_store_dword s22,
  // s[20:21], 0
  object_.words = {0xbe940080, 0xbe950083, 0xc002058a, 0, 0x80168116, 0xc042058a, 0, 0xbf810000};
  const Scenario loaded = load("{grid_size: 256, waves: all}\nmemory: [{at: 0x300000000, words: [10], access: rw}]");
  EXPECT_EQ(read_value(run(loaded, loaded.options).memory, 0x300000000, 4), 14U);
}

TEST_F(KernelLaunch, AWaveWaitsForTheOthersOfItsGroup) {
  object_.words = {0xbf8a0000, 0xbf810000};  // s_barrier
  const Scenario alone = load("{workgroup_size: 64}");
  EXPECT_EQ(run(alone, alone.options).stop.reason, StopReason::end_program);
  EXPECT_EQ(alone.group, nullptr);
  const Scenario one_of_two = load("{workgroup_size: 128, wave: 1}");
  ASSERT_NE(one_of_two.group, nullptr);
  EXPECT_EQ(one_of_two.group->count, 2U);
  EXPECT_EQ(one_of_two.wave_in_group, 1U);
  EXPECT_EQ(one_of_two.group->wave(1).initial, one_of_two.initial);
  const Outcome outcome = run(one_of_two, one_of_two.options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 4U);
  // From another state, the wave runs alone.
  const Outcome without_others = run(one_of_two, one_of_two.initial, one_of_two.options);
  EXPECT_EQ(without_others.stop.reason, StopReason::unsupported_instruction);
  EXPECT_THAT(without_others.stop.detail, HasSubstr("other waves"));
}

TEST_F(KernelLaunch, AnotherWaveOfTheGroupFails) {
  // s_barrier; v_readfirstlane_b32 s20, v0; s_cmp_eq_u32 s20, 0; s_cbranch_scc1 over the load; s_mov_b64 s[20:21], 0;
  // s_load_dword s22, s[20:21], 0; s_endpgm
  object_.words = {0xbf8a0000, 0x7e280500, 0xbf068014, 0xbf850003, 0xbe940180, 0xc002058a, 0, 0xbf810000};
  for (const std::string wave : {"0", "1"}) {
    const Scenario loaded = load("{workgroup_size: 128, wave: " + wave + "}");
    const Outcome outcome = run(loaded, loaded.options);
    EXPECT_EQ(outcome.stop.reason, StopReason::unmapped_memory) << "wave " << wave;
    EXPECT_THAT(outcome.stop.detail, testing::StartsWith("wave 1 of work-group [0, 0, 0]: ")) << "wave " << wave;
  }
}

TEST_F(KernelLaunch, SizesThatTheKernelRequires) {
  json kernel = kernel_metadata();
  kernel[".reqd_workgroup_size"] = json::array({4, 2, 1});
  kernel[".uniform_work_group_size"] = 1;
  object_.metadata = metadata_bytes({kernel});
  EXPECT_EQ(load("{}").initial.exec(), 0xffU);
  EXPECT_EQ(fail("{workgroup_size: [4, 4]}"),
            "2:26: the kernel `k` was compiled for a work-group of [4, 2, 1] work-items, not [4, 4, 1]");
  EXPECT_EQ(fail("{grid_size: [8, 3]}"),
            "2:21: the kernel `k` needs a grid that is a multiple of the work-group; along y the grid has 3 work-items "
            "and the work-group 2");
}

TEST_F(KernelLaunch, SizesThatAreWrong) {
  EXPECT_THAT(fail("{workgroup_size: [32, 33]}"), HasSubstr("2:26: a work-group of [32, 33, 1] has 1056 work-items"));
  EXPECT_THAT(fail("{workgroup_size: [1, 0]}"), HasSubstr("2:30: `workgroup_size:` must be at least 1"));
  EXPECT_THAT(fail("{workgroup_size: [1, 2, 3, 4]}"), HasSubstr("a list of one to three numbers (x, y, z), found 4"));
  EXPECT_THAT(fail("{workgroup_size: 65536}"), HasSubstr("does not fit in 16 bits"));
  EXPECT_THAT(fail("{grid_size: 100, workgroup_id: 2}"),
              HasSubstr("2:40: no work-group 2 along x: the grid has 2 (100 work-items in work-groups of 64)"));
  EXPECT_THAT(fail("{workgroup_id: [0, 1]}"), HasSubstr("no work-group 1 along y: the grid has 1"));
  EXPECT_THAT(fail("{wave: 1}"), HasSubstr("2:16: no wave 1: the work-group of 64 work-items has 1 wave"));
  EXPECT_THAT(fail("{size: 1}"), HasSubstr("unknown key `size` in `kernel:`"));
}

// 2 as the bits of a float is hardly intended.
TEST_F(KernelLaunch, AFloatIsNotADecimalInteger) {
  json single = argument("f", 0, 4, "by_value");
  single[".type_name"] = "float";
  json twice = argument("d", 8, 8, "by_value");
  twice[".type_name"] = "double";
  set_arguments({single, twice});
  EXPECT_EQ(fail("{args: {f: 2, d: 0x0}}"),
            "2:20: argument `f` (`float`, by_value, 4 bytes): found the number 2; expected {f32: 2}, or the bits in "
            "hexadecimal (0x...)");
  EXPECT_THAT(fail("{args: {f: 0x0, d: -1.5}}"), HasSubstr("found the number -1.5; expected {f64: -1.5}"));
  const Scenario loaded = load("{args: {f: 0x40000000, d: {f64: 2}}}");
  EXPECT_EQ(read_value(loaded.memory, kernarg_address, 4), std::bit_cast<u32>(2.0F));
  EXPECT_EQ(read_value(loaded.memory, kernarg_address + 8, 8), std::bit_cast<u64>(2.0));
}

// Clang names a structure that is passed by value `s.coerce`.
TEST_F(KernelLaunch, StructuresHaveTheirOwnNames) {
  set_arguments({argument("s.coerce", 0, 4, "by_value"), argument("t.coerce", 4, 4, "by_value"),
                 argument("t", 8, 4, "by_value")});
  const Scenario loaded = load("{args: {s: 1, t.coerce: 2, t: 3}}");
  EXPECT_EQ(read_value(loaded.memory, kernarg_address, 4), 1U);
  EXPECT_EQ(read_value(loaded.memory, kernarg_address + 4, 4), 2U);
  EXPECT_EQ(read_value(loaded.memory, kernarg_address + 8, 4), 3U);
}

TEST_F(KernelLaunch, AKernelThatStartsLikeAFunctionIsNoticed) {
  const std::string file = folder_.write("k.o", object_.build());
  const std::string code = "code: {file: " + file + ", symbol: k}\n";
  const Scenario bare = load_good(code);
  ASSERT_EQ(bare.remarks.size(), 1U);
  EXPECT_THAT(bare.remarks[0].message, HasSubstr("`k` is a kernel"));
  EXPECT_TRUE(load_good(code + "registers: {s0: 1}\n").remarks.empty());
  EXPECT_TRUE(load_good(code + "kernel: {}\n").remarks.empty());
}

/// The loads of get_global_id in libclc, in an object whose hidden arguments begin at 24.
TEST_F(KernelLaunch, CodeForOlderHiddenArgumentsIsNoticed) {
  const u32 end = 0xbf810000;
  const std::vector<u32> local_size = {0xc0020100, 0x04};  // s_load_dword s4, s[0:1], 0x4
  const std::vector<u32> grid_size = {0xc0020100, 0x0c};   // s_load_dword s4, s[0:1], 0xc
  const std::vector<u32> offset_x = {0xc0020141, 0x1c};    // s_load_dword s5, s[2:3], 0x1c
  const std::vector<u32> group_size_x = {0xc0020141, 0x28};
  const std::vector<u32> no_packet = {0xbe800180};  // s_mov_b64 s[0:1], 0
  const auto remarks = [&](const std::vector<std::vector<u32>>& code) {
    object_.words.clear();
    for (const std::vector<u32>& words : code) object_.words.insert(object_.words.end(), words.begin(), words.end());
    object_.words.push_back(end);
    return load("{args: [1]}").remarks;
  };
  object_.descriptor.properties = 2 | 8;       // dispatch and kernarg segment pointers
  object_.descriptor.rsrc2 = 4 << 1 | 7 << 7;  // four user SGPRs
  set_arguments({argument("n", 0, 4, "by_value"), argument("", 24, 4, "hidden_block_count_x"),
                 argument("", 28, 4, "hidden_block_count_y"), argument("", 32, 4, "hidden_block_count_z"),
                 argument("", 36, 2, "hidden_group_size_x")});
  const std::vector<Remark> found = remarks({local_size, offset_x});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("`k` reads hidden arguments in the layout of code object version 4"));
  EXPECT_THAT(found[0].message, HasSubstr("-mcode-object-version=4"));
  EXPECT_EQ(remarks({offset_x, local_size}).size(), 1U);
  EXPECT_TRUE(remarks({local_size}).empty());
  EXPECT_TRUE(remarks({offset_x}).empty());
  EXPECT_TRUE(remarks({grid_size, offset_x}).empty());
  EXPECT_TRUE(remarks({local_size, group_size_x}).empty());
  EXPECT_TRUE(remarks({no_packet, local_size, offset_x}).empty());
  set_arguments({argument("n", 0, 4, "by_value"), argument("", 24, 8, "hidden_global_offset_x")});
  EXPECT_TRUE(remarks({local_size, offset_x}).empty());
}

TEST_F(KernelLaunch, ArgumentsThatAreWrong) {
  json with_type = argument("n", 8, 4, "by_value");
  with_type[".type_name"] = "uint";
  set_arguments({argument("out", 0, 8, "global_buffer"), with_type, argument("size", 12, 2, "by_value")});
  const std::string pointer = "argument `out` (global_buffer, 8 bytes): ";
  const std::string number = "argument `n` (`uint`, by_value, 4 bytes): ";
  EXPECT_EQ(fail("{}"),
            "2:9: the kernel `k` needs the argument `out` (global_buffer, 8 bytes): expected a buffer ({buffer: 4096}, "
            "{words: [1, 2]}) or an address; `n` and `size` are also missing");
  EXPECT_EQ(fail("{args: {ouf: 1}}"), "2:17: the kernel `k` does not have an argument `ouf`; did you mean `out`?");
  EXPECT_EQ(fail("{args: {unrelated: 1}}"),
            "2:17: the kernel `k` does not have an argument `unrelated`; it has `out`, `n` and `size`");
  EXPECT_THAT(fail("{args: 7}"), HasSubstr("2:16: `args:` must be a map"));
  EXPECT_EQ(fail("{args: {n: {buffer: 4}}}"),
            "2:20: " + number + "expected an integer, {f32: 1.5}, a list of 1 dword or {bytes: [...]}, found a buffer");
  EXPECT_THAT(fail("{args: {n: {f64: 1}}}"), HasSubstr(number + "expected an integer"));
  EXPECT_THAT(fail("{args: {n: [1, 2]}}"), HasSubstr("found a list of 2 dwords (8 bytes)"));
  EXPECT_THAT(fail("{args: {n: {bytes: [1, 2]}}}"), HasSubstr("found 2 bytes"));
  EXPECT_THAT(fail("{args: {n: }}"), HasSubstr("found nothing"));
  EXPECT_THAT(fail("{args: {n: 0x100000000}}"), HasSubstr(number + "`0x100000000` does not fit in 32 bits"));
  EXPECT_THAT(fail("{args: {n: kk}}"), HasSubstr(number + "unknown label or symbol `kk`"));
  EXPECT_THAT(fail("{args: {size: {f32: 1}}}"), HasSubstr("expected an integer or {bytes: [...]}, found {f32: ...}"));
  EXPECT_EQ(fail("{args: {out: [1]}}"),
            "2:22: " + pointer + "expected a buffer ({buffer: 4096}, {words: [1, 2]}) or an address, found a list");
  EXPECT_THAT(fail("{args: {out: {}}}"), HasSubstr(pointer + "a buffer needs a size"));
  EXPECT_THAT(fail("{args: {out: {words: [x]}}}"), HasSubstr(pointer + "unknown label or symbol `x`"));
  EXPECT_THAT(fail("{args: {out: {buffer: 0}}}"), HasSubstr(pointer + "the buffer is empty"));
  EXPECT_THAT(fail("{args: {out: {buffer: 4, size: 4}}}"), HasSubstr("the size is already given by"));
  EXPECT_THAT(fail("{args: {out: {buffer: 4, words: [1, 2]}}}"), HasSubstr("are larger than the buffer (4)"));
  EXPECT_THAT(fail("{args: {out: {buffer: 4, words: [1], text: a}}}"), HasSubstr("a buffer has more than one of"));
  EXPECT_THAT(fail("{args: {out: {buffer: 4, access: w}}}"), HasSubstr("`access:` must be `r` or `rw`"));
  EXPECT_THAT(fail("{args: {out: {buffr: 4}}}"), HasSubstr("did you mean `buffer`?"));
  EXPECT_THAT(fail("{args: {out: {buffer: 8, at: 0xffc}, n: 1, size: 1}}"),
              HasSubstr("the buffer at 0xffc to 0x1003 overlaps the memory at 0x1000"));
  EXPECT_THAT(fail("{args: {out: {buffer: 8, at: 0xfffffffffffc}, n: 1, size: 1}}"), HasSubstr("address space of 48"));
  EXPECT_THAT(fail("{args: {out: {buffer: 0x7fffffffffffffff}, n: 1, size: 1}}"), HasSubstr("no free address range"));
}

TEST_F(KernelLaunch, KernelsThatAreNotThere) {
  EXPECT_EQ(fail("{name: kk}"), "2:16: unknown kernel `kk`; did you mean `k`?");
  json other = kernel_metadata();
  other[".name"] = "other";
  object_.metadata = metadata_bytes({kernel_metadata(), other});
  EXPECT_EQ(fail("{name: something}"), "2:16: unknown kernel `something`; the object has `k` and `other`");
  EXPECT_EQ(fail("{}"), "2:9: `kernel:` needs a `name:`; the object has `k` and `other`");
  object_.metadata = metadata_bytes({kernel_metadata()});
  object_.metadata.resize(object_.metadata.size() / 2);
  EXPECT_THAT(fail("{name: k}"), HasSubstr("it is truncated or not a MessagePack map"));
  object_.has_note = false;
  EXPECT_THAT(fail("{name: k}"), HasSubstr("2:9: the object does not contain kernels"));
  EXPECT_THAT(brief(load_bad("target: gfx900\ncode: {asm: s_endpgm}\nkernel: {name: k}\n")),
              HasSubstr("3:9: `kernel:` starts a kernel of an object"));
}

TEST_F(KernelLaunch, SymbolsThatSayOtherwise) {
  const std::string file = folder_.write("k.o", object_.build());
  load_good("code: {file: " + file + ", symbol: k}\nkernel: {name: k}\n");
  EXPECT_THAT(brief(load_bad("code:\n  file: " + file + "\n  symbol: j\nkernel: {name: k}\n")),
              HasSubstr("3:11: `symbol:` starts at `j`, but `kernel:` at `k`"));
  LoadOptions options;
  options.symbol = "j";
  EXPECT_EQ(load_bad("code: {file: " + file + "}\nkernel: {name: k}\n", options).code, ErrorCode::usage);
}

TEST_F(KernelLaunch, DescriptorsThatAreWrong) {
  object_.has_descriptor = false;
  EXPECT_THAT(fail("{name: k}"), HasSubstr("2:16: the object does not contain the kernel descriptor `k.kd`"));
  object_.has_descriptor = true;
  object_.descriptor.rsrc2 = 0;
  EXPECT_THAT(fail("{}"), HasSubstr("it enables 2 user SGPRs, but USER_SGPR_COUNT is 0"));
  object_.descriptor.rsrc2 = 2 << 1;
  object_.descriptor.entry_offset = 2;
  EXPECT_THAT(fail("{}"), HasSubstr("is 0x1002, which is not in code"));
  object_.descriptor.entry_offset = -8;
  EXPECT_THAT(fail("{}"), HasSubstr("is 0xff8, which is not in code"));
}

TEST_F(KernelLaunch, DamagedObjectsAreErrorsOrLoad) {
  set_arguments({argument("out", 0, 8, "global_buffer"), argument("n", 8, 4, "by_value")});
  object_.descriptor.properties = 0x7f;
  object_.descriptor.rsrc2 = 15 << 1 | 15 << 7 | 1;
  object_.descriptor.private_bytes = 4;
  const std::string whole = object_.build();
  std::mt19937 random(11);
  int loaded = 0;
  for (int i = 0; i < 600; ++i) {
    std::string bytes = whole;
    for (auto k = random() % 6; k < 6; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (i % 3 == 0) bytes.resize(random() % bytes.size());
    const std::string text =
        "code: {file: " + folder_.write("k.o", bytes) + "}\nkernel: {args: {out: {buffer: 16}, n: 1}}\n";
    const auto results = load_yaml(text, "test.yaml", {});
    ASSERT_EQ(results.size(), 1U);
    loaded += results[0].has_value() ? 1 : 0;
  }
  EXPECT_GT(loaded, 20);
  EXPECT_LT(loaded, 400);
}

}  // namespace
}  // namespace salu
