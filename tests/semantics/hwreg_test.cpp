#include <gtest/gtest.h>

#include "semantics/code.hpp"
#include "semantics/documents.hpp"

// S_GETREG and S_SETREG on every field position and size; the writable bits come from tests/data/isa/hwregs.tsv.
namespace salu::test {
namespace {

constexpr u32 mode_id = 1;
constexpr u32 status_id = 2;
constexpr u32 trapsts_number = 3;
constexpr u32 noise = 0xb5297a4d;

/// True if a bit of the register is in a field, for a loop over single bits.
bool in_field(u32 bit, u32 offset, u32 size) { return bit >= offset && bit < offset + size; }

TEST(Getreg, ReadsEveryField) {
  for (const Generation generation : {Generation::gcn1_0, Generation::gcn1_2, Generation::cdna3}) {
    Code code(generation);
    std::vector<u32> expected;
    for (u32 offset = 0; offset < 32; ++offset) {
      for (u32 size = 1; size <= 32; ++size) {
        code.sopk("s_getreg_b32", s(2), hwreg(trapsts_number, offset, size));
        code.sopc("s_cmp_eq_u32", s(2), literal(0));  // set to the expected value below
        code.sopp("s_cbranch_scc0", 0x7fff);
        u32 value = 0;
        for (u32 bit = 0; bit < size && offset + bit < 32; ++bit) value |= (noise >> (offset + bit) & 1) << bit;
        expected.push_back(value);
      }
    }
    code.end();
    Code checked(generation);
    for (std::size_t i = 0, field = 0; i < code.words().size(); ++i) {
      const bool is_literal = i % 4 == 2 && field < expected.size();
      checked.word(is_literal ? expected[field++] : code.words()[i]);
    }
    WaveState state = initial_state(generation);
    state.hwregs[trapsts_number] = noise;
    state.scc = true;
    const Outcome outcome = run_code(checked, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program)
        << "a field read wrong before " << std::hex << outcome.stop.pc;
    EXPECT_EQ(outcome.steps, 32U * 32 * 3 + 1);
  }
}

struct Written {
  u32 id = 0;
  u32 old = 0;
  u32 value = 0;
  u32 writable = 0;
};

/// Runs S_SETREG_B32 and S_SETREG_IMM32_B32 over every field and compares with a loop over single bits.
void check_all_fields(Generation generation, const Written& written, bool priv, u32 WaveState::* member) {
  for (u32 offset = 0; offset < 32; ++offset) {
    for (u32 size = 1; size <= 32; ++size) {
      u32 expected = written.old;
      bool dropped = false;
      for (u32 bit = 0; bit < 32; ++bit) {
        if (!in_field(bit, offset, size)) continue;
        const u32 wanted = written.value >> (bit - offset) & 1;
        const bool changes = (written.old >> bit & 1) != wanted;
        if ((written.writable >> bit & 1) != 0) {
          expected = (expected & ~(1U << bit)) | wanted << bit;
        } else {
          dropped |= changes;
        }
      }
      for (const bool immediate : {false, true}) {
        Code code(generation);
        const u32 simm16 = hwreg(written.id, offset, size);
        if (immediate) {
          code.sopk("s_setreg_imm32_b32", {}, simm16, written.value);
        } else {
          code.sopk("s_setreg_b32", s(2), simm16);
        }
        code.end();
        WaveState state = initial_state(generation);
        state.file[2] = written.value;
        state.write64(code::vcc, 1);
        if (priv) state.status |= 1U << status_bit::priv;
        u32& target = member != nullptr ? state.*member : state.hwregs[written.id];
        target = written.old;
        WaveState after = state;
        (member != nullptr ? after.*member : after.hwregs[written.id]) = expected;
        after.pc = code.here() - 4;
        const Outcome outcome = run_code(code, state);
        after.defined = outcome.state.defined;
        ASSERT_EQ(difference(after, outcome.state), "")
            << generation_name(generation) << ": hwreg(" << written.id << ", " << offset << ", " << size << ")";
        ASSERT_EQ(warning_names(outcome), dropped ? "dropped_write" : "");
      }
    }
  }
}

TEST(Setreg, WritesEveryFieldOfModeAndDropsTheRest) {
  for (const Generation generation : all_generations()) {
    const u32 writable = hwreg_field_bits(generation, mode_id);
    // Bits that do not belong to any field of the generation stay zero, so that dropped bits are visible.
    check_all_fields(generation, {mode_id, 0x600003c5 & writable, noise, writable}, false, &WaveState::mode);
  }
}

TEST(Setreg, WritesExceptionBitsAndSavectxOfTrapsts) {
  for (const Generation generation : all_generations()) {
    const u32 exceptions = hwreg_field_bits(generation, trapsts_number, "EXCP");
    EXPECT_EQ(exceptions, generation == Generation::gcn1_0 ? 0x7fU : 0x1ffU);
    // From GCN 1.4 on, a shader can set SAVECTX (Vega ISA manual, table 5).
    const u32 save = is_gfx9(generation) ? 1U << 10 : 0;
    check_all_fields(generation, {trapsts_number, 0x1234, noise, exceptions | save}, false, nullptr);
    check_all_fields(generation, {trapsts_number, 0x1234, noise, hwreg_field_bits(generation, trapsts_number)}, true,
                     nullptr);
  }
}

TEST(Setreg, WritesNothingOfStatusWithoutPriv) {
  for (const Generation generation : all_generations()) {
    // Starts from a STATUS with SCC, EXECZ and VCCZ zero: EXEC and VCC are not zero here.
    check_all_fields(generation, {status_id, 0x00010840, noise, 0}, false, &WaveState::status);
  }
}

TEST(Setreg, RestoresStatusInATrapHandler) {
  for (const Generation generation : all_generations()) {
    const u32 writable = hwreg_field_bits(generation, status_id) & ~u32{0x620};  // not PRIV, EXECZ, VCCZ
    const u32 old = 0x00010860;
    for (u32 bit = 0; bit < 32; ++bit) {
      for (const u32 value : {0U, 1U}) {
        Code code(generation);
        code.sopk("s_setreg_imm32_b32", {}, hwreg(status_id, bit, 1), value).end();
        WaveState state = initial_state(generation);
        state.write64(code::vcc, 1);
        state.status = old;
        RunOptions one;
        one.max_steps = 1;
        const Outcome outcome = run_code(code, state, one);
        u32 expected = old;
        if ((writable >> bit & 1) != 0) expected = (old & ~(1U << bit)) | value << bit;
        EXPECT_EQ(outcome.state.full_status(), expected)
            << generation_name(generation) << ": STATUS[" << bit << "] = " << value;
        EXPECT_EQ(outcome.state.scc, bit == 0 && value == 1);
        const bool dropped = (old >> bit & 1) != value && (writable >> bit & 1) == 0;
        EXPECT_EQ(warning_names(outcome), dropped ? "dropped_write" : "");
      }
    }
  }
}

// MODE is connected to live state: writes to MODE take effect, and changes are visible in MODE.
TEST(Setreg, MovesTheControlStackPointer) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopk("s_setreg_imm32_b32", {}, hwreg(mode_id, 29, 3), 2);
    code.sop1("s_mov_b32", s(40), number(2));
    code.sop1("s_cbranch_join", {}, s(40));  // CSP == 2: falls through
    code.sop1("s_mov_b32", s(41), number(1));
    code.sop1("s_mov_b64", s(42), number(3));
    code.sopk("s_cbranch_i_fork", s(42), 0);  // pushes onto entry 2, s[8:11]
    code.sopk("s_getreg_b32", s(44), hwreg(mode_id, 29, 3));
    code.end();
    WaveState state = initial_state(generation);
    state.write64(code::exec, 0xf);
    const Outcome outcome = run_code(code, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[41], 1U);
    EXPECT_EQ(outcome.state.read64(8), 0xcU);
    EXPECT_EQ(outcome.state.file[44], 3U);
    EXPECT_EQ(outcome.state.csp(), 3U);
  }
}

