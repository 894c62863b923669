#include <gtest/gtest.h>

#include "isa/vector/semantics/address.hpp"

// Descriptors and addresses at the limits of their fields, computed by hand: cases for which an instruction would need
// gigabytes of memory.
namespace salu::test {
namespace {

namespace addresses = isa::vector::semantics;
using addresses::BufferPlace;
using addresses::BufferResource;
using addresses::RangeCheck;

BufferResource resource(Generation generation, u32 word1, u32 word3, u32 word0 = 0, u32 word2 = 0) {
  return addresses::buffer_resource(generation, {word0, word1, word2, word3});
}

TEST(VectorAddress, TakesBaseAndStrideOutOfADescriptor) {
  const BufferResource full = resource(Generation::gcn1_4, 0x3fff'9234, 0, 0x89ab'cdef, 0xfedc'ba98);
  EXPECT_EQ(full.base, 0x9234'89ab'cdefU);
  EXPECT_EQ(full.stride, 0x3fffU);
  EXPECT_EQ(full.records, 0xfedc'ba98U);
  EXPECT_FALSE(full.swizzles);
  // Bit 62 is for caches, bit 63 for swizzling.
  EXPECT_FALSE(resource(Generation::gcn1_4, 0x4000'0000, 0).swizzles);
  EXPECT_EQ(resource(Generation::gcn1_4, 0x4000'0000, 0).stride, 0U);
  EXPECT_TRUE(resource(Generation::gcn1_4, 0x8000'0000, 0).swizzles);
  EXPECT_EQ(resource(Generation::gcn1_4, 0x8001'0000, 0).stride, 1U);
}

TEST(VectorAddress, TakesTheSizesOfSwizzlingOutOfADescriptor) {
  for (const Generation generation : all_generations()) {
    EXPECT_FALSE(resource(generation, 0, 0xff00'0000).adds_lane);
    EXPECT_TRUE(resource(generation, 0, 0x0080'0000).adds_lane);
    EXPECT_EQ(resource(generation, 0, 0xff9f'ffff).index_bits, 3U);
    EXPECT_EQ(resource(generation, 0, 0x0020'0000).index_bits, 4U);
    EXPECT_EQ(resource(generation, 0, 0x0040'0000).index_bits, 5U);
    const bool is_before_gcn1_4 = !is_gfx9(generation);
    EXPECT_EQ(resource(generation, 0, 0).element_bits, is_before_gcn1_4 ? 1U : 2U);
    EXPECT_EQ(resource(generation, 0, 0xffef'ffff).element_bits, 2U);
    EXPECT_EQ(resource(generation, 0, 0x0010'0000).element_bits, is_before_gcn1_4 ? 3U : 2U);
    // The field of the format extends the stride if the lane is added, from GCN 1.2 on.
    const bool is_extended = is_gcn1_2_or_later(generation);
    EXPECT_EQ(resource(generation, 0x0001'0000, 0x0087'8000).stride, is_extended ? 0x3c001U : 1U);
    EXPECT_EQ(resource(generation, 0x0001'0000, 0x0084'0000).stride, is_extended ? 0x20001U : 1U);
    EXPECT_EQ(resource(generation, 0x0001'0000, 0x0007'8000).stride, 1U);
    const RangeCheck check = generation == Generation::gcn1_2 ? RangeCheck::gfx8 : RangeCheck::gfx6;
    EXPECT_EQ(resource(generation, 0, 0).check, is_gfx9(generation) ? RangeCheck::gfx9 : check);
  }
}

TEST(VectorAddress, AddsOffsetsInAsManyBitsAsTheGeneration) {
  for (const Generation generation : all_generations()) {
    EXPECT_EQ(addresses::buffer_offset(generation, 0xffff'ffff, 1), is_gfx9(generation) ? 0 : u64{1} << 32);
    EXPECT_EQ(addresses::buffer_offset(generation, 0x8000'0000, 0x7fff'ffff), 0xffff'ffffU);
  }
}

TEST(VectorAddress, LeavesThirtyTwoBitsInALinearBuffer) {
  BufferResource buffer;
  buffer.base = 0x9234'0000'0000;
  buffer.stride = 0x3fff;
  BufferPlace place;
  place.index = 0x10000;
  place.offset = 0x1'0000'0005;
  place.scalar_offset = 0x10;
  EXPECT_EQ(addresses::buffer_address(buffer, place, 7, 3), 0x9235'3fff'0018U);
  EXPECT_EQ(addresses::buffer_address(buffer, place, 7, 0x8000'0003), 0x9235'bfff'0018U);
  place.scalar_offset = 0xffff'ffff;
  EXPECT_EQ(addresses::buffer_address(buffer, place, 7, 3), 0x9236'3fff'0007U);
  buffer.adds_lane = true;
  EXPECT_EQ(addresses::buffer_index(buffer, place, 7), 0x10007U);
  place.index = 0xffff'ffff;
  EXPECT_EQ(addresses::buffer_index(buffer, place, 63), 0x1'0000'003eU);
  buffer.base = 0;
  buffer.stride = 4;
  place.offset = place.scalar_offset = 0;
  EXPECT_EQ(addresses::buffer_address(buffer, place, 63, 0), 0x4'0000'00f8U);
}

// Eight interleaved records of 32 bytes, in elements of four bytes.
TEST(VectorAddress, LeavesThirtyTwoBitsInASwizzledBuffer) {
  BufferResource buffer;
  buffer.stride = 32;
  buffer.swizzles = true;
  buffer.adds_lane = true;
  BufferPlace place;
  place.index = 0xffff'ffff;
  place.offset = 0x1'0000'0005;
  // Record 1 of group 0x2000'0001, byte 2 of an element: 8 * (32 * 0x2000'0001 + 0x1'0000'0004) + 4 * 1 + 2.
  EXPECT_EQ(addresses::buffer_address(buffer, place, 10, 1), 0x28'0000'0126U);
}

TEST(VectorAddress, SplitsAccessesAcrossElements) {
  BufferResource buffer;
  buffer.swizzles = true;
  BufferPlace place;
  EXPECT_FALSE(addresses::parts_bytes(buffer, place, 0, 4));
  EXPECT_TRUE(addresses::parts_bytes(buffer, place, 1, 4));
  EXPECT_FALSE(addresses::parts_bytes(buffer, place, 2, 2));
  EXPECT_TRUE(addresses::parts_bytes(buffer, place, 3, 2));
  place.offset = 1;
  EXPECT_FALSE(addresses::parts_bytes(buffer, place, 3, 4));
  buffer.element_bits = 4;
  EXPECT_FALSE(addresses::parts_bytes(buffer, place, 11, 4));
  EXPECT_TRUE(addresses::parts_bytes(buffer, place, 12, 4));
  buffer.swizzles = false;
  EXPECT_FALSE(addresses::parts_bytes(buffer, place, 12, 4));
  EXPECT_FALSE(addresses::parts_scratch_bytes(0xffff'fffc, 4));
  EXPECT_FALSE(addresses::parts_scratch_bytes(0xffff'fffe, 2));
  EXPECT_TRUE(addresses::parts_scratch_bytes(0xffff'fffe, 4));
}

TEST(VectorAddress, CountsRecordsOrBytes) {
  BufferResource buffer;
  BufferPlace place;
  EXPECT_FALSE(addresses::counts_records(buffer, place));
  buffer.stride = 4;
  EXPECT_TRUE(addresses::counts_records(buffer, place));
  buffer.check = RangeCheck::gfx9;
  EXPECT_FALSE(addresses::counts_records(buffer, place));
  place.has_index = true;
  EXPECT_TRUE(addresses::counts_records(buffer, place));
  buffer.check = RangeCheck::gfx8;
  EXPECT_FALSE(addresses::counts_records(buffer, place));
  buffer.swizzles = true;
  EXPECT_TRUE(addresses::counts_records(buffer, place));
}

TEST(VectorAddress, EndsABufferOfBytes) {
  BufferResource buffer;
  buffer.records = 8;
  BufferPlace place;
  place.offset = 4;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 1, 4));
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 2, 2));
  place.scalar_offset = 1;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 3));
  place.scalar_offset = 9;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 1));
  place.scalar_offset = 0;
  buffer.swizzles = true;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  place.offset = u64{1} << 32;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  place.offset = 0;
  buffer.records = 0xffff'ffff;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0x8000'0000, 4));
  // 0x10000 records of 0x10000 bytes exceed 32 bits.
  buffer.swizzles = false;
  buffer.check = RangeCheck::gfx8;
  buffer.stride = 0x10000;
  place.index = 0x10000;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  place.index = 0xffff;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
}

TEST(VectorAddress, EndsABufferOfRecords) {
  BufferResource buffer;
  buffer.records = 8;
  buffer.stride = 16;
  BufferPlace place;
  place.has_index = true;
  place.index = 7;
  place.offset = 12;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 1, 4));
  place.index = 8;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  // Record 2^32 is not record 0.
  place.index = 0xffff'ffff;
  buffer.adds_lane = true;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 1, 0, 4));
}

// 8.1.5 of the Vega ISA manual, 9.1.5 of the CDNA manuals.
TEST(VectorAddress, ChecksTheIndexOrTheOffsetAloneFromGcn14On) {
  BufferResource buffer;
  buffer.check = RangeCheck::gfx9;
  buffer.records = 8;
  buffer.stride = buffer.plain_stride = 16;
  BufferPlace place;
  place.has_index = true;
  place.index = 7;
  place.offset = 4096;
  place.scalar_offset = 9;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  place.index = 8;
  place.offset = 0;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  // A raw buffer: SOFFSET is not part of the check.
  place = {};
  place.offset = 4;
  place.scalar_offset = 4096;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 0, 0, 4));
  place.offset = 8;
  EXPECT_FALSE(addresses::is_in_buffer(buffer, place, 0, 0, 1));
  // A private buffer is not checked.
  buffer.adds_lane = true;
  EXPECT_TRUE(addresses::is_in_buffer(buffer, place, 63, 0, 4));
}

// The format of Vega's 8.1.4; with ADD_TID_ENABLE it is a part of the stride from GCN 1.2 on (8.1.5, Table 30).
TEST(VectorAddress, IsUnboundWithoutAFormat) {
  for (const Generation generation : all_generations()) {
    EXPECT_TRUE(resource(generation, 0, 0).is_unbound);
    EXPECT_TRUE(resource(generation, 0, 0xff78'7fff).is_unbound);
    EXPECT_FALSE(resource(generation, 0, 0x0000'8000).is_unbound);
    EXPECT_FALSE(resource(generation, 0, 0x0004'0000).is_unbound);
    EXPECT_EQ(resource(generation, 0, 0x0080'0000).is_unbound, !is_gcn1_2_or_later(generation));
  }
}

// Measured on gfx950 by AMD's emulator (ROCm/rocm-systems).
TEST(VectorAddress, TakesAnIndexForTheLaneOnCdna) {
  for (const Generation generation : all_generations()) {
    BufferResource buffer = resource(generation, 0x0010'0000, 0x0080'8000);
    BufferPlace place;
    place.has_index = true;
    place.index = 2;
    const bool ignores = generation >= Generation::cdna1;
    EXPECT_EQ(addresses::ignores_lane(buffer, place), ignores);
    EXPECT_EQ(addresses::buffer_index(buffer, place, 3), ignores ? 2U : 5U);
    const u32 stride = is_gcn1_2_or_later(generation) && !ignores ? 0x4010 : 0x10;
    EXPECT_EQ(addresses::buffer_stride(buffer, place), stride);
    EXPECT_EQ(addresses::buffer_address(buffer, place, 3, 1), (ignores ? 2U : 5U) * stride + 1);
    place.has_index = false;
    EXPECT_EQ(addresses::buffer_index(buffer, place, 3), 5U);
    place.has_index = buffer.swizzles = true;
    EXPECT_EQ(addresses::buffer_index(buffer, place, 3), 5U);
  }
}

// Private memory of a lane of the maximum size of an offset.
TEST(VectorAddress, LeavesThirtyTwoBitsInScratchMemory) {
  EXPECT_EQ(addresses::scratch_address(0x100, 0x0400'0006, 63), 0x1'0000'02feU);
}

}  // namespace
}  // namespace salu::test
