#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "capi/capi_test.hpp"

// Columns of inputs and results, and comparisons of two programs. Expected values are computed here.
namespace salu::capi_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CapiTables : public CapiTest {};

template <class Number>
salu_column column(const char* name, std::vector<Number>& numbers) {
  return {name, numbers.data(), sizeof(Number), sizeof(Number), std::is_signed_v<Number> ? 1 : 0};
}

TEST_F(CapiTables, EveryKindOfColumnIsReadAndWritten) {
  constexpr std::size_t count = 10'007;  // not a multiple of a block
  salu_scenario* const scenario =
      assembled("s_mul_i32 s2, s0, s1\ns_lshl_b64 s[6:7], s[4:5], 1\ns_add_i32 s3, s8, s9\ns_endpgm");
  std::mt19937_64 random(1);
  std::vector<std::uint32_t> s0(count);
  std::vector<std::uint8_t> s1(count);
  std::vector<std::uint64_t> pair(count);
  std::vector<std::int16_t> s8(count);
  std::vector<std::int64_t> s9(count);
  for (std::size_t i = 0; i < count; ++i) {
    s0[i] = static_cast<std::uint32_t>(random());
    s1[i] = static_cast<std::uint8_t>(random());
    pair[i] = random();
    s8[i] = static_cast<std::int16_t>(random());
    s9[i] = static_cast<std::int32_t>(random());
  }
  const std::array inputs = {column("s0", s0), column("s1", s1), column("s[4:5]", pair), column("s8", s8),
                             column("s9", s9)};
  for (const int scalar : {0, 1}) {
    std::vector<std::uint32_t> product(count);
    std::vector<std::uint64_t> shifted(count);
    std::vector<std::int64_t> sum(count);
    std::vector<std::uint8_t> scc(count);
    std::vector<std::uint8_t> stop(count, 1);
    std::vector<std::uint16_t> steps(count);
    const std::array outputs = {column("s2", product), column("s[6:7]", shifted), column("s3", sum),
                                column("scc", scc),    column("stop", stop),      column("steps", steps)};
    salu_sweep_options options = {};
    options.struct_size = sizeof options;
    options.scalar = scalar;
    options.threads = 3;
    std::uint64_t states = 0;
    ASSERT_EQ(
        salu_sweep(scenario, inputs.data(), inputs.size(), outputs.data(), outputs.size(), count, &options, &states),
        SALU_OK)
        << salu_error_message();
    EXPECT_EQ(states, count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(product[i], s0[i] * s1[i]) << i;
      EXPECT_EQ(shifted[i], pair[i] << 1) << i;
      const std::int64_t exact = s8[i] + s9[i];
      EXPECT_EQ(sum[i], exact & 0xffffffff) << i;
      EXPECT_EQ(scc[i], exact != static_cast<std::int32_t>(exact) ? 1 : 0) << i;
      EXPECT_EQ(stop[i], 0) << i;
      EXPECT_EQ(steps[i], 4) << i;
      if (HasFailure()) break;
    }
  }
  salu_scenario_free(scenario);
}

TEST_F(CapiTables, StridesGoAnyWay) {
  salu_scenario* const scenario = assembled("s_add_u32 s2, s0, s1\ns_endpgm");
  std::vector<std::uint32_t> rows = {1, 10, 0, 2, 20, 0, 3, 30, 0};
  std::uint32_t constant = 100;
  // Backwards over the first of three columns; a constant; into the third.
  const std::array inputs = {salu_column{"s0", rows.data() + 6, -12, 4, 0}, salu_column{"s1", &constant, 0, 4, 0}};
  const salu_column output = {"s2", rows.data() + 2, 12, 4, 0};
  ASSERT_EQ(salu_sweep(scenario, inputs.data(), 2, &output, 1, 3, nullptr, nullptr), SALU_OK) << salu_error_message();
  EXPECT_THAT(rows, ElementsAre(1, 10, 103, 2, 20, 102, 3, 30, 101));
  const salu_column everywhere = {"s2", rows.data(), 0, 4, 0};
  EXPECT_EQ(salu_sweep(scenario, inputs.data(), 2, &everywhere, 1, 3, nullptr, nullptr), SALU_INVALID_ARGUMENT);
  EXPECT_EQ(salu_sweep(scenario, inputs.data(), 2, &output, 1, 0, nullptr, nullptr), SALU_OK);
  salu_scenario_free(scenario);
}

