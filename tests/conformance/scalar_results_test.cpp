#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/llvm.hpp"
#include "isa/decode.hpp"

// The scalar registers that vector instructions write, derived from LLVM's text: the destination of a compare or a lane
// read, the carry of an addition, and EXEC for V_CMPX.
namespace salu::conformance {
namespace {

/// Destinations as text: `vcc`, `s[4:5] exec`.
std::string results_of(Generation generation, const Words& words) {
  std::string text;
  for (const isa::RegisterSpan& span : isa::vector_scalar_results(generation, words.span())) {
    text += (text.empty() ? "" : " ") + isa::register_name(generation, span.code, span.dwords);
  }
  return text;
}

std::vector<std::string> split_operands(const std::string& text) {
  std::vector<std::string> operands;
  std::istringstream stream(text.substr(std::min(text.find(' '), text.size())));
  std::string operand;
  while (std::getline(stream, operand, ',')) {
    operand.erase(0, operand.find_first_not_of(' '));
    operands.push_back(operand.substr(0, operand.find(' ')));
  }
  return operands;
}

/// True if the second operand of a mnemonic is a destination: a carry or a flag.
bool has_second_destination(Generation generation, const std::string& mnemonic) {
  const auto starts = [&mnemonic](const char* prefix) { return mnemonic.starts_with(prefix); };
  if (starts("v_div_scale_") || starts("v_mad_u64_u32") || starts("v_mad_i64_i32")) return true;
  for (const std::string name : {"v_add", "v_sub", "v_subrev", "v_addc", "v_subb", "v_subbrev"}) {
    if (starts((name + (is_gfx9(generation) ? "_co_u32" : "_u32")).c_str())) return true;
    if (!is_gcn1_2_or_later(generation) && starts((name + "_i32").c_str())) return true;
  }
  return false;
}

/// The results according to LLVM's text.
std::string results_in(Generation generation, const std::string& text) {
  const std::string mnemonic = text.substr(0, text.find(' '));
  if (!mnemonic.starts_with("v_")) return {};
  const std::vector<std::string> operands = split_operands(text);
  const std::size_t place = has_second_destination(generation, mnemonic) ? 1 : 0;
  if (operands.size() <= place) return {};
  const auto span = isa::parse_register(generation, operands[place]);
  if (!span) return {};
  std::string result = isa::register_name(generation, span->code, span->dwords);
  if (mnemonic.starts_with("v_cmpx") || mnemonic.starts_with("v_cmpsx")) result += " exec";
  return result;
}

struct Case {
  const char* text;
  const char* results;
};

// Each is assembled on the processors that have it.
constexpr Case cases[] = {
    {"v_cmp_eq_u32 vcc, v0, v1", "vcc"},
    {"v_cmp_eq_u32 s[4:5], v0, v1", "s[4:5]"},
    {"v_cmp_class_f32 vcc, v0, v1", "vcc"},
    {"v_cmps_lt_f32 vcc, v0, v1", "vcc"},
    {"v_cmpx_lt_f32 vcc, v0, v1", "vcc exec"},
    {"v_cmpsx_lt_f64 s[6:7], v[0:1], v[2:3]", "s[6:7] exec"},
    {"v_cmpx_lt_f32 s[6:7], v0, v1", "s[6:7] exec"},
    {"v_cmpx_class_f64 vcc, v[0:1], v1", "vcc exec"},
    {"v_cmpx_eq_i64 vcc, v[0:1], v[2:3]", "vcc exec"},
    {"v_cmpx_ge_i16 vcc, v0, v1", "vcc exec"},
    {"v_readfirstlane_b32 s9, v1", "s9"},
    {"v_readlane_b32 s9, v1, s2", "s9"},
    {"v_readlane_b32 vcc_lo, v1, 3", "vcc_lo"},
    {"v_writelane_b32 v0, s1, 2", ""},
    {"v_add_i32 v0, vcc, v1, v2", "vcc"},
    {"v_sub_i32 v0, s[8:9], v1, v2", "s[8:9]"},
    {"v_add_u32 v0, vcc, v1, v2", "vcc"},
    {"v_add_co_u32 v0, s[8:9], v1, v2", "s[8:9]"},
    {"v_subbrev_u32 v0, s[8:9], v1, v2, s[10:11]", "s[8:9]"},
    {"v_div_scale_f32 v0, s[2:3], v1, v2, v3", "s[2:3]"},
    {"v_div_scale_f64 v[0:1], vcc, v[2:3], v[2:3], v[4:5]", "vcc"},
    {"v_mad_u64_u32 v[0:1], s[2:3], v1, v2, v[4:5]", "s[2:3]"},
    {"v_mad_i64_i32 v[0:1], s[2:3], v1, v2, v[4:5]", "s[2:3]"},
    {"v_cmp_eq_u32_sdwa s[4:5], v0, v1 src0_sel:WORD_0 src1_sel:DWORD", "s[4:5]"},
    {"v_cmp_eq_u32_sdwa vcc, v0, v1 src0_sel:WORD_0 src1_sel:DWORD", "vcc"},
    {"v_cndmask_b32 v0, v1, v2, vcc", ""},
    {"v_mul_f32 v0, s1, v2", ""},
    {"v_mad_f32 v0, s1, v2, v3", ""},
    {"v_mov_b32 v0, s1", ""},
    {"buffer_load_dword v0, off, s[4:7], s1", ""},
};

TEST(ScalarResults, AreTheDestinationsThatLlvmAssembles) {
  SALU_NEEDS_LLVM;
  std::vector<std::string> lines;
  for (const Case& each : cases) lines.emplace_back(each.text);
  std::vector<int> uses(lines.size());
  for (const Generation generation : generations()) {
    const auto words = llvm_assemble(main_processor(generation), lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!words[i]) continue;
      ++uses[i];
      EXPECT_EQ(results_of(generation, *words[i]), cases[i].results)
          << lines[i] << " on " << generation_name(generation);
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_GT(uses[i], 0) << lines[i] << " assembles nowhere";
}

class RandomScalarResults : public testing::TestWithParam<Processor> {};

TEST_P(RandomScalarResults, AgreeWithLlvm) {
  SALU_NEEDS_LLVM;
  std::mt19937 random(7);
  std::vector<Words> inputs;
  for (int i = 0; i < 12'000; ++i) {
    const auto first = static_cast<u32>(random()) >> 1;
    const auto vop3 = 0b110100U << 26 | (static_cast<u32>(random()) & 0x03ff7fffU);
    // Sources that are VGPRs make more words valid.
    inputs.push_back({{vop3, (static_cast<u32>(random()) & 0x1fffffffU) | 1U << 8 | 1U << 17 | 1U << 26}, 2});
    const u8 count = isa::vector_length(GetParam().generation(), first).dwords;
    // SDWA: LLVM's printer aborts on selectors that do not exist. VOPC has its destination in place of one.
    const bool is_vopc = first >> 25 == 0b0111110;
    inputs.push_back({{first, 0x06060600U | (static_cast<u32>(random()) & (is_vopc ? 0xffffU : 0xffU))}, count});
  }
  const auto texts = llvm_disassemble(GetParam().name, inputs);
  std::map<std::string, int> seen;
  int shown = 0;
  for (std::size_t i = 0; i < inputs.size() && shown < 20; ++i) {
    if (!texts[i] || isa::decode(GetParam().generation(), inputs[i].span()).encoding != isa::EncodingClass::vector)
      continue;
    // LLVM 22 prints destinations that do not exist as sources: `v_cmp_eq_u32_e64 src_shared_base, v0, v1`.
    if (texts[i]->find(" src_") == texts[i]->find(' ')) continue;
    const std::string expected = results_in(GetParam().generation(), *texts[i]);
    ++seen[expected.empty() ? "none" : expected.ends_with("exec") ? "exec" : "some"];
    const std::string actual = results_of(GetParam().generation(), inputs[i]);
    if (actual == expected) continue;
    ADD_FAILURE() << to_text(inputs[i]) << " " << *texts[i] << ": expected `" << expected << "`, got `" << actual
                  << "`";
    ++shown;
  }
  for (const char* kind : {"none", "exec", "some"}) EXPECT_GT(seen[kind], 50) << kind;
}

INSTANTIATE_TEST_SUITE_P(
    Llvm, RandomScalarResults,
    testing::ValuesIn(
        known_processors({{"gfx803"}, {"gfx900"}, {"gfx908"}, {"gfx90a"}, {"gfx942"}, {"gfx9-4-generic"}, {"gfx950"}})),
    [](const auto& each) { return test_name(each.param.name); });

}  // namespace
}  // namespace salu::conformance
