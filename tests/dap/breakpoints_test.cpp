#include <gmock/gmock.h>

#include <filesystem>

#include "runs.hpp"

// Breakpoints and their messages.
namespace salu::dap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DapBreakpoints : public DapRuns {};

TEST_F(DapBreakpoints, StopsAtLinesAndSaysWhichOnes) {
  start(calls);
  // Line 8 is a label: the next line that has code is 9.
  const Json set = set_lines({{{"line", 8}}, {{"line", 6}}, {{"line", 99}}});
  EXPECT_TRUE(set[0]["verified"].get<bool>());
  EXPECT_EQ(set[0]["line"], 9);
  EXPECT_EQ(set[0]["instructionReference"], "0x1010");
  EXPECT_EQ(set[1]["line"], 6);
  EXPECT_FALSE(set[2]["verified"].get<bool>());
  EXPECT_EQ(set[2]["message"], "no code at line 99 or after it");
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.last("stopped")["hitBreakpointIds"], Json::array({set[0]["id"]}));
  EXPECT_EQ(client_.last("stopped")["description"], "Paused on breakpoint");
  EXPECT_EQ(move("continue"), "breakpoint 0x1008");
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.value("s0"), "0x00000005");
  EXPECT_EQ(move("reverseContinue"), "breakpoint 0x1008");
  EXPECT_EQ(move("reverseContinue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.value("s0"), "0x00000000");
  // Other breakpoints of the file are removed by the next request.
  set_lines({{{"line", 7}}});
  EXPECT_EQ(move("continue"), "breakpoint 0x100c");
  const Json foreign =
      client_.body("setBreakpoints", {{"source", {{"path", "/other.yaml"}}}, {"breakpoints", {{{"line", 1}}}}});
  EXPECT_EQ(foreign["breakpoints"][0]["message"], "no code of this program is from /other.yaml");
}

TEST_F(DapBreakpoints, CountsLinesFrom0ForAClientThatDoes) {
  file_ = folder_.write("t.yaml", calls);
  client_.body("initialize", {{"linesStartAt1", false}, {"columnsStartAt1", false}});
  client_.body("launch", {{"program", file_}});
  const Json set = set_lines({{{"line", 7}}});
  EXPECT_EQ(set[0]["line"], 8);
  client_.body("configurationDone");
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.body("stackTrace", thread)["stackFrames"][0]["line"], 8);
}

TEST_F(DapBreakpoints, StopsWhereConditionsHold) {
  start(calls);
  set_lines({{{"line", 9}, {"condition", "s0 == 5"}}});
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
  EXPECT_EQ(client_.value("s0"), "0x00000005");
  client_.body("restart");
  const Json set = set_lines({{{"line", 9}, {"condition", "s0 =="}}, {{"line", 9}, {"hitCondition", "often"}}});
  EXPECT_THAT(set[0]["message"].get<std::string>(), HasSubstr("condition: "));
  EXPECT_THAT(set[1]["message"].get<std::string>(), HasSubstr("`often` is not a hit condition"));
  EXPECT_EQ(move("continue"), "end of program 0x100c");
}

