#include <gmock/gmock.h>

#include "client.hpp"
#include "debug/verb.hpp"
#include "unit/loader_helpers.hpp"

// Inspecting and changing the state. The contents of fork_join.yaml are in docs/how-to/debugging.md.
namespace salu::dap {
namespace {

using testing::Contains;
using testing::HasSubstr;

class DapState : public testing::Test {
 protected:
  /// Stops after an instruction that has left lanes 4 to 63 waiting in s[2:3].
  void save_lanes() {
    const std::string file =
        folder_.write("t.yaml",
                      "target: gfx900\ncode: {asm: \"s_and_saveexec_b64 s[2:3], s[0:1]\\n s_nop 0\\n s_endpgm\\n\"}\n"
                      "registers: {\"s[0:1]\": 0xf}\n");
    client_.start({{"program", file}});
    client_.body("next", thread);
  }
  u64 scope(const std::string& name) {
    const Json scopes = client_.body("scopes", {{"frameId", 1}})["scopes"];
    for (const Json& each : scopes) {
      if (each["name"] == name) return each["variablesReference"].get<u64>();
    }
    return 0;
  }
  Json variables(u64 reference, Json more = Json::object()) {
    more["variablesReference"] = reference;
    return client_.body("variables", more)["variables"];
  }
  Json variable(u64 reference, const std::string& name) {
    for (const Json& each : variables(reference)) {
      if (each["name"] == name) return each;
    }
    return nullptr;
  }
  void run_to(const std::string& label) {
    client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", label}}}}});
    client_.body("continue", thread);
  }

