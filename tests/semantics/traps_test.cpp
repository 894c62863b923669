#include <gtest/gtest.h>

#include "semantics/code.hpp"

// S_TRAP, its handler and the return (semantics.md 8), PRIV, HALT, and the ends of a wave (6).
namespace salu::test {
namespace {

constexpr u32 priv = 1U << status_bit::priv;
constexpr u32 trap_en = 1U << status_bit::trap_en;
constexpr u32 halt = 1U << status_bit::halt;

/// Adds 4 to the saved PC, masks the other bits, and returns, like AMD's handler.
void return_behind_the_trap(Code& handler) {
  const Generation generation = handler.generation();
  handler.sop2("s_add_u32", ttmp(generation, 0), ttmp(generation, 0), number(4));
  handler.sop2("s_addc_u32", ttmp(generation, 1), ttmp(generation, 1), number(0));
  handler.sop2("s_and_b32", ttmp(generation, 1), ttmp(generation, 1), literal(0xffff));
  handler.sop1("s_rfe_b64", {}, ttmp(generation, 0));
}

WaveState trapping_state(Generation generation, u64 tba_address) {
  WaveState state = initial_state(generation);
  state.status = trap_en;
  state.tba = tba_address;
  return state;
}

TEST(Trap, GoesToTheHandlerAndComesBack) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1));
    const u64 trap = code.here();
    code.sopp("s_trap", 0x5a);
    code.sop1("s_mov_b32", s(3), number(2));
    code.end();
    Code handler(generation, 0x8000);
    handler.sop1("s_mov_b64", s(4), ttmp(generation, 0));
    handler.sopk("s_getreg_b32", s(6), hwreg(2, 5, 1));
    return_behind_the_trap(handler);
    const Outcome outcome = run_code({&code, &handler}, trapping_state(generation, handler.base()));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(warning_names(outcome), "");
    EXPECT_EQ(outcome.state.read64(4), 0x005a000000000000U | trap);
    EXPECT_EQ(outcome.state.file[6], 1U);  // PRIV in the handler
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.file[3], 2U);
    EXPECT_EQ(outcome.state.status, trap_en);
    EXPECT_EQ(outcome.steps, 10U);
  }
}

// The saved PC is that of the trap: without the addition the handler would be entered forever.
TEST(Trap, SavesItsOwnAddress) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_trap", 1).end();
    Code handler(generation, 0x8000);
    handler.sop2("s_add_u32", s(2), s(2), number(1));
    handler.sop1("s_rfe_b64", {}, ttmp(generation, 0));
    RunOptions options;
    options.max_steps = 30;
    const Outcome outcome = run_code({&code, &handler}, trapping_state(generation, handler.base()), options);
    EXPECT_EQ(outcome.stop.reason, StopReason::step_limit);
    EXPECT_EQ(outcome.state.file[2], 10U);
  }
}

// TTMP and, before GFX9, TBA and TMA are writable only in the handler.
TEST(Trap, LetsTheHandlerWritePrivilegedRegisters) {
  for (const Generation generation : all_generations()) {
    const bool old = !is_gfx9(generation);
    Code code(generation);
    code.sop1("s_mov_b32", ttmp(generation, 4), number(7));
    if (old) {
      code.sop1("s_mov_b64", tba, number(0));
      code.sop1("s_mov_b32", tma, number(0));
    }
    code.sopp("s_trap", 1);
    code.sop1("s_mov_b32", ttmp(generation, 5), number(7));
    code.sop1("s_mov_b32", s(2), ttmp(generation, 4));
    code.end();
    Code handler(generation, 0x8000);
    handler.sop1("s_mov_b32", ttmp(generation, 4), number(9));
    if (old) {
      handler.sop1("s_mov_b64", tma, literal(0x4400));
      handler.sop1("s_mov_b32", {tma.code + 1}, number(3));
    }
    return_behind_the_trap(handler);
    WaveState state = trapping_state(generation, handler.base());
    state.tma = 0x123456789a00;
    const Outcome outcome = run_code({&code, &handler}, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    // From CDNA 3 on the user cannot read it either.
    EXPECT_EQ(outcome.state.file[2], generation >= Generation::cdna3 ? 0U : 9U);
    EXPECT_EQ(outcome.state.file[ttmp(generation, 4).code], 9U);
    EXPECT_EQ(outcome.state.file[ttmp(generation, 5).code], 0U);
    EXPECT_EQ(outcome.state.tba, handler.base());
    EXPECT_EQ(outcome.state.tma, old ? 0x300004400U : 0x123456789a00U);
    EXPECT_EQ(warning_names(outcome),
              old ? "dropped_write dropped_write dropped_write dropped_write" : "dropped_write dropped_write");
  }
}

TEST(Trap, ReadsTheTrapAddresses) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    if (is_gfx9(generation)) {
      code.sopk("s_getreg_b32", s(2), hwreg(16));
      code.sopk("s_getreg_b32", s(3), hwreg(17));
      code.sopk("s_getreg_b32", s(4), hwreg(18));
      code.sopk("s_getreg_b32", s(5), hwreg(19));
      code.sop2("s_lshl_b64", s(2), s(2), number(8));
      code.sop2("s_lshl_b64", s(4), s(4), number(8));
    } else {
      code.sop1("s_mov_b64", s(2), tba);
      code.sop1("s_mov_b32", s(4), tma);
      code.sop1("s_mov_b32", s(5), {tma.code + 1});
    }
    code.end();
    WaveState state = initial_state(generation);
    state.tba = 0xab12345600;
    state.tma = 0xcd9876fe00;
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.state.read64(2), state.tba);
    EXPECT_EQ(outcome.state.read64(4), state.tma);
    EXPECT_EQ(warning_names(outcome), "");
  }
}

