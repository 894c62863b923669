#include <salu/state.hpp>
#include <salu/target.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "isa/operand_text.hpp"
#include "isa/symbolic.hpp"

// Two generations of RDNA, which overlay.py adds to the tables. The words and values are from LLVM 19.
namespace salu::isa {
namespace {

constexpr Generation rdna1 = Generation::rdna1;
constexpr Generation rdna3 = Generation::rdna3;
constexpr std::array<Generation, 2> both = {rdna1, rdna3};

struct Words {
  Generation generation;
  std::vector<u32> words;
  std::string text;
};

class RdnaText : public testing::TestWithParam<Words> {};

TEST_P(RdnaText, IsDecodedAndEncoded) {
  const auto& [generation, words, text] = GetParam();
  const Instruction instruction = decode(generation, words);
  ASSERT_EQ(instruction.encoding, EncodingClass::scalar);
  EXPECT_EQ(instruction.dwords, words.size());
  EXPECT_FALSE(find_operand_fault(generation, instruction));
  EXPECT_EQ(disassemble(generation, instruction), text);
  const EncodedWords encoded = encode(generation, instruction);
  EXPECT_EQ(std::vector<u32>(encoded.span().begin(), encoded.span().end()), words);
}

INSTANTIATE_TEST_SUITE_P(
    Llvm, RdnaText,
    testing::Values(Words{rdna1, {0xbe80037d}, "s_mov_b32 s0, null"}, Words{rdna3, {0xbe80007c}, "s_mov_b32 s0, null"},
                    Words{rdna1, {0xbe80047d}, "s_mov_b64 s[0:1], null"},
                    Words{rdna3, {0xbe80017c}, "s_mov_b64 s[0:1], null"},
                    Words{rdna1, {0xbefd0300}, "s_mov_b32 null, s0"}, Words{rdna3, {0xbefc0000}, "s_mov_b32 null, s0"},
                    Words{rdna1, {0xbefc0369}, "s_mov_b32 m0, s105"}, Words{rdna3, {0xbefd0069}, "s_mov_b32 m0, s105"},
                    Words{rdna1, {0xbe8003fb}, "s_mov_b32 s0, src_vccz"},
                    Words{rdna1, {0x806aff7e, 0x12345678}, "s_add_u32 vcc_lo, exec_lo, 0x12345678"},
                    Words{rdna3, {0x806aff7e, 0x12345678}, "s_add_u32 vcc_lo, exec_lo, 0x12345678"},
                    Words{rdna1, {0xb900f814}, "s_getreg_b32 s0, hwreg(HW_REG_FLAT_SCR_LO)"},
                    Words{rdna3, {0xb880f814}, "s_getreg_b32 s0, hwreg(HW_REG_FLAT_SCR_LO)"},
                    Words{rdna1, {0xb900f801}, "s_getreg_b32 s0, hwreg(HW_REG_MODE)"},
                    Words{rdna1, {0xbf8c2871}, "s_waitcnt vmcnt(1) lgkmcnt(40)"},
                    Words{rdna3, {0xbf890687}, "s_waitcnt vmcnt(1) lgkmcnt(40)"},
                    Words{rdna1, {0xbf810000}, "s_endpgm"}, Words{rdna3, {0xbfb00000}, "s_endpgm"},
                    Words{rdna1, {0xf4000001, 0xfa000010}, "s_load_dword s0, s[2:3], 0x10"},
                    Words{rdna1, {0xf4000141, 0x0e000000}, "s_load_dword s5, s[2:3], s7"},
                    Words{rdna1, {0xf4000141, 0x0e1ffffc}, "s_load_dword s5, s[2:3], s7 offset:-0x4"},
                    Words{rdna1, {0xf4010141, 0xf8000000}, "s_load_dword s5, s[2:3], m0 glc"},
                    Words{rdna1, {0xf4014141, 0xfa1ffffc}, "s_load_dword s5, s[2:3], -0x4 glc dlc"}));

TEST(Rdna, RowsOfGcnDoNotServeIt) {
  for (const Generation generation : both) {
    std::vector<std::string> known;
    for (const InstructionInfo& row : all_instructions()) {
      if (row.opcode(generation) != absent) known.emplace_back(row.mnemonic);
    }
    std::vector<std::string> entered = {"s_mov_b32", "s_mov_b64", "s_add_u32", "s_getreg_b32", "s_endpgm", "s_waitcnt"};
    if (generation == rdna1) entered.emplace_back("s_load_dword");
    EXPECT_EQ(known, entered) << generation_name(generation);
  }
  // S_MOV_B32 of GCN 1.2, S_LOAD_DWORD of GCN 1.2, S_ENDPGM of GCN.
  EXPECT_EQ(decode(rdna1, std::array{0xbe800001U}).encoding, EncodingClass::illegal);
  EXPECT_EQ(decode(rdna1, std::array{0xc0020001U, 0U}).encoding, EncodingClass::illegal);
  EXPECT_EQ(decode(rdna3, std::array{0xbf810000U}).encoding, EncodingClass::illegal);
}

TEST(Rdna, OperandCodes) {
  for (const Generation generation : both) {
    EXPECT_EQ(operand_class(generation, 105), OperandClass::sgpr);
    EXPECT_EQ(operand_class(generation, 106), OperandClass::vcc);
    EXPECT_EQ(operand_class(generation, 123), OperandClass::ttmp);
    EXPECT_EQ(operand_class(generation, 126), OperandClass::exec);
    EXPECT_EQ(operand_class(generation, 253), OperandClass::scc);
    EXPECT_EQ(register_name(generation, 104, 2), "s[104:105]");
    EXPECT_EQ(parse_register(generation, "flat_scratch"), std::nullopt);
    EXPECT_EQ(judge_operand(generation, OperandKind::source, 2, operand_codes(generation).null), OperandVerdict::legal);
    EXPECT_EQ(judge_operand(generation, OperandKind::source, 2, operand_codes(generation).m0), OperandVerdict::illegal);
  }
  EXPECT_EQ(operand_text(rdna1, 124, 1, 0), "m0");
  EXPECT_EQ(operand_text(rdna1, 125, 1, 0), "null");
  EXPECT_EQ(operand_text(rdna3, 124, 1, 0), "null");
  EXPECT_EQ(operand_text(rdna3, 125, 1, 0), "m0");
  EXPECT_EQ(parse_register(rdna3, "m0"), (RegisterSpan{125, 1}));
  EXPECT_EQ(parse_register(rdna3, "null"), (RegisterSpan{124, 1}));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "null"), std::nullopt);
  EXPECT_EQ(operand_class(rdna1, 251), OperandClass::vccz);
  EXPECT_EQ(operand_class(rdna3, 251), OperandClass::reserved);
  EXPECT_EQ(operand_class(rdna3, 252), OperandClass::reserved);
  EXPECT_EQ(operand_class(Generation::gcn1_4, 125), OperandClass::reserved);
}

