#include <gtest/gtest.h>

#include <set>

#include "semantics/placements.hpp"

// Errors of programs: where the run stops, and that the instruction had no effect.
namespace salu::test {
namespace {

struct FormatSpace {
  const char* name;
  u32 prefix;
  u32 shift;
  u32 opcodes;
};
// SOP2 ends where SOPK begins, and SOPK ends where SOP1, SOPC and SOPP begin.
constexpr FormatSpace spaces[] = {{"SOP2", 0x80000000, 23, 96},
                                  {"SOPK", 0xb0000000, 23, 29},
                                  {"SOP1", 0xbe800000, 8, 256},
                                  {"SOPC", 0xbf000000, 16, 128},
                                  {"SOPP", 0xbf800000, 16, 128}};

TEST(IllegalInstructions, AreAllOpcodesThatTheDocumentsLeaveOut) {
  for (const Generation generation : all_generations()) {
    for (const FormatSpace& space : spaces) {
      std::set<u32> used;
      for (const OpcodeRow& row : opcode_rows()) {
        if (row.format == space.name && row.exists_on(generation))
          used.insert(static_cast<u32>(row.opcode(generation)));
      }
      for (u32 opcode = 0; opcode < space.opcodes; ++opcode) {
        Code code(generation);
        code.word(space.prefix | opcode << space.shift).word(0).end();
        WaveState state = noisy_state(generation);
        state.pc = code.base();
        RunOptions one;
        one.max_steps = 1;
        const Outcome outcome = run_code(code, state, one);
        const bool illegal = outcome.stop.reason == StopReason::illegal_instruction;
        ASSERT_EQ(illegal, !used.contains(opcode)) << space.name << ' ' << opcode << ' ' << generation_name(generation);
        if (!illegal) continue;
        EXPECT_EQ(outcome.steps, 1U);
        EXPECT_EQ(difference(state, outcome.state), "");
      }
    }
  }
}

TEST(IllegalInstructions, StopWithTheirAddress) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop1("s_mov_b32", s(2), number(1)).word(0xbfff0000).sop1("s_mov_b32", s(3), number(1));
    const Outcome outcome = run_code(code, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::illegal_instruction);
    EXPECT_EQ(outcome.stop.pc, code.base() + 4);
    EXPECT_EQ(outcome.state.pc, code.base() + 4);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.file[3], 0U);
    EXPECT_NE(outcome.stop.detail.find("0xbfff0000"), std::string::npos) << outcome.stop.detail;
  }
}

struct Faulty {
  const char* what;
  void (*append)(Code&);
  StopReason reason;
};

constexpr Faulty faulty[] = {
    {"reserved ssrc0", [](Code& c) { c.sop1("s_mov_b32", s(2), {209}); }, StopReason::illegal_operand},
    {"reserved ssrc1", [](Code& c) { c.sop2("s_add_u32", s(2), s(3), {234}); }, StopReason::illegal_operand},
    {"reserved sdst", [](Code& c) { c.sop1("s_mov_b32", {125}, s(2)); }, StopReason::illegal_operand},
    {"m0 as a pair", [](Code& c) { c.sop1("s_mov_b64", s(2), m0); }, StopReason::illegal_operand},
    {"m0 as a pair to write", [](Code& c) { c.sop1("s_mov_b64", m0, s(2)); }, StopReason::illegal_operand},
    {"odd ssrc0", [](Code& c) { c.sop1("s_mov_b64", s(2), s(5)); }, StopReason::misaligned_register},
    {"odd ssrc1", [](Code& c) { c.sop2("s_and_b64", s(2), s(4), s(7)); }, StopReason::misaligned_register},
    {"odd sdst", [](Code& c) { c.sop1("s_mov_b64", s(3), s(4)); }, StopReason::misaligned_register},
    {"odd vcc", [](Code& c) { c.sop1("s_mov_b64", s(2), vcc_hi); }, StopReason::misaligned_register},
    {"odd exec", [](Code& c) { c.sop1("s_mov_b64", exec_hi, s(2)); }, StopReason::misaligned_register},
    {"odd target", [](Code& c) { c.sop1("s_setpc_b64", {}, s(5)); }, StopReason::misaligned_register},
    {"odd mask", [](Code& c) { c.sopk("s_cbranch_i_fork", s(5), 4); }, StopReason::misaligned_register},
    {"reserved fork mask", [](Code& c) { c.sopk("s_cbranch_i_fork", {125}, 4); }, StopReason::illegal_operand},
    {"odd saveexec", [](Code& c) { c.sop1("s_and_saveexec_b64", s(5), s(2)); }, StopReason::misaligned_register},
    {"reserved setreg source", [](Code& c) { c.sopk("s_setreg_b32", {125}, 1); }, StopReason::illegal_operand},
    {"reserved cmpk source", [](Code& c) { c.sopk("s_cmpk_eq_i32", {125}, 1); }, StopReason::illegal_operand},
    {"fork to a literal", [](Code& c) { c.sop2("s_cbranch_g_fork", {}, s(2), literal(0x1000)); },
     StopReason::illegal_operand},
};

