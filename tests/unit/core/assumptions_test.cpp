#include <salu/report.hpp>
#include <salu/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "unit/loader_helpers.hpp"

// `assume:`. The words are from llvm-mc-19 for gfx900: salu does not execute image_load on any generation.
namespace salu {
namespace {

using test::brief;
using test::load_bad;
using test::load_good;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array<Dispatch, 2> all_loops = {Dispatch::switched, Dispatch::direct_goto};

// 0x1000 s_mov_b32 s0, 5; 0x1004 image_load; 0x100c s_cbranch_scc0 +1; 0x1010 s_mov_b32 s0, 6; 0x1014 s_endpgm
constexpr std::string_view calling_program =
    "target: gfx900\ncode: {words: [0xbe800085, 0xf0001100, 0x00000000, 0xbf840001, 0xbe800086, 0xbf810000]}\n";

Outcome run_with(const std::string& more, RunOptions options = {}) {
  const Scenario scenario = load_good(std::string(calling_program) + more);
  options.on_vector = scenario.options.on_vector;
  return run(scenario.program, scenario.initial, scenario.memory, options);
}

std::string fail_with(const std::string& more) { return brief(load_bad(std::string(calling_program) + more)); }

TEST(Assumptions, ReplaceUnsupportedInstructions) {
  EXPECT_EQ(run_with("").stop.reason, StopReason::vector_instruction);
  for (const Dispatch loop : all_loops) {
    RunOptions options;
    options.dispatch = loop;
    const Outcome outcome = run_with(
        "registers: {exec: 0x5, s8: 9, v4: {lane_ids: true}, v1: 3}\n"
        "assume: {0x1004: {vcc: exec, s2: s0, \"s[4:5]\": 0x123456789a, scc: 1, v1: v4, \"v[2:3]\": 0x700000008, "
        "\"v7[9]\": 11}}\n",
        options);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.steps, 5U) << "SCC is 1, so the branch is not taken";
    EXPECT_EQ(outcome.state.file[0], 6U);
    EXPECT_EQ(outcome.state.file[2], 5U) << "the value of s0";
    EXPECT_EQ(outcome.state.vcc(), 5U);
    EXPECT_EQ(outcome.state.read64(4), 0x123456789aU);
    EXPECT_TRUE(outcome.state.defined.test(4));
    EXPECT_FALSE(outcome.state.defined.test(6));
    EXPECT_EQ(outcome.state.file[8], 9U);
    for (const u32 lane : {0U, 1U, 2U, 63U}) {
      const bool is_on = (u64{5} >> lane & 1) != 0;
      EXPECT_EQ(outcome.state.vectors.lanes(1)[lane], is_on ? lane : 3) << lane;
      EXPECT_EQ(outcome.state.vectors.lanes(2)[lane], is_on ? 8U : 0U) << lane;
      EXPECT_EQ(outcome.state.vectors.lanes(3)[lane], is_on ? 7U : 0U) << lane;
    }
    EXPECT_EQ(outcome.state.vectors.lanes(7)[9], 11U) << "a lane by its number, on or off";
    ASSERT_TRUE(outcome.fidelity);
    EXPECT_THAT(outcome.fidelity->assumed, ElementsAre(0x1004));
  }
}

TEST(Assumptions, ReadBeforeTheyWrite) {
  const Outcome outcome =
      run_with("registers: {s1: 1, s2: 2, v1: 1, v2: 2}\nassume: {0x1004: {s1: s2, s2: s1, v1: v2, v2: v1}}\n");
  EXPECT_EQ(outcome.state.file[1], 2U);
  EXPECT_EQ(outcome.state.file[2], 1U);
  EXPECT_EQ(outcome.state.vectors.lanes(1)[5], 2U);
  EXPECT_EQ(outcome.state.vectors.lanes(2)[5], 1U);
}

TEST(Assumptions, NothingIsAnAssumptionToo) {
  const Outcome outcome = run_with("assume: {0x1004: {}}\n");
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.state.file[0], 5U);
  ASSERT_TRUE(outcome.fidelity);
  EXPECT_THAT(outcome.fidelity->assumed, ElementsAre(0x1004));
}

TEST(Assumptions, WinOverOnVector) {
  for (const std::string on_vector : {"run", "stop", "skip"}) {
    const Outcome outcome = run_with("on_vector: " + on_vector + "\nassume: {0x1004: {s3: 4}}\n");
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << on_vector;
    EXPECT_EQ(outcome.state.file[3], 4U) << on_vector;
    EXPECT_EQ(outcome.skipped_vector, 0U) << on_vector;
  }
}

