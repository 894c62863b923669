#include <gmock/gmock.h>

#include "debug/consoles.hpp"

// GCN 1.0 and 1.1 have two SGPRs more than later generations: s102 and s103.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsoleSgprs : public ConsoleTest {
 protected:
  void start_on(const std::string& target, const std::string& code, const std::string& more = {}) {
    start("target: " + target + "\ncode:\n  asm: |\n" + code + "    s_endpgm\n" + more);
  }
};

TEST_F(ConsoleSgprs, TheLastTwoAreShown) {
  start_on("tahiti", "    s_mov_b32 s102, 7\n    s_mov_b32 s103, 9\n");
  (void)run("goto end");
  EXPECT_THAT(run("info registers"), HasSubstr("  s102 0x00000007*  s103 0x00000009*\n"));
  start_on("gfx900", "    s_mov_b32 s101, 7\n    s_mov_b32 flat_scratch_lo, 9\n");
  (void)run("goto end");
  const std::string registers = run("info registers");
  EXPECT_THAT(registers, HasSubstr("  s101 0x00000007*\n"));
  EXPECT_THAT(registers, Not(HasSubstr("0x00000009")));
}

TEST_F(ConsoleSgprs, WhatTheWaveDoesNotHaveCannotBeSet) {
  start_on("tahiti", "    s_nop 0\n", "sgprs: 16\n");
  EXPECT_THAT(problem("set s102 = 1"), HasSubstr("`s102` is beyond the 16 SGPRs that the wave has"));
  EXPECT_THAT(problem("set s[102:103] = 1"), HasSubstr("is beyond the 16 SGPRs that the wave has"));
  start_on("bonaire", "    s_nop 0\n");
  EXPECT_EQ(run("set s103 = 1"), "  s103=0x00000001\n");
  EXPECT_EQ(run("set flat_scratch_lo = 2"), "  flat_scratch_lo=0x00000002\n");
}

// Reads beyond the allocation return s0.
TEST_F(ConsoleSgprs, ReadsThatAreRedirectedHitAWatchpoint) {
  for (const char* const source : {"s16", "s102", "s103"}) {
    start_on("tahiti", "    s_nop 0\n    s_mov_b32 s1, " + std::string(source) + "\n    s_nop 0\n",
             "sgprs: 16\nregisters: {s0: 5}\n");
    (void)run("rwatch s0");
    EXPECT_THAT(run("continue"), HasSubstr("Watchpoint 1: s0: 0x00000005 read by 0x1004: s_mov_b32 s1, ")) << source;
  }
}

TEST_F(ConsoleSgprs, MasksAreSavedInTheLastPair) {
  const std::string code = "    s_mov_b64 s[102:103], exec\n    s_mov_b64 exec, 1\n    s_nop 0\n";
  start_on("tahiti", code);
  (void)run("goto 2");
  EXPECT_THAT(run("lanes"), HasSubstr("in s[102:103] "));
  // A wave without that pair stores nothing there.
  start_on("tahiti", code, "sgprs: 16\n");
  (void)run("goto 2");
  EXPECT_THAT(run("lanes"), Not(HasSubstr("in s")));
}

// Copies from beyond the allocation read s[0:1].
TEST_F(ConsoleSgprs, AMaskIsFollowedThroughARedirectedRead) {
  start_on("tahiti",
           "    s_mov_b64 s[0:1], exec\n    s_mov_b64 s[4:5], s[102:103]\n    s_mov_b64 exec, 1\n    s_nop 0\n",
           "sgprs: 16\n");
  (void)run("goto 3");
  EXPECT_THAT(run("lanes"), HasSubstr("in s[4:5] "));
}

}  // namespace
}  // namespace salu::debug
