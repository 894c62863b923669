#include <gmock/gmock.h>

#include "debug/consoles.hpp"

// `why` in the console.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsoleWhy : public ConsoleTest {};

TEST_F(ConsoleWhy, GoesBackFromWhereTheRunStands) {
  EXPECT_EQ(run("why s0"), "s0 = 0x0000042f at position 0: given at the start\n");
  (void)run("goto 11");
  // The first two subtractions.
  EXPECT_EQ(run("why s0"),
            "s0 = 0x00000093 at position 11: step 11\n"
            "\n"
            "step 11: s_sub_u32 s0, s0, s1\n"
            "    at 0x1018 <first_is_larger>, test.yaml:12\n"
            "  s0 = 0x00000093\n"
            "    from s0 = 0x00000261: step 5\n"
            "    from s1 = 0x000001ce: given at the start\n"
            "\n"
            "step 5: s_sub_u32 s0, s0, s1\n"
            "    at 0x1018 <first_is_larger>, test.yaml:12\n"
            "  s0 = 0x00000261\n"
            "    from s0 = 0x0000042f: given at the start\n"
            "    from s1 = 0x000001ce: given at the start\n");
  EXPECT_THAT(run("why s0@5"), HasSubstr("at position 5: step 5"));
  EXPECT_EQ(session_->run().position(), 11U);
}

TEST_F(ConsoleWhy, SaysThatThereIsMore) {
  (void)run("goto end");
  EXPECT_THAT(run("why s0 2"), HasSubstr("There is more; `why s0 8` shows it."));
  EXPECT_THAT(run("why s0"), HasSubstr("`why s0 24` shows it"));
  EXPECT_THAT(run("why s0 100"), Not(HasSubstr("There is more")));
}

TEST_F(ConsoleWhy, Errors) {
  EXPECT_THAT(problem("why"), HasSubstr("expected a register"));
  EXPECT_THAT(problem("why s0 + s1"), HasSubstr("is not a register, field, lane or memory"));
  EXPECT_THAT(problem("why s0@12"), HasSubstr("the run has not reached step 12"));
  EXPECT_THAT(problem("why s0@x"), HasSubstr("expected the number of a step"));
  EXPECT_THAT(problem("why s0 0"), HasSubstr("expected 1 to 1000 instructions, found 0"));
  EXPECT_THAT(problem("why s4[40]"), HasSubstr("expected bits 0 to 31"));
}

// The address is evaluated after that step, and the session does not move.
TEST_F(ConsoleWhy, AnAddressIsThatOfTheStep) {
  start(
      "target: gfx803\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s0, 0x10000\n"
      "    s_mov_b32 s2, 5\n"
      "    s_store_dword s2, s[0:1], 0\n"
      "    s_add_u32 s0, s0, 8\n"
      "    s_mov_b32 s2, 6\n"
      "    s_store_dword s2, s[0:1], 0\n"
      "    s_endpgm\n"
      "registers: {s1: 0}\n"
      "memory: [{at: 0x10000, size: 64}]\n");
  (void)run("goto 6");
  EXPECT_THAT(run("why [s[0:1]]@3"), HasSubstr("[0x10000] = 0x00000005 at position 3: step 3"));
  EXPECT_THAT(run("why [s[0:1]]"), HasSubstr("[0x10008] = 0x00000006 at position 6: step 6"));
}

}  // namespace
}  // namespace salu::debug