TEST_F(CapiTables, ValuesThatDoNotFitAreRejected) {
  salu_scenario* const scenario = assembled("s_mov_b32 s1, s0\nv_mov_b32 v0, s0\ns_endpgm");
  std::vector<std::uint64_t> in = {1, 0x100000000};
  std::vector<std::int64_t> negative = {-1, -0x80000001LL};
  std::vector<std::uint16_t> narrow(2);
  std::vector<std::uint32_t> out(2);
  const salu_column wide = column("s0", in);
  const salu_column least = column("s0", negative);
  const salu_column result = column("s1", out);
  const salu_column small = column("s1", narrow);
  EXPECT_EQ(salu_sweep(scenario, &wide, 1, &result, 1, 2, nullptr, nullptr), SALU_BAD_SCENARIO);
  EXPECT_THAT(salu_error_message(), HasSubstr("row 2: 4294967296 does not fit in the 32 bits of s0"));
  EXPECT_EQ(salu_sweep(scenario, &least, 1, &result, 1, 2, nullptr, nullptr), SALU_BAD_SCENARIO);
  EXPECT_EQ(salu_sweep(scenario, &least, 1, &result, 1, 1, nullptr, nullptr), SALU_OK);
  EXPECT_EQ(out[0], 0xffffffffU);
  EXPECT_EQ(salu_sweep(scenario, &wide, 1, &small, 1, 1, nullptr, nullptr), SALU_BAD_USAGE);
  const salu_column lanes = column("v0", out);
  EXPECT_EQ(salu_sweep(scenario, &wide, 1, &lanes, 1, 1, nullptr, nullptr), SALU_BAD_USAGE);
  const salu_column lane = column("v0[63]", out);
  EXPECT_EQ(salu_sweep(scenario, &wide, 1, &lane, 1, 1, nullptr, nullptr), SALU_OK) << salu_error_message();
  EXPECT_EQ(out[0], 1U);
  for (const std::uint32_t size : {0U, 3U, 16U, ~0U}) {
    salu_column odd = wide;
    odd.size_bytes = size;
    EXPECT_EQ(salu_sweep(scenario, &odd, 1, &result, 1, 1, nullptr, nullptr), SALU_BAD_USAGE) << size;
    odd = result;
    odd.size_bytes = size;
    EXPECT_EQ(salu_sweep(scenario, &wide, 1, &odd, 1, 1, nullptr, nullptr), SALU_BAD_USAGE) << size;
  }
  const std::array twice = {wide, wide};
  EXPECT_EQ(salu_sweep(scenario, twice.data(), 2, &result, 1, 1, nullptr, nullptr), SALU_BAD_USAGE);
  EXPECT_EQ(salu_sweep(scenario, &wide, 1, &result, 1, (1ULL << 32) + 1, nullptr, nullptr), SALU_BAD_USAGE);
  salu_scenario_free(scenario);
}

TEST_F(CapiTables, RunsThatEndBadlyHaveTheirCode) {
  salu_scenario* const scenario = assembled(
      "s_cmp_eq_u32 s0, 1\ns_cbranch_scc1 forever\ns_cmp_eq_u32 s0, 2\ns_cbranch_scc1 warns\ns_endpgm\nforever:\n"
      "s_branch forever\nwarns:\ns_trap 1\ns_endpgm\n");
  std::vector<std::uint32_t> in = {0, 1, 2};
  std::vector<std::uint8_t> stop(3);
  const salu_column input = column("s0", in);
  const salu_column output = column("stop", stop);
  salu_sweep_options options = {};
  options.struct_size = sizeof options;
  options.max_steps = 100;
  ASSERT_EQ(salu_sweep(scenario, &input, 1, &output, 1, 3, &options, nullptr), SALU_OK) << salu_error_message();
  EXPECT_STREQ(salu_stop_code_name(stop[0]), "end_program");
  EXPECT_STREQ(salu_stop_code_name(stop[1]), "step_limit");
  EXPECT_STREQ(salu_stop_code_name(stop[2]), "end_program+warned");
  // A flag that is set from the start.
  const std::int32_t cancel = 1;
  options.cancel = &cancel;
  std::uint64_t states = 9;
  EXPECT_EQ(salu_sweep(scenario, &input, 1, &output, 1, 3, &options, &states), SALU_CANCELLED);
  EXPECT_EQ(states, 0U);
  salu_scenario_free(scenario);
}

