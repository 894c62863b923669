#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "debug/programs.hpp"
#include "debug/sessions.hpp"
#include "debug/why_place.hpp"
#include "debug/why_text.hpp"
#include "observe/why/bits_text.hpp"

// The origin of values. The chains were worked out by hand from the programs.
namespace salu::debug {
namespace {

using observe::WhyGraph;
using observe::WhyLink;
using observe::WhyOptions;
using observe::WhySource;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Origin = WhySource::Origin;

class Why : public Sessions {
 protected:
  /// After a step, or at the end of the run.
  WhyGraph why(std::string_view place, WhyOptions options = {.most_links = 100}) {
    const Result<WhyPlace> read = read_why_place(place);
    EXPECT_TRUE(read.has_value()) << place;
    if (read->step)
      (void)session_->go_to(*read->step);
    else
      (void)session_->go_to_end();
    const auto bits = find_why_bits(*session_, read->text);
    EXPECT_TRUE(bits.has_value()) << place;
    return session_->why(*bits, position(), options);
  }

  static std::vector<u64> steps_of(const WhyGraph& graph) {
    std::vector<u64> steps;
    for (const WhyLink& link : graph.links) steps.push_back(link.step());
    return steps;
  }

  /// `exec[7]=0`, with the step of its writer or its origin: `exec[7]=0 @12`, `s4=0x5 start`.
  std::vector<std::string> sources_of(const WhyGraph& graph, std::size_t link) const {
    std::vector<std::string> texts;
    const std::vector<WhySource>& sources = graph.links[link].sources;
    for (const observe::BitRun& run : observe::runs_of(sources)) {
      const WhySource& source = sources[run.number];
      std::string text = run.name(session_->program().generation()) + "=" + run.value_text();
      if (source.role == WhySource::Role::address) text += " address";
      if (source.role == WhySource::Role::lane) text += " lane";
      if (source.origin == Origin::link) text += " @" + std::to_string(graph.links[source.link].step());
      if (source.origin == Origin::start) text += " start";
      if (source.origin == Origin::nothing) text += " nothing";
      texts.push_back(text);
    }
    return texts;
  }
};

/// Lanes of 8 in two sides.
constexpr std::string_view saveexec =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_and_saveexec_b64 s[0:1], vcc\n"
    "    s_xor_b64 s[0:1], exec, s[0:1]\n"
    "    s_cbranch_execz else\n"
    "    s_mov_b64 s[4:5], exec\n"
    "    else:\n"
    "    s_or_saveexec_b64 s[0:1], s[0:1]\n"
    "    s_xor_b64 exec, exec, s[0:1]\n"
    "    s_cbranch_execz join\n"
    "    s_mov_b64 s[6:7], exec\n"
    "    join:\n"
    "    s_or_b64 exec, exec, s[0:1]\n"
    "    s_endpgm\n"
    "registers: {exec: 0xff, vcc: 0x3c}\n";

/// A fork within a fork, in whose first side s4 is overwritten: entry 1 of the control stack is in s[4:7], and loses
/// lane 3.
constexpr std::string_view overwritten =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_getreg_b32 s36, hwreg(HW_REG_MODE, 29, 3)\n"
    "    s_cbranch_i_fork s[32:33], low\n"
    "    high:\n"
    "    s_branch both\n"
    "    low:\n"
    "    s_getreg_b32 s37, hwreg(HW_REG_MODE, 29, 3)\n"
    "    s_cbranch_i_fork s[34:35], lowest\n"
    "    middle:\n"
    "    s_mov_b64 s[44:45], exec\n"
    "    s_branch low_both\n"
    "    lowest:\n"
    "    s_cmp_gt_u32 s8, 5\n"
    "    s_cselect_b32 s4, 8, 4\n"
    "    low_both:\n"
    "    s_cbranch_join s37\n"
    "    both:\n"
    "    s_cbranch_join s36\n"
    "    s_endpgm\n"
    "registers: {exec: 0xff, 's[32:33]': 0x0f, 's[34:35]': 0x33, s8: 5}\n";

TEST_P(Why, LoopCarriedValuesLeadThroughEveryRound) {
  start(test::gcd);
  const WhyGraph graph = why("s0");
  // Rounds of six instructions, of which the fifth subtracts.
  EXPECT_THAT(steps_of(graph), ElementsAre(65, 59, 53, 47, 41, 35, 29, 23, 17, 11, 5));
  EXPECT_THAT(sources_of(graph, 0), ElementsAre("s0=0x0000002a @59", "s1=0x00000015 @29"));
  EXPECT_THAT(sources_of(graph, 10), ElementsAre("s0=0x0000042f start", "s1=0x000001ce start"));
  // Through s1, from which steps 29, 23 and 17 subtracted: 65, 29, 11, 5.
  EXPECT_EQ(graph.links[10].depth, 4U);
  EXPECT_FALSE(graph.is_cut);
}

TEST_P(Why, LimitsSayThatThereIsMore) {
  start(test::gcd);
  const WhyGraph few = why("s0", {.most_links = 3});
  EXPECT_THAT(steps_of(few), ElementsAre(65, 59, 53));
  EXPECT_TRUE(few.is_cut);
  EXPECT_THAT(sources_of(few, 2), ElementsAre("s0=0x00000054", "s1=0x00000015"));
  const WhyGraph shallow = why("s0", {.most_depth = 2, .most_links = 100});
  EXPECT_THAT(steps_of(shallow), ElementsAre(65, 59, 29));
  EXPECT_TRUE(shallow.is_cut);
}

TEST_P(Why, ALaneOfExecIsFollowedAlone) {
  start(saveexec);
  // Lane 0 is inactive after the first instruction, since its bit in VCC is 0, and active in the second side.
  const WhyGraph graph = why("s6[0]");
  EXPECT_THAT(steps_of(graph), ElementsAre(8, 6, 5, 2, 1));
  EXPECT_THAT(sources_of(graph, 0), ElementsAre("exec[0]=1 @6"));
  EXPECT_THAT(sources_of(graph, 1), UnorderedElementsAre("exec[0]=1 @5", "s0[0]=0 @5"));
  EXPECT_THAT(sources_of(graph, 4), UnorderedElementsAre("vcc[0]=0 start", "exec[0]=1 start"));
  // Lane 2 is on in the first side and off in the second one.
  const WhyGraph other = why("s6[2]");
  EXPECT_THAT(steps_of(other), ElementsAre(8, 6, 5, 1));
  EXPECT_THAT(sources_of(other, 2), ElementsAre("exec[2]=1 @1"));
}

TEST_P(Why, AnOverwrittenEntryOfTheControlStackIsNamed) {
  start(overwritten);
  const WhyGraph graph = why("s44[3]");
  // s_mov from EXEC, the join, s_cselect, s_cmp.
  EXPECT_THAT(steps_of(graph), ElementsAre(8, 7, 6, 5));
  EXPECT_THAT(sources_of(graph, 0), ElementsAre("exec[3]=0 @7"));
  EXPECT_THAT(sources_of(graph, 1), testing::Contains("s4[3]=0 @6"));
  // Both numbers have the bit at another place, so that SCC decided.
  EXPECT_THAT(sources_of(graph, 2), ElementsAre("scc=0 @5"));
  ASSERT_TRUE(graph.links[2].overwritten.has_value());
  EXPECT_EQ(graph.links[2].overwritten->entry, 1U);
  EXPECT_EQ(graph.links[2].overwritten->position, 3U);
  EXPECT_THAT(graph.links[2].overwritten->text, HasSubstr("s_cbranch_i_fork s[34:35]"));
  // 5 is not above 5, but would be with any bit of these flipped.
  EXPECT_THAT(sources_of(graph, 3), ElementsAre("s8[31:3,1]=0x0 start"));
  EXPECT_THAT(
      why_text(graph, session_->program(), ""),
      HasSubstr(
          "Lanes waited there: entry 1 of the control stack, pushed at step 4 by\n    s_cbranch_i_fork s[34:35]"));
}

TEST_P(Why, ALaneThatWaitedComesFromTheFork) {
  start(overwritten);
  // Four lanes against four: the side of the mask runs first. If one of lanes 4 to 7 were on that side or inactive, the
  // other side would be smaller and lane 5 would not wait; if lane 5 itself were on that side, it would wait.
  const WhyGraph graph = why("s0[5]");
  ASSERT_THAT(graph.links, testing::SizeIs(1));
  EXPECT_EQ(graph.links[0].step(), 2U);
  EXPECT_THAT(sources_of(graph, 0), testing::IsSupersetOf({"exec[7:4]=0xf start", "s32[7:6,4]=0x0 start"}));
}

TEST_P(Why, MemoryIsAWayThere) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s0, 7\n"
      "    s_store_dword s0, s[2:3], 0x8\n"
      "    s_mov_b32 s0, 9\n"
      "    s_load_dword s5, s[2:3], 0x8\n"
      "    s_load_dword s6, s[2:3], 0x10\n"
      "    s_endpgm\n"
      "registers: {'s[2:3]': 0x10000}\n"
      "memory: [{at: 0x10000, words: [1, 2, 3, 4, 5, 6]}]\n");
  const WhyGraph graph = why("s5");
  EXPECT_THAT(steps_of(graph), ElementsAre(4, 2, 1));
  EXPECT_THAT(sources_of(graph, 0), testing::Contains("[0x10008]=0x00000007 @2"));
  EXPECT_THAT(sources_of(graph, 1), testing::Contains("s0=0x00000007 @1"));
  EXPECT_THAT(sources_of(graph, 2), IsEmpty());
  // The base selected the dword, and is followed on request only.
  bool has_address = false;
  for (const std::string& source : sources_of(graph, 0))
    has_address = has_address || source.find(" address") != std::string::npos;
  EXPECT_TRUE(has_address);
  EXPECT_THAT(steps_of(why("[0x10008]")), ElementsAre(2, 1));
  EXPECT_THAT(sources_of(why("s6"), 0), testing::Contains("[0x10010]=0x00000005 start"));
  const WhyGraph given = why("[0x10004]");
  EXPECT_THAT(given.links, IsEmpty());
  EXPECT_EQ(given.asked.front().origin, Origin::start);
}

