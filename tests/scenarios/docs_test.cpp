#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/outcome.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "pages.hpp"
#include "repetitions.hpp"
#include "tool.hpp"

// The commands on the pages work, and print the output that the pages show.
namespace salu::test {
namespace {

using testing::HasSubstr;

/// The lines of the blocks that are commands, without trailing remarks; `scripts/run` is `salu run`.
std::vector<std::string> commands_of(const std::string& text) {
  constexpr std::string_view script = "scripts/run ";
  std::vector<std::string> commands;
  for (const Block& block : blocks_of(text)) {
    if (!block.language.empty()) continue;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      line.erase(std::min(line.find(" #"), line.size()));
      line.erase(line.find_last_not_of(' ') + 1);
      if (line.starts_with(script)) line = "salu run " + line.substr(script.size());
      if (line.starts_with("salu ")) commands.push_back(line);
    }
  }
  return commands;
}

/// Commands in running text, between `salu ` and the closing quote, that name an existing file.
std::vector<std::string> quoted_commands_of(const std::string& text) {
  std::vector<std::string> commands;
  for (const std::string opening : {"`salu ", "`scripts/run "}) {
    for (std::size_t i = text.find(opening); i != std::string::npos; i = text.find(opening, i + 1)) {
      std::string command = text.substr(i + 1, text.find('`', i + 1) - i - 1);
      if (opening.starts_with("`scripts")) command.replace(0, opening.size() - 2, "salu run");
      if (command.find("programs/") != std::string::npos) commands.push_back(command);
    }
  }
  return commands;
}

/// Shortens the range of a command, so that it is fast. The page on many states has the same command and runs it
/// unchanged.
std::string with_a_short_range(std::string command) {
  constexpr std::string_view all = "0..0xffffffff";
  const std::size_t range = command.find(all);
  if (range != std::string::npos) command.replace(range, all.size(), "0..0xffff");
  return command;
}

/// A folder with the files that the pages name: `programs` of this project, and files that readers are assumed to have.
class Docs : public testing::Test {
 protected:
  Docs() {
    std::filesystem::create_directory_symlink(SALU_PROGRAMS_DIR, workspace_.path("programs"));
    const std::string scenario = read_text(workspace_.path("programs/gcd.yaml"));
    const std::size_t start = scenario.find("asm: |\n") + 7;
    write("gcd.s", scenario.substr(start, scenario.find("registers:") - start));
    write("words", "80000201\nbf810000\n");
    write("words.hex", "0x80000201 0xbf810000\n");
  }

  void write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(std::filesystem::exists(workspace_.write(name, text)));
  }

  void expect_all_work(const std::string& name, std::size_t at_least) {
    std::vector<std::string> commands = commands_of(page(name));
    for (std::string& command : quoted_commands_of(page(name))) commands.push_back(std::move(command));
    std::erase_if(commands, [](const std::string& command) { return command == "salu run FILE..."; });
    EXPECT_GE(commands.size(), at_least) << name;
    for (const std::string& command : commands) {
      std::string line = with_a_short_range(command);
      // Any assembly text is sufficient.
      const std::size_t file = line.find(" FILE ");
      if (file != std::string::npos) line.replace(file, 6, " gcd.s ");
      const ToolRun run = run_shell(line, workspace_.path(""));
      EXPECT_EQ(run.exit_code, 0) << name << ": " << command << "\n" << run.out << run.err;
      EXPECT_EQ(run.err, "") << name << ": " << command;
    }
  }

  Workspace workspace_;
};

TEST_F(Docs, CommandsOfTheReadmeWork) { expect_all_work("README.md", 3); }

TEST_F(Docs, CommandsOfThePageOnRunningWork) { expect_all_work("docs/how-to/running.md", 6); }

TEST_F(Docs, CommandsOfThePageOnAssemblingWork) { expect_all_work("docs/how-to/assembling.md", 9); }