TEST_F(CapiTables, RangesAreSummedUp) {
  salu_scenario* const scenario = assembled("s_mul_i32 s1, s0, s0\ns_endpgm");
  const char* const range = "s0=0..9";
  const char* const output = "s1";
  salu_text* json = nullptr;
  ASSERT_EQ(salu_sweep_ranges(scenario, &range, 1, &output, 1, nullptr, &json), SALU_OK) << salu_error_message();
  std::uint64_t checksum = 0;
  for (std::uint64_t i = 0; i < 10; ++i) checksum += i * i * (2 * i + 1);
  const std::string text = taken(json);
  EXPECT_THAT(text, HasSubstr("\"states\":10"));
  EXPECT_THAT(text, HasSubstr("\"checksum\":" + std::to_string(checksum) + "}"));
  EXPECT_EQ(salu_sweep_ranges(scenario, &output, 1, nullptr, 0, nullptr, &json), SALU_BAD_USAGE);
  salu_scenario_free(scenario);
}

TEST_F(CapiTables, TwoProgramsAreCompared) {
  salu_scenario* const twice = assembled("s_add_u32 s0, s1, s1\ns_endpgm");
  salu_scenario* const shifted = assembled("s_lshl_b32 s0, s1, 1\ns_endpgm");
  salu_scenario* const wrong = assembled("s_lshl_b32 s0, s1, 1\ns_bitset0_b32 s0, 31\ns_endpgm");
  const char* const output = "s0";
  salu_compare_options options = {};
  options.struct_size = sizeof options;
  options.outputs = &output;
  options.output_count = 1;
  options.states = 1000;
  std::int32_t verdict = -1;
  salu_text* text = nullptr;
  salu_text* json = nullptr;
  ASSERT_EQ(salu_compare(twice, shifted, &options, &verdict, nullptr, nullptr), SALU_OK) << salu_error_message();
  EXPECT_EQ(verdict, SALU_EQUAL);
  ASSERT_EQ(salu_compare(twice, wrong, &options, &verdict, &text, &json), SALU_OK) << salu_error_message();
  EXPECT_EQ(verdict, SALU_DIFFERENT);
  EXPECT_THAT(taken(text), testing::StartsWith("different"));
  EXPECT_THAT(taken(json), HasSubstr("\"schema\":\"salu-equiv-v1\""));
  ASSERT_EQ(salu_prove(twice, shifted, &options, &verdict, &text, &json), SALU_OK) << salu_error_message();
  EXPECT_EQ(verdict, SALU_EQUAL);
  EXPECT_THAT(taken(text), testing::StartsWith("proved"));
  EXPECT_THAT(taken(json), HasSubstr("\"schema\":\"salu-prove-v1\""));
  ASSERT_EQ(salu_prove(twice, wrong, &options, &verdict, nullptr, nullptr), SALU_OK) << salu_error_message();
  EXPECT_EQ(verdict, SALU_DIFFERENT);
  const char* const nonsense = "s999";
  options.outputs = &nonsense;
  EXPECT_EQ(salu_compare(twice, wrong, &options, &verdict, &text, &json), SALU_BAD_USAGE);
  options.outputs = &output;
  const std::int32_t cancel = 1;
  options.cancel = &cancel;
  EXPECT_EQ(salu_compare(twice, shifted, &options, &verdict, &text, &json), SALU_CANCELLED);
  options.seconds = -1;
  EXPECT_EQ(salu_compare(twice, shifted, &options, &verdict, &text, &json), SALU_INVALID_ARGUMENT);
  salu_scenario_free(wrong);
  salu_scenario_free(shifted);
  salu_scenario_free(twice);
}

}  // namespace
}  // namespace salu::capi_test