TEST_P(Why, WhatIsWrittenAgainIsPassedOver) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s0, s1\n"
      "    s_bitset1_b32 s0, 3\n"
      "    s_or_b32 s0, s0, s2\n"
      "    s_and_b32 s0, s0, s3\n"
      "    s_endpgm\n"
      "registers: {s1: 0x80, s2: 0x10, s3: 0xff}\n");
  // Bit 7 goes through S_BITSET1 and S_OR as it was; S_AND needs the 1 of both.
  const WhyGraph high = why("s0[7]");
  EXPECT_THAT(steps_of(high), ElementsAre(4, 1));
  EXPECT_THAT(sources_of(high, 0), ElementsAre("s0[7]=1 @1", "s3[7]=1 start"));
  EXPECT_THAT(steps_of(why("s0[3]")), ElementsAre(4, 2));
  // 0 and 0: both would have to change.
  EXPECT_THAT(sources_of(why("s0[8]"), 0), ElementsAre("s0[8]=0 @3", "s3[8]=0 start"));
}

// Each round uses the steps skipped since the round before, for all open questions.
TEST_P(Why, WhatWaitsIsPassedOnTogether) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s2, 7\n"
      "    s_mov_b32 s1, 3\n"
      "    loop:\n"
      "    s_add_u32 s0, s0, s2\n"
      "    s_or_b32 s2, s2, 0\n"
      "    s_sub_u32 s1, s1, 1\n"
      "    s_cmp_lg_u32 s1, 0\n"
      "    s_cbranch_scc1 loop\n"
      "    s_endpgm\n"
      "registers: {s0: 1}\n");
  const WhyGraph sum = why("s0");
  EXPECT_THAT(steps_of(sum), ElementsAre(13, 8, 3, 1));
  EXPECT_THAT(sources_of(sum, 0), ElementsAre("s0=0x0000000f @8", "s2=0x00000007 @1"));
  EXPECT_THAT(sources_of(sum, 1), ElementsAre("s0=0x00000008 @3", "s2=0x00000007 @1"));
  EXPECT_THAT(sources_of(sum, 2), ElementsAre("s0=0x00000001 start", "s2=0x00000007 @1"));
}

