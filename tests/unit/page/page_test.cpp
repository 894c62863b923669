#include <salu/page.hpp>
#include <salu/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "page/page_data.hpp"
#include "page/page_files.hpp"
#include "page/windows.hpp"
#include "unit/loader_helpers.hpp"

// The page's data for programs whose runs are short enough to be computed by hand.
namespace salu {
namespace {

using nlohmann::json;
using test::load_good;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Page {
  Scenario scenario;
  Outcome outcome;
  json data;
};

Page page_of(Scenario scenario, const PageOptions& options = {}) {
  Page page{std::move(scenario), {}, {}};
  PageRecorder recorder(page.scenario, options);
  RunOptions run_options = page.scenario.options;
  run_options.trace = [&](const TraceEvent& event) { recorder.add(event); };
  page.outcome = run(page.scenario.program, page.scenario.initial, page.scenario.memory, run_options);
  std::vector<Mismatch> mismatches;
  if (page.scenario.expect) mismatches = check(*page.scenario.expect, page.outcome);
  page.data = json::parse(recorder.data(page.outcome, page.scenario.expect ? &mismatches : nullptr));
  return page;
}

Page page_of_program(const std::string& name, const LoadOptions& options = {}) {
  std::vector<Result<Scenario>> all = load_file(std::string(SALU_PROGRAMS_DIR) + "/" + name, options);
  EXPECT_TRUE(!all.empty() && all[0]) << name;
  return page_of(std::move(*all.at(0)));
}

Page page_of_code(const std::string& registers, const std::string& code, const PageOptions& options = {},
                  const std::string& more = {}) {
  std::string text = more + "target: gfx900\nregisters: {" + registers + "}\ncode:\n  asm: |2\n";
  for (std::size_t start = 0; start < code.size();) {
    const std::size_t end = code.find('\n', start);
    text += "    " + code.substr(start, end - start) + "\n";
    start = end == std::string::npos ? code.size() : end + 1;
  }
  return page_of(load_good(text), options);
}

/// The line of the listing at a label, plus `offset` lines.
json line_at(const json& data, const std::string& label, std::size_t offset = 0) {
  const json& program = data["program"];
  for (std::size_t i = 0; i < program.size(); ++i) {
    const json labels = program[i].value("labels", json::array());
    for (const json& name : labels) {
      if (name == label) return program.at(i + offset);
    }
  }
  ADD_FAILURE() << "no label " << label;
  return {};
}

/// The value of a run-length list at a column.
json at(const json& entries, u64 column) {
  json found;
  for (const json& entry : entries) {
    if (entry[0].get<u64>() <= column) found = entry;
  }
  return found;
}

std::vector<std::string> masks(const json& data) {
  std::vector<std::string> list;
  for (u64 i = 0; i < data["timeline"]["columns"].get<u64>(); ++i) {
    list.push_back(at(data["timeline"]["exec"], i)[1].get<std::string>());
  }
  return list;
}

const json* find_register(const json& data, std::string_view name) {
  for (const json& entry : data["registers"]["list"]) {
    if (entry["name"] == name) return &entry;
  }
  return nullptr;
}

TEST(Page, GcdCountsEveryInstructionAndBranch) {
  // 1071 and 462: 609, 147 (s0 twice), then 315, 168, 21 (s1 three times), then 126 ... 21 (s0 six times): 11
  // iterations of six instructions, and the comparison, the branch and the end.
  LoadOptions options;
  options.set = {"s0=1071", "s1=462"};
  const Page page = page_of_program("gcd.yaml", options);
  EXPECT_EQ(page.data["steps"], 11 * 6 + 3);
  EXPECT_EQ(page.data["stop"]["reason"], "end_program");
  const json done = line_at(page.data, "loop", 1);
  EXPECT_EQ(done["kind"], "conditional");
  EXPECT_EQ(done["count"], 12);
  EXPECT_EQ(done["taken"], 1);
  EXPECT_EQ(done["not_taken"], 11);
  const json larger = line_at(page.data, "loop", 3);
  EXPECT_EQ(larger["taken"], 8);
  EXPECT_EQ(larger["not_taken"], 3);
  EXPECT_EQ(line_at(page.data, "loop", 4)["count"], 3) << "s_sub_u32 s1, s1, s0";
  EXPECT_EQ(line_at(page.data, "first_is_larger")["count"], 8);
  EXPECT_EQ(line_at(page.data, "done")["count"], 1);
  EXPECT_EQ(line_at(page.data, "done")["first"], 69);
  EXPECT_EQ(page.data["forks"]["list"], json::array());
  EXPECT_EQ(page.data["summarised"], json::array());
}

TEST(Page, NestedForksShowLanesStackAndTree) {
  const Page page = page_of_program("fork_join.yaml");
  const json& data = page.data;
  const std::string all = "ffffffffffffffff";
  const std::string outer = "000000000000ffff";
  const std::string even = "0000000000005555";
  const std::string odd = "000000000000aaaa";
  const std::string rest = "ffffffffffff0000";
  EXPECT_THAT(masks(data), ElementsAre(all, all, all, outer, outer, outer, even, even, odd, odd, odd, odd, rest, rest,
                                       rest, rest, all));
  std::vector<u32> depths;
  for (u64 i = 0; i < 17; ++i) depths.push_back(at(data["timeline"]["csp"], i)[1].get<u32>());
  EXPECT_THAT(depths, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0));
  EXPECT_EQ(data["timeline"]["end"]["exec"], all);