TEST(Rdna, IndicesOfState) {
  EXPECT_EQ(register_index(rdna1, 124), state_index::m0);
  EXPECT_EQ(register_index(rdna1, 125), state_index::null);
  EXPECT_EQ(register_index(rdna3, 125), state_index::m0);
  EXPECT_EQ(register_index(rdna3, 124), state_index::null);
  for (const Generation generation : both) {
    EXPECT_EQ(register_index(generation, 106), state_index::vcc);
    EXPECT_EQ(register_index(generation, 127), state_index::exec + 1);
    for (u32 code = 0; code < code::count; ++code)
      EXPECT_EQ(register_code(generation, register_index(generation, code)), code);
  }
}

TEST(Rdna, WavesAndLayouts) {
  for (const Generation generation : both) {
    EXPECT_EQ(wave_size(generation), 32U);
    EXPECT_EQ(lane_mask(wave_size(generation)), 0xffffffffU);
    EXPECT_EQ(sgpr_limit(generation), 106U);
    const ModeLayout& mode = mode_layout(generation);
    EXPECT_EQ(mode.vskip.of(~0U) | mode.gpr_idx_en.of(~0U) | mode.csp.of(~0U), 0U);
    EXPECT_EQ(mode.vskip.mask(), 0U);
    EXPECT_EQ(mode.ieee.mask(), 1U << 9);
    EXPECT_EQ(status_layout(generation).priv.mask(), 1U << 5);
  }
  // VCCZ and EXECZ of a wave of 32 lanes do not depend on the upper halves.
  WaveState state;
  state.wave_size = 32;
  state.write64(state_index::exec, u64{1} << 32);
  state.write64(state_index::vcc, 1);
  EXPECT_EQ(state.full_status(), status_layout(rdna1).execz.mask());
}