TEST_P(Why, LanesOfVectorRegisters) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    v_mov_b32_e32 v0, 3\n"
      "    v_lshlrev_b32_e32 v1, 2, v0\n"
      "    v_cmp_lt_u32_e32 vcc, 9, v1\n"
      "    v_cndmask_b32_e32 v2, v3, v1, vcc\n"
      "    s_endpgm\n"
      "registers: {'v3': 1}\n");
  const WhyGraph graph = why("v2[7]");
  EXPECT_THAT(steps_of(graph), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(sources_of(graph, 0), testing::IsSupersetOf({"vcc[7]=1 @3", "v1[7]=0x0000000c @2"}));
  EXPECT_THAT(sources_of(graph, 0), testing::Not(testing::Contains(HasSubstr("v3"))));
  // 12 is above 9 in this lane: only its bits are compared.
  for (const std::string& source : sources_of(graph, 1))
    EXPECT_THAT(source, testing::AnyOf(HasSubstr("v1[7]"), HasSubstr("exec[7]")));
}

TEST_P(Why, LanesThatDppMoves) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    v_writelane_b32 v1, s1, 3\n"
      "    s_nop 1\n"
      "    v_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf\n"
      "    v_add_u32_e32 v3, v2, v2\n"
      "    s_endpgm\n"
      "registers: {s1: 7, v2: 9}\n");
  const WhyGraph moved = why("v3[4]");
  EXPECT_THAT(steps_of(moved), ElementsAre(4, 3, 1));
  EXPECT_THAT(sources_of(moved, 1), ElementsAre("exec[4:3]=0x3 lane", "v1[3][30:0]=0x00000007 @1"));
  // The source lane of lane 16 would be in another row.
  const WhyGraph kept = why("v3[16]");
  EXPECT_THAT(steps_of(kept), ElementsAre(4));
  EXPECT_THAT(sources_of(kept, 0), testing::Contains("v2[16][30:0]=0x00000009 start"));
}

