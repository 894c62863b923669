#include <salu/state.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace salu {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr RegisterName name(u32 index, u16 width, u8 low_bit = 0) { return {index, width, low_bit}; }

TEST(State, StartsWithAllLanesOnAndEverythingElseZero) {
  for (const Generation generation : all_generations()) {
    const WaveState state = initial_state(generation);
    EXPECT_EQ(state.exec(), ~u64{0});
    EXPECT_EQ(state.vcc(), 0U);
    EXPECT_EQ(state.pc, 0U);
    EXPECT_EQ(state.mode, 0U);
    EXPECT_EQ(state.status, 0U);
    EXPECT_FALSE(state.scc);
    EXPECT_EQ(state.defined.count(), 2U);
    EXPECT_TRUE(state.defined.test(126) && state.defined.test(127));
    for (u32 code = 0; code < 126; ++code) EXPECT_EQ(state.file[code], 0U);
  }
  EXPECT_EQ(initial_state(Generation::gcn1_0).sgprs, 104U);
  EXPECT_EQ(initial_state(Generation::gcn1_2).sgprs, 102U);
  // Linux: shared aperture at 1 << 48, private at 2 << 48; SH_MEM_BASES holds address bits 63:48 of each.
  EXPECT_EQ(initial_state(Generation::gcn1_4).hwregs[15], 0x00010002U);
  EXPECT_EQ(initial_state(Generation::gcn1_2).hwregs[15], 0U);
}

TEST(State, ReadsTheAssemblersNames) {
  const auto parse = [](const char* text) { return parse_register_name(Generation::gcn1_4, text); };
  EXPECT_EQ(parse("s3"), name(3, 32));
  EXPECT_EQ(parse("S3"), name(3, 32));
  EXPECT_EQ(parse("s[2:3]"), name(2, 64));
  EXPECT_EQ(parse("s[4:7]"), name(4, 128));
  EXPECT_EQ(parse("s[16:31]"), name(16, 512));
  EXPECT_EQ(parse("vcc"), name(106, 64));
  EXPECT_EQ(parse("vcc_hi"), name(107, 32));
  EXPECT_EQ(parse("exec"), name(126, 64));
  EXPECT_EQ(parse("exec_lo"), name(126, 32));
  EXPECT_EQ(parse("m0"), name(124, 32));
  EXPECT_EQ(parse("flat_scratch_lo"), name(102, 32));
  EXPECT_EQ(parse("ttmp4"), name(112, 32));
  EXPECT_EQ(parse("ttmp[2:3]"), name(110, 64));
  EXPECT_EQ(parse("pc"), name(state_index::pc, 64));
  EXPECT_EQ(parse("scc"), name(state_index::scc, 1));
  EXPECT_EQ(parse("mode"), name(state_index::mode, 32));
  EXPECT_EQ(parse("csp"), name(state_index::mode, 3, 29));
  EXPECT_EQ(parse("vskip"), name(state_index::mode, 1, 28));
  EXPECT_EQ(parse("status"), name(state_index::status, 32));
  EXPECT_EQ(parse("priv"), name(state_index::status, 1, 5));
  EXPECT_EQ(parse("user_prio"), name(state_index::status, 2, 3));
  EXPECT_EQ(parse("trapsts"), name(state_index::hwregs + 3, 32));
  EXPECT_EQ(parse("HW_REG_IB_STS"), name(state_index::hwregs + 7, 32));
  EXPECT_EQ(parse("tba"), name(state_index::tba, 64));
  EXPECT_EQ(parse("tba_hi"), name(state_index::tba + 1, 32));
  EXPECT_EQ(parse("tma_lo"), name(state_index::tma, 32));
}

