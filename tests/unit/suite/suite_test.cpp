#include <salu/suite.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "suite/scenario_runner.hpp"
#include "suite/selection.hpp"
#include "unit/loader_helpers.hpp"

// The module behind `salu test`, without its output.
namespace salu {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view adder =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    start: s_add_u32 s2, s0, s1\n"
    "    s_cbranch_scc1 carry\n"
    "    s_endpgm\n"
    "    carry: s_mov_b32 s3, 1\n"
    "    s_endpgm\n";

/// One line per result; equal for equal results.
std::string summary(const std::vector<TestResult>& tests) {
  std::ostringstream text;
  for (const TestResult& test : tests) {
    text << static_cast<int>(test.status) << " " << test.id << " " << test.name << " " << test.runs << " "
         << test.failed_runs << " " << test.steps << (test.error ? " " + test.error->to_string() : "") << "\n";
    for (const Failure& failure : test.failures) {
      text << "  " << (failure.row ? std::to_string(*failure.row) : "-") << " " << failure.row_name << " "
           << failure.mismatch.what << " " << failure.mismatch.expected << " " << failure.mismatch.actual << " "
           << failure.writer << "\n";
    }
  }
  return text.str();
}

class Suite : public testing::Test {
 protected:
  std::vector<TestResult> run(const SuiteOptions& options) {
    std::vector<TestResult> tests;
    suite_ = run_suite(files_, options, [&](const TestResult& test) { tests.push_back(test); });
    return tests;
  }
  void add(const std::string& name, const std::string& text) { files_.push_back(folder_.write(name, text)); }