  test::TemporaryFolder folder_;
  Client client_;
};

TEST_F(DapState, ShowsTheStack) {
  client_.start({{"program", fork_join}});
  run_to("even");
  const Json trace = client_.body("stackTrace", thread);
  EXPECT_EQ(trace["totalFrames"], 1);
  const Json frame = trace["stackFrames"][0];
  EXPECT_EQ(frame["name"], "even");
  EXPECT_EQ(frame["line"], 27);
  EXPECT_EQ(frame["source"]["path"], fork_join);
  EXPECT_EQ(frame["instructionPointerReference"], "0x1028");
  EXPECT_EQ(client_.body("stackTrace", {{"threadId", 1}, {"startFrame", 1}})["stackFrames"].size(), 0U);
  EXPECT_THAT(client_.refusal("scopes", {{"frameId", 3}}), HasSubstr("no stack frame 3"));
  EXPECT_EQ(client_.refusal("scopes"), "`frameId` is missing");
}

TEST_F(DapState, ShowsVectorRegisters) {
  const std::string file = folder_.write("t.yaml",
                                         "target: gfx900\ncode: {asm: \"s_nop 0\\n s_endpgm\\n\"}\n"
                                         "registers: {v3: {lane_ids: true}, \"v7[2]\": 9}\n");
  client_.start({{"program", file}});
  const u64 vectors = scope("Vector registers");
  EXPECT_EQ(variables(vectors).size(), 2U);
  const Json v3 = variable(vectors, "v3");
  EXPECT_EQ(v3["value"], "0x00000000, 0x00000001, 0x00000002, 0x00000003, ...");
  EXPECT_EQ(v3["type"], "64 lanes of 32 bits");
  EXPECT_EQ(v3["indexedVariables"], 64);
  const u64 lanes = v3["variablesReference"].get<u64>();
  const Json some = variables(lanes, {{"filter", "indexed"}, {"start", 62}, {"count", 2}});
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[1]["name"], "[63]");
  EXPECT_EQ(some[1]["value"], "0x0000003f");
  EXPECT_EQ(some[1]["evaluateName"], "v3[63]");
  EXPECT_EQ(variables(lanes, {{"filter", "named"}}).size(), 0U);
  EXPECT_EQ(variable(variable(vectors, "v7")["variablesReference"].get<u64>(), "[1]")["type"],
            "32 bits, never written");
  const Json set = client_.body("setVariable", {{"variablesReference", lanes}, {"name", "[5]"}, {"value", "77"}});
  EXPECT_EQ(set["value"], "0x0000004d");
  EXPECT_EQ(client_.body("evaluate", {{"expression", "v3[5]"}})["result"], "0x0000004d (77)");
  // A format follows a comma.
  EXPECT_EQ(client_.body("evaluate", {{"expression", "v3[5],d"}})["result"], "77");
  client_.body("setExpression", {{"expression", "v3[6]"}, {"value", "0x3fc00000"}});
  EXPECT_EQ(client_.body("evaluate", {{"expression", "v3[6], f"}})["result"], "1.5");
  EXPECT_EQ(client_.body("evaluate", {{"expression", "v3[6],f16"}, {"context", "watch"}})["result"], "{0, 1.9375}");
  EXPECT_THAT(client_.refusal("evaluate", {{"expression", "v3[6],f64"}}), HasSubstr("has 32 bits, and f64 shows 64"));
  EXPECT_NE(client_.refusal("evaluate", {{"expression", "v3[6],k"}}), "");
  // With a selected lane there is one value.
  EXPECT_EQ(client_.body("evaluate", {{"expression", "lane 5"}, {"context", "repl"}})["result"], "Lane 5 is on.");
  EXPECT_EQ(variable(vectors, "v3")["value"], "0x0000004d");
  EXPECT_EQ(variable(vectors, "v3")["type"], "32 bits of lane 5");
  EXPECT_EQ(client_.body("evaluate", {{"expression", "v3 + 1"}})["result"], "0x4e (78)");
  EXPECT_EQ(client_.body("setVariable", {{"variablesReference", vectors}, {"name", "v7"}, {"value", "1"}})["value"],
            "0x00000001");
}

TEST_F(DapState, ShowsRegisters) {
  client_.start({{"program", fork_join}});
  run_to("even");
  const u64 sgprs = scope("SGPRs");
  EXPECT_EQ(variable(sgprs, "s2")["value"], "0x0000100c");
  EXPECT_EQ(variable(sgprs, "s2")["evaluateName"], "s2");
  EXPECT_EQ(variable(sgprs, "s2")["type"], "32 bits");
  EXPECT_EQ(variable(sgprs, "s90")["type"], "32 bits, never written");
  // GFX9 has 102 SGPRs.
  EXPECT_EQ(variables(sgprs).size(), 102U);
  const Json some = variables(sgprs, {{"start", 36}, {"count", 2}});
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[1]["name"], "s37");
  EXPECT_EQ(some[1]["value"], "0x00000001");
  EXPECT_EQ(variables(sgprs, {{"start", 1'000'000'000'000}}).size(), 0U);
  EXPECT_EQ(variables(sgprs, {{"filter", "indexed"}}).size(), 0U);
  const u64 special = scope("Special registers");
  EXPECT_EQ(variable(special, "exec")["value"], "0x0000000000005555");
  EXPECT_EQ(variable(special, "pc")["value"], "0x1028 <even>");
  EXPECT_EQ(variable(special, "scc")["value"], "1");
  const Json mode = variable(special, "mode");
  EXPECT_EQ(variable(mode["variablesReference"].get<u64>(), "csp")["value"], "2");
  EXPECT_EQ(variables(scope("Trap temporaries")).size(), 16U);
  EXPECT_THAT(client_.refusal("variables", {{"variablesReference", 77}}), HasSubstr("the reference 77"));
}

