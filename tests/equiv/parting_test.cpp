#include <gmock/gmock.h>

#include "programs.hpp"

// The first difference between two computations.
namespace salu::equiv_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<PartingNote>& notes_of(const EquivalenceReport& report) {
  static const std::vector<PartingNote> none;
  EXPECT_EQ(report.verdict, Verdict::different);
  return report.difference ? report.difference->parting : none;
}

TEST(Parting, ProgramsOfOneShapePartAtAnInstruction) {
  const std::string before = "s_add_u32 s2, s0, 1\ns_mul_i32 s3, s2, s1\n";
  const std::string after = "\ns_add_u32 s0, s4, s2\ns_endpgm";
  const auto report = compare_assembly(before + "s_lshl_b32 s4, s3, 3" + after, before + "s_lshl_b32 s4, s3, 2" + after,
                                       {.outputs = {"s0"}});
  const auto& notes = notes_of(report);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].what, "the first instruction with another effect, step 3 of both:");
  ASSERT_EQ(notes[0].lines.size(), 2U);
  // s0 = 0 and s1 = 1 are enough: 1 << 3 and 1 << 2.
  EXPECT_EQ(notes[0].lines[0].pc, 0x1008U);
  EXPECT_EQ(notes[0].lines[0].instruction, "s_lshl_b32 s4, s3, 3");
  EXPECT_EQ(notes[0].lines[0].effects, "s3=0x00000001 -> s4=0x00000008 scc=1");
  EXPECT_TRUE(notes[0].lines[1].in_b);
  EXPECT_EQ(notes[0].lines[1].effects, "s3=0x00000001 -> s4=0x00000004 scc=1");
}

TEST(Parting, OtherProgramsAreFollowedBackFromTheResult) {
  // A: 5 * s0 + 100 by a multiplication, B: by a shift of 3 instead of 2.
  const auto report = compare_assembly("s_mul_i32 s1, s0, 5\ns_add_u32 s0, s1, 0x64\ns_endpgm",
                                       "s_mov_b32 s7, 0x64\ns_lshl_b32 s2, s0, 3\ns_add_u32 s3, s2, s0\n"
                                       "s_mov_b32 s9, s3\ns_add_u32 s0, s9, s7\ns_endpgm",
                                       {.outputs = {"s0"}});
  EXPECT_EQ(shrunk_value(report, "s0"), 1U);
  const auto& notes = notes_of(report);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].what, "the last write of s0:");
  EXPECT_EQ(notes[0].lines.at(0).instruction, "s_add_u32 s0, s1, 0x64");
  EXPECT_EQ(notes[0].lines.at(1).instruction, "s_add_u32 s0, s9, s7");
  EXPECT_THAT(notes[1].what, StartsWith("before that, the first result that the other program never computes"));
  // A has 1, 5, 105; B 100, 1, 8, 9, 9, 109.
  EXPECT_EQ(notes[1].lines.at(0).instruction, "s_mul_i32 s1, s0, 5");
  EXPECT_EQ(notes[1].lines.at(1).instruction, "s_lshl_b32 s2, s0, 3");
}

TEST(Parting, MemoryWritesAreHeldAgainstEachOther) {
  const std::string more = "registers: {\"s[2:3]\": 0x10000}\nmemory: [{at: 0x10000, size: 64}]\n";
  const Scenario a =
      scenario("s_mov_b32 s1, 7\ns_store_dword s1, s[2:3], 0x0\ns_store_dword s0, s[2:3], 0x8\ns_endpgm", more);
  const Scenario b = scenario(
      "s_mov_b32 s1, 7\ns_store_dword s1, s[2:3], 0x0\ns_nop 0\ns_add_u32 s0, s0, 1\n"
      "s_store_dword s0, s[2:3], 0x8\ns_endpgm",
      more);
  const auto& report = compare(a, b, {.outputs = {"memory"}});
  const auto& notes = notes_of(report);
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes[0].what, "the last write of memory 0x10008:");
  EXPECT_EQ(notes[0].lines.at(0).pc, 0x100cU);
  EXPECT_EQ(notes.back().what, "the first write to memory that differs, number 2:");
  EXPECT_THAT(notes.back().lines.at(1).effects, HasSubstr("[0x10008]=0x00000001"));
}

TEST(Parting, EndsHaveTheirReasons) {
  const auto report = compare_assembly("s_endpgm", "s_nop 0\ns_trap 1\ns_sethalt 1\ns_endpgm", {.outputs = {"stop"}});
  const auto& notes = notes_of(report);
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.back().what, "the ends of the runs:");
  EXPECT_EQ(notes.back().lines.at(0).effects, "end_program");
  EXPECT_EQ(notes.back().lines.at(0).pc, 0x1000U);
  EXPECT_THAT(notes.back().lines.at(1).effects, StartsWith("halt: "));
}

TEST(Parting, AnUnwrittenResult) {
  const auto report = compare_assembly("s_endpgm", "s_mov_b32 s0, 5\ns_endpgm", {.inputs = {"s0"}, .outputs = {"s0"}});
  const auto& notes = notes_of(report);
  ASSERT_FALSE(notes.empty());
  EXPECT_THAT(notes[0].lines.at(0).effects, HasSubstr("not written: it has its initial value"));
  EXPECT_EQ(notes[0].lines.at(1).instruction, "s_mov_b32 s0, 5");
}

}  // namespace
}  // namespace salu::equiv_test