  /// Files of all kinds: good, failing, broken, with many documents, tables.
  void add_many() {
    for (int i = 0; i < 30; ++i) {
      const std::string name = "t" + std::to_string(i) + ".yaml";
      const std::string inputs = "registers: {s0: " + std::to_string(i) + ", s1: 2}\n";
      if (i % 7 == 3) {
        add(name, "target: gfx900\ncode: {asm: s_bogus}\n");
      } else if (i % 7 == 5) {
        std::string rows = "s0,s1,expect.s2\n";
        // One row in a thousand is wrong.
        for (int k = 0; k < 10'000; ++k)
          rows += std::to_string(k) + "," + std::to_string(i) + "," +
                  std::to_string(k + i + (k % 1000 == 999 ? 1 : 0)) + "\n";
        (void)folder_.write(name + ".csv", rows);
        add(name, std::string(adder) + "cases: {file: " + name + ".csv}\n");
      } else {
        const int wrong = i % 7 == 1 ? 1 : 0;
        add(name, std::string(adder) + inputs + "expect: {registers: {s2: " + std::to_string(i + 2 + wrong) +
                      "}}\n---\n" + "name: second\n" + std::string(adder) + inputs);
      }
    }
  }

  TemporaryFolder folder_;
  std::vector<std::string> files_;
  SuiteResult suite_;
};

TEST_F(Suite, CountsResults) {
  add_many();
  const std::vector<TestResult> tests = run({});
  // 30 files: 4 broken, 4 tables, 22 with two documents; 5 of these (1, 8, 15, 22, 29) have a wrong expectation.
  EXPECT_EQ(tests.size(), 4U + 4 + 44);
  EXPECT_EQ(suite_.not_loaded, 4U);
  EXPECT_EQ(suite_.failed, 4U + 5);
  EXPECT_EQ(suite_.passed, 44U - 5);
  EXPECT_EQ(suite_.without_expectations, 22U);
  EXPECT_EQ(suite_.runs, 44U + 40'000);
  EXPECT_EQ(suite_.steps, 3 * suite_.runs);
  const auto table = std::ranges::find(tests, files_[5], &TestResult::file);
  EXPECT_EQ(table->runs, 10'000U);
  EXPECT_EQ(table->failed_runs, 10U);
  ASSERT_EQ(table->failures.size(), 10U);
  EXPECT_EQ(table->failures[3].row, 3999U);
  EXPECT_EQ(table->failures[3].mismatch.expected, "0x00000fa5");  // 3999 + 5 + 1
  EXPECT_EQ(table->failures[3].mismatch.actual, "0x00000fa4");
  EXPECT_EQ(table->failures[3].mismatch.where.line, 4001U);
  EXPECT_EQ(table->failures[3].writer, "written last by `s_add_u32 s2, s0, s1` at 0x1000 (start, " + files_[5] + ":4)");
}

TEST_F(Suite, IsTheSameWithAnyNumberOfThreads) {
  add_many();
  SuiteOptions options;
  options.coverage = true;
  const std::string expected = summary(run(options));
  const auto coverage = suite_.coverage;
  EXPECT_FALSE(coverage.empty());
  for (const u32 jobs : {2U, 3U, 8U}) {
    options.jobs = jobs;
    EXPECT_EQ(summary(run(options)), expected);
    EXPECT_EQ(suite_.coverage, coverage);
  }
}

/// Rows some of which loop for long, fault, warn or store, with missing cells and invalid rows.
TEST_F(Suite, IsTheSameWithBothEngines) {
  const std::string program =
      "target: gfx900\n"
      "registers: {\"s[4:5]\": 0x20000, s6: 7}\n"
      "memory:\n"
      "  - {at: 0x20000, size: 256}\n"
      "limits: {steps: 400}\n"
      "code:\n"
      "  asm: |\n"
      "    start: s_load_dword s2, s[4:5], 0x10\n"
      "    loop: s_add_u32 s2, s2, s6\n"
      "    s_sub_u32 s0, s0, 1\n"
      "    s_cbranch_scc0 loop\n"
      "    s_cmp_lg_u32 s1, 3\n"
      "    s_cbranch_scc1 other\n"
      "    s_load_dword s3, s[8:9], 0x0\n"
      "    other: s_cmp_lg_u32 s1, 4\n"
      "    s_cbranch_scc1 end\n"
      "    s_store_dword s2, s[4:5], 0x20\n"
      "    end: s_bfm_b32 s7, s0, s2\n"
      "    s_endpgm\n"
      "expect: {registers: {s6: 7}}\n";
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same table every time
  const auto below = [&random](u64 limit) { return static_cast<u32>(random() % limit); };
  std::string rows = "s0,s1,s6,memory.0x20010,expect.s2,expect.s6,expect.stop\n";
  for (int row = 0; row < 3000; ++row) {
    const u32 turns = below(150);
    const u32 kind = below(8);
    const u32 step = below(3) == 0 ? below(9) : 7;
    const u32 first = below(u64{1} << 32);
    const u32 wrong = below(50) == 0 ? 1 : 0;
    const bool ends = kind != 3 && 4 + 3 * (turns + 1) + 2 <= 400;
    rows += std::to_string(turns) + "," + std::to_string(kind) + "," + (step == 7 ? "" : std::to_string(step)) + "," +
            std::to_string(first) + "," + (ends ? std::to_string(first + (turns + 1) * step + wrong) : "") + "," +
            (below(2) == 0 ? "" : std::to_string(step)) + "," + (kind == 3 && below(2) == 0 ? "unmapped_memory" : "") +
            "\n";
  }
  (void)folder_.write("rows.csv", rows);
  add("t.yaml", program + "cases: {file: rows.csv}\n");
  for (const bool fail_fast : {false, true}) {
    SuiteOptions options;
    options.fail_fast = fail_fast;
    options.engine = Engine::scalar;
    const std::string expected = summary(run(options));
    const u64 failed = suite_.failed;
    EXPECT_EQ(failed, 1U) << expected;
    for (const u32 jobs : {1U, 3U}) {
      options.jobs = jobs;
      options.engine = Engine::batch;
      EXPECT_EQ(summary(run(options)), expected);
    }
    if (fail_fast) continue;
    options.shard = {1, 3};
    const std::string part = summary(run(options));
    options.engine = Engine::scalar;
    EXPECT_EQ(summary(run(options)), part);
  }
}

TEST_F(Suite, ShardsCoverTheSuite) {
  add_many();
  const std::vector<TestResult> all = run({});
  const SuiteResult whole = suite_;
  for (const u32 count : {2U, 3U, 50U}) {
    u64 runs = 0;
    u64 failed_runs = 0;
    u64 not_loaded = 0;
    std::vector<std::string> ids;
    for (u32 index = 0; index < count; ++index) {
      SuiteOptions options;
      options.shard = {index, count};
      options.jobs = 2;
      for (const TestResult& test : run(options)) {
        ids.push_back(test.id);
        failed_runs += test.failed_runs;
      }
      runs += suite_.runs;
      not_loaded += suite_.not_loaded;
    }
    EXPECT_EQ(runs, whole.runs);
    EXPECT_EQ(failed_runs, 40U + 5);
    EXPECT_EQ(not_loaded, whole.not_loaded);
    for (const TestResult& test : all)
      EXPECT_EQ(std::ranges::count(ids, test.id), test.is_table ? count : 1U) << test.id;
  }
}

TEST_F(Suite, StopsAtTheFirstFailureWhereThatIsWanted) {
  add_many();
  SuiteOptions options;
  options.fail_fast = true;
  for (const u32 jobs : {1U, 4U}) {
    options.jobs = jobs;
    const std::vector<TestResult> tests = run(options);
    ASSERT_EQ(tests.size(), 3U);
    EXPECT_EQ(tests[2].id, files_[1] + "#1");
    EXPECT_EQ(tests[2].status, TestResult::Status::failed);
    EXPECT_TRUE(suite_.stopped_early);
  }
}

TEST_F(Suite, FiltersByPathAndName) {
  add_many();
  SuiteOptions options;
  const auto count = [&](std::vector<std::string> filters) {
    options.filters = std::move(filters);
    return run(options).size();
  };
  EXPECT_EQ(count({"t0.yaml"}), 2U);
  EXPECT_EQ(count({"second"}), 22U);
  EXPECT_EQ(count({"t1?.yaml", "t2.yaml"}), 18U);  // 2 broken, 2 tables, 7 with two documents
  EXPECT_EQ(count({"t1*#1"}), 7U);
  EXPECT_EQ(count({"second", "!t1"}), 15U);
  EXPECT_EQ(count({"!t"}), 0U);
}

// With this option, the first failing row ends a table, whichever thread finds it.
TEST_F(Suite, StopsInATableWhereThatIsWanted) {
  std::string rows = "s0,s1,expect.s2\n";
  for (int k = 0; k < 20'000; ++k)
    rows += std::to_string(k) + ",1," + std::to_string(k % 5000 == 4999 ? 0 : k + 1) + "\n";
  (void)folder_.write("rows.csv", rows);
  add("a.yaml", std::string(adder) + "cases: {file: rows.csv}\n");
  add("b.yaml", std::string(adder));
  SuiteOptions options;
  options.fail_fast = true;
  for (const u32 jobs : {1U, 2U, 8U}) {
    options.jobs = jobs;
    const std::vector<TestResult> tests = run(options);
    ASSERT_EQ(tests.size(), 1U);
    EXPECT_EQ(tests[0].runs, 5000U);
    EXPECT_EQ(tests[0].failed_runs, 1U);
    ASSERT_EQ(tests[0].failures.size(), 1U);
    EXPECT_EQ(tests[0].failures[0].row, 4999U);
    EXPECT_TRUE(suite_.stopped_early);
  }
}

// The id of a row, as in the report of a failure, selects that row.
TEST_F(Suite, FiltersRows) {
  add("a.yaml",
      "name: sums\n" + std::string(adder) +
          "cases: [{s0: 1, expect: {s2: 1}}, {name: two, s0: 2, expect: {s2: 0}}, {s0: 3, expect: {s2: 3}}]\n---\n" +
          std::string(adder) + "cases: [{s0: 1, expect: {s2: 1}}, {s0: 2, expect: {s2: 2}}]\n");
  const auto runs = [&](std::vector<std::string> filters) {
    SuiteOptions options;
    options.filters = std::move(filters);
    std::string text;
    for (const TestResult& test : run(options)) {
      options.list = true;
      text += test.id.substr(test.id.find('#')) + ":" + std::to_string(test.runs) + "-" +
              std::to_string(test.failed_runs) + " ";
    }
    const std::vector<TestResult> listed = run(options);
    std::string again;
    for (const TestResult& test : listed) again += std::to_string(test.runs);
    return text + again;
  };
  EXPECT_EQ(runs({}), "#1:3-1 #2:2-0 32");
  EXPECT_EQ(runs({"[1]"}), "#1:1-0 #2:1-0 11");
  EXPECT_EQ(runs({files_[0] + "#2[1]"}), "#2:1-0 1");
  EXPECT_EQ(runs({"#1[two]"}), "#1:1-1 1");
  EXPECT_EQ(runs({"sums[two]"}), "#1:1-1 1");
  EXPECT_EQ(runs({"!two"}), "#1:2-0 #2:2-0 22");
  EXPECT_EQ(runs({"sums", "!two"}), "#1:2-0 2");
  EXPECT_EQ(runs({"!sums"}), "#2:2-0 2");
  EXPECT_EQ(runs({"[7]"}), "");
  EXPECT_FALSE(suite_.has_match);
}

// A filter without a match in one part of a suite may match in another; a filter without any match is an error.
TEST_F(Suite, AFilterThatMatchesNowhereIsKnownInEveryShard) {
  add("a.yaml", std::string(adder));
  add("b.yaml", "name: other\n" + std::string(adder));
  add("c.yaml", std::string(adder) + "cases: [{name: row, s0: 1}]\n");
  for (const auto& [filter, exists] : std::vector<std::pair<std::string, bool>>{
           {"other", true}, {"row", true}, {"a.yaml", true}, {"othre", false}, {"!a", false}}) {
    for (u32 index = 0; index < 4; ++index) {
      SuiteOptions options;
      options.filters = {filter};
      if (filter == "!a") options.filters.emplace_back("a.yaml");
      options.shard = {index, 4};
      (void)run(options);
      EXPECT_EQ(suite_.has_match, exists) << filter << " " << index;
    }
  }
}

TEST_F(Suite, ATableWithoutAWordAboutTheEndExpectsNothing) {
  add("a.yaml", std::string(adder) + "cases: [{s0: 1}, {s0: 2, expect: {s2: ~}}]\n");
  add("b.yaml", std::string(adder) + "cases: [{s0: 1}, {s0: 2, expect: {s2: 2}}]\n");
  const std::vector<TestResult> tests = run({});
  EXPECT_FALSE(tests[0].has_expectations);
  EXPECT_TRUE(tests[1].has_expectations);
  EXPECT_EQ(tests[1].remarks.size(), 1U);
  EXPECT_EQ(suite_.without_expectations, 1U);
}

TEST(SuiteSelection, Patterns) {
  using suite::matches;
  EXPECT_TRUE(matches("abc", "b"));
  EXPECT_TRUE(matches("abc", ""));
  EXPECT_FALSE(matches("abc", "d"));
  EXPECT_TRUE(matches("abc", "a*c"));
  EXPECT_TRUE(matches("aXbXbYc", "b*b?c"));
  EXPECT_FALSE(matches("aXbXbYc", "b*bc"));
  EXPECT_TRUE(matches("", "*"));
  EXPECT_FALSE(matches("", "?"));
  EXPECT_TRUE(matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaab", "a*a*a*a*b"));
}

TEST_F(Suite, FindsFilesInFolders) {
  std::filesystem::create_directories(folder_.path("b/c"));
  const std::string second = folder_.write("b/c/x.yml", "");
  const std::string first = folder_.write("b/a.yaml", "");
  const std::string third = folder_.write("b/d.YAML", "");
  const std::string other = folder_.write("b/notes.txt", "");
  const auto found = find_suite_files({folder_.path("b"), other, first});
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(*found, ElementsAre(first, second, third, other));
  EXPECT_THAT(find_suite_files({folder_.path("none")}).error().message, HasSubstr("no such file or directory"));
  // Reading it reports the error.
  const std::string long_name(300, 'x');
  EXPECT_EQ(find_suite_files({long_name}).value(), std::vector<std::string>{long_name});
  std::filesystem::create_directories(folder_.path("empty"));
  EXPECT_THAT(find_suite_files({folder_.path("empty")}).error().message, HasSubstr("no .yaml files"));
}

TEST_F(Suite, FollowsLinksOnce) {
  namespace fs = std::filesystem;
  fs::create_directories(folder_.path("b/c"));
  fs::create_directories(folder_.path("a"));
  const std::string file = folder_.write("b/c/x.yaml", "");
  fs::create_directory_symlink(folder_.path("b"), folder_.path("b/c/loop"));
  fs::create_directory_symlink(folder_.path("b"), folder_.path("a/other"));
  fs::create_symlink(file, folder_.path("a/same.yaml"));
  fs::create_symlink(folder_.path("nowhere"), folder_.path("b/lost.yaml"));
  fs::create_directories(folder_.path("b/folder.yaml"));
  // Two names of one file are two tests.
  fs::create_hard_link(file, folder_.path("b/y.yaml"));
  const auto below_b = find_suite_files({folder_.path("b")});
  ASSERT_TRUE(below_b.has_value());
  EXPECT_THAT(*below_b, ElementsAre(file, folder_.path("b/lost.yaml"), folder_.path("b/y.yaml")));
  const auto all = find_suite_files({folder_.path("b"), folder_.path("a"), folder_.path("b/c/loop/c/x.yaml")});
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(*all, *below_b);
  EXPECT_THAT(find_suite_files({file + "#2"}).error().message, HasSubstr("`-k` selects a document or a row"));
}

TEST_F(Suite, CoversLines) {
  add("a.yaml", std::string(adder) + "cases: [{s0: 1, s1: 2}, {s0: 3, s1: 4}]\n");
  add("b.yaml", std::string(adder) + "registers: {s0: 0xffffffff, s1: 1}\n");
  SuiteOptions options;
  options.coverage = true;
  (void)run(options);
  EXPECT_EQ(suite_.coverage.at(files_[0]), (LineCounts{{4, 2}, {5, 2}, {6, 2}, {7, 0}, {8, 0}}));
  EXPECT_EQ(suite_.coverage.at(files_[1]), (LineCounts{{4, 1}, {5, 1}, {6, 0}, {7, 1}, {8, 1}}));
  EXPECT_THAT(lcov_report(suite_), HasSubstr("TN:\nSF:" + files_[1] +
                                             "\nDA:4,1\nDA:5,1\nDA:6,0\nDA:7,1\nDA:8,1\nLF:5\nLH:4\nend_of_record\n"));
}

// A line with several instructions counts once per run, however the runs are distributed.
TEST_F(Suite, CoversALineOnceARun) {
  Program program;
  program.files = {"f"};
  program.lines = {{0x1000, 0, 4}, {0x1004, 0, 5}, {0x1008, 0, 4}};
  suite::LineCounter counter(program);
  counter.add({0x1000, 0x1004});
  counter.add({0x1008});
  counter.add({0x1000, 0x1008});
  std::map<std::string, LineCounts> coverage;
  counter.add_to(coverage);
  EXPECT_EQ(coverage.at("f"), (LineCounts{{4, 3}, {5, 1}}));
}

TEST_F(Suite, NamesWhereAWrongValueComesFrom) {
  add("a.yaml", std::string(adder) + "expect:\n  stop: halt\n  registers: {s2: 1, s5: 1, scc: 1, vcc: 2, mode: 1}\n");
  add("b.yaml",
      "target: gfx900\ncode: {asm: \"s_mov_b64 s[2:3], 0x10000\\ns_store_dword s4, s[2:3], 0x4\\ns_endpgm\"}\n"
      "memory: [{at: 0x10000, size: 8}]\nexpect: {memory: [{at: 0x10004, words: [1]}]}\n");
  std::vector<std::string> writers;
  for (const TestResult& test : run({})) {
    for (const Failure& failure : test.failures) writers.push_back(failure.mismatch.what + ": " + failure.writer);
  }
  const std::string add_place = "written last by `s_add_u32 s2, s0, s1` at 0x1000 (start, " + files_[0] + ":4)";
  EXPECT_THAT(writers, ElementsAre("stop: `s_endpgm` at 0x1008 (start+0x8, " + files_[0] + ":6)", "s2: " + add_place,
                                   "s5: no instruction wrote it", "scc: " + add_place, "vcc: no instruction wrote it",
                                   "mode: no instruction wrote it",
                                   "memory 0x10004: written last by `s_store_dword s4, s[2:3], 0x4` at 0x1008"));
}

TEST_F(Suite, JunitReportsAreXml) {
  add("a.yaml", "name: \"<&>\\\" \\x01\\uffff\"\n" + std::string(adder) + "expect: {registers: {s2: 5}}\n");
  add("b.yaml", "target: gfx900\ncode: {asm: s_bogus}\n");
  add("c.yaml", std::string(adder));
  add("d.yaml", "name: twin\n" + std::string(adder) + "---\nname: twin\n" + std::string(adder));
  const std::vector<TestResult> tests = run({});
  const std::string xml = junit_report(tests, suite_);
  EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"5\" failures=\"1\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"&lt;&amp;&gt;&quot; ??\""));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"" + files_[0] + ":10: s2: expected 0x00000005, got 0x00000000 ("));
  EXPECT_THAT(xml, HasSubstr("<error message=\""));
  EXPECT_THAT(xml, HasSubstr("name=\"twin #1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"twin #2\""));
  EXPECT_THAT(xml, HasSubstr("name=\"" + files_[2] + "\" file=\"" + files_[2] + "\""));
}

// The fast path for tables has the same results as running each row as a scenario.
TEST_F(Suite, RowsAreTheScenariosThatTheyStandFor) {
  std::mt19937 random(4);
  for (const std::string options_text : {"", "on_vector: skip\n", "expect: {registers: {s2: 3, s6: 0}}\n",
                                         "expect: {stop: halt, max_steps: 4}\n", "expect: {warnings: []}\n"}) {
    std::string rows = "s0,s1,expect.s2,expect.scc,memory.0x10000,expect.memory.0x10000,expect.stop,mode,expect.csp\n";
    const auto some = [&](std::string_view text) { return random() % 3 == 0 ? std::string() : std::string(text); };
    for (int i = 0; i < 300; ++i) {
      const u32 a = random() % 4;
      const u32 b = random() % 2 == 0 ? 2 : ~u32{0};
      const u32 sum = a + b + (random() % 4 == 0 ? 1 : 0);
      rows += std::to_string(a) + "," + some(std::to_string(b)) + "," + some(std::to_string(sum)) + "," +
              some(a + u64{b} > 0xffffffff ? "1" : "0") + "," + some("5") + "," + some("5") + "," +
              some(random() % 5 == 0 ? "halt" : "end_program") + "," + some("0x20000000") + "," + some("1") + "\n";
    }
    (void)folder_.write("rows.csv", rows);
    const Scenario scenario = test::load_good(
        std::string(adder) + "memory: [{at: 0x10000, size: 64}]\n" + options_text + "cases: {file: rows.csv}\n", {},
        folder_.path("x.yaml"));
    const SuiteOptions options;
    suite::ScenarioRunner runner(scenario, options);
    std::size_t held = 0;
    for (std::size_t row = 0; row < scenario.cases->rows(); ++row) {
      const Scenario alone = case_scenario(scenario, row);
      const Outcome outcome = salu::run(alone.program, alone.initial, alone.memory, alone.options);
      const bool holds = check(alone.expect.value_or(Expectation{}), outcome).empty();
      const suite::ScenarioRunner::Run run = runner.run_row(row);
      EXPECT_EQ(run.holds, holds) << options_text << row;
      EXPECT_EQ(run.steps, outcome.steps);
      held += holds ? 1 : 0;
    }
    if (options_text.empty()) {
      EXPECT_GT(held, 10U);
      EXPECT_LT(held, 290U);
    }
  }
}

}  // namespace
}  // namespace salu
