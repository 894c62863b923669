#include <gmock/gmock.h>

#include <filesystem>

#include "client.hpp"
#include "unit/loader_helpers.hpp"

// Moving, and the breakpoints on the way. fork_join.yaml executes, by position and address: 0 1000, 1 1004, 2 1008
// (fork), 3 1014 then, 4 1018, 5 101c (fork), 6 1028 even, 7 102c (join), 8 1020 odd, 9 1024, 10 102c (join), 11 1030
// (join), 12 100c else, 13 1010, 14 1030 (join), 15 1034, 16 1038 s_endpgm.
namespace salu::dap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Calls twice: 0 s_mov, 1 call, 2 3 body, 4 return, 5 call, 6 7 body, 8 return, 9 end. Lines from 4 on.
constexpr std::string_view calls =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 0\n"           // 1000, line 4
    "    s_call_b64 s[30:31], add\n"  // 1004, line 5
    "    s_call_b64 s[30:31], add\n"  // 1008, line 6
    "    s_endpgm\n"                  // 100c, line 7
    "    add:\n"
    "    s_add_u32 s0, s0, 5\n"    // 1010, line 9
    "    s_nop 0\n"                // 1014, line 10
    "    s_setpc_b64 s[30:31]\n";  // 1018, line 11

/// Four instructions a round, 25 million rounds.
constexpr std::string_view long_loop =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 25000000\n"
    "    loop:\n"
    "    s_sub_u32 s0, s0, 1\n"
    "    s_add_u32 s1, s1, 3\n"
    "    s_cmp_lg_u32 s0, 0\n"
    "    s_cbranch_scc1 loop\n"
    "    s_endpgm\n"
    "registers: {s1: 0}\n";

class DapRuns : public testing::Test {
 protected:
  void start(std::string_view text, Json more = Json::object()) {
    more["program"] = file_ = folder_.write("t.yaml", text);
    client_.start(std::move(more));
  }
  std::string move(const std::string& command, const Json& arguments = thread) {
    client_.body(command, arguments);
    return client_.last("stopped")["reason"].get<std::string>() + " " + client_.pc();
  }
  Json set_lines(const std::vector<Json>& breakpoints) {
    return client_.body("setBreakpoints", {{"source", {{"path", file_}}}, {"breakpoints", breakpoints}})["breakpoints"];
  }
  [[nodiscard]] std::vector<std::string> outputs() const {
    std::vector<std::string> texts;
    for (const Json& each : client_.messages) {
      if (each["type"] == "event" && each["event"] == "output")
        texts.push_back(each["body"]["output"].get<std::string>());
    }
    return texts;
  }

  test::TemporaryFolder folder_;
  std::string file_;
  Client client_;
};

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
  EXPECT_EQ(client_.refusal("stepOut", thread), "this is the outermost function: nothing has called it in this run");
  EXPECT_EQ(move("stepBack"), "entry 0x1000");
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

TEST_F(DapRuns, StopsAtLinesAndSaysWhichOnes) {
  start(calls);
  // Line 8 is a label: the next line that has code is 9.
  const Json set = set_lines({{{"line", 8}}, {{"line", 6}}, {{"line", 99}}});
  EXPECT_TRUE(set[0]["verified"].get<bool>());
  EXPECT_EQ(set[0]["line"], 9);
  EXPECT_EQ(set[0]["instructionReference"], "0x1010");
  EXPECT_EQ(set[1]["line"], 6);
  EXPECT_FALSE(set[2]["verified"].get<bool>());
  EXPECT_EQ(set[2]["message"], "no instruction comes from line 99 or a later one");
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.last("stopped")["hitBreakpointIds"], Json::array({set[0]["id"]}));
  EXPECT_EQ(client_.last("stopped")["description"], "Paused on breakpoint");
  EXPECT_EQ(move("continue"), "breakpoint 0x1008");
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.value("s0"), "0x00000005");
  EXPECT_EQ(move("reverseContinue"), "breakpoint 0x1008");
  EXPECT_EQ(move("reverseContinue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.value("s0"), "0x00000000");
  // The others of the file are gone with the next request.
  set_lines({{{"line", 7}}});
  EXPECT_EQ(move("continue"), "breakpoint 0x100c");
  const Json foreign =
      client_.body("setBreakpoints", {{"source", {{"path", "/other.yaml"}}}, {"breakpoints", {{{"line", 1}}}}});
  EXPECT_EQ(foreign["breakpoints"][0]["message"], "no code of this program comes from /other.yaml");
}

TEST_F(DapRuns, CountsLinesFrom0ForAClientThatDoes) {
  file_ = folder_.write("t.yaml", calls);
  client_.body("initialize", {{"linesStartAt1", false}, {"columnsStartAt1", false}});
  client_.body("launch", {{"program", file_}});
  const Json set = set_lines({{{"line", 7}}});
  EXPECT_EQ(set[0]["line"], 8);
  client_.body("configurationDone");
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.body("stackTrace", thread)["stackFrames"][0]["line"], 8);
}

