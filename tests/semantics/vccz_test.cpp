#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "semantics/code.hpp"

// VCCZ does not follow writes to one half of VCC (LLVM: partialVCCWritesUpdateVCCZ, false before GFX10).
namespace salu::test {
namespace {

constexpr Operand vccz{251};

/// The warnings of a run, each with the instruction that wrote the half (`stale_vccz@4<0`), by every dispatch loop and
/// one instruction at a time. All must be equal.
std::string warnings_of(const Code& code, const WaveState& initial) {
  std::optional<std::string> seen;
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    for (const bool trace : {false, true}) {
      RunOptions options;
      options.dispatch = dispatch;
      options.max_steps = 1000;
      if (trace) options.trace = [](const TraceEvent&) {};
      const Outcome outcome = run_code(code, initial, options);
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
      std::string text;
      for (const Warning& warning : outcome.warnings) {
        text += std::string(warning_kind_name(warning.kind)) + "@" + std::to_string(warning.pc - code.base()) + "<" +
                std::to_string(warning.producer_pc.value_or(0) - code.base()) + " ";
      }
      EXPECT_EQ(seen.value_or(text), text) << "dispatch " << static_cast<int>(dispatch) << ", trace " << trace;
      seen = text;
    }
  }
  return *seen;
}

std::string warnings_of(const Code& code) { return warnings_of(code, initial_state(code.generation())); }

TEST(StaleVccz, IsReadAfterAWriteOfAHalf) {
  for (const Generation generation : all_generations()) {
    for (const Operand half : {vcc, vcc_hi}) {
      for (const char* const branch : {"s_cbranch_vccz", "s_cbranch_vccnz"}) {
        Code code(generation);
        code.sop1("s_mov_b32", half, number(1)).sopp(branch, 0).sop1("s_mov_b32", s(2), vccz).end();
        EXPECT_EQ(warnings_of(code), "stale_vccz@4<0 stale_vccz@8<0 ");
      }
    }
    Code wide(generation);
    wide.sop2("s_and_b32", vcc, vcc, s(0)).sop1("s_mov_b64", s(2), vccz).end();
    EXPECT_EQ(warnings_of(wide), "stale_vccz@4<0 ");
    Code immediate(generation);
    immediate.sopk("s_movk_i32", vcc_hi, 5).sopp("s_cbranch_vccz", 0).end();
    EXPECT_EQ(warnings_of(immediate), "stale_vccz@4<0 ");
    // The warning names the last write of a half.
    Code both(generation);
    both.sop1("s_mov_b32", vcc, number(1)).sop1("s_mov_b32", vcc_hi, number(1)).sopp("s_cbranch_vccz", 0).end();
    EXPECT_EQ(warnings_of(both), "stale_vccz@8<4 ");
  }
}

TEST(StaleVccz, IsFreshAfterAWriteOfBothHalves) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    // LLVM inserts the second instruction.
    code.sop1("s_mov_b32", vcc, number(1)).sop1("s_mov_b64", vcc, vcc).sopp("s_cbranch_vccz", 0);
    code.sop1("s_mov_b32", vcc_hi, number(0)).sop2("s_and_b64", vcc, exec, vcc).sop1("s_mov_b32", s(2), vccz).end();
    EXPECT_EQ(warnings_of(code), "");
    Code never(generation);
    never.sopp("s_cbranch_vccz", 0).sop1("s_mov_b32", s(2), vccz).sop1("s_mov_b32", s(2), vcc).end();
    EXPECT_EQ(warnings_of(never), "");
  }
}

