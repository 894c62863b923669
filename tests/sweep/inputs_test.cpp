#include <gmock/gmock.h>

#include "scenarios/tool.hpp"
#include "support/combinations.hpp"
#include "sweeps.hpp"

// The states of a sweep, and invalid states.
namespace salu::sweep_test {
namespace {

using support::Combinations;
using support::ValueRange;
using testing::HasSubstr;

class SweepInputs : public testing::Test {
 protected:
  [[nodiscard]] std::string swept(std::vector<std::string> rows, std::vector<std::string> columns = {},
                                  std::vector<std::string> vary = {}) const {
    SweepOptions options;
    options.rows = std::move(rows);
    options.columns = std::move(columns);
    options.vary = std::move(vary);
    options.outputs = {"s2"};
    return rows_of(sum_, options);
  }
  [[nodiscard]] std::string varied(std::vector<std::string> vary) const { return swept({}, {}, std::move(vary)); }
  [[nodiscard]] std::string file(const std::string& bytes) const { return workspace_.write("a.npy", bytes); }

  test::Workspace workspace_;
  Scenario sum_ = program(sum);
};

TEST(SweepCombinations, AreAllThereOnce) {
  const std::vector<ValueRange> ranges = {{3, 1, 1, 32}, {0xfe, 3, 1, 8}};
  const Combinations combinations(ranges);
  ASSERT_EQ(combinations.count(), 8U);
  std::vector<std::vector<u64>> all;
  for (u64 i = 0; i < 8; ++i) {
    all.emplace_back(2);
    combinations.fill(i, all.back());
  }
  EXPECT_EQ(
      all, (std::vector<std::vector<u64>>{{3, 0xfe}, {3, 0xff}, {3, 0}, {3, 1}, {4, 0xfe}, {4, 0xff}, {4, 0}, {4, 1}}));
  // A column read from any position has the same values.
  for (std::size_t range = 0; range < 2; ++range) {
    for (u64 first = 0; first < 8; ++first) {
      std::vector<u32> column(static_cast<std::size_t>(8 - first));
      combinations.fill_column(range, first, std::span(column));
      for (std::size_t i = 0; i < column.size(); ++i)
        EXPECT_EQ(column[i], all[static_cast<std::size_t>(first) + i][range]);
    }
  }
}

TEST(SweepCombinations, KnowHowManyThereAreBeyondTheMost) {
  const auto combined = [](const std::vector<ValueRange>& ranges) { return Combinations(ranges); };
  EXPECT_EQ(combined({{0, 0xffff, 1, 16}, {0, 0xffff, 1, 16}}).count(), u64{1} << 32);
  const Combinations too_many = combined({{0, 0xffff, 1, 16}, {0, 0xffff, 1, 16}, {0, 1, 1, 1}});
  EXPECT_EQ(too_many.count(), 0U);
  EXPECT_EQ(too_many.count_text(), "8589934592");
  EXPECT_EQ(combined({{0, ~u64{0}, 1, 64}}).count(), 0U);
  EXPECT_EQ(combined({{0, ~u64{0}, 1, 64}}).count_text(), "2^64");
  EXPECT_EQ(combined({{0, ~u64{0}, 1, 64}, {0, ~u64{0}, 1, 64}, {0, 63, 1, 32}}).count_text(), "2^134");
  EXPECT_EQ(combined({{0, ~u64{0}, 1, 64}, {0, 9, 1, 32}}).count_text(), "about 10^20");
}

TEST_F(SweepInputs, RangesAreCombined) {
  EXPECT_EQ(varied({"s0=-1..1", "s1=0..10:5"}),
            "s0,s1,expect.s2,expect.stop\n"
            "4294967295,0,4294967295,end_program\n4294967295,5,4,end_program\n4294967295,10,9,end_program\n"
            "0,0,0,end_program\n0,5,5,end_program\n0,10,10,end_program\n"
            "1,0,1,end_program\n1,5,6,end_program\n1,10,11,end_program\n");
}

TEST_F(SweepInputs, WrongRangesAreErrors) {
  EXPECT_THAT(varied({"s0=5..2"}), HasSubstr("--vary s0=5..2: error: the range is empty"));
  EXPECT_THAT(varied({"s0=1..-1"}), HasSubstr("the range is empty"));
  EXPECT_THAT(varied({"s0=0..0x100000000"}), HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(varied({"s0=0..9:0"}), HasSubstr("expected a step of at least 1"));
  EXPECT_THAT(varied({"s0=0..x"}), HasSubstr("expected a range after `=`"));
  EXPECT_THAT(varied({"s0"}), HasSubstr("expected a place and its values, as in s0=0..255"));
  EXPECT_THAT(varied({"s200=0..1"}), HasSubstr("--vary s200=0..1: error: "));
  EXPECT_THAT(varied({"s0=0..1", "s[0:1]=0..1"}), HasSubstr("`s0` and `s[0:1]` set the same bits"));
  EXPECT_THAT(varied({"memory.0x10=0..1"}), HasSubstr("no memory for 4 bytes at 0x10"));
  EXPECT_THAT(varied({"v0=0..1"}), HasSubstr("has 64 lanes; name one, as in v0[7]"));
  EXPECT_THAT(varied({"s[0:1]=0..0xffffffffffffffff", "s2=0..63"}), HasSubstr("2^70 states; the limit is 2^32"));
  EXPECT_THAT(varied({}), HasSubstr("missing states: give ranges"));
  SweepOptions fixed;
  fixed.vary = {"s0=0..1"};
  fixed.fixed = {"s[0:3]=7"};
  EXPECT_THAT(rows_of(sum_, fixed), HasSubstr("`s0` is also set by --set s[0:3]=7"));
}

TEST_F(SweepInputs, TablesAreRows) {
  const std::string csv = workspace_.write("a.csv", "s0,s1\n1,2\n0xffffffff,1\n,7\n");
  const std::string rows = "1,2,3,end_program\n4294967295,1,0,end_program\n0,7,7,end_program\n";
  EXPECT_EQ(swept({csv}), "s0,s1,expect.s2,expect.stop\n" + rows);
  const std::string lines =
      workspace_.write("a.jsonl", "{\"s0\": 1, \"s1\": 2}\n{\"s0\": -1, \"s1\": 1}\n{\"s1\": 7}\n");
  EXPECT_EQ(swept({lines}), "s0,s1,expect.s2,expect.stop\n" + rows);
  // With ranges: all combinations of one row, then those of the next.
  const std::string two = workspace_.write("b.csv", "s0\n1\n2\n");
  EXPECT_EQ(swept({two}, {}, {"s1=0..10:10"}),
            "s0,s1,expect.s2,expect.stop\n1,0,1,end_program\n1,10,11,end_program\n2,0,2,end_program\n"
            "2,10,12,end_program\n");
  EXPECT_THAT(swept({workspace_.write("c.csv", "s0,s1\n1\n")}),
              HasSubstr("c.csv:2:1: error: the row has 1 value, expected 2"));
  EXPECT_THAT(swept({workspace_.write("d.csv", "s0\n")}),
              HasSubstr("does not contain rows below its line of headings"));
  EXPECT_THAT(swept({workspace_.write("e.jsonl", "{\"nothing\": 1}\n")}), HasSubstr("e.jsonl:1:"));
  EXPECT_THAT(swept({csv, two}), HasSubstr("only one table is allowed"));
  EXPECT_THAT(swept({"a.txt"}), HasSubstr("ends in .csv, .jsonl or .npy"));
  EXPECT_THAT(swept({workspace_.path("none.csv")}), HasSubstr("cannot read the file"));
}

TEST_F(SweepInputs, ArraysAreColumns) {
  const std::string expected =
      "s0,s1,expect.s2,expect.stop\n1,2,3,end_program\n4294967295,1,0,end_program\n3,4,7,end_program\n";
  const std::string by_rows = little_endian({1, 2, 0xffffffff, 1, 3, 4}, 4);
  for (const char version : {'\1', '\2', '\3'})
    EXPECT_EQ(swept({file(npy("'<u4'", "(3, 2)", by_rows, "False", version))}, {"s0", "s1"}), expected);
  EXPECT_EQ(swept({file(npy("'<u4'", "(3, 2)", little_endian({1, 0xffffffff, 3, 2, 1, 4}, 4), "True"))}, {"s0", "s1"}),
            expected);
  EXPECT_EQ(swept({file(npy("'<i8'", "(3L, 2L)", little_endian({1, 2, ~u64{0}, 1, 3, 4}, 8)))}, {"s0", "s1"}),
            expected);
  // Fields of a structure, with a gap between them.
  std::string fields;
  for (const auto& [a, b] : {std::pair<u64, u64>{1, 2}, {~u64{0}, 1}, {3, 4}})
    fields += little_endian({a}, 1) + std::string("\7\7\7", 3) + little_endian({b}, 8);
  EXPECT_EQ(swept({file(npy("[('s0', '|i1'), ('', '|V3'), ('s1', '<u8')]", "(3,)", fields))}), expected);
  // Files of one column each.
  const std::string a = workspace_.write("s.npy", npy("'<u4'", "(3,)", little_endian({1, 0xffffffff, 3}, 4)));
  const std::string b = workspace_.write("t.npy", npy("'<u2'", "(3,)", little_endian({2, 1, 4}, 2)));
  EXPECT_EQ(swept({"s0=" + a, "s1=" + b}), expected);
}

TEST_F(SweepInputs, ArraysOfUnequalLengthAreErrors) {
  const std::string a = workspace_.write("s.npy", npy("'<u4'", "(3,)", little_endian({1, 2, 3}, 4)));
  const std::string b = workspace_.write("t.npy", npy("'<u4'", "(2,)", little_endian({2, 1}, 4)));
  const std::string problem = swept({"s0=" + a, "s1=" + b});
  EXPECT_THAT(problem, HasSubstr("--rows s1=" + b + ": error: 2 rows, but s0=" + a + " has 3"));
}

TEST_F(SweepInputs, ArraysOfOutputsAloneAreErrors) {
  const std::string outputs = npy("[('expect.s2', '<u4'), ('steps', '<u8')]", "(2,)", std::string(24, '\1'));
  EXPECT_THAT(swept({file(outputs)}), HasSubstr("all its columns are outputs (expect.s2, ...); expected an input"));
}

TEST_F(SweepInputs, OtherFilesThanIntegerArraysAreErrors) {
  const std::string four = little_endian({1, 2, 3, 4}, 4);
  const auto problem = [&](const std::string& bytes) { return swept({file(bytes)}, {"s0"}); };
  EXPECT_THAT(problem(npy("'<f4'", "(4,)", four)), HasSubstr("floating-point numbers (`<f4`); expected integers"));
  EXPECT_THAT(problem(npy("'>u4'", "(4,)", four)), HasSubstr("big-endian numbers (`>u4`); expected little-endian"));
  EXPECT_THAT(problem(npy("'|S4'", "(4,)", four)), HasSubstr("`|S4`; expected integers"));
  EXPECT_THAT(problem(npy("'|O'", "(4,)", four)), HasSubstr("`|O`; expected integers"));
  EXPECT_THAT(problem(npy("[('s0', '>u4')]", "(4,)", four)), HasSubstr("(`>u4` in the field `s0`)"));
  EXPECT_THAT(problem(npy("[('', '<u4'), ('', '<u4')]", "(0, 65536)", {})), HasSubstr("a field without a name"));
  EXPECT_THAT(problem(npy("[('s0', '<u4', (2,))]", "(2,)", four)), HasSubstr("a field that is not a single integer"));
  EXPECT_THAT(problem(npy("'<u4'", "(5,)", four)), HasSubstr("specifies 20 bytes of numbers, but the file has 16"));
  EXPECT_THAT(problem(npy("'<u4'", "(3,)", four)), HasSubstr("specifies 12 bytes of numbers, but the file has 16"));
  EXPECT_THAT(problem(npy("'<u4'", "(9223372036854775807, 4)", four)), HasSubstr("specifies more than 2^64 bytes"));
  EXPECT_THAT(problem(npy("'<u4'", "(0,)", "")), HasSubstr("the table is empty"));
  EXPECT_THAT(problem(npy("'<u4'", "()", four)), HasSubstr("an array with 0 dimensions"));
  EXPECT_THAT(problem(npy("'<u4'", "(1, 1, 4)", four)), HasSubstr("an array with 3 dimensions"));
  EXPECT_THAT(problem(npy("'<u4'", "(2, 2)", four)), HasSubstr("2 columns, but 1 names"));
  EXPECT_THAT(problem(npy("'<u4'", "(4,)", four, "False", 4)), HasSubstr("version 4.0 of the format"));
  EXPECT_THAT(problem(npy("'<u4", "(4,)", four)), HasSubstr("not a header of NumPy's"));
  EXPECT_THAT(problem(npy("'<u4', 'shape': (2,)", "(4,)", four)), HasSubstr("not a header of NumPy's"));
  EXPECT_THAT(problem("\x93NUMPY\x02" + std::string("\0\xff\xff\xff\x7f", 5)), HasSubstr("the limit is 65536"));
  EXPECT_THAT(problem("\x93NUM"), HasSubstr("not a NumPy array"));
  EXPECT_THAT(problem(std::string("\x93NUMPY\x01\x00\x76", 9)), HasSubstr("ends within its header"));
  EXPECT_THAT(problem(std::string("\x93NUMPY\x01\x00\x76\x00{'", 12)), HasSubstr("ends within its header"));
  EXPECT_THAT(swept({file(npy("'<u4'", "(4,)", four))}), HasSubstr("name the inputs, as in --columns s0,s1"));
  EXPECT_THAT(swept({"s0=" + file(npy("'<u4'", "(4,)", four))}, {"s1"}), HasSubstr("its column already has a name"));
  EXPECT_THAT(swept({workspace_.path("none.npy")}), HasSubstr("cannot read the file"));
  EXPECT_THAT(swept({"s0=/dev/null.npy"}), HasSubstr("cannot read the file"));
}

TEST_F(SweepInputs, NumbersThatDoNotFitAreErrors) {
  const std::string wide = file(npy("'<i8'", "(3,)", little_endian({7, 1, u64{1} << 32}, 8)));
  EXPECT_THAT(swept({wide}, {"s0"}), HasSubstr("row 3: 4294967296 does not fit in the 32 bits of s0"));
  const std::string low = file(npy("'<i8'", "(2,)", little_endian({~u64{0} << 31, (~u64{0} << 31) - 1}, 8)));
  EXPECT_THAT(swept({low}, {"s0"}), HasSubstr("row 2: -2147483649 does not fit in the 32 bits of s0"));
  const std::string bit = file(npy("'|b1'", "(2,)", little_endian({0, 1}, 1)));
  EXPECT_EQ(swept({bit}, {"scc"}), "scc,expect.s2,expect.stop\n0,0,end_program\n1,0,end_program\n");
}

TEST_F(SweepInputs, CasesOfAScenarioAreRows) {
  const Scenario table = scenario(
      "target: gfx900\ncode:\n  asm: |\n    s_add_u32 s2, s0, s1\n    s_endpgm\n"
      "registers: {s0: 5}\ncases:\n  - {s1: 1, expect: {s2: 6}}\n  - {s0: 2, s1: 3, expect: {s2: 5, scc: 0}}\n");
  EXPECT_EQ(rows_of(table, {}), "s1,s0,expect.s2,expect.scc,expect.stop\n1,5,6,0,end_program\n3,2,5,0,end_program\n");
}

TEST_F(SweepInputs, MemoryAndArgumentsAreInputsAndOutputs) {
  const Scenario loads = scenario(
      "target: gfx900\ncode:\n  asm: |\n    s_load_dword s0, s[4:5], 0x0\n    s_waitcnt lgkmcnt(0)\n"
      "    s_add_u32 s0, s0, 1\n    s_store_dword s0, s[4:5], 0x4\n    s_endpgm\n"
      "registers: {'s[4:5]': 0x10000}\nmemory:\n  - {at: 0x10000, size: 64, access: rw}\n");
  SweepOptions options;
  options.vary = {"memory.0x10000:1=254..255"};
  options.outputs = {"memory.0x10004:8", "memory.0x10000:2", "s0:4"};
  EXPECT_EQ(rows_of(loads, options),
            "memory.0x10000:1,expect.memory.0x10004:8,expect.memory.0x10000:2,expect.s0:4,expect.stop\n"
            "254,255,254,15,end_program\n255,256,255,0,end_program\n");
  options.outputs = {"memory.0x1003c:8"};
  EXPECT_THAT(rows_of(loads, options), HasSubstr("`expect.memory.0x1003c`: no memory for 8 bytes at 0x1003c"));
  options.outputs = {"memory.0x1003f:9"};
  EXPECT_THAT(rows_of(loads, options), HasSubstr("expected 1 to 8 bytes after `:`"));
  options.outputs = {"s0:33"};
  EXPECT_THAT(rows_of(loads, options), HasSubstr("expected 1 to 32 bits after `:`"));
}

// The requested bytes must exist and belong to one place.
TEST_F(SweepInputs, BytesOfMemoryAreInputsOfTheirOwn) {
  const Scenario bytes =
      scenario("target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x2000, size: 3}, {at: 0x3000, size: 16}]\n");
  SweepOptions options;
  options.vary = {"memory.0x2001:1=5..6", "memory.0x2002:1=7..7", "memory.0x3001:8=9..9"};
  options.outputs = {"memory.0x2001:2", "memory.0x3000:4"};
  EXPECT_EQ(
      rows_of(bytes, options),
      "memory.0x2001:1,memory.0x2002:1,memory.0x3001:8,expect.memory.0x2001:2,expect.memory.0x3000:4,expect.stop\n"
      "5,7,9,1797,2304,end_program\n6,7,9,1798,2304,end_program\n");
  options.vary = {"memory.0x3000:8=0..1", "memory.0x3004:1=0..1"};
  EXPECT_THAT(rows_of(bytes, options), HasSubstr("`memory.0x3000:8` and `memory.0x3004:1` set the same bits"));
  options.vary = {"memory.0x2001=0..1"};
  EXPECT_THAT(rows_of(bytes, options), HasSubstr("no memory for 4 bytes at 0x2001"));
}

}  // namespace
}  // namespace salu::sweep_test
