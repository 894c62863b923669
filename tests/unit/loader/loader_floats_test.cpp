#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "unit/loader_helpers.hpp"

// Floating-point numbers in registers, memory and expectations.
namespace salu::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LoaderFloats, FillRegisters) {
  const WaveState state = load_good(with("registers:\n"
                                         "  v0: {f32: [1.0, -0.0, nan]}\n"
                                         "  v1: {f16: [[1.0, -2.0], 0.5]}\n"
                                         "  v[2:3]: {f64: [0.1]}\n"
                                         "  v4: {f16: 2}\n"
                                         "  s0: {f16: [1.0, -2.0]}\n"
                                         "  s[4:7]: {f32: [1, 2, 3, 4]}\n"
                                         "  s[8:9]: {f16: [1, 2, 3, 4]}\n"
                                         "  s[10:11]: {f64: 0.1}\n"))
                              .initial;
  const auto lanes = [&](u32 number) { return state.vectors.lanes(number); };
  EXPECT_EQ(lanes(0)[0], std::bit_cast<u32>(1.0F));
  EXPECT_EQ(lanes(0)[1], 0x80000000U);
  EXPECT_EQ(lanes(0)[2], 0x7fc00000U);
  EXPECT_EQ(lanes(0)[3], 0U);
  EXPECT_EQ(lanes(1)[0], 0xc0003c00U);
  EXPECT_EQ(lanes(1)[1], 0x3800U);
  EXPECT_EQ(lanes(2)[0] | u64{lanes(3)[0]} << 32, std::bit_cast<u64>(0.1));
  EXPECT_EQ(lanes(4)[63], 0x4000U);
  EXPECT_EQ(state.file[0], 0xc0003c00U);
  EXPECT_EQ(state.file[7], std::bit_cast<u32>(4.0F));
  EXPECT_EQ(state.file[8], 0x40003c00U);
  EXPECT_EQ(state.file[9], 0x44004200U);
  EXPECT_EQ(state.file[10] | u64{state.file[11]} << 32, std::bit_cast<u64>(0.1));
}

TEST(LoaderFloats, FillMemory) {
  const Memory memory = load_good(with("memory: [{at: 0x10000, f32: [1.5, inf]}, {at: 0x20000, f16: [1, -2], size: 8},"
                                       " {at: 0x30000, f64: [0.1]}]\n"))
                            .memory;
  EXPECT_EQ(memory.read_dword(0x10000), std::bit_cast<u32>(1.5F));
  EXPECT_EQ(memory.read_dword(0x10004), 0x7f800000U);
  EXPECT_EQ(memory.read_dword(0x20000), 0xc0003c00U);
  EXPECT_EQ(memory.read_dword(0x20004), 0U);
  EXPECT_EQ(memory.read_dword(0x30004), static_cast<u32>(std::bit_cast<u64>(0.1) >> 32));
}

TEST(LoaderFloats, AreSetByOptions) {
  LoadOptions options;
  options.set = {"s0:f32=1.5", "s[2:3]:f64=-0.5", "v0:f32=[1, -2]", "v1:f16=0.5", "v2={f32: 0.25}", "s1={f32: inf}"};
  const WaveState state = load_good(minimal, options).initial;
  EXPECT_EQ(state.file[0], std::bit_cast<u32>(1.5F));
  EXPECT_EQ(state.file[1], 0x7f800000U);
  EXPECT_EQ(state.file[2] | u64{state.file[3]} << 32, std::bit_cast<u64>(-0.5));
  EXPECT_EQ(state.vectors.lanes(0)[1], std::bit_cast<u32>(-2.0F));
  EXPECT_EQ(state.vectors.lanes(1)[63], 0x3800U);
  EXPECT_EQ(state.vectors.lanes(2)[63], std::bit_cast<u32>(0.25F));
  options.set = {"s0:f64=1"};
  EXPECT_THAT(load_bad(minimal, options).message, HasSubstr("too narrow for a floating-point number of 64 bits"));
}

