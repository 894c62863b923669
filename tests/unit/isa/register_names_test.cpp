#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "isa/operand.hpp"

namespace salu::isa {
namespace {

constexpr RegisterSpan span(u32 code, u32 dwords) { return {static_cast<u8>(code), static_cast<u8>(dwords)}; }

TEST(RegisterNames, Written) {
  EXPECT_EQ(register_name(Generation::gcn1_0, 3, 1), "s3");
  EXPECT_EQ(register_name(Generation::gcn1_0, 2, 2), "s[2:3]");
  EXPECT_EQ(register_name(Generation::gcn1_4, 16, 16), "s[16:31]");
  EXPECT_EQ(register_name(Generation::gcn1_4, 106, 2), "vcc");
  EXPECT_EQ(register_name(Generation::gcn1_4, 107, 1), "vcc_hi");
  EXPECT_EQ(register_name(Generation::gcn1_4, 126, 1), "exec_lo");
  EXPECT_EQ(register_name(Generation::gcn1_4, 124, 1), "m0");
  EXPECT_EQ(register_name(Generation::gcn1_4, 110, 2), "ttmp[2:3]");
  EXPECT_EQ(register_name(Generation::gcn1_2, 110, 2), "tma");
  EXPECT_EQ(register_name(Generation::gcn1_2, 114, 2), "ttmp[2:3]");
  EXPECT_EQ(register_name(Generation::gcn1_1, 104, 2), "flat_scratch");
  EXPECT_EQ(register_name(Generation::gcn1_2, 104, 2), "xnack_mask");
}

TEST(RegisterNames, EmptyForMissingRegisters) {
  EXPECT_EQ(register_name(Generation::gcn1_0, 104, 1), "");
  EXPECT_EQ(register_name(Generation::gcn1_4, 125, 1), "");
  EXPECT_EQ(register_name(Generation::gcn1_4, 124, 2), "") << "M0 is not part of a pair";
  EXPECT_EQ(register_name(Generation::gcn1_4, 100, 4), "") << "s102 and s103 are FLAT_SCRATCH";
  EXPECT_EQ(register_name(Generation::gcn1_4, 128, 1), "");
  EXPECT_EQ(register_name(Generation::gcn1_4, 0, 0), "");
  EXPECT_EQ(register_name(Generation::gcn1_4, 127, 2), "");
  EXPECT_EQ(register_name(Generation::gcn1_4, 0xffffffff, 2), "");
  EXPECT_EQ(register_name(Generation::gcn1_4, 0, 0xffffffff), "");
}

TEST(RegisterNames, Read) {
  EXPECT_EQ(parse_register(Generation::gcn1_4, "s0"), span(0, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "S[4:5]"), span(4, 2));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "s[4:4]"), span(4, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "s[ 4 : 7 ]"), span(4, 4));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "  VCC "), span(106, 2));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "exec_hi"), span(127, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "M0"), span(124, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "ttmp15"), span(123, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_2, "ttmp11"), span(123, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_2, "tba_lo"), span(108, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_1, "flat_scratch"), span(104, 2));
  EXPECT_EQ(parse_register(Generation::gcn1_4, "s[1:2]"), span(1, 2)) << "alignment is the instruction's business";
}

TEST(RegisterNames, Refused) {
  for (const std::string text : {"",
                                 "s",
                                 "s-1",
                                 "s[",
                                 "s[]",
                                 "s[1",
                                 "s[2:1]",
                                 "s[1:]",
                                 "s[:1]",
                                 "s1x",
                                 "s[1]x",
                                 "s[1:2:3]",
                                 "s0x1",
                                 "s102",
                                 "s[100:103]",
                                 "ttmp16",
                                 "tba",
                                 "v0",
                                 "vcc_mid",
                                 "exec_",
                                 "m1",
                                 "scc",
                                 "null",
                                 "s[0:16]",
                                 "s4294967296",
                                 "s99999999999999999999",
                                 "flat_scratch_l"}) {
    EXPECT_EQ(parse_register(Generation::gcn1_4, text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_register(Generation::gcn1_0, "s103"), span(103, 1));
  EXPECT_EQ(parse_register(Generation::gcn1_0, "flat_scratch"), std::nullopt);
  EXPECT_EQ(parse_register(Generation::gcn1_2, "ttmp12"), std::nullopt);
}

TEST(RegisterNames, ParsePrintedNames) {
  for (const Generation generation : all_generations()) {
    for (u32 code = 0; code < 128; ++code) {
      for (const u32 dwords : {1U, 2U, 4U, 8U, 16U}) {
        const std::string name = register_name(generation, code, dwords);
        if (name.empty()) continue;
        // The name of a pair such as vcc implies its start; an odd half is followed by the other half only by accident.
        const bool named_pair = dwords == 2 && name.find('[') == std::string::npos;
        if (named_pair && code % 2 != 0) continue;
        EXPECT_EQ(parse_register(generation, name), span(code, dwords)) << name;
      }
    }
  }
}

}  // namespace
}  // namespace salu::isa
