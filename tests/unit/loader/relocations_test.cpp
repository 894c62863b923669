#include <gtest/gtest.h>

#include <string>

#include "loader/objects/relocations.hpp"

namespace salu::loader {
namespace {

using Type = RelocationType;

// LLVM AMDGPUUsage, table "AMDGPU ELF Relocation Records".
TEST(Relocations, NumbersAndNames) {
  EXPECT_EQ(relocation_name(0), "R_AMDGPU_NONE");
  EXPECT_EQ(relocation_name(1), "R_AMDGPU_ABS32_LO");
  EXPECT_EQ(relocation_name(2), "R_AMDGPU_ABS32_HI");
  EXPECT_EQ(relocation_name(3), "R_AMDGPU_ABS64");
  EXPECT_EQ(relocation_name(4), "R_AMDGPU_REL32");
  EXPECT_EQ(relocation_name(5), "R_AMDGPU_REL64");
  EXPECT_EQ(relocation_name(6), "R_AMDGPU_ABS32");
  EXPECT_EQ(relocation_name(7), "R_AMDGPU_GOTPCREL");
  EXPECT_EQ(relocation_name(8), "R_AMDGPU_GOTPCREL32_LO");
  EXPECT_EQ(relocation_name(9), "R_AMDGPU_GOTPCREL32_HI");
  EXPECT_EQ(relocation_name(10), "R_AMDGPU_REL32_LO");
  EXPECT_EQ(relocation_name(11), "R_AMDGPU_REL32_HI");
  EXPECT_EQ(relocation_name(13), "R_AMDGPU_RELATIVE64");
  EXPECT_EQ(relocation_name(14), "R_AMDGPU_REL16");
  for (const u32 unknown : {12U, 15U, 255U, 0xffffffffU}) {
    EXPECT_FALSE(find_relocation_type(unknown));
    EXPECT_EQ(relocation_name(unknown), "relocation type " + std::to_string(unknown));
  }
}

TEST(Relocations, ValuesFollowTheFormulas) {
  const RelocationOperands operands{0x123456789a00, 0x10, 0x123456780000, 0x4000};
  EXPECT_EQ(relocation_value(Type::abs32_lo, operands), 0x56789a10U);
  EXPECT_EQ(relocation_value(Type::abs32_hi, operands), 0x1234U);
  EXPECT_EQ(relocation_value(Type::abs64, operands), 0x123456789a10U);
  EXPECT_EQ(relocation_value(Type::rel32, operands), 0x9a10U);
  EXPECT_EQ(relocation_value(Type::rel64, operands), 0x9a10U);
  EXPECT_EQ(relocation_value(Type::rel32_lo, operands), 0x9a10U);
  EXPECT_EQ(relocation_value(Type::rel32_hi, operands), 0U);
  EXPECT_EQ(relocation_value(Type::gotpcrel, operands), 0x9a10U);
  EXPECT_EQ(relocation_value(Type::gotpcrel32_lo, operands), 0x9a10U);
  EXPECT_EQ(relocation_value(Type::relative64, operands), 0x4010U);
  EXPECT_EQ(relocation_value(Type::rel16, operands), (0x9a10U - 4) / 4);
  // Backwards.
  const RelocationOperands back{0x1000, 4, 0x2000, 0};
  EXPECT_EQ(relocation_value(Type::rel32_lo, back), 0xfffff004U);
  EXPECT_EQ(relocation_value(Type::rel32_hi, back), 0xffffffffU);
  EXPECT_EQ(relocation_value(Type::gotpcrel32_hi, back), 0xffffffffU);
  EXPECT_EQ(relocation_value(Type::rel32, back), 0xfffff004U);
  EXPECT_EQ(relocation_value(Type::rel64, back), 0xfffffffffffff004U);
  EXPECT_EQ(relocation_value(Type::rel16, back), 0xfc00U);
}

TEST(Relocations, ValuesThatDoNotFit) {
  EXPECT_FALSE(relocation_value(Type::abs32, {0x100000000, 0, 0, 0}));
  EXPECT_EQ(relocation_value(Type::abs32, {0xffffffff, 0, 0, 0}), 0xffffffffU);
  EXPECT_FALSE(relocation_value(Type::rel32, {0x80000000, 0, 0, 0}));
  EXPECT_EQ(relocation_value(Type::rel32, {0x7fffffff, 0, 0, 0}), 0x7fffffffU);
  EXPECT_FALSE(relocation_value(Type::gotpcrel, {0, 0, 0x80000001, 0}));
  // A branch reaches 32768 dwords back and 32767 forward from the next instruction.
  EXPECT_EQ(relocation_value(Type::rel16, {0x100000 + 4 + 32767 * 4, 0, 0x100000, 0}), 0x7fffU);
  EXPECT_FALSE(relocation_value(Type::rel16, {0x100000 + 4 + 32768 * 4, 0, 0x100000, 0}));
  EXPECT_EQ(relocation_value(Type::rel16, {0x100000 + 4 - 32768 * 4, 0, 0x100000, 0}), 0x8000U);
  EXPECT_FALSE(relocation_value(Type::rel16, {0x100000 + 4 - 32769 * 4, 0, 0x100000, 0}));
  EXPECT_FALSE(relocation_value(Type::rel16, {0x100002, 0, 0x100000, 0}));
}

// Relocations without explicit addends, as LLVM writes them for all systems but amdhsa.
TEST(Relocations, ImplicitAddendsHaveASign) {
  const std::string minus_four("\xfc\xff\xff\xff\x01\x00\x00\x00", 8);
  EXPECT_EQ(implicit_addend(Type::rel32_lo, minus_four), -4);
  EXPECT_EQ(implicit_addend(Type::abs32, minus_four), -4);
  EXPECT_EQ(implicit_addend(Type::abs64, minus_four), 0x1fffffffc);
  EXPECT_EQ(implicit_addend(Type::gotpcrel32_hi, std::string_view("\x0c\x00\x00\x00\xff\xff", 6)), 12);
  EXPECT_EQ(implicit_addend(Type::none, minus_four), 0);
  EXPECT_EQ(implicit_addend(Type::abs64, std::string_view(minus_four).substr(1)), 0) << "too short";
  // LLVM encodes a branch to an undefined symbol as -1 dword from the next instruction: to the symbol itself.
  EXPECT_EQ(implicit_addend(Type::rel16, "\xff\xff"), 0);
  EXPECT_EQ(implicit_addend(Type::rel16, std::string_view("\x01\x00", 2)), 8);
}

TEST(Relocations, WidthsAndWords) {
  EXPECT_EQ(patched_bytes(Type::none), 0U);
  EXPECT_EQ(patched_bytes(Type::rel16), 2U);
  EXPECT_EQ(patched_bytes(Type::rel32_lo), 4U);
  EXPECT_EQ(patched_bytes(Type::relative64), 8U);
  EXPECT_TRUE(needs_got_entry(Type::gotpcrel));
  EXPECT_TRUE(needs_got_entry(Type::gotpcrel32_hi));
  EXPECT_FALSE(needs_got_entry(Type::rel32_hi));
  EXPECT_EQ(relocation_modifier(Type::gotpcrel32_lo), "@gotpcrel32@lo");
  EXPECT_EQ(relocation_modifier(Type::abs64), "");
}

}  // namespace
}  // namespace salu::loader