TEST_F(Docs, CommandsOfTheReportPageWork) { expect_all_work("docs/how-to/report.md", 1); }

TEST_F(Docs, CommandsOfTheTestingPageWork) { expect_all_work("docs/how-to/testing.md", 3); }

TEST_F(Docs, CommandsOfTheOutputFormatsWork) { expect_all_work("docs/reference/output-formats.md", 2); }

TEST_F(Docs, CommandsOfTheChecksPageWork) { expect_all_work("docs/reference/checks.md", 3); }

TEST_F(Docs, TheReadmeShowsActualOutput) {
  const std::vector<Block> blocks = blocks_of(page("README.md"));
  const auto scenario = std::ranges::find(blocks, "yaml", &Block::language);
  ASSERT_NE(scenario, blocks.end());
  EXPECT_THAT(read_text(workspace_.path("programs/gcd.yaml")), HasSubstr(scenario->text));
  const auto output = std::ranges::find_if(
      blocks, [](const Block& block) { return block.text.find("expectations hold") != std::string::npos; });
  ASSERT_NE(output, blocks.end());
  EXPECT_EQ(run_shell("salu run --check programs/gcd.yaml", workspace_.path("")).out, output->text);
}

TEST_F(Docs, SessionsOfTheDebuggingPageGoAsShown) {
  std::size_t sessions = 0;
  for (const Block& block : blocks_of(page("docs/how-to/debugging.md"))) {
    if (block.language != "console") continue;
    expect_session(block, workspace_.path(""));
    ++sessions;
  }
  EXPECT_GE(sessions, 6U);
}

TEST_F(Docs, TheDebuggingPageListsEveryCommand) {
  const std::string text = page("docs/how-to/debugging.md");
  std::istringstream help(run_shell("echo help all | salu debug programs/gcd.yaml", workspace_.path("")).out);
  std::size_t commands = 0;
  for (std::string usage, about; std::getline(help, usage) && std::getline(help, about); ++commands) {
    // In a table, a bar is escaped with a backslash.
    for (std::string* const part : {&usage, &about}) {
      for (std::size_t i = 0; (i = part->find('|', i)) != std::string::npos; i += 2) part->replace(i, 1, "\\|");
    }
    EXPECT_THAT(text, HasSubstr("| `" + usage + "`"));
    EXPECT_THAT(text, HasSubstr("| " + about.substr(4) + " |"));
  }
  EXPECT_GT(commands, 30U);
}

// The layout in docs/reference/output-formats.md is the actual layout.
TEST_F(Docs, TheOutputFormatsAreShownAsTheyAre) {
  const std::vector<Block> blocks = blocks_of(page("docs/reference/output-formats.md"));
  for (const char* format : {"text", "yaml", "json"}) {
    const auto block = std::ranges::find(blocks, format, &Block::language);
    ASSERT_NE(block, blocks.end()) << format;
    const ToolRun run =
        run_shell(std::string("salu run --check --format ") + format + " programs/gcd.yaml", workspace_.path(""));
    if (std::string_view(format) == "text") {
      EXPECT_EQ(run.out, block->text);
      continue;
    }
    // The page breaks the single line of JSON and omits registers: every piece of it is in the output.
    const std::string end = std::string_view(format) == "json" ? "" : "\n";
    std::istringstream pieces(block->text);
    for (std::string piece; std::getline(pieces, piece);) {
      if (piece.find("...") != std::string::npos) continue;
      EXPECT_THAT(run.out, HasSubstr(piece + end));
    }
  }
}

