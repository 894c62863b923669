#include <fmt/core.h>
#include <gmock/gmock.h>

#include "repetitions.hpp"
#include "runs.hpp"

// Moves.
namespace salu::dap {
namespace {

using testing::HasSubstr;

TEST_F(DapRuns, StepsThroughForksForwardsAndBackwards) {
  client_.start({{"program", fork_join}});
  EXPECT_EQ(move("next"), "step 0x1004");
  EXPECT_EQ(move("stepIn"), "step 0x1008");
  EXPECT_EQ(move("next"), "step 0x1014");
  EXPECT_EQ(move("next", by_instruction), "step 0x1018");
  EXPECT_EQ(move("next"), "step 0x101c");
  EXPECT_EQ(move("next"), "step 0x1028");
  EXPECT_EQ(move("next"), "step 0x102c");
  EXPECT_EQ(move("next"), "step 0x1020");
  EXPECT_EQ(move("stepBack"), "step 0x102c");
  EXPECT_EQ(move("stepBack", by_instruction), "step 0x1028");
  EXPECT_EQ(move("stepBack"), "step 0x101c");
  EXPECT_EQ(move("reverseContinue"), "entry 0x1000");
  EXPECT_EQ(client_.last("stopped")["description"], "Paused at the start of the program");
  EXPECT_EQ(client_.refusal("stepOut", thread), "this is the outermost function: its caller is not part of this run");
  EXPECT_EQ(move("stepBack"), "entry 0x1000");
}

/// s0 ends as 5, and 6 is expected on line 7.
constexpr std::string_view failing =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 5\n"
    "    s_endpgm\n"
    "expect:\n"
    "  registers: {s0: 6}\n";

TEST_F(DapRuns, FailedExpectationsAreOutputAndAnExitCode) {
  const std::string failure = "expectation failed: s0: expected 0x00000006, got 0x00000005";
  const auto count = [&] {
    std::size_t found = 0;
    for (const Json& each : client_.messages) {
      if (each["type"] != "event" || each["event"] != "output") continue;
      found += each["body"]["output"].get<std::string>().find(failure) == std::string::npos ? 0 : 1;
    }
    return found;
  };
  start(failing);
  EXPECT_EQ(move("continue"), "end of program 0x1004");
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(client_.last("stopped")["description"], "Paused at the end of the program; expectations failed");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr(failure));
  // Back and forwards again.
  EXPECT_EQ(move("stepBack", by_instruction), "step 0x1004");
  EXPECT_EQ(move("next"), "end of program 0x1004");
  EXPECT_EQ(count(), 2U);
  client_.body("continue", thread);
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(client_.last("exited")["exitCode"], 1);
}

TEST_F(DapRuns, FailedExpectationsOfARunThatDoesNotStop) {
  const std::string failure = "expectation failed: s0: expected 0x00000006, got 0x00000005";
  start(failing);
  client_.body("setExceptionBreakpoints", {{"filters", Json::array()}});
  client_.body("continue", thread);
  EXPECT_THAT(client_.last("output")["output"].get<std::string>(), HasSubstr(failure));
  EXPECT_EQ(client_.last("exited")["exitCode"], 1);
}

/// The load's result is read too early at 0x1008.
constexpr std::string_view hazard =
    "target: gfx900\n"
    "code: {asm: \"s_load_dword s4, s[0:1], 0x0\\ns_add_u32 s5, s4, 1\\ns_nop 0\\ns_endpgm\"}\n"
    "registers: {s0: 0x20000, s1: 0}\n"
    "memory: [{at: 0x20000, words: [30]}]\n";

TEST_F(DapRuns, HazardsStopTheProgram) {
  start(hazard, {{"checkHazards", true}});
  client_.body("continue", thread);
  EXPECT_EQ(client_.last("stopped")["reason"], "exception");
  EXPECT_EQ(client_.last("stopped")["description"], "Paused on a warning");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr("hazard at 0x1008: "));
  EXPECT_EQ(client_.pc(), "0x100c");
  const Json info = client_.body("exceptionInfo", thread);
  EXPECT_EQ(info["exceptionId"], "hazard");
  EXPECT_EQ(info["breakMode"], "always");
  EXPECT_EQ(move("stepBack", by_instruction), "step 0x1008");
  EXPECT_EQ(client_.refusal("exceptionInfo", thread), "the program has not stopped at a fault or a warning");
  client_.body("setExceptionBreakpoints", {{"filters", {"end"}}});
  EXPECT_EQ(move("continue"), "end of program 0x1010");
}