  EXPECT_EQ(data["program"].size(), 15U);
  const json inner_join = line_at(data, "inner_join");
  EXPECT_EQ(inner_join["popped"], 1);
  EXPECT_EQ(inner_join["went_on"], 1);
  EXPECT_EQ(line_at(data, "then", 2)["split"], 1);
  EXPECT_EQ(line_at(data, "then", 2)["taken"], 0);

  const json& forks = data["forks"]["list"];
  EXPECT_EQ(data["forks"]["splits"], 2);
  ASSERT_EQ(forks.size(), 2U);
  EXPECT_EQ(forks[0]["parent"], nullptr);
  EXPECT_EQ(forks[0]["step"], 3);
  EXPECT_EQ(forks[0]["entry"], 0);
  EXPECT_EQ(forks[0]["join"], "0x1030");
  const json& first = forks[0]["sides"][0];
  EXPECT_EQ(first["passes"], true);
  EXPECT_EQ(first["mask"], outer);
  EXPECT_EQ(first["first"], 4);
  EXPECT_EQ(first["last"], 12) << "the join that leads to the other side";
  EXPECT_EQ(first["steps"], 4) << "4, 5, 6 and 12";
  const json& second = forks[0]["sides"][1];
  EXPECT_EQ(second["passes"], false);
  EXPECT_EQ(second["mask"], rest);
  EXPECT_EQ(second["pc"], "0x100c");
  EXPECT_EQ(second["first"], 13);
  EXPECT_EQ(second["steps"], 3);
  EXPECT_EQ(forks[1]["parent"], 0);
  EXPECT_EQ(forks[1]["parent_side"], 0);
  EXPECT_EQ(forks[1]["entry"], 1);
  EXPECT_EQ(forks[1]["join"], "0x102c");
  EXPECT_EQ(forks[1]["sides"][0]["mask"], even);
  EXPECT_EQ(forks[1]["sides"][0]["steps"], 2);
  EXPECT_EQ(forks[1]["sides"][1]["mask"], odd);
  EXPECT_EQ(forks[1]["sides"][1]["steps"], 3);
  EXPECT_EQ(data["forks"]["remarks"], json::array());
}

TEST(Page, LanesThatLeaveALoopAreForksInsideForks) {
  const Page page = page_of_program("divergent_loop.yaml");
  const json& forks = page.data["forks"]["list"];
  // Lane 0 leaves first, then lane 1; of lanes 2 and 3 the passing one stays in the loop before the other leaves.
  ASSERT_EQ(forks.size(), 3U);
  const auto mask = [&](std::size_t fork, std::size_t side) { return forks[fork]["sides"][side]["mask"]; };
  EXPECT_EQ(mask(0, 0), "0000000000000001");
  EXPECT_EQ(mask(0, 1), "000000000000000e");
  EXPECT_EQ(mask(1, 0), "0000000000000002");
  EXPECT_EQ(mask(1, 1), "000000000000000c");
  EXPECT_EQ(mask(2, 0), "0000000000000008");
  EXPECT_EQ(mask(2, 1), "0000000000000004");
  EXPECT_EQ(forks[1]["parent"], 0);
  EXPECT_EQ(forks[1]["parent_side"], 1);
  EXPECT_EQ(forks[2]["parent"], 1);
  EXPECT_EQ(forks[2]["parent_side"], 1);
  const json fork = line_at(page.data, "again", 4);
  EXPECT_EQ(fork["count"], 4);
  EXPECT_EQ(fork["split"], 3);
  EXPECT_EQ(fork["taken"], 0);
  EXPECT_EQ(fork["not_taken"], 1) << "only one lane is left";
}

TEST(Page, SaveexecShowsInTheLanes) {
  const Page page = page_of_program("saveexec.yaml");
  const std::string all = "00000000000000ff";
  const std::string then = "000000000000003c";
  const std::string other = "00000000000000c3";
  EXPECT_THAT(masks(page.data), ElementsAre(all, then, then, then, then, all, other, other, other, all));
  EXPECT_EQ(line_at(page.data, "start", 2)["not_taken"], 1);
  EXPECT_EQ(line_at(page.data, "start", 2)["taken"], 0);
}

// LLVM saves registers of the whole wave between `s_or_saveexec_b64 sX, -1` (SIInstrInfo, prologues and spills of
// SGPRs) and `s_mov_b64 exec, sX`. All 64 lanes are active there, and eight or four lanes are active in the program.
TEST(Page, WholeWaveSectionsKeepTheLanesOfTheProgram) {
  const std::string code =
      "s_or_saveexec_b64 s[4:5], -1\n"
      "v_writelane_b32 v1, s0, 0\n"
      "s_mov_b64 exec, s[4:5]\n"
      "s_mov_b64 exec, 15\n"
      "s_xor_saveexec_b64 s[4:5], -1\n"
      "s_mov_b64 exec, -1\n"
      "s_mov_b64 exec, s[4:5]\n"
      "s_mov_b64 s[6:7], exec\n"
      "s_not_b64 exec, exec\n"
      "s_not_b64 exec, exec\n"
      "s_mov_b64 exec, s[6:7]\n"
      "s_endpgm";
  const Page page = page_of_code("exec: 255, s0: 1", code);
  const std::string all = "00000000000000ff";
  const std::string some = "000000000000000f";
  EXPECT_THAT(masks(page.data), ElementsAre(all, all, all, all, some, some, some, some, some, some, some, some));
  std::vector<std::size_t> marked;
  for (std::size_t i = 0; i < page.data["program"].size(); ++i) {
    if (page.data["program"][i].value("whole_wave", false)) marked.push_back(i);
  }
  EXPECT_THAT(marked, ElementsAre(0, 1, 2, 4, 5, 6, 7, 8, 9, 10));
}

// Lanes that stay activated, or whose saved mask is lost, belong to the program.
TEST(Page, OtherSaveexecsAreNotWholeWaveSections) {
  const std::string wide = "ffffffffffffffff";
  const std::string all = "00000000000000ff";
  for (const std::string middle : {"s_branch next\nnext:", "s_mov_b64 s[4:5], 255", "s_and_b64 exec, exec, s[4:5]"}) {
    const Page page =
        page_of_code("exec: 255", "s_or_saveexec_b64 s[4:5], -1\n" + middle + "\ns_mov_b64 exec, s[4:5]\ns_endpgm");
    const std::string third = middle.starts_with("s_and") ? all : wide;
    EXPECT_THAT(masks(page.data), ElementsAre(all, wide, third, all)) << middle;
  }
}

TEST(Page, RegistersHaveAPointForEveryWrite) {
  const Page page = page_of_code("s1: 7, s2: 3", "s_add_u32 s0, s1, s2\ns_mov_b32 s1, s0\ns_mov_b32 s0, 5\ns_endpgm");
  const json* s0 = find_register(page.data, "s0");
  const json* s1 = find_register(page.data, "s1");
  const json* scc = find_register(page.data, "scc");
  ASSERT_TRUE(s0 != nullptr && s1 != nullptr && scc != nullptr);
  EXPECT_EQ((*s0)["points"], json::parse("[[0, 10], [2, 5]]"));
  EXPECT_EQ((*s0)["undefined"], true);
  EXPECT_EQ((*s1)["start"], 7);
  EXPECT_FALSE(s1->contains("undefined"));
  EXPECT_EQ((*s1)["points"], json::parse("[[1, 10]]"));
  EXPECT_EQ((*scc)["points"], json::parse("[[0, 0]]"));
  EXPECT_EQ(find_register(page.data, "s2"), nullptr);
  EXPECT_EQ(page.data["timeline"]["writes"][1], "s1=0x0000000a");
}

TEST(Page, MisuseOfTheStackIsRemarked) {
  const Page overwritten = page_of_code("exec: 3, 's[32:33]': 1, s36: 0",
                                        "  s_cbranch_i_fork s[32:33], a\n"
                                        "b:\n"
                                        "  s_branch j\n"
                                        "a:\n"
                                        "  s_mov_b32 s0, 4\n"
                                        "j:\n"
                                        "  s_cbranch_join s36\n"
                                        "  s_endpgm");
  ASSERT_EQ(overwritten.data["forks"]["remarks"].size(), 1U);
  EXPECT_EQ(overwritten.data["forks"]["remarks"][0]["step"], 3);
  EXPECT_THAT(overwritten.data["forks"]["remarks"][0]["text"].get<std::string>(),
              HasSubstr("it pushed exec=0x0000000000000002, pc=0x1004"));

  const Page underflow = page_of_code("s36: 3, 's[30:31]': 0x1004", "s_cbranch_join s36\ns_endpgm");
  ASSERT_EQ(underflow.data["forks"]["remarks"].size(), 1U);
  EXPECT_THAT(underflow.data["forks"]["remarks"][0]["text"].get<std::string>(),
              HasSubstr("no fork of this run pushed"));
  ASSERT_EQ(underflow.data["warnings"].size(), 2U);
  EXPECT_EQ(underflow.data["warnings"][0]["kind"], "control_stack_underflow");
  EXPECT_EQ(underflow.data["warnings"][0]["step"], 1);
  EXPECT_EQ(underflow.data["warnings"][1]["kind"], "control_stack_misuse");
  EXPECT_EQ(underflow.data["warnings"][1]["step"], 1);
}

constexpr std::string_view many_forks =
    "  s_movk_i32 s40, 300\n"
    "loop:\n"
    "  s_mov_b64 exec, s[34:35]\n"
    "  s_cbranch_i_fork s[32:33], a\n"
    "b:\n"
    "  s_nop 0\n"
    "  s_branch j\n"
    "a:\n"
    "  s_nop 0\n"
    "j:\n"
    "  s_cbranch_join s36\n"
    "  s_sub_u32 s40, s40, 1\n"
    "  s_cmp_lg_u32 s40, 0\n"
    "  s_cbranch_scc1 loop\n"
    "  s_endpgm";

TEST(Page, ManyForksAtOnePlaceBecomeOne) {
  const Page page = page_of_code("exec: 3, 's[32:33]': 1, 's[34:35]': 3, s36: 0", std::string(many_forks));
  EXPECT_EQ(page.data["steps"], 1 + 300 * 10 + 1);
  EXPECT_EQ(page.data["forks"]["splits"], 300);
  EXPECT_EQ(page.data["forks"]["merged"], true);
  const json& forks = page.data["forks"]["list"];
  ASSERT_EQ(forks.size(), 1U);
  EXPECT_EQ(forks[0]["count"], 300);
  EXPECT_EQ(forks[0]["sides"][0]["steps"], 300 * 2) << "a, j";
  EXPECT_EQ(forks[0]["sides"][1]["steps"], 300 * 3) << "b, the branch, j";
  EXPECT_EQ(line_at(page.data, "j")["popped"], 300);
  EXPECT_EQ(line_at(page.data, "j")["went_on"], 300);
  ASSERT_EQ(page.data["summarised"].size(), 1U);
  EXPECT_THAT(page.data["summarised"][0].get<std::string>(), HasSubstr("forked 300 times"));
}

constexpr std::string_view countdown =
    "loop:\n"
    "  s_sub_u32 s0, s0, 1\n"
    "  s_cmp_lg_u32 s0, 0\n"
    "  s_cbranch_scc1 loop\n"
    "  s_endpgm";

TEST(Page, LongRunsShareColumnsAndSaySo) {
  const Page page = page_of_code("s0: 10000", std::string(countdown));
  const json& timeline = page.data["timeline"];
  // 4096 columns of four steps are not enough for 30001, columns of eight are.
  EXPECT_EQ(page.data["steps"], 30001);
  EXPECT_EQ(timeline["per_column"], 8);
  EXPECT_EQ(timeline["columns"], (30001 + 7) / 8);
  u64 executed = 0;
  for (const json& column : timeline["instructions"]) {
    for (std::size_t i = 1; i < column.size(); i += 2) executed += column[i].get<u64>();
  }
  EXPECT_EQ(executed, 30001U);
  const json* s0 = find_register(page.data, "s0");
  ASSERT_NE(s0, nullptr);
  const json& points = (*s0)["points"];
  u64 writes = 0;
  for (const json& point : points) writes += point.size() > 2 ? point[2].get<u64>() : 1;
  EXPECT_EQ(writes, 10000U);
  // Of the first eight steps, steps 1, 4 and 7 write it.
  EXPECT_EQ(points[0], json::parse("[0, 9997, 3]"));
  EXPECT_EQ(points.back()[1], 0);
  EXPECT_FALSE(timeline.contains("reads"));
  EXPECT_THAT(page.data["summarised"][0].get<std::string>(), HasSubstr("represents 8 steps"));
  EXPECT_EQ(line_at(page.data, "loop", 2)["taken"], 9999);
}

TEST(Page, ColumnsOfManyInstructionsSayBetweenWhichTheyLie) {
  std::string code = "loop:\n  s_sub_u32 s0, s0, 1\n";
  for (int i = 0; i < 27; ++i) code += "  s_nop 0\n";
  code += "  s_cmp_lg_u32 s0, 0\n  s_cbranch_scc1 loop\n  s_endpgm\n";
  const Page page = page_of_code("s0: 10000", code);
  // 300001 steps, 128 per column: each column has the whole loop of 30, lines 0 to 29, four times, and eight steps of
  // it again.
  const json& timeline = page.data["timeline"];
  EXPECT_EQ(timeline["per_column"], 128);
  EXPECT_EQ(timeline["instructions"][5].size(), 16U * 2);
  EXPECT_EQ(timeline["ranges"][5], json::parse("[5, 0, 29]"));
  EXPECT_THAT(page.data["summarised"].dump(), HasSubstr("the 16 instructions that ran most"));
}

TEST(Page, APartOfARunIsShownStepByStep) {
  const Page page = page_of_code("s0: 10000", std::string(countdown), {.first_step = 10, .last_step = 15});
  const json& timeline = page.data["timeline"];
  EXPECT_EQ(timeline["first"], 10);
  EXPECT_EQ(timeline["steps"], 6);
  EXPECT_EQ(timeline["per_column"], 1);
  EXPECT_EQ(timeline["instructions"], json::parse("[0, 1, 2, 0, 1, 2]"));
  const json* s0 = find_register(page.data, "s0");
  ASSERT_NE(s0, nullptr);
  EXPECT_EQ((*s0)["start"], 9997) << "after steps 1, 4 and 7";
  EXPECT_EQ((*s0)["points"], json::parse("[[0, 9996], [3, 9995]]"));
  EXPECT_EQ(line_at(page.data, "loop")["count"], 10000) << "counts are those of the whole run";
  EXPECT_THAT(page.data["summarised"][0].get<std::string>(), HasSubstr("steps 10 to 15 of 30001"));
}

TEST(Page, LongProgramsListTheMostExecutedCode) {
  std::string code = "loop:\n  s_sub_u32 s0, s0, 1\n";
  for (int i = 0; i < 4000; ++i) code += "  s_nop 0\n";
  code += "  s_cmp_lg_u32 s0, 0\n  s_cbranch_scc1 loop\n  s_endpgm\n";
  const Page page = page_of_code("s0: 2", code);
  u64 listed = 0;
  u64 hidden = 0;
  u64 executions = 0;
  for (const json& line : page.data["program"]) {
    listed += line.contains("hidden") ? 0 : 1;
    hidden += line.value("hidden", u64{0});
    executions += line.value("hidden_count", u64{0}) + line.value("count", u64{0});
  }
  EXPECT_EQ(listed, 3000U);
  EXPECT_EQ(listed + hidden, 4004U);
  EXPECT_EQ(executions, page.data["steps"]);
  EXPECT_THAT(page.data["summarised"].dump(), HasSubstr("omitted from the listing"));
}

TEST(Page, TheTimelineEndsWithTheFinalState) {
  for (const auto& file : std::filesystem::directory_iterator(SALU_PROGRAMS_DIR)) {
    if (file.path().extension() != ".yaml") continue;
    for (Result<Scenario>& scenario : load_file(file.path().string())) {
      ASSERT_TRUE(scenario) << file.path();
      const Page page = page_of(std::move(*scenario));
      const WaveState& state = page.outcome.state;
      for (const json& entry : page.data["registers"]["list"]) {
        const auto name = entry["name"].get<std::string>();
        const auto where = parse_register_name(page.scenario.program.generation(), name);
        if (!where || where->index == state_index::status) continue;
        EXPECT_EQ(entry.value("lost", false), is_lost(page.outcome, *where)) << file.path() << ": " << name;
        if (entry.value("lost", false)) continue;
        EXPECT_EQ(entry["points"].back()[1], read_register(state, *where)) << file.path() << ": " << name;
      }
      u64 executed = 0;
      for (const json& line : page.data["program"]) executed += line.value("count", u64{0});
      EXPECT_EQ(executed, page.outcome.steps) << file.path();
    }
  }
}

TEST(Page, ResultsOfSkippedVectorInstructionsAreUncertain) {
  // V_CMP would have written VCC, and S_AND_SAVEEXEC_B64 computes EXEC, s[6:7] and SCC from it and from EXEC.
  const Page page = page_of_program("vector_skeleton.yaml");
  std::vector<std::string> lost;
  for (const json& entry : page.data["registers"]["list"]) {
    if (entry.value("lost", false)) lost.push_back(entry["name"].get<std::string>());
  }
  EXPECT_THAT(lost, ElementsAre("s6", "s7", "exec_lo", "exec_hi", "scc"));
  EXPECT_EQ(page.data["timeline"]["lost"], true);
  EXPECT_EQ(page.data["skipped_vector"], 3);
}

/// The window that contains a step; null for one that is only shown in columns.
const json* window_of(const json& data, u64 step) {
  for (const json& window : data["windows"]) {
    const u64 first = window["first"].get<u64>();
    if (step >= first && step < first + window["steps"].get<u64>()) return &window;
  }
  return nullptr;
}

TEST(Page, WindowsOfLongRunsEqualPartialRecordings) {
  const std::string registers = "exec: 3, s40: 0, 's[32:33]': 1, 's[34:35]': 3, s36: 0";
  std::string code(many_forks);
  code.replace(code.find("300"), 3, "700");
  const Page page = page_of_code(registers, code);
  EXPECT_EQ(page.data["steps"], 7002);
  EXPECT_EQ(page.data["timeline"]["per_column"], 2);
  ASSERT_FALSE(page.data["windows"].empty());
  u64 before = 0;
  for (const json& window : page.data["windows"]) {
    const u64 first = window["first"].get<u64>();
    EXPECT_GT(first, before);
    before = first + window["steps"].get<u64>() - 1;
    // The same steps recorded as a part of the run, without a second run.
    const Page part = page_of_code(registers, code, {.first_step = first, .last_step = before});
    EXPECT_EQ(part.data["timeline"]["per_column"], 1);
    for (const char* key : {"steps", "exec", "csp", "instructions", "reads", "writes", "notes"})
      EXPECT_EQ(window[key], part.data["timeline"][key]) << key << " from step " << first;
    // And the final values of registers there.
    for (const json& entry : part.data["registers"]["list"]) {
      json points = json::array();
      for (const json& point : window["registers"]["points"]) {
        if (page.data["registers"]["list"][point[0].get<std::size_t>()]["name"] == entry["name"])
          points.push_back({point[1], point[2]});
      }
      EXPECT_EQ(points, entry["points"]) << entry["name"] << " from step " << first;
    }
  }
  EXPECT_EQ(before, 7002U) << "the end";
  EXPECT_THAT(page.data["summarised"].dump(), HasSubstr("one by one"));
}

TEST(Page, TheFirstHundredForksOfALongRunAreThereStepByStep) {
  std::string code(many_forks);
  code.replace(code.find("300"), 3, "700");
  // With 13 additional steps per iteration, the windows do not touch.
  code.replace(code.find("  s_sub_u32 s40"), 0,
               "  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n"
               "  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n  s_nop 0\n");
  const Page page = page_of_code("exec: 3, 's[32:33]': 1, 's[34:35]': 3, s36: 0", code);
  const json& forks = page.data["forks"]["first"];
  ASSERT_EQ(forks.size(), 200U);
  for (std::size_t i = 0; i < forks.size(); ++i) {
    const u64 step = forks[i]["step"].get<u64>();
    EXPECT_EQ(step, 3 + 23 * i);
    const u64 other = forks[i]["sides"][1]["first"].get<u64>();
    const bool is_single = window_of(page.data, step) != nullptr && window_of(page.data, other) != nullptr;
    EXPECT_EQ(is_single, i < 100) << i;
  }
  EXPECT_GT(page.data["windows"].size(), 90U) << "those of the first rounds are in the one at the start";
}

TEST(Page, WindowsNeverTouchAndKeepToTheirMeasure) {
  page::WindowChooser chooser(10, 1000, 100);
  chooser.want(1000, 19, 5, "end");
  chooser.want(12, 20, 7, "start");
  chooser.want(15, 2, 2, "finding");
  chooser.want(5, 2, 2, "outside");
  chooser.want(500, 60, 60, "too many");
  chooser.want(500, 10, 9, "fork");
  chooser.want(22, 0, 4, "fork");
  const std::vector<page::StepRange> ranges = chooser.ranges();
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_EQ(ranges[0].first, 10U);
  EXPECT_EQ(ranges[0].last, 26U);
  EXPECT_THAT(ranges[0].why, ElementsAre("start", "finding", "fork"));
  EXPECT_EQ(ranges[1].first, 490U);
  EXPECT_EQ(ranges[1].last, 509U);
  EXPECT_EQ(ranges[2].first, 981U);
  EXPECT_EQ(ranges[2].last, 1000U);
}

TEST(Page, AFaultIsTheFirstFindingAndWhereThePageOpens) {
  const Page page = page_of_code("s0: 10000, 's[50:51]': 0x9000000",
                                 "loop:\n  s_sub_u32 s0, s0, 1\n  s_cmp_lg_u32 s0, 0\n  s_cbranch_scc1 loop\n"
                                 "  s_load_dword s5, s[50:51], 0\n  s_endpgm\n");
  EXPECT_EQ(page.data["stop"]["kind"], "fault");
  EXPECT_EQ(page.data["verdict"]["kind"], "bad");
  EXPECT_EQ(page.data["opens_at"], 30001);
  const json& finding = page.data["findings"][0];
  EXPECT_EQ(finding["kind"], "unmapped_memory");
  EXPECT_EQ(finding["severity"], "bad");
  EXPECT_EQ(finding["links"][0]["step"], 30001);
  EXPECT_EQ(finding["links"][0]["line"], 3);
  const json* const window = window_of(page.data, 30001);
  ASSERT_NE(window, nullptr);
  EXPECT_EQ((*window)["first"], 30001 - 255);
}

TEST(Page, FailedExpectationsLeadToTheLastWrite) {
  const Page page = page_of_code("s1: 7", "s_mov_b32 s0, 1\ns_mov_b32 s2, 5\ns_mov_b32 s0, 2\ns_nop 0\ns_endpgm", {},
                                 "expect: {registers: {s1: 8, s2: 5, s0: 3}}\n");
  EXPECT_EQ(page.data["verdict"]["text"], "2 expectations failed");
  EXPECT_EQ(page.data["opens_at"], 3) << "nothing wrote s1, which is the first";
  ASSERT_EQ(page.data["findings"].size(), 2U);
  EXPECT_EQ(page.data["findings"][0]["links"], json::array());
  const json& link = page.data["findings"][1]["links"][0];
  EXPECT_EQ(link["name"], "last write");
  EXPECT_EQ(link["step"], 3);
  EXPECT_EQ(link["pc"], "0x1008");
  EXPECT_EQ(page.data["final"]["registers"][0]["step"], 3);
}

TEST(Page, MisuseOfTheStackLeadsToCulpritAndVictim) {
  const Page page = page_of_code("exec: 3, 's[32:33]': 1, s36: 0",
                                 "  s_cbranch_i_fork s[32:33], a\n"
                                 "b:\n"
                                 "  s_branch j\n"
                                 "a:\n"
                                 "  s_mov_b32 s0, 4\n"
                                 "j:\n"
                                 "  s_cbranch_join s36\n"
                                 "  s_endpgm",
                                 {}, "expect: {registers: {exec: 2}}\n");
  ASSERT_EQ(page.data["findings"].size(), 2U);
  // The join popped the wrong EXEC, and so did the path to the instruction that caused it.
  const json& wrong = page.data["findings"][0]["links"];
  ASSERT_EQ(wrong.size(), 2U);
  EXPECT_EQ(wrong[0]["step"], 3);
  EXPECT_EQ(wrong[1]["name"], "culprit");
  EXPECT_EQ(wrong[1]["pc"], "0x1008");
  const json& finding = page.data["findings"][1];
  EXPECT_EQ(finding["kind"], "control_stack_misuse");
  EXPECT_EQ(finding["severity"], "bad");
  std::vector<std::string> links;
  for (const json& link : finding["links"])
    links.push_back(link["name"].get<std::string>() + " " + link["pc"].get<std::string>() + " " + link["step"].dump());
  EXPECT_THAT(links, ElementsAre("at 0x100c 3", "culprit 0x1008 2", "victim 0x100c 3"));
  EXPECT_EQ(page.data["opens_at"], 3);
}

TEST(Page, ExpectedFindingsAreNotErrors) {
  const Page page = page_of_code("s0: 0", "s_trap 1\ns_endpgm", {}, "expect: {warnings: [trap_ignored]}\n");
  ASSERT_EQ(page.data["findings"].size(), 1U);
  EXPECT_EQ(page.data["findings"][0]["severity"], "info");
  EXPECT_EQ(page.data["verdict"]["kind"], "good");
  EXPECT_EQ(page.data["opens_at"], 1);
}

TEST(Page, PairsAreRegistersUsedOnlyAsPairs) {
  const Page page = page_of_code("exec: 3, vcc: 1",
                                 "s_mov_b64 s[4:5], exec\ns_mov_b64 s[6:7], exec\ns_mov_b32 s7, 1\n"
                                 "s_mov_b32 exec_lo, 1\ns_mov_b32 exec_hi, 0\ns_mov_b64 s[8:9], s[4:5]\ns_endpgm");
  std::vector<std::string> names;
  for (const json& pair : page.data["registers"]["pairs"]) {
    const json& list = page.data["registers"]["list"];
    names.push_back(pair[1].get<std::string>() + " " + list[pair[0].get<std::size_t>()]["name"].get<std::string>());
  }
  EXPECT_THAT(names, ElementsAre("s[4:5] s4", "s[8:9] s8", "exec exec_lo"));
}

TEST(Page, TheSourceOfTheListedLinesIsThereWhereItCanBeRead) {
  std::vector<std::string> asked;
  const std::vector<std::string> lines(20, "text");
  PageOptions options;
  options.read_source = [&](const std::string& file) {
    asked.push_back(file);
    return &lines;
  };
  const Page page = page_of_code("s0: 1", "s_nop 0\n\ns_endpgm", options);
  ASSERT_EQ(page.data["sources"].size(), 1U);
  EXPECT_EQ(page.data["sources"][0]["file"], asked.at(0));
  // The instructions are on lines 5 and 7 of the document.
  EXPECT_EQ(page.data["sources"][0]["first"], 4);
  EXPECT_EQ(page.data["sources"][0]["lines"].size(), 4U);
  EXPECT_FALSE(page_of_code("s0: 1", "s_endpgm").data.contains("sources"));
}

TEST(Page, ARunOfNoStepsHasAPage) {
  const Page page = page_of(load_good("target: gfx900\ncode: {words: [0xbf810000]}\nregisters: {pc: 0x8000}\n"));
  EXPECT_EQ(page.data["steps"], 0);
  EXPECT_EQ(page.data["stop"]["reason"], "pc_outside_code");
  EXPECT_EQ(page.data["timeline"]["columns"], 0);
  EXPECT_EQ(page.data["summarised"], json::array());
}

TEST(Page, InputIsEscaped) {
  const std::string evil = "</script><script>alert(1)</script><!-- salu:data --> /* salu:script */ & \"'";
  Scenario scenario = load_good("target: gfx900\ncode: {words: [0xbf810000]}\n");
  scenario.name = evil;
  const PageRecorder recorder(scenario);
  Outcome outcome;
  outcome.state = scenario.initial;
  outcome.stop.detail = evil;
  const std::vector<Mismatch> mismatches = {{{}, evil, evil, evil}};
  const std::string page = recorder.page(outcome, &mismatches);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("</script><script>")));
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const std::size_t start = page.find(opening) + opening.size();
  const json data = json::parse(page.substr(start, page.find("</script>", start) - start));
  EXPECT_EQ(data["name"], evil);
  EXPECT_EQ(data["stop"]["detail"], evil);
  EXPECT_EQ(data["expectations"][0]["what"], evil);
}