TEST_P(Why, OneLaneOfSixtyFourLoads) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    v_mbcnt_lo_u32_b32 v0, -1, 0\n"
      "    v_mbcnt_hi_u32_b32 v0, -1, v0\n"
      "    v_lshlrev_b32_e32 v1, 2, v0\n"
      "    global_load_dword v2, v1, s[0:1]\n"
      "    s_waitcnt vmcnt(0)\n"
      "    s_endpgm\n"
      "registers: {'s[0:1]': 0x10000}\n"
      "memory: [{at: 0x10000, size: 0x100, words: [0, 0, 0, 0, 0, 0, 0, 0x77]}]\n");
  const WhyGraph graph = why("v2[7]");
  EXPECT_EQ(graph.links.front().step(), 4U);
  EXPECT_EQ(graph.links.front().values.front(), 0x77U);
  std::vector<std::string> in_memory;
  for (const std::string& source : sources_of(graph, 0)) {
    if (source.starts_with('[')) in_memory.push_back(source);
  }
  EXPECT_THAT(in_memory, ElementsAre("[0x1001c]=0x00000077 start"));
}

TEST_P(Why, TheWriterAloneIsFoundWithoutItsInputs) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s0, s1\n"
      "    s_and_b32 s0, s0, s2\n"
      "    s_endpgm\n"
      "registers: {s0: 0x10, s1: 0x31, s2: 0xf0}\n");
  // S_AND writes a different value.
  const WhyGraph other = why("s0", {.most_links = 1, .find_inputs = false});
  EXPECT_THAT(steps_of(other), ElementsAre(2));
  EXPECT_THAT(other.links.front().values, ElementsAre(0x30U));
  EXPECT_THAT(sources_of(other, 0), IsEmpty());
  // S_MOV does not change bit 4, but is its writer, as its inputs show.
  const WhyGraph same = why("s0[4]@1", {.most_links = 1, .find_inputs = false});
  EXPECT_THAT(steps_of(same), ElementsAre(1));
  EXPECT_THAT(sources_of(same, 0), ElementsAre("s1[4]=1 start"));
}

TEST_P(Why, DecisionsThatMadeInstructionsRun) {
  start(test::gcd);
  // The second round is steps 7 to 12: compare, leave or not, compare, take the side of s0 or not, subtract, jump. Step
  // 2 decided that there is a second round, for both sides of the first one.
  const WhyGraph graph = why("s0@11", {.most_links = 100, .follow_decisions = true});
  EXPECT_THAT(steps_of(graph), ElementsAre(11, 10, 9, 8, 7, 5, 4, 3, 2, 1));
  const auto decided_by = [&](std::size_t link) {
    return graph.links[link].decided_by ? graph.links[*graph.links[link].decided_by].step() : 0;
  };
  EXPECT_EQ(graph.links[1].went_to, test::first_is_larger);
  EXPECT_THAT(sources_of(graph, 1), ElementsAre("scc=1 @9"));
  std::vector<u64> deciders;
  for (std::size_t i = 0; i < graph.links.size(); ++i) deciders.push_back(decided_by(i));
  EXPECT_THAT(deciders, ElementsAre(10, 8, 8, 2, 2, 4, 2, 2, 0, 0));
  EXPECT_THAT(why_text(graph, session_->program(), ""), HasSubstr("continued at 0x1018 <first_is_larger>"));
  EXPECT_THAT(why_text(graph, session_->program(), ""), HasSubstr("It ran because of step 10\n"));
}