TEST(Assumptions, VskipSkipsTheInstruction) {
  const Outcome outcome = run_with("registers: {vskip: 1}\nassume: {0x1004: {s3: 4}}\n");
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_FALSE(outcome.state.defined.test(3));
  EXPECT_EQ(outcome.skipped_vector, 1U);
  EXPECT_FALSE(outcome.fidelity);
}

TEST(Assumptions, AreObserved) {
  std::vector<std::string> events;
  RunOptions options;
  options.check_undefined = CheckUndefined::reads;
  options.trace = [&](const TraceEvent& event) {
    if (event.pc != 0x1004) return;
    EXPECT_EQ(event.skipped, TraceEvent::Skipped::no);
    ASSERT_EQ(event.read.size(), 1U);
    EXPECT_EQ(event.read[0].location.index, 0U);
    EXPECT_EQ(event.written.size(), 2U);
    ASSERT_EQ(event.vectors_written.size(), 1U);
    EXPECT_EQ(event.vectors_written[0].number, 6U);
    EXPECT_EQ(event.vectors_written[0].values[2], 7U);
    events.emplace_back("seen");
  };
  Outcome outcome = run_with("assume: {0x1004: {s3: s0, scc: 0, v6: 7}}\n", options);
  EXPECT_EQ(events.size(), 1U);
  EXPECT_TRUE(outcome.warnings.empty()) << "SCC is defined when the branch looks at it";
  EXPECT_EQ(outcome.state.file[0], 5U);
  options.trace = nullptr;
  outcome = run_with("assume: {0x1004: {s3: s20, scc: 0}}\n", options);
  ASSERT_EQ(outcome.warnings.size(), 1U) << "s20 has not been written";
  EXPECT_EQ(outcome.warnings[0].kind, WarningKind::undefined_read);
}

TEST(Assumptions, OfScalarInstructionsAndInvalidWords) {
  const std::string barrier =
      "target: gfx900\ncode: {asm: \"s_barrier\\ns_mov_b32 s0, 1\\ns_endpgm\"}\nregisters: {status: 0x800}\n";
  Scenario scenario = load_good(barrier);
  EXPECT_EQ(run(scenario.program, scenario.initial, scenario.memory).stop.reason, StopReason::unsupported_instruction);
  for (const std::string key : {"s_barrier", "0x1000"}) {
    scenario = load_good(barrier + "assume: {" + key + ": {}}\n");
    const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.steps, 3U);
  }
  scenario = load_good("target: gfx900\ncode: {words: [0xbefe8000, 0xbf810000]}\nassume: {0x1000: {m0: 3}}\n");
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.state.file[code::m0], 3U);
}

TEST(Assumptions, ByLabel) {
  const std::string text =
      "target: gfx900\ncode: {asm: \"start:\\ns_mov_b32 s0, 1\\nhere:\\n.long 0xf0001100, 0\\ns_endpgm\"}\n";
  for (const std::string key : {"here", "start+4", "here+0"}) {
    const Scenario scenario = load_good(text + "assume: {" + key + ": {s0: 7}}\n");
    EXPECT_EQ(run(scenario.program, scenario.initial, scenario.memory).state.file[0], 7U);
  }
}

TEST(Assumptions, AreReported) {
  const Scenario scenario = load_good(std::string(calling_program) + "assume: {0x1004: {}}\n");
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory);
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text),
              HasSubstr("\n  fidelity: 3 of 4 executed instructions exact\n    assumed: 0x1004\n"));
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::json),
              HasSubstr(R"("fidelity":{"exact":3,"approximate":[],"skipped":[],"assumed":["0x0000000000001004"]})"));
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::yaml),
              HasSubstr("\nfidelity: {exact: 3, approximate: [], skipped: [], assumed: [0x1004]}\n"));
}