// Every comparison on the page is shown with its actual output.
TEST_F(Docs, ComparisonsAreShownAsTheyAre) {
  const std::vector<Block> blocks = blocks_of(page("docs/how-to/equiv.md"));
  std::size_t shown = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].language.empty() || blocks[i].text == "salu equiv A B\n") continue;
    const bool has_output = i + 1 < blocks.size() && blocks[i + 1].language == "text";
    const bool differs = has_output && blocks[i + 1].text.starts_with("different");
    const ToolRun run = run_shell(blocks[i].text, workspace_.path(""));
    EXPECT_EQ(run.exit_code, differs ? 1 : 0) << blocks[i].text << run.out << run.err;
    EXPECT_EQ(run.err, "") << blocks[i].text;
    if (!has_output) continue;
    EXPECT_EQ(run.out, blocks[i + 1].text);
    ++shown;
  }
  EXPECT_GE(shown, 3U);
  // The scenarios of the difference on the page.
  const ToolRun check = run_shell("salu run --check difference.yaml", workspace_.path(""));
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr("expectations hold"));
  EXPECT_THAT(check.out, HasSubstr("expectation failed: s0"));
}

/// Replaces the name of the faster solver.
std::string by_a_solver(std::string text) {
  for (const std::string name : {"(by z3)", "(by cvc5)"}) {
    if (const std::size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), "(by a solver)");
  }
  return text;
}

TEST_F(Docs, ProofsAreShownAsTheyAre) {
  const std::vector<Block> blocks = blocks_of(page("docs/how-to/prove.md"));
  std::size_t shown = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].language.empty() || blocks[i].text == "salu prove A B\n") continue;
    const ToolRun run = run_shell(blocks[i].text, workspace_.path(""));
    EXPECT_EQ(run.exit_code, 0) << blocks[i].text << run.out << run.err;
    EXPECT_EQ(run.err, "") << blocks[i].text;
    if (i + 1 == blocks.size() || blocks[i + 1].language != "text") continue;
    EXPECT_EQ(by_a_solver(run.out), by_a_solver(blocks[i + 1].text));
    ++shown;
  }
  EXPECT_EQ(shown, 2U);
}

TEST_F(Docs, ManyStatesAreShownAsTheyAre) {
  if (work(10) < 10) GTEST_SKIP() << "a build that takes hours for all values of 32 bits";
  std::size_t shown = 0;
  for (const Block& block : blocks_of(page("docs/explanation/many-states.md"))) {
    if (!block.text.starts_with("$ salu ")) continue;
    const std::size_t end_of_line = block.text.find('\n');
    const std::string command = block.text.substr(2, end_of_line - 2);
    EXPECT_EQ(run_shell(command, workspace_.path("")).out, block.text.substr(end_of_line + 1)) << command;
    ++shown;
  }
  EXPECT_GE(shown, 2U);
}

// Every trace on the page is shown with its actual output.
TEST_F(Docs, TracesAreShownAsTheyAre) {
  EXPECT_GE(expect_shown("docs/reference/traces.md", workspace_.path("")), 4U);
  EXPECT_THAT(read_text(workspace_.path("trace.json")), testing::StartsWith("{\"traceEvents\":["));
}

// Every reason and warning that salu prints is documented.
TEST_F(Docs, EveryReasonAndWarningIsExplained) {
  const std::string text = page("docs/reference/stops-and-warnings.md");
  // A row explains the names in its first cell.
  const auto is_explained = [&](std::string_view name) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t found = line.find("`" + std::string(name) + "`");
      if (line.starts_with("| ") && found < line.find(" | ")) return true;
    }
    return false;
  };
  for (u8 i = 0; i <= static_cast<u8>(StopReason::deadlock); ++i) {
    const auto reason = static_cast<StopReason>(i);
    // Runs from the command line do not have breakpoints.
    if (reason == StopReason::breakpoint) continue;
    EXPECT_TRUE(is_explained(stop_reason_name(reason))) << stop_reason_name(reason);
  }
  for (u8 i = 0; i <= static_cast<u8>(WarningKind::barrier_divergence); ++i) {
    const std::string_view name = warning_kind_name(static_cast<WarningKind>(i));
    EXPECT_TRUE(is_explained(name)) << name;
  }
}

}  // namespace
}  // namespace salu::test
