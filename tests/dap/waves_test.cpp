#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "runs.hpp"
#include "work_group_kernels.hpp"

// The waves of a work-group as threads.
namespace salu::dap {
namespace {

using test::kernel;
using test::small_mirror;
using testing::ElementsAre;
using testing::HasSubstr;

/// Without `schedule:` each wave runs to its next barrier or end, in order of their numbers: `small_mirror` has 8
/// instructions before its barrier, and 5 after it. The waves are the threads 1 and 2, then 3 and 4.
const std::string two_groups = "workgroup_size: 128, grid_size: 256, waves: all";

class DapWaves : public DapRuns {
 protected:
  void start_mirror(Json more = Json::object()) { start(kernel(small_mirror, two_groups), std::move(more)); }
  static Json of_thread(u64 id) { return {{"threadId", id}}; }
  static Json by_instruction_of(u64 id) { return {{"threadId", id}, {"granularity", "instruction"}}; }
  std::vector<u64> threads() {
    std::vector<u64> ids;
    const Json list = client_.body("threads")["threads"];
    for (const Json& each : list) ids.push_back(each["id"].get<u64>());
    return ids;
  }
  Json frame_of(u64 thread) { return client_.body("stackTrace", of_thread(thread))["stackFrames"][0]; }
  std::string address_of(u64 thread) { return frame_of(thread)["instructionPointerReference"].get<std::string>(); }
  /// The reason, the thread and the address of the stop after a move.
  std::string moved(const std::string& command, const Json& arguments) {
    client_.body(command, arguments);
    const Json stopped = client_.last("stopped");
    EXPECT_TRUE(stopped["allThreadsStopped"].get<bool>());
    const u64 thread = stopped["threadId"].get<u64>();
    return stopped["reason"].get<std::string>() + " " + std::to_string(thread) + " " + address_of(thread);
  }
  /// The value of an expression in the first frame of a thread.
  std::string value_in(u64 thread, const std::string& expression) {
    const Json frame = frame_of(thread)["id"];
    return client_.body("evaluate", {{"expression", expression}, {"frameId", frame}})["result"].get<std::string>();
  }
  /// The reference of a group of variables of a thread.
  u64 group_of(u64 thread, const std::string& name) {
    const Json scopes = client_.body("scopes", {{"frameId", frame_of(thread)["id"]}})["scopes"];
    for (const Json& scope : scopes) {
      if (scope["name"] == name) return scope["variablesReference"].get<u64>();
    }
    return 0;
  }
  Json variable(u64 reference, const std::string& name) {
    const Json variables = client_.body("variables", {{"variablesReference", reference}})["variables"];
    for (const Json& each : variables) {
      if (each["name"] == name) return each;
    }
    return nullptr;
  }
  [[nodiscard]] std::vector<std::string> thread_events() const {
    std::vector<std::string> events;
    for (const Json& each : client_.messages) {
      if (each["type"] == "event" && each["event"] == "thread")
        events.push_back(each["body"]["reason"].get<std::string>() + " " + each["body"]["threadId"].dump());
    }
    return events;
  }
};

TEST_F(DapWaves, EachWaveOfTheWorkGroupIsAThread) {
  start_mirror();
  const Json threads_now = client_.body("threads")["threads"];
  EXPECT_EQ(threads_now[1]["name"], "wave 1 of work-group [0, 0, 0]");
  EXPECT_THAT(threads(), ElementsAre(1, 2));
  EXPECT_EQ(client_.last("stopped")["threadId"], 1);
  EXPECT_THAT(thread_events(), ElementsAre("started 1", "started 2"));
  // The next work-group.
  client_.body("setInstructionBreakpoints",
               {{"breakpoints", {{{"instructionReference", "0x1028"}, {"condition", "s2 == 1"}}}}});
  EXPECT_EQ(moved("continue", of_thread(1)), "instruction breakpoint 3 0x1028");
  EXPECT_THAT(threads(), ElementsAre(3, 4));
  EXPECT_THAT(thread_events(), ElementsAre("started 1", "started 2", "exited 1", "exited 2", "started 3", "started 4"));
  EXPECT_EQ(client_.refusal("stackTrace", of_thread(1)),
            "no thread 1 here: the work-group that runs has the threads 3 to 4");
  EXPECT_EQ(client_.refusal("next", of_thread(5)), "no thread 5 here: the work-group that runs has the threads 3 to 4");
  EXPECT_EQ(moved("reverseContinue", of_thread(4)), "entry 1 0x1000");
  EXPECT_THAT(threads(), ElementsAre(1, 2));
}

TEST_F(DapWaves, StepsAreThoseOfTheThread) {
  start_mirror();
  for (int i = 0; i < 6; ++i) client_.body("next", of_thread(1));
  EXPECT_EQ(address_of(1), "0x1020");
  EXPECT_EQ(address_of(2), "0x1000");
  EXPECT_EQ(moved("next", of_thread(1)), "step 1 0x1024");
  // Over the barrier: wave 1 runs up to it.
  EXPECT_EQ(moved("next", of_thread(1)), "step 1 0x1028");
  EXPECT_EQ(address_of(2), "0x1028");
  EXPECT_EQ(moved("stepBack", of_thread(1)), "step 1 0x1024");
  EXPECT_EQ(address_of(2), "0x1000");
  EXPECT_EQ(moved("stepIn", by_instruction_of(2)), "step 2 0x1008");
  EXPECT_EQ(moved("stepBack", by_instruction_of(2)), "step 2 0x1000");
  EXPECT_EQ(moved("stepBack", by_instruction_of(2)), "entry 2 0x1000");
  EXPECT_EQ(client_.last("stopped")["description"], "Paused at the start of the wave");
  EXPECT_TRUE(client_.body("continue", of_thread(2))["allThreadsContinued"].get<bool>());
  EXPECT_EQ(client_.last("stopped")["reason"], "end of program");
  EXPECT_EQ(client_.last("stopped")["threadId"], 4);
  EXPECT_EQ(moved("stepBack", of_thread(3)), "step 3 0x1044");
}

TEST_F(DapWaves, BreakpointsStopInAnyWave) {
  start_mirror();
  client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "s_barrier"}, {"hitCondition", "% 2"}}}}});
  EXPECT_EQ(moved("continue", of_thread(1)), "function breakpoint 2 0x1024");
  EXPECT_EQ(moved("continue", of_thread(2)), "function breakpoint 4 0x1024");
  EXPECT_EQ(moved("next", of_thread(4)), "step 4 0x1028");
  // Wave 3 has passed its barrier, and wave 2 runs next.
  EXPECT_EQ(moved("next", of_thread(4)), "step 4 0x1030");
  client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "s_barrier"}, {"condition", "s3 == 0"}}}}});
  EXPECT_EQ(moved("reverseContinue", of_thread(4)), "function breakpoint 3 0x1024");
  EXPECT_EQ(moved("reverseContinue", of_thread(3)), "function breakpoint 1 0x1024");
}