TEST(Assumptions, ThatCannotBe) {
  EXPECT_THAT(fail_with("assume: [1]\n"), HasSubstr("`assume:` must be a map"));
  EXPECT_THAT(fail_with("assume: {0x1004: 5}\n"), HasSubstr("the value of `0x1004` must be a map"));
  EXPECT_EQ(fail_with("assume: {0x1000: {}}\n"),
            "3:10: `assume:`: salu executes the instruction at 0x1000 (s_mov_b32 s0, 5), so there is nothing to "
            "assume");
  EXPECT_THAT(fail_with("assume: {0x1005: {}}\n"), HasSubstr("no instruction at 0x1005"));
  EXPECT_THAT(fail_with("assume: {0x2000: {}}\n"), HasSubstr("no instruction at 0x2000"));
  EXPECT_THAT(fail_with("assume: {0x1004: {}, 4100: {}}\n"),
              HasSubstr("has two entries for the instruction at 0x1004"));
  EXPECT_THAT(fail_with("assume: {0x1004: {mode: 1}}\n"), HasSubstr("cannot write `mode`"));
  EXPECT_THAT(fail_with("assume: {0x1004: {pc: 0}}\n"), HasSubstr("cannot write `pc`"));
  EXPECT_THAT(fail_with("assume: {0x1004: {s200: 0}}\n"), HasSubstr("s200"));
  EXPECT_THAT(fail_with("assume: {0x1004: {s0: exec}}\n"), HasSubstr("`exec` cannot be copied to `s0`"));
  EXPECT_THAT(fail_with("assume: {0x1004: {v0: s0}}\n"), HasSubstr("`s0` cannot be copied to `v0`"));
  EXPECT_THAT(fail_with("assume: {0x1004: {s0: 0x100000000}}\n"), HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(fail_with("assume: {nowhere+4: {}}\n"), HasSubstr("unknown label or symbol `nowhere`"));
  EXPECT_THAT(fail_with("assume: {s_mov_b32: {}}\n"),
              HasSubstr("`s_mov_b32` is neither a label nor an instruction in the code that salu does not execute"));
}

// ---- replies ----

/// Waits for the number of its doorbell like ROCr's trap handler.
constexpr std::string_view asks_for_doorbell = R"(target: gfx900
code:
  asm: |
    s_mov_b64 s[2:3], exec
    s_mov_b32 exec_lo, 0x80000000
    s_sendmsg sendmsg(MSG_GET_DOORBELL)
    wait:
    s_nop 7
    s_bitcmp0_b32 exec_lo, 31
    s_cbranch_scc0 wait
    s_and_b32 s4, exec_lo, 0x3ff
    s_mov_b32 s5, exec_hi
    s_mov_b64 exec, s[2:3]
    s_sendmsg sendmsg(MSG_INTERRUPT)
    s_endpgm
limits: {steps: 1000}
)";

TEST(Replies, AreFoundInExec) {
  const auto run_it = [](const std::string& more) {
    const Scenario scenario = load_good(std::string(asks_for_doorbell) + more);
    return run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  };
  EXPECT_EQ(run_it("").stop.reason, StopReason::step_limit) << "without an answer it waits for ever";
  for (const std::string key : {"get_doorbell", "MSG_GET_DOORBELL", "10"}) {
    const Outcome outcome = run_it("replies: {" + key + ": 0x123}\n");
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.state.file[4], 0x123U);
    EXPECT_EQ(outcome.state.file[5], 0U);
    EXPECT_EQ(outcome.state.exec(), ~u64{0});
    ASSERT_TRUE(outcome.fidelity) << "the interrupt is not delivered";
    EXPECT_TRUE(outcome.fidelity->assumed.empty()) << "a reply is not an assumption";
  }
}

TEST(Replies, ThatCannotBe) {
  const auto fail = [](const std::string& more) { return brief(load_bad(std::string(asks_for_doorbell) + more)); };
  EXPECT_THAT(fail("replies: [1]\n"), HasSubstr("`replies:` must be a map"));
  EXPECT_THAT(fail("replies: {doorbell: 1}\n"),
              HasSubstr("`doorbell` is not a message of gcn1.4; expected `interrupt`, `gs`, `gs_done`"));
  EXPECT_THAT(fail("replies: {16: 1}\n"), HasSubstr("`16` is not a message"));
  EXPECT_THAT(fail("replies: {gs: 1}\n"), HasSubstr("no S_SENDMSG in the code sends `gs`"));
  EXPECT_THAT(fail("replies: {get_doorbell: 1, 10: 2}\n"), HasSubstr("has two replies to message 10"));
  EXPECT_THAT(fail("replies: {get_doorbell: hello}\n"), HasSubstr("hello"));
}

}  // namespace
}  // namespace salu
