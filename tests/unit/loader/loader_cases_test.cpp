#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "suite/work_pool.hpp"
#include "unit/loader_helpers.hpp"

// `cases:`: rows of inputs and expectations for one program.
namespace salu {
namespace {

using test::brief;
using test::load_bad;
using test::load_good;
using test::TemporaryFolder;
using testing::HasSubstr;

/// A program and memory, followed by a table, which starts in line 8.
std::string table_with(const std::string& cases) {
  return "target: gfx900\n"
         "code:\n"
         "  asm: |\n"
         "    start: s_add_u32 s2, s0, s1\n"
         "    s_endpgm\n"
         "memory: [{at: 0x10000, words: [1, 2]}]\n"
         "registers: {s0: 100, s1: 200}\n" +
         cases;
}

u64 read(const Scenario& scenario, const std::string& name) {
  return read_register(scenario.initial, *parse_register_name(Generation::gcn1_4, name));
}

std::string dump(const Expectation& expectation) {
  std::string text;
  for (const RegisterExpectation& expected : expectation.registers) {
    text += expected.text + "=" + std::to_string(expected.value) + "/" + std::to_string(expected.mask) + " ";
  }
  return text;
}

TEST(LoaderCases, RowsOfMaps) {
  const Scenario scenario = load_good(table_with(R"(cases:
  - {s0: 1, s1: 2, expect: {s2: 3, scc: 0}}
  - name: wide
    s[0:1]: 0x100000002
    exec: 0
    expect: {"s[2:3]": 3, stop: step_limit}
  - expect.s2: {value: 0x10, mask: 0xff}
    scc: 1
)"));
  ASSERT_NE(scenario.cases, nullptr);
  ASSERT_EQ(scenario.cases->rows(), 3U);
  EXPECT_EQ(scenario.cases->lines, (std::vector<u32>{9, 10, 14}));

  const Scenario first = case_scenario(scenario, 0);
  EXPECT_EQ(first.name, "test.yaml[1]");
  EXPECT_EQ(first.cases, nullptr);
  EXPECT_EQ(read(first, "s0"), 1U);
  EXPECT_EQ(read(first, "s1"), 2U);
  EXPECT_EQ(dump(*first.expect), "s2=3/4294967295 scc=0/1 ");
  EXPECT_FALSE(first.expect->stop.has_value());
  EXPECT_EQ(first.expect->registers[0].where.line, 9U);

  const Scenario second = case_scenario(scenario, 1);
  EXPECT_EQ(second.name, "test.yaml[wide]");
  EXPECT_EQ(read(second, "s0"), 2U);
  EXPECT_EQ(read(second, "s1"), 1U);
  EXPECT_EQ(second.initial.exec(), 0U);
  EXPECT_EQ(dump(*second.expect), "s[2:3]=3/18446744073709551615 ");
  EXPECT_EQ(second.expect->stop, StopReason::step_limit);

  const Scenario third = case_scenario(scenario, 2);
  EXPECT_EQ(read(third, "s0"), 100U);
  EXPECT_TRUE(third.initial.scc);
  EXPECT_EQ(dump(*third.expect), "s2=16/255 ");
}

TEST(LoaderCases, ColumnsAndRows) {
  const Scenario scenario = load_good(table_with(R"(cases:
  columns: [name, s0, memory.0x10004, expect.memory.0x10000, expect.stop]
  rows:
    - [one, -1, {f32: 1.5}, 7, dropped_write]
    - [~, start+4, ~, ~, ~]
)"));
  const Scenario first = case_scenario(scenario, 0);
  EXPECT_EQ(first.name, "test.yaml[one]");
  EXPECT_EQ(read(first, "s0"), 0xffffffffU);
  EXPECT_EQ(first.memory.read_dword(0x10000), 1U);
  EXPECT_EQ(first.memory.read_dword(0x10004), std::bit_cast<u32>(1.5F));
  ASSERT_EQ(first.expect->memory.size(), 1U);
  EXPECT_EQ(first.expect->memory[0].address, 0x10000U);
  EXPECT_EQ(first.expect->memory[0].bytes, (std::vector<u8>{7, 0, 0, 0}));
  EXPECT_EQ(first.expect->stop, StopReason::warning);
  EXPECT_EQ(first.expect->stop_warning, WarningKind::dropped_write);
  const Scenario second = case_scenario(scenario, 1);
  EXPECT_EQ(second.name, "test.yaml[2]");
  EXPECT_EQ(read(second, "s0"), 0x1004U);
  EXPECT_EQ(second.memory.read_dword(0x10004), 2U);
  EXPECT_FALSE(second.expect.has_value());
}

TEST(LoaderCases, AnExpectationOfARowReplacesThatOfTheScenario) {
  const Scenario scenario =
      load_good(table_with("expect: {stop: halt, registers: {s2: 5, s3: 6}}\n"
                           "cases: [{s0: 1, expect: {s2: 9}}, {s0: 2, expect: {stop: trap}}]\n"));
  EXPECT_EQ(dump(*case_scenario(scenario, 0).expect), "s3=6/4294967295 s2=9/4294967295 ");
  EXPECT_EQ(case_scenario(scenario, 0).expect->stop, StopReason::halt);
  EXPECT_EQ(dump(*case_scenario(scenario, 1).expect), "s2=5/4294967295 s3=6/4294967295 ");
  EXPECT_EQ(case_scenario(scenario, 1).expect->stop, StopReason::trap);
}

TEST(LoaderCases, CommaSeparatedValues) {
  const TemporaryFolder folder;
  (void)folder.write("rows.csv",
                     "# a remark\r\n"
                     "name, s0 ,\"s[4:5]\",expect.s2,memory.0x10000\r\n"
                     "\n"
                     "plain,1,0xFFFFFFFFFFFFFFFF,-1,\r\n"
                     "\"a, \"\"b\"\"\",0b11,start,0x10/0xf0,1_0\n"
                     ",,,,");
  const Scenario scenario = load_good(table_with("cases: {file: rows.csv}\n"), {}, folder.path("test.yaml"));
  ASSERT_EQ(scenario.cases->rows(), 3U);
  EXPECT_EQ(scenario.cases->names, (std::vector<std::string>{"plain", "a, \"b\"", ""}));
  EXPECT_EQ(scenario.cases->lines, (std::vector<u32>{4, 5, 6}));
  EXPECT_EQ(scenario.cases->file, folder.path("rows.csv"));
  const Scenario first = case_scenario(scenario, 0);
  EXPECT_EQ(read(first, "s0"), 1U);
  EXPECT_EQ(read(first, "s[4:5]"), ~u64{0});
  EXPECT_EQ(dump(*first.expect), "s2=4294967295/4294967295 ");
  EXPECT_EQ(first.memory.read_dword(0x10000), 1U);
  const Scenario second = case_scenario(scenario, 1);
  EXPECT_EQ(read(second, "s0"), 3U);
  EXPECT_EQ(read(second, "s[4:5]"), 0x1000U);
  EXPECT_EQ(dump(*second.expect), "s2=16/240 ");
  EXPECT_EQ(second.memory.read_dword(0x10000), 10U);
  const Scenario third = case_scenario(scenario, 2);
  EXPECT_EQ(read(third, "s0"), 100U);
  EXPECT_FALSE(third.expect.has_value());
}

TEST(LoaderCases, JsonLines) {
  const TemporaryFolder folder;
  (void)folder.write("rows.jsonl",
                     "{\"name\": \"one\", \"s0\": 1, \"expect\": {\"s2\": {\"value\": 3, \"mask\": 7}}}\n"
                     " \r\n"
                     "{\"s1\": {\"f32\": -2}, \"expect.scc\": 1}\n"
                     "\t# no row\n");
  const Scenario scenario = load_good(table_with("cases: {file: rows.jsonl}\n"), {}, folder.path("test.yaml"));
  ASSERT_EQ(scenario.cases->rows(), 2U);
  EXPECT_EQ(scenario.cases->lines, (std::vector<u32>{1, 3}));
  EXPECT_EQ(dump(*case_scenario(scenario, 0).expect), "s2=3/7 ");
  EXPECT_EQ(read(case_scenario(scenario, 1), "s1"), std::bit_cast<u32>(-2.0F));
}

/// `v3[0]=1/255 `, once for each lane.
std::string all_lanes(const std::string& name, u64 value, u64 mask = 0xffff'ffff) {
  std::string text;
  for (u32 lane = 0; lane < 64; ++lane)
    text += name + "[" + std::to_string(lane) + "]=" + std::to_string(value) + "/" + std::to_string(mask) + " ";
  return text;
}

TEST(LoaderCases, VectorRegisters) {
  std::string text = table_with(R"(cases:
  - {v0: 7, v1: [1, -1, start], expect: {v2: 9, v3: [4, 5]}}
  - {"v[0]": {f32: 1}, v1: {lane_ids: true}, expect.v2: {value: 0x23, mask: 0xff}}
  - {v1: ~, a0: 3, expect: {v3: {value: [0, 1], mask: 1}}}
  - {"v0[3]": 5, expect: {v3: [], "v2[63]": 8}}
)");
  text.replace(text.find("gfx900"), 6, "gfx908");
  const Scenario scenario = load_good(text);
  ASSERT_EQ(scenario.cases->rows(), 4U);
  const Scenario first = case_scenario(scenario, 0);
  EXPECT_EQ(read(first, "v0[0]"), 7U);
  EXPECT_EQ(read(first, "v0[63]"), 7U);
  EXPECT_EQ(read(first, "v1[0]"), 1U);
  EXPECT_EQ(read(first, "v1[1]"), 0xffff'ffffU);
  EXPECT_EQ(read(first, "v1[2]"), 0x1000U);
  EXPECT_EQ(first.initial.vectors.defined(0), ~u64{0});
  EXPECT_EQ(first.initial.vectors.defined(1), 7U);
  EXPECT_EQ(dump(*first.expect), all_lanes("v2", 9) + "v3[0]=4/4294967295 v3[1]=5/4294967295 ");
  const Scenario second = case_scenario(scenario, 1);
  EXPECT_EQ(read(second, "v0[40]"), std::bit_cast<u32>(1.0F));
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(read(second, "v1[" + std::to_string(lane) + "]"), lane);
  EXPECT_EQ(dump(*second.expect), all_lanes("v2", 0x23, 0xff));
  const Scenario third = case_scenario(scenario, 2);
  EXPECT_FALSE(third.initial.vectors.is_touched(1));
  EXPECT_EQ(third.initial.vectors.lanes(256)[63], 3U);
  EXPECT_EQ(dump(*third.expect), "v3[0]=0/1 v3[1]=1/1 ");
  const Scenario fourth = case_scenario(scenario, 3);
  EXPECT_EQ(fourth.initial.vectors.defined(0), 8U);
  EXPECT_EQ(dump(*fourth.expect), "v2[63]=8/4294967295 ");
  EXPECT_EQ(fourth.expect->registers[0].where.line, 12U);
}

TEST(LoaderCases, VectorRegistersInColumnsAndFiles) {
  const Scenario lists = load_good(
      table_with("cases: {columns: [v0, \"expect.v1\"], rows: [[1, [2, 3]], [[4], ~], [~, {lane_ids: true}]]}\n"));
  EXPECT_EQ(read(case_scenario(lists, 0), "v0[63]"), 1U);
  EXPECT_EQ(dump(*case_scenario(lists, 0).expect), "v1[0]=2/4294967295 v1[1]=3/4294967295 ");
  EXPECT_EQ(case_scenario(lists, 1).initial.vectors.defined(0), 1U);
  EXPECT_FALSE(case_scenario(lists, 1).expect.has_value());
  const TemporaryFolder folder;
  (void)folder.write("rows.csv", "s0,v0,expect.v1,scc\n1,2,0x10/0xf0,1\n3,,,0\n4,start,-1,1\n");
  const Scenario commas = load_good(table_with("cases: {file: rows.csv}\n"), {}, folder.path("test.yaml"));
  ASSERT_EQ(commas.cases->rows(), 3U);
  EXPECT_EQ(read(case_scenario(commas, 0), "v0[17]"), 2U);
  EXPECT_EQ(dump(*case_scenario(commas, 0).expect), all_lanes("v1", 0x10, 0xf0));
  EXPECT_TRUE(case_scenario(commas, 0).initial.scc);
  EXPECT_FALSE(case_scenario(commas, 1).initial.vectors.has_any());
  EXPECT_FALSE(case_scenario(commas, 1).expect.has_value());
  EXPECT_EQ(read(case_scenario(commas, 2), "v0[63]"), 0x1000U);
  EXPECT_EQ(dump(*case_scenario(commas, 2).expect), all_lanes("v1", 0xffff'ffff));
  (void)folder.write("rows.jsonl", "{\"v0\": [1, 2], \"expect\": {\"v1\": {\"value\": 3, \"mask\": 7}}}\n");
  const Scenario lines = load_good(table_with("cases: {file: rows.jsonl}\n"), {}, folder.path("test.yaml"));
  EXPECT_EQ(case_scenario(lines, 0).initial.vectors.defined(0), 3U);
  EXPECT_EQ(dump(*case_scenario(lines, 0).expect), all_lanes("v1", 3, 7));
}

TEST(LoaderCases, ALaneOfARowReplacesThatOfTheScenario) {
  const Scenario scenario = load_good(table_with(
      "expect: {registers: {v2: [1, 2, 3]}}\ncases: [{s0: 1, expect: {v2: [7]}}, {s0: 1, \"expect.v2[2]\": 8}]\n"));
  EXPECT_EQ(dump(*case_scenario(scenario, 0).expect), "v2[1]=2/4294967295 v2[2]=3/4294967295 v2[0]=7/4294967295 ");
  EXPECT_EQ(dump(*case_scenario(scenario, 1).expect), "v2[0]=1/4294967295 v2[1]=2/4294967295 v2[2]=8/4294967295 ");
}

TEST(LoaderCases, VectorRegistersThatAreWrong) {
  const auto fail = [](const std::string& cases) { return brief(load_bad(table_with(cases))); };
  EXPECT_EQ(fail("cases: [{\"v[2:3]\": 1}]\n"),
            "8:10: `v[2:3]`: a column has a single vector register; use one column for each");
  EXPECT_EQ(fail("cases: [{v0: 1, \"v0[3]\": 1}]\n"), "8:9: `v0` and `v0[3]` set the same bits");
  EXPECT_EQ(fail("cases: [{expect: {\"v0[63]\": 1, v0: 1}}]\n"),
            "8:9: `expect.v0[63]` and `expect.v0` expect the same thing");
  EXPECT_EQ(fail("cases: [{v0: 1, \"v[0]\": 1}]\n"), "8:9: `v0` and `v[0]` set the same bits");
  EXPECT_EQ(fail("cases: [{v0: 1, expect: {v0: 1}, v0: 2}]\n"), "8:34: the key `v0` appears twice");
  EXPECT_THAT(fail("cases: [{v0: 0x100000000}]\n"), HasSubstr("8:14: `v0`: `0x100000000` does not fit in 32 bits"));
  EXPECT_THAT(fail("cases: [{v0: [1, x y]}]\n"), HasSubstr("8:18: `v0`, lane 1: "));
  std::string many = "cases: [{v0: [0";
  for (u32 lane = 1; lane < 65; ++lane) many += ",0";
  EXPECT_EQ(fail(many + "]}]\n"), "8:14: `v0`: expected at most 64 lanes, found 65");
  EXPECT_EQ(fail("cases: [{v0: {lane_ids: false}}]\n"), "8:25: `lane_ids:` must be true (every lane gets its number)");
  EXPECT_EQ(fail("cases: [{v0: {value: 1, mask: 2}}]\n"),
            "8:14: `v0`: expected a value for all lanes, a list of values, {f32: 1.5} or {lane_ids: true}");
  EXPECT_EQ(fail("cases: [{expect: {v0: {value: 0, mask: 0}}}]\n"),
            "8:40: the mask of `expect.v0` is 0: nothing would be compared");
  EXPECT_THAT(fail("cases: [{expect.a0: 1}]\n"), HasSubstr("gcn1.4 does not have accumulation registers"));
  const TemporaryFolder folder;
  const auto fail_in_file = [&](const std::string& text) {
    (void)folder.write("a.csv", text);
    return brief(load_bad(table_with("cases: {file: a.csv}\n"), {}, folder.path("test.yaml")));
  };
  EXPECT_EQ(fail_in_file("s0,v0\n1,\"[1, 2]\"\n"),
            "2:3: `v0`: found [1, 2]; in comma-separated files a value is for all lanes, and lists are supported only "
            "in YAML and JSON");
  EXPECT_EQ(fail_in_file("s0,v0\n1,{lane_ids: true}\n"),
            "2:3: `v0`: found {lane_ids: true}; in comma-separated files a value is for all lanes, and lists are "
            "supported only in YAML and JSON");
  EXPECT_THAT(fail_in_file("expect.v0\n0x100000000\n"), HasSubstr("2:1: `expect.v0`: `0x100000000` does not fit"));
  EXPECT_THAT(fail_in_file("expect.v0\n0x10/0xf\n"),
              HasSubstr("2:1: `expect.v0`: 0x10/0xf has bits outside of its mask"));
}

TEST(LoaderCases, RowsThatAreWrong) {
  const auto fail = [](const std::string& cases) { return brief(load_bad(table_with(cases))); };
  EXPECT_EQ(fail("cases: 7\n"), "8:8: `cases:` must be a map (`key: value`), found `7`");
  EXPECT_EQ(fail("cases: []\n"), "8:8: `cases:` is empty");
  EXPECT_EQ(fail("cases: [7]\n"), "8:9: a row of `cases:` must be a map (`{s0: 1, expect: {s0: 2}}`), found `7`");
  EXPECT_THAT(fail("cases: [{s0x: 7}]\n"), HasSubstr("8:10: "));
  EXPECT_THAT(fail("cases: [{s0: 0x100000000}]\n"), HasSubstr("8:14: `s0`: `0x100000000` does not fit in 32 bits"));
  EXPECT_THAT(fail("cases: [{expect: 3}]\n"), HasSubstr("8:18: `expect:` must be a map, found `3`"));
  EXPECT_THAT(fail("cases: [{expect: {s2: {value: 16, mask: 15}}}]\n"), HasSubstr("has bits outside of its mask"));
  EXPECT_THAT(fail("cases: [{expect: {stop: ended}}]\n"), HasSubstr("unknown stop reason `ended`"));
  EXPECT_THAT(fail("cases: [{\"s[0:3]\": 1}]\n"), HasSubstr("a column has at most 64 bits"));
  EXPECT_THAT(fail("cases: [{pc: 0x1000}]\n"), HasSubstr("all rows of a table start at the same place"));
  EXPECT_THAT(fail("cases: [{args: {n: 1}}]\n"), HasSubstr("`args.n`: the scenario has no `kernel:` with arguments"));
  EXPECT_THAT(fail("cases: [{memory: {0x20000: 1}}]\n"),
              HasSubstr("no memory for 4 bytes at 0x20000: add it to `memory:`"));
  EXPECT_EQ(fail("cases: [{s0: 1, \"s[0:1]\": 2}]\n"), "8:9: `s0` and `s[0:1]` set the same bits");
  EXPECT_EQ(fail("cases: [{mode: 1, csp: 2}]\n"), "8:9: `mode` and `csp` set the same bits");
  EXPECT_EQ(fail("cases: [{memory: {0x10000: 1, 0x10002: 2}}]\n"),
            "8:9: `memory.0x10000` and `memory.0x10002` set the same bits");
  EXPECT_EQ(fail("cases: [{expect.s2: 1, expect: {s2: 2}}]\n"), "8:33: `expect.s2` appears twice in this row");
  EXPECT_EQ(fail("cases: [{expect.s2: 1, \"expect.s[2]\": 2}]\n"),
            "8:9: `expect.s2` and `expect.s[2]` expect the same thing");
  EXPECT_THAT(fail("cases: {columns: [s0]}\n"), HasSubstr("needs `rows:`"));
  EXPECT_EQ(fail("cases: {columns: [m0, s0, \"s[0:1]\"], rows: []}\n"), "8:27: `s0` and `s[0:1]` set the same bits");
  EXPECT_EQ(fail("cases: {columns: [s0, s0], rows: [[1, 2]]}\n"), "8:23: the column `s0` appears twice");
  EXPECT_EQ(fail("cases: {columns: [s0, s1], rows: [[1]]}\n"),
            "8:35: the row has 1 value, expected 2, one for each column");
  EXPECT_EQ(fail("cases: {columns: [], rows: [[]]}\n"), "8:18: `columns:` is empty: expected inputs and expectations");
  EXPECT_EQ(fail("cases: [{expect: {s2: {value: 0, mask: 0}}}]\n"),
            "8:40: the mask of `expect.s2` is 0: nothing would be compared");
  EXPECT_EQ(fail("cases:\n- {name: a}\n- {name: b}\n- {name: a}\n"), "11:1: the row of line 9 also has the name `a`");
  EXPECT_THAT(fail("cases: {file: rows.csv, rows: []}\n"), HasSubstr("needs `file:`, or"));
  EXPECT_THAT(fail("cases: {file: rows.txt}\n"), HasSubstr("ends in .csv or .jsonl"));
  EXPECT_THAT(fail("cases: {file: no_such.csv}\n"), HasSubstr("no_such.csv`: cannot read the file"));
}

TEST(LoaderCases, FilesThatAreWrong) {
  const TemporaryFolder folder;
  const auto fail = [&](const std::string& name, const std::string& text) {
    (void)folder.write(name, text);
    const Error error = load_bad(table_with("cases: {file: " + name + "}\n"), {}, folder.path("test.yaml"));
    EXPECT_TRUE(error.where.file.ends_with(name) || error.where.line == 8) << error.to_string();
    return brief(error);
  };
  EXPECT_EQ(fail("a.csv", "s0,s1\n1,2\n3\n"), "3:1: the row has 1 value, expected 2, one for each column");
  EXPECT_EQ(fail("a.csv", "s0,s1\n1,2,3\n"), "2:1: the row has 3 values, expected 2, one for each column");
  EXPECT_THAT(fail("a.csv", "s0,s1x\n"), HasSubstr("1:4: "));
  EXPECT_EQ(fail("a.csv", "s0, s0\n"), "1:5: the column `s0` appears twice");
  EXPECT_THAT(fail("a.csv", "s0,s1\n1, 0x1ffffffff\n"), HasSubstr("2:4: `s1`: `0x1ffffffff` does not fit"));
  EXPECT_THAT(fail("a.csv", "s0,s1\n1, x y\n"), HasSubstr("2:4: "));
  EXPECT_THAT(fail("a.csv", "s0\n\"1\n"), HasSubstr("2:1: a quoted value that does not end"));
  EXPECT_THAT(fail("a.csv", "s0\n\"1\" 2\n"), HasSubstr("2:1: a quoted value that does not end"));
  EXPECT_THAT(fail("a.csv", "expect.s0\n0x10/0xf\n"), HasSubstr("has bits outside of its mask"));
  EXPECT_THAT(fail("a.csv", "scc\n-1\n"), HasSubstr("does not fit in 1 bit"));
  EXPECT_THAT(fail("a.csv", "s0\n010\n"), HasSubstr("a leading zero is ambiguous"));
  const std::string no_rows = "8:15: `" + folder.path("a.csv") + "` does not contain rows below its line of headings";
  EXPECT_EQ(fail("a.csv", "s0\n"), no_rows);
  EXPECT_EQ(fail("a.csv", "# s0\n\n"), no_rows);
  EXPECT_EQ(fail("a.csv", "s0,,s1\n1,2,3\n"),
            "1:4: a column without a heading: expected `name`, an input or an expectation");
  EXPECT_EQ(fail("a.csv", "s0;s1\n1;2\n"), "1:1: the columns of a table are separated by commas, not by semicolons");
  EXPECT_THAT(fail("a.csv", "expect.s0\n0x10/0\n"), HasSubstr("2:1: `expect.s0`: 0x10/0 lacks a value or mask bits"));
  EXPECT_THAT(fail("a.csv", "expect.s0\n0/\n"), HasSubstr("2:1: `expect.s0`: 0/ lacks a value or mask bits"));
  EXPECT_THAT(fail("a.csv", "expect.s0\n/0xf\n"), HasSubstr("2:1: `expect.s0`: /0xf lacks a value or mask bits"));
  std::string masks = "3";
  for (int i = 0; i < 60'000; ++i) masks += "/3";
  for (const std::string& cell : {std::string("3/0x0f/0xff"), masks})
    EXPECT_THAT(fail("a.csv", "expect.s0\n" + cell + "\n"),
                HasSubstr("2:1: `expect.s0`: expected a value and its mask"));
  EXPECT_EQ(fail("a.csv", "name,s0\na,1\nb,2\na,3\n"), "4:1: the row of line 2 also has the name `a`");
  EXPECT_EQ(fail("a.csv", "name,s0\na,1\n1,2\n"), "3:1: the name `1` is the number of another row");
  EXPECT_THAT(fail("a.jsonl", "{\"s0\": 1}\n{\"s0\": [}\n"), HasSubstr("2:"));
  EXPECT_THAT(fail("a.jsonl", "{\"s0\": 1}\n[1]\n"), HasSubstr("2:1: a row of `cases:` must be a map"));
  EXPECT_THAT(fail("a.jsonl", "{\"s0\": 1, \"s0\": 2}\n"), HasSubstr("1:11: "));
  for (const std::string line : {"null", "~", "---", "...", "--- # one", "&a", "!!map"}) {
    EXPECT_EQ(fail("a.jsonl", "{\"s0\": 1}\n" + line + "\n{\"s0\": 2}\n"), "2:1: this line does not contain a value");
  }
  EXPECT_THAT(fail("a.jsonl", std::string("{\"s0\": 1}\n\0", 11)), HasSubstr("2:1: not a text file"));
}

TEST(LoaderCases, RowsAreFoundByNameAndNumber) {
  const Scenario scenario =
      load_good(table_with("cases: [{s0: 1}, {name: two, s0: 1}, {name: 3, s0: 1}, {name: 1003, s0: 1}]\n"));
  const CaseTable& table = *scenario.cases;
  EXPECT_EQ(table.find("1"), 0U);
  EXPECT_EQ(table.find("two"), 1U);
  EXPECT_EQ(table.find("2"), 1U);
  EXPECT_EQ(table.find("3"), 2U);
  EXPECT_EQ(table.find("1003"), 3U);
  for (const std::string_view wrong : {"0", "5", "", "-1", "3x", "18446744073709551617"})
    EXPECT_EQ(table.find(wrong), std::nullopt) << wrong;
}

// Rows that test nothing should not look like passed tests.
TEST(LoaderCases, RowsThatExpectNothingAreRemarkedOn) {
  const auto remarks = [](const std::string& cases) {
    std::string text;
    for (const Remark& remark : load_good(table_with(cases)).remarks)
      text += std::to_string(remark.where.line) + ": " + remark.message + "\n";
    return text;
  };
  EXPECT_EQ(remarks("cases: [{expect: {s2: 1}}, {expect: {stop: halt}}, {expect.memory.0x10000: 1}]\n"), "");
  EXPECT_EQ(remarks("cases:\n- {expect: {s2: 1}}\n- {s0: 2}\n"),
            "10: this row does not have expectations: only a regular end is checked\n");
  EXPECT_EQ(remarks("cases:\n- {expect: {s2: ~}}\n- {s0: 2}\n- {expect: {s2: 0}}\n"),
            "9: this row does not have expectations (nor does one other row): only a regular end is checked\n");
  EXPECT_EQ(remarks("cases:\n- {s0: 1}\n- {s0: 2}\n- {s0: 3}\n- {expect: {s2: 0}}\n"),
            "9: this row does not have expectations (nor do 2 other rows): only a regular end is checked\n");
  // The expectations of the scenario apply to every row; a table without expectations is a test without expectations.
  EXPECT_EQ(remarks("expect: {registers: {s2: 0}}\ncases: [{expect: {s3: 1}}, {s0: 2}]\n"), "");
  EXPECT_EQ(remarks("cases: [{s0: 1}, {s0: 2}]\n"), "");
}

// Long tables are read by several threads, in blocks of rows.
TEST(LoaderCases, ManyRows) {
  const TemporaryFolder folder;
  std::string text = "name,s0,expect.s2\n";
  constexpr u32 rows = 20'000;
  for (u32 row = 0; row < rows; ++row) {
    if (row % 1000 == 0) text += "\n# remark\n";
    text += (row % 3 == 0 ? "n" + std::to_string(row) : "") + "," + std::to_string(row) + "," +
            std::to_string(row * 7) + "\n";
  }
  (void)folder.write("rows.csv", text);
  suite::WorkPool pool(4);
  LoadOptions options;
  options.for_each = [&](std::size_t count, const PartWork& work) { pool.for_each(count, work); };
  const Scenario scenario = load_good(table_with("cases: {file: rows.csv}\n"), options, folder.path("test.yaml"));
  const CaseTable& table = *scenario.cases;
  ASSERT_EQ(table.rows(), rows);
  ASSERT_EQ(table.columns.size(), 2U);
  for (u32 row = 0; row < rows; ++row) {
    ASSERT_EQ(table.row(row)[0].value, row);
    ASSERT_EQ(table.row(row)[1].value, row * 7);
    ASSERT_EQ(table.lines[row], 2 + row + 2 * (row / 1000 + 1));
    ASSERT_EQ(table.name(row), row % 3 == 0 ? "n" + std::to_string(row) : "");
  }
  // Of several invalid rows the first one is reported, whichever thread reads it.
  for (const std::string number : {",12345,", ",16000,", ",9000,"})
    text.replace(text.find(number), number.size(), number + "x");
  (void)folder.write("rows.csv", text);
  for (int i = 0; i < 20; ++i) {
    const Error error = load_bad(table_with("cases: {file: rows.csv}\n"), options, folder.path("test.yaml"));
    ASSERT_EQ(error.where.line, 2U + 9000 + 20) << error.to_string();
  }
}

// Each row of maps may have different columns; all rows reserve space for all columns.
TEST(LoaderCases, ColumnsOfAllRowsCount) {
  const std::string head = "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x10000, size: 0x10000}]\ncases:\n";
  constexpr u32 rows = 7'100;
  std::string text;
  for (u32 row = 0; row < rows; ++row) text += "  - {memory." + std::to_string(0x10000 + 4 * row) + ": 1}\n";
  const Error error = load_bad(head + text);
  EXPECT_EQ(error.message, "more than 50000000 values in a table: 7100 rows with 7100 columns");
  text.resize(text.size() / 10);
  EXPECT_EQ(load_good(head + text.substr(0, text.rfind("  - "))).cases->rows(), 709U);
}

// A row that sets s[30:31] replaces the return address of the loader.
TEST(LoaderCases, TheReturnAddressCanBeAnInput) {
  const std::string text = "target: gfx900\ncode: {asm: s_endpgm}\ncases: [{\"s[30:31]\": 5}]\n";
  EXPECT_FALSE(load_good(text).program.return_address.has_value());
}

TEST(Expectations, WarningsAndSteps) {
  const auto mismatches = [](const std::string& expect) {
    const Scenario scenario =
        load_good("target: gfx900\ncode: {asm: \"s_mov_b32 ttmp0, 1\\ns_endpgm\"}\nexpect: " + expect + "\n");
    std::string text;
    for (const Mismatch& mismatch : check(*scenario.expect, run(scenario.program, scenario.initial, scenario.memory)))
      text += mismatch.what + ": " + mismatch.expected + " | " + mismatch.actual + "; ";
    return text;
  };
  EXPECT_EQ(mismatches("{warnings: [dropped_write], max_steps: 2}"), "");
  EXPECT_EQ(mismatches("{warnings: []}"), "warnings: none | dropped_write; ");
  EXPECT_EQ(mismatches("{warnings: [dropped_write, trap_ignored]}"),
            "warnings: dropped_write, trap_ignored | dropped_write; ");
  EXPECT_EQ(mismatches("{max_steps: 1}"), "steps: at most 1 | 2; ");
  EXPECT_THAT(load_bad("target: gfx900\ncode: {asm: s_endpgm}\nexpect: {warnings: [droped_write]}\n").message,
              HasSubstr("unknown warning `droped_write`; did you mean `dropped_write`?"));
}

TEST(Expectations, OfNothingAreErrors) {
  const TemporaryFolder folder;
  (void)folder.write("empty.bin", "");
  for (const std::string contents : {"words: []", "text: ''", "bytes: ''", "file: empty.bin"}) {
    const std::string text =
        "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x10000, size: 4}]\nexpect:\n  memory:\n  - at: "
        "0x10000\n    ";
    const Error error = load_bad(text + contents + "\n", {}, folder.path("test.yaml"));
    EXPECT_THAT(error.message, HasSubstr("expected memory is empty")) << contents;
    EXPECT_EQ(error.where.line, 7U);
  }
  EXPECT_THAT(load_bad("target: gfx900\ncode: {asm: s_endpgm}\nexpect: {registers: {v0: []}}\n").message,
              HasSubstr("`v0`: expected at least one lane"));
}

}  // namespace
}  // namespace salu