TEST_F(DapWaves, FramesAndVariablesBelongToTheirWave) {
  start_mirror();
  client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "s_endpgm"}}}}});
  EXPECT_EQ(moved("continue", of_thread(1)), "function breakpoint 1 0x1044");
  client_.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "s_endpgm"}, {"condition", "s3 == 64"}}}}});
  EXPECT_EQ(moved("continue", of_thread(1)), "function breakpoint 2 0x1044");
  EXPECT_NE(frame_of(1)["id"], frame_of(2)["id"]);
  EXPECT_EQ(value_in(1, "s3"), "0x00000000");
  EXPECT_EQ(value_in(2, "s3"), "0x00000040 (64)");
  const u64 first = group_of(1, "SGPRs");
  const u64 second = group_of(2, "SGPRs");
  EXPECT_EQ(variable(first, "s3")["value"], "0x00000000");
  EXPECT_EQ(variable(second, "s3")["value"], "0x00000040");
  // Groups within a group, and lists that have members.
  const Json vector = variable(group_of(2, "Vector registers"), "v3");
  EXPECT_EQ(variable(vector["variablesReference"].get<u64>(), "[5]")["value"], "0x0000003a");
  const Json of_first = variable(group_of(1, "Vector registers"), "v3");
  EXPECT_EQ(variable(of_first["variablesReference"].get<u64>(), "[5]")["value"], "0x0000007a");
  EXPECT_NE(variable(group_of(2, "Special registers"), "mode")["variablesReference"],
            variable(group_of(1, "Special registers"), "mode")["variablesReference"]);
  // Wave 0 has ended.
  EXPECT_EQ(address_of(1), "0x1044");
  EXPECT_EQ(client_.refusal("setVariable", {{"variablesReference", first}, {"name", "s3"}, {"value", "1"}}),
            "wave 0 has ended: go back before you change something");
  client_.body("setVariable", {{"variablesReference", second}, {"name", "s3"}, {"value", "7"}});
  EXPECT_EQ(value_in(2, "s3"), "0x00000007");
  client_.body("setExpression", {{"expression", "s3"}, {"value", "8"}, {"frameId", frame_of(2)["id"]}});
  EXPECT_EQ(value_in(2, "s3"), "0x00000008");
  EXPECT_EQ(value_in(1, "s3"), "0x00000000");
  EXPECT_EQ(client_.refusal("evaluate", {{"expression", "s3"}, {"frameId", 5 << 20}}), "no stack frame 5242880");
  EXPECT_EQ(client_.refusal("scopes", {{"frameId", 2}}), "no stack frame 2");
  EXPECT_EQ(client_.refusal("variables", {{"variablesReference", 5 << 20}}), "no variables with the reference 5242880");
}