TEST(Page, IsSelfContained) {
  for (const std::string& part : {std::string(page::page_template()), std::string(page::page_style()),
                                  std::string(page::page_waves_style()), page::page_script(true)}) {
    ASSERT_FALSE(part.empty());
    for (const char* reference :
         {"http:", "https:", " src=", "url(", "@import", "<link", "fetch(", "XMLHttp", "import("}) {
      EXPECT_THAT(part, Not(HasSubstr(reference)));
    }
    for (const char* unsafe : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("}) {
      EXPECT_THAT(part, Not(HasSubstr(unsafe)));
    }
  }
}

TEST(Page, TheFinalStateHasVectorRegisters) {
  // The word is v_mov_b32 v3, 7.
  const Page page = page_of_code("v1: 9, v2: {lane_ids: true}, exec: 4", ".long 0x7e060287\ns_endpgm");
  std::vector<json> vectors;
  for (const json& entry : page.data["final"]["registers"]) {
    if (entry.contains("lanes")) vectors.push_back(entry);
  }
  ASSERT_EQ(vectors.size(), 3U);
  EXPECT_EQ(vectors[0]["value"], "0x00000009 in all lanes");
  EXPECT_EQ(vectors[1]["value"], "0x00000000 0x00000001 0x00000002 0x00000003 …");
  EXPECT_FALSE(vectors[1].contains("changed"));
  EXPECT_EQ(vectors[1]["lanes"][63], "0x0000003f");
  EXPECT_EQ(vectors[2]["value"], "– – 0x00000007 – …");
  EXPECT_EQ(vectors[2]["changed"], true);
}

}  // namespace
}  // namespace salu
