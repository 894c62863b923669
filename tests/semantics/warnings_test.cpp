#include <gtest/gtest.h>

#include "isa/operand.hpp"
#include "semantics/code.hpp"

// Warnings: kind, address, once each; --strict; --check-undefined.
namespace salu::test {
namespace {

struct Warned {
  WarningKind kind;
  void (*append)(Code&);
};

constexpr u32 small_allocation = 8;

constexpr Warned warned[] = {
    {WarningKind::dropped_write, [](Code& c) { c.sop1("s_mov_b32", ttmp(c.generation(), 0), number(1)); }},
    {WarningKind::dropped_write, [](Code& c) { c.sopk("s_setreg_imm32_b32", {}, hwreg(2, 13, 1), 1); }},
    {WarningKind::trap_ignored, [](Code& c) { c.sopp("s_trap", 1); }},
    {WarningKind::register_out_of_range, [](Code& c) { c.sop1("s_mov_b32", s(2), s(20)); }},
    {WarningKind::register_out_of_range, [](Code& c) { c.sop1("s_mov_b64", s(20), s(2)); }},
    {WarningKind::register_out_of_range, [](Code& c) { c.sopk("s_cmpk_eq_i32", s(20), 1); }},
    {WarningKind::register_out_of_range, [](Code& c) { c.sop1("s_movrels_b32", s(2), s(20)); }},
    {WarningKind::register_out_of_range, [](Code& c) { c.sop1("s_movreld_b32", s(20), s(2)); }},
    {WarningKind::unspecified_result, [](Code& c) { c.sop2("s_bfe_u32", s(2), s(3), literal(0x7f0000)); }},
    {WarningKind::unspecified_result, [](Code& c) { c.sop2("s_bfe_i64", s(2), s(4), vcc); }},
    {WarningKind::unspecified_result, [](Code& c) { c.sop1("s_mov_fed_b32", s(2), s(3)); }},
    {WarningKind::unspecified_result, [](Code& c) { c.sop1("s_and_saveexec_b64", exec, number(0)); }},
    {WarningKind::unspecified_result, [](Code& c) { c.sopk("s_getreg_b32", s(2), hwreg(8)); }},
    {WarningKind::control_stack_overflow, [](Code& c) { c.sopk("s_cbranch_i_fork", s(0), 0); }},
    {WarningKind::no_functional_effect, [](Code& c) { c.sopp("s_sendmsg", 1); }},
    {WarningKind::no_functional_effect, [](Code& c) { c.sopp("s_incperflevel", 1); }},
};

/// CSP = 7, eight SGPRs; s[0:1] and VCC such that the fork splits and the field extract is too wide.
WaveState warning_state(Generation generation) {
  WaveState state = initial_state(generation);
  state.sgprs = small_allocation;
  state.mode = 7U << mode_bit::csp;
  state.write64(0, 0xff);
  state.write64(code::vcc, 0x7f0000);
  return state;
}

TEST(Warnings, NameTheirKindAndPlace) {
  for (const Generation generation : all_generations()) {
    for (const Warned& each : warned) {
      Code code(generation);
      code.nops(2);
      each.append(code);
      code.end();
      const Outcome outcome = run_code(code, warning_state(generation));
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
      ASSERT_FALSE(outcome.warnings.empty()) << warning_kind_name(each.kind);
      EXPECT_EQ(outcome.warnings[0].kind, each.kind);
      EXPECT_EQ(outcome.warnings[0].pc, code.base() + 8);
      EXPECT_FALSE(outcome.warnings[0].detail.empty());
      EXPECT_FALSE(outcome.warnings[0].instruction.empty());
    }
  }
}

// semantics.md 1: SRC_POPS_EXITING_WAVE_ID depends on other waves.
TEST(Warnings, AWaveIdThatIsNotModelledIsNotReadInSilence) {
  constexpr Operand pops_exiting_wave_id{239};
  for (const Generation generation : all_generations()) {
    if (isa::operand_class(generation, 239) != isa::OperandClass::pops_exiting_wave_id) continue;
    for (const char* move : {"s_mov_b32", "s_mov_b64"}) {
      Code code(generation);
      code.sop1(move, s(2), pops_exiting_wave_id);
      code.end();
      const Outcome outcome = run_code(code, warning_state(generation));
      ASSERT_EQ(outcome.warnings.size(), 1U) << move;
      EXPECT_EQ(outcome.warnings[0].kind, WarningKind::no_functional_effect);
      EXPECT_EQ(outcome.state.file[2], 0U);
    }
  }
}

// If M0 selects a register beyond v255, v0 is read, and nothing is written.
TEST(Warnings, AVectorRegisterThatIsNotThereIsNotSilent) {
  constexpr u32 s_set_gpr_idx_on_s0_source_and_destination = 0xbf110900;
  constexpr u32 v_mov_v9_v255 = 0x7e1203ff;
  constexpr u32 v_mov_v255_v1 = 0x7ffe0301;
  constexpr u32 v_mov_v254_v254 = 0x7ffc03fe;
  const auto run_words = [](Generation generation, const std::vector<u32>& words) {
    Code code(generation);
    for (const u32 word : words) code.word(word);
    code.end();
    WaveState state = warning_state(generation);
    state.write64(code::exec, ~u64{0});
    state.file[0] = 1;
    state.file[code::m0] = 1;
    state.vectors.write(0, 5, 40);
    state.vectors.write(1, 5, 41);
    return run_code(code, state);
  };
  const Outcome moved = run_words(
      Generation::gcn1_4, {s_set_gpr_idx_on_s0_source_and_destination, v_mov_v9_v255, v_mov_v255_v1, v_mov_v254_v254});
  EXPECT_EQ(warning_names(moved), "register_out_of_range register_out_of_range");
  EXPECT_EQ(moved.state.vectors.lanes(10)[5], 40U);

  // A swap writes both registers, but not v0 in place of a missing one.
  constexpr u32 v_swap_v9_v255 = 0x7e12a3ff;
  const Outcome swapped = run_words(Generation::gcn1_4, {s_set_gpr_idx_on_s0_source_and_destination, v_swap_v9_v255});
  EXPECT_EQ(warning_names(swapped), "register_out_of_range");
  EXPECT_EQ(swapped.state.vectors.lanes(10)[5], 40U);
  EXPECT_EQ(swapped.state.vectors.lanes(0)[5], 40U);

  constexpr u32 v_movrels_v9_v255 = 0x7e126fff;
  constexpr u32 v_movreld_v255_v1 = 0x7ffe6d01;
  const Outcome relative = run_words(Generation::gcn1_2, {v_movrels_v9_v255, v_movreld_v255_v1});
  EXPECT_EQ(warning_names(relative), "register_out_of_range register_out_of_range");
  EXPECT_EQ(relative.state.vectors.lanes(9)[5], 40U);
}

TEST(Warnings, ComeOncePerKindAndAddress) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(5));
    const u64 loop = code.here();
    code.sop1("s_mov_b32", ttmp(generation, 0), s(30));  // two kinds
    code.sop1("s_mov_b32", ttmp(generation, 0), number(1));
    code.sop2("s_sub_u32", s(2), s(2), number(1));
    code.sopc("s_cmp_lg_u32", s(2), number(0));
    const u64 back = code.here();
    code.sopp("s_cbranch_scc1", 0);
    code.aim(back, loop);
    code.end();
    const Outcome outcome = run_code(code, warning_state(generation));
    EXPECT_EQ(warning_names(outcome), "register_out_of_range dropped_write dropped_write");
    EXPECT_EQ(outcome.warnings[0].pc, loop);
    EXPECT_EQ(outcome.warnings[1].pc, loop);
    EXPECT_EQ(outcome.warnings[2].pc, loop + 4);
  }
}

