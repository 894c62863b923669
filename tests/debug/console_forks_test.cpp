#include <gmock/gmock.h>

#include "debug/console_forks.hpp"
#include "debug/lane_text.hpp"
#include "debug/saved_masks.hpp"

// Forks, joins and waiting lanes in the console.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(ConsoleForks, WhereLanesAre) {
  start_fork("s_nop 1");
  (void)run("si");
  EXPECT_EQ(run("info stack"),
            "0  s[0:3]  56 lanes (0xffffffffffffff00) wait, to continue at 0x1004, pushed by step 1: 0x1000\n");
  EXPECT_EQ(run("lanes"),
            "lane           0        8        16       24       32       40       48       56\n"
            "exec           11111111 ........ ........ ........ ........ ........ ........ ........  8\n"
            "vcc            ........ ........ ........ ........ ........ ........ ........ ........  0\n"
            "waiting 0      ........ 11111111 11111111 11111111 11111111 11111111 11111111 11111111  56\n");
  (void)run("goto end");
  EXPECT_EQ(
      run("forks"),
      "step 1: 0x1000: fork: 8 lanes (0x00000000000000ff) go to 0x100c <then>, 56 lanes (0xffffffffffffff00) wait for "
      "0x1004; join at 0x1010 <join>: step 3 and step 6\n"
      "step 3: 0x1010 <join>: join: 8 lanes (0x00000000000000ff) have arrived, 56 lanes (0xffffffffffffff00) go on at "
      "0x1004\n"
      "step 6: 0x1010 <join>: join: both sides have arrived, 56 lanes (0xffffffffffffff00) go on\n");
}

// A mask may be any source operand, and the log has the value that the machine uses.
TEST_F(ConsoleForks, MasksThatAreNoRegisters) {
  const auto forks_with = [&](const std::string& mask, const std::string& more = {}) {
    start(
        "target: gfx900\n"
        "code:\n"
        "  asm: |\n"
        "    s_cbranch_g_fork " +
        mask +
        ", s[4:5]\n"
        "    s_nop 0\n"
        "    s_endpgm\n"
        "registers: {\"s[4:5]\": 0x1008" +
        more + "}\n");
    (void)run("stepi");
    const u64 lanes = session_->evaluate("exec")->bits;
    const std::string text = run("forks");
    EXPECT_THAT(text, HasSubstr(lanes_do(lanes, "go"))) << mask;
    return text;
  };
  // Bits 48 and 49: where Linux puts the apertures.
  EXPECT_THAT(forks_with("src_shared_base"), HasSubstr("1 lane (0x0001000000000000) goes to 0x1008"));
  EXPECT_THAT(forks_with("src_shared_limit"), HasSubstr("31 lanes (0xfffeffff00000000) go to 0x1004"));
  EXPECT_THAT(forks_with("src_private_base"), HasSubstr("1 lane (0x0002000000000000) goes to 0x1008"));
  EXPECT_THAT(forks_with("src_private_limit"), HasSubstr("(0x00020000ffffffff)"));
  EXPECT_THAT(forks_with("src_vccz"), HasSubstr("1 lane (0x0000000000000001) goes to 0x1008"));
  EXPECT_THAT(forks_with("src_scc", ", scc: 1"), HasSubstr("1 lane (0x0000000000000001) goes to 0x1008"));
  EXPECT_THAT(forks_with("7"), HasSubstr("3 lanes (0x0000000000000007) go to 0x1008"));
}

