#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/session.hpp>

#include <set>
#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"

// The rounding of results that hardware approximates (`approximations:`).
namespace salu::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view code =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    v_rcp_f32 v10, v0\n"
    "    v_rcp_iflag_f32 v11, v0\n"
    "    v_rsq_f32 v12, v0\n"
    "    v_sqrt_f32 v13, v1\n"
    "    v_exp_f32 v14, v2\n"
    "    v_log_f32 v15, v0\n"
    "    v_sin_f32 v16, v3\n"
    "    v_cos_f32 v17, v3\n"
    "    v_rcp_f64 v[18:19], v[4:5]\n"
    "    v_rcp_f32 v20, v6\n"
    "    v_rcp_f32 v21, v7\n"
    "    v_exp_f32 v22, v8\n"
    "    v_mul_f32 v23, v9, v9\n"
    "    s_endpgm\n"
    "registers: {v0: {f32: 3}, v1: {f32: 2}, v2: {f32: 0.5}, v3: {f32: 0.125}, 'v[4:5]': {f64: 3}, v6: {f32: -3},\n"
    "            v7: {f32: 4}, v8: {f32: 200}, v9: {f32: 0.1}}\n";

std::vector<u32> results(const std::string& approximations) {
  const Outcome outcome = run_text(std::string(code) + approximations);
  std::vector<u32> lanes;
  for (u32 number = 10; number < 24; ++number) lanes.push_back(outcome.state.vectors.lanes(number)[0]);
  return lanes;
}

// The exact results are computed with 60 digits: 1/3, 1/3, 1/sqrt(3), sqrt(2), 2^0.5, log2(3), sin(45 degrees) twice,
// 1/3 with 64 bits, -1/3. 1/4 is a float, 2^200 is beyond the floats, and a product is not an approximation.
TEST(Approximations, RoundToNearestByDefault) {
  const std::vector<u32> nearest = {0x3eaaaaab, 0x3eaaaaab, 0x3f13cd3a, 0x3fb504f3, 0x3fb504f3, 0x3fcae00d, 0x3f3504f3,
                                    0x3f3504f3, 0x55555555, 0x3fd55555, 0xbeaaaaab, 0x3e800000, 0x7f800000, 0x3c23d70b};
  EXPECT_EQ(results(""), nearest);
  EXPECT_EQ(results("approximations: nearest\n"), nearest);
}

TEST(Approximations, RoundDown) {
  EXPECT_EQ(results("approximations: low\n"),
            (std::vector<u32>{0x3eaaaaaa, 0x3eaaaaaa, 0x3f13cd3a, 0x3fb504f3, 0x3fb504f3, 0x3fcae00d, 0x3f3504f3,
                              0x3f3504f3, 0x55555555, 0x3fd55555, 0xbeaaaaab, 0x3e800000, 0x7f800000, 0x3c23d70b}));
}

TEST(Approximations, RoundUp) {
  EXPECT_EQ(results("approximations: high\n"),
            (std::vector<u32>{0x3eaaaaab, 0x3eaaaaab, 0x3f13cd3b, 0x3fb504f4, 0x3fb504f4, 0x3fcae00e, 0x3f3504f4,
                              0x3f3504f4, 0x55555556, 0x3fd55555, 0xbeaaaaaa, 0x3e800000, 0x7f800000, 0x3c23d70b}));
}

TEST(Approximations, RoundDownOrUpByASeed) {
  const std::vector<u32> low = results("approximations: low\n");
  const std::vector<u32> high = results("approximations: high\n");
  std::set<std::vector<u32>> seen;
  for (u64 seed = 0; seed < 20; ++seed) {
    const std::string text = "approximations: seed " + std::to_string(seed) + "\n";
    const std::vector<u32> lanes = results(text);
    EXPECT_EQ(lanes, results(text));
    for (std::size_t i = 0; i < lanes.size(); ++i) EXPECT_TRUE(lanes[i] == low[i] || lanes[i] == high[i]) << i;
    seen.insert(lanes);
  }
  EXPECT_GT(seen.size(), 10U);
}

TEST(Approximations, AreTheSameInBothDirections) {
  const Scenario scenario = load_good(std::string(code) + "approximations: seed 3\n");
  Result<Session> session = Session::open(scenario);
  ASSERT_TRUE(session);
  const std::vector<u32> expected = results("approximations: seed 3\n");
  for (int i = 0; i < 2; ++i) {
    session->continue_();
    for (u32 k = 0; k < 14; ++k) EXPECT_EQ(session->state().vectors.lanes(10 + k)[0], expected[k]) << k;
    session->reverse_step(7);
    EXPECT_EQ(session->state().vectors.lanes(20)[0], 0U);
  }
}

TEST(Approximations, AreOptionsOfLoading) {
  LoadOptions options;
  options.approximations = Approximations{Approximations::Rounding::high, 0};
  EXPECT_EQ(load_good(std::string(code) + "approximations: low\n", options).options.approximations,
            options.approximations);
  EXPECT_THAT(load_bad(std::string(code) + "approximations: up\n").message,
              HasSubstr("`approximations:` must be `nearest`, `low`, `high` or `seed N`"));
}

}  // namespace
}  // namespace salu::test