TEST(Getreg, SeesStatusAsItIsNow) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopc("s_cmp_eq_u32", number(0), number(0));
    code.sopk("s_getreg_b32", s(2), hwreg(status_id, 0, 1));
    code.sopc("s_cmp_eq_u32", number(0), number(1));
    code.sopk("s_getreg_b32", s(3), hwreg(status_id, 0, 1));
    code.sop1("s_mov_b64", exec, number(0));
    code.sop1("s_mov_b64", vcc, number(1));
    code.sopk("s_getreg_b32", s(4), hwreg(status_id, 9, 2));
    code.sop1("s_mov_b32", exec_hi, number(1));
    code.sop1("s_mov_b64", vcc, number(0));
    code.sopk("s_getreg_b32", s(5), hwreg(status_id, 9, 2));
    code.sopp("s_setprio", 3);
    code.sopk("s_getreg_b32", s(6), hwreg(status_id, 3, 2));
    code.end();
    const WaveState state = run_code(code, initial_state(generation)).state;
    EXPECT_EQ(state.file[2], 1U);
    EXPECT_EQ(state.file[3], 0U);
    EXPECT_EQ(state.file[4], 1U);  // EXECZ
    EXPECT_EQ(state.file[5], 2U);  // VCCZ
    EXPECT_EQ(state.file[6], 3U);
  }
}

}  // namespace
}  // namespace salu::test