TEST(Operands, ThatAreWrongStopTheRunUnchanged) {
  for (const Generation generation : all_generations()) {
    for (const Faulty& each : faulty) {
      SCOPED_TRACE(std::string(each.what) + " on " + std::string(generation_name(generation)));
      Code code(generation);
      each.append(code);
      code.end();
      WaveState state = noisy_state(generation);
      state.pc = code.base();
      for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
        RunOptions options;
        options.dispatch = dispatch;
        const Outcome outcome = run_code(code, state, options);
        EXPECT_EQ(outcome.stop.reason, each.reason) << outcome.stop.detail;
        EXPECT_EQ(outcome.stop.pc, code.base());
        EXPECT_EQ(outcome.steps, 1U);
        EXPECT_EQ(warning_names(outcome), "");
        EXPECT_FALSE(outcome.stop.detail.empty());
        EXPECT_EQ(difference(state, outcome.state), "");
      }
    }
  }
}

// The code ends before a literal.
TEST(Truncation, StopsTheRun) {
  for (const Generation generation : all_generations()) {
    const auto move = static_cast<u32>(opcode_row(generation, "s_mov_b32").opcode(generation));
    for (const u32 word : {0xbe8000ffU | move << 8, 0x8000ff00U, 0xbf0000ffU}) {
      Code code(generation);
      code.sop1("s_mov_b32", s(2), number(1)).word(word);
      const Outcome outcome = run_code(code, initial_state(generation));
      EXPECT_EQ(outcome.stop.reason, StopReason::pc_outside_code) << std::hex << word;
      EXPECT_EQ(outcome.stop.pc, code.base() + 4);
      EXPECT_EQ(outcome.steps, 2U);
      EXPECT_EQ(outcome.state.file[2], 1U);
    }
  }
}

TEST(OutsideCode, IsWhereARunCannotGo) {
  for (const Generation generation : all_generations()) {
    const WaveState state = initial_state(generation);
    // Execution continues beyond the end of the code.
    Code falls(generation);
    falls.nops(3);
    Outcome outcome = run_code(falls, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::pc_outside_code);
    EXPECT_EQ(outcome.stop.pc, falls.base() + 12);
    EXPECT_EQ(outcome.steps, 3U);
    // A branch to the dword after the last one, and one before the first.
    for (const i64 distance : {2, -3}) {
      Code branches(generation);
      branches.nops(1).sopp("s_branch", distance).nops(2);
      outcome = run_code(branches, state);
      EXPECT_EQ(outcome.stop.reason, StopReason::pc_outside_code);
      EXPECT_EQ(outcome.stop.pc, distance == 2 ? branches.base() + 16 : branches.base() - 4);
      EXPECT_EQ(outcome.steps, 2U);
    }
    // A conditional branch to there that is not taken is harmless.
    Code passes(generation);
    passes.sopp("s_cbranch_scc1", 100).end();
    EXPECT_EQ(run_code(passes, state).stop.reason, StopReason::end_program);
    // The start is outside of the code.
    const Program program = program_of({&falls});
    WaveState elsewhere = state;
    elsewhere.pc = 0x5000;
    outcome = run(program, elsewhere, Memory{});
    EXPECT_EQ(outcome.stop.reason, StopReason::pc_outside_code);
    EXPECT_EQ(outcome.stop.pc, 0x5000U);
    EXPECT_EQ(outcome.state.pc, 0x5000U);
    EXPECT_EQ(outcome.steps, 0U);
  }
}

// The PC wraps at its width, so a branch below address 0 continues at the top.
TEST(OutsideCode, TheProgramCounterWraps) {
  for (const Generation generation : all_generations()) {
    const u64 top = u64{1} << (is_gfx9(generation) ? 48 : 40);
    Code low(generation, 0);
    low.sopp("s_branch", -3);
    Code high(generation, top - 16);
    high.nops(2).sop1("s_mov_b32", s(2), number(1)).end();
    const Outcome outcome = run_code({&low, &high}, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.pc, top - 4);
  }
}

}  // namespace
}  // namespace salu::test