TEST_F(DapRuns, StopsWhereConditionsHold) {
  start(calls);
  set_lines({{{"line", 9}, {"condition", "s0 == 5"}}});
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.value("s0"), "0x00000005");
  client_.body("restart");
  const Json set = set_lines({{{"line", 9}, {"condition", "s0 =="}}, {{"line", 9}, {"hitCondition", "often"}}});
  EXPECT_THAT(set[0]["message"].get<std::string>(), HasSubstr("the condition: "));
  EXPECT_THAT(set[1]["message"].get<std::string>(), HasSubstr("`often` is no hit condition"));
  EXPECT_EQ(move("continue"), "end of program 0x100c");
}

TEST_F(DapRuns, StopsAtSomeOfTheHits) {
  const auto s0_where = [&](const std::string& hits) {
    client_.body("restart");
    set_lines({{{"line", 9}, {"hitCondition", hits}}});
    move("continue");
    return client_.last("stopped")["reason"] == "breakpoint" ? client_.value("s0") : "never";
  };
  start(calls);
  EXPECT_EQ(s0_where("1"), "0x00000000");
  EXPECT_EQ(s0_where("2"), "0x00000005");
  EXPECT_EQ(s0_where("== 2"), "0x00000005");
  EXPECT_EQ(s0_where("> 1"), "0x00000005");
  EXPECT_EQ(s0_where(">=1"), "0x00000000");
  EXPECT_EQ(s0_where("% 2"), "0x00000005");
  EXPECT_EQ(s0_where("< 2"), "0x00000000");
  EXPECT_EQ(s0_where("3"), "never");
}

TEST_F(DapRuns, LogsWithoutStopping) {
  start(calls);
  set_lines({{{"line", 10}, {"logMessage", "s0 is {s0}, twice {s0 * 2} {"}}});
  EXPECT_EQ(move("continue"), "end of program 0x100c");
  EXPECT_THAT(outputs(), ElementsAre("s0 is 0x00000005, twice 0xa {\n", "s0 is 0x0000000a, twice 0x14 {\n"));
}

TEST_F(DapRuns, LogsOnTheWayOfAStep) {
  start(calls);
  set_lines({{{"line", 10}, {"logMessage", "here"}}});
  EXPECT_EQ(move("next"), "step 0x1004");
  EXPECT_EQ(move("next"), "step 0x1008") << "over the call, though it logs inside";
  EXPECT_EQ(outputs().size(), 1U);
  EXPECT_EQ(move("stepIn"), "step 0x1010");
  EXPECT_EQ(move("next"), "step 0x1014");
  EXPECT_EQ(outputs().size(), 2U) << "a step that ends at it";
  EXPECT_EQ(move("stepBack"), "step 0x1010");
  EXPECT_EQ(move("stepOut"), "step 0x100c");
  EXPECT_EQ(outputs().size(), 3U);
  const Json set = set_lines({{{"line", 10}, {"logMessage", "{q9}"}}});
  EXPECT_THAT(set[0]["message"].get<std::string>(), HasSubstr("in {} of the message"));
}

