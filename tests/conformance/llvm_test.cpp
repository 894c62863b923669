#include "conformance/llvm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

namespace salu::conformance {
namespace {

/// docs/reference/llvm-differences.md, disassembler-crash.
TEST(LlvmDisassembler, GoesOnAfterACrash) {
  SALU_NEEDS_LLVM;
  constexpr std::array<Words, 4> inputs = {
      {{{0xbe800080, 0}, 1}, {{0x7ffe0502, 0}, 1}, {{0x7ffe0502, 0}, 1}, {{0x81020100, 0}, 1}}};
  const auto texts = llvm_disassemble("gfx900", inputs);
  EXPECT_EQ(texts[0], "s_mov_b32 s0, 0");
  EXPECT_EQ(texts[1], std::nullopt);
  EXPECT_EQ(texts[2], std::nullopt);
  EXPECT_EQ(texts[3], "s_add_i32 s2, s0, s1");
  EXPECT_EQ(disassembler_crashes(), since_22.has(llvm().version) ? 2U : 0U);
}

TEST(LlvmDisassembler, PrintsOneInstruction) {
  SALU_NEEDS_LLVM;
  // Two instructions, half of one, and a literal.
  constexpr std::array<Words, 3> inputs = {
      {{{0xbe800080, 0xbe800080}, 2}, {{0xbe8000ff, 0}, 1}, {{0xbe8000ff, 0x12345678}, 2}}};
  const auto texts = llvm_disassemble("gfx900", inputs);
  EXPECT_EQ(texts[0], std::nullopt);
  EXPECT_EQ(texts[1], std::nullopt);
  EXPECT_EQ(texts[2], "s_mov_b32 s0, 0x12345678");
}

}  // namespace
}  // namespace salu::conformance