TEST_F(ConsoleForks, NoMisuse) {
  start_fork("s_nop 1");
  EXPECT_THAT(run("goto end"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("goto 2"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), HasSubstr("wait for 0x1004; no join so far\n"));
  EXPECT_THAT(run("si"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), HasSubstr("wait for 0x1004; join at 0x1010 <join>: step 3 so far\n"));
}

// Both sides have their own join; on the second side, a fork whose lanes all take one side comes before its join.
TEST_F(ConsoleForks, SidesWithJoinsOfTheirOwn) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_cbranch_i_fork s[32:33], then\n"   // 1000
      "    s_cbranch_i_fork s[34:35], inner\n"  // 1004
      "    s_nop 0\n"
      "    inner: s_cbranch_join s40\n"  // 100c
      "    s_nop 0\n"
      "    s_cbranch_join s40\n"  // 1014
      "    s_endpgm\n"
      "    then: s_nop 1\n"
      "    s_cbranch_join s40\n"  // 1020
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0}\n");
  const std::string fork =
      "step 1: 0x1000: fork: 8 lanes (0x00000000000000ff) go to 0x101c <then>, 56 lanes (0xffffffffffffff00) wait for "
      "0x1004; join at 0x1020 <then+0x4>: step 3";
  // The join at 0x100c belongs to the inner fork.
  (void)run("goto 6");
  EXPECT_THAT(run("forks"), testing::StartsWith(fork + " so far\n"));
  (void)run("goto end");
  EXPECT_THAT(run("forks"), testing::StartsWith(fork + " and 0x1014 <inner+0x8>: step 8\n"));
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
}

// The log of forks and joins agrees with the machine.
TEST_F(ConsoleForks, TheLogIsWhatHappened) {
  for (const char* name : {"fork_join.yaml", "fork_orders.yaml"}) {
    const std::string file = std::string(SALU_PROGRAMS_DIR) + "/" + name;
    SCOPED_TRACE(name);
    for (const Result<Scenario>& scenario : load_file(file)) {
      ASSERT_TRUE(scenario.has_value());
      Session session(*scenario);
      (void)session.go_to_end();
      const std::vector<ForkEvent> events = list_forks(session).events;
      EXPECT_GE(events.size(), 2U);
      for (const ForkEvent& event : events) {
        (void)session.go_to(event.position);
        EXPECT_EQ(session.machine().pc(), event.pc);
        EXPECT_EQ(session.machine().wave().pair(code::exec), event.lanes_before);
        EXPECT_EQ(session.machine().wave().csp(), event.csp_before);
        (void)session.go_to(event.position + 1);
        EXPECT_EQ(session.machine().pc(), event.next_pc);
        EXPECT_EQ(session.machine().wave().pair(code::exec), event.lanes);
        EXPECT_EQ(session.machine().wave().csp(), event.csp_after);
        if (event.kind != ForkEvent::Kind::split) continue;
        EXPECT_EQ(control_stack(session.machine()).front().lanes, event.waiting_lanes);
        EXPECT_EQ(control_stack(session.machine()).front().pc, event.waiting_pc);
      }
    }
  }
}

// Compiled code of `if (vcc) { if (s[6:7]) ...; } else ...`.
TEST_F(ConsoleForks, LanesInSavedMasks) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_and_saveexec_b64 s[2:3], vcc\n"
      "    s_xor_b64 s[2:3], exec, s[2:3]\n"
      "    s_and_saveexec_b64 s[4:5], s[6:7]\n"
      "    s_nop 0\n"
      "    s_or_b64 exec, exec, s[4:5]\n"
      "    s_or_saveexec_b64 s[2:3], s[2:3]\n"
      "    s_xor_b64 exec, exec, s[2:3]\n"
      "    s_or_b64 exec, exec, s[2:3]\n"
      "    s_endpgm\n"
      "registers: {vcc: 0xff, \"s[6:7]\": 0x0f}\n");
  const std::string title = "lane           0        8        16       24       32       40       48       56\n";
  const std::string vcc = "vcc            11111111 ........ ........ ........ ........ ........ ........ ........  8\n";
  (void)run("goto 3");
  EXPECT_EQ(run("lanes"),
            title + "exec           1111.... ........ ........ ........ ........ ........ ........ ........  4\n" +
                vcc +
                "in s[4:5]      ....1111 ........ ........ ........ ........ ........ ........ ........  4"
                "  saved by step 3: 0x1008: s_and_saveexec_b64 s[4:5], s[6:7]\n"
                "in s[2:3]      ........ 11111111 11111111 11111111 11111111 11111111 11111111 11111111  56"
                "  saved by step 2: 0x1004: s_xor_b64 s[2:3], exec, s[2:3]\n");
  // On the other side, s[4:5] is a subset of s[2:3], which was written later.
  (void)run("goto 7");
  EXPECT_EQ(run("lanes"),
            title + "exec           ........ 11111111 11111111 11111111 11111111 11111111 11111111 11111111  56\n" +
                vcc +
                "in s[2:3]      11111111 ........ ........ ........ ........ ........ ........ ........  8"
                "  saved by step 6: 0x1014: s_or_saveexec_b64 s[2:3], s[2:3]\n");
  (void)run("goto 8");
  EXPECT_THAT(run("lanes"), Not(HasSubstr("in s[")));
  EXPECT_EQ(session_->run().position(), 8U);
}

