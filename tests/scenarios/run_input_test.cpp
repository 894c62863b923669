#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/integer.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "run_scenario.hpp"

namespace salu::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

void expect_bad(const ToolRun& run, const std::string& message) {
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr(message));
  EXPECT_EQ(run.out, "");
}

TEST(RunBadInput, Is3WithAMessageOnStandardError) {
  const Workspace workspace;
  const auto run = [&](const std::string& name, const std::string& contents, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", workspace.write(name, contents)});
    return run_tool(more);
  };
  expect_bad(run("empty.yaml", ""), "empty.yaml: error: the file contains no scenario");
  expect_bad(run("truncated.yaml", "target: gfx900\ncode: {asm: \"s_en"), "truncated.yaml:");
  expect_bad(run("garbage.yaml", std::string("\x7f\x01\x00\xff\xfe", 5)), "not a text file");
  expect_bad(run("types.yaml", scenario("      s_endpgm\n", "registers: [1]\n")),
             "types.yaml:6:12: error: `registers:` must be a map");
  expect_bad(run("keys.yaml", scenario("      s_endpgm\n", "regsters: {}\n")),
             "keys.yaml:6:1: error: unknown key `regsters` in a scenario; did you mean `registers`?");
  expect_bad(run("twice.yaml", scenario("      s_endpgm\n", "name: a\nname: b\n")),
             "twice.yaml:7:1: error: the key `name` appears twice");
  expect_bad(run("fit.yaml", scenario("      s_endpgm\n", "registers: {s0: 0x100000000}\n")),
             "fit.yaml:6:17: error: `s0`: `0x100000000` does not fit in 32 bits");
  expect_bad(run("pair.yaml", scenario("      s_endpgm\n", "registers: {\"s[1:2]\": 0}\n")),
             "pair.yaml:6:13: error: `s[1:2]` is an odd register pair");
  expect_bad(run("odd.yaml", scenario("      s_mov_b64 s[1:2], 0\n")), "odd.yaml:5:");
  expect_bad(run("symbol.yaml", scenario("      s_endpgm\n"), {"--symbol", "strat"}),
             "unknown symbol `strat`; did you mean `start`?");
  expect_bad(run("x86.o", std::string("\177ELF\2\1\1") + std::string(9, '\0') + std::string("\1\0\76\0\1\0\0\0", 8) +
                              std::string(40, '\0')),
             "an ELF file for x86-64");
  expect_bad(run("text.o", "hello"), "not an ELF file");
  constexpr const char* kinds = "(files other than .s, .hex, .bin and ELF are read as scenarios)";
  expect_bad(run("notes.txt", "f: 1\n"), kinds);
  expect_bad(run("notes.txt", "hello there\n"), kinds);
  expect_bad(run("notes.txt", std::string("\0\1", 2)), kinds);
  EXPECT_THAT(run("scenario.txt", scenario("      s_wrong\n")).err, Not(HasSubstr(kinds)));
  EXPECT_THAT(run("keys.yaml", "f: 1\n").err, Not(HasSubstr(kinds)));
  expect_bad(run("code.s", "s_endpgm\n"), "code.s: error: missing target");
  expect_bad(run("code.hex", "xyz\n", {"--mcpu", "gfx900"}), "code.hex:1:1: error: `xyz` is not a hexadecimal word");
  expect_bad(run("code.bin", "12345", {"--mcpu", "gfx900"}),
             "code.bin+0x4: error: the size of 5 bytes is not a multiple of 4");
  expect_bad(run_tool({"run", workspace.path("none.yaml")}),
             "none.yaml: error: cannot read the file: No such file or directory");
  expect_bad(run_tool({"run", workspace.path("")}), "it is a directory");
  expect_bad(run("good.yaml", scenario("      s_endpgm\n"), {"--state", workspace.path("none.yaml")}),
             "cannot read the file");
}

