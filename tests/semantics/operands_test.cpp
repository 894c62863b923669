#include <gtest/gtest.h>

#include <algorithm>

#include "columns.hpp"
#include "semantics/placements.hpp"

// Operand codes as in tests/data/isa/operands.tsv, read through S_MOV_B32 and S_MOV_B64, and illegal operands.
namespace salu::test {
namespace {

struct CodeRange {
  u32 first = 0;
  u32 last = 0;
  std::vector<bool> on;  ///< by generation
  bool is_source = false;
  std::string value32;
  std::string value64;
};

std::vector<CodeRange> read_code_ranges() {
  std::vector<CodeRange> ranges;
  const std::vector<std::string> lines = read_data_lines("isa/operands.tsv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], '\t');
    CodeRange range;
    range.first = static_cast<u32>(std::stoul(cells.at(0)));
    range.last = static_cast<u32>(std::stoul(cells.at(1)));
    for (const Generation generation : all_generations()) {
      const std::size_t column = 4 + column_index(generation);
      range.on.push_back(cells.at(column) == "yes" && cells.at(2) != "reserved");
    }
    range.is_source = cells.at(11) == "1";
    range.value32 = cells.at(13);
    range.value64 = cells.at(14);
    ranges.push_back(std::move(range));
  }
  return ranges;
}

/// The row of a code that is a legal source of a scalar instruction on the generation.
const CodeRange* find_range(const std::vector<CodeRange>& ranges, Generation generation, u32 code) {
  for (const CodeRange& range : ranges) {
    const bool there = range.on[static_cast<std::size_t>(generation)] && range.is_source;
    if (there && code >= range.first && code <= range.last) return &range;
  }
  return nullptr;
}

Outcome move32(Generation generation, u32 source) {
  Code code(generation);
  code.sop1("s_mov_b32", s(2), {source});
  code.end();
  return run_code(code, initial_state(generation));
}

TEST(OperandCodes, AreLegalWhereTheDocumentsSaySo) {
  const std::vector<CodeRange> ranges = read_code_ranges();
  for (const Generation generation : all_generations()) {
    for (u32 source = 0; source < 255; ++source) {
      SCOPED_TRACE(std::to_string(source) + " on " + std::string(generation_name(generation)));
      const Outcome outcome = move32(generation, source);
      const StopReason expected =
          find_range(ranges, generation, source) != nullptr ? StopReason::end_program : StopReason::illegal_operand;
      EXPECT_EQ(outcome.stop.reason, expected);
    }
  }
}

TEST(OperandCodes, ConstantsHaveTheDocumentedPatterns) {
  std::size_t checked = 0;
  for (const CodeRange& range : read_code_ranges()) {
    if (!range.value32.starts_with("0x") || !range.value64.starts_with("0x")) continue;
    for (const Generation generation : all_generations()) {
      if (!range.on[static_cast<std::size_t>(generation)]) continue;
      SCOPED_TRACE(std::to_string(range.first) + " on " + std::string(generation_name(generation)));
      Code code(generation);
      code.sop1("s_mov_b32", s(2), {range.first});
      code.sop1("s_mov_b64", s(4), {range.first});
      code.end();
      const WaveState state = run_code(code, initial_state(generation)).state;
      EXPECT_EQ(state.file[2], std::stoul(range.value32, nullptr, 16));
      EXPECT_EQ(state.read64(4), std::stoull(range.value64, nullptr, 16));
      ++checked;
    }
  }
  EXPECT_EQ(checked, generation_count * 10 - 2);  // 0 and eight floats everywhere, 1/(2*PI) not on GCN 1.0 and 1.1
}

TEST(OperandCodes, IntegerConstantsAreSignExtended) {
  for (const Generation generation : all_generations()) {
    for (int value = -16; value <= 64; ++value) {
      Code code(generation);
      code.sop1("s_mov_b32", s(2), number(value));
      code.sop1("s_mov_b64", s(4), number(value));
      code.end();
      const WaveState state = run_code(code, initial_state(generation)).state;
      EXPECT_EQ(static_cast<i32>(state.file[2]), value);
      EXPECT_EQ(static_cast<i64>(state.read64(4)), value);
    }
  }
}

// Both source fields are 255: they share one dword.
TEST(Literals, AreShared) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sop2("s_add_u32", s(2), literal(0x12345678), literal(0x12345678));
    code.sop2("s_lshl_b64", s(4), literal(0x80000003), literal(0x80000003));
    code.sop2("s_ashr_i64", s(6), literal(0x80000004), literal(0x80000004));
    code.end();
    ASSERT_EQ(code.words().size(), 7U);
    const Outcome outcome = run_code(code, initial_state(generation));
    EXPECT_EQ(outcome.steps, 4U);
    EXPECT_EQ(outcome.state.file[2], 0x2468acf0U);
    EXPECT_EQ(outcome.state.read64(4), 0x400000018U);         // zero-extended, shifted by 3
    EXPECT_EQ(outcome.state.read64(6), 0xfffffffff8000000U);  // sign-extended, shifted by 4
  }
}