TEST_F(DapState, ShowsTheControlStackAndLanes) {
  client_.start({{"program", fork_join}});
  const u64 stack = scope("Control stack");
  EXPECT_EQ(variables(stack).size(), 0U);
  run_to("even");
  const Json entries = variables(stack);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0]["name"], "1");
  EXPECT_EQ(entries[0]["value"], "8 lanes (0x000000000000aaaa) wait, to continue at 0x1020 <odd>");
  EXPECT_EQ(entries[0]["type"], "s[4:7]");
  const Json parts = variables(entries[1]["variablesReference"].get<u64>());
  EXPECT_EQ(parts[0]["evaluateName"], "s[0:1]");
  EXPECT_EQ(parts[0]["value"], "0xffffffffffff0000");
  EXPECT_EQ(parts[1]["value"], "0x000000000000100c");
  const Json lanes = variables(scope("Lanes"));
  ASSERT_EQ(lanes.size(), 4U);
  EXPECT_EQ(lanes[0]["value"], "1.1.1.1. 1.1.1.1. ........ ........ ........ ........ ........ ........");
  EXPECT_EQ(lanes[0]["type"], "8 lanes (0x0000000000005555)");
  EXPECT_EQ(lanes[3]["name"], "waiting 0");
  // The entry does not exist on a lower stack.
  client_.body("restart");
  EXPECT_THAT(client_.refusal("variables", {{"variablesReference", entries[1]["variablesReference"]}}),
              HasSubstr("no entry 0"));
}

TEST_F(DapState, ShowsLanesThatWaitInRegisters) {
  save_lanes();
  const Json waiting = variable(scope("Lanes"), "in s[2:3]");
  EXPECT_EQ(waiting["value"], "....1111 11111111 11111111 11111111 11111111 11111111 11111111 11111111");
  EXPECT_EQ(waiting["type"], "60 lanes (0xfffffffffffffff0)");
}

TEST_F(DapState, SetsVariables) {
  client_.start({{"program", fork_join}});
  const u64 sgprs = scope("SGPRs");
  const Json set = client_.body("setVariable", {{"variablesReference", sgprs}, {"name", "s32"}, {"value", "0x10 + 7"}});
  EXPECT_EQ(set["value"], "0x00000017");
  EXPECT_EQ(client_.value("s32"), "0x00000017 (23)");
  const Json answer = client_.body("setExpression", {{"expression", "mode.csp"}, {"value", "3"}});
  EXPECT_EQ(answer["value"], "3");
  EXPECT_EQ(answer["type"], "3 bits");
  EXPECT_FALSE(answer.contains("result"));
  EXPECT_EQ(client_.value("csp"), "3");
  EXPECT_THAT(client_.refusal("setVariable", {{"variablesReference", sgprs}, {"name", "s32"}, {"value", "1 << 32"}}),
              HasSubstr("does not fit"));
  EXPECT_THAT(client_.refusal("setVariable", {{"variablesReference", sgprs}, {"name", "s999"}, {"value", "1"}}),
              HasSubstr("no variable `s999`"));
  EXPECT_THAT(client_.refusal("setVariable", {{"variablesReference", sgprs}, {"name", "s3"}, {"value", "seven"}}),
              HasSubstr("`seven`"));
  EXPECT_THAT(client_.refusal("setExpression", {{"expression", "s0 + 1"}, {"value", "1"}}),
              HasSubstr("is not a register or memory"));
  EXPECT_THAT(client_.refusal("setVariable", {{"variablesReference", 5000}, {"name", "s3"}, {"value", "1"}}),
              HasSubstr("the reference 5000"));
}

TEST_F(DapState, TellsAClientThatListensOfChanges) {
  client_.body("initialize", {{"supportsInvalidatedEvent", true}, {"supportsMemoryEvent", true}});
  client_.body("launch", {{"program", std::string(SALU_PROGRAMS_DIR) + "/store_and_reload.yaml"}});
  client_.body("configurationDone");
  client_.body("setExpression", {{"expression", "s9"}, {"value", "3"}});
  EXPECT_EQ(client_.count("invalidated"), 1U);
  client_.body("writeMemory", {{"memoryReference", "0x1000"}, {"data", "AAAAAA=="}});
  EXPECT_EQ(client_.last("memory")["memoryReference"], "0x1000");
  EXPECT_EQ(client_.last("memory")["count"], 4);
}

