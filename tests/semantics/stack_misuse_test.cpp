#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "semantics/code.hpp"

// The warning control_stack_misuse with its producer and consumer. The addresses are computed by hand.
namespace salu::test {
namespace {

constexpr u32 csp_field = hwreg(1, 29, 3);

std::string misuses(const Outcome& outcome, u64 base) {
  const auto offset = [base](const std::optional<u64>& pc) { return pc ? std::to_string(*pc - base) : "none"; };
  std::string text;
  for (const Warning& warning : outcome.warnings) {
    if (warning.kind != WarningKind::control_stack_misuse) continue;
    EXPECT_NE(warning.detail, "");
    text += "@" + std::to_string(warning.pc - base) + ": producer " + offset(warning.culprit_pc) + ", consumer " +
            offset(warning.victim_pc) + "\n";
  }
  return text;
}

/// The misuse that all dispatch loops report, observed or not; it must be the same.
std::string misuses_of(const Code& code, const WaveState& initial) {
  std::optional<std::string> seen;
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    for (const bool trace : {false, true}) {
      RunOptions options;
      options.dispatch = dispatch;
      if (trace) options.trace = [](const TraceEvent&) {};
      const std::string text = misuses(run_code(code, initial, options), code.base());
      EXPECT_EQ(seen.value_or(text), text) << "dispatch " << static_cast<int>(dispatch) << ", trace " << trace;
      seen = text;
    }
  }
  return *seen;
}

/// Eight lanes, four of which pass a fork by s[40:41]; s42 is the CSP that joins wait for.
WaveState four_of_eight(Generation generation) {
  WaveState state = initial_state(generation);
  state.write64(code::exec, 0xff);
  state.write64(40, 0x0f);
  state.file[42] = 0;
  return state;
}

/// 0: fork to 12; 4: nop; 8: branch to the join; 12: `body`, followed by the join and the end.
Code fork_around(Generation generation, const std::function<void(Code&)>& body) {
  Code code(generation);
  const u64 fork = code.here();
  code.sopk("s_cbranch_i_fork", s(40), 0).sopp("s_nop");
  const u64 branch = code.here();
  code.sopp("s_branch", 0);
  code.aim(fork, code.here());
  body(code);
  code.aim(branch, code.here());
  code.sop1("s_cbranch_join", {}, s(42)).end();
  return code;
}

TEST(StackMisuse, OverwrittenEntry) {
  for (const Generation generation : all_generations()) {
    for (u32 sgpr = 0; sgpr < 2; ++sgpr) {
      const Code code = fork_around(generation, [&](Code& c) { c.sop1("s_mov_b32", s(sgpr), number(5)); });
      EXPECT_EQ(misuses_of(code, four_of_eight(generation)), "@16: producer 12, consumer 16\n");
    }
    // The SGPRs after the entry are free.
    const Code free = fork_around(generation, [](Code& c) { c.sop1("s_mov_b32", s(4), number(5)); });
    EXPECT_EQ(misuses_of(free, four_of_eight(generation)), "");
  }
}

TEST(StackMisuse, EntryThatIsPutBack) {
  const auto move_out_and_in = [](Code& c) {
    c.sop1("s_mov_b32", s(50), s(0));
    c.sop1("s_mov_b32", s(0), number(5));
    c.sop1("s_mov_b32", s(0), s(50));
  };
  for (const Generation generation : all_generations()) {
    EXPECT_EQ(misuses_of(fork_around(generation, move_out_and_in), four_of_eight(generation)), "");
    // The last instruction that overwrites it is the producer: at 12 + 3 * 4.
    const Code again = fork_around(generation, [&](Code& c) {
      move_out_and_in(c);
      c.sop1("s_mov_b32", s(1), number(6)).sop1("s_mov_b32", s(0), number(7));
    });
    EXPECT_EQ(misuses_of(again, four_of_eight(generation)), "@32: producer 24, consumer 32\n");
  }
}

TEST(StackMisuse, JoinWithoutFork) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_cbranch_join", {}, s(42)).end();
    WaveState state = four_of_eight(generation);
    state.file[42] = 3;
    EXPECT_EQ(misuses_of(code, state), "@0: producer 0, consumer 0\n");
    // S_SETREG raises CSP above an entry that has not been written; it takes two dwords.
    Code raised(generation);
    raised.sopk("s_setreg_imm32_b32", {}, csp_field, 1).sop1("s_cbranch_join", {}, s(42)).end();
    EXPECT_EQ(misuses_of(raised, four_of_eight(generation)), "@8: producer 0, consumer 8\n");
  }
}

