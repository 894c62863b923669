#include <gmock/gmock.h>

#include "debug/consoles.hpp"

// A selected lane: stops of steps, and values of vector registers.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Lanes 0 and 1 are active at positions 2 and 3, lanes 2 and 3 at 4 to 6, all four before and after. The word, which
/// is without a line, is v_mov_b32 v3, 7.
constexpr std::string_view two_sides =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b64 exec, 15\n"
    "    s_and_saveexec_b64 s[2:3], s[0:1]\n"
    "    s_mov_b32 s4, 1\n"
    "    s_andn2_b64 exec, s[2:3], exec\n"
    "    s_nop 1\n"
    "    .long 0x7e060287\n"
    "    s_mov_b64 exec, s[2:3]\n"
    "    s_nop 0\n"
    "    s_endpgm\n"
    "registers: {\"s[0:1]\": 3, v3: {lane_ids: true}, v4: 9}\n";

class ConsoleLanes : public ConsoleTest {
 protected:
  ConsoleLanes() { start(two_sides); }
  /// The position that a command ends at.
  u64 position_after(std::string_view command) {
    run(command);
    EXPECT_TRUE(good_) << output_;
    return session_->run().position();
  }
};

TEST_F(ConsoleLanes, StepWhereTheLaneIsOn) {
  EXPECT_EQ(run("lane 2"), "Lane 2 is on.\n");
  EXPECT_EQ(position_after("step"), 1U);
  EXPECT_EQ(position_after("step"), 4U);
  EXPECT_EQ(position_after("next"), 6U);
  EXPECT_EQ(position_after("step"), 7U);
  EXPECT_EQ(position_after("reverse-step"), 6U);
  EXPECT_EQ(position_after("reverse-next"), 4U);
  EXPECT_EQ(position_after("reverse-step"), 1U);
  EXPECT_EQ(position_after("reverse-step"), 0U);
  EXPECT_EQ(position_after("lane 0"), 0U);
  EXPECT_EQ(position_after("step 3"), 3U);
  EXPECT_EQ(position_after("until"), 7U);
  EXPECT_EQ(position_after("reverse-step"), 3U);
}

TEST_F(ConsoleLanes, SayWhereTheLaneIsOff) {
  run("lane 2");
  EXPECT_THAT(run("stepi 2"), HasSubstr("s_mov_b32 s4, 1"));
  EXPECT_THAT(output_, HasSubstr("    lane 2 is off\n"));
  EXPECT_EQ(run("lane"), "Lane 2 is off.\n");
  // To the next position at which it is active, or to the end.
  EXPECT_EQ(position_after("step"), 4U);
  run("goto 2");
  EXPECT_EQ(position_after("reverse-step"), 1U);
  EXPECT_EQ(run("lane off"), "No lane is chosen.\n");
  EXPECT_EQ(position_after("step"), 2U);
  run("lane 40");
  EXPECT_THAT(run("step"), HasSubstr("The program has ended"));
}

TEST_F(ConsoleLanes, ReadVectorRegisters) {
  EXPECT_THAT(run("print v3"), StartsWith("  v3[0]    0x00000000  0x00000001  0x00000002  0x00000003\n  v3[4] "));
  EXPECT_THAT(run("print/d v3"), HasSubstr("  v3[60]   60          61          62          63\n"));
  EXPECT_THAT(run("info vector"), HasSubstr("  v4   0x00000009 in all lanes\n"));
  EXPECT_THAT(problem("display v3"), HasSubstr("`v3` has 64 lanes; take one, as in v3[7]"));
  run("lane 5");
  EXPECT_EQ(run("print v3"), "v3[5] = 0x00000005\n");
  EXPECT_EQ(run("print/d v3 * v4 + $v4"), "v3[5] * v4[5] + $v4[5] = 54\n");
  EXPECT_EQ(run("print v3[7]"), "v3[7] = 0x00000007\n");
  EXPECT_EQ(run("info vector"), "  v3[5] 0x00000005\n  v4[5] 0x00000009\n");
  EXPECT_EQ(run("set v4 = 11"), "  v4[5]=0x0000000b\n");
  EXPECT_EQ(run("print v4[5] - v4[6]"), "v4[5] - v4[6] = 0x2\n");
}