TEST(RunBadInput, EveryErrorOfAnAssemblyIsShown) {
  const ToolRun run = run_scenario("      s_wrong\n      s_mov_b64 s[0:1], -17\n      s_worse\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("<stdin>:5:7: error: unknown instruction 's_wrong'"));
  EXPECT_THAT(run.err, HasSubstr("<stdin>:6:25: warning: "));
  EXPECT_THAT(run.err, HasSubstr("<stdin>:7:7: error: unknown instruction 's_worse'"));
  const ToolRun quiet = run_scenario("      s_wrong\n      s_mov_b64 s[0:1], -17\n      s_worse\n", "", {"--quiet"});
  EXPECT_THAT(quiet.err, HasSubstr("s_worse"));
  EXPECT_THAT(quiet.err, Not(HasSubstr("warning")));
}

TEST(RunBadInput, CaretsPointIntoTheYaml) {
  const ToolRun run = run_scenario("      s_add_u32 s0, s1\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, ContainsRegex("<stdin>:5:[0-9]+: error: .*\n      s_add_u32 s0, s1\n +\\^\n"));
}

TEST(RunBadInput, HugeFilesAreRefusedAtOnce) {
  const Workspace workspace;
  const std::string path = workspace.write("huge.s", "");
  std::filesystem::resize_file(path, 100'000'000);
  expect_bad(run_tool({"run", path}), "the limit is 64 MiB");
  const std::string smaller = workspace.write("large.yaml", "");
  std::filesystem::resize_file(smaller, 40'000'000);
  expect_bad(run_tool({"run", smaller}), "the limit is 16 MiB");
}

TEST(RunStream, IsAsLongAsItLikes) {
  // 24 MiB, most of which are comments.
  const std::string comment = "# " + std::string(std::size_t{1} << 19, '-') + "\n";
  const std::string one = scenario("      s_mov_b32 s0, 7\n      s_endpgm\n", "expect: {registers: {s0: 7}}\n");
  std::string stream;
  u32 lines = 0;
  for (int i = 0; i < 48; ++i) {
    const std::string document = (i == 0 ? "" : "---\n") + comment + one;
    stream += document;
    lines += static_cast<u32>(std::ranges::count(document, '\n'));
  }
  stream += "---\ncode: 5\n";
  const ToolRun run = run_tool({"run", "--check", "--format", "json", "-"}, stream);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, HasSubstr("\"name\":\"<stdin>#48\""));
  EXPECT_THAT(run.out, HasSubstr("\"<stdin>\",\"line\":" + std::to_string(lines + 2)));
}

// A client that writes scenarios can wait for the result of one before it writes the next.
TEST(RunStream, AScenarioRunsOnceItIsThere) {
  const Workspace workspace;
  (void)workspace.write("one.yaml", scenario("      s_endpgm\n"));
  const ToolRun run = run_shell(
      "{ cat one.yaml; echo ---; i=0; until grep -q end_program out || [ $i -ge 3000 ]; do sleep 0.01; i=$((i + 1)); "
      "done; grep -c end_program out >seen; cat one.yaml; } | salu run - --format json >out",
      workspace.path(""));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(read_text(workspace.path("seen")), "1\n");
}

TEST(RunStream, ADocumentHasALimit) {
  const std::string one = scenario("      s_endpgm\n");
  std::string stream = one + "---\n";
  for (int i = 0; i < 17; ++i) stream += "# " + std::string(std::size_t{1} << 20, '-').substr(8) + "\n";
  const ToolRun run = run_tool({"run", "-"}, stream + one);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, HasSubstr("end_program"));
  EXPECT_THAT(run.err, HasSubstr("too large for a YAML document: the limit is 16 MiB"));
}

TEST(RunBadInput, JsonReportsErrorsAsLinesAndGoesOn) {
  const std::string good = scenario("      s_endpgm\n");
  const ToolRun run = run_tool({"run", "--format", "json", "-", "none.yaml"},
                               good + "---\ntarget: gfx900\ncode: {asm: s_x}\n---\n" + good);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err, "");
  std::istringstream lines(run.out);
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 4U);
  EXPECT_EQ(objects[0]["stop"]["reason"], "end_program");
  EXPECT_EQ(objects[1]["error"]["code"], "assembly");
  EXPECT_EQ(objects[1]["error"]["file"], "<stdin>");
  EXPECT_EQ(objects[1]["error"]["line"], 8);
  EXPECT_EQ(objects[1]["error"]["column"], 13);
  EXPECT_FALSE(objects[1]["error"]["message"].get<std::string>().empty());
  EXPECT_EQ(objects[2]["stop"]["reason"], "end_program");
  EXPECT_EQ(objects[3]["error"]["code"], "io");
}
}  // namespace
}  // namespace salu::test
