#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/suite.hpp>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "repetitions.hpp"
#include "unit/loader_helpers.hpp"

// The changes of `salu test --update` to files, without its output.
namespace salu {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view adds =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_add_u32 s2, s0, s1\n"
    "    s_endpgm\n";
constexpr std::string_view subtracts =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_sub_u32 s2, s0, s1\n"
    "    s_endpgm\n";

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class SuiteUpdate : public testing::Test {
 protected:
  /// Writes a file; a scenario file takes part in the update.
  void add(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    const std::string path = folder_.write(name, text);
    texts_[name] = text;
    if (path.ends_with(".yaml")) files_.push_back(path);
  }
  void add(const std::string& name, std::string_view program, const std::string& rest) {
    add(name, std::string(program) + rest);
  }

  /// Updates like the command, then again: the second update changes nothing.
  void update() {
    const Update update = update_expectations(files_, options_);
    for (const UpdatedFile& updated : update.files) {
      const std::string name = std::filesystem::path(updated.file).lexically_relative(folder_.path("")).string();
      EXPECT_TRUE(changes_.emplace(name, updated.changes).second) << name << " is written twice";
      (void)folder_.write(name, updated.text);
    }
    for (const std::string& left : update.left) {
      EXPECT_TRUE(left.starts_with(folder_.path(""))) << left;
      left_.push_back(left.substr(folder_.path("").size()));
    }
    (void)run_suite(files_, options_, [this](const TestResult& test) {
      EXPECT_NE(test.status, TestResult::Status::not_loaded) << test.error->to_string();
      failed_ += test.failed_runs;
    });
    const Update again = update_expectations(files_, options_);
    EXPECT_THAT(again.files, IsEmpty());
    EXPECT_EQ(again.left, update.left);
  }

  /// Expects that the update has made these replacements in a file, in order, and no others.
  void expect_text(const std::string& name, const std::vector<std::pair<std::string, std::string>>& replacements) {
    std::string expected = texts_[name];
    std::size_t at = 0;
    for (const auto& [before, after] : replacements) {
      at = expected.find(before, at);
      ASSERT_NE(at, std::string::npos) << before;
      expected.replace(at, before.size(), after);
      at += after.size();
    }
    EXPECT_EQ(read_text(folder_.path(name)), expected);
  }

  test::TemporaryFolder folder_;
  std::map<std::string, std::string> texts_;
  std::vector<std::string> files_;
  SuiteOptions options_;
  std::map<std::string, u64> changes_;
  std::vector<std::string> left_;  ///< without the folder
  u64 failed_ = 0;
};

// ---- texts that several tests use ----

TEST_F(SuiteUpdate, RowsThatAreNotSelectedStay) {
  options_.filters = {"a.yaml[two]", "a.yaml[3]"};
  add("rows.csv", "name,s0,s1,expect.s2\none,1,2,0\ntwo,3,4,0\n,5,6,0\n");
  add("a.yaml", adds, "cases: {file: rows.csv}\n");
  update();
  expect_text("rows.csv", {{"two,3,4,0", "two,3,4,7"}, {"5,6,0", "5,6,11"}});
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, ATableOfTwoScenariosIsRewrittenOnce) {
  add("rows.csv", "s0,s1,expect.s2\n1,2,0\n3,4,7\n5,6,0\n");
  add("a.yaml", adds, "cases: {file: rows.csv}\n");
  add("b.yaml", adds, "cases: {file: rows.csv}\n");
  update();
  expect_text("rows.csv", {{"2,0", "2,3"}, {"6,0", "6,11"}});
  EXPECT_EQ(changes_, (std::map<std::string, u64>{{"rows.csv", 2}}));
  EXPECT_THAT(left_, IsEmpty());
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, SeparatorsOfNumbersStay) {
  add("a.yaml",
      "target: gfx900\ncode: {asm: \"a1_b: s_endpgm\"}\nregisters: {s2: 3, s4: 1234567, s5: 7, s6: 0x12345, s7: 64}\n",
      "expect: {registers: {s2: 0b0000_0101, s3: 0x0000_0004, s4: 1_000, s5: 1_000, s6: 0x0_1, s7: a1_b}}\n");
  update();
  expect_text("a.yaml", {{"0b0000_0101", "0b0000_0011"},
                         {"0x0000_0004", "0x0000_0000"},
                         {"1_000", "1234_567"},
                         {"1_000", "7"},
                         {"0x0_1", "0x1234_5"},
                         {"s7: a1_b", "s7: 0x40"}});
  add("b.yaml", "target: gfx900\ncode: {asm: \"s_sub_u32 s2, s0, s1\\ns_endpgm\"}\nregisters: {s0: 0, s1: 5}\n",
      "expect: {max_steps: 0x1, registers: {s2: -1_0}}\n");
  update();
  expect_text("b.yaml", {{"0x1,", "0x2,"}, {"-1_0", "-5"}});
}

constexpr std::string_view adds_in_lanes =
    "target: gfx900\n"
    "code: {words: [0x68040300, 0xbf810000]}\n";  // v_add_u32 v2, v0, v1

TEST_F(SuiteUpdate, LanesOfTables) {
  add("a.yaml", adds_in_lanes,
      "cases:\n"
      "  - {v0: [1, 2, 3], v1: 0x10, expect: {v2: [0x11, 0x0, 19]}}\n"
      "  - {v0: 1, v1: 2, expect: {v2: 0x04}}\n"
      "  - {v0: {lane_ids: true}, v1: 1, expect: {v2: 1}}\n"
      "  - {v0: 1, v1: 7, expect: {v2: {value: 3, mask: 0xf}}}\n"
      "  - {v0: 1, v1: {lane_ids: true}, expect: {v2: {value: [1, 3], mask: 0xf}}}\n"
      "  - {v0: 1, v1: 7, expect: {v2: 8}}\n");
  add("rows.csv", "v0,v1,expect.v2\n1,2,3\n1,2,9\n255,2,0x2/0xf\n");
  add("b.yaml", adds_in_lanes, "cases: {file: rows.csv}\n");
  add("rows.jsonl", "{\"v0\": [1, 2], \"v1\": 1, \"expect\": {\"v2\": [5, 3]}}\n");
  add("c.yaml", adds_in_lanes, "cases: {file: rows.jsonl}\n");
  update();
  expect_text("a.yaml", {{"0x0, 19", "0x12, 19"}, {"0x04", "0x03"}, {"value: 3,", "value: 8,"}, {"[1, 3]", "[1, 2]"}});
  expect_text("rows.csv", {{"1,2,9", "1,2,3"}, {"0x2/0xf", "0x1/0xf"}});
  expect_text("rows.jsonl", {{"[5, 3]", "[2, 3]"}});
  EXPECT_THAT(left_,
              ElementsAre("a.yaml:6: `expect.v2` is not rewritten: its lanes differ; give it as a list of lanes"));
  EXPECT_EQ(failed_, 1U);
}

// In `expect:` of a scenario, like in rows.
TEST_F(SuiteUpdate, LanesOfAScenarioAreRewritten) {
  add("a.yaml", adds_in_lanes,
      "registers: {v0: [1, 2, 3], v1: 0x10}\n"
      "expect: {registers: {v2: {value: [0x1, 0x4], mask: 0xf}, v0: [1, 7, 3], v1: 0x11}}\n");
  add("b.yaml", adds_in_lanes, "registers: {v0: {lane_ids: true}, v1: 1}\nexpect: {registers: {v2: 5}}\n");
  add("c.yaml", adds_in_lanes, "expect: {registers: {v2: 1}}\ncases: [{v0: 0, v1: 1}, {v0: 5, v1: 1}]\n");
  update();
  expect_text("a.yaml", {{"0x4]", "0x2]"}, {"[1, 7, 3]", "[1, 2, 3]"}, {"v1: 0x11", "v1: 0x10"}});
  expect_text("b.yaml", {});
  expect_text("c.yaml", {});
  EXPECT_THAT(left_, ElementsAre(EndsWith("`v2` is not rewritten: its lanes differ; give it as a list of lanes"),
                                 EndsWith("`v2` is not rewritten: all rows of `cases:` share it")));
}

// By any of its names. Only the second scenario can determine the second row.
TEST_F(SuiteUpdate, ATableWithTwoNamesIsRewrittenOnce) {
  const std::string halts =
      "target: gfx900\ncode:\n  asm: |\n"
      "    s_add_u32 s2, s0, s1\n    s_cmp_lg_u32 s1, 0\n    s_cbranch_scc1 good\n    s_sethalt 1\n    s_nop 0\n"
      "    good: s_endpgm\n";
  add("sub/rows.csv", "s0,s1,expect.s2\n1,2,0\n5,0,0\n6,7,0\n");
  add("a.yaml", halts, "cases: {file: sub/rows.csv}\n");
  std::filesystem::create_symlink("sub", folder_.path("link"));
  for (const std::string spelling : {"sub/../sub/rows.csv", "link/rows.csv", "./sub/rows.csv"})
    add("b" + std::to_string(files_.size()) + ".yaml", adds, "cases: {file: " + spelling + "}\n");
  files_.push_back(folder_.path("./b1.yaml"));
  update();
  expect_text("sub/rows.csv", {{"2,0", "2,3"}, {"0,0", "0,5"}, {"7,0", "7,13"}});
  EXPECT_EQ(changes_, (std::map<std::string, u64>{{"sub/rows.csv", 3}}));
  EXPECT_THAT(
      left_,
      ElementsAre("sub/rows.csv:3: the run of this row ends with `stop: halt`; add it to the row if this is intended"));
  EXPECT_EQ(failed_, 1U);
}

TEST_F(SuiteUpdate, AScenarioFileWithTwoNamesIsRewrittenOnce) {
  add("a.yaml", adds, "registers: {s0: 1, s1: 2}\nexpect: {registers: {s2: 0, s0: 5}}\n");
  std::filesystem::create_symlink("a.yaml", folder_.path("b.yaml"));
  files_.push_back(folder_.path("b.yaml"));
  files_.push_back(
      folder_.path("../" + std::filesystem::path(folder_.path("")).parent_path().filename().string() + "/a.yaml"));
  update();
  expect_text("a.yaml", {{"s2: 0", "s2: 3"}, {"s0: 5", "s0: 1"}});
  EXPECT_EQ(changes_, (std::map<std::string, u64>{{"a.yaml", 2}}));
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, ScenariosThatComputeDifferentValuesLeaveTheCell) {
  // 5 + 0 and 5 - 0 are equal; if they are not, no value is right for both.
  for (const std::string name : {"rows.csv", "rows.jsonl"}) {
    add(name, name == "rows.csv" ? "s0,s1,expect.s2\n5,1,4\n5,2,9\n5,0,6\n"
                                 : "{\"s0\": 5, \"s1\": 1, \"expect\": {\"s2\": 4}}\n"
                                   "{\"s0\": 5, \"s1\": 2, \"expect\": {\"s2\": 9}}\n"
                                   "{\"s0\": 5, \"s1\": 0, \"expect\": {\"s2\": 6}}\n");
  }
  add("a.yaml", adds, "cases: {file: rows.csv}\n---\n" + std::string(subtracts) + "cases: {file: ./rows.csv}\n");
  add("b.yaml", adds, "cases: {file: rows.jsonl}\n");
  add("c.yaml", subtracts, "cases: {file: rows.jsonl}\n");
  update();
  expect_text("rows.csv", {{"0,6", "0,5"}});
  expect_text("rows.jsonl", {{"\"s2\": 6", "\"s2\": 5"}});
  EXPECT_THAT(
      left_, ElementsAre("rows.csv:2: `expect.s2` is not rewritten: 6 would be wrong for something else that uses this "
                         "value",
                         "rows.csv:3: `expect.s2` is not rewritten: the uses of this value compute 7 and 3",
                         "rows.jsonl:1: `expect.s2` is not rewritten: 6 would be wrong for something else that uses "
                         "this value",
                         "rows.jsonl:2: `expect.s2` is not rewritten: the uses of this value compute 7 and 3"));
  EXPECT_EQ(failed_, 6U);
}

TEST_F(SuiteUpdate, OnlySelectedTestsAreConsidered) {
  add("rows.csv", "s0,s1,expect.s2\n5,1,4\n5,2,9\n");
  add("a.yaml", "name: adding\n" + std::string(adds) + "cases: {file: rows.csv}\n---\nname: subtracting\n" +
                    std::string(subtracts) + "cases: {file: rows.csv}\n");
  options_.filters = {"adding"};
  update();
  expect_text("rows.csv", {{"1,4", "1,6"}, {"2,9", "2,7"}});
  EXPECT_EQ(failed_, 0U);
}

// ---- aliases ----

TEST_F(SuiteUpdate, AnAliasThatAgreesIsRewritten) {
  add("a.yaml",
      "target: gfx900\ncode: {asm: \"s_add_u32 s2, s0, s1\\ns_mov_b32 s3, s2\\ns_endpgm\"}\n"
      "registers: {s0: 2, s1: 3}\n"
      "expect:\n  registers:\n    s2: &sum 0x01  # the sum\n    s3: *sum\n");
  add("b.yaml", adds,
      "cases:\n  - {s0: 2, s1: 3, expect: &same {s2: 4, scc: &no 1}}\n  - {s0: 1, s1: 4, expect: *same}\n"
      "  - {s0: 1, s1: 1, expect: {s2: !!int 1, scc: *no}}\n");
  update();
  expect_text("a.yaml", {{"0x01", "0x05"}});
  expect_text("b.yaml", {{"s2: 4", "s2: 5"}, {"&no 1", "&no 0"}, {"!!int 1", "!!int 2"}});
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, AnAliasThatDoesNotAgreeStays) {
  add("wrong.yaml", adds, "registers: {s0: 2, s1: 3}\nexpect: {registers: {s2: &v 1, s0: *v, s1: 4}}\n");
  add("holds.yaml", adds, "registers: {s0: 2, s1: 3}\nexpect: {registers: {s2: &v 2, s0: *v}}\n");
  add("input.yaml", adds, "registers: {s0: &v 2, s1: 3}\nexpect: {registers: {s2: *v}}\n");
  add("block.yaml", adds, "registers: &r {s0: 1, s1: 2, s2: 9}\nexpect: {registers: *r}\n");
  add("merge.yaml", adds, "registers: &r {s0: 1, s1: 2, s2: 9}\nexpect: {registers: {<<: *r, scc: 1}}\n");
  add("row.yaml", adds, "cases: [{s0: &v 2, s1: 3, expect: {s2: *v, scc: 1}}]\n");
  add("mask.yaml", adds, "registers: {s0: 2, s1: 3}\nexpect: {registers: {s2: {value: &v 2, mask: *v}, scc: 1}}\n");
  update();
  expect_text("wrong.yaml", {{"s1: 4", "s1: 3"}});
  expect_text("holds.yaml", {});
  expect_text("input.yaml", {});
  expect_text("block.yaml", {});
  expect_text("merge.yaml", {{"scc: 1", "scc: 0"}});
  expect_text("row.yaml", {{"scc: 1", "scc: 0"}});
  expect_text("mask.yaml", {{"scc: 1", "scc: 0"}});
  EXPECT_THAT(
      left_,
      ElementsAre("wrong.yaml:7: `s2` is not rewritten: the uses of this value compute 5 and 2",
                  "holds.yaml:7: `s2` is not rewritten: 5 would be wrong for something else that uses this value",
                  "input.yaml:6: `s2` is not rewritten: 5 would be wrong for something else that uses this value",
                  "block.yaml:6: `s2` is not rewritten: 3 would be wrong for something else that uses this value",
                  "merge.yaml:6: `s2` is not rewritten: 3 would be wrong for something else that uses this value",
                  "row.yaml:6: `expect.s2` is not rewritten: 5 would be wrong for something else that uses this value",
                  "mask.yaml:7: `s2` is not rewritten: 0 would be wrong for something else that uses this value"));
}

// ---- formats of files ----

TEST_F(SuiteUpdate, AByteOrderMarkAndLineEndsStay) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string program = "target: gfx900\r\ncode: {asm: \"s_add_u32 s2, s0, s1\\ns_endpgm\"}\r\n";
  for (const std::string& start : {std::string(), mark}) {
    const std::string name = start.empty() ? "plain" : "mark";
    add(name + ".csv", start + "s0,s1,expect.s2\r\n1,2,4\r\n1,\"3\",\"5\"\r\n1,4,6");
    add(name + ".jsonl",
        start + "{\"s0\": 1, \"expect\": {\"s2\": 4}}\r\n\r\n{\"s0\": 2, \"expect\": {\"s2\": 5}}\r\n");
    add(name + ".yaml",
        start + program + "registers: {s0: 5}\r\nexpect:\r\n  registers:\r\n    s2: 6\r\n    s0: 4 # five\r\n---\r\n" +
            program + "cases: {file: " + name + ".csv}\r\n---\r\n" + program + "cases: {file: " + name +
            ".jsonl}\r\n---\r\n" + program + "cases:\r\n- {s0: 1, expect: {s2: 2}}\r\n- {s0: 2, expect: {s2: 4}}\r\n");
  }
  update();
  for (const std::string name : {"plain", "mark"}) {
    expect_text(name + ".csv", {{"2,4", "2,3"}, {"\"5\"", "\"4\""}, {"4,6", "4,5"}});
    expect_text(name + ".jsonl", {{"\"s2\": 4", "\"s2\": 1"}, {"\"s2\": 5", "\"s2\": 2"}});
    expect_text(name + ".yaml", {{"s2: 6", "s2: 5"}, {"s0: 4", "s0: 5"}, {"s2: 2", "s2: 1"}, {"s2: 4", "s2: 2"}});
  }
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, CellsOfATableKeepQuotesAndMasks) {
  add("rows.csv",
      "# sums\n"
      "name , s0,  s1, \"expect.s2\", expect.scc,expect.stop\n"
      "a    , 1 ,\"2\",   \"4\" , 1 ,  halt\n"
      "\"b,\"\"c\", 0xffffffff, 2, \"0x00/0xff\", \"0\", \"halt\"\n"
      "\n"
      "  # with a mask\n"
      "d,0x1234,0,0x30/0xf0,,\n"
      "e,7,1,0b0000/0b1111,,end_program\n"
      "f,1,-3,-1,0,");
  add("a.yaml", adds, "cases: {file: rows.csv}\n");
  update();
  expect_text("rows.csv", {{"\"4\" , 1 ,  halt", "\"3\" , 0 ,  end_program"},
                           {"\"0x00/0xff\", \"0\", \"halt\"", "\"0x01/0xff\", \"1\", \"end_program\""},
                           {"0b0000/", "0b1000/"},
                           {"-3,-1", "-3,-2"}});
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, EveryWayToWriteAnExpectationStays) {
  const std::string program =
      "target: gfx900\ncode:\n  asm: |\n    s_mov_b64 s[4:5], s[0:1]\n    s_mov_b32 vcc_lo, s0\n"
      "    s_store_dwordx2 s[4:5], s[8:9], 0x0\n    s_endpgm\n"
      "memory: [{at: 0x10000, size: 0x100}]\nregisters: {\"s[0:1]\": 0x123456789abcdef0, \"s[8:9]\": 0x10000}\n";
  add("flow.yaml", program,
      "expect: {stop: \"halt\", max_steps: 3, registers: {\"s4\": 0X9, 's[4:5]': {mask: 0xff00, value: 0x1100},"
      " vcc_lo: !!str '0xAB_CD', s5: -1, 's[0:1]': [0x0, 0]},"
      " memory: [{at: 0x10000, words: [0x1, 305419896]}, {at: 0x10000, qwords: [0xF]}, {at: 65540, bytes: [0x78, "
      "9]}]}\n");
  add("block.yaml", program,
      "expect:\n"
      "    # how it ends\n"
      "    stop:   halt  # wrong\n"
      "    max_steps:\n"
      "      3\n"
      "    registers:\n"
      "        s4: &low 0x0  # low\n"
      "        ? s5\n"
      "        : 0\n"
      "        s[4:5]:\n"
      "            value:   0x1100   # byte 1\n"
      "            mask:    0xff00\n"
      "        s[0:1]:\n"
      "        -   0x0\n"
      "        -   &high\n"
      "            0\n"
      "    memory:\n"
      "    -   at: 0x10000\n"
      "        words:\n"
      "        -   *low\n"
      "        -   0\n");
  update();
  expect_text("flow.yaml", {{"halt", "end_program"},
                            {"max_steps: 3", "max_steps: 4"},
                            {"0X9", "0X9abcdef0"},
                            {"0x1100", "0xde00"},
                            {"0xAB_CD", "0x9ABCDE_F0"},
                            {"s5: -1", "s5: 305419896"},
                            {"[0x0, 0]", "[0x9abcdef0, 305419896]"},
                            {"[0x1,", "[0x9abcdef0,"},
                            {"0xF]", "0x123456789ABCDEF0]"},
                            {"9]", "86]"}});
  expect_text("block.yaml", {{"halt", "end_program"},
                             {"  3\n", "  4\n"},
                             {"&low 0x0", "&low 0x9abcdef0"},
                             {": 0\n", ": 305419896\n"},
                             {"0x1100", "0xde00"},
                             {"-   0x0", "-   0x9abcdef0"},
                             {"*low\n        -   0", "*low\n        -   305419896"}});
  EXPECT_THAT(left_, ElementsAre("block.yaml:24: `s[0:1]` is not rewritten because of its notation: 305419896"));
  EXPECT_EQ(failed_, 1U);
}

