#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "semantics/code.hpp"

// G_FORK, I_FORK and JOIN in programs (semantics.md 7).
namespace salu::test {
namespace {

/// S_CBRANCH_I_FORK on a mask; both sides run `then` or `otherwise` and reach one JOIN that waits for CSP =
/// s[csp_register].
void fork_join(Code& code, u32 mask_register, u32 csp_register, const std::function<void(Code&)>& pass,
               const std::function<void(Code&)>& fail) {
  const u64 fork = code.here();
  code.sopk("s_cbranch_i_fork", s(mask_register), 0);
  fail(code);
  const u64 skip = code.here();
  code.sopp("s_branch", 0);
  code.aim(fork, code.here());
  pass(code);
  code.aim(skip, code.here());
  code.sop1("s_cbranch_join", {}, s(csp_register));
}

/// Appends EXEC to a log in s[50 + n], in the order of execution; m0 counts the entries.
void log_exec(Code& code) {
  code.sop1("s_movreld_b64", s(50), exec);
  code.sop2("s_add_u32", m0, m0, number(2));
}

std::vector<u64> logged(const WaveState& state) {
  std::vector<u64> masks;
  for (u32 i = 0; i < state.file[m0.code]; i += 2) masks.push_back(state.read64(50 + i));
  return masks;
}

WaveState forking_state(Generation generation, u64 lanes) {
  WaveState state = initial_state(generation);
  state.write64(code::exec, lanes);
  return state;
}

std::vector<u64> order_of(Generation generation, u64 lanes, u64 mask) {
  Code code(generation);
  fork_join(code, 40, 42, log_exec, log_exec);
  code.end();
  WaveState state = forking_state(generation, lanes);
  state.write64(40, mask);
  const Outcome outcome = run_code(code, state);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
  EXPECT_EQ(outcome.state.csp(), 0U);
  EXPECT_EQ(warning_names(outcome), "");
  return logged(outcome.state);
}

using Masks = std::vector<u64>;

TEST(ForkJoin, RunsTheSmallerSideFirst) {
  for (const Generation generation : all_generations()) {
    EXPECT_EQ(order_of(generation, 0xff, 0x03), (Masks{0x03, 0xfc}));  // pass is smaller
    EXPECT_EQ(order_of(generation, 0xff, 0xfc), (Masks{0x03, 0xfc}));  // fail is smaller
    EXPECT_EQ(order_of(generation, 0xff, 0x0f), (Masks{0x0f, 0xf0}));  // a tie: pass first
    EXPECT_EQ(order_of(generation, 0xff, 0xf0), (Masks{0xf0, 0x0f}));
    EXPECT_EQ(order_of(generation, ~u64{0}, 0xffffffff00000000), (Masks{0xffffffff00000000, 0xffffffff}));
    EXPECT_EQ(order_of(generation, ~u64{0}, 1), (Masks{1, ~u64{1}}));
  }
}

TEST(ForkJoin, DoesNotSplitWhenAllLanesAgree) {
  for (const Generation generation : all_generations()) {
    EXPECT_EQ(order_of(generation, 0xff, 0xff), (Masks{0xff}));
    EXPECT_EQ(order_of(generation, 0xff, 0xff00), (Masks{0xff}));
    EXPECT_EQ(order_of(generation, 0, 0xff), (Masks{0}));
    EXPECT_EQ(order_of(generation, 1, 1), (Masks{1}));
  }
}

// The join loads the mask of the second side into EXEC; the program restores the original mask itself.
TEST(ForkJoin, LeavesTheLastSidesMask) {
  Code code(Generation::gcn1_2);
  fork_join(
      code, 40, 42, [](Code& c) { c.sop1("s_mov_b32", s(44), number(1)); },
      [](Code& c) { c.sop1("s_mov_b32", s(45), number(2)); });
  code.end();
  WaveState state = forking_state(Generation::gcn1_2, 0xff);
  state.write64(40, 0x03);
  const Outcome outcome = run_code(code, state);
  EXPECT_EQ(outcome.state.exec(), 0xfcU);
  EXPECT_EQ(outcome.state.file[44], 1U);
  EXPECT_EQ(outcome.state.file[45], 2U);
  // The pushed entry stays in s[0:3]: the mask of the failing side and its PC, the instruction after the fork.
  EXPECT_EQ(outcome.state.read64(0), 0xfcU);
  EXPECT_EQ(outcome.state.read64(2), code.base() + 4);
  EXPECT_EQ(outcome.steps, 1 + 1 + 1 + 1 + 1 + 1 + 1U);  // fork, pass, join, fail, branch, join, end
}

// Nested forks, each on a bit of the lane number, split 64 lanes into 64 masks of one lane; six entries are enough,
// because the smaller half always runs first.
TEST(ForkJoin, NestsSixDeep) {
  static constexpr u64 lane_bit[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                     0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  for (const Generation generation : all_generations()) {
    Code code(generation);
    // s[30:41]: the six masks; s42 to s47: the CSP to wait for at each level; s48: number of lanes seen; s[60:61] and
    // s[62:63]: the union of their masks, and the lanes seen twice.
    const std::function<void(Code&, u32)> level = [&](Code& c, u32 depth) {
      if (depth == 6) {
        c.sop2("s_add_u32", s(48), s(48), number(1));
        c.sop2("s_and_b64", s(62), s(60), exec);
        c.sop2("s_or_b64", s(64), s(64), s(62));
        c.sop2("s_or_b64", s(60), s(60), exec);
        return;
      }
      const auto next = [&](Code& inner) { level(inner, depth + 1); };
      c.sopk("s_getreg_b32", s(42 + depth), hwreg(1, 29, 3));
      fork_join(c, 30 + 2 * depth, 42 + depth, next, next);
    };
    level(code, 0);
    code.end();
    WaveState state = forking_state(generation, ~u64{0});
    for (u32 i = 0; i < 6; ++i) state.write64(30 + 2 * i, lane_bit[i]);
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(warning_names(outcome), "");
    EXPECT_EQ(outcome.state.file[48], 64U);
    EXPECT_EQ(outcome.state.read64(60), ~u64{0});
    EXPECT_EQ(outcome.state.read64(64), 0U);
    EXPECT_EQ(outcome.state.csp(), 0U);
  }
}

// Lanes leave a loop at different times: the lanes that are done wait on the stack.
TEST(ForkJoin, LetsALoopDiverge) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    // s[40:41]: lanes that stay in the loop, one fewer each time; s44 counts iterations.
    code.sop1("s_mov_b64", s(40), exec);
    const u64 loop = code.here();
    code.sop2("s_add_u32", s(44), s(44), number(1));
    code.sop2("s_lshl_b64", s(40), s(40), number(1));
    code.sop2("s_and_b64", s(40), s(40), literal(0xff));
    const u64 fork = code.here();
    code.sopk("s_cbranch_i_fork", s(40), 0);
    code.aim(fork, loop);
    code.sop2("s_or_b64", s(46), s(46), exec);
    code.sop1("s_cbranch_join", {}, s(50));
    code.end();
    WaveState state = forking_state(generation, 0xff);
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[44], 8U);
    EXPECT_EQ(outcome.state.read64(46), 0xffU);
  }
}