TEST_F(DapWaves, AnEvaluationSelectsTheWaveOfItsFrame) {
  start_mirror();
  const Json second = frame_of(2)["id"];
  const auto command = [&](const std::string& text, const Json& frame) {
    Json arguments = {{"expression", text}, {"context", "repl"}};
    if (!frame.is_null()) arguments["frameId"] = frame;
    return client_.body("evaluate", arguments)["result"].get<std::string>();
  };
  EXPECT_THAT(command("wave", second), HasSubstr("Wave 1 is selected"));
  EXPECT_THAT(command("info waves", nullptr), HasSubstr("* 1  wave 1 of work-group [0, 0, 0]: is ready at 0x1000"));
  // Another wave is a stop, which shows its thread.
  EXPECT_THAT(command("wave 0", nullptr), HasSubstr("[0] 0x1000 <k>: s_load_dwordx2"));
  EXPECT_EQ(client_.last("stopped")["threadId"], 1);
  EXPECT_EQ(client_.last("stopped")["text"], "Selected: wave 0 of work-group [0, 0, 0]");
  (void)command("step", second);
  EXPECT_EQ(client_.last("stopped")["threadId"], 2);
  EXPECT_EQ(client_.last("continued")["threadId"], 2);
  // Wave 0 waits at its barrier.
  EXPECT_EQ(address_of(1), "0x1028");
}

TEST_F(DapWaves, DataBreakpoints) {
  start_mirror();
  // LDS, which another wave stores to; a register of wave 1.
  const Json shared = client_.body("dataBreakpointInfo", {{"name", "[0xffff00000104]"}})["dataId"];
  EXPECT_EQ(shared, "[0xffff00000104]");
  const u64 registers = group_of(2, "SGPRs");
  const Json own = client_.body("dataBreakpointInfo", {{"name", "s3"}, {"variablesReference", registers}})["dataId"];
  EXPECT_EQ(own, "s3 wave 1");
  EXPECT_EQ(client_.body("dataBreakpointInfo", {{"name", "s3"}, {"frameId", frame_of(2)["id"]}})["dataId"], own);
  const Json set = client_.body(
      "setDataBreakpoints", {{"breakpoints", {{{"dataId", shared}}, {{"dataId", own}}, {{"dataId", "s3 wave 9"}}}}});
  EXPECT_TRUE(set["breakpoints"][1]["verified"].get<bool>());
  EXPECT_EQ(set["breakpoints"][2]["message"], "no wave 9: the run has 4 waves");
  // The 2nd instruction of wave 1 sets s3, and the 6th one stores to LDS.
  EXPECT_EQ(moved("continue", of_thread(1)), "data breakpoint 2 0x100c");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr("s3: 0x00000000 -> 0x00000040"));
  EXPECT_EQ(moved("continue", of_thread(1)), "data breakpoint 2 0x1020");
  EXPECT_THAT(client_.last("stopped")["text"].get<std::string>(), HasSubstr(", wave 1"));
  // Of the next work-group.
  EXPECT_EQ(moved("continue", of_thread(1)), "data breakpoint 4 0x1020");
  EXPECT_EQ(moved("reverseContinue", of_thread(3)), "data breakpoint 4 0x1018");
  EXPECT_EQ(moved("reverseContinue", of_thread(3)), "data breakpoint 2 0x1018");
  EXPECT_EQ(moved("reverseContinue", of_thread(1)), "data breakpoint 2 0x1008");
}

