#include <gtest/gtest.h>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "observe/hazards/hazard_state.hpp"
#include "observe/hazards/hazard_table.hpp"
#include "observe/hazards/hazard_walk.hpp"

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

TEST(HazardState, KeepsPendingHazardsOfBothPaths) {
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

// V_PERMLANE16_SWAP_B32 and V_PERMLANE32_SWAP_B32 are opcodes 89 and 90 of VOP1 (CDNA 4 manual, table 80), which LLVM
// 19 does not assemble. Everything else by llvm-mc-19 for gfx942.
constexpr u32 permlane16_swap = 0x7e00b301;  // v_permlane16_swap_b32 v0, v1
constexpr u32 permlane32_swap = 0x7e00b501;  // v_permlane32_swap_b32 v0, v1
constexpr u32 write_v0 = 0x7e000302;         // v_mov_b32 v0, v2
constexpr u32 write_v1 = 0x7e020302;         // v_mov_b32 v1, v2
constexpr u32 write_v3 = 0x7e060302;         // v_mov_b32 v3, v2
constexpr u32 write_exec = 0x7db40501;       // v_cmpx_eq_u32_e32 vcc, v1, v2
constexpr u32 scalar_exec = 0xbefe0104;      // s_mov_b64 exec, s[4:5]
constexpr u32 one_wait_state = 0xbf800000;   // s_nop 0
constexpr u32 end_program = 0xbf810000;      // s_endpgm

/// The hazards of a program for gfx950, in short: `id producer-consumer needed/found`, `?` after those that are
/// information.
std::vector<std::string> hazards_of(const std::vector<u32>& words, bool on_all_paths) {
  std::string text;
  for (const u32 word : words) text += (text.empty() ? "" : ", ") + std::to_string(word);
  const auto scenarios = load_yaml("target: gfx950\non_vector: skip\ncode: {words: [" + text + "]}\n", "test");
  if (!scenarios.at(0)) throw std::runtime_error("the scenario has errors");
  const Program& program = scenarios[0]->program;
  const u64 base = program.code.at(0).base;
  std::vector<std::string> found;
  const auto add = [&](const Hazard& hazard, u64 pc) {
    found.push_back(std::string(hazard.id) + (hazard.is_info ? "? " : " ") + std::to_string(hazard.producer_pc - base) +
                    "-" + std::to_string(pc - base) + " " + std::to_string(hazard.needed.value_or(0)) + "/" +
                    std::to_string(hazard.found.value_or(0)));
  };
  if (on_all_paths) {
    for (const observe::PathHazard& each : observe::walk_hazards(program, std::span(&base, 1), {}))
      add(each.finding.hazard(), each.pc);
    return found;
  }
  RunOptions options = scenarios[0]->options;
  options.check_hazards = true;
  for (const Warning& warning : run(*scenarios[0], options).warnings) {
    if (warning.hazard) add(*warning.hazard, warning.pc);
  }
  return found;
}

using Strings = std::vector<std::string>;

/// Rows of table 11 of the CDNA 4 manual: V_CMPX before V_PERMLANE* 4 wait states, a write of VDST by the vector ALU 2.
TEST(Hazards, OfPermlaneOnBothWays) {
  for (const bool on_all_paths : {false, true}) {
    for (const u32 permlane : {permlane16_swap, permlane32_swap}) {
      const auto of = [&](std::vector<u32> before, u32 wait_states) {
        before.insert(before.end(), wait_states, one_wait_state);
        before.insert(before.end(), {permlane, end_program});
        return hazards_of(before, on_all_paths);
      };
      EXPECT_EQ(of({write_v0}, 0), Strings({"valu_vgpr_permlane 0-4 2/0"}));
      EXPECT_EQ(of({write_v1}, 1), Strings({"valu_vgpr_permlane 0-8 2/1"}));
      EXPECT_EQ(of({write_v1}, 2), Strings());
      EXPECT_EQ(of({write_v3}, 0), Strings());
      EXPECT_EQ(of({write_exec}, 0), Strings({"cmpx_permlane 0-4 4/0"}));
      EXPECT_EQ(of({write_exec}, 3), Strings({"cmpx_permlane 0-16 4/3"}));
      EXPECT_EQ(of({write_exec}, 4), Strings());
      EXPECT_EQ(of({scalar_exec}, 0), Strings());
      EXPECT_EQ(of({write_exec, scalar_exec}, 0), Strings({"cmpx_permlane? 0-8 4/1"}));
    }
  }
}

// V_READFIRSTLANE s6 twice, V_READFIRSTLANE s7, an SALU write of s6, a read of s6 by the vector ALU.
constexpr u32 lane_to_s6 = 0x7e0c0500;       // v_readfirstlane_b32 s6, v0
constexpr u32 lane_to_s7 = 0x7e0e0500;       // v_readfirstlane_b32 s7, v0
constexpr u32 scalar_s6 = 0xbe860080;        // s_mov_b32 s6, 0
constexpr u32 if_scc_s6 = 0xbe860280;        // s_cmov_b32 s6, 0
constexpr u32 read_s6 = 0x7e020206;          // v_mov_b32 v1, s6
constexpr u32 skip_one_if_scc = 0xbf850001;  // s_cbranch_scc1 to the instruction after the next one

/// The manual's row "VALU writes SGPR, VALU reads SGPR as constant: 2" (CDNA 3 and 4, table 11). A scalar instruction
/// that writes the same SGPR waits for the vector ALU, so only an informational finding remains; of two vector writes
/// the later one counts.
TEST(Hazards, OfResultsThatAreOverwritten) {
  for (const bool on_all_paths : {false, true}) {
    const auto of = [&](std::vector<u32> words) { return hazards_of(words, on_all_paths); };
    EXPECT_EQ(of({lane_to_s6, read_s6, end_program}), Strings({"valu_sgpr_valu_gfx940 0-4 2/0"}));
    EXPECT_EQ(of({lane_to_s6, scalar_s6, read_s6, end_program}), Strings({"valu_sgpr_valu_gfx940? 0-8 2/1"}));
    EXPECT_EQ(of({lane_to_s6, lane_to_s6, read_s6, end_program}), Strings({"valu_sgpr_valu_gfx940 4-8 2/0"}));
    EXPECT_EQ(of({lane_to_s6, lane_to_s7, read_s6, end_program}), Strings({"valu_sgpr_valu_gfx940 0-8 2/1"}));
    EXPECT_EQ(of({scalar_s6, lane_to_s6, read_s6, end_program}), Strings({"valu_sgpr_valu_gfx940 4-8 2/0"}));
    // SCC is 0, so the conditional move does not write.
    EXPECT_EQ(of({lane_to_s6, if_scc_s6, read_s6, end_program}), Strings({"valu_sgpr_valu_gfx940 0-8 2/1"}));
  }
  // On one of two paths the write is not overwritten.
  const std::vector<u32> two_paths = {lane_to_s6, skip_one_if_scc, scalar_s6, read_s6, end_program};
  EXPECT_EQ(hazards_of(two_paths, true), Strings({"valu_sgpr_valu_gfx940 0-12 2/1"}));
  EXPECT_EQ(hazards_of(two_paths, false), Strings());
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
  EXPECT_EQ(mismatches[0].kind, Mismatch::Kind::finding);
}

}  // namespace
}  // namespace salu::test