TEST_F(ConsoleLanes, WatchTheLane) {
  run("lane 2");
  EXPECT_THAT(run("watch v3"), HasSubstr("v3[2]"));
  EXPECT_THAT(run("break 8 if v3 == 7"), HasSubstr("Breakpoint 2"));
  run("display v3");
  // It stays with that lane.
  run("lane 3");
  EXPECT_THAT(run("continue"), HasSubstr("Watchpoint 1: v3[2]: 0x00000002 -> 0x00000007"));
  EXPECT_THAT(output_, HasSubstr("v3[3]=0x00000007"));
  EXPECT_THAT(output_, HasSubstr("1: v3[2] = 0x00000007\n"));
  EXPECT_THAT(run("who v3"), HasSubstr("step 6: 0x1014: v_mov_b32_e32 v3, 7"));
}

// A message keeps the lane selected at its creation, also in a file.
TEST_F(ConsoleLanes, MessagesAreOfTheLane) {
  std::string saved;
  ConsoleHost host;
  host.write_file = [&saved](const std::string&, std::string_view text) {
    saved = text;
    return std::string();
  };
  start_with(std::move(host), two_sides);
  run("lane 5");
  run("dprintf 9, v3 {v3} and {v4 + v3[1]}");
  EXPECT_THAT(run("info breakpoints"), HasSubstr("says \"v3 {v3[5]} and {v4[5] + v3[1]}\""));
  run("save breakpoints stops");
  EXPECT_EQ(saved, "dprintf test.yaml:9, \"v3 {v3[5]} and {v4[5] + v3[1]}\"\n");
}

// v_add_u32 v2, v0, v1; v_writelane_b32 v2, s6, 3; v_readlane_b32 s7, v2, 4; v_mov_b32 v4, v2 in lanes 0 to 7.
constexpr std::string_view reads_lanes =
    "target: gfx900\n"
    "code: {words: [0x68040300, 0xd28a0002, 0x00010606, 0xd2890007, 0x00010902, 0x7e080302, 0xbf810000]}\n"
    "registers: {exec: 255, v0: 1, v1: 2, s6: 9}\n";

TEST_F(ConsoleLanes, ReadsOfALaneAreWatched) {
  start(reads_lanes);
  run("awatch v2[3]");
  for (const u64 behind : {1U, 2U, 4U}) EXPECT_EQ(position_after("continue"), behind);
  EXPECT_THAT(run("continue"), HasSubstr("has ended"));
  EXPECT_EQ(position_after("reverse-continue"), 3U);
  EXPECT_THAT(output_, HasSubstr("v2[3]: 0x00000009 read by 0x1014: v_mov_b32_e32 v4, v2"));

  start(reads_lanes);
  run("lane 4");
  run("rwatch v2");
  for (const u64 behind : {3U, 4U}) EXPECT_EQ(position_after("continue"), behind);
  EXPECT_THAT(output_, HasSubstr("v2[4]: 0x00000003 read by"));

  start(reads_lanes);
  run("awatch v2[8]");
  EXPECT_THAT(run("continue"), HasSubstr("has ended"));
}

TEST_F(ConsoleLanes, BreakpointsAreOnVectorMnemonics) {
  start(reads_lanes);
  run("break v_*lane_b32");
  for (const u64 before : {1U, 2U}) EXPECT_EQ(position_after("continue"), before);
  for (const std::string name : {"v_mov_b32", "v_mov_b32_e32", "v_mov_*_e32"}) {
    start(reads_lanes);
    run("break " + name);
    EXPECT_EQ(position_after("continue"), 3U) << name;
  }
  EXPECT_THAT(run("break v_nothing*"), HasSubstr("no instruction of gcn1.4 matches `v_nothing*`"));
}

TEST_F(ConsoleLanes, RefuseWhatIsNoLane) {
  EXPECT_THAT(problem("lane 64"), HasSubstr("expected a lane from 0 to 63, or `off`, found `64`"));
  EXPECT_THAT(problem("lane x"), HasSubstr("found `x`"));
  EXPECT_EQ(run("lane"), "No lane is chosen.\n");
}

}  // namespace
}  // namespace salu::debug