// Ten rounds of a fork, a join that pops and one that continues.
TEST_F(ConsoleForks, TheLastOnes) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    loop: s_cbranch_i_fork s[32:33], then\n"
      "    s_branch join\n"
      "    then: s_nop 1\n"
      "    join: s_cbranch_join s40\n"
      "    s_mov_b64 exec, -1\n"
      "    s_sub_u32 s50, s50, 1\n"
      "    s_cmp_lg_u32 s50, 0\n"
      "    s_cbranch_scc1 loop\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0, s50: 10}\n");
  (void)run("goto end");
  EXPECT_EQ(run("forks 1"),
            "... 29 before these are omitted\n"
            "step 86: 0x100c <join>: join: both sides have arrived, 56 lanes (0xffffffffffffff00) go on\n");
  EXPECT_THAT(run("forks"), Not(HasSubstr("omitted")));
  EXPECT_EQ(run("forks 0"), "... 30 before these are omitted\n");
  EXPECT_FALSE(console_->execute("forks many"));
}

TEST_F(ConsoleForks, OverwrittenMasksAreNone) {
  start(
      "target: gfx900\n"
      "code: {asm: \"s_mov_b64 s[2:3], exec\\ns_mov_b64 exec, 1\\ns_mov_b32 s2, 7\\ns_endpgm\"}\n");
  (void)run("goto 2");
  EXPECT_THAT(run("lanes"), HasSubstr("63  saved by step 1: 0x1000: s_mov_b64 s[2:3], exec\n"));
  (void)run("si");
  EXPECT_THAT(run("lanes"), Not(HasSubstr("in s[")));
}

TEST_F(ConsoleForks, OneLane) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_cbranch_i_fork s[32:33], then\n"
      "    s_nop 0\n"
      "    then: s_cbranch_i_fork s[34:35], join\n"
      "    join: s_cbranch_join s40\n"
      "    s_endpgm\n"
      "registers: {exec: 3, \"s[32:33]\": 1, \"s[34:35]\": 1, s40: 0}\n");
  (void)run("goto end");
  // Lanes 0 and 1: lane 0 is at `then` first, and passes the second fork alone; lane 1 does not.
  EXPECT_EQ(
      run("forks"),
      "step 1: 0x1000: fork: 1 lane (0x0000000000000001) goes to 0x1008 <then>, 1 lane (0x0000000000000002) waits for "
      "0x1004; join at 0x100c <join>: step 3 and step 6\n"
      "step 2:   0x1008 <then>: fork: the 1 lane (0x0000000000000001) goes to 0x100c <join>\n"
      "step 3: 0x100c <join>: join: 1 lane (0x0000000000000001) has arrived, 1 lane (0x0000000000000002) goes on at "
      "0x1004\n"
      "step 5: 0x1008 <then>: fork: the 1 lane (0x0000000000000002) goes to 0x100c <join>\n"
      "step 6: 0x100c <join>: join: both sides have arrived, 1 lane (0x0000000000000002) goes on\n");
  (void)run("goto 1");
  EXPECT_EQ(run("info stack"),
            "0  s[0:3]  1 lane (0x0000000000000002) waits, to continue at 0x1004, pushed by step 1: 0x1000\n");
}