TEST(State, NamesFollowTheGeneration) {
  EXPECT_EQ(parse_register_name(Generation::gcn1_0, "s103"), name(103, 32));
  EXPECT_FALSE(parse_register_name(Generation::gcn1_2, "s103"));
  EXPECT_FALSE(parse_register_name(Generation::gcn1_0, "flat_scratch"));
  EXPECT_EQ(parse_register_name(Generation::gcn1_1, "flat_scratch"), name(104, 64));
  EXPECT_EQ(parse_register_name(Generation::gcn1_2, "flat_scratch"), name(102, 64));
  EXPECT_FALSE(parse_register_name(Generation::gcn1_1, "xnack_mask"));
  EXPECT_EQ(parse_register_name(Generation::gcn1_2, "xnack_mask"), name(104, 64));
  EXPECT_EQ(parse_register_name(Generation::gcn1_2, "ttmp0"), name(112, 32));
  EXPECT_FALSE(parse_register_name(Generation::gcn1_2, "ttmp12"));
  EXPECT_EQ(parse_register_name(Generation::gcn1_4, "ttmp15"), name(123, 32));
  // Always a byte address, whether it is a register pair or a hardware register.
  EXPECT_EQ(parse_register_name(Generation::gcn1_0, "tba"), name(state_index::tba, 64));
  EXPECT_FALSE(parse_register_name(Generation::cdna2, "cond_dbg_user"));
}

TEST(State, NamesVectorRegistersAndTheirLanes) {
  const auto parse = [](const char* text) { return parse_register_name(Generation::cdna1, text); };
  EXPECT_EQ(parse("v0"), RegisterName::in_vectors(0));
  EXPECT_EQ(parse("V255"), RegisterName::in_vectors(255));
  EXPECT_EQ(parse("v[4]"), RegisterName::in_vectors(4));
  EXPECT_EQ(parse("v[4:5]"), RegisterName::in_vectors(4, 2));
  EXPECT_EQ(parse("a1"), RegisterName::in_vectors(257));
  EXPECT_EQ(parse("v3[7]"), RegisterName::in_lane(3, 7));
  EXPECT_EQ(parse("a255[63]"), RegisterName::in_lane(511, 63));
  EXPECT_EQ(parse("v3")->dwords(), 64U);
  EXPECT_EQ(parse("v[3:4]")->vector_registers(), 2U);
  EXPECT_EQ(parse("v3[7]")->vector_registers(), 0U);
  EXPECT_FALSE(parse("s3")->is_vector());

  WaveState state;
  write_register(state, Generation::cdna1, *parse("v3[7]"), 5);
  write_register(state, Generation::cdna1, *parse("a0[63]"), 6);
  EXPECT_EQ(read_register(state, *parse("v3[7]")), 5U);
  EXPECT_EQ(read_register(state, *parse("a0[63]")), 6U);
  EXPECT_EQ(read_register(state, *parse("v3[8]")), 0U);
  EXPECT_TRUE(is_defined(state, parse("v3[7]")->index));
  EXPECT_FALSE(is_defined(state, parse("v3[8]")->index));
  EXPECT_FALSE(parse("v3")->is_always_defined());
  const WaveState copy = state;
  EXPECT_EQ(copy, state);
  write_register(state, Generation::cdna1, *parse("v3[7]"), 9);
  EXPECT_NE(copy, state);
  EXPECT_EQ(read_register(copy, *parse("v3[7]")), 5U);
}

TEST(State, ErrorsOfNames) {
  const auto complaint = [](Generation generation, const char* text) {
    std::string what;
    EXPECT_FALSE(parse_register_name(generation, text, &what)) << text;
    return what;
  };
  EXPECT_THAT(complaint(Generation::gcn1_4, "s[1:2]"), HasSubstr("odd register pair"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "ttmp[1:2]"), HasSubstr("odd register pair"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "s[2:5]"), HasSubstr("multiple of four"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "vccz"), HasSubstr("follows the value of vcc"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "s103"), HasSubstr("unknown register `s103` on gcn1.4"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "exex"), HasSubstr("did you mean `exec`"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "v256"),
              HasSubstr("`v256` does not exist: registers are numbered from 0 to 255"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "v3[64]"), HasSubstr("lanes are 0 to 63"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "v[3:4][7]"), HasSubstr("a lane belongs to one register, as in v3[7]"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "v[0:16]"), HasSubstr("the limit is 16"));
  EXPECT_THAT(complaint(Generation::gcn1_4, "a0"), HasSubstr("gcn1.4 does not have accumulation registers"));
  for (const char* text : {"",   "s",      "s[",  "s[1", "s[3:2]", "s4294967299", "s[0:16]", "s-1", "vcc_mid", "v",
                           "v[", "v[4:3]", "v03", "v3[", "v3[7",   "v3[7]x",      "v3[-1]",  "v-1", "v[1:]",   "a"}) {
    EXPECT_FALSE(complaint(Generation::gcn1_4, text).empty());
  }
}