// Expected values are the nearest decimal numbers, as C prints them.
TEST_F(SuiteUpdate, FloatsStayFloats) {
  const std::string program =
      "target: gfx900\ncode:\n  asm: |\n    s_mov_b32 s0, 0x3dcccccd\n    s_mov_b32 s1, 0xc0000000\n"
      "    s_mov_b32 s2, 0x7f800000\n    s_mov_b32 s3, 0x7149f2ca\n    s_mov_b32 s4, 0x54442d18\n"
      "    s_mov_b32 s5, 0x400921fb\n    v_mov_b32_e32 v0, 0x80000000\n    s_endpgm\n";
  add("a.yaml", program,
      "expect: {registers: {s0: {f32: 0x1p3}, s1: {f32: 1.5}, s2: {f32: 1.0}, s3: {f32: -1.0},\n"
      "  \"s[4:5]\": {f64: 3.0}, v0: {f32: 4.0}}}\n");
  add("b.yaml", program,
      "cases:\n- {s9: 1, expect: {s0: {f32: 0.1}, s1: {f32: 1}}}\n- {expect: {\"s[0:1]\": {f32: 1.0}}}\n");
  update();
  expect_text("a.yaml", {{"0x1p3", "0.1"},
                         {"s1: {f32: 1.5", "s1: {f32: -2.0"},
                         {"{f32: -1.0", "{f32: 1e+30"},
                         {"{f64: 3.0", "{f64: 3.141592653589793"},
                         {"{f32: 4.0", "{f32: -0.0"}});
  expect_text("b.yaml", {{"{f32: 1}", "{f32: -2.0}"}});
  EXPECT_THAT(left_, ElementsAre("a.yaml:12: `s2` is not rewritten: it became 0x7f800000, which is not a finite f32",
                                 "b.yaml:14: `expect.s[0:1]` is not rewritten: it became 0xc00000003dcccccd, which is "
                                 "not a finite f32"));
  EXPECT_EQ(failed_, 2U);
}

