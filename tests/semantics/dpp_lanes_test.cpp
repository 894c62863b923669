#include <gtest/gtest.h>

#include "isa/vector/dpp.hpp"
#include "semantics/dpp_reference.hpp"
#include "semantics/vector_cases.hpp"

// The lanes that DPP reads and writes: every control, against the independent model and against tables by hand.
namespace salu::test {
namespace {

namespace vec = isa::vector;

/// Permutations of quads, and all other controls.
std::vector<u32> all_controls() {
  std::vector<u32> controls = dpp_controls(Generation::cdna3, false);
  for (u32 control = 0; control < 256; ++control) controls.push_back(control);
  return controls;
}

TEST(DppLanes, EverySourceLaneAgreesWithTheModel) {
  for (const u32 control : all_controls()) {
    const DppSources sources = dpp_sources(control);
    for (u32 lane = 0; lane < 64; ++lane)
      EXPECT_EQ(vec::dpp_source(control, lane), sources[lane]) << std::hex << control << std::dec << ", lane " << lane;
  }
}

TEST(DppLanes, EveryMaskAgreesWithTheModel) {
  Random random(1);
  for (const u32 control : all_controls()) {
    const DppSources sources = dpp_sources(control);
    for (u32 masks = 0; masks < 512; ++masks) {
      vec::Dpp dpp;
      dpp.control = static_cast<u16>(control);
      dpp.row_mask = static_cast<u8>(masks % 16);
      dpp.bank_mask = static_cast<u8>(masks / 16 % 16);
      dpp.bound_ctrl = masks / 256 != 0;
      const u64 exec = random_mask(random);
      const vec::DppLanes lanes = vec::select_lanes(dpp, exec);
      u64 written = exec & dpp_enabled_lanes(dpp.row_mask, dpp.bank_mask);
      u64 read = 0;
      for (u32 lane = 0; lane < 64; ++lane) {
        const bool is_there = sources[lane] && (exec >> *sources[lane] & 1) != 0;
        ASSERT_EQ((lanes.moved >> lane & 1) != 0, is_there);
        if (is_there) {
          ASSERT_EQ(lanes.source[lane], *sources[lane]);
        }
        if (!is_there && !dpp.bound_ctrl) written &= ~(u64{1} << lane);
        if (is_there && (written >> lane & 1) != 0) read |= u64{1} << *sources[lane];
      }
      ASSERT_EQ(lanes.written, written) << std::hex << control << ' ' << masks << ' ' << exec;
      ASSERT_EQ(lanes.read(), read) << std::hex << control << ' ' << masks << ' ' << exec;
    }
  }
}

/// The source lanes of the lanes 0, 1, 14, 15, 16, 31, 32, 47, 48 and 63; -1: out of range.
TEST(DppLanes, TablesByHand) {
  struct Table {
    u32 control;
    std::array<int, 10> sources;
  };
  constexpr std::array<u32, 10> chosen = {0, 1, 14, 15, 16, 31, 32, 47, 48, 63};
  constexpr std::array<Table, 14> tables = {{
      {0x1b, {3, 2, 13, 12, 19, 28, 35, 44, 51, 60}},
      {0x39, {1, 2, 15, 12, 17, 28, 33, 44, 49, 60}},
      {0x101, {1, 2, 15, -1, 17, -1, 33, -1, 49, -1}},
      {0x10f, {15, -1, -1, -1, 31, -1, 47, -1, 63, -1}},
      {0x111, {-1, 0, 13, 14, -1, 30, -1, 46, -1, 62}},
      {0x121, {15, 0, 13, 14, 31, 30, 47, 46, 63, 62}},
      {0x130, {1, 2, 15, 16, 17, 32, 33, 48, 49, -1}},
      {0x134, {1, 2, 15, 16, 17, 32, 33, 48, 49, 0}},
      {0x138, {-1, 0, 13, 14, 15, 30, 31, 46, 47, 62}},
      {0x13c, {63, 0, 13, 14, 15, 30, 31, 46, 47, 62}},
      {0x140, {15, 14, 1, 0, 31, 16, 47, 32, 63, 48}},
      {0x141, {7, 6, 9, 8, 23, 24, 39, 40, 55, 56}},
      {0x142, {-1, -1, -1, -1, 15, 15, 31, 31, 47, 47}},
      {0x143, {-1, -1, -1, -1, -1, -1, 31, 31, 31, 31}},
  }};
  for (const Table& table : tables) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::optional<u32> source = vec::dpp_source(table.control, chosen[i]);
      EXPECT_EQ(source ? static_cast<int>(*source) : -1, table.sources[i])
          << std::hex << table.control << std::dec << ", lane " << chosen[i];
    }
  }
}

}  // namespace
}  // namespace salu::test