TEST_F(DapBreakpoints, StopsAtSomeOfTheHits) {
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

TEST_F(DapBreakpoints, LogsWithoutStopping) {
  start(calls);
  set_lines({{{"line", 10}, {"logMessage", "s0 is {s0}, twice {s0 * 2} }"}}});
  EXPECT_EQ(move("continue"), "end of program 0x100c");
  EXPECT_THAT(outputs(), ElementsAre("s0 is 0x00000005, twice 0xa }\n", "s0 is 0x0000000a, twice 0x14 }\n"));
}

TEST_F(DapBreakpoints, AreThoseOfTheConsoleToo) {
  start(calls);
  set_lines({{{"line", 9}, {"hitCondition", "% 2"}}, {{"line", 10}, {"logMessage", "s0 is {s0}"}}});
  const auto say = [&](const char* command) {
    return client_.body("evaluate", {{"expression", command}, {"context", "repl"}})["result"].get<std::string>();
  };
  EXPECT_THAT(say("info breakpoints"), HasSubstr(":9  0x1010 <add>, at hits % 2, never hit"));
  EXPECT_THAT(say("info breakpoints"), HasSubstr(":10  0x1014 <add+0x4>, says \"s0 is {s0}\", never hit"));
  // The first call passes both; the second stops before the sum.
  EXPECT_THAT(say("continue"), testing::StartsWith("s0 is 0x00000005\nBreakpoint 1\n"));
  EXPECT_EQ(client_.pc(), "0x1010");
  EXPECT_EQ(client_.last("stopped")["reason"], "breakpoint");
  EXPECT_TRUE(outputs().empty()) << "what the command printed is its answer";
}

TEST_F(DapBreakpoints, LogsOnTheWayOfAStep) {
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
  const Json open = set_lines({{{"line", 10}, {"logMessage", "s0 is {s0"}}});
  EXPECT_EQ(open[0]["message"], "missing `}` after `{s0` of the message");
}

TEST_F(DapBreakpoints, StopsAtLabelsAndMnemonics) {
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
  // CSP is 1 after the outer fork, except within the inner one.
  EXPECT_EQ(move("continue"), "function breakpoint 0x101c");
  EXPECT_EQ(move("continue"), "function breakpoint 0x1020");
  EXPECT_EQ(move("continue"), "function breakpoint 0x102c");
  EXPECT_EQ(move("continue"), "function breakpoint 0x1030");
  EXPECT_EQ(move("continue"), "end of program 0x1038");
}

TEST_F(DapBreakpoints, StopsAtInstructions) {
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

TEST_F(DapBreakpoints, StopsAtData) {
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
  EXPECT_EQ(move("reverseContinue"), "data breakpoint 0x102c") << "before the change";
  // Reads: the first read of s[38:39] is in the last instruction but one.
  client_.body("setDataBreakpoints", {{"breakpoints", {{{"dataId", "s[38:39]"}, {"accessType", "read"}}}}});
  EXPECT_EQ(move("continue"), "data breakpoint 0x1038");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr("read by 0x1034"));
}

TEST_F(DapBreakpoints, SaysWhatCanBeWatched) {
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
      << "a register is not memory";
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "[0x10000]"}, {"bytes", 8}})["dataId"], "[0x10000:8]");
  EXPECT_TRUE(client_.body("dataBreakpointInfo", {{"name", "7"}})["dataId"].is_null());
  EXPECT_TRUE(client_.body("dataBreakpointInfo", {{"name", "q9"}})["dataId"].is_null());
  EXPECT_THAT(client_.refusal("dataBreakpointInfo", {{"name", "x"}, {"variablesReference", sgprs}}),
              HasSubstr("no variable `x`"));
}

TEST_F(DapBreakpoints, StopsInFrontOfTheFirstInstruction) {
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
  // A false condition, and a log point.
  set_lines({{{"line", 4}, {"condition", "s0 == 1"}}, {{"line", 4}, {"logMessage", "begins"}}});
  client_.body("restart");
  EXPECT_EQ(client_.last("stopped")["reason"], "end of program");
  EXPECT_THAT(outputs(), ElementsAre("begins\n"));
}

TEST_F(DapBreakpoints, TakesTheNamesOfOneFileForOneFile) {
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
      "no source with the reference 99");
}

TEST_F(DapBreakpoints, KeepsTheNumbersAndHitsOfWhatStays) {
  start(calls);
  const Json first = set_lines({{{"line", 9}, {"hitCondition", "2"}}});
  client_.body("next", thread);
  client_.body("next", thread);
  EXPECT_EQ(client_.pc(), "0x1008");
  const Json second = set_lines({{{"line", 11}}, {{"line", 9}, {"hitCondition", "2"}}});
  EXPECT_EQ(first[0]["id"], second[1]["id"]);
  EXPECT_EQ(move("continue"), "breakpoint 0x1010");
}

TEST_F(DapBreakpoints, ListsTheLinesThatHaveCode) {
  start(calls);
  const Json lines = client_.body("breakpointLocations", {{"source", {{"path", file_}}}, {"line", 5}, {"endLine", 9}});
  EXPECT_EQ(lines["breakpoints"], Json({{{"line", 5}}, {{"line", 6}}, {{"line", 7}}, {{"line", 9}}}));
}

}  // namespace
}  // namespace salu::dap