// A destination must be a register, not a constant or a reserved code. Below code 128, the same codes can be read and
// written.
TEST(Destinations, AreRegistersOnly) {
  const std::vector<CodeRange> ranges = read_code_ranges();
  for (const Generation generation : all_generations()) {
    for (u32 destination = 0; destination < 128; ++destination) {
      Code code(generation);
      code.sop1("s_mov_b32", {destination}, number(5));
      code.end();
      const Outcome outcome = run_code(code, initial_state(generation));
      const bool legal = find_range(ranges, generation, destination) != nullptr;
      EXPECT_EQ(outcome.stop.reason, legal ? StopReason::end_program : StopReason::illegal_operand)
          << destination << " on " << generation_name(generation);
    }
  }
}

TEST(Pairs, MustBeEven) {
  for (const Generation generation : all_generations()) {
    const std::vector<CodeRange> ranges = read_code_ranges();
    for (u32 pair = 0; pair < 128; ++pair) {
      SCOPED_TRACE(std::to_string(pair) + " on " + std::string(generation_name(generation)));
      Code as_source(generation);
      as_source.sop1("s_mov_b64", s(2), {pair}).end();
      Code as_destination(generation);
      as_destination.sop1("s_mov_b64", {pair}, number(1)).end();
      StopReason expected = StopReason::end_program;
      if (pair % 2 == 1) expected = StopReason::misaligned_register;
      // M0 is not part of a pair, and 125 is not a register.
      if (pair == 124 || find_range(ranges, generation, pair) == nullptr) expected = StopReason::illegal_operand;
      EXPECT_EQ(run_code(as_source, initial_state(generation)).stop.reason, expected);
      EXPECT_EQ(run_code(as_destination, initial_state(generation)).stop.reason, expected);
    }
  }
}

// The sources of these instructions must be registers.
TEST(RegisterSources, TakeNoConstants) {
  for (const Generation generation : all_generations()) {
    for (const char* mnemonic : {"s_setpc_b64", "s_swappc_b64", "s_movrels_b32", "s_movrels_b64", "s_cbranch_join"}) {
      for (const Operand& source : {number(4), literal(0x1000), Operand{242}, src_scc}) {
        Code code(generation);
        code.sop1(mnemonic, s(2), source).end();
        const Outcome outcome = run_code(code, initial_state(generation));
        EXPECT_EQ(outcome.stop.reason, StopReason::illegal_operand) << mnemonic << ' ' << source.code;
        EXPECT_EQ(outcome.steps, 1U);
        EXPECT_EQ(outcome.stop.pc, code.base());
      }
    }
  }
}

// The allocation ends within a pair of registers: the pair is beyond it, and s[0:1] is read instead.
TEST(Allocation, EndsWithinAPair) {
  for (const Generation generation : all_generations()) {
    for (u32 sgprs = 1; sgprs <= 10; ++sgprs) {
      for (u32 source = 2; source <= 8; source += 2) {
        Code code(generation);
        code.sop1("s_mov_b64", vcc, s(source));
        code.sop1("s_mov_b32", m0, s(source + 1));
        code.sop1("s_mov_b64", s(source), number(-1));
        code.sop1("s_mov_b32", s(source + 1), number(5));
        code.end();
        WaveState state = initial_state(generation);
        state.sgprs = sgprs;
        for (u32 i = 0; i < 12; ++i) state.file[i] = 100 + i;
        const bool there = source + 2 <= sgprs;
        WaveState expected = state;
        expected.write64(code::vcc, state.read64(there ? source : 0));
        expected.file[m0.code] = there ? state.file[source + 1] : state.file[0];
        if (there) expected.write64(source, 0x5ffffffff);
        expected.pc = code.here() - 4;
        const Outcome outcome = run_code(code, state);
        expected.defined = outcome.state.defined;
        EXPECT_EQ(difference(expected, outcome.state), "") << sgprs << " SGPRs, s" << source;
        EXPECT_EQ(outcome.warnings.size(), there ? 0U : 4U);
      }
    }
  }
}