// JSON is YAML; a table of JSON lines has a document in each line.
TEST_F(SuiteUpdate, RowsOfJson) {
  add("rows.jsonl",
      "{\"s0\": 300, \"expect\": {\"s2\": {\"value\": 1, \"mask\": 255}}}\n"
      "# three\n"
      "{\"name\": \"b\", \"s0\": &a 3, \"expect\": {\"s2\": *a, \"scc\": \"1\"}}\n"
      "{\"s0\": 4, \"expect\": {\"s2\": \"0x05\", \"stop\": \"halt\"}}");
  add("a.yaml", adds, "cases: {file: rows.jsonl}\n");
  update();
  expect_text(
      "rows.jsonl",
      {{"\"value\": 1", "\"value\": 44"}, {"\"1\"", "\"0\""}, {"0x05", "0x04"}, {"\"halt\"", "\"end_program\""}});
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, ListsOfRows) {
  add("a.yaml", adds,
      "cases:\n"
      "  columns: [ s0, s1, expect.s2, name, expect.stop ]\n"
      "  rows:\n"
      "  - [ 1, 2, 0x4, first, ~ ]  # three\n"
      "  - [ 1, 3, {value: 2, mask: 0x3}, ~, 'halt' ]\n"
      "  -\n    - 2\n    - 3\n    - 6\n    - last\n    - end_program\n");
  update();
  expect_text("a.yaml", {{"0x4", "0x3"}, {"value: 2", "value: 0"}, {"halt", "end_program"}, {"- 6", "- 5"}});
  EXPECT_EQ(failed_, 0U);
}