TEST(Strict, StopsAfterTheFirstWarning) {
  for (const Generation generation : all_generations()) {
    for (const Warned& each : warned) {
      for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
        Code code(generation);
        code.nops(2);
        each.append(code);
        code.sop1("s_mov_b32", s(7), number(1));
        code.end();
        RunOptions options;
        options.dispatch = dispatch;
        options.strict = true;
        const Outcome outcome = run_code(code, warning_state(generation), options);
        EXPECT_EQ(outcome.stop.reason, StopReason::warning);
        EXPECT_EQ(outcome.stop.warning, each.kind);
        EXPECT_EQ(outcome.stop.reason_name(), warning_kind_name(each.kind));
        EXPECT_EQ(outcome.stop.pc, code.base() + 8);
        EXPECT_EQ(outcome.steps, 3U);
        EXPECT_EQ(outcome.state.file[7], 0U);
        EXPECT_FALSE(outcome.stop.detail.empty());
        // The same one instruction at a time.
        options.trace = [](const TraceEvent&) {};
        const Outcome traced = run_code(code, warning_state(generation), options);
        EXPECT_EQ(traced.stop.reason_name(), outcome.stop.reason_name());
        EXPECT_EQ(traced.stop.pc, outcome.stop.pc);
        EXPECT_EQ(traced.steps, outcome.steps);
        EXPECT_EQ(difference(outcome.state, traced.state), "");
      }
    }
  }
}