TEST_F(DapRuns, StepsOverAndOutOfCalls) {
  start(calls);
  EXPECT_EQ(move("next"), "step 0x1004");
  EXPECT_EQ(move("next"), "step 0x1008");
  EXPECT_EQ(client_.value("s0"), "0x00000005");
  EXPECT_EQ(move("stepIn"), "step 0x1010");
  const Json trace = client_.body("stackTrace", thread);
  EXPECT_EQ(trace["totalFrames"], 2);
  EXPECT_EQ(trace["stackFrames"][0]["name"], "add");
  EXPECT_EQ(trace["stackFrames"][0]["line"], 9);
  EXPECT_EQ(trace["stackFrames"][1]["instructionPointerReference"], "0x1008");
  EXPECT_EQ(trace["stackFrames"][1]["line"], 6);
  EXPECT_EQ(move("stepOut"), "step 0x100c");
  EXPECT_EQ(client_.value("s0"), "0x0000000a (10)");
  EXPECT_EQ(move("stepBack"), "step 0x1008");
  EXPECT_EQ(move("stepBack", by_instruction), "step 0x1004");
}

TEST_F(DapRuns, AStepOverACallGoesOnAfterAnInterrupt) {
  start(
      "target: gfx900\ncode:\n  asm: |\n"
      "    s_call_b64 s[30:31], long\n"  // 1000
      "    s_endpgm\n"                   // 1004
      "    long:\n"
      "    s_mov_b32 s0, 30000000\n"  // 1008, with a literal
      "    loop:\n"
      "    s_sub_u32 s0, s0, 1\n"
      "    s_cmp_lg_u32 s0, 0\n"
      "    s_cbranch_scc1 loop\n"
      "    s_setpc_b64 s[30:31]\n",
      {{"maxSteps", 1'000'000'000}});
  for (const Json& how : {thread, by_instruction}) {
    client_.post("next", how);
    client_.run_until_message(true);
    ASSERT_TRUE(client_.server.is_running());
    EXPECT_FALSE(client_.post("pause", {{"threadId", 9}})["success"].get<bool>());
    client_.run();
    EXPECT_EQ(client_.last("stopped")["reason"], "step");
    EXPECT_EQ(client_.pc(), "0x1004");
    EXPECT_EQ(move("stepBack", how), "step 0x1000");
  }
}

TEST_F(DapRuns, HasOneLimitForAllOfAContinue) {
  start(long_loop, {{"maxSteps", 48'000'000}});
  client_.post("continue", thread);
  client_.run_until_message(false);
  ASSERT_TRUE(client_.server.is_running());
  client_.post("threads");
  client_.run();
  // The first instruction, and four in each round: 47,999,999 of them are 11,999,999 rounds and three.
  EXPECT_EQ(client_.last("stopped")["reason"], "pause");
  EXPECT_EQ(client_.value("s1"), "0x02255100 (36000000)");
  EXPECT_EQ(client_.pc(), "0x1014");
  // The next one has a limit of its own.
  client_.body("continue", thread);
  EXPECT_EQ(client_.value("s1"), "0x044aa200 (72000000)");
}

TEST_F(DapRuns, AReverseContinueGoesOnAfterAMessage) {
  start(long_loop, {{"maxSteps", 400'000}});
  client_.body("continue", thread);
  // The rounds begin at the positions 1, 5, 9 and so on: the hits backwards are at 399,997, 399,993 ... 41.
  client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "loop"}, {"hitCondition", "99990"}}}}});
  client_.post("reverseContinue", thread);
  client_.run_until_message(false);
  ASSERT_TRUE(client_.server.is_running());
  client_.post("threads");
  client_.run();
  EXPECT_EQ(client_.last("stopped")["reason"], "function breakpoint");
  EXPECT_EQ(client_.value("s1"), "0x0000001e (30)");
}

TEST_F(DapRuns, GoesToAnotherLine) {
  start(calls);
  const Json targets = client_.body("gotoTargets", {{"source", {{"path", file_}}}, {"line", 7}})["targets"];
  ASSERT_EQ(targets.size(), 1U);
  EXPECT_EQ(targets[0]["instructionPointerReference"], "0x100c");
  EXPECT_EQ(move("goto", {{"threadId", 1}, {"targetId", targets[0]["id"]}}), "goto 0x100c");
  EXPECT_EQ(move("continue"), "end of program 0x100c");
  EXPECT_EQ(client_.value("s0"), "0x00000000");
  EXPECT_THAT(client_.refusal("goto", {{"threadId", 1}, {"targetId", 17}}), HasSubstr("no target 17"));
  EXPECT_THAT(client_.refusal("goto", {{"threadId", 1}, {"targetId", targets[0]["id"]}}), HasSubstr("has ended"));
}