TEST(StackMisuse, EntriesThatAreGiven) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(50), number(5)).sop1("s_cbranch_join", {}, s(42)).end();
    WaveState state = four_of_eight(generation);
    state.mode = 1U << mode_bit::csp;
    state.write64(0, 0xf0);
    state.write64(2, code.base() + 8);
    EXPECT_EQ(misuses_of(code, state), "");
    for (u32 i = 0; i < 4; ++i) state.defined.set(i);
    EXPECT_EQ(misuses_of(code, state), "");
    Code overwritten(generation);
    overwritten.sop1("s_mov_b32", s(0), number(5)).sop1("s_cbranch_join", {}, s(42)).end();
    EXPECT_EQ(misuses_of(overwritten, state), "@4: producer 0, consumer 4\n");
    // The lanes need not be joined.
    Code alone(generation);
    alone.end();
    EXPECT_EQ(misuses_of(alone, state), "");
  }
}

// A handler that restores a wave: the SGPRs first and CSP last, or in the reverse order.
TEST(StackMisuse, EntriesThatAreRestored) {
  for (const Generation generation : all_generations()) {
    for (const bool csp_first : {false, true}) {
      Code code(generation);
      const auto set_csp = [&] { code.sopk("s_setreg_imm32_b32", {}, csp_field, 1); };
      if (csp_first) set_csp();
      code.sop1("s_mov_b64", s(0), number(7)).sop1("s_mov_b64", s(2), s(44));
      if (!csp_first) set_csp();
      code.sop1("s_cbranch_join", {}, s(42));
      WaveState state = four_of_eight(generation);
      state.write64(44, code.here());
      code.end();
      EXPECT_EQ(misuses_of(code, state), "");
    }
  }
}

// A function saves the stack, forks on an empty one, and restores it, or half of it.
TEST(StackMisuse, StackThatIsPutAside) {
  const auto body = [](bool restores_mask) {
    return [restores_mask](Code& c) {
      c.sop1("s_mov_b64", s(60), s(0)).sop1("s_mov_b64", s(62), s(2));  // 12, 16
      c.sopk("s_setreg_imm32_b32", {}, csp_field, 0);                   // 20
      c.sopk("s_cbranch_i_fork", s(44), 1).sopp("s_nop");               // 28, 32
      c.sop1("s_cbranch_join", {}, s(42));                              // 36
      if (restores_mask) c.sop1("s_mov_b64", s(0), s(60));
      c.sop1("s_mov_b64", s(2), s(62)).sopk("s_setreg_imm32_b32", {}, csp_field, 1);
    };
  };
  for (const Generation generation : all_generations()) {
    WaveState state = four_of_eight(generation);
    state.write64(44, 3);
    EXPECT_EQ(misuses_of(fork_around(generation, body(true)), state), "");
    // The inner fork overwrote the mask; the join is after a move of 4 bytes and S_SETREG of 8.
    EXPECT_EQ(misuses_of(fork_around(generation, body(false)), state), "@52: producer 28, consumer 52\n");
  }
}

