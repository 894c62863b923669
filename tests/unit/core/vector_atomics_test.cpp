#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/run.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"

// Atomics of lanes beyond the computed values: faults, range checks, alignment, code that they change. The expected
// values are derived by hand.
namespace salu::test {
namespace {

using testing::HasSubstr;
using Registers = std::map<std::string, std::string>;

/// Runs code with words 1 to 8 at 0x2000 and at the start of LDS, a read-only word at 0x3000, and the buffer
/// s[8:11] at 0x2000 with 12 bytes. Lanes 0 and 1 are active.
Outcome run_atomic(const std::string& target, const std::string& code, const Registers& others = {}) {
  std::string text = "target: " + target + "\ncode:\n  asm: |\n    ";
  for (const char c : code) text += c == ';' ? "\n   " : std::string(1, c);
  text += "\n    s_endpgm\nregisters:\n";
  Registers registers = others;
  registers.insert({{"exec", "3"},
                    {"m0", "0xffffffff"},
                    {"s[8:11]", "[0x2000, 0, 12, 0x27000]"},
                    {"v0", "0x2000"},
                    {"v1", "0"},
                    {"v2", "5"},
                    {"v3", "6"},
                    {"v8", "9"}});
  for (const auto& [name, value] : registers) text += "  \"" + name + "\": " + value + "\n";
  text +=
      "memory:\n"
      "  - {at: 0x2000, words: [1, 2, 3, 4, 5, 6, 7, 8], access: rw}\n"
      "  - {at: 0x3000, words: [1], access: r}\n"
      "  - {at: 0xffff00000000, words: [1, 2, 3, 4, 5, 6, 7, 8], access: rw}\n";
  const Scenario scenario = load_good(text);
  return run(scenario, scenario.options);
}

constexpr u64 lds = shared_memory_base;

u32 lane(const Outcome& outcome, u32 number, u32 lane) { return outcome.state.vectors.lanes(number)[lane]; }
u32 word(const Outcome& outcome, u64 address) { return outcome.memory.read_dword(address); }
std::size_t warnings(const Outcome& outcome, WarningKind kind) {
  return static_cast<std::size_t>(std::ranges::count(outcome.warnings, kind, &Warning::kind));
}

TEST(VectorAtomics, FaultOfOneLaneLeavesMemoryUnchanged) {
  const Outcome unmapped = run_atomic("gfx900", "global_atomic_add v[0:1], v2, off", {{"v0", "[0x2000, 0x9000]"}});
  EXPECT_EQ(unmapped.stop.reason, StopReason::unmapped_memory);
  EXPECT_THAT(unmapped.stop.detail, HasSubstr("lane 1: 0x9000"));
  EXPECT_EQ(word(unmapped, 0x2000), 1U);
  const Outcome protect =
      run_atomic("gfx900", "global_atomic_add v8, v[0:1], v2, off glc", {{"v0", "[0x2000, 0x3000]"}});
  EXPECT_EQ(protect.stop.reason, StopReason::write_protected);
  EXPECT_EQ(word(protect, 0x2000), 1U);
  EXPECT_EQ(lane(protect, 8, 0), 9U);
}

TEST(VectorAtomics, AreDroppedAsAWholeBeyondTheBuffer) {
  const Outcome outcome =
      run_atomic("gfx900", "buffer_atomic_add_x2 v[2:3], v4, s[8:11], 0 offen glc", {{"v4", "[0, 8]"}});
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(lane(outcome, 2, 0), 1U);
  EXPECT_EQ(lane(outcome, 3, 0), 2U);
  EXPECT_EQ(word(outcome, 0x2000), 6U);
  EXPECT_EQ(word(outcome, 0x2004), 8U);
  EXPECT_EQ(lane(outcome, 2, 1), 0U) << "12 bytes end within the second one";
  EXPECT_EQ(lane(outcome, 3, 1), 0U);
  EXPECT_EQ(word(outcome, 0x2008), 3U);
  EXPECT_EQ(word(outcome, 0x200c), 4U);
}

TEST(VectorAtomics, AreDroppedBeyondM0) {
  const std::string code = "ds_add_rtn_u32 v8, v1, v2 offset:4; ds_add_rtn_u64 v[10:11], v1, v[2:3] offset:8";
  const Outcome outcome = run_atomic("gfx803", code, {{"m0", "12"}, {"exec", "1"}});
  EXPECT_EQ(lane(outcome, 8, 0), 2U);
  EXPECT_EQ(word(outcome, lds + 4), 7U);
  EXPECT_EQ(lane(outcome, 10, 0), 0U);
  EXPECT_EQ(word(outcome, lds + 8), 3U);
  EXPECT_EQ(warnings(outcome, WarningKind::dropped_access), 1U);
  EXPECT_EQ(word(run_atomic("gfx900", code, {{"m0", "12"}, {"exec", "1"}}), lds + 8), 8U) << "M0 has no effect";
}

TEST(VectorAtomics, IgnoreLowBitsOfTheAddress) {
  const Outcome shared = run_atomic("gfx900", "ds_add_u32 v1, v2 offset:6", {{"exec", "1"}});
  EXPECT_EQ(word(shared, lds + 4), 7U);
  EXPECT_EQ(warnings(shared, WarningKind::unspecified_result), 1U);
  const Outcome global = run_atomic("gfx900", "global_atomic_or_x2 v[0:1], v[2:3], off offset:12", {{"exec", "1"}});
  EXPECT_EQ(word(global, 0x2008), 7U);
  EXPECT_EQ(word(global, 0x200c), 6U);
  EXPECT_EQ(warnings(global, WarningKind::unspecified_result), 1U);
}

TEST(VectorAtomics, ReturnTheOldValueOnlyOnRequest) {
  const Outcome buffer = run_atomic("gfx900", "buffer_atomic_swap v2, off, s[8:11], 0", {{"exec", "1"}});
  EXPECT_EQ(lane(buffer, 2, 0), 5U);
  EXPECT_EQ(word(buffer, 0x2000), 5U);
  const Outcome cdna3 =
      run_atomic("gfx942", "flat_atomic_cmpswap v8, v[0:1], v[2:3] sc0", {{"exec", "1"}, {"v3", "1"}});
  EXPECT_EQ(lane(cdna3, 8, 0), 1U);
  EXPECT_EQ(word(cdna3, 0x2000), 5U);
}

TEST(VectorAtomics, ChangeCode) {
  // s_mov_b32 s0, 1 becomes s_mov_b32 s0, 3 by the second operand of the OR.
  const Scenario scenario = load_good(
      "target: gfx900\ncode:\n  asm: |\n    global_atomic_or v[0:1], v2, off\n    s_mov_b32 s0, 1\n    s_endpgm\n"
      "registers: {exec: 1, v0: 0x1008, v1: 0, v2: 2}\n");
  const Outcome outcome = run(scenario, scenario.options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
  EXPECT_EQ(outcome.state.file[0], 3U);
}

TEST(VectorAtomics, CountLanesOnce) {
  const std::string code = "ds_append v8 offset:4; ds_consume v9 offset:4; s_mov_b64 exec, 0; ds_append v10 offset:4";
  const Outcome outcome = run_atomic("gfx600", code, {{"m0", "0"}});
  EXPECT_EQ(lane(outcome, 8, 0), 2U);
  EXPECT_EQ(lane(outcome, 8, 1), 2U);
  EXPECT_EQ(lane(outcome, 9, 1), 4U);
  EXPECT_EQ(word(outcome, lds + 4), 2U);
  EXPECT_EQ(warnings(outcome, WarningKind::unspecified_result), 0U);
  const Outcome based = run_atomic("gfx900", "ds_append v8 offset:4", {{"m0", "8"}});
  EXPECT_EQ(word(based, lds + 12), 6U);
  EXPECT_EQ(warnings(based, WarningKind::unspecified_result), 1U);
}

TEST(VectorAtomics, BeyondTheAllocation) {
  const Scenario scenario = load_good(
      "target: gfx900\nvgprs: 8\ncode:\n  asm: |\n    ds_add_rtn_u32 v9, v1, v2\n    ds_add_u32 v1, v9\n    s_endpgm\n"
      "registers: {exec: 1, v0: 4, v1: 0, v2: 5}\n"
      "memory: [{at: 0xffff00000000, words: [1], access: rw}]\n");
  const Outcome outcome = run(scenario, scenario.options);
  EXPECT_EQ(word(outcome, lds), 5U) << "the first one is ignored, the second one adds v0";
  EXPECT_EQ(warnings(outcome, WarningKind::register_out_of_range), 2U);
}

TEST(LaneMoves, DsNopHasNoEffect) {
  const Outcome outcome = run_atomic("gfx700", "ds_nop");
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_TRUE(outcome.warnings.empty());
}

// The examples of the ISA manuals with four lanes, as far as they fit: {A, B, C, D} and the indices {0, 0, 12, 4}.
TEST(LaneMoves, ExamplesOfTheManual) {
  const auto moved = [&](const std::string& code, const std::string& exec) {
    const Outcome outcome =
        run_atomic("gfx900", code, {{"exec", exec}, {"v2", "[10, 11, 12, 13]"}, {"v3", "[0, 0, 12, 4]"}});
    return std::vector<u32>{lane(outcome, 8, 0), lane(outcome, 8, 1), lane(outcome, 8, 2), lane(outcome, 8, 3)};
  };
  using Lanes = std::vector<u32>;
  EXPECT_EQ(moved("ds_permute_b32 v8, v3, v2", "0xf"), (Lanes{11, 13, 0, 12}));
  EXPECT_EQ(moved("ds_permute_b32 v8, v3, v2", "0xa"), (Lanes{9, 13, 9, 0}));
  EXPECT_EQ(moved("ds_bpermute_b32 v8, v3, v2", "0xf"), (Lanes{10, 10, 13, 11}));
  EXPECT_EQ(moved("ds_bpermute_b32 v8, v3, v2", "0xa"), (Lanes{9, 0, 9, 11}));
  EXPECT_EQ(moved("ds_swizzle_b32 v8, v2 offset:swizzle(QUAD_PERM,3,1,2,0)", "0xf"), (Lanes{13, 11, 12, 10}));
  EXPECT_EQ(moved("ds_swizzle_b32 v8, v2 offset:swizzle(SWAP,1)", "0xd"), (Lanes{0, 9, 13, 12}));
}

// The tables in the opcode text of CDNA 4, which count lanes from 1.
TEST(LaneMoves, TablesOfSwizzles) {
  const auto sources = [](u32 pattern, u32 count) {
    std::string values;
    for (u32 i = 0; i < 64; ++i) values += (i == 0 ? "" : ", ") + std::to_string(i + 1);
    const Outcome outcome = run_atomic("gfx900", "ds_swizzle_b32 v8, v2 offset:" + std::to_string(pattern),
                                       {{"exec", "0xffffffffffffffff"}, {"v2", "[" + values + "]"}});
    std::vector<u32> lanes;
    for (u32 i = 0; i < count; ++i) lanes.push_back(lane(outcome, 8, i));
    return lanes;
  };
  using Lanes = std::vector<u32>;
  EXPECT_EQ(sources(0xe000, 8), (Lanes{0x1, 0x11, 0x9, 0x19, 0x5, 0x15, 0xd, 0x1d}));
  EXPECT_EQ(sources(0xe010, 8), (Lanes{0x1, 0x9, 0x5, 0xd, 0x3, 0xb, 0x7, 0xf}));
  EXPECT_EQ(sources(0xe01f, 4), (Lanes{1, 2, 3, 4}));
  EXPECT_EQ(sources(0xc020, 33)[31], 1U);
  EXPECT_EQ(sources(0xc020, 33)[32], 34U);
  EXPECT_EQ(sources(0xc420, 2), (Lanes{0x20, 1}));
  EXPECT_EQ(sources(0xc021, 4), (Lanes{1, 4, 3, 6}));
  EXPECT_EQ(sources(0xc421, 4), (Lanes{0x1f, 2, 1, 4}));
}

}  // namespace
}  // namespace salu::test
