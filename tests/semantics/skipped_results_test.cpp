#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "semantics/code.hpp"

// `on_vector: skip`: the scalar results of a skipped instruction, and values computed from them, are undefined; a
// decision that depends on them causes a warning. Everything here is on GCN 1.4.
namespace salu::test {
namespace {

using testing::HasSubstr;

constexpr Generation gfx9 = Generation::gcn1_4;
// From llvm-mc-19 -mcpu=gfx900.
constexpr u32 v_cmp_eq_u32_vcc = 0x7d940300;        // v_cmp_eq_u32_e32 vcc, v0, v1
constexpr u32 v_cmpx_eq_u32_vcc = 0x7db40300;       // v_cmpx_eq_u32_e32 vcc, v0, v1
constexpr u32 v_readfirstlane_b32_s4 = 0x7e080501;  // v_readfirstlane_b32 s4, v1
constexpr u32 v_mov_b32 = 0x7e000301;               // v_mov_b32_e32 v0, v1

Outcome skip(const Code& code, bool strict = false, WaveState state = initial_state(gfx9)) {
  RunOptions options;
  options.on_vector = OnVector::skip;
  options.strict = strict;
  state.pc = code.base();
  return run_code(code, state, options);
}

TEST(SkippedResults, AreUndefinedInTheFinalState) {
  Code code(gfx9);
  code.sop1("s_mov_b64", vcc, number(1));
  code.sop1("s_mov_b32", s(4), number(1));
  code.sop1("s_mov_b32", s(5), number(1));
  code.word(v_cmp_eq_u32_vcc).word(v_readfirstlane_b32_s4).word(v_mov_b32).end();
  const Outcome outcome = skip(code);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 7U);
  EXPECT_EQ(outcome.skipped_vector, 3U);
  EXPECT_TRUE(outcome.warnings.empty());
  EXPECT_FALSE(outcome.state.defined.test(code::vcc));
  EXPECT_FALSE(outcome.state.defined.test(code::vcc + 1));
  EXPECT_FALSE(outcome.state.defined.test(4));
  EXPECT_TRUE(outcome.state.defined.test(5));
  EXPECT_TRUE(outcome.state.defined.test(code::exec));
}

TEST(SkippedResults, VectorRegistersAreUnknownAfterwards) {
  Code code(gfx9);
  code.word(v_mov_b32).end();
  WaveState state = initial_state(gfx9);
  state.vectors.write(7, 3, 42);
  EXPECT_EQ(skip(code, false, state).state.vectors.defined(7), 0U);
  // An instruction that VSKIP skips has no results.
  state.mode |= 1U << mode_bit::vskip;
  EXPECT_EQ(skip(code, false, state).state.vectors.defined(7), u64{1} << 3);
}

TEST(SkippedResults, ABranchOnOneIsAWarning) {
  Code code(gfx9);
  code.word(v_cmp_eq_u32_vcc);
  const u64 branch = code.here();
  code.sopp("s_cbranch_vccnz", 0).end();
  const Outcome outcome = skip(code);
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_EQ(outcome.warnings[0].kind, WarningKind::undefined_read);
  EXPECT_EQ(outcome.warnings[0].pc, branch);
  EXPECT_THAT(outcome.warnings[0].detail, HasSubstr("vcc is undefined"));
  EXPECT_THAT(outcome.warnings[0].detail, HasSubstr("0x1000 was skipped"));
}

TEST(SkippedResults, PropagateThroughComputations) {
  Code code(gfx9);
  code.word(v_cmp_eq_u32_vcc);
  code.sop1("s_and_saveexec_b64", s(6), vcc);
  code.sop2("s_and_b64", s(8), s(8), s(6));
  code.sopp("s_cbranch_execz", 0);
  code.sopp("s_cbranch_scc1", 0);
  code.end();
  WaveState state = initial_state(gfx9);
  state.file[8] = 1;
  state.defined.set(8).set(9);
  const Outcome outcome = skip(code, false, state);
  // EXEC depends on VCC; the saved EXEC in s[6:7] does not, but the instruction read VCC all the same; SCC depends on
  // both.
  EXPECT_EQ(warning_names(outcome), "undefined_read undefined_read");
  EXPECT_FALSE(outcome.state.defined.test(code::exec));
  EXPECT_FALSE(outcome.state.defined.test(8));
}

TEST(SkippedResults, AreDefinedAgainOnceWritten) {
  Code code(gfx9);
  code.word(v_cmp_eq_u32_vcc).word(v_cmpx_eq_u32_vcc);
  code.sop1("s_mov_b64", vcc, number(0));
  code.sop1("s_mov_b64", exec, number(-1));
  code.sopp("s_cbranch_vccnz", 0);
  code.sopp("s_cbranch_execz", 0);
  code.end();
  const Outcome outcome = skip(code);
  EXPECT_TRUE(outcome.warnings.empty());
  EXPECT_TRUE(outcome.state.defined.test(code::vcc));
  EXPECT_TRUE(outcome.state.defined.test(code::exec));
}

TEST(SkippedResults, VCmpxLosesExec) {
  Code code(gfx9);
  code.word(v_cmpx_eq_u32_vcc);
  code.sopp("s_cbranch_execz", 0).end();
  const Outcome outcome = skip(code);
  EXPECT_EQ(warning_names(outcome), "undefined_read");
  EXPECT_FALSE(outcome.state.defined.test(code::exec));
}

TEST(SkippedResults, StrictStopsAtTheBranch) {
  Code code(gfx9);
  code.word(v_cmp_eq_u32_vcc);
  const u64 branch = code.here();
  code.sopp("s_cbranch_vccnz", 0).end();
  const Outcome outcome = skip(code, true);
  EXPECT_EQ(outcome.stop.reason, StopReason::warning);
  EXPECT_EQ(outcome.stop.reason_name(), "undefined_read");
  EXPECT_EQ(outcome.stop.pc, branch);
}

TEST(SkippedResults, VskipKeepsRegisters) {
  Code code(gfx9);
  code.sopc("s_setvskip", number(1), number(0));
  code.word(v_cmp_eq_u32_vcc);
  code.sopc("s_setvskip", number(0), number(0));
  code.sopp("s_cbranch_vccnz", 0).end();
  WaveState state = initial_state(gfx9);
  state.defined.set(code::vcc).set(code::vcc + 1);
  const Outcome outcome = skip(code, false, state);
  EXPECT_EQ(outcome.skipped_vector, 1U);
  EXPECT_TRUE(outcome.warnings.empty());
  EXPECT_TRUE(outcome.state.defined.test(code::vcc));
}

TEST(SkippedResults, ALoopWithoutThemRunsToTheLimit) {
  Code code(gfx9);
  code.word(v_mov_b32);
  code.sopp("s_branch", -2);
  RunOptions options;
  options.on_vector = OnVector::skip;
  options.max_steps = 1001;
  const Outcome outcome = run_code(code, initial_state(gfx9), options);
  EXPECT_EQ(outcome.stop.reason, StopReason::step_limit);
  EXPECT_EQ(outcome.steps, 1001U);
  EXPECT_EQ(outcome.skipped_vector, 501U);
}

// With tracking of bits, fewer registers are undefined, but those that depend on unwritten registers are included.
TEST(SkippedResults, AreUndefinedLikeUnwrittenRegisters) {
  for (const bool comes_first : {false, true}) {
    Code code(gfx9);
    code.word(v_readfirstlane_b32_s4);
    code.sop2("s_or_b32", s(6), comes_first ? s(4) : s(5), comes_first ? s(5) : s(4));
    code.sop2("s_and_b32", s(7), s(6), number(0));
    code.sop2("s_add_u32", s(8), s(5), number(1));
    // Without a trace, consecutive instructions are tracked by different code.
    for (const bool is_traced : {false, true}) {
      RunOptions options;
      options.on_vector = OnVector::skip;
      options.check_undefined = CheckUndefined::bits;
      if (is_traced) options.trace = [](const TraceEvent&) {};
      Code ended = code;
      const Outcome outcome = run_code(ended.end(), initial_state(gfx9), options);
      EXPECT_TRUE(outcome.lost.test(4));
      EXPECT_TRUE(outcome.lost.test(6));
      EXPECT_FALSE(outcome.lost.test(7));
      EXPECT_FALSE(outcome.lost.test(8));
      EXPECT_FALSE(outcome.state.defined.test(6));
    }
  }
}

TEST(SkippedResults, MemoryAtAnUndefinedAddressIsAWarning) {
  Code code(gfx9);
  code.word(v_readfirstlane_b32_s4);
  code.word(0xc0000002 | 8U << 6 | 1U << 17).word(0);  // s_load_dword s8, s[4:5], 0x0
  code.end();
  WaveState state = initial_state(gfx9);
  state.file[4] = static_cast<u32>(code.base());
  const Program program = program_of({&code});
  Memory memory;
  ASSERT_TRUE(place_code(program, memory));
  RunOptions options;
  options.on_vector = OnVector::skip;
  state.pc = code.base();
  const Outcome outcome = run(program, state, memory, options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(warning_names(outcome), "undefined_read");
  EXPECT_EQ(outcome.state.file[8], 0U);
  EXPECT_FALSE(outcome.state.defined.test(8));
}

}  // namespace
}  // namespace salu::test
