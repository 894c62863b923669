#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tool.hpp"

namespace salu::test {
namespace {

std::vector<std::string> shipped_programs() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SALU_PROGRAMS_DIR)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(Programs, AreThere) { EXPECT_GE(shipped_programs().size(), 15U); }

TEST(Programs, MeetTheirExpectations) {
  for (const std::string& path : shipped_programs()) {
    for (const char* dispatch : {"best", "switch", "goto"}) {
      const ToolRun run = run_tool({"run", "--check", "--dispatch", dispatch, path});
      EXPECT_EQ(run.exit_code, 0) << path << "\n" << run.out << run.err;
      EXPECT_NE(run.out.find("expectations hold"), std::string::npos) << path << " expects nothing";
    }
  }
}

TEST(Programs, StartWithAComment) {
  for (const std::string& path : shipped_programs()) EXPECT_EQ(read_text(path).substr(0, 2), "# ") << path;
}

}  // namespace
}  // namespace salu::test