TEST_F(DapRuns, StopsAtLabelsAndMnemonics) {
  client_.start({{"program", fork_join}});
  const Json set = client_.body("setFunctionBreakpoints", {{"breakpoints",
                                                            {{{"name", "odd"}},
                                                             {{"name", "s_cbranch_*"}, {"condition", "csp == 1"}},
                                                             {{"name", "nowhere"}},
                                                             {{"name", "s_walk"}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["instructionReference"], "0x1020");
  EXPECT_EQ(set[0]["line"], 24);
  EXPECT_TRUE(set[1]["verified"].get<bool>());
  EXPECT_THAT(set[2]["message"].get<std::string>(), HasSubstr("`nowhere` is no"));
  EXPECT_THAT(set[3]["message"].get<std::string>(), HasSubstr("s_walk"));
  // CSP is 1 from behind the outer fork on, but for what the inner one encloses.
  EXPECT_EQ(move("continue"), "function breakpoint 0x101c");
  EXPECT_EQ(move("continue"), "function breakpoint 0x1020");
  EXPECT_EQ(move("continue"), "function breakpoint 0x102c");
  EXPECT_EQ(move("continue"), "function breakpoint 0x1030");
  EXPECT_EQ(move("continue"), "end of program 0x1038");
}

TEST_F(DapRuns, StopsAtInstructions) {
  client_.start({{"program", fork_join}});
  const Json set = client_.body("setInstructionBreakpoints",
                                {{"breakpoints",
                                  {{{"instructionReference", "0x1000"}, {"offset", 0x20}},
                                   {{"instructionReference", "0x1030"}, {"hitCondition", "2"}},
                                   {{"instructionReference", "0x1002"}},
                                   {{"instructionReference", "0xfffffffffffffffc"}, {"offset", 8}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["instructionReference"], "0x1020");
  EXPECT_TRUE(set[1]["verified"].get<bool>());
  EXPECT_FALSE(set[2]["verified"].get<bool>());
  EXPECT_THAT(set[3]["message"].get<std::string>(), HasSubstr("no instruction at 0x4"));
  EXPECT_EQ(move("continue"), "instruction breakpoint 0x1020");
  EXPECT_EQ(move("continue"), "instruction breakpoint 0x1030");
  EXPECT_EQ(client_.value("csp"), "0");
}

TEST_F(DapRuns, StopsAtData) {
  client_.start({{"program", fork_join}});
  const Json info = client_.body("dataBreakpointInfo", {{"name", "mode.csp"}});
  EXPECT_EQ(info["dataId"], "mode.csp");
  EXPECT_EQ(info["accessTypes"], Json({"write", "read", "readWrite"}));
  const Json set = client_.body("setDataBreakpoints",
                                {{"breakpoints", {{{"dataId", "mode.csp"}}, {{"dataId", "q9"}}}}})["breakpoints"];
  EXPECT_TRUE(set[0]["verified"].get<bool>());
  EXPECT_FALSE(set[1]["verified"].get<bool>());
  EXPECT_EQ(move("continue"), "data breakpoint 0x1014");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(),
              HasSubstr("mode.csp: 0 -> 1 by 0x1008 <start+0x8>: s_cbranch_i_fork"));
  EXPECT_EQ(client_.last("stopped")["hitBreakpointIds"], Json::array({set[0]["id"]}));
  EXPECT_EQ(move("continue"), "data breakpoint 0x1028");
  EXPECT_EQ(move("continue"), "data breakpoint 0x1020");
  EXPECT_EQ(move("reverseContinue"), "data breakpoint 0x102c") << "in front of what changed it";
  // Reads: the first of s[38:39] is that of the last instruction but one.
  client_.body("setDataBreakpoints", {{"breakpoints", {{{"dataId", "s[38:39]"}, {"accessType", "read"}}}}});
  EXPECT_EQ(move("continue"), "data breakpoint 0x1038");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr("read by 0x1034"));
}

TEST_F(DapRuns, SaysWhatCanBeWatched) {
  client_.start({{"program", std::string(SALU_PROGRAMS_DIR) + "/store_and_reload.yaml"}});
  const Json scopes = client_.body("scopes", {{"frameId", 1}})["scopes"];
  const Json sgprs = scopes[0]["variablesReference"];
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "s3"}, {"variablesReference", sgprs}})["dataId"], "s3");
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "s0 > 5"}})["accessTypes"], Json::array({"write"}));
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "pc"}})["accessTypes"], Json::array({"write"}));
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "0x10000"}, {"asAddress", true}, {"bytes", 8}})["dataId"],
            "[0x10000:8]");
  EXPECT_TRUE(
      client_.body("dataBreakpointInfo", {{"name", "0x10000"}, {"asAddress", true}, {"bytes", 3}})["dataId"].is_null());
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "s3"}, {"variablesReference", sgprs}, {"bytes", 4}})["dataId"],
            "s3")
      << "a register is no memory";
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "[0x10000]"}, {"bytes", 8}})["dataId"], "[0x10000:8]");
  EXPECT_TRUE(client_.body("dataBreakpointInfo", {{"name", "7"}})["dataId"].is_null());
  EXPECT_TRUE(client_.body("dataBreakpointInfo", {{"name", "q9"}})["dataId"].is_null());
  EXPECT_THAT(client_.refusal("dataBreakpointInfo", {{"name", "x"}, {"variablesReference", sgprs}}),
              HasSubstr("no variable `x`"));
}

TEST_F(DapRuns, StopsInFrontOfTheFirstInstruction) {
  file_ = folder_.write("t.yaml", calls);
  client_.launch({{"program", file_}, {"stopOnEntry", false}});
  const Json set = set_lines({{{"line", 4}}});
  client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "s_mov_*"}, {"hitCondition", "2"}}}}});
  client_.body("configurationDone");
  EXPECT_EQ(client_.last("stopped")["reason"], "breakpoint");
  EXPECT_EQ(client_.last("stopped")["hitBreakpointIds"], Json::array({set[0]["id"]}));
  EXPECT_EQ(client_.pc(), "0x1000");
  EXPECT_EQ(move("continue"), "end of program 0x100c");
  client_.body("restart");
  EXPECT_EQ(client_.pc(), "0x1000");
  EXPECT_EQ(client_.last("stopped")["reason"], "breakpoint");
  // A condition that does not hold, and a log point.
  set_lines({{{"line", 4}, {"condition", "s0 == 1"}}, {{"line", 4}, {"logMessage", "begins"}}});
  client_.body("restart");
  EXPECT_EQ(client_.last("stopped")["reason"], "end of program");
  EXPECT_THAT(outputs(), ElementsAre("begins\n"));
}

