#include <gtest/gtest.h>

#include <algorithm>

#include "generation_names.hpp"
#include "semantics/code.hpp"

// Vector instructions are recognised by their length (semantics.md 10), and skipped under VSKIP or on request;
// otherwise they stop the run.
namespace salu::test {
namespace {

struct VectorWord {
  const char* name;
  u32 word;
  u32 dwords;
  Generation first = Generation::gcn1_0;
  Generation last = static_cast<Generation>(generation_count - 1);
};

constexpr VectorWord vector_words[] = {
    {"VOP1", 0x7e000000, 1},
    {"VOP1 with a literal", 0x7e0000ff, 2},
    {"VOPC", 0x7c000000, 1},
    {"VOPC with a literal", 0x7c0000ff, 2},
    {"VOP2", 0x02000000, 1},
    {"VOP2 with a literal", 0x020000ff, 2},
    {"VOP2 of a VGPR with the number of the literal", 0x020001ff, 1},
    {"VOP2, source 249", 0x020000f9, 1, Generation::gcn1_0, Generation::gcn1_1},
    {"VOP2 SDWA", 0x020000f9, 2, Generation::gcn1_2},
    {"VOP1 DPP", 0x7e0000fa, 2, Generation::gcn1_2},
    {"VOPC SDWA", 0x7c0000f9, 2, Generation::gcn1_2},
    {"v_madmk_f32", 32U << 25, 2, Generation::gcn1_0, Generation::gcn1_1},
    {"v_madak_f32", 33U << 25, 2, Generation::gcn1_0, Generation::gcn1_1},
    {"VOP2 32", 32U << 25, 1, Generation::gcn1_2},
    {"v_madmk_f32", 23U << 25, 2, Generation::gcn1_2},
    {"v_madak_f32", 24U << 25, 2, Generation::gcn1_2},
    {"v_madmk_f16", 36U << 25, 2, Generation::gcn1_2},
    {"v_madak_f16", 37U << 25, 2, Generation::gcn1_2},
    {"VOP2 23", 23U << 25, 1, Generation::gcn1_0, Generation::gcn1_1},
    {"VOP3", 0xd0000000, 2},
    {"VOP3P", 0xd3800000, 2, Generation::gcn1_4},
    {"VINTRP", 0xc8000000, 1, Generation::gcn1_0, Generation::gcn1_1},
    {"VINTRP", 0xd4000000, 1, Generation::gcn1_2, Generation::cdna1},
    {"DS", 0xd8000000, 2},
    {"FLAT", 0xdc000000, 2, Generation::gcn1_1},
    {"MUBUF", 0xe0000000, 2},
    {"MTBUF", 0xe8000000, 2},
    {"MIMG", 0xf0000000, 2, Generation::gcn1_0, Generation::cdna2},
    {"EXP", 0xf8000000, 2, Generation::gcn1_0, Generation::gcn1_1},
    {"EXP", 0xc4000000, 2, Generation::gcn1_2},
};

/// The vector instruction, whose second dword would end the program if it were executed.
void append(Code& code, const VectorWord& vector) {
  code.word(vector.word);
  if (vector.dwords == 2) code.end();
}

// v_clrexcp
constexpr u32 not_executed(Generation generation) {
  return generation_info(generation).gfx <= 7 ? 0x7e008200 : 0x7e006a00;
}

class VectorInstructions : public testing::TestWithParam<Generation> {
 protected:
  static std::vector<VectorWord> words() {
    std::vector<VectorWord> result;
    for (const VectorWord& each : vector_words) {
      if (GetParam() >= each.first && GetParam() <= each.last) result.push_back(each);
    }
    return result;
  }
};

TEST_P(VectorInstructions, EndTheRun) {
  for (const VectorWord& vector : words()) {
    Code code(GetParam());
    code.sop1("s_mov_b32", s(2), number(1));
    append(code, vector);
    code.end();
    RunOptions options;
    options.on_vector = OnVector::stop;
    const Outcome outcome = run_code(code, initial_state(GetParam()), options);
    EXPECT_EQ(outcome.stop.reason, StopReason::vector_instruction) << vector.name;
    EXPECT_EQ(outcome.stop.pc, code.base() + 4);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(outcome.skipped_vector, 0U);
  }
}

TEST_P(VectorInstructions, AreSkippedOnRequest) {
  for (const VectorWord& vector : words()) {
    Code code(GetParam());
    append(code, vector);
    code.sop1("s_mov_b32", s(2), number(1)).end();
    RunOptions options;
    options.on_vector = OnVector::skip;
    const Outcome outcome = run_code(code, initial_state(GetParam()), options);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << vector.name;
    EXPECT_EQ(outcome.steps, 3U);
    EXPECT_EQ(outcome.skipped_vector, 1U);
    EXPECT_EQ(outcome.state.file[2], 1U) << vector.name;
  }
}

TEST_P(VectorInstructions, AreSkippedWhileVskipIsSet) {
  Code code(GetParam());
  code.sopc("s_setvskip", number(1), number(0));
  for (const VectorWord& vector : words()) {
    append(code, vector);
    code.sop2("s_add_u32", s(2), s(2), number(1));
  }
  code.sopc("s_setvskip", number(0), number(0));
  const u64 last = code.here();
  code.word(not_executed(GetParam())).end();
  const Outcome outcome = run_code(code, initial_state(GetParam()));
  EXPECT_EQ(outcome.stop.reason, StopReason::vector_instruction);
  EXPECT_EQ(outcome.stop.pc, last);
  EXPECT_EQ(outcome.state.file[2], words().size());
  EXPECT_EQ(outcome.skipped_vector, words().size());
  EXPECT_EQ(outcome.steps, 2 * words().size() + 3);
}

TEST_P(VectorInstructions, AreSkippedWhenSetregSetsVskip) {
  Code code(GetParam());
  code.sopk("s_setreg_imm32_b32", {}, hwreg(1, 28, 1), 1);
  code.word(0x7e000000).word(0xd8000000).word(0);
  code.sopk("s_setreg_imm32_b32", {}, hwreg(1, 28, 1), 0);
  const u64 last = code.here();
  code.word(not_executed(GetParam()));
  const Outcome outcome = run_code(code, initial_state(GetParam()));
  EXPECT_EQ(outcome.stop.reason, StopReason::vector_instruction);
  EXPECT_EQ(outcome.stop.pc, last);
  EXPECT_EQ(outcome.skipped_vector, 2U);
}

// Scalar instructions are executed under VSKIP.
TEST_P(VectorInstructions, AreAllThatVskipSkips) {
  Code code(GetParam());
  code.sop1("s_mov_b32", s(2), number(1));
  code.sopc("s_cmp_eq_u32", s(2), number(1));
  code.sopp("s_cbranch_scc1", 1);
  code.word(0xbf810000);
  code.sop1("s_mov_b32", s(3), number(2));
  code.end();
  WaveState state = initial_state(GetParam());
  state.mode = 1U << mode_bit::vskip;
  const Outcome outcome = run_code(code, state);
  EXPECT_EQ(outcome.state.file[2], 1U);
  EXPECT_EQ(outcome.state.file[3], 2U);
  EXPECT_EQ(outcome.skipped_vector, 0U);
}

TEST_P(VectorInstructions, OthersAreIllegalEvenUnderVskip) {
  std::vector<u32> illegal = {0xcc000000, 0xe4000000, 0xec000000, 0xf4000000, 0xfc000000};
  for (const VectorWord& each : vector_words) {
    const auto same = [&](const VectorWord& other) { return other.word >> 26 == each.word >> 26; };
    const bool there = std::ranges::any_of(words(), same);
    const bool scalar_memory = each.word >> 27 == 0b11000;  // SMRD or SMEM on the other generations
    const bool short_form = each.word >> 31 == 0;           // all of these are in the list
    if (!there && !scalar_memory && !short_form) illegal.push_back(each.word);
  }
  for (const u32 word : illegal) {
    Code code(GetParam());
    code.word(word).end();
    WaveState state = initial_state(GetParam());
    state.mode = 1U << mode_bit::vskip;
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::illegal_instruction) << std::hex << word;
    EXPECT_EQ(outcome.steps, 1U);
  }
}

TEST_P(VectorInstructions, MustBeWhole) {
  Code code(GetParam());
  code.sop1("s_mov_b32", s(2), number(1)).word(0xd8000000);
  WaveState state = initial_state(GetParam());
  state.mode = 1U << mode_bit::vskip;
  const Outcome outcome = run_code(code, state);
  EXPECT_EQ(outcome.stop.reason, StopReason::pc_outside_code);
  EXPECT_EQ(outcome.stop.pc, code.base() + 4);
}

INSTANTIATE_TEST_SUITE_P(Generations, VectorInstructions,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