TEST(Trap, IsIgnoredWithoutTrapEn) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_trap", 1).sop1("s_mov_b32", s(2), number(1)).end();
    Code handler(generation, 0x8000);
    handler.end();
    WaveState state = trapping_state(generation, handler.base());
    state.status = 0;
    const Outcome outcome = run_code({&code, &handler}, state);
    EXPECT_EQ(warning_names(outcome), "trap_ignored");
    EXPECT_EQ(outcome.warnings[0].pc, code.base());
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.file[ttmp(generation, 0).code], 0U);
    EXPECT_EQ(outcome.steps, 3U);
  }
}

TEST(Trap, StopsWithoutAHandler) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.nops(1).sopp("s_trap", 7).end();
    const Outcome outcome = run_code(code, trapping_state(generation, 0x900000));
    EXPECT_EQ(outcome.stop.reason, StopReason::trap);
    EXPECT_EQ(outcome.stop.pc, code.base() + 4);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(outcome.state.file[ttmp(generation, 0).code], 0U);
    EXPECT_EQ(outcome.state.status, trap_en);
  }
}

TEST(Rfe, OutsideAHandlerIsWarnedOf) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_rfe_b64", {}, s(2));
    code.sop1("s_mov_b32", s(4), number(1));
    code.end();
    WaveState state = initial_state(generation);
    state.write64(2, code.base() + 8);
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(warning_names(outcome), "unspecified_result");
    EXPECT_EQ(outcome.state.file[4], 0U);
    EXPECT_EQ(outcome.steps, 2U);
  }
}

TEST(RfeRestore, LoadsInstAtcOnGcn12Alone) {
  for (const Generation generation : generations(Generation::gcn1_2, Generation::cdna2)) {
    for (const u32 second : {0U, 1U}) {
      Code code(generation);
      code.sop2("s_rfe_restore_b64", {}, s(2), s(4)).end();
      const u64 target = code.here();
      code.sop1("s_mov_b32", s(5), number(1)).end();
      WaveState state = initial_state(generation);
      state.status = priv | (second == 0 ? 1U << status_bit::inst_atc : 0);
      state.write64(2, target);
      state.file[4] = second;
      const Outcome outcome = run_code(code, state);
      EXPECT_EQ(outcome.state.file[5], 1U);
      const bool loaded = generation == Generation::gcn1_2 ? second == 1 : second == 0;
      EXPECT_EQ(outcome.state.status, loaded ? 1U << status_bit::inst_atc : 0U) << generation_name(generation);
    }
  }
}

TEST(Sethalt, StopsAtTheNextInstruction) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.nops(1).sopp("s_sethalt", 1).sop1("s_mov_b32", s(2), number(1)).end();
    const Outcome outcome = run_code(code, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::halt);
    EXPECT_EQ(outcome.stop.pc, code.base() + 8);
    EXPECT_EQ(outcome.state.pc, code.base() + 8);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(outcome.state.status, halt);
    EXPECT_EQ(outcome.state.file[2], 0U);
  }
}

TEST(Sethalt, TakesEffectWhenTheHandlerReturns) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_trap", 1).sop1("s_mov_b32", s(2), number(1)).end();
    Code handler(generation, 0x8000);
    handler.sopp("s_sethalt", 1);
    handler.sop1("s_mov_b32", s(3), number(1));
    return_behind_the_trap(handler);
    const Outcome outcome = run_code({&code, &handler}, trapping_state(generation, handler.base()));
    EXPECT_EQ(outcome.stop.reason, StopReason::halt);
    EXPECT_EQ(outcome.stop.pc, code.base() + 4);
    EXPECT_EQ(outcome.state.file[3], 1U);
    EXPECT_EQ(outcome.state.file[2], 0U);
    EXPECT_EQ(outcome.state.status, halt | trap_en);
    EXPECT_EQ(outcome.steps, 7U);
  }
}

TEST(Sethalt, KeepsAHaltedWaveFromStarting) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1)).end();
    WaveState state = initial_state(generation);
    state.status = halt;
    Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::halt);
    EXPECT_EQ(outcome.stop.pc, code.base());
    EXPECT_EQ(outcome.steps, 0U);
    state.status = halt | priv;
    outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.steps, 2U);
  }
}

TEST(Sendmsghalt, WarnsAndHalts) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_sendmsghalt", 1).end();
    const Outcome outcome = run_code(code, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::halt);
    EXPECT_EQ(outcome.stop.pc, code.base() + 4);
    EXPECT_EQ(warning_names(outcome), "no_functional_effect");
  }
}

TEST(Ends, StopAtTheirOwnAddress) {
  for (const char* mnemonic : {"s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done", "s_setkill"}) {
    for (const Generation generation : all_generations()) {
      if (find_opcode_row(generation, mnemonic) == nullptr) continue;
      Code code(generation);
      code.sop1("s_mov_b32", s(2), number(1)).sopp(mnemonic, 1).sop1("s_mov_b32", s(2), number(2)).end();
      const Outcome outcome = run_code(code, initial_state(generation));
      const bool killed = std::string(mnemonic) == "s_setkill";
      EXPECT_EQ(outcome.stop.reason, killed ? StopReason::killed : StopReason::end_program);
      EXPECT_EQ(outcome.stop.pc, code.base() + 4);
      EXPECT_EQ(outcome.state.pc, code.base() + 4);
      EXPECT_EQ(outcome.steps, 2U);
      EXPECT_EQ(outcome.state.file[2], 1U);
    }
  }
}

}  // namespace
}  // namespace salu::test
