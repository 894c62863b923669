#include <gtest/gtest.h>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "observe/hazards/hazard_state.hpp"
#include "observe/hazards/hazard_table.hpp"

namespace salu::test {
namespace {

using observe::HazardFacts;
using observe::HazardFinding;
using observe::HazardState;
using observe::TargetHazards;

const TargetHazards& gfx900() {
  static const TargetHazards hazards(*find_target("gfx900"), false);
  return hazards;
}

// Encodings of GFX9 by llvm-mc-19.
constexpr std::array<u32, 1> set_mode = {0xb904f801};  // s_setreg_b32 hwreg(HW_REG_MODE), s4
constexpr std::array<u32, 1> get_mode = {0xb885f801};  // s_getreg_b32 s5, hwreg(HW_REG_MODE)
constexpr std::array<u32, 1> nop = {0xbf800000};       // s_nop 0
constexpr std::array<u32, 2> load = {0xc0020100, 0};   // s_load_dword s4, s[0:1], 0x0
constexpr std::array<u32, 1> read_s4 = {0xbe860004};   // s_mov_b32 s6, s4
constexpr std::array<u32, 1> wait_all = {0xbf8cc07f};  // s_waitcnt lgkmcnt(0)

std::vector<HazardFinding> advance(HazardState& state, std::span<const u32> words, u64 pc) {
  std::vector<HazardFinding> findings;
  state.advance(gfx900(), HazardFacts::of(Generation::gcn1_4, words), pc, findings);
  return findings;
}

TEST(HazardState, TakesTheWorseWhereStatesMeet) {
  HazardState early;
  HazardState late;
  advance(early, set_mode, 0x10);
  advance(late, set_mode, 0x10);
  advance(late, nop, 0x14);
  HazardState both = late;
  EXPECT_TRUE(both.merge(early));
  EXPECT_FALSE(both.merge(early)) << "nothing new";
  EXPECT_FALSE(both.merge(late));
  EXPECT_EQ(both, early);
  const auto findings = advance(both, get_mode, 0x20);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].info->id, "setreg_getreg");
  EXPECT_EQ(findings[0].producer_pc, 0x10U);
  EXPECT_EQ(findings[0].needed, 2);
  EXPECT_EQ(findings[0].found, 0);
  EXPECT_EQ(findings[0].hazard().insert, "s_nop 1");
}

TEST(HazardState, KeepsWhatEitherPathWaitsFor) {
  HazardState loaded;
  advance(loaded, load, 0x10);
  HazardState waited = loaded;
  EXPECT_TRUE(advance(waited, wait_all, 0x18).empty());
  EXPECT_NE(waited, loaded);
  EXPECT_TRUE(HazardState(waited).merge(loaded));
  HazardState both = waited;
  both.merge(loaded);
  EXPECT_EQ(advance(both, read_s4, 0x20).size(), 1U);
  EXPECT_TRUE(advance(both, read_s4, 0x24).empty()) << "one report of one load";
  EXPECT_TRUE(advance(waited, read_s4, 0x20).empty());
}

TEST(HazardState, IsTheSameAgainOnceWaitStatesHavePassed) {
  HazardState state;
  advance(state, set_mode, 0x10);
  EXPECT_NE(state, HazardState());
  advance(state, nop, 0x14);
  advance(state, nop, 0x18);
  EXPECT_EQ(state, HazardState());
  EXPECT_EQ(state.hash(), HazardState().hash());
}

TEST(HazardTable, HasAnIdAndAGenerationForEachRow) {
  for (const observe::HazardInfo& info : observe::hazards()) {
    EXPECT_TRUE(observe::is_hazard_id(info.id));
    EXPECT_TRUE(std::ranges::any_of(info.waits, [](u8 waits) { return waits != 0; })) << info.id;
    EXPECT_FALSE(info.what.empty()) << info.id;
  }
  EXPECT_FALSE(observe::is_hazard_id("hazard"));
}

TEST(Hazards, AreWarningsWithTypedParts) {
  const auto scenarios = load_yaml(
      "target: gfx900\n"
      "code: {asm: \"s_setreg_b32 hwreg(HW_REG_MODE), s4\\ns_getreg_b32 s5, hwreg(HW_REG_MODE)\\ns_endpgm\"}\n",
      "test");
  ASSERT_TRUE(scenarios.at(0));
  RunOptions options = scenarios[0]->options;
  EXPECT_TRUE(run(*scenarios[0], options).warnings.empty());
  options.check_hazards = true;
  const Outcome outcome = run(*scenarios[0], options);
  ASSERT_EQ(outcome.warnings.size(), 1U);
  const Warning& warning = outcome.warnings[0];
  EXPECT_EQ(warning.kind, WarningKind::hazard);
  ASSERT_TRUE(warning.hazard);
  EXPECT_EQ(warning.hazard->id, "setreg_getreg");
  EXPECT_EQ(warning.hazard->producer_pc, 0x1000U);
  EXPECT_EQ(warning.hazard->needed, 2U);
  EXPECT_EQ(warning.hazard->found, 0U);
  EXPECT_FALSE(warning.is_info());
  EXPECT_EQ(identity_of(warning), identity_of(Warning(warning)));
  Warning other = warning;
  other.hazard->producer_pc = 0x2000;
  EXPECT_NE(identity_of(warning), identity_of(other));
  const auto mismatches = check({}, outcome);
  ASSERT_EQ(mismatches.size(), 1U);
  EXPECT_EQ(mismatches[0].kind, Mismatch::Kind::hazard);
}

}  // namespace
}  // namespace salu::test
