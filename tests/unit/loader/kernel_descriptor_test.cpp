#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernel_objects.hpp"
#include "loader/launch/kernel_descriptor.hpp"

namespace salu::loader {
namespace {

using test::DescriptorFields;

KernelDescriptor parse(const DescriptorFields& fields) {
  const std::string bytes = fields.bytes();
  return parse_start_of_kernel(std::vector<u8>(bytes.begin(), bytes.end()), false);
}

/// Each value is different, so that it can be recognised.
LaunchRegisters values() {
  LaunchRegisters registers;
  registers.private_segment_buffer = {0xb0, 0xb1, 0xb2, 0xb3};
  registers.dispatch_ptr = 0xd1'0000'00d0;
  registers.queue_ptr = 0xe1'0000'00e0;
  registers.kernarg_ptr = 0xc1'0000'00c0;
  registers.dispatch_id = 0x1d'0000'00d1;
  registers.flat_scratch_init = 0xf1'0000'00f0;
  registers.private_segment_size = 0x512;
  registers.workgroup_id = {0x10, 0x11, 0x12};
  registers.workgroup_info = 0x80000001;
  registers.scratch_wave_offset = 0x400;
  registers.flat_scratch = 0xfa'0000'0000;
  registers.exec = 0xff;
  return registers;
}

std::vector<u32> sgprs_of(const WaveState& state, u32 count) {
  return {state.file.begin(), state.file.begin() + count};
}

constexpr u32 user_sgprs(u32 count) { return count << 1; }

TEST(KernelDescriptor, ReadsFieldsAtTheirOffsets) {
  std::string bytes(64, '\0');
  for (std::size_t i = 0; i < 64; ++i) bytes[i] = static_cast<char>(i);
  const KernelDescriptor descriptor = parse_start_of_kernel(std::vector<u8>(bytes.begin(), bytes.end()), false);
  EXPECT_EQ(descriptor.group_segment_bytes, 0x03020100U);
  EXPECT_EQ(descriptor.private_segment_bytes, 0x07060504U);
  EXPECT_EQ(descriptor.entry_offset, 0x1716151413121110);
  EXPECT_EQ(descriptor.rsrc3, 0x2f2e2d2cU);
  EXPECT_EQ(descriptor.rsrc1, 0x33323130U);
  EXPECT_EQ(descriptor.rsrc2, 0x37363534U);
  EXPECT_EQ(descriptor.properties, 0x3838U);  // bits 7 to 9 are reserved
  EXPECT_EQ(descriptor.preload, 0x3b3aU);
}

TEST(KernelDescriptor, AllRegistersInTheirOrder) {
  DescriptorFields fields;
  fields.properties = 0x7f;
  fields.rsrc1 = 15 << 6;
  fields.rsrc2 = user_sgprs(15) | 1 | 15U << 7;
  const KernelDescriptor descriptor = parse(fields);
  ASSERT_EQ(check_kernel_descriptor(descriptor, Generation::gcn1_2), "");
  WaveState state = initial_state(Generation::gcn1_2);
  set_launch_registers(descriptor, values(), Generation::gcn1_2, state);
  const std::vector<u32> expected = {0xb0, 0xb1, 0xb2, 0xb3, 0xd0,  0xd1, 0xe0, 0xe1, 0xc0,       0xc1,
                                     0xd1, 0x1d, 0xf0, 0xf1, 0x512, 0x10, 0x11, 0x12, 0x80000001, 0x400};
  EXPECT_EQ(sgprs_of(state, 20), expected);
  for (u32 i = 0; i < 20; ++i) EXPECT_TRUE(state.defined[i]) << i;
  EXPECT_FALSE(state.defined[20]);
  EXPECT_EQ(state.exec(), 0xffU);
  EXPECT_FALSE(state.defined[code::m0]);
}

TEST(KernelDescriptor, EachOneAlone) {
  const std::vector<std::vector<u32>> expected = {
      {0xb0, 0xb1, 0xb2, 0xb3}, {0xd0, 0xd1}, {0xe0, 0xe1}, {0xc0, 0xc1}, {0xd1, 0x1d}, {0xf0, 0xf1}, {0x512}};
  for (u32 bit = 0; bit < expected.size(); ++bit) {
    const auto count = static_cast<u32>(expected[bit].size());
    DescriptorFields fields;
    fields.properties = static_cast<u16>(1U << bit);
    fields.rsrc1 = 15 << 6;
    fields.rsrc2 = user_sgprs(count) | 1U << 8;
    WaveState state = initial_state(Generation::gcn1_4);
    set_launch_registers(parse(fields), values(), Generation::gcn1_4, state);
    std::vector<u32> all = expected[bit];
    all.push_back(0x11);
    all.push_back(0);
    EXPECT_EQ(sgprs_of(state, count + 2), all) << bit;
  }
}

TEST(KernelDescriptor, SystemSgprsFollowTheCount) {
  DescriptorFields fields;
  fields.properties = KernelDescriptor::kernarg_segment_ptr;
  fields.rsrc1 = 1 << 6;
  fields.rsrc2 = user_sgprs(6) | 1U << 9;
  WaveState state = initial_state(Generation::gcn1_1);
  set_launch_registers(parse(fields), values(), Generation::gcn1_1, state);
  EXPECT_EQ(sgprs_of(state, 8), (std::vector<u32>{0xc0, 0xc1, 0, 0, 0, 0, 0x12, 0}));
  EXPECT_FALSE(state.defined[2]);
}

TEST(KernelDescriptor, ArchitectedFlatScratch) {
  DescriptorFields fields;
  fields.properties = KernelDescriptor::kernarg_segment_ptr;
  fields.rsrc1 = 2 << 6;
  fields.rsrc2 = user_sgprs(2) | 1 | 1U << 7;
  WaveState state = initial_state(Generation::cdna3);
  set_launch_registers(parse(fields), values(), Generation::cdna3, state);
  EXPECT_EQ(sgprs_of(state, 4), (std::vector<u32>{0xc0, 0xc1, 0x10, 0}));
  const auto flat_scratch = parse_register_name(Generation::cdna3, "flat_scratch");
  ASSERT_TRUE(flat_scratch);
  EXPECT_EQ(read_register(state, *flat_scratch), 0xfa'0000'0000U);
  WaveState older = initial_state(Generation::cdna2);
  set_launch_registers(parse(fields), values(), Generation::cdna2, older);
  EXPECT_EQ(sgprs_of(older, 4), (std::vector<u32>{0xc0, 0xc1, 0x10, 0x400}));
  EXPECT_EQ(read_register(older, *flat_scratch), 0U);
}

TEST(KernelDescriptor, PreloadedArguments) {
  DescriptorFields fields;
  fields.properties = KernelDescriptor::kernarg_segment_ptr;
  fields.rsrc1 = 2 << 6;
  fields.rsrc2 = user_sgprs(5) | 1U << 7;
  fields.preload = 3 | 2 << 7;
  fields.entry_offset = -0x1000;
  const KernelDescriptor descriptor = parse(fields);
  for (const Generation generation : all_generations()) {
    const bool preloads = generation >= Generation::cdna2;
    EXPECT_EQ(descriptor.preload_dwords(generation), preloads ? 3U : 0U);
    EXPECT_EQ(descriptor.start_offset(generation), preloads ? -0xf00 : -0x1000);
  }
  EXPECT_EQ(descriptor.preload_offset_dwords(), 2U);
  LaunchRegisters registers = values();
  registers.preloaded = {0x70, 0x71, 0x72};
  WaveState state = initial_state(Generation::cdna2);
  set_launch_registers(descriptor, registers, Generation::cdna2, state);
  EXPECT_EQ(sgprs_of(state, 7), (std::vector<u32>{0xc0, 0xc1, 0x70, 0x71, 0x72, 0x10, 0}));
}

TEST(KernelDescriptor, OnlySixteenUserSgprsAreFilled) {
  DescriptorFields fields;
  fields.properties = KernelDescriptor::kernarg_segment_ptr;
  fields.rsrc1 = 15 << 6;
  fields.rsrc2 = user_sgprs(20) | 1U << 7;
  fields.preload = 18;
  LaunchRegisters registers = values();
  registers.preloaded.assign(18, 0x77);
  WaveState state = initial_state(Generation::cdna3);
  set_launch_registers(parse(fields), registers, Generation::cdna3, state);
  EXPECT_EQ(state.file[15], 0x77U);
  EXPECT_EQ(state.file[16], 0U);
  EXPECT_FALSE(state.defined[16]);
  EXPECT_EQ(state.file[20], 0x10U);
}

TEST(KernelDescriptor, SgprsThatAreAllocated) {
  const auto allocated = [](u32 blocks, Generation generation) {
    DescriptorFields fields;
    fields.rsrc1 = blocks << 6;
    return allocated_sgprs(parse(fields), generation);
  };
  EXPECT_EQ(allocated(0, Generation::gcn1_0), 8U);
  EXPECT_EQ(allocated(5, Generation::gcn1_1), 48U);
  EXPECT_EQ(allocated(12, Generation::gcn1_2), 102U);
  EXPECT_EQ(allocated(13, Generation::gcn1_1), 104U);
  EXPECT_EQ(allocated(0, Generation::gcn1_4), 16U);
  EXPECT_EQ(allocated(4, Generation::gcn1_4), 48U);
  EXPECT_EQ(allocated(12, Generation::cdna3), 102U);
}

// GRANULATED_WORKITEM_VGPR_COUNT and ACCUM_OFFSET (LLVM AMDGPUUsage, compute_pgm_rsrc1 and compute_pgm_rsrc3 of
// GFX90A).
TEST(KernelDescriptor, VectorRegistersThatAreAllocated) {
  const auto allocated = [](u32 blocks, u32 offset_blocks, Generation generation) {
    DescriptorFields fields;
    fields.rsrc1 = blocks;
    fields.rsrc3 = offset_blocks;
    const VectorAllocation result = allocated_vectors(parse(fields), generation);
    return std::pair(result.vgprs, result.agprs);
  };
  using Counts = std::pair<u32, u32>;
  EXPECT_EQ(allocated(1, 0, Generation::gcn1_0).first, 8U);
  EXPECT_EQ(allocated(63, 0, Generation::gcn1_4).first, 256U);
  EXPECT_EQ(allocated(3, 0, Generation::cdna1), (Counts{16, 16}));
  EXPECT_EQ(allocated(1, 1, Generation::cdna2), (Counts{8, 8}));
  EXPECT_EQ(allocated(1, 3, Generation::cdna3), (Counts{16, 0}));
  EXPECT_EQ(allocated(63, 63, Generation::cdna4), (Counts{256, 256}));
  EXPECT_EQ(allocated(0, 63, Generation::cdna2), (Counts{8, 0}));
}

// The manuals' tables of GPR_ALLOC and LDS_ALLOC (Vega 17 and 18, CDNA 3 21 and 22, CDNA 4). AMD's context save handler
// interprets SGPR_SIZE as blocks of 16 and, from GFX90A on, VGPR_SIZE as blocks of 8.
TEST(KernelDescriptor, SizesInHardwareRegisters) {
  DescriptorFields fields;
  fields.rsrc1 = 1 | 5 << 6;
  fields.rsrc3 = 1;
  const KernelDescriptor descriptor = parse(fields);
  EXPECT_EQ(gpr_alloc(descriptor, Generation::gcn1_0), 0x0500'0100U);  // 8 VGPRs, 48 SGPRs
  EXPECT_EQ(gpr_alloc(descriptor, Generation::gcn1_4), 0x0200'0100U);
  EXPECT_EQ(gpr_alloc(descriptor, Generation::cdna1), 0x0200'0100U);
  EXPECT_EQ(gpr_alloc(descriptor, Generation::cdna2), 0x0200'1040U);  // 16 registers, 8 of which are VGPRs
  EXPECT_EQ(lds_alloc(0, Generation::gcn1_4), 0U);
  EXPECT_EQ(lds_alloc(1, Generation::gcn1_0), 1U << 12);  // 64 dwords
  EXPECT_EQ(lds_alloc(1, Generation::gcn1_4), 2U << 12);  // 128 dwords
  EXPECT_EQ(lds_alloc(1025, Generation::cdna3), 6U << 12);
  EXPECT_EQ(lds_alloc(1, Generation::cdna4), 5U << 12);  // 320 dwords
  EXPECT_EQ(lds_alloc(160 << 10, Generation::cdna4), 640U << 12);

  LaunchRegisters registers = values();
  registers.group_bytes = 512;
  WaveState state = initial_state(Generation::cdna2);
  set_launch_registers(descriptor, registers, Generation::cdna2, state);
  EXPECT_EQ(state.hwregs[5], 0x0200'1040U);
  EXPECT_EQ(state.hwregs[6], 2U << 12);
  EXPECT_EQ(state.vgprs, 8U);
  EXPECT_EQ(state.agprs, 8U);
}

TEST(KernelDescriptor, ModeAndStatus) {
  const auto mode = [](u32 rsrc1, u32 rsrc2, Generation generation) {
    DescriptorFields fields;
    fields.rsrc1 = rsrc1;
    fields.rsrc2 = rsrc2;
    return initial_mode(parse(fields), generation);
  };
  EXPECT_EQ(mode(3 << 12, 0, Generation::gcn1_4), 0x3U);
  EXPECT_EQ(mode(2 << 14, 0, Generation::gcn1_4), 0x8U);
  EXPECT_EQ(mode(1 << 16, 0, Generation::gcn1_4), 0x10U);
  EXPECT_EQ(mode(3 << 18, 0, Generation::gcn1_4), 0xc0U);
  EXPECT_EQ(mode(1 << 21, 0, Generation::gcn1_4), 0x100U);
  EXPECT_EQ(mode(1 << 23, 0, Generation::gcn1_4), 0x200U);
  EXPECT_EQ(mode(1 << 26, 0, Generation::gcn1_4), 0x800000U);
  EXPECT_EQ(mode(1 << 26, 0, Generation::gcn1_2), 0U);
  EXPECT_EQ(mode(0, 0x7fU << 24, Generation::gcn1_4), 0x7f000U);
  EXPECT_EQ(mode(0, 1U << 30, Generation::gcn1_0), 1U << 18);
  EXPECT_EQ(mode(0, 3U << 13, Generation::gcn1_4), 0x180000U);
  EXPECT_EQ(mode(0, 3U << 13, Generation::gcn1_0), 0U);

  DescriptorFields fields;
  fields.rsrc1 = 2 << 10;
  // The runtime sets STATUS.TRAP_EN: ENABLE_TRAP_HANDLER is 0 in every descriptor.
  WaveState state = initial_state(Generation::gcn1_4);
  LaunchRegisters registers = values();
  registers.several_waves = true;
  set_launch_registers(parse(fields), registers, Generation::gcn1_4, state);
  EXPECT_EQ(state.status, 2U << 1 | 1U << 6 | 1U << 11);
}

TEST(KernelDescriptor, Errors) {
  DescriptorFields fields;
  fields.properties = KernelDescriptor::kernarg_segment_ptr | KernelDescriptor::private_segment_buffer;
  fields.rsrc2 = user_sgprs(5);
  EXPECT_EQ(check_kernel_descriptor(parse(fields), Generation::gcn1_4),
            "it enables 6 user SGPRs, but USER_SGPR_COUNT is 5");
  fields.rsrc2 = user_sgprs(6);
  EXPECT_EQ(check_kernel_descriptor(parse(fields), Generation::gcn1_4), "");
  fields.preload = 1;
  EXPECT_EQ(check_kernel_descriptor(parse(fields), Generation::gcn1_4), "");
  EXPECT_NE(check_kernel_descriptor(parse(fields), Generation::cdna2), "");
  fields.properties = 1 << 10;
  EXPECT_NE(check_kernel_descriptor(parse(fields), Generation::gcn1_4), "");
}

}  // namespace
}  // namespace salu::loader