TEST_P(Why, WhatWasSetFromOutsideEndsTheChain) {
  Session& session = start(test::gcd);
  (void)session.go_to(48);
  ASSERT_TRUE(session.set("s1", "42").has_value());
  const WhyGraph graph = why("s0");
  // 84 - 42 is the last subtraction.
  EXPECT_THAT(sources_of(graph, 0), ElementsAre("s0=0x00000054 @47", "s1=0x0000002a @49"));
  const auto edit = std::ranges::find(graph.links, true, &WhyLink::is_edit);
  ASSERT_NE(edit, graph.links.end());
  EXPECT_EQ(edit->position, 48U);
  EXPECT_THAT(edit->sources, IsEmpty());
  EXPECT_THAT(why_text(graph, session.program(), ""), HasSubstr("position 48: set from outside the program"));
}

// The last of several edits of one place counts, and is one link.
TEST_P(Why, WhatWasSetTwiceIsAskedForOnce) {
  Session& session = start(test::gcd);
  (void)session.go_to(48);
  for (const char* const twice : {"41", "42"}) ASSERT_TRUE(session.set("s1", twice).has_value());
  for (const auto& [place, bits] : {std::pair("exec", "1"), std::pair("exec_lo", "2")})
    ASSERT_TRUE(session.set(place, bits).has_value());
  const WhyGraph graph = why("s1");
  ASSERT_EQ(graph.links.size(), 1U);
  EXPECT_TRUE(graph.links[0].is_edit);
  EXPECT_EQ(graph.links[0].values, std::vector<u32>{42});
  EXPECT_EQ(why("exec_lo").links.size(), 1U);
}

TEST_P(Why, NothingAndTheStart) {
  start(test::gcd);
  const WhyGraph nothing = why("s9");
  EXPECT_THAT(nothing.links, IsEmpty());
  EXPECT_EQ(nothing.asked.front().origin, Origin::nothing);
  EXPECT_EQ(why("s0@0").asked.front().origin, Origin::start);
  EXPECT_THAT(steps_of(why("s0@10")), ElementsAre(5));
}

TEST_P(Why, APlaceThatIsNoneIsAnError) {
  Session& session = start(test::gcd);
  const auto problem = [&](std::string_view place) { return find_why_bits(session, place).error().message; };
  EXPECT_THAT(problem(""), HasSubstr("expected a register"));
  EXPECT_THAT(problem("s0 + 1"), HasSubstr("is not a register, field, lane or memory"));
  EXPECT_THAT(problem("pc"), HasSubstr("every instruction writes the PC"));
  EXPECT_THAT(problem("s4[32]"), HasSubstr("expected bits 0 to 31"));
  EXPECT_THAT(problem("s4[0:7]"), HasSubstr("expected bits 0 to 31"));
  EXPECT_THAT(problem("exek"), HasSubstr("exec"));
  EXPECT_THAT(problem("[0x9000000]"), HasSubstr("nothing is mapped"));
  EXPECT_THAT(problem("[s[0:1] + 8]"), HasSubstr("`[s[0:1] + 8]`: nothing is mapped at 0x"));
  EXPECT_THAT(problem("[s[0:1] + 8][7:0]"), HasSubstr("`[s[0:1] + 8]`: nothing is mapped at 0x"));
  EXPECT_THAT(read_why_place("s0@x").error().message, HasSubstr("expected the number of a step"));
  EXPECT_EQ(find_why_bits(session, "exec[40]")->front(), (observe::Bits{{code::exec + 1}, 1U << 8}));
  EXPECT_EQ(find_why_bits(session, "s4[7:0]")->front(), (observe::Bits{{4}, 0xff}));
  EXPECT_EQ(find_why_bits(session, "s4[31:28,1]")->front(), (observe::Bits{{4}, 0xf0000002}));
  EXPECT_EQ(find_why_bits(session, "csp")->front(), (observe::Bits{{state_index::mode}, 0xe0000000}));
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Why, checkpoint_intervals);

}  // namespace
}  // namespace salu::debug