TEST(State, FindsNearNames) {
  EXPECT_THAT(nearest_register_names(Generation::gcn1_4, "trapen"), Contains("trap_en"));
  EXPECT_THAT(nearest_register_names(Generation::gcn1_4, "stauts"), Contains("status"));
  EXPECT_TRUE(nearest_register_names(Generation::gcn1_4, "something_else_entirely").empty());
}

TEST(State, WritesAndReadsEveryKind) {
  constexpr Generation generation = Generation::gcn1_4;
  WaveState state = initial_state(generation);
  const auto write = [&](const char* text, u64 value) {
    write_register(state, generation, parse_register_name(generation, text).value(), value);
  };
  const auto read = [&](const char* text) {
    return read_register(state, parse_register_name(generation, text).value());
  };

  write("s[2:3]", 0x123456789abcdef0);
  EXPECT_EQ(state.file[2], 0x9abcdef0U);
  EXPECT_EQ(state.file[3], 0x12345678U);
  EXPECT_EQ(read("s3"), 0x12345678U);
  EXPECT_EQ(read("s[2:3]"), 0x123456789abcdef0U);
  EXPECT_TRUE(state.defined.test(2) && state.defined.test(3));
  EXPECT_FALSE(state.defined.test(4));

  write("vcc_hi", 5);
  EXPECT_EQ(state.vcc(), u64{5} << 32);
  write("tba", 0x1234567890);
  write("tba_hi", 7);
  EXPECT_EQ(state.tba, 0x734567890U);
  EXPECT_EQ(read("tba_lo"), 0x34567890U);
  write("tma_lo", 0xfffffff0);
  EXPECT_EQ(state.tma, 0xfffffff0U);
  EXPECT_FALSE(state.defined.test(state_index::tma + 1));

  write("mode", 0xf0);
  write("csp", 5);
  EXPECT_EQ(state.mode, 0xa00000f0U);
  EXPECT_EQ(read("csp"), 5U);
  EXPECT_EQ(state.csp(), 5U);

  write("scc", 1);
  EXPECT_TRUE(state.scc);
  write("priv", 1);
  EXPECT_EQ(state.status, 0x20U);
  // SCC is bit 0; EXEC and VCC are not zero here.
  EXPECT_EQ(read("status"), 0x21U);
  write("vcc", 0);
  EXPECT_EQ(read("status"), 0x421U);
  write("status", 0xffffffff);
  EXPECT_EQ(state.status, 0xfffff9feU);
  EXPECT_EQ(read("halt"), 1U);
  write("halt", 0);
  EXPECT_EQ(state.status, 0xffffd9feU);

  write("pc", 0xffff123456789abf);
  EXPECT_EQ(state.pc, 0x123456789abcU);
  write("trapsts", 3);
  EXPECT_EQ(state.hwregs[3], 3U);
  EXPECT_EQ(read("HW_REG_TRAPSTS"), 3U);
}

TEST(State, ComparesByValue) {
  const WaveState state = initial_state(Generation::gcn1_4);
  WaveState other = state;
  EXPECT_EQ(state, other);
  other.defined.set(5);
  EXPECT_NE(state, other);
  other = state;
  other.hwregs[7] = 1;
  EXPECT_NE(state, other);
}

}  // namespace
}  // namespace salu