// ---- values that are not rewritten ----

TEST_F(SuiteUpdate, RowsThatExpectNothingAndFail) {
  add("a.yaml", "target: gfx900\ncode: {asm: \"s_setpc_b64 s[0:1]\"}\nregisters: {s1: 4}\ncases: [{}]\n");
  add("b.yaml", "target: gfx900\ncode: {asm: \"s_sethalt 1\\ns_nop 0\"}\ncases:\n  - {s0: 1}\n");
  add("c.yaml", adds, "expect: {stop: returned}\ncases:\n  - {s0: 1}\n");
  add("d.yaml", adds, "registers: {s0: 1, s1: 2}\nexpect: {registers: {s2: 1}}\n");
  update();
  expect_text("d.yaml", {{"s2: 1", "s2: 3"}});
  EXPECT_THAT(
      left_,
      ElementsAre(
          "a.yaml:4: the run of this row ends with `stop: pc_outside_code`; add it to the row if this is intended",
          "b.yaml:4: the run of this row ends with `stop: halt`; add it to the row if this is intended",
          "c.yaml:8: the run of this row ends with `stop: end_program`; add it to the row if this is intended"));
}

TEST_F(SuiteUpdate, UnchangedValuesAreReported) {
  add("a.yaml", "target: gfx900\ncode: {asm: \"s_sethalt 1\\ns_nop 0\"}\n");
  add("b.yaml", "target: gfx900\ncode: {asm: \"s_sethalt 1\\ns_nop 0\"}\nexpect: {registers: {s0: 1}}\n");
  add("c.yaml", adds, "expect: {registers: {s2: \"\\x31\", \"s[4:7]\": 1, scc: 1}, warnings: [trap_ignored]}\n");
  add("d.yaml", adds,
      "expect: {registers: {s2: 0, s3: 4}}\ncases: [{s0: 1, expect: {s2: 2}}, {s0: 2, expect: {s2: 1}}]\n");
  update();
  expect_text("a.yaml", {});
  expect_text("b.yaml", {});
  expect_text("c.yaml", {{"scc: 1", "scc: 0"}});
  expect_text("d.yaml", {{"s2: 2", "s2: 1"}, {"{s2: 1", "{s2: 2"}});
  EXPECT_THAT(left_, ElementsAre("a.yaml:1: the run does not end regularly; add `stop: halt` if this is intended",
                                 "b.yaml:3: the run does not end regularly; add `stop: halt` if this is intended",
                                 "c.yaml:6: `warnings:` is not rewritten",
                                 "c.yaml:6: `s2` is not rewritten because of its notation: 0",
                                 "c.yaml:6: `s[4:7]` is not rewritten: give it as a list of dwords",
                                 "d.yaml:6: `s3` is not rewritten: all rows of `cases:` share it"));
  EXPECT_EQ(failed_, 5U);
}