TEST(StackMisuse, LanesThatAreLost) {
  for (const Generation generation : all_generations()) {
    const Code ends = fork_around(generation, [](Code& c) { c.end(); });
    EXPECT_EQ(misuses_of(ends, four_of_eight(generation)), "@12: producer 12, consumer 0\n");
    // CSP is set below the entry and not set back: the join at 20 continues, the end is at 24.
    const Code given_up = fork_around(generation, [](Code& c) { c.sopk("s_setreg_imm32_b32", {}, csp_field, 0); });
    EXPECT_EQ(misuses_of(given_up, four_of_eight(generation)), "@24: producer 12, consumer 0\n");
    // Of two forks the inner one, at 12, is discarded at 16; the join at 24 pops the entry of the outer one.
    const Code inner = fork_around(
        generation, [](Code& c) { c.sopk("s_cbranch_i_fork", s(44), 0).sopk("s_setreg_imm32_b32", {}, csp_field, 1); });
    WaveState state = four_of_eight(generation);
    state.write64(44, 3);
    EXPECT_EQ(misuses_of(inner, state), "@24: producer 16, consumer 12\n");
    // A program that does not reach its end has not lost lanes.
    const Code halts = fork_around(generation, [](Code& c) { c.sopp("s_sethalt", 1); });
    EXPECT_EQ(misuses_of(halts, four_of_eight(generation)), "");
  }
}

TEST(StackMisuse, StopsAStrictRun) {
  for (const Generation generation : all_generations()) {
    for (const bool trace : {false, true}) {
      const Code code = fork_around(generation, [](Code& c) { c.sop1("s_mov_b32", s(0), number(5)); });
      RunOptions options;
      options.strict = true;
      if (trace) options.trace = [](const TraceEvent&) {};
      const Outcome outcome = run_code(code, four_of_eight(generation), options);
      EXPECT_EQ(outcome.stop.reason_name(), "control_stack_misuse");
      EXPECT_EQ(outcome.stop.pc, code.base() + 16);
      EXPECT_EQ(outcome.steps, 3U);
      ASSERT_EQ(outcome.warnings.size(), 1U);
      EXPECT_EQ(outcome.stop.detail, outcome.warnings[0].detail);
      // exec=0xf0 and 0x1004 were pushed.
      EXPECT_EQ(outcome.stop.detail,
                "entry 0 (s[0:3]) is not what the fork at 0x1000 pushed: exec=0x00000000000000f0, pc=0x1004; "
                "s_mov_b32 s0, 5 at 0x100c overwrote it");
    }
  }
  // The end of the program does not hide the warning.
  const Code ends = fork_around(Generation::gcn1_4, [](Code& c) { c.end(); });
  RunOptions options;
  options.strict = true;
  const Outcome outcome = run_code(ends, four_of_eight(Generation::gcn1_4), options);
  EXPECT_EQ(outcome.stop.reason_name(), "control_stack_misuse");
  EXPECT_EQ(outcome.steps, 2U);
}

TEST(StackMisuse, WarnsInTheEventOfTheJoin) {
  const Code code = fork_around(Generation::gcn1_4, [](Code& c) { c.sop1("s_mov_b32", s(0), number(5)); });
  std::vector<std::string> seen;
  RunOptions options;
  options.trace = [&](const TraceEvent& event) {
    for (const Warning& warning : event.warnings)
      seen.push_back(std::to_string(event.step) + " " + std::to_string(warning.culprit_pc.value_or(0) - code.base()));
  };
  (void)run_code(code, four_of_eight(Generation::gcn1_4), options);
  EXPECT_EQ(seen, (std::vector<std::string>{"3 12"}));
}

// A loop of nine instructions per iteration, with two sides each; in the last of 30,000 iterations the entry is
// overwritten.
TEST(StackMisuse, IsFoundInLongRuns) {
  Code code(Generation::gcn1_4);
  const u64 loop = code.here();
  code.sopk("s_cbranch_i_fork", s(40), 1).sopp("s_branch", 3);                   // 0: to 8; 4: to 20
  code.sopc("s_cmp_lg_u32", s(50), number(1)).sopp("s_cbranch_scc1", 1);         // 8, 12: to 20
  code.sop1("s_mov_b32", s(1), number(5));                                       // 16
  code.sop1("s_cbranch_join", {}, s(42)).sop1("s_mov_b64", exec, literal(255));  // 20, 24
  code.sop2("s_sub_u32", s(50), s(50), number(1)).sopc("s_cmp_lg_u32", s(50), number(0));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0).end();
  code.aim(back, loop);
  WaveState state = four_of_eight(Generation::gcn1_4);
  state.file[50] = 30000;
  EXPECT_EQ(misuses_of(code, state), "@20: producer 16, consumer 20\n");
}

}  // namespace
}  // namespace salu::test