TEST_F(DapState, TellsWhichMemoryWasSet) {
  const std::string file =
      folder_.write("t.yaml", "target: gfx900\ncode: {asm: \"s_endpgm\"}\nmemory: [{at: 0x20000, words: [1, 2]}]\n");
  client_.body("initialize", {{"supportsInvalidatedEvent", true}, {"supportsMemoryEvent", true}});
  client_.body("launch", {{"program", file}});
  client_.body("configurationDone");
  Json region;
  for (const Json& each : variables(scope("Memory"))) {
    if (each["memoryReference"] == "0x20000") region = each;
  }
  client_.body("setVariable",
               {{"variablesReference", region["variablesReference"]}, {"name", "0x20004"}, {"value", "9"}});
  EXPECT_EQ(client_.last("memory"), Json({{"memoryReference", "0x20004"}, {"offset", 0}, {"count", 4}}));
  client_.body("evaluate", {{"expression", "set [0x20000:2] = 5"}, {"context", "repl"}});
  EXPECT_EQ(client_.last("memory"), Json({{"memoryReference", "0x20000"}, {"offset", 0}, {"count", 2}}));
  const Json answer = client_.body("setExpression", {{"expression", "[0x20000:8]"}, {"value", "7"}});
  EXPECT_EQ(answer["type"], "64 bits");
  EXPECT_EQ(client_.last("memory")["count"], 8);
  EXPECT_EQ(client_.count("memory"), 3U);
}

TEST_F(DapState, SetsWhatIsGoneAfterwards) {
  save_lanes();
  const u64 lanes = scope("Lanes");
  ASSERT_FALSE(variable(lanes, "in s[2:3]").is_null());
  const Json set = client_.body("setVariable", {{"variablesReference", lanes}, {"name", "in s[2:3]"}, {"value", "0"}});
  EXPECT_EQ(set["value"], "0x0000000000000000");
  EXPECT_EQ(client_.value("s[2:3]"), "0x0000000000000000");
}

TEST_F(DapState, LooksAtAllOfTheRunAfterAnInterruptThatCameLate) {
  save_lanes();
  client_.body("next", thread);
  client_.server.interrupt(true);
  EXPECT_FALSE(variable(4, "in s[2:3]").is_null());
}

TEST_F(DapState, SaysWhyACommandStopped) {
  client_.start({{"program", fork_join}, {"maxSteps", 4}});
  const auto say = [&](const std::string& text) {
    client_.body("evaluate", {{"expression", text}, {"context", "repl"}});
    return client_.last("stopped")["reason"].get<std::string>() + " " + client_.pc();
  };
  const Json set = client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "then"}}}}})["breakpoints"];
  EXPECT_EQ(say("continue"), "function breakpoint 0x1014");
  EXPECT_EQ(client_.last("stopped")["hitBreakpointIds"], Json::array({set[0]["id"]}));
  EXPECT_EQ(client_.count("continued"), 1U);
  // Four instructions from 3 on: to 7.
  EXPECT_EQ(say("continue"), "pause 0x102c");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(),
              HasSubstr("4 instructions were executed by one request"));
  EXPECT_EQ(say("stepi"), "step 0x1020");
  client_.body("setFunctionBreakpoints", {{"breakpoints", Json::array()}});
  EXPECT_EQ(say("reverse-continue"), "entry 0x1000");
  client_.body("setDataBreakpoints", {{"breakpoints", {{{"dataId", "mode.csp"}}}}});
  EXPECT_EQ(say("continue"), "data breakpoint 0x1014");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr("mode.csp: 0 -> 1 by 0x1008"));
}

TEST_F(DapState, SaysThatACommandCameToAFault) {
  const std::string file =
      folder_.write("t.yaml", "target: gfx900\ncode: {asm: \"s_nop 0\\n s_load_dword s2, s[0:1], 0x0\"}\n");
  client_.start({{"program", file}});
  client_.body("evaluate", {{"expression", "continue"}, {"context", "repl"}});
  EXPECT_EQ(client_.last("stopped")["reason"], "exception");
  EXPECT_EQ(client_.body("exceptionInfo", thread)["exceptionId"], "unmapped_memory");
}