// Values that depend on skipped vector instructions are not used as expectations.
TEST_F(SuiteUpdate, AnUndefinedValueIsNotExpected) {
  const std::string program =
      "target: gfx900\non_vector: skip\ncode: {asm: \".long 0x7e040500\\ns_mov_b32 s3, 7\\ns_endpgm\"}\n";
  add("a.yaml", program, "expect: {registers: {s2: 5, s3: 6}}\n");
  add("b.yaml", program, "cases: [{expect: {s2: 5, s3: 6}}]\n");
  update();
  expect_text("a.yaml", {{"s3: 6", "s3: 7"}});
  expect_text("b.yaml", {{"s3: 6", "s3: 7"}});
  EXPECT_THAT(left_, ElementsAre("a.yaml:4: `s2` is not rewritten: a skipped vector instruction decides it",
                                 "b.yaml:4: `expect.s2` is not rewritten: a skipped vector instruction decides it"));
}

// A stop at one warning differs from the stop at another one.
TEST_F(SuiteUpdate, TheWarningThatStopsARowIsRewritten) {
  options_.check_undefined = CheckUndefined::reads;
  options_.strict = true;
  const std::string program = "target: gfx900\ncode: {asm: \"s_mov_b32 s3, s2\\ns_endpgm\"}\n";
  add("a.yaml", program, "cases: [{expect: {stop: dropped_write}}]\n");
  update();
  expect_text("a.yaml", {{"dropped_write", "undefined_read"}});
  EXPECT_EQ(failed_, 0U);
}