// An instruction with a warning still has its effect, as far as it has one.
TEST(Strict, KeepsTheEffect) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop2("s_add_u32", s(2), literal(0xffffffff), s(20)).end();
    WaveState state = warning_state(generation);
    state.file[0] = 3;
    RunOptions options;
    options.strict = true;
    const Outcome outcome = run_code(code, state, options);
    EXPECT_EQ(outcome.stop.reason_name(), "register_out_of_range");
    EXPECT_EQ(outcome.state.file[2], 2U);
    EXPECT_TRUE(outcome.state.scc);
    EXPECT_TRUE(outcome.state.defined.test(2));
    EXPECT_TRUE(outcome.state.defined.test(state_index::scc));
  }
}

TEST(Strict, LetsACleanProgramPass) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1)).sopp("s_waitcnt").sopp("s_barrier").end();
    RunOptions options;
    options.strict = true;
    const Outcome outcome = run_code(code, warning_state(generation), options);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(warning_names(outcome), "");
  }
}

// ---- --check-undefined ----

/// PCs of the undefined_read warnings, as instruction numbers of a program of single dwords.
std::vector<u64> undefined_reads(const Code& code, const WaveState& state) {
  RunOptions options;
  options.check_undefined = CheckUndefined::reads;
  const Outcome outcome = run_code(code, state, options);
  std::vector<u64> places;
  for (const Warning& warning : outcome.warnings) {
    if (warning.kind == WarningKind::undefined_read) places.push_back((warning.pc - code.base()) / 4);
  }
  return places;
}
using Places = std::vector<u64>;

WaveState fresh(Generation generation) {
  WaveState state = initial_state(generation);
  state.defined.set(30).set(31);
  return state;
}

TEST(CheckUndefined, WarnsOfUnwrittenRegisters) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), s(3));              // 0: s3
    code.sop1("s_mov_b32", s(4), s(2));              //    s2 is written now, whatever its value
    code.sop2("s_addc_u32", s(5), s(4), number(1));  // 2: SCC
    code.sop2("s_addc_u32", s(5), s(5), number(1));  //    SCC is written now
    code.sop1("s_mov_b64", s(6), s(30));             //    given
    code.sop1("s_mov_b64", s(8), s(4));              //    s4 and s5
    code.sop1("s_mov_b64", s(10), s(12));            // 6: s12
    code.sop1("s_mov_b32", s(13), number(1));
    code.sop1("s_mov_b64", s(10), s(12));  // 8: half of it
    code.sop1("s_mov_b64", s(14), exec);   //    EXEC always counts as given
    code.sopp("s_cbranch_vccz", 0);        // 10: VCC
    code.sop1("s_mov_b64", vcc, number(0));
    code.sopp("s_cbranch_vccz", 0);
    code.sopk("s_cmpk_eq_i32", s(16), 1);          // 13: s16
    code.sopk("s_addk_i32", s(17), 1);             // 14: s17
    code.sop1("s_bitset1_b32", s(18), number(1));  // 15: s18
    code.sop1("s_movrels_b32", s(19), s(2));       // 16: M0
    code.sop1("s_mov_b32", m0, number(20));
    code.sop1("s_movrels_b32", s(19), s(2));      // 18: s22
    code.sop1("s_movreld_b32", s(2), number(1));  //    writes s22
    code.sop1("s_mov_b32", s(3), s(22));
    code.end();
    EXPECT_EQ(undefined_reads(code, fresh(generation)), (Places{0, 2, 6, 8, 10, 13, 14, 15, 16, 18}))
        << generation_name(generation);
  }
}

TEST(CheckUndefined, TracksConditionalMoves) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopc("s_cmp_eq_u32", number(0), number(1));
    code.sop1("s_cmov_b32", s(2), number(1));
    code.sop1("s_mov_b32", s(3), s(2));  // 2: not moved
    code.sopc("s_cmp_eq_u32", number(0), number(0));
    code.sopk("s_cmovk_i32", s(4), 1);
    code.sop1("s_mov_b32", s(3), s(4));
    code.end();
    EXPECT_EQ(undefined_reads(code, fresh(generation)), (Places{2}));
  }
}