TEST(StaleVccz, IsNoticedByCodeThatWasDecodedBefore) {
  for (const Generation generation : all_generations()) {
    // Tests first, then writes a half and returns to the test.
    Code tests(generation);
    const u64 loop = tests.here();
    tests.sopp("s_cbranch_vccz", 0);
    const u64 out = tests.here();
    tests.sopp("s_cbranch_scc1", 0);
    tests.sop1("s_mov_b32", vcc, number(1)).sopc("s_cmp_eq_u32", number(0), number(0));
    const u64 back = tests.here();
    tests.sopp("s_branch", 0);
    tests.aim(back, loop);
    tests.aim(out, tests.here());
    tests.end();
    EXPECT_EQ(warnings_of(tests), "stale_vccz@0<8 ");
    // Writes the whole register in between.
    Code writes(generation);
    const u64 again = writes.here();
    writes.sop1("s_mov_b64", vcc, number(0)).sopp("s_cbranch_vccnz", 0);
    const u64 leave = writes.here();
    writes.sopp("s_cbranch_scc1", 0);
    writes.sop1("s_mov_b32", vcc_hi, number(1)).sopc("s_cmp_eq_u32", number(0), number(0));
    const u64 jump = writes.here();
    writes.sopp("s_branch", 0);
    writes.aim(jump, again);
    writes.aim(leave, writes.here());
    writes.end();
    EXPECT_EQ(warnings_of(writes), "");
  }
}

/// Words as LLVM 19 assembles them.
struct VectorWords {
  std::vector<u32> readlane_low;        ///< v_readlane_b32 vcc_lo, v0, 0
  std::vector<u32> readlane_high;       ///< v_readlane_b32 vcc_hi, v0, 3
  std::vector<u32> readfirstlane_high;  ///< v_readfirstlane_b32 vcc_hi, v0
  u32 compare = 0;                      ///< v_cmp_eq_u32 vcc, v0, v0
};

VectorWords vector_words(Generation generation) {
  if (!is_gcn1_2_or_later(generation)) return {{0x02d50100}, {0x02d70700}, {0x7ed60500}, 0x7d840100};
  return {{0xd289006a, 0x00010100}, {0xd289006b, 0x00010700}, {0x7ed60500}, 0x7d940100};
}

TEST(StaleVccz, IsReadAfterAVectorInstructionThatWritesAHalf) {
  for (const Generation generation : all_generations()) {
    const VectorWords words = vector_words(generation);
    for (const std::vector<u32>& half : {words.readlane_low, words.readlane_high, words.readfirstlane_high}) {
      const std::string behind = std::to_string(4 * half.size());
      Code branch(generation);
      for (const u32 word : half) branch.word(word);
      branch.sopp("s_cbranch_vccz", 0).end();
      EXPECT_EQ(warnings_of(branch), "stale_vccz@" + behind + "<0 ");
      Code operand(generation);
      for (const u32 word : half) operand.word(word);
      operand.sop1("s_mov_b32", s(2), vccz).end();
      EXPECT_EQ(warnings_of(operand), "stale_vccz@" + behind + "<0 ");
      // A compare writes the whole register.
      Code compared(generation);
      for (const u32 word : half) compared.word(word);
      compared.word(words.compare).sopp("s_cbranch_vccz", 0).end();
      EXPECT_EQ(warnings_of(compared), "");
      Code scalar(generation);
      for (const u32 word : half) scalar.word(word);
      scalar.sop1("s_mov_b64", vcc, vcc).sopp("s_cbranch_vccz", 0).end();
      EXPECT_EQ(warnings_of(scalar), "");
    }
  }
}

TEST(StaleVccz, NeedsAWriteThatHappens) {
  for (const Generation generation : all_generations()) {
    for (const bool scc : {false, true}) {
      Code code(generation);
      code.sop1("s_cmov_b32", vcc, number(1)).sopp("s_cbranch_vccz", 0).end();
      WaveState state = initial_state(generation);
      state.scc = scc;
      EXPECT_EQ(warnings_of(code, state), scc ? "stale_vccz@4<0 " : "");
      Code whole(generation);
      whole.sop1("s_mov_b32", vcc, number(1)).sop1("s_cmov_b64", vcc, number(1)).sopp("s_cbranch_vccz", 0).end();
      EXPECT_EQ(warnings_of(whole, state), scc ? "" : "stale_vccz@8<0 ");
    }
  }
}

}  // namespace
}  // namespace salu::test