TEST_F(SuiteUpdate, UnreadableFilesAreReported) {
  add("a.yaml", adds, "cases: {file: rows.csv}\n");
  EXPECT_THAT(update_expectations(files_, {}).left, ElementsAre(HasSubstr("rows.csv`: cannot read the file")));
}

TEST_F(SuiteUpdate, AFileThatCannotBeLoadedIsLeftAlone) {
  add("rows.csv", "s0,expect.s2\n1,2\n3\n");
  add("a.yaml", adds, "cases: {file: rows.csv}\n---\n" + std::string(adds) + "expect: {registers: {s2: 1}}\n");
  add("b.yaml", "target: [");
  files_.push_back(folder_.path("none.yaml"));
  const Update update = update_expectations(files_, {});
  ASSERT_EQ(update.files.size(), 1U);
  EXPECT_EQ(update.files[0].file, files_[0]);
  EXPECT_EQ(update.files[0].changes, 1U);
  EXPECT_THAT(update.left, ElementsAre(HasSubstr(folder_.path("none.yaml") + ": error: cannot read the file")));
}

// ---- size ----

// Four times the values take four times the time, not sixteen times.
TEST_F(SuiteUpdate, TimeGrowsWithTheSize) {
  const auto seconds = [this](int count) {
    std::string csv = "s0,s1,expect.s2\n";
    std::string yaml = "cases:\n  columns: [s0, s1, expect.s2]\n  rows:\n";
    std::string words;
    for (int i = 0; i < count; ++i) {
      csv += std::to_string(i) + ",1," + std::to_string(i) + "\n";
      yaml += "  - [" + std::to_string(i) + ", 1, " + std::to_string(i) + "]\n";
      words += "\n    - 1";
    }
    files_.clear();
    add("rows.csv", csv);
    add("a.yaml", adds, "cases: {file: rows.csv}\n");
    add("b.yaml", adds, yaml);
    add("c.yaml", adds,
        "memory: [{at: 0x10000, size: 0x100000}]\nexpect:\n  memory:\n  - at: 0x10000\n    words:" + words + "\n");
    const std::clock_t start = std::clock();
    const Update update = update_expectations(files_, options_);
    const std::clock_t end = std::clock();
    EXPECT_EQ(update.files.size(), 3U);
    for (const UpdatedFile& updated : update.files) EXPECT_EQ(updated.changes, static_cast<u64>(count));
    EXPECT_THAT(update.left, IsEmpty());
    return static_cast<double>(end - start) / CLOCKS_PER_SEC;
  };
  (void)seconds(1000);
  // Other load on the machine can slow some measurements down, but not the same one each time.
  constexpr int tries = 5;
  bool is_linear = false;
  for (int i = 0; i < tries && !is_linear; ++i) {
    const double few = seconds(test::work(20'000));
    is_linear = seconds(test::work(80'000)) < 9 * few;
  }
  EXPECT_TRUE(is_linear);
}

}  // namespace
}  // namespace salu