TEST(CheckUndefined, SeesTheControlStackAndTheTrapRegisters) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopk("s_cbranch_i_fork", s(30), 0);  // splits: s[0:3] are written
    code.sop1("s_mov_b64", s(4), s(0));
    code.sop1("s_mov_b64", s(4), s(2));
    code.sop1("s_mov_b32", s(6), ttmp(generation, 0));  // 3
    code.sopp("s_trap", 1);
    code.end();
    Code handler(generation, 0x8000);
    handler.sop1("s_mov_b64", s(6), ttmp(generation, 0));
    handler.sop1("s_mov_b64", s(6), ttmp(generation, 2));
    handler.end();
    WaveState state = fresh(generation);
    state.write64(30, 0xff);
    state.status = 1U << status_bit::trap_en;
    state.tba = handler.base();
    state.defined.set(state_index::tba).set(state_index::tba + 1);
    RunOptions options;
    options.check_undefined = CheckUndefined::reads;
    Outcome outcome = run_code({&code, &handler}, state, options);
    // The waiting lanes are never joined.
    ASSERT_EQ(outcome.warnings.back().kind, WarningKind::control_stack_misuse);
    outcome.warnings.pop_back();
    // Registers that always read as 0 are not undefined.
    const bool hides_ttmps = generation >= Generation::cdna3;
    EXPECT_EQ(warning_names(outcome), hides_ttmps ? "undefined_read" : "undefined_read undefined_read");
    if (!hides_ttmps) {
      EXPECT_EQ(outcome.warnings.at(0).pc, code.base() + 12);
    }
    EXPECT_EQ(outcome.warnings.back().pc, handler.base() + 4);
    EXPECT_NE(outcome.warnings.back().detail.find("ttmp[2:3]"), std::string::npos) << outcome.warnings.back().detail;
  }
}

// A dropped write does not define anything, and a register beyond the allocation reads s0.
TEST(CheckUndefined, TracksActualAccesses) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", ttmp(generation, 4), number(1));
    code.sop1("s_mov_b32", s(2), ttmp(generation, 4));  // 1: nothing was written there
    code.sop1("s_mov_b32", s(2), s(50));                // 2: s0
    code.sop1("s_mov_b32", s(0), number(1));
    code.sop1("s_mov_b32", s(2), s(50));
    code.sopp("s_trap", 1);                             // ignored
    code.sop1("s_mov_b32", s(2), ttmp(generation, 0));  // 6
    code.end();
    WaveState state = fresh(generation);
    state.sgprs = 40;
    // Without STATUS.PRIV the TTMPs of CDNA 3 read as 0.
    EXPECT_EQ(undefined_reads(code, state), generation >= Generation::cdna3 ? (Places{2}) : (Places{1, 2, 6}));
  }
}

// The operands of an instruction that does not run are ignored, even out of range.
TEST(CheckUndefined, LeavesIllegalInstructionsAlone) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    const OpcodeRow& load = opcode_row(generation, "s_load_dwordx16");
    const auto opcode = static_cast<u32>(load.opcode(generation));
    const bool smrd = load.format == "SMRD";
    code.word(smrd ? 0xc0000100 | opcode << 22 | 126U << 15 : 0xc0020000 | opcode << 18 | 126U << 6).word(0);
    RunOptions options;
    options.check_undefined = CheckUndefined::reads;
    options.trace = [](const TraceEvent&) {};
    const Outcome outcome = run_code(code, fresh(generation), options);
    EXPECT_EQ(outcome.stop.reason, StopReason::illegal_operand);
    EXPECT_EQ(warning_names(outcome), "");
  }
}

TEST(CheckUndefined, UnderStrictStopsAtTheRead) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1));
    code.sop1("s_mov_b32", s(3), s(9));
    code.sop1("s_mov_b32", s(4), number(1));
    code.end();
    RunOptions options;
    options.check_undefined = CheckUndefined::reads;
    options.strict = true;
    const Outcome outcome = run_code(code, fresh(generation), options);
    EXPECT_EQ(outcome.stop.reason_name(), "undefined_read");
    EXPECT_EQ(outcome.stop.pc, code.base() + 4);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(outcome.state.file[4], 0U);
  }
}

TEST(CheckUndefined, IsOffByDefault) {
  Code code(Generation::gcn1_2);
  code.sop1("s_mov_b32", s(3), s(9)).end();
  EXPECT_EQ(warning_names(run_code(code, fresh(Generation::gcn1_2))), "");
}

TEST(CheckUndefined, LanesThatNothingHasWritten) {
  Code code(Generation::gcn1_4);
  code.word(0x7e000301).word(0x7e040300).end();  // v_mov_b32_e32 v0, v1; v_mov_b32_e32 v2, v0
  WaveState state = initial_state(Generation::gcn1_4);
  state.pc = code.base();
  state.write64(code::exec, 0b1011);
  state.vectors.write(1, 0, 5);
  RunOptions options;
  options.check_undefined = CheckUndefined::reads;
  const Outcome outcome = run_code(code, state, options);
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_EQ(outcome.warnings[0].pc, code.base());
  EXPECT_EQ(outcome.warnings[0].detail, "v1[1] (and 1 other lane) is read, but was never written");
}

}  // namespace
}  // namespace salu::test
