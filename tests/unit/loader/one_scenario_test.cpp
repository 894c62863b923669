#include "loader/scenario/one_scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "unit/loader_helpers.hpp"

// Selection of one run of a file.
namespace salu::loader {
namespace {

using testing::HasSubstr;

constexpr std::string_view three =
    "name: first\n"
    "target: gfx900\n"
    "code: {words: [0xbf810000]}\n"
    "---\n"
    "name: \"2\"\n"
    "target: gfx900\n"
    "code: {words: [0xbf810000]}\n"
    "---\n"
    "name: table\n"
    "target: gfx900\n"
    "code: {words: [0xbf810000]}\n"
    "cases:\n"
    "  columns: [name, s0]\n"
    "  rows:\n"
    "    - [low, 1]\n"
    "    - [high, 2]\n";

class OneScenario : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "one_scenario_" + std::to_string(getpid()) + ".yaml";
    std::ofstream(path_) << three;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  [[nodiscard]] Result<Scenario> choose(const std::string& document, const std::string& row = {},
                                        bool needs_row = true) const {
    return load_one(path_, {}, {.document = document, .row = row, .needs_row = needs_row});
  }
  std::string path_;
};

TEST_F(OneScenario, IsChosenByNumberOrName) {
  EXPECT_EQ(choose("1")->name, "first");
  EXPECT_EQ(choose("first")->name, "first");
  // A name that looks like a number is still a name.
  EXPECT_EQ(choose("2")->name, "2");
  EXPECT_EQ(choose("3", "2")->initial.file[0], 2U);
  EXPECT_EQ(choose("table", "low")->initial.file[0], 1U);
  const Result<Scenario> whole = choose("table", "", false);
  ASSERT_TRUE(whole.has_value());
  ASSERT_EQ(whole->remarks.size(), 1U);
  EXPECT_THAT(whole->remarks[0].to_string(),
              HasSubstr("the rows of `cases:` are not run; select one of them with --case"));
}

TEST_F(OneScenario, ListsTheChoices) {
  EXPECT_EQ(choose("").error().to_string(), path_ +
                                                ": error: the file contains 3 scenarios; select one by number or name "
                                                "with --document:\n  1  `first`\n  2  `2`\n  3  `table`");
  EXPECT_THAT(choose("4").error().to_string(),
              HasSubstr("--document 4: the file has 3 scenarios, and none with this name"));
  EXPECT_THAT(choose("0").error().to_string(), HasSubstr("--document 0: the file has 3 scenarios"));
  EXPECT_THAT(choose("1", "1").error().to_string(), HasSubstr("--case 1: the scenario has no `cases:`"));
  EXPECT_THAT(choose("3").error().to_string(),
              HasSubstr("is a table of 2 rows; select one by number or name with --case"));
  EXPECT_THAT(choose("3", "middle").error().to_string(), HasSubstr("--case middle: no such row; `cases:` has 2 rows"));
  const Result<Scenario> named = load_one(path_, {}, {.document_option = "`document`"});
  EXPECT_THAT(named.error().to_string(), HasSubstr("select one by number or name with `document`"));
}

}  // namespace
}  // namespace salu::loader