TEST_F(DapRuns, TakesTheNamesOfOneFileForOneFile) {
  start(calls);
  const std::string link = file_ + ".link.yaml";
  std::filesystem::create_symlink(file_, link);
  const auto set = [&](const std::string& path, const Json& breakpoints) {
    return client_.body("setBreakpoints", {{"source", {{"path", path}}}, {"breakpoints", breakpoints}})["breakpoints"];
  };
  EXPECT_TRUE(set(link, {{{"line", 5}}})[0]["verified"].get<bool>());
  set(file_, Json::array());
  EXPECT_EQ(move("continue"), "end of program 0x100c");
  EXPECT_EQ(
      client_.refusal("setBreakpoints", {{"source", {{"sourceReference", 99}}}, {"breakpoints", {{{"line", 1}}}}}),
      "there is no source with the reference 99");
}

TEST_F(DapRuns, AStepOverACallGoesOnAfterAnInterrupt) {
  start(
      "target: gfx900\ncode:\n  asm: |\n"
      "    s_call_b64 s[30:31], long\n"  // 1000
      "    s_endpgm\n"                   // 1004
      "    long:\n"
      "    s_mov_b32 s0, 10000000\n"  // 1008, with a literal
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
  start(long_loop, {{"maxSteps", 20'000'000}});
  client_.post("continue", thread);
  client_.run_until_message(false);
  ASSERT_TRUE(client_.server.is_running());
  client_.post("threads");
  client_.run();
  // The first instruction, and four in each round: 19,999,999 of them are 4,999,999 rounds and three.
  EXPECT_EQ(client_.last("stopped")["reason"], "pause");
  EXPECT_EQ(client_.value("s1"), "0x00e4e1c0 (15000000)");
  EXPECT_EQ(client_.pc(), "0x1014");
  // The next one has a limit of its own.
  client_.body("continue", thread);
  EXPECT_EQ(client_.value("s1"), "0x01c9c380 (30000000)");
}

TEST_F(DapRuns, KeepsTheNumbersAndHitsOfWhatStays) {
  start(calls);
  const Json first = set_lines({{{"line", 9}, {"hitCondition", "2"}}});
  client_.body("next", thread);
  client_.body("next", thread);
  EXPECT_EQ(client_.pc(), "0x1008");
  const Json second = set_lines({{{"line", 11}}, {{"line", 9}, {"hitCondition", "2"}}});
  EXPECT_EQ(first[0]["id"], second[1]["id"]);
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
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

TEST_F(DapRuns, ListsTheLinesThatHaveCode) {
  start(calls);
  const Json lines = client_.body("breakpointLocations", {{"source", {{"path", file_}}}, {"line", 5}, {"endLine", 9}});
  EXPECT_EQ(lines["breakpoints"], Json({{{"line", 5}}, {{"line", 6}}, {{"line", 7}}, {{"line", 9}}}));
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
  EXPECT_THAT(client_.refusal("exceptionInfo", thread), HasSubstr("no fault"));
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
  EXPECT_TRUE(client_.server.is_running()) << "it makes room for the message that waits";
  EXPECT_TRUE(client_.post("pause", thread)["success"].get<bool>());
  client_.run();
  EXPECT_EQ(client_.last("stopped")["reason"], "pause");
  EXPECT_NE(client_.value("s0"), "0x00000000");
  // And goes on from there as if nothing had been.
  EXPECT_EQ(move("continue"), "end of program 0x1018");
  EXPECT_EQ(client_.value("s1"), "0x047868c0 (75000000)");
}

TEST_F(DapRuns, BreakpointsCanBeSetWhileItRuns) {
  start(long_loop, {{"maxSteps", 1'000'000'000}});
  client_.post("continue", thread);
  // A message that is not urgent makes room, too.
  client_.run_until_message(false);
  ASSERT_TRUE(client_.server.is_running());
  const Json set =
      client_.post("setFunctionBreakpoints", {{"breakpoints", {{{"name", "loop"}, {"condition", "s0 == 1"}}}}});
  EXPECT_TRUE(set["body"]["breakpoints"][0]["verified"].get<bool>());
  client_.run();
  EXPECT_EQ(client_.last("stopped")["reason"], "function breakpoint");
  EXPECT_EQ(client_.value("s0"), "0x00000001");
  EXPECT_EQ(client_.value("s1"), "0x047868bd (74999997)");
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
