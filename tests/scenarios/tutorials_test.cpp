#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pages.hpp"
#include "tool.hpp"

// The tutorials show actual output, and quote the actual files.
namespace salu::test {
namespace {

using testing::HasSubstr;

class Tutorials : public testing::Test {
 protected:
  Tutorials() {
    for (const char* const folder : {"programs", "examples"}) {
      std::filesystem::create_directory_symlink(std::string(SALU_SOURCE_DIR) + "/" + folder, workspace_.path(folder));
    }
  }

  /// Runs the examples of a page: sessions, and commands followed by their output. Returns their number.
  std::size_t expect_all_shown(const std::string& name) {
    const std::vector<Block> blocks = blocks_of(page(name));
    std::size_t shown = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].language == "console") {
        expect_session(blocks[i], workspace_.path(""));
        ++shown;
      } else if (blocks[i].language.empty()) {
        const ToolRun run = run_shell(blocks[i].text, workspace_.path(""));
        EXPECT_EQ(run.err, "") << blocks[i].text;
        EXPECT_TRUE(i + 1 < blocks.size() && blocks[i + 1].language == "text")
            << "nothing is shown of " << blocks[i].text;
        EXPECT_EQ(run.out, i + 1 < blocks.size() ? blocks[i + 1].text : "");
        ++shown;
      }
    }
    return shown;
  }

  /// Every block in a language is the unchanged contents of a file.
  void expect_quoted(const std::string& name, const std::string& language, const std::string& file) {
    std::size_t quoted = 0;
    for (const Block& block : blocks_of(page(name))) {
      if (block.language != language) continue;
      EXPECT_THAT(page(file), HasSubstr(block.text));
      ++quoted;
    }
    EXPECT_GE(quoted, 1U) << language;
  }

  Workspace workspace_;
};

TEST_F(Tutorials, ForkAndJoin) {
  EXPECT_GE(expect_all_shown("docs/tutorials/fork-join.md"), 9U);
  expect_quoted("docs/tutorials/fork-join.md", "yaml", "programs/fork_join.yaml");
}

TEST_F(Tutorials, Miscompilation) {
  const std::string name = "docs/tutorials/miscompilation.md";
  EXPECT_GE(expect_all_shown(name), 8U);
  expect_quoted(name, "c", "examples/miscompilation/smooth.c");
  expect_quoted(name, "llvm", "examples/miscompilation/smooth.ll");
  expect_quoted(name, "yaml", "examples/miscompilation/smooth.yaml");
}

TEST_F(Tutorials, MissingLane) {
  const std::string name = "docs/tutorials/missing-lane.md";
  EXPECT_GE(expect_all_shown(name), 4U);
  expect_quoted(name, "yaml", "examples/missing-lane/levels.yaml");
}

TEST_F(Tutorials, MissingWait) {
  const std::string name = "docs/tutorials/missing-wait.md";
  EXPECT_GE(expect_all_shown(name), 4U);
  expect_quoted(name, "yaml", "examples/missing-wait/rounding.yaml");
}

TEST_F(Tutorials, ThePageOnWhy) { EXPECT_GE(expect_all_shown("docs/how-to/why.md"), 3U); }

}  // namespace
}  // namespace salu::test
