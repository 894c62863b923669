#include <salu/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

#include "repetitions.hpp"

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

TEST(Memory, UnmappedMemoryIsOmitted) {
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

TEST(Memory, RegionsEndWhereAddressesEnd) {
  Memory memory;
  EXPECT_FALSE(memory.add_region({Memory::end_address - 4, 8}));
  EXPECT_FALSE(memory.add_region({Memory::end_address, 4}));
  ASSERT_TRUE(memory.add_region({Memory::end_address - 4, 4}));
  memory.write_dword(Memory::end_address - 4, 7);
  EXPECT_EQ(memory.read_dword(Memory::end_address - 4), 7U);
  EXPECT_EQ(memory.nonzero_pages(), (std::vector<u64>{Memory::end_address - Memory::page_bytes}));
  EXPECT_FALSE(memory.is_mapped(Memory::end_address - 4, 8));
}

TEST(Memory, WritableMeansEveryByte) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0x1000, 0x10}));
  ASSERT_TRUE(memory.add_region({0x1010, 0x10, Access::read}));
  EXPECT_TRUE(memory.is_writable(0x1000, 0x10));
  EXPECT_FALSE(memory.is_writable(0x100c, 8));
  EXPECT_FALSE(memory.is_writable(0xffc, 8));
  EXPECT_FALSE(memory.is_writable(max, 1));
}

TEST(Memory, ACopySharesUnwrittenPages) {
  Memory memory;
  ASSERT_TRUE(memory.add_region({0, u64{1} << 30}));
  for (const u64 page : {u64{0}, u64{0x40000}, u64{0x20000000}}) memory.write_dword(page, 1);
  Memory copy = memory;
  EXPECT_TRUE(Memory::differing_pages(memory, copy).empty());
  copy.write_dword(0x40004, 2);
  EXPECT_EQ(memory.read_dword(0x40004), 0U);
  EXPECT_EQ(copy.read_dword(0x40004), 2U);
  EXPECT_EQ(Memory::differing_pages(memory, copy), (std::vector<u64>{0x40000}));
  EXPECT_EQ(memory.page_for_reading(0x20000000), copy.page_for_reading(0x20000000));
  EXPECT_NE(memory.page_for_reading(0x40000), copy.page_for_reading(0x40000));
  // After the first write, the page belongs to the copy and keeps its address.
  const u8* own = copy.page_for_reading(0x40000);
  copy.write_dword(0x40008, 3);
  EXPECT_EQ(copy.page_for_reading(0x40000), own);
  // New regions do not affect the other memory either.
  ASSERT_TRUE(copy.add_region({u64{1} << 32, 4}));
  EXPECT_FALSE(memory.is_mapped(u64{1} << 32, 4));
}

/// Random writes, clears and snapshots against a map of bytes.
TEST(Memory, BehavesAsAMapOfBytes) {
  std::mt19937_64 random(20);  // NOLINT(bugprone-random-generator-seed): the same run every time
  constexpr u64 span = 0x9000;
  constexpr u64 far = u64{0x3fff} << 28;
  struct Version {
    Memory memory;
    std::map<u64, u8> bytes;
  };
  Version first;
  for (const u64 base : {u64{0}, far}) ASSERT_TRUE(first.memory.add_region({base, span}));
  std::vector<Version> versions = {first};
  const auto address = [&random] { return (random() % 2 == 0 ? 0 : far) + random() % span; };
  for (int round = 0; round < test::repetitions(2000); ++round) {
    Version& version = versions[random() % versions.size()];
    const u64 at = address();
    const u64 end = std::min(at + random() % 0x1800, (at < far ? 0 : far) + span);
    switch (random() % 8) {
      case 0:
        if (versions.size() < 12) {
          versions.emplace_back(version);
        } else {
          version = Version(versions[random() % versions.size()]);
        }
        break;
      case 1:
        version.memory.clear(at, end - at);
        for (u64 i = at; i < end; ++i) version.bytes.erase(i);
        break;
      default: {
        std::vector<u8> bytes(static_cast<std::size_t>(end - at));
        for (u8& byte : bytes) byte = static_cast<u8>(random());
        version.memory.write(at, bytes);
        for (u64 i = at; i < end; ++i) version.bytes[i] = bytes[static_cast<std::size_t>(i - at)];
      }
    }
  }
  for (const Version& version : versions) {
    for (const u64 base : {u64{0}, far}) {
      std::vector<u8> actual(span);
      std::vector<u8> expected(span);
      version.memory.read(base, actual);
      for (u64 i = 0; i < span; ++i) {
        const auto found = version.bytes.find(base + i);
        expected[static_cast<std::size_t>(i)] = found == version.bytes.end() ? u8{0} : found->second;
      }
      ASSERT_EQ(actual, expected);
    }
  }
}

}  // namespace
}  // namespace salu