TEST(ForkJoin, TakesItsTargetFromARegister) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop2("s_cbranch_g_fork", {}, vcc, s(42));
    code.sop1("s_mov_b32", s(50), number(1));
    code.sop1("s_cbranch_join", {}, s(44));
    code.end();
    const u64 target = code.here();
    code.sop1("s_mov_b32", s(51), number(2));
    code.sop1("s_cbranch_join", {}, s(44));
    code.end();
    WaveState state = forking_state(generation, 0xff);
    state.write64(code::vcc, 0x7f);
    state.write64(42, target | 3);  // the low bits are ignored when the PC is loaded
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.state.file[50], 1U);
    EXPECT_EQ(outcome.state.file[51], 2U);
    EXPECT_EQ(outcome.state.exec(), 0x7fU);
    EXPECT_EQ(outcome.state.read64(2), target | 3);  // the stack contains the PC unchanged
  }
}

TEST(ControlStack, WarnsAndWrapsAround) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    for (u32 i = 0; i < 6; ++i) code.sopk("s_cbranch_i_fork", s(40 + 2 * i), 0);
    code.end();
    WaveState state = initial_state(generation);
    u64 lanes = ~u64{0};
    state.write64(code::exec, lanes);
    for (u32 i = 0; i < 6; ++i) {
      // The upper half of the lanes passes and, because the halves are equal, continues.
      u64 upper = 0;
      for (int rest = std::popcount(lanes) / 2; rest > 0; --rest) {
        upper |= std::bit_floor(lanes & ~upper);
      }
      state.write64(40 + 2 * i, upper);
      lanes = upper;
    }
    state.mode = 3U << mode_bit::csp;  // entries 3, 4, 5, 6, 7, 0
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.state.csp(), 1U);
    // The waiting lanes are never joined.
    EXPECT_EQ(warning_names(outcome), "control_stack_overflow control_stack_overflow control_stack_misuse");
    EXPECT_EQ(outcome.warnings[0].pc, code.base() + 4 * 3);
    EXPECT_EQ(outcome.warnings[1].pc, code.base() + 4 * 4);
    EXPECT_EQ(outcome.state.read64(12), 0x00000000ffffffffU);  // entry 3
    EXPECT_EQ(outcome.state.read64(14), code.base() + 4);
    EXPECT_EQ(outcome.state.read64(28), 0x3000000000000000U);  // entry 7: of four lanes left, two
    EXPECT_EQ(outcome.state.read64(0), 0x4000000000000000U);   // entry 0
    EXPECT_EQ(outcome.state.exec(), 0x8000000000000000U);
  }
}

TEST(ControlStack, WarnsWhenItIsEmpty) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_cbranch_join", {}, s(40)).end();
    WaveState state = forking_state(generation, 0xff);
    state.file[40] = 9;
    state.write64(28, 0x33);
    state.write64(30, code.base() + 4);
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(warning_names(outcome), "control_stack_underflow control_stack_misuse");
    EXPECT_EQ(outcome.state.exec(), 0x33U);
    EXPECT_EQ(outcome.state.csp(), 7U);
  }
}

// Entries beyond the allocation: a push is dropped, and a pop reads both its mask and its PC from s[0:1], like every
// pair of registers out of range.
TEST(ControlStack, KeepsToTheAllocation) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopk("s_cbranch_i_fork", vcc, 0);
    code.sop1("s_cbranch_join", {}, s(0));
    code.end();
    WaveState state = forking_state(generation, 0xff);
    state.write64(code::vcc, 0x0f);
    state.mode = 1U << mode_bit::csp;
    state.sgprs = 4;
    state.write64(0, code.base() + 8);
    state.write64(2, 0xabc);
    const WaveState before = state;
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(warning_names(outcome), "register_out_of_range register_out_of_range");
    EXPECT_EQ(outcome.state.exec(), code.base() + 8);
    EXPECT_EQ(outcome.state.csp(), 1U);
    for (u32 i = 0; i < 100; ++i) EXPECT_EQ(outcome.state.file[i], before.file[i]);
  }
}

}  // namespace
}  // namespace salu::test
