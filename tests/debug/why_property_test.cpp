#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "debug/session.hpp"
#include "debug/why_place.hpp"
#include "observe/why/why.hpp"
#include "unit/loader_helpers.hpp"

// Tests the links on the run: an input bit named by a link changes the bits in question, others do not.
namespace salu::debug {
namespace {

constexpr std::array instructions = {"s_and_b32 s0, s1, s2",
                                     "s_or_b64 s[0:1], s[2:3], s[4:5]",
                                     "s_xor_b32 s0, s1, s2",
                                     "s_andn2_b64 s[0:1], s[2:3], s[4:5]",
                                     "s_add_u32 s0, s1, s2",
                                     "s_addc_u32 s0, s1, s2",
                                     "s_sub_i32 s0, s1, s2",
                                     "s_mul_i32 s0, s1, s2",
                                     "s_lshl_b32 s0, s1, 5",
                                     "s_lshr_b64 s[0:1], s[2:3], s4",
                                     "s_ashr_i32 s0, s1, s2",
                                     "s_bfe_u32 s0, s1, 0x80004",
                                     "s_cselect_b32 s0, s1, s2",
                                     "s_cselect_b64 s[0:1], s[2:3], s[4:5]",
                                     "s_min_i32 s0, s1, s2",
                                     "s_bcnt1_i32_b32 s0, s1",
                                     "s_brev_b32 s0, s1",
                                     "s_wqm_b64 s[0:1], s[2:3]",
                                     "s_quadmask_b32 s0, s1",
                                     "s_sext_i32_i8 s0, s1",
                                     "s_bitset1_b32 s0, s1",
                                     "s_pack_lh_b32_b16 s0, s1, s2",
                                     "s_not_b32 s0, s1",
                                     "s_ff1_i32_b32 s0, s1",
                                     "s_and_saveexec_b64 s[0:1], s[2:3]"};

/// The bits that may affect them.
constexpr std::array inputs = {"s0", "s1", "s2", "s3", "s4", "s5", "scc", "exec_lo", "exec_hi"};

class WhyProperty : public testing::TestWithParam<const char*> {};

/// The bits that may affect the bits in question.
u32 value_with(const Scenario& scenario, const std::string& input, u32 flipped) {
  Session session(scenario);
  const u64 before = session.evaluate(input)->bits;
  EXPECT_TRUE(session.set(input, std::to_string(before ^ flipped)).has_value()) << input;
  (void)session.step();
  return static_cast<u32>(session.evaluate("s0")->bits);
}

TEST_P(WhyProperty, NamedBitsMatterAndOthersDoNot) {
  std::mt19937 random(20'260'101);
  for (int round = 0; round < 3; ++round) {
    std::string text =
        "target: gfx900\ncode:\n  asm: |\n    " + std::string(GetParam()) + "\n    s_endpgm\nregisters: {";
    for (const char* const input : inputs)
      text += std::string(input) + ": " + std::to_string(std::string(input) == "scc" ? random() & 1 : random()) + ", ";
    const Scenario scenario = test::load_good(text + "m0: 0}\n");
    Session session(scenario);
    (void)session.step();
    const u32 mask = round == 0 ? ~u32{0} : 1U << (random() & 31);
    const u32 value = static_cast<u32>(session.evaluate("s0")->bits) & mask;
    const observe::WhyGraph graph = session.why({{{0}, mask}}, 1, {});
    std::map<u32, u32> named;
    if (!graph.links.empty()) {
      for (const observe::WhySource& source : graph.links[0].sources) named[source.bits.place.index] = source.bits.mask;
    } else {
      // It wrote the same value.
      named[0] = mask;
    }
    // If no single bit matters, the bits that may matter are named.
    bool matters_alone = false;
    std::map<u32, u32> found;
    for (const char* const input : inputs) {
      const u32 index = parse_register_name(scenario.program.generation(), input)->index;
      for (u32 bit = 0; bit < (index == state_index::scc ? 1U : 32U); bit += round == 0 ? 5 : 1) {
        const bool changes = (value_with(scenario, input, 1U << bit) & mask) != value;
        matters_alone = matters_alone || changes;
        EXPECT_TRUE(!changes || (named[index] >> bit & 1) != 0) << input << " bit " << bit;
        found[index] |= u32{changes} << bit;
      }
    }
    if (!matters_alone || round == 0) continue;
    for (const auto& [index, bits] : named) {
      EXPECT_TRUE(found[index] == 0 || bits == found[index]) << index;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, WhyProperty, testing::ValuesIn(instructions), [](const auto& tested) {
  const std::string text = tested.param;
  std::string name = text.substr(0, text.find(' '));
  return name;
});

}  // namespace
}  // namespace salu::debug
