#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "semantics/code.hpp"

// Floating-point exceptions in TRAPSTS.EXCP (Vega ISA manual, 3.10 and table 5; the same up to CDNA 4), and the traps
// that they, TRAPSTS.SAVECTX and MODE.DEBUG_EN (table 4) cause. The words are from llvm-mc; the flags are those of IEEE
// 754.
namespace salu::test {
namespace {

constexpr u32 invalid = 1U << 0;
constexpr u32 input_denormal = 1U << 1;
constexpr u32 divide_by_zero = 1U << 2;
constexpr u32 overflow = 1U << 3;
constexpr u32 underflow = 1U << 4;
constexpr u32 inexact = 1U << 5;
constexpr u32 integer_divide_by_zero = 1U << 6;

constexpr u32 trap_en = 1U << status_bit::trap_en;
constexpr u32 keep_denormals = 3U << 4;  ///< MODE
constexpr u32 trapsts_id = 3;

bool has_old_numbers(Generation generation) { return generation_info(generation).gfx <= 7; }

u32 v_rcp_iflag_f32_v2_v0(Generation generation) { return has_old_numbers(generation) ? 0x7e045700 : 0x7e044700; }
u32 v_rcp_f32_v2_v0(Generation generation) { return has_old_numbers(generation) ? 0x7e045500 : 0x7e044500; }
u32 v_add_f32_v2_v0_v1(Generation generation) { return has_old_numbers(generation) ? 0x06040300 : 0x02040300; }
u32 v_mul_f32_v2_v0_v1(Generation generation) { return has_old_numbers(generation) ? 0x10040300 : 0x0a040300; }
constexpr u32 v_cvt_u32_f32_v2_v0 = 0x7e040f00;
constexpr u32 v_cvt_f32_u32_v2_v0 = 0x7e040d00;
constexpr u32 v_mov_b32_v2_v0 = 0x7e040300;

WaveState float_state(Generation generation, u32 v0, u32 v1 = 0) {
  WaveState state = initial_state(generation);
  state.mode = keep_denormals;
  for (u32 lane = 0; lane < 64; ++lane) {
    state.vectors.write(0, lane, v0);
    state.vectors.write(1, lane, v1);
  }
  return state;
}

Outcome run_words(const WaveState& state, Generation generation, const std::vector<u32>& words) {
  Code code(generation);
  for (const u32 word : words) code.word(word);
  return run_code(code.end(), state);
}

u32 exceptions_of(const WaveState& state, Generation generation, u32 word) {
  const Outcome outcome = run_words(state, generation, {word});
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  return outcome.state.hwregs[trapsts_id];
}

TEST(Exceptions, OfFloatsWithoutTraps) {
  constexpr u32 one = 0x3f80'0000;
  constexpr u32 greatest = 0x7f7f'ffff;
  constexpr u32 infinity = 0x7f80'0000;
  constexpr u32 signalling = 0x7f80'0001;
  constexpr u32 quiet = 0x7fc0'0000;
  constexpr u32 least_normal = 0x0080'0000;
  constexpr u32 denormal = 0x0000'0001;
  for (const Generation generation : all_generations()) {
    const auto of_sum = [&](u32 a, u32 b) {
      return exceptions_of(float_state(generation, a, b), generation, v_add_f32_v2_v0_v1(generation));
    };
    const auto of_product = [&](u32 a, u32 b) {
      return exceptions_of(float_state(generation, a, b), generation, v_mul_f32_v2_v0_v1(generation));
    };
    EXPECT_EQ(exceptions_of(float_state(generation, 0), generation, v_rcp_iflag_f32_v2_v0(generation)),
              integer_divide_by_zero);
    EXPECT_EQ(exceptions_of(float_state(generation, 0), generation, v_rcp_f32_v2_v0(generation)), divide_by_zero);
    // V_RCP_IFLAG_F32 does not raise floating-point exceptions: 1/3 is not exact.
    EXPECT_EQ(exceptions_of(float_state(generation, 0x4040'0000), generation, v_rcp_iflag_f32_v2_v0(generation)), 0U);
    EXPECT_EQ(of_sum(one, one), 0U);
    EXPECT_EQ(of_sum(one, 0x3380'0000), inexact);  // 1 + 2^-24
    EXPECT_EQ(of_sum(greatest, greatest), overflow | inexact);
    EXPECT_EQ(of_sum(infinity, infinity | 1U << 31), invalid);
    EXPECT_EQ(of_sum(signalling, one), invalid);
    EXPECT_EQ(of_sum(quiet, one), 0U);
    EXPECT_EQ(of_sum(denormal, one), input_denormal | inexact);
    EXPECT_EQ(of_product(infinity, 0), invalid);
    EXPECT_EQ(of_product(least_normal, 0x3f00'0000), 0U);  // exact, though denormal
    EXPECT_EQ(of_product(0x0080'0001, 0x3f00'0000), underflow | inexact);
    EXPECT_EQ(exceptions_of(float_state(generation, quiet), generation, v_cvt_u32_f32_v2_v0), invalid);
    EXPECT_EQ(exceptions_of(float_state(generation, 0xbf80'0000), generation, v_cvt_u32_f32_v2_v0), invalid);  // -1
    // Without clamp, a conversion to an integer is never inexact.
    EXPECT_EQ(exceptions_of(float_state(generation, 0x3fc0'0000), generation, v_cvt_u32_f32_v2_v0), 0U);  // 1.5
    EXPECT_EQ(exceptions_of(float_state(generation, 0x0100'0001), generation, v_cvt_f32_u32_v2_v0), inexact);
    EXPECT_EQ(exceptions_of(float_state(generation, 0), generation, v_mov_b32_v2_v0), 0U);
  }
}

TEST(Exceptions, OnlyOfLanesThatAreOn) {
  const Generation generation = Generation::gcn1_4;
  WaveState state = float_state(generation, 0x3f80'0000);
  state.vectors.write(0, 7, 0);
  state.write64(code::exec, ~(u64{1} << 7));
  EXPECT_EQ(exceptions_of(state, generation, v_rcp_iflag_f32_v2_v0(generation)), 0U);
  state.write64(code::exec, u64{1} << 7);
  EXPECT_EQ(exceptions_of(state, generation, v_rcp_iflag_f32_v2_v0(generation)), integer_divide_by_zero);
}

TEST(Exceptions, AccumulateUntilTheyAreCleared) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.word(v_rcp_iflag_f32_v2_v0(generation)).word(v_rcp_f32_v2_v0(generation));
    code.sopk("s_getreg_b32", s(4), hwreg(trapsts_id, 0, 9));
    code.sopk("s_setreg_imm32_b32", {}, hwreg(trapsts_id, 0, 7), 0);
    code.sopk("s_getreg_b32", s(5), hwreg(trapsts_id, 0, 9)).end();
    const Outcome outcome = run_code(code, float_state(generation, 0));
    EXPECT_EQ(outcome.state.file[4], integer_divide_by_zero | divide_by_zero);
    EXPECT_EQ(outcome.state.file[5], 0U);
    EXPECT_EQ(warning_names(outcome), "");
  }
}

/// Counts in s20, saves TTMP0 and TTMP1 in s[22:23], and returns to the saved PC.
void count_and_return(Code& handler) {
  const Generation generation = handler.generation();
  handler.sop2("s_add_u32", s(20), s(20), number(1));
  handler.sop1("s_mov_b64", s(22), ttmp(generation, 0));
  handler.sop2("s_and_b32", ttmp(generation, 1), ttmp(generation, 1), literal(0xffff));
  handler.sop1("s_rfe_b64", {}, ttmp(generation, 0));
}

/// Runs code from a state in which traps enter the handler.
Outcome run_with_handler(const Code& code, const Code& handler, WaveState state, const RunOptions& options = {}) {
  state.status = trap_en;
  state.tba = handler.base();
  return run_code({&code, &handler}, std::move(state), options);
}

constexpr u32 enable_integer_divide_by_zero = 1U << 18;

TEST(Exceptions, TrapWhereTheyAreEnabled) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1));
    code.word(v_rcp_iflag_f32_v2_v0(generation));
    const u64 next = code.here();
    code.sop1("s_mov_b32", s(3), number(2)).end();
    Code handler(generation, 0x8000);
    count_and_return(handler);
    WaveState state = float_state(generation, 0);
    state.mode |= enable_integer_divide_by_zero;
    state.status = trap_en;
    state.tba = handler.base();
    const Outcome outcome = run_code({&code, &handler}, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[20], 1U);
    // PC_REWIND (bits 60 to 57) is one dword, the trap number is 0.
    EXPECT_EQ(outcome.state.read64(22), u64{1} << 57 | next);
    EXPECT_EQ(outcome.state.file[3], 2U);
    EXPECT_EQ(outcome.state.vectors.lanes(2)[0], 0x7f80'0000U);
    EXPECT_EQ(outcome.state.status, trap_en);
    EXPECT_EQ(outcome.steps, 8U);

    // Disabled exceptions do not trap, and neither does an enabled one if STATUS.TRAP_EN is 0.
    WaveState disabled = state;
    disabled.mode = keep_denormals | 1U << 17;
    EXPECT_EQ(run_code({&code, &handler}, disabled).state.file[20], 0U);
    WaveState untrapped = state;
    untrapped.status = 0;
    const Outcome ignored = run_code({&code, &handler}, untrapped);
    EXPECT_EQ(ignored.state.file[20], 0U);
    EXPECT_EQ(ignored.state.hwregs[trapsts_id], integer_divide_by_zero);

    state.tba = 0x100'0000;
    const Outcome stopped = run_code({&code, &handler}, state);
    EXPECT_EQ(stopped.stop.reason, StopReason::trap);
    EXPECT_EQ(stopped.state.vectors.lanes(2)[0], 0x7f80'0000U);
    EXPECT_EQ(stopped.steps, 2U);
  }
}

// The rest of the block has been charged when the trap is taken; the step limit is exact all the same.
TEST(Exceptions, TrapsInLoopsCountEveryStep) {
  const Generation generation = Generation::gcn1_4;
  Code code(generation);
  code.sop1("s_mov_b32", s(2), number(40));
  const u64 loop = code.here();
  code.word(v_rcp_iflag_f32_v2_v0(generation));
  code.sop2("s_sub_u32", s(2), s(2), number(1));
  code.sopc("s_cmp_lg_u32", s(2), number(0));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);
  code.aim(back, loop);
  code.end();
  Code handler(generation, 0x8000);
  count_and_return(handler);
  WaveState state = float_state(generation, 0);
  state.mode |= enable_integer_divide_by_zero;
  state.status = trap_en;
  state.tba = handler.base();
  const Outcome outcome = run_code({&code, &handler}, state);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
  EXPECT_EQ(outcome.state.file[20], 40U);
  EXPECT_EQ(outcome.steps, 1U + 40 * (4 + 4) + 1);
}

TEST(Traps, AfterEachInstruction) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    for (u32 i = 0; i < 3; ++i) code.sop1("s_mov_b32", s(2 + i), number(1));
    const u64 last = code.here();
    code.end();
    Code handler(generation, 0x8000);
    count_and_return(handler);
    WaveState state = initial_state(generation);
    state.mode = 1U << 11;
    state.status = trap_en;
    state.tba = handler.base();
    const Outcome outcome = run_code({&code, &handler}, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    // S_ENDPGM does not trap.
    EXPECT_EQ(outcome.state.file[20], 3U);
    EXPECT_EQ(outcome.state.read64(22), last);
    EXPECT_EQ(outcome.steps, 4U + 3 * 4);
    EXPECT_EQ(outcome.state.hwregs[trapsts_id], generation >= Generation::cdna3 ? 1U << 25 : 0U);
    state.status = 0;
    EXPECT_EQ(run_code({&code, &handler}, state).state.file[20], 0U);
  }
}

// A wave sets and clears MODE.DEBUG_EN itself.
TEST(Traps, AfterInstructionsThatTheWaveChooses) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1));
    code.sopk("s_setreg_imm32_b32", {}, hwreg(1, 11, 1), 1);
    code.sop1("s_mov_b32", s(3), number(1));
    code.sopk("s_setreg_imm32_b32", {}, hwreg(1, 11, 1), 0);
    code.sop1("s_mov_b32", s(4), number(1)).end();
    Code handler(generation, 0x8000);
    count_and_return(handler);
    WaveState state = initial_state(generation);
    state.status = trap_en;
    state.tba = handler.base();
    const Outcome outcome = run_code({&code, &handler}, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[20], 2U);
    EXPECT_EQ(outcome.state.file[4], 1U);
  }
}

TEST(Traps, AWaveMayAskForItsContextToBeSaved) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopk("s_setreg_imm32_b32", {}, hwreg(trapsts_id, 10, 1), 1);
    code.sop1("s_mov_b32", s(2), number(1)).end();
    Code handler(generation, 0x8000);
    handler.sopk("s_setreg_imm32_b32", {}, hwreg(trapsts_id, 10, 1), 0);
    count_and_return(handler);
    WaveState state = initial_state(generation);
    state.status = trap_en;
    state.tba = handler.base();
    const Outcome outcome = run_code({&code, &handler}, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[20], is_gfx9(generation) ? 1U : 0U);
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.hwregs[trapsts_id], 0U);
    EXPECT_EQ(warning_names(outcome), is_gfx9(generation) ? "" : "dropped_write");
    if (!is_gfx9(generation)) continue;
    // Without a trap handler the bit stays set.
    state.status = 0;
    EXPECT_EQ(run_code({&code, &handler}, state).state.hwregs[trapsts_id], 1U << 10);
  }
}

/// Clears SAVECTX on its second execution.
Code handler_that_saves_twice(Generation generation) {
  Code handler(generation, 0x8000);
  handler.sopc("s_cmp_eq_u32", s(20), number(1));
  handler.sop2("s_cselect_b32", s(21), number(0), number(1));
  handler.sopk("s_setreg_b32", s(21), hwreg(trapsts_id, 10, 1));
  return handler;
}

// "This bit must be cleared by the trap handler" (the manuals' 3.10.1): until then every return from the handler enters
// it again (Linux, cwsr_trap_handler_gfx9.asm).
TEST(Traps, AContextIsSavedUntilTheHandlerClearsTheBit) {
  for (const Generation generation : generations(Generation::gcn1_4, Generation::cdna3)) {
    Code code(generation);
    code.sopk("s_setreg_imm32_b32", {}, hwreg(trapsts_id, 10, 1), 1);
    code.sop1("s_mov_b32", s(2), number(1)).end();
    Code handler = handler_that_saves_twice(generation);
    count_and_return(handler);
    const WaveState state = initial_state(generation);
    const Outcome outcome = run_with_handler(code, handler, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[20], 2U);
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.hwregs[trapsts_id], 0U);
  }
}

// The handler is entered before STATUS.HALT takes effect.
TEST(Traps, AHaltedWaveSavesItsContext) {
  for (const Generation generation : generations(Generation::gcn1_4, Generation::cdna3)) {
    Code code(generation);
    code.sopk("s_setreg_imm32_b32", {}, hwreg(trapsts_id, 10, 1), 1);
    code.sop1("s_mov_b32", s(2), number(1)).end();
    Code handler = handler_that_saves_twice(generation);
    handler.sopp("s_sethalt", 1);
    count_and_return(handler);
    const WaveState state = initial_state(generation);
    const Outcome outcome = run_with_handler(code, handler, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::halt) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[20], 2U);
    EXPECT_EQ(outcome.state.file[2], state.file[2]);
  }
}

// Branches and S_NOP trap. S_TRAP does not trap twice, and the S_RFE that returns from its handler does not trap.
TEST(Traps, AfterBranchesAndNotInTheHandler) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_branch", 1).nops(1);
    const u64 target = code.here();
    code.nops(1).sopp("s_trap", 3).end();
    Code handler(generation, 0x8000);
    handler.sopc("s_cmp_eq_u32", s(20), number(0));
    handler.sop2("s_cselect_b32", s(24), ttmp(generation, 0), s(24));
    handler.sop2("s_lshr_b32", s(25), ttmp(generation, 1), number(16));
    count_and_return(handler);
    WaveState state = initial_state(generation);
    state.mode = 1U << 11;
    RunOptions options;
    options.max_steps = 60;
    const Outcome outcome = run_with_handler(code, handler, state, options);
    // The saved PC is that of the S_TRAP, so the handler returns to it repeatedly: 2 x 8 steps for the two traps of
    // DEBUG_EN, 8 for each S_TRAP, so 2 + 5 handlers have counted after 60 steps.
    EXPECT_EQ(outcome.state.file[20], 7U);
    EXPECT_EQ(outcome.stop.reason, StopReason::step_limit) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[24], static_cast<u32>(target));
    EXPECT_EQ(outcome.state.file[25] & 0xff, 3U);
  }
}

TEST(Traps, ReportTheirCause) {
  const Generation generation = Generation::gcn1_4;
  WaveState state = initial_state(generation);
  state.status = trap_en;
  state.tba = 0x100'0000;
  Code saving(generation);
  saving.sopk("s_setreg_imm32_b32", {}, hwreg(trapsts_id, 10, 1), 1).end();
  EXPECT_EQ(run_code(saving, state).stop.detail,
            "TRAPSTS.SAVECTX requests a trap (TRAPSTS 0x400, MODE 0x0): no code at TBA = 0x1000000, the "
            "address of its handler");
  state.mode = 1U << 11;
  Code code(generation);
  code.nops(1).end();
  EXPECT_EQ(run_code(code, state).stop.detail,
            "MODE.DEBUG_EN requests a trap (TRAPSTS 0x0, MODE 0x800): no code at TBA = 0x1000000, the "
            "address of its handler");
}

// PC_REWIND of an 8-byte instruction is 2.
TEST(Exceptions, SaveHowFarTheInstructionIsBack) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    // v_rcp_iflag_f32_e64 v2, v0
    code.word(has_old_numbers(generation) ? 0xd3560002 : 0xd1630002).word(0x00000100);
    const u64 next = code.here();
    code.end();
    Code handler(generation, 0x8000);
    count_and_return(handler);
    WaveState state = float_state(generation, 0);
    state.mode |= enable_integer_divide_by_zero;
    const Outcome outcome = run_with_handler(code, handler, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.read64(22), u64{2} << 57 | next);
  }
}

}  // namespace
}  // namespace salu::test
