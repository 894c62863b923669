#include <gtest/gtest.h>

#include <vector>

#include "semantics/code.hpp"

// Registers beyond the wave's allocation of VGPRs and AGPRs (Vega ISA manual, 3.6.1 and 6.2.3; the same in the manuals
// up to CDNA 4): a source reads VGPR0; a result turns the instruction into a NOP, including its other results; every
// dword of an operand counts. The words are from llvm-mc.
namespace salu::test {
namespace {

constexpr u32 vgprs = 8;

WaveState small_state(Generation generation) {
  WaveState state = initial_state(generation);
  state.vgprs = vgprs;
  for (u32 lane = 0; lane < 64; ++lane) {
    state.vectors.write(0, lane, 7);
    state.vectors.write(1, lane, 11);
    state.vectors.write(2, lane, 100 + lane);
    state.vectors.write(7, lane, 70);
    // A value that a wave of this size could not have written.
    state.vectors.write(8, lane, 80);
    state.vectors.write(200, lane, 2000);
  }
  return state;
}

Outcome run_words(Generation generation, const WaveState& state, const std::vector<u32>& words) {
  Code code(generation);
  for (const u32 word : words) code.word(word);
  code.end();
  return run_code(code, state);
}

u32 lane_of(const Outcome& outcome, u32 number, u32 lane = 3) { return outcome.state.vectors.lanes(number)[lane]; }

TEST(VectorAllocation, SourcesReadVgpr0) {
  for (const Generation generation : all_generations()) {
    const Outcome outcome = run_words(generation, small_state(generation), {0x7e0a03c8});  // v_mov_b32 v5, v200
    EXPECT_EQ(lane_of(outcome, 5), 7U) << generation_name(generation);
    EXPECT_EQ(warning_names(outcome), "register_out_of_range");
    EXPECT_EQ(outcome.warnings[0].detail, "v200 is beyond the 8 allocated VGPRs: v0 is read instead");
    // The last allocated register, and the next one.
    EXPECT_EQ(lane_of(run_words(generation, small_state(generation), {0x7e0a0307}), 5), 70U);  // v_mov_b32 v5, v7
    EXPECT_EQ(lane_of(run_words(generation, small_state(generation), {0x7e0a0308}), 5), 7U);   // v_mov_b32 v5, v8
    // A scalar result of v200.
    const Outcome scalar =
        run_words(generation, small_state(generation), {0x7e0805c8});  // v_readfirstlane_b32 s4, v200
    EXPECT_EQ(scalar.state.file[4], 7U);
    EXPECT_EQ(warning_names(scalar), "register_out_of_range");
  }
}

TEST(VectorAllocation, ResultsAreDropped) {
  for (const Generation generation : all_generations()) {
    const Outcome outcome = run_words(generation, small_state(generation), {0x7f920302});  // v_mov_b32 v201, v2
    EXPECT_EQ(outcome.state.vectors.defined(201), 0U);
    EXPECT_EQ(lane_of(outcome, 0), 7U);
    EXPECT_EQ(warning_names(outcome), "register_out_of_range");
    EXPECT_EQ(outcome.warnings[0].detail, "v201 is beyond the 8 allocated VGPRs: the instruction is ignored");
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  }
}

// The carry is another result of the same instruction: neither is written.
TEST(VectorAllocation, OneLostResultDropsTheOthers) {
  WaveState state = small_state(Generation::gcn1_4);
  state.write64(code::vcc, 0x1234);
  const Outcome outcome = run_words(Generation::gcn1_4, state, {0x33900502});  // v_add_co_u32 v200, vcc, v2, v2
  EXPECT_EQ(outcome.state.vcc(), 0x1234U);
  EXPECT_EQ(lane_of(outcome, 200), 2000U);
  // v_add_co_u32_e64 v3, s[20:21], v2, v2 with 16 SGPRs
  state.sgprs = 16;
  const Outcome carry = run_words(Generation::gcn1_4, state, {0xd1191403, 0x00020502});
  EXPECT_EQ(carry.state.vectors.defined(3), 0U);
  EXPECT_EQ(warning_names(carry), "register_out_of_range");
  EXPECT_EQ(carry.warnings[0].detail, "s[20:21] is beyond the 16 allocated SGPRs: the instruction is ignored");
}

// Pairs: the second dword is beyond the allocation.
TEST(VectorAllocation, EveryDwordCounts) {
  const Generation generation = Generation::gcn1_4;
  // v_lshlrev_b64 v[4:5], 0, v[7:8] reads v[0:1].
  const Outcome read = run_words(generation, small_state(generation), {0xd28f0004, 0x00020e80});
  EXPECT_EQ(lane_of(read, 4), 7U);
  EXPECT_EQ(lane_of(read, 5), 11U);
  EXPECT_EQ(warning_names(read), "register_out_of_range");
  // v_lshlrev_b64 v[7:8], 0, v[0:1]
  const Outcome written = run_words(generation, small_state(generation), {0xd28f0007, 0x00020080});
  EXPECT_EQ(lane_of(written, 7), 70U);
  EXPECT_EQ(lane_of(written, 8), 80U);
  EXPECT_EQ(warning_names(written), "register_out_of_range");
}

// M0 selects a register beyond the allocation, but not beyond v255.
TEST(VectorAllocation, RegistersThatM0Selects) {
  // s_set_gpr_idx_on s0, 1 (src0); v_mov_b32 v4, v5; s_set_gpr_idx_off
  WaveState state = small_state(Generation::gcn1_4);
  state.file[0] = 3;
  const Outcome indexed = run_words(Generation::gcn1_4, state, {0xbf110100, 0x7e080305, 0xbf9c0000});
  EXPECT_EQ(lane_of(indexed, 4), 7U);
  EXPECT_EQ(warning_names(indexed), "register_out_of_range");
  // v_movreld_b32 v6, v2 with M0 = 2
  WaveState relative = small_state(Generation::gcn1_2);
  relative.file[code::m0] = 2;
  const Outcome moved = run_words(Generation::gcn1_2, relative, {0x7e0c6d02});
  EXPECT_EQ(lane_of(moved, 8), 80U);
  EXPECT_EQ(warning_names(moved), "register_out_of_range");
}

TEST(VectorAllocation, AccumulationRegisters) {
  WaveState state = small_state(Generation::cdna1);
  state.agprs = 4;
  // v_accvgpr_write_b32 a4, v2; v_accvgpr_read_b32 v3, a9
  const Outcome outcome = run_words(Generation::cdna1, state, {0xd3d94004, 0x18000102, 0xd3d84003, 0x18000109});
  EXPECT_EQ(outcome.state.vectors.defined(VectorRegisters::vgprs + 4), 0U);
  EXPECT_EQ(lane_of(outcome, 3), 7U);
  EXPECT_EQ(warning_names(outcome), "register_out_of_range register_out_of_range");
  EXPECT_EQ(outcome.warnings[0].detail, "a4 is beyond the 4 allocated AGPRs: the instruction is ignored");
}

TEST(VectorAllocation, SwapsWriteNeither) {
  const Outcome outcome = run_words(Generation::gcn1_4, small_state(Generation::gcn1_4), {0x7e04a3c8});
  EXPECT_EQ(lane_of(outcome, 2), 103U);  // v_swap_b32 v2, v200
  EXPECT_EQ(lane_of(outcome, 200), 2000U);
}

// CDNA 2 to 4 ISA manuals, 3.6.4: 64-bit data is in even VGPRs. M0 can select odd ones.
TEST(VectorAllocation, OddPairsThatM0Selects) {
  for (const Generation generation : generations(Generation::gcn1_4, Generation::cdna3)) {
    const std::string warnings = generation >= Generation::cdna2 ? "unspecified_result" : "";
    WaveState state = small_state(generation);
    state.file[0] = 1;
    // s_set_gpr_idx_on s0, gpr_idx(SRC1); v_lshlrev_b64 v[4:5], 0, v[0:1]
    const Outcome read = run_words(generation, state, {0xbf110200, 0xd28f0004, 0x00020080});
    EXPECT_EQ(lane_of(read, 4), 11U);
    EXPECT_EQ(lane_of(read, 5), 103U);
    EXPECT_EQ(warning_names(read), warnings);
    // s_set_gpr_idx_on s0, gpr_idx(DST); v_lshlrev_b64 v[4:5], 0, v[0:1]
    const Outcome written = run_words(generation, state, {0xbf110800, 0xd28f0004, 0x00020080});
    EXPECT_EQ(lane_of(written, 5), 7U);
    EXPECT_EQ(lane_of(written, 6), 11U);
    EXPECT_EQ(warning_names(written), warnings);
    state.file[0] = 2;
    EXPECT_EQ(warning_names(run_words(generation, state, {0xbf110200, 0xd28f0004, 0x00020080})), "");
  }
}

// S_SETREG sets MODE.GPR_IDX_EN like S_SET_GPR_IDX_ON.
TEST(VectorAllocation, IndexModeThatSetregSwitchesOn) {
  for (const Generation generation : generations(Generation::gcn1_2, Generation::cdna3)) {
    WaveState state = small_state(generation);
    state.file[code::m0] = 0x1001;  // SRC0, one register further
    // s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 1), 1; v_mov_b32 v0, v1
    const Outcome outcome = run_words(generation, state, {0xba0006c1, 1, 0x7e000301});
    EXPECT_EQ(lane_of(outcome, 0), 103U);
    EXPECT_EQ(warning_names(outcome), "");
  }
}

// Vega ISA manual, 6.6: VGPRs of lane accesses, SDWA and packed instructions are indexed; those of memory instructions
// are not.
TEST(VectorAllocation, OperandsOfTheIndexMode) {
  for (const Generation generation : generations(Generation::gcn1_4, Generation::cdna3)) {
    WaveState state = initial_state(generation);
    state.file[0] = 2;
    const std::vector<std::pair<u32, u32>> values = {{0, 0x00010002}, {1, 0x00030004}, {2, 0x00050006}, {3, 130},
                                                     {4, 140},        {5, 0x11223344}, {6, 9},          {7, 0x55667788},
                                                     {10, 0x20000},   {11, 0}};
    for (const auto& [number, value] : values) {
      for (u32 lane = 0; lane < 2; ++lane) state.vectors.write(number, lane, value);
    }
    state.vectors.write(3, 1, 131);
    state.write64(code::exec, 3);
    Code code(generation);
    const std::vector<u32> words = {
        0xbf110100,              // s_set_gpr_idx_on s0, gpr_idx(SRC0)
        0xd2890004, 0x00010301,  // v_readlane_b32 s4, v1, 1
        0x7e0a0501,              // v_readfirstlane_b32 s5, v1
        0xbf9d0008,              // s_set_gpr_idx_mode gpr_idx(DST)
        0xd2890006, 0x00010303,  // v_readlane_b32 s6, v3, 1
        0xd28a0002, 0x000100b7,  // v_writelane_b32 v2, 55, 0
        0x7e0a02f9, 0x00061006,  // v_mov_b32_sdwa v5, v6 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
        0xbf9d000f,              // s_set_gpr_idx_mode gpr_idx(SRC0,SRC1,SRC2,DST)
        0xd38a400c, 0x18020300,  // v_pk_add_u16 v12, v0, v1
        0xdc508000, 0x097f000a,  // global_load_dword v9, v[10:11], off
        0xbf9c0000};             // s_set_gpr_idx_off
    for (const u32 word : words) code.word(word);
    Memory memory;
    ASSERT_TRUE(memory.add_region({0x20000, 0x1000}));
    memory.write_dword(0x20000, 0x77);
    const Program program = program_of({&code.end()});
    state.pc = program.entry;
    const Outcome outcome = run(program, state, memory);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[4], 131U);
    EXPECT_EQ(outcome.state.file[5], 130U);
    EXPECT_EQ(outcome.state.file[6], 131U);
    EXPECT_EQ(lane_of(outcome, 4, 0), 55U);
    EXPECT_EQ(lane_of(outcome, 4, 1), 140U);
    EXPECT_EQ(lane_of(outcome, 5, 0), 0x11223344U);
    EXPECT_EQ(lane_of(outcome, 7, 0), 0x55667709U);
    EXPECT_EQ(lane_of(outcome, 14, 0), 0x00050088U);
    EXPECT_EQ(lane_of(outcome, 9, 0), 0x77U);
  }
}

}  // namespace
}  // namespace salu::test