TEST_F(DapState, Evaluates) {
  client_.start({{"program", fork_join}});
  run_to("then");
  const auto result = [&](const std::string& text, const char* context) {
    return client_.body("evaluate", {{"expression", text}, {"context", context}, {"frameId", 1}})["result"];
  };
  EXPECT_EQ(result("s2", "hover"), "0x0000100c (4108) <else>");
  EXPECT_EQ(result("bcnt(exec)", "watch"), "0x10 (16)");
  EXPECT_EQ(result("i32(0) - 1", "watch"), "-1");
  EXPECT_EQ(result("csp", "variables"), "1");
  EXPECT_EQ(client_.body("evaluate", {{"expression", "s[2:3]"}})["memoryReference"], "0x100c");
  EXPECT_THAT(client_.refusal("evaluate", {{"expression", "q9"}, {"context", "hover"}}), HasSubstr("`q9`"));
  EXPECT_THAT(client_.refusal("evaluate", {{"expression", "step"}, {"context", "watch"}}), HasSubstr("`step`"));
  EXPECT_EQ(client_.refusal("evaluate", {{"expression", "[0x50000]"}}), "the memory at 0x50000 is not mapped");
  EXPECT_EQ(client_.refusal("evaluate"), "`expression` is missing");
  EXPECT_THAT(client_.refusal("evaluate", {{"expression", "s0"}, {"frameId", 12}}), HasSubstr("no stack frame 12"));
}

TEST_F(DapState, TakesCommandsOfTheConsole) {
  client_.start({{"program", fork_join}});
  const auto say = [&](const std::string& text) {
    return client_.body("evaluate", {{"expression", text}, {"context", "repl"}})["result"].get<std::string>();
  };
  EXPECT_EQ(say("info stack"), "The control stack is empty (CSP is 0).");
  EXPECT_EQ(say("s40 + 1"), "0x1");
  const std::size_t stops = client_.count("stopped");
  EXPECT_THAT(say("until even"), HasSubstr("[6] 0x1028 <even>"));
  EXPECT_EQ(client_.count("stopped"), stops + 1);
  EXPECT_EQ(client_.pc(), "0x1028");
  EXPECT_THAT(say("who s37"), HasSubstr("step 5: 0x1018"));
  EXPECT_EQ(client_.count("stopped"), stops + 1) << "looking moves nothing";
  EXPECT_THAT(say("rsi"), HasSubstr("[5] 0x101c"));
  EXPECT_EQ(say("set s37 = 9"), "The 1 instruction after this position is discarded.\n  s37=0x00000009");
  EXPECT_EQ(client_.value("s37"), "0x00000009");
  EXPECT_THAT(client_.refusal("evaluate", {{"expression", "until nowhere"}, {"context", "repl"}}),
              HasSubstr("nowhere"));
  EXPECT_THAT(client_.refusal("evaluate", {{"expression", "q9"}, {"context", "repl"}}),
              HasSubstr("`q9` is not a register"));
  EXPECT_THAT(say("break odd"), HasSubstr("0x1020 <odd>"));
  client_.body("continue", thread);
  EXPECT_EQ(client_.last("stopped")["reason"], "breakpoint");
  EXPECT_EQ(client_.pc(), "0x1020");
}

TEST_F(DapState, TellsOfBreakpointsThatACommandRemoves) {
  client_.start({{"program", fork_join}});
  const Json set = client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "odd"}}}}})["breakpoints"];
  client_.body("evaluate", {{"expression", "delete"}, {"context", "repl"}});
  EXPECT_EQ(client_.last("breakpoint")["reason"], "removed");
  EXPECT_EQ(client_.last("breakpoint")["breakpoint"]["id"], set[0]["id"]);
  client_.body("continue", thread);
  EXPECT_EQ(client_.last("stopped")["reason"], "end of program");
}