TEST_F(DapWaves, GotoSetsTheProgramCounterOfTheThread) {
  start_mirror();
  client_.body("next", of_thread(2));
  const Json source = frame_of(2)["source"];
  const u64 line = frame_of(2)["line"].get<u64>();
  const Json targets = client_.body("gotoTargets", {{"source", source}, {"line", line + 2}})["targets"];
  EXPECT_EQ(moved("goto", {{"threadId", 2}, {"targetId", targets[0]["id"]}}), "goto 2 0x1010");
  EXPECT_EQ(address_of(1), "0x1028");
}

TEST_F(DapWaves, ADeadlockIsAnException) {
  const std::string waits =
      "  s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 .Lmeet\n.Lwait:\n  s_load_dword s7, s[4:5], 0x8 glc\n"
      "  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lwait\n.Lmeet:\n  s_barrier\n  s_endpgm";
  start(kernel(waits, "workgroup_size: 128, grid_size: 128, waves: all"));
  client_.body("continue", of_thread(2));
  EXPECT_EQ(client_.last("stopped")["reason"], "exception");
  EXPECT_EQ(client_.last("stopped")["threadId"], 1);
  const Json info = client_.body("exceptionInfo", of_thread(1));
  EXPECT_EQ(info["exceptionId"], "deadlock");
  EXPECT_THAT(info["details"]["message"].get<std::string>(),
              HasSubstr("wave 1 of work-group [0, 0, 0] waits at the barrier before 0x"));
  EXPECT_THAT(client_.refusal("exceptionInfo", of_thread(3)), HasSubstr("no thread 3 here"));
  EXPECT_EQ(moved("stepBack", by_instruction_of(2)).substr(0, 6), "step 2");
}

TEST_F(DapWaves, AWarningStopsItsWave) {
  const std::string races =
      "  ds_write_b32 v1, v0\n  s_waitcnt lgkmcnt(0)\n  v_sub_u32_e32 v2, 508, v1\n  ds_read_b32 v3, v2\n"
      "  s_waitcnt lgkmcnt(0)\n  s_endpgm";
  start(kernel(races, "workgroup_size: 128, grid_size: 128, waves: all"), {{"checkRaces", true}});
  EXPECT_EQ(moved("continue", of_thread(1)), "exception 2 0x1020");
  EXPECT_EQ(client_.body("exceptionInfo", of_thread(2))["exceptionId"], "data_race");
  EXPECT_EQ(moved("stepBack", by_instruction_of(2)), "step 2 0x1018");
}

TEST_F(DapWaves, AStartAtAWaveAndAPause) {
  start_mirror({{"wave", 3}});
  EXPECT_EQ(client_.last("stopped")["reason"], "entry");
  EXPECT_EQ(client_.last("stopped")["threadId"], 4);
  client_.post("continue", of_thread(4));
  client_.post("pause", of_thread(1));
  client_.run();
  EXPECT_EQ(client_.last("stopped")["reason"], "pause");
  EXPECT_THAT(client_.refusal("pause", of_thread(9)), HasSubstr("no thread 9 here"));
}

TEST_F(DapWaves, AWaveOfABarrierKernel) {
  start(kernel(small_mirror, "workgroup_size: 128, grid_size: 256, workgroup_id: [1, 0, 0], wave: 1"));
  EXPECT_EQ(client_.last("stopped")["threadId"], 2);
  EXPECT_THAT(threads(), ElementsAre(1, 2));
  EXPECT_EQ(moved("next", of_thread(2)), "step 2 0x1008");
}

}  // namespace
}  // namespace salu::dap
