#include "suite/result_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loader/objects/listing.hpp"

namespace salu::suite {
namespace {

TestResult failed_table() {
  TestResult test;
  test.file = "a.yaml";
  test.id = "a.yaml";
  test.name = "a\aname";
  test.status = TestResult::Status::failed;
  test.is_table = true;
  test.runs = 9;
  test.failed_runs = 3;
  Failure failure;
  failure.row = 1;
  failure.mismatch = {{"a.yaml", 7, 3}, "s0", "0x1", "0x2"};
  failure.writer = "s_mov_b32 s0, 2 at 0x1000";
  test.failures = {failure};
  return test;
}

TEST(ResultText, HasALineForEachFailureAndOneForTheRest) {
  const SuiteOptions suite;
  EXPECT_EQ(ResultText({}, suite).of(failed_table()),
            "FAIL: a.yaml[2]: s0: expected 0x1, got 0x2; s_mov_b32 s0, 2 at 0x1000; expected in a.yaml:7\n"
            "FAIL: a.yaml (a\\x07name): 2 more rows of 9\n");
}

TEST(ResultText, OmitsPassingTestsByDefault) {
  const SuiteOptions suite;
  TestResult test;
  test.id = test.name = "b.yaml";
  test.runs = 1;
  EXPECT_EQ(ResultText({}, suite).of(test), "");
  EXPECT_EQ(ResultText({.passed = true}, suite).of(test), "PASS: b.yaml\n");
  EXPECT_EQ(ResultText({.colour = true, .passed = true}, suite).of(test), "\x1b[32mPASS\x1b[0m: b.yaml\n");
  EXPECT_EQ(ResultText({.only_list = true}, suite).of(test), "b.yaml\n");
  test.error = Error{ErrorCode::yaml, {"b.yaml", 2, 4}, "wrong", {}};
  EXPECT_EQ(ResultText({}, suite).of(test), "ERROR: b.yaml:2:4: wrong\n");
}

TEST(ResultText, SumsUp) {
  SuiteOptions suite;
  suite.shard = {1, 3};
  suite.jobs = 2;
  SuiteResult result;
  result.passed = 4;
  result.failed = 1;
  result.runs = 20;
  result.without_expectations = 2;
  const std::string line = "5 tests (20 runs): 4 passed, 1 failed; shard 2 of 3\n";
  EXPECT_EQ(ResultText({.remarks = false}, suite).summary(result), line);
  EXPECT_THAT(ResultText({}, suite).summary(result), testing::StartsWith(line + "2 tests without `expect:`"));
  result.wall_seconds = 0.25;
  result.run_seconds = 0.5;
  result.steps = 1'234'567;
  EXPECT_EQ(ResultText({.remarks = false, .stats = true}, suite).summary(result),
            line +
                "20 runs in 0.250 s with 2 threads: loading 0.000 s, running and comparing 0.500 s (of all threads)\n"
                "runs: 4e-05 million a second per thread, instructions: 2.47 million a second per thread\n");
  EXPECT_EQ(ResultText({.only_list = true}, suite).summary(result), "");
}

TEST(ProgressOfASuite, CountsFilesAndTests) {
  Progress progress(3);
  TestResult test = failed_table();
  EXPECT_EQ(progress.after(test), "[1/3] 1 failed");
  EXPECT_EQ(progress.after(test), "[1/3] 2 failed");
  test.file = "c.yaml";
  test.status = TestResult::Status::passed;
  EXPECT_EQ(progress.after(test), "[2/3] 2 failed");
}

TEST(Listing, OfOneInstruction) {
  loader::LlvmDisassembler llvm(*find_target("gfx900"));
  EXPECT_EQ(loader::list_instruction(Generation::gcn1_4, std::vector<u32>{0xbf810000}, llvm), "s_endpgm");
  EXPECT_EQ(loader::list_instruction(Generation::gcn1_4, std::vector<u32>{0xbf810000, 0}, llvm), "<invalid>");
  EXPECT_EQ(loader::list_instruction(Generation::gcn1_4, {}, llvm), "<invalid>");
}

}  // namespace
}  // namespace salu::suite