TEST_F(DapState, QuitEndsTheSession) {
  client_.start({{"program", fork_join}});
  client_.body("evaluate", {{"expression", "quit"}, {"context", "repl"}});
  EXPECT_EQ(client_.count("terminated"), 1U);
  EXPECT_EQ(client_.count("exited"), 0U) << "it was left, not run to its end";
}

TEST_F(DapState, Completes) {
  client_.start({{"program", fork_join}});
  const Json targets = client_.body("completions", {{"text", "until in and more"}, {"column", 9}})["targets"];
  ASSERT_EQ(targets.size(), 1U);
  EXPECT_EQ(targets[0]["label"], "inner_join");
  EXPECT_EQ(targets[0]["start"], 6);
  EXPECT_EQ(targets[0]["length"], 2);
  std::vector<std::string> words;
  const Json more = client_.body("completions", {{"text", "rev"}, {"column", 99}})["targets"];
  for (const Json& each : more) words.push_back(each["label"].get<std::string>());
  EXPECT_THAT(words, Contains("reverse-continue"));
  EXPECT_EQ(client_.body("completions", {{"text", ""}, {"column", 0}})["targets"].size(), debug::all_verbs().size());
}

TEST_F(DapState, ShowsTheArgumentsOfAKernel) {
  client_.start({{"program", std::string(SALU_PROGRAMS_DIR) + "/kernel_dot_product.yaml"}});
  const Json arguments = variables(scope("Kernel arguments"));
  ASSERT_FALSE(arguments.empty());
  for (const Json& each : arguments) EXPECT_TRUE(each.contains("memoryReference")) << each;
}

TEST_F(DapState, ShowsTheWaveThatIsChosen) {
  const std::string file =
      folder_.write("t.yaml", "code: {file: " + std::string(SALU_PROGRAMS_DIR) +
                                  "/compiled/dot_product.o}\n"
                                  "kernel: {grid_size: 192, waves: all, args: {matrix: {buffer: 36},"
                                  " vector: {buffer: 12}, out: {buffer: 12}, n: 3}}\n");
  client_.start({{"program", file}, {"wave", 1}});
  EXPECT_EQ(client_.body("evaluate", {{"expression", "s6"}})["result"], "0x00000001");
}

TEST_F(DapState, ShowsMemoryInDwords) {
  const std::string file = folder_.write("t.yaml",
                                         "target: gfx900\ncode: {asm: \"s_endpgm\"}\n"
                                         "memory:\n  - {at: 0x20000, words: [1, 2, 0xdeadbeef]}\n"
                                         "  - {at: 0x100000000, size: 0x10000000}\n");
  client_.start({{"program", file}});
  Json region;
  for (const Json& each : variables(scope("Memory"))) {
    if (each["memoryReference"] == "0x20000") region = each;
  }
  EXPECT_EQ(region["indexedVariables"], 3);
  const u64 reference = region["variablesReference"].get<u64>();
  const Json dwords = variables(reference, {{"filter", "indexed"}, {"start", 1}, {"count", 2}});
  ASSERT_EQ(dwords.size(), 2U);
  EXPECT_EQ(dwords[0]["name"], "0x20004");
  EXPECT_EQ(dwords[0]["value"], "0x00000002");
  EXPECT_EQ(dwords[1]["value"], "0xdeadbeef");
  EXPECT_EQ(variables(reference, {{"filter", "named"}}).size(), 0U);
  client_.body("setVariable", {{"variablesReference", reference}, {"name", "0x20004"}, {"value", "77"}});
  EXPECT_EQ(client_.value("[0x20004]"), "0x0000004d (77)");
  EXPECT_THAT(client_.refusal("setVariable", {{"variablesReference", reference}, {"name", "0x2000c"}, {"value", "1"}}),
              HasSubstr("no dword `0x2000c`"));
  for (const Json& each : variables(scope("Memory"))) {
    if (each["memoryReference"] != "0x100000000") continue;
    EXPECT_EQ(variables(each["variablesReference"].get<u64>()).size(), 4096U) << "not all 64 million";
  }
}

}  // namespace
}  // namespace salu::dap
