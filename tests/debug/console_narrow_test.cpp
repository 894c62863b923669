#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "debug/consoles.hpp"

// On a narrow terminal no line is too long, and no lane or register is missing.
namespace salu::debug {
namespace {

using testing::HasSubstr;

class ConsoleNarrow : public ConsoleTest {
 protected:
  void start_forks(u32 columns) {
    ConsoleHost host;
    host.screen = [columns]() -> std::optional<ScreenSize> { return ScreenSize{40, columns}; };
    start_with(std::move(host),
               "target: gfx900\n"
               "code:\n"
               "  asm: |\n"
               "    s_cbranch_i_fork s[32:33], then\n"
               "    s_branch join\n"
               "    then: s_nop 0\n"
               "    join: s_cbranch_join s40\n"
               "    s_endpgm\n"
               "registers: {\"s[32:33]\": 0xff0000f00000000f, s1: 1, s2: 2, s3: 3, s4: 4, s5: 5, s100: 6, s40: 0}\n");
    (void)run("stepi");
  }

  static std::size_t longest(const std::string& text) {
    std::size_t most = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
  }
};

TEST_F(ConsoleNarrow, NothingIsLongerThanTheWindow) {
  for (const u32 columns : {40U, 80U}) {
    start_forks(columns);
    for (const char* command : {"lanes", "info registers", "forks", "info stack", "help", "help all"})
      EXPECT_LE(longest(run(command)), columns) << command << "\n" << output_;
    EXPECT_LE(longest(run("set exec = 0x1234567812345678")), columns);
  }
}

TEST_F(ConsoleNarrow, LanesStandBelowEachOther) {
  start_forks(80);
  EXPECT_EQ(run("lanes exec s[32:33]"),
            "lane     0        8        16       24\n"
            "exec     1111.... ........ ........ ........  16\n"
            "s[32:33] 1111.... ........ ........ ........  16\n"
            "lane     32       40       48       56\n"
            "exec     ....1111 ........ ........ 11111111\n"
            "s[32:33] ....1111 ........ ........ 11111111\n");
  start_forks(40);
  EXPECT_THAT(run("lanes exec"), HasSubstr("lane 48       56\nexec ........ 11111111\n"));
  start_forks(20);
  EXPECT_THAT(run("lanes exec"), HasSubstr("lane 0\nexec 1111....  16\nlane 8\nexec ........\n"));
  start_forks(120);
  EXPECT_THAT(
      run("lanes exec"),
      HasSubstr("exec           1111.... ........ ........ ........ ....1111 ........ ........ 11111111  16\n"));
}

TEST_F(ConsoleNarrow, RegistersStandInFewerColumns) {
  start_forks(40);
  const std::string text = run("info registers");
  EXPECT_THAT(text, HasSubstr("s100"));
  EXPECT_THAT(text, HasSubstr("  exec 0xff0000f00000000f*\n"));
}

}  // namespace
}  // namespace salu::debug
