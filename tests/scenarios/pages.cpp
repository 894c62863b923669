#include "pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>

#include "tool.hpp"

namespace salu::test {

std::string page(const std::string& name) { return read_text(std::string(SALU_SOURCE_DIR) + "/" + name); }

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> blocks;
  bool inside = false;
  std::size_t indent = 0;  // of the fence, which may be in a list
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.substr(begin).starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(begin + 3), {}});
      inside = !inside;
      indent = begin;
    } else if (inside) {
      blocks.back().text += line.substr(std::min(indent, line.size())) + "\n";
    }
  }
  EXPECT_FALSE(inside) << "a fence is not closed";
  return blocks;
}

std::size_t expect_shown(const std::string& name, const std::string& folder) {
  const std::vector<Block> blocks = blocks_of(page(name));
  std::size_t shown = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].language.empty()) continue;
    const ToolRun run = run_shell(blocks[i].text, folder);
    EXPECT_EQ(run.exit_code, 0) << blocks[i].text << run.out << run.err;
    EXPECT_EQ(run.err, "") << blocks[i].text;
    if (i + 1 == blocks.size() || blocks[i + 1].language.empty()) continue;
    EXPECT_EQ(run.out, blocks[i + 1].text) << blocks[i].text;
    ++shown;
  }
  return shown;
}

void expect_session(const Block& block, const std::string& folder) {
  constexpr std::string_view prompt = "(salu) ";
  std::istringstream lines(block.text);
  std::string start;
  ASSERT_TRUE(std::getline(lines, start) && start.starts_with("$ salu debug ")) << start;
  // The output of `run` in the block is what is printed at the start.
  std::vector<std::string> commands = {"run"};
  std::vector<std::string> answers = {""};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(prompt)) {
      commands.push_back(line.substr(prompt.size()));
      answers.emplace_back();
    } else {
      answers.back() += line + "\n";
    }
  }
  std::string script;
  for (const std::string& command : commands) script += command + "\\nprint 424242\\n";
  const ToolRun run = run_shell("printf '" + script + "' | " + start.substr(2), folder);
  // A session with a failed expectation has the exit code of `salu run --check`.
  const bool fails = run.out.find("Expectation failed: ") != std::string::npos;
  const bool faults = fails && run.out.find("Expectation failed: stop: ") != std::string::npos;
  EXPECT_EQ(run.exit_code, faults ? 4 : fails ? 1 : 0) << start << run.err;
  std::string rest = run.out;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::size_t end = rest.find("424242 = ");
    ASSERT_NE(end, std::string::npos) << start << ": " << commands[i];
    EXPECT_EQ(rest.substr(0, end), answers[i]) << start << ": " << commands[i];
    rest = rest.substr(rest.find('\n', end) + 1);
  }
}

}  // namespace salu::test
