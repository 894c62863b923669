#include <salu/memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace salu {
namespace {

constexpr u64 max = ~u64{0};

TEST(Memory, RegionsDoNotOverlapOrWrap) {
  Memory memory;
  EXPECT_TRUE(memory.add_region({0x1000, 0x100}));
  EXPECT_FALSE(memory.add_region({0x1000, 0x100}));
  EXPECT_FALSE(memory.add_region({0x10ff, 1}));
  EXPECT_FALSE(memory.add_region({0xfff, 2}));
  EXPECT_FALSE(memory.add_region({0, 0x2000}));
  EXPECT_FALSE(memory.add_region({0x5000, 0}));
  EXPECT_FALSE(memory.add_region({max - 3, 8}));
  EXPECT_FALSE(memory.add_region({8, max}));
  EXPECT_TRUE(memory.add_region({0x1200, 0x10}));
  EXPECT_EQ(memory.regions().size(), 2U);
}

TEST(Memory, TouchingRegionsOfOneAccessBecomeOne) {
  Memory memory;
  EXPECT_TRUE(memory.add_region({0x1000, 0x10}));
  EXPECT_TRUE(memory.add_region({0x1020, 0x10}));
  EXPECT_TRUE(memory.add_region({0x1010, 0x10}));
  ASSERT_EQ(memory.regions().size(), 1U);
  EXPECT_EQ(memory.regions()[0], (MemoryRegion{0x1000, 0x30}));
  EXPECT_TRUE(memory.add_region({0x1030, 0x10, Access::read}));
  EXPECT_EQ(memory.regions().size(), 2U);
}

TEST(Memory, FindsRegions) {
  Memory memory;
  EXPECT_EQ(memory.nearest_region(5), nullptr);
  ASSERT_TRUE(memory.add_region({0x1000, 0x100}));
  ASSERT_TRUE(memory.add_region({0x2000, 0x100, Access::read}));
  EXPECT_EQ(memory.find_region(0xfff), nullptr);
  EXPECT_EQ(memory.find_region(0x10ff)->base, 0x1000U);
  EXPECT_EQ(memory.find_region(0x1100), nullptr);
  EXPECT_EQ(memory.nearest_region(0)->base, 0x1000U);
  EXPECT_EQ(memory.nearest_region(0x1200)->base, 0x1000U);
  EXPECT_EQ(memory.nearest_region(0x1f00)->base, 0x2000U);
  EXPECT_EQ(memory.nearest_region(max)->base, 0x2000U);
}

TEST(Memory, MappedMeansEveryByte) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0x1000, 0x100}));
  ASSERT_TRUE(memory.add_region({0x1100, 0x100, Access::read}));
  EXPECT_TRUE(memory.is_mapped(0x1000, 0x200));
  EXPECT_FALSE(memory.is_mapped(0x1000, 0x201));
  EXPECT_FALSE(memory.is_mapped(0xfff, 4));
  EXPECT_FALSE(memory.is_mapped(max, 4));
  EXPECT_TRUE(memory.is_mapped(0x5000, 0));
}

TEST(Memory, WritesAcrossPagesAndReadsBack) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0x1000, 0x3000}));
  std::vector<u8> bytes(0x1800);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(i * 7 + 1);
  memory.write(0x1801, bytes);
  std::vector<u8> back(bytes.size());
  memory.read(0x1801, back);
  EXPECT_EQ(back, bytes);
  EXPECT_EQ(memory.nonzero_pages(), (std::vector<u64>{0x1000, 0x2000, 0x3000}));
}

TEST(Memory, DwordsAreLittleEndian) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0x1000, 0x10}));
  memory.write_dword(0x1001, 0x11223344);
  std::array<u8, 6> bytes{};
  memory.read(0x1000, bytes);
  EXPECT_EQ(bytes, (std::array<u8, 6>{0, 0x44, 0x33, 0x22, 0x11, 0}));
  EXPECT_EQ(memory.read_dword(0x1001), 0x11223344U);
}

TEST(Memory, WhatIsNotMappedIsLeftOut) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0x1000, 4}));
  ASSERT_TRUE(memory.add_region({0x1008, 4}));
  const std::vector<u8> bytes(32, 0xff);
  memory.write(0xff0, bytes);
  EXPECT_EQ(memory.read_dword(0x1000), 0xffffffffU);
  EXPECT_EQ(memory.read_dword(0x1004), 0U);
  EXPECT_EQ(memory.read_dword(0x1008), 0xffffffffU);
  EXPECT_EQ(memory.read_dword(0xffc), 0U);
  memory.write(max - 3, bytes);
  EXPECT_EQ(memory.read_dword(max - 3), 0U);
}

TEST(Memory, ZerosCostNothingAndCompareEqual) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0, u64{1} << 47}));
  Memory other = memory;
  other.write_dword(0x123450000, 5);
  EXPECT_NE(memory, other);
  other.write_dword(0x123450000, 0);
  EXPECT_EQ(memory, other);
  EXPECT_EQ(other, memory);
  EXPECT_TRUE(other.nonzero_pages().empty());
  Memory read_only;
  ASSERT_TRUE(read_only.add_region({0, u64{1} << 47, Access::read}));
  EXPECT_NE(memory, read_only);
}

TEST(Memory, ClearsARangeAndNothingElse) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0, u64{1} << 40}));
  for (const u64 address : {u64{0xffc}, u64{0x1000}, u64{0x1ffc}, u64{0x2000}, u64{1} << 39})
    memory.write_dword(address, 1);
  memory.clear(0x1000, 0x1000);
  EXPECT_EQ(memory.read_dword(0xffc), 1U);
  EXPECT_EQ(memory.read_dword(0x1000), 0U);
  EXPECT_EQ(memory.read_dword(0x1ffc), 0U);
  EXPECT_EQ(memory.read_dword(0x2000), 1U);
  memory.clear(0x2000, max);
  EXPECT_EQ(memory.nonzero_pages(), (std::vector<u64>{0}));
}

}  // namespace
}  // namespace salu