TEST_F(DapRuns, StopsAtAFault) {
  start(
      "target: gfx900\ncode:\n  asm: |\n    s_mov_b64 s[0:1], 0x5000\n    s_load_dword s2, s[0:1], 0x0\n    s_endpgm\n",
      {{"stopOnEntry", false}});
  EXPECT_EQ(client_.last("stopped")["reason"], "exception");
  EXPECT_EQ(client_.last("stopped")["description"], "Paused on unmapped_memory");
  const Json info = client_.body("exceptionInfo", thread);
  EXPECT_EQ(info["exceptionId"], "unmapped_memory");
  EXPECT_THAT(info["description"].get<std::string>(), HasSubstr("s_load_dword s2, s[0:1], 0x0"));
  EXPECT_THAT(info["details"]["message"].get<std::string>(), HasSubstr("0x5000"));
  // The address of the load, whose literal makes the first instruction twice as long.
  const std::string at = client_.pc();
  EXPECT_EQ(move("stepBack", by_instruction), "step " + at);
  EXPECT_THAT(client_.refusal("exceptionInfo", thread), HasSubstr("not stopped at a fault"));
  move("continue");
  client_.body("continue", thread);
  EXPECT_EQ(client_.last("exited")["exitCode"], 4);
}

TEST_F(DapRuns, EndsAtAFaultWhereTheClientWantsThat) {
  file_ = folder_.write("t.yaml", "target: gfx900\ncode: {asm: \"s_load_dword s2, s[0:1], 0x0\"}\n");
  client_.launch({{"program", file_}, {"stopOnEntry", false}});
  const Json set = client_.body("setExceptionBreakpoints", {{"filters", {"end", "lightning"}}})["breakpoints"];
  EXPECT_TRUE(set[0]["verified"].get<bool>());
  EXPECT_FALSE(set[1]["verified"].get<bool>());
  client_.body("configurationDone");
  EXPECT_EQ(client_.count("stopped"), 0U);
  EXPECT_EQ(client_.last("exited")["exitCode"], 4);
}

TEST_F(DapRuns, ALongRunCanBePaused) {
  start(long_loop, {{"maxSteps", 1'000'000'000}});
  EXPECT_TRUE(client_.post("continue", thread)["success"].get<bool>());
  ASSERT_TRUE(client_.server.is_running());
  EXPECT_EQ(client_.post("stackTrace", thread)["message"], "notStopped");
  EXPECT_TRUE(client_.post("threads")["success"].get<bool>());
  client_.run_until_message(true);
  EXPECT_TRUE(client_.server.is_running()) << "it returns for the pending message";
  EXPECT_TRUE(client_.post("pause", thread)["success"].get<bool>());
  client_.run();
  EXPECT_EQ(client_.last("stopped")["reason"], "pause");
  EXPECT_NE(client_.value("s0"), "0x00000000");
  // The run continues from there.
  EXPECT_EQ(move("continue"), "end of program 0x1018");
  EXPECT_EQ(client_.value("s1"), "0x047868c0 (75000000)");
}

TEST_F(DapRuns, BreakpointsCanBeSetWhileItRuns) {
  start(long_loop, {{"maxSteps", 1'000'000'000}});
  client_.post("continue", thread);
  // Other messages interrupt the run, too.
  client_.run_until_message(false);
  ASSERT_TRUE(client_.server.is_running());
  // Some millions of rounds later, fewer with sanitizers; at once if more have passed meanwhile.
  const u64 last = 25'000'000 - test::work(5'000'000);
  const Json set = client_.post("setFunctionBreakpoints",
                                {{"breakpoints", {{{"name", "loop"}, {"condition", fmt::format("s0 <= {}", last)}}}}});
  EXPECT_TRUE(set["body"]["breakpoints"][0]["verified"].get<bool>());
  client_.run();
  EXPECT_EQ(client_.last("stopped")["reason"], "function breakpoint");
  const u64 left = client_.number("s0");
  EXPECT_LE(left, last);
  EXPECT_EQ(client_.number("s1"), 3 * (25'000'000 - left));
}

TEST_F(DapRuns, PauseWhileItStandsIsNoNews) {
  client_.start({{"program", fork_join}});
  const std::size_t stops = client_.count("stopped");
  client_.body("pause", thread);
  EXPECT_EQ(client_.count("stopped"), stops);
  EXPECT_EQ(move("next"), "step 0x1004");
}

TEST_F(DapRuns, ARunCanBeLeft) {
  start(long_loop, {{"maxSteps", 1'000'000'000}});
  client_.post("continue", thread);
  EXPECT_TRUE(client_.post("terminate")["success"].get<bool>());
  EXPECT_FALSE(client_.server.is_running());
  EXPECT_EQ(client_.count("terminated"), 1U);
  client_.body("disconnect");
}

}  // namespace
}  // namespace salu::dap