constexpr std::string_view table =
    "memory: [{at: 0x10000, size: 16}]\n"
    "cases:\n"
    "  columns: ['s0:f32', 's1:f16', 's[2:3]:f64', 'v0:f32', 'memory.0x10000:f64', 'memory.0x10008:f16',\n"
    "            'expect.s0:f32~1', 'expect.v0:f32~2', 'expect.memory.0x10000:f64~1', 'expect.s[2:3]:f64']\n"
    "  rows:\n"
    "    - [1.5, 2, 0.1, [1, -2], 0.1, 0.5, 1.5, [1, -2], 0.1, 0.1]\n"
    "    - [1.5, 2, 0.1, 1, 0.1, 0.5, 1.5000001, 1.0000002, 0.10000000000000002, 0.1]\n"
    "    - [1.5, 2, 0.1, 1, 0.1, 0.5, 1.5000002, 1.0000004, 0.10000000000000003, 0.10000000000000002]\n";

TEST(LoaderFloats, AreColumnsOfTables) {
  const Scenario scenario = load_good(with(std::string(table)));
  const Scenario first = case_scenario(scenario, 0);
  EXPECT_EQ(first.initial.file[0], std::bit_cast<u32>(1.5F));
  EXPECT_EQ(first.initial.file[1], 0x4000U);
  EXPECT_EQ(first.initial.file[2] | u64{first.initial.file[3]} << 32, std::bit_cast<u64>(0.1));
  EXPECT_EQ(first.initial.vectors.lanes(0)[1], std::bit_cast<u32>(-2.0F));
  EXPECT_EQ(first.memory.read_dword(0x10004), static_cast<u32>(std::bit_cast<u64>(0.1) >> 32));
  EXPECT_EQ(first.memory.read_dword(0x10008), 0x3800U);
  EXPECT_EQ(case_scenario(scenario, 1).initial.vectors.lanes(0)[63], std::bit_cast<u32>(1.0F));
  const auto mismatches_of = [&](std::size_t row) {
    const Scenario one = case_scenario(scenario, row);
    std::vector<std::string> texts;
    for (const Mismatch& each : check(*one.expect, run(one, one.options))) texts.push_back(each.text());
    return texts;
  };
  EXPECT_THAT(mismatches_of(0), IsEmpty());
  EXPECT_THAT(mismatches_of(1), IsEmpty());
  const std::vector<std::string> third = mismatches_of(2);
  ASSERT_EQ(third.size(), 1 + 64 + 1 + 1U);
  EXPECT_EQ(third[0], "s0: expected 1.5000002 (0x3fc00002), got 1.5 (0x3fc00000), 2 ulps apart; 1 allowed");
  EXPECT_EQ(third[1], "v0[0]: expected 1.0000004 (0x3f800003), got 1 (0x3f800000), 3 ulps apart; 2 allowed");
  EXPECT_EQ(third[65],
            "s[2:3]: expected 0.10000000000000002 (0x3fb999999999999b), got 0.1 (0x3fb999999999999a), 1 ulp apart");
  EXPECT_EQ(third[66],
            "memory 0x10000: expected 0.10000000000000003 (0x3fb999999999999c), got 0.1 (0x3fb999999999999a), 2 ulps "
            "apart; 1 allowed");
}

TEST(LoaderFloats, AreColumnsOfFiles) {
  TemporaryFolder folder;
  (void)folder.write("rows.csv", "s0:f32,v0:f32,expect.s0:f32~1\n0x1p-1,-1e-45,0.50000006\n,2,\n");
  const Scenario csv = load_good(with("cases: {file: rows.csv}\n"), {}, folder.path("x.yaml"));
  const Scenario first = case_scenario(csv, 0);
  EXPECT_EQ(first.initial.file[0], std::bit_cast<u32>(0.5F));
  EXPECT_EQ(first.initial.vectors.lanes(0)[63], 0x80000001U);
  EXPECT_THAT(check(*first.expect, run(first, first.options)), IsEmpty());
  EXPECT_FALSE(case_scenario(csv, 1).initial.defined.test(0));
  (void)folder.write("rows.jsonl", "{\"s0:f32\": 0.5, \"expect\": {\"s0:f32~1\": 0.50000006}}\n");
  const Scenario lines = load_good(with("cases: {file: rows.jsonl}\n"), {}, folder.path("x.yaml"));
  const Scenario line = case_scenario(lines, 0);
  EXPECT_EQ(line.initial.file[0], std::bit_cast<u32>(0.5F));
  EXPECT_THAT(check(*line.expect, run(line, line.options)), IsEmpty());
}