TEST(Rdna, WaitCounters) {
  EXPECT_EQ(wait_limits(rdna1), (WaitCounters{63, 7, 63}));
  EXPECT_EQ(decode_waitcnt(rdna1, 0x3f70), (WaitCounters{0, 7, 63}));
  EXPECT_EQ(decode_waitcnt(rdna1, 0xff0f), (WaitCounters{63, 0, 63}));
  EXPECT_EQ(decode_waitcnt(rdna1, 0xc07f), (WaitCounters{63, 7, 0}));
  EXPECT_EQ(wait_limits(rdna3), (WaitCounters{63, 7, 63}));
  EXPECT_EQ(decode_waitcnt(rdna3, 0x03f7), (WaitCounters{0, 7, 63}));
  EXPECT_EQ(decode_waitcnt(rdna3, 0xfff0), (WaitCounters{63, 0, 63}));
  EXPECT_EQ(decode_waitcnt(rdna3, 0xfc07), (WaitCounters{63, 7, 0}));
  EXPECT_EQ(encode_waitcnt(rdna3, {0, 7, 0}), 0x0007);
}

TEST(Rdna, HardwareRegisters) {
  EXPECT_EQ(find_hwreg(rdna1, 1)->name, "MODE");
  EXPECT_EQ(find_hwreg(rdna1, 16)->name, "TBA_LO");
  EXPECT_EQ(find_hwreg(rdna3, 16), nullptr);
  EXPECT_EQ(find_hwreg(rdna1, 20)->name, "FLAT_SCR_LO");
  EXPECT_EQ(find_hwreg(Generation::cdna3, 20)->name, "XCC_ID");
  EXPECT_EQ(find_hwreg_field(rdna1, 1, "VSKIP"), nullptr);
}

TEST(Rdna, LengthsOfVectorInstructions) {
  static_assert(longest_instruction == 5);
  const auto expect = [](const std::vector<u32>& words, VectorFormat format) {
    const Instruction instruction = decode(rdna1, words);
    EXPECT_EQ(instruction.encoding, EncodingClass::vector) << std::hex << words[0];
    EXPECT_EQ(instruction.vector, format) << std::hex << words[0];
    EXPECT_EQ(instruction.dwords, words.size()) << std::hex << words[0];
    const Instruction cut = decode(rdna1, std::span(words).first(words.size() - 1));
    EXPECT_EQ(cut.encoding, EncodingClass::truncated) << std::hex << words[0];
  };
  expect({0xd76d0000, 0x03fe0501, 0x01234567}, VectorFormat::vop3);  // v_add3_u32 with a literal
  expect({0xd76d0000, 0x040e0501}, VectorFormat::vop3);
  expect({0xcc0a4000, 0x1801ff01, 0x01234567}, VectorFormat::vop3);  // v_pk_add_u16 with a literal
  expect({0x7e0002ff, 0x01234567}, VectorFormat::vop1);
  expect({0x5a000501, 0x01234567}, VectorFormat::vop2);  // v_fmaak_f32
  expect({0x7e0002e9, 0x05397701}, VectorFormat::vop1);  // DPP8
  expect({0xf0880f14, 0x00400004, 0x1f1e140a, 0x23222120}, VectorFormat::mimg);
  expect({0xf0880f16, 0x00400004, 0, 0, 0}, VectorFormat::mimg);
  expect({0xd8d80000, 0x00000001}, VectorFormat::ds);
  expect({0xc8000001}, VectorFormat::vintrp);
  expect({0xf800000f, 0}, VectorFormat::exp);
  expect({0xe0300000, 0x80000000}, VectorFormat::mubuf);
}

TEST(Rdna, IsATarget) {
  EXPECT_EQ(find_target("gfx1010")->generation, rdna1);
  EXPECT_EQ(find_target("rdna3")->processor, "gfx1100");
}

}  // namespace
}  // namespace salu::isa