// AMD's CDNA 3 ISA manual, 3.10: TTMPs read as 0 outside of trap handlers. The manuals before it do not say so.
// "If the destination is out of range, no register is written; SCC and EXEC are written as usual" is how 5.2 of AMD's
// manuals has it.
TEST(Allocation, LosesTheResultAndNotSccOrExec) {
  for (const Generation generation : all_generations()) {
    WaveState state = initial_state(generation);
    state.sgprs = 8;
    state.write64(2, 0xf);
    Code saving(generation);
    saving.sop1("s_and_saveexec_b64", s(8), s(2)).end();
    const Outcome saved = run_code(saving, state);
    EXPECT_EQ(saved.state.exec(), 0xfU);
    EXPECT_TRUE(saved.state.scc);
    EXPECT_EQ(saved.state.read64(8), 0U);
    EXPECT_EQ(warning_names(saved), "register_out_of_range");
    state.file[4] = 0x80000000;
    Code adding(generation);
    adding.sop2("s_add_u32", s(8), s(4), s(4)).end();
    const Outcome added = run_code(adding, state);
    EXPECT_TRUE(added.state.scc);
    EXPECT_EQ(added.state.file[8], 0U);
    EXPECT_EQ(warning_names(added), "register_out_of_range");
  }
}

TEST(TtmpSource, IsHiddenFromVectorInstructions) {
  constexpr u32 v_mov_b32_v1_ttmp4 = 0x7e020270;
  constexpr u32 v_readfirstlane_b32_ttmp4_v0 = 0x7ee00500;
  for (const bool priv : {false, true}) {
    for (const Generation generation : generations(Generation::gcn1_4, Generation::cdna3)) {
      Code code(generation);
      code.word(v_mov_b32_v1_ttmp4).word(v_readfirstlane_b32_ttmp4_v0).end();
      WaveState state = initial_state(generation);
      state.file[ttmp(generation, 4).code] = 7;
      if (priv) state.status |= 1U << status_bit::priv;
      for (u32 lane = 0; lane < 64; ++lane) state.vectors.write(0, lane, 9);
      const WaveState after = run_code(code, state).state;
      EXPECT_EQ(after.vectors.lanes(1)[0], priv || generation < Generation::cdna3 ? 7U : 0U);
      EXPECT_EQ(after.file[ttmp(generation, 4).code], priv ? 9U : 7U);
    }
  }
}

TEST(TtmpSource, NeedsPrivFromCdna3On) {
  for (const Generation generation : all_generations()) {
    for (const bool priv : {false, true}) {
      Code code(generation);
      code.sop1("s_mov_b32", s(2), ttmp(generation, 4));
      code.sop1("s_mov_b64", s(4), ttmp(generation, 4));
      code.sop2("s_add_u32", s(6), number(1), ttmp(generation, 5));
      code.sopk("s_cmpk_lg_u32", ttmp(generation, 4), 0);
      code.end();
      WaveState state = initial_state(generation);
      state.write64(ttmp_code(generation) + 4, 0x0000000700000005);
      if (priv) state.status |= 1U << status_bit::priv;
      const WaveState after = run_code(code, state).state;
      const bool is_seen = priv || generation < Generation::cdna3;
      EXPECT_EQ(after.file[2], is_seen ? 5U : 0U) << generation_name(generation);
      EXPECT_EQ(after.read64(4), is_seen ? 0x0000000700000005U : 0U) << generation_name(generation);
      EXPECT_EQ(after.file[6], is_seen ? 8U : 1U) << generation_name(generation);
      EXPECT_EQ(after.scc, is_seen) << generation_name(generation);
      EXPECT_EQ(after.read64(ttmp_code(generation) + 4), 0x0000000700000005U);
    }
  }
}

// SCC as a source is the value before the instruction overwrites it.
TEST(SccSource, IsReadBeforeItIsWritten) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopc("s_cmp_eq_u32", number(1), number(1));             // SCC = 1
    code.sop2("s_add_u32", s(2), src_scc, literal(0xffffffff));  // 1 + -1 = 0, carry
    code.sop2("s_add_u32", s(3), src_scc, number(5));            // 1 + 5, no carry
    code.sop1("s_mov_b64", s(4), src_scc);
    code.end();
    const WaveState state = run_code(code, initial_state(generation)).state;
    EXPECT_EQ(state.file[2], 0U);
    EXPECT_EQ(state.file[3], 6U);
    EXPECT_EQ(state.read64(4), 0U);
    EXPECT_FALSE(state.scc);
  }
}

}  // namespace
}  // namespace salu::test