std::vector<std::string> mismatches(const std::string& registers, const std::string& expect,
                                    const std::string& memory = "[]") {
  const Scenario scenario = load_good(with("registers: " + registers + "\nmemory: " + memory + "\nexpect: " + expect));
  std::vector<std::string> texts;
  for (const Mismatch& each : check(*scenario.expect, run(scenario, scenario.options))) texts.push_back(each.text());
  return texts;
}

TEST(LoaderFloats, AreExpectedWithinUlps) {
  const std::string three = "{v0: {f32: [1.0, -1.0, 2.0]}}";
  EXPECT_THAT(mismatches(three, "{registers: {v0: {f32: [1.0, -1.0, 2.0]}}}"), IsEmpty());
  EXPECT_THAT(mismatches(three, "{registers: {v0: {f32: [1.0000001, -1, 2]}}}"),
              ElementsAre("v0[0]: expected 1.0000001 (0x3f800001), got 1 (0x3f800000), 1 ulp apart"));
  EXPECT_THAT(mismatches(three, "{registers: {v0: {f32: [1.0000001, -1, 2], ulps: 1}}}"), IsEmpty());
  EXPECT_THAT(mismatches(three, "{registers: {v0: {f32: [1.0000002, -1, 2], ulps: 1}}}"),
              ElementsAre("v0[0]: expected 1.0000002 (0x3f800002), got 1 (0x3f800000), 2 ulps apart; 1 allowed"));
  EXPECT_THAT(mismatches("{\"s[2:3]\": {f64: 0.1}}", "{registers: {\"s[2:3]\": {f64: 0.1, ulps: 5}}}"), IsEmpty());
  EXPECT_THAT(mismatches("{\"s[2:3]\": {f32: [1, 2]}}", "{registers: {\"s[2:3]\": {f32: [1, 3]}}}"),
              ElementsAre(HasSubstr("s[2:3]: expected 1, 3 (0x404000003f800000), got 1, 2 (0x400000003f800000)")));
}

TEST(LoaderFloats, OfTwoVectorRegistersAreComparedAsOneNumber) {
  // 0x3ff0000000000000 and the number below it differ in all bits of both dwords.
  const std::string one = "{\"v[2:3]\": {f64: [1.0]}}";
  EXPECT_THAT(mismatches(one, "{registers: {\"v[2:3]\": {f64: [0x1.fffffffffffffp-1], ulps: 1}}}"), IsEmpty());
  EXPECT_THAT(mismatches(one, "{registers: {\"v[2:3]\": {f64: [0x1.fffffffffffffp-1]}}}"),
              ElementsAre("v2[0]: expected 0.9999999999999999 (0x3fefffffffffffff), got 1 (0x3ff0000000000000), 1 ulp "
                          "apart"));
}

TEST(LoaderFloats, AnyNanIsANan) {
  EXPECT_THAT(mismatches("{s0: 0x7fc12345}", "{registers: {s0: {f32: nan}}}"), IsEmpty());
  EXPECT_THAT(mismatches("{s0: 0xffa00001}", "{registers: {s0: {f32: nan, ulps: 9}}}"), IsEmpty());
  EXPECT_THAT(mismatches("{s0: {f32: 1}}", "{registers: {s0: {f32: nan}}}"),
              ElementsAre("s0: expected nan (0x7fc00000), got 1 (0x3f800000)"));
  EXPECT_THAT(mismatches("{s0: 0x7fc00000}", "{registers: {s0: {f32: 1, ulps: 1000000000}}}"),
              ElementsAre("s0: expected 1 (0x3f800000), got nan (0x7fc00000)"));
}