TEST_F(ConsoleForks, LanesThatCameByDoNotWait) {
  auto scenarios = load_file(std::string(SALU_PROGRAMS_DIR) + "/fork_join.yaml");
  ASSERT_TRUE(scenarios.front().has_value());
  Session session(*scenarios.front());
  // After all joins, 48 lanes are active, and s[38:39] has all 64; s[40:47] have the lanes that passed each place.
  (void)session.go_to(15);
  const std::vector<SavedMask> saved = list_saved_masks(session);
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(saved[0].first_sgpr, 38U);
  EXPECT_EQ(saved[0].lanes, 0xffffU);
}

TEST_F(ConsoleForks, LanesThatNeverWereDoNotWait) {
  start(
      "target: gfx900\n"
      "code: {asm: \"s_not_b64 s[2:3], exec\\ns_mov_b64 s[4:5], exec\\ns_mov_b64 exec, 1\\ns_endpgm\"}\n"
      "registers: {exec: 0xff}\n");
  (void)run("goto 3");
  const std::string text = run("lanes");
  EXPECT_THAT(text, Not(HasSubstr("in s[2:3]")));
  EXPECT_THAT(text, HasSubstr("7  saved by step 2: 0x1004: s_mov_b64 s[4:5], exec\n"));
}

// At -O0, LLVM compiles a branch as follows: it saves the mask, activates all lanes to spill a register, and then
// deactivates the lanes of the other side. The pair of the spill had the same value, and its lanes were activated
// again.
TEST_F(ConsoleForks, RestoredWholeWaveSavesHoldNoLanes) {
  for (const std::string save :
       {"s_or_saveexec_b64 s[16:17], -1", "s_xor_saveexec_b64 s[16:17], -1\n    s_mov_b64 exec, -1",
        "s_mov_b64 s[16:17], exec\n    s_mov_b64 exec, -1", "s_mov_b64 s[16:17], exec\n    s_not_b64 exec, exec"}) {
    start(
        "target: gfx900\n"
        "code:\n"
        "  asm: |\n"
        "    s_mov_b64 s[6:7], exec\n"
        "    s_and_b64 s[4:5], s[6:7], vcc\n"
        "    " +
        save +
        "\n"
        "    v_writelane_b32 v1, s6, 0\n"
        "    s_mov_b64 exec, s[16:17]\n"
        "    s_mov_b64 exec, s[4:5]\n"
        "    here: s_nop 0\n"
        "    s_mov_b64 s[6:7], 0\n"
        "    s_endpgm\n"
        "registers: {exec: 0x3f, vcc: 0x15}\n");
    (void)run("until here");
    const std::string lanes = run("lanes");
    EXPECT_THAT(lanes, HasSubstr("in s[6:7]      .1.1.1.. ........ ")) << save;
    EXPECT_THAT(lanes, HasSubstr("  3  saved by step 1: 0x1000: s_mov_b64 s[6:7], exec\n")) << save;
    EXPECT_THAT(lanes, Not(HasSubstr("in s[16:17]"))) << save;
    // Also if the pair that held them has been spilled and reused.
    (void)run("si 2");
    EXPECT_THAT(run("lanes"), Not(HasSubstr("in s["))) << save;
  }
}

// In the section itself, the saved lanes wait if EXEC is their complement.
TEST_F(ConsoleForks, LanesOfAWholeWaveSection) {
  start(
      "target: gfx900\n"
      "code: {asm: \"s_xor_saveexec_b64 s[16:17], -1\\ns_nop 0\\ns_mov_b64 exec, s[16:17]\\ns_nop 0\\ns_endpgm\"}\n"
      "registers: {exec: 0xff}\n");
  (void)run("goto 1");
  EXPECT_THAT(run("lanes"), HasSubstr("in s[16:17]    11111111 ........ "));
  (void)run("goto 3");
  EXPECT_THAT(run("lanes"), Not(HasSubstr("in s[")));
}

}  // namespace
}  // namespace salu::debug