TEST(LoaderFloats, ZerosDifferWithoutUlps) {
  EXPECT_THAT(mismatches("{s0: {f32: 0.0}}", "{registers: {s0: {f32: -0.0}}}"),
              ElementsAre("s0: expected -0 (0x80000000), got 0 (0x00000000), 0 ulps apart"));
  EXPECT_THAT(mismatches("{s0: {f32: 0.0}}", "{registers: {s0: {f32: -0.0, ulps: 1}}}"), IsEmpty());
}

TEST(LoaderFloats, AreExpectedInMemory) {
  const std::string block = "[{at: 0x10000, f32: [1.0, 2.0, 3.0]}]";
  EXPECT_THAT(mismatches("{}", "{memory: [{at: 0x10000, f32: [1.0000001, 2, 3], ulps: 1}]}", block), IsEmpty());
  EXPECT_THAT(mismatches("{}", "{memory: [{at: 0x10000, f32: [1, 2.5, 3], ulps: 1}]}", block),
              ElementsAre("memory 0x10004: expected 2.5 (0x40200000), got 2 (0x40000000), 2097152 ulps apart; 1 "
                          "allowed"));
}

TEST(LoaderFloats, BadOnesAreRejected) {
  struct Bad {
    std::string_view text;
    std::string_view message;
  };
  for (const auto& [text, message] : std::to_array<Bad>({
           {"registers: {v0: {f64: [1.0]}}", "f64 needs a pair of registers, as v[2:3]"},
           {"registers: {s0: {f64: 1}}", "too narrow for a floating-point number of 64 bits"},
           {"registers: {s0: {f32: [1, 2]}}", "expected 1 numbers of 32 bits, found 2"},
           {"registers: {s0: {f16: 65520}}", "does not fit in 16 bits"},
           {"registers: {v0: {f16: [[1, 2, 3]]}}", "the low and the high half"},
           {"registers: {v0: {f32: [one]}}", "`one` is not a floating-point number"},
           {"registers: {v0: {f32: 1, ulps: 1}}", "unknown key `ulps`"},
           {"expect: {registers: {s0: {f32: 1, ulps: -1}}}", "ulps"},
           {"expect: {registers: {s0: {f32: 1, mask: 1}}}", "unknown key `mask`"},
           {"memory: [{at: 0x10000, f32: 1.5}]", "must be a list"},
           {"memory: [{at: 0x10000, f32: [1], f64: [1]}]", "more than one of"},
           {"memory: [{at: 0x10000, size: 8}]\nexpect: {memory: [{at: 0x10000, words: [1], ulps: 1}]}",
            "`ulps:` needs `f16:`, `f32:` or `f64:`"},
           {"cases: {columns: [expect.s0], rows: [[{f32: 1, ulps: 1}]]}",
            "a table has the allowed distance in the name of the column, as in `expect.s0:f32~2`"},
           {"cases: {columns: ['s0:f64'], rows: [[1]]}", "`s0:f64`: the column has 32 bits, and f64 has 64"},
           {"cases: {columns: ['v0:f64'], rows: [[1]]}", "`v0:f64`: the column has 32 bits, and f64 has 64"},
           {"cases: {columns: ['s0:f32~1'], rows: [[1]]}", "only an expectation has an allowed distance"},
           {"cases: {columns: ['expect.stop:f32'], rows: [[1]]}", "a stop reason is not a float"},
           {"cases: {columns: ['s0:f33'], rows: [[1]]}", "s0:f33"},
           {"cases: {columns: ['expect.s0:f32~x'], rows: [[1]]}", "s0:f32~x"},
           {"cases: {columns: ['s0:f32'], rows: [[one]]}", "`one` is not a floating-point number"},
           {"cases: {columns: ['s0:f32'], rows: [[{f32: 1}]]}", "expected a floating-point number"},
           {"cases: {columns: [s0, 's0:f32'], rows: [[1, 1]]}", "`s0` and `s0:f32` set the same bits"},
       }))
    EXPECT_THAT(load_bad(with(std::string(text))).message, HasSubstr(message)) << text;
}

}  // namespace
}  // namespace salu::test
