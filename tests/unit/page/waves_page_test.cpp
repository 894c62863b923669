#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/page.hpp>
#include <salu/run.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "page/page_files.hpp"
#include "page/waves_recording.hpp"
#include "unit/loader_helpers.hpp"
#include "work_group_kernels.hpp"

// The page's data for runs of several waves.
namespace salu::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

json page_of(const Scenario& scenario, const PageOptions& options = {}, bool checks_races = false) {
  PageRecorder recorder(scenario, options);
  RunOptions run_options = scenario.options;
  run_options.check_races = checks_races;
  const Outcome outcome = recorder.run(run_options);
  std::vector<Mismatch> mismatches;
  if (scenario.expect) mismatches = check(*scenario.expect, outcome);
  return json::parse(recorder.data(outcome, scenario.expect ? &mismatches : nullptr));
}

json page_of(const std::string& text, const PageOptions& options = {}, bool checks_races = false) {
  return page_of(load_good(text), options, checks_races);
}

const json& wave_of(const json& data, u64 number) {
  const json& waves = data["waves"];
  return *std::ranges::find_if(waves, [&](const json& wave) { return wave["number"] == number; });
}

json numbers(const json& data) {
  json list = json::array();
  for (const json& wave : data["waves"]) list.push_back(wave["number"]);
  return list;
}

/// The value of a run-length list at a column; 0 without a list.
u64 others_at(const json& timeline, u64 column) {
  u64 value = 0;
  for (const json& entry : timeline.value("others", json::array())) {
    if (entry[0].get<u64>() <= column) value = entry[1];
  }
  return value;
}

std::vector<std::string> kinds(const json& wave) {
  std::vector<std::string> list;
  for (const json& finding : wave["findings"]) list.push_back(finding["kind"]);
  return list;
}

/// The addresses of the steps of a run, by wave and step of the run.
std::map<std::pair<u64, u64>, std::string> trace_of(const Scenario& scenario) {
  std::map<std::pair<u64, u64>, std::string> steps;
  RunOptions options = scenario.options;
  options.trace = [&](const TraceEvent& event) { steps[{event.wave, event.step}] = std::string(event.text); };
  run(scenario, options);
  return steps;
}

const std::string mirrors = kernel(mirror, "workgroup_size: 256, grid_size: 512, waves: all");

TEST(WavesPage, StepsAgreeWithTheTrace) {
  for (const char* schedule : {"", "schedule: {seed: 5, slice: 3}\n", "schedule: {groups: concurrent, slice: 2}\n"}) {
    const Scenario scenario = load_good(mirrors + schedule);
    const auto trace = trace_of(scenario);
    const json data = page_of(scenario);
    EXPECT_EQ(data["steps"], trace.size());
    EXPECT_EQ(data["wave_count"], 8);
    ASSERT_EQ(data["waves"].size(), 8U);
    for (const json& wave : data["waves"]) {
      const u64 number = wave["number"];
      EXPECT_EQ(wave["steps"], 13);
      EXPECT_EQ(wave["group"], number / 4 * 4);
      EXPECT_EQ(wave["stop"]["reason"], "end_program");
      const json& instructions = wave["timeline"]["instructions"];
      for (u64 column = 0; column < 13; ++column) {
        const u64 step = column + 1 + others_at(wave["timeline"], column);
        const auto found = trace.find({number, step});
        ASSERT_NE(found, trace.end()) << number << " " << step;
        EXPECT_EQ(wave["program"][instructions[column].get<u64>()]["text"], found->second);
      }
    }
  }
}

TEST(WavesPage, EachWaveHasItsOwnState) {
  const json data = page_of(mirrors);
  EXPECT_EQ(data["shown"], 7) << "the wave whose state is that of the run";
  for (const u64 number : {0U, 5U}) {
    const json& wave = wave_of(data, number);
    EXPECT_EQ(wave["name"], fmt::format("wave {} of work-group [{}, 0, 0]", number % 4, number / 4));
    EXPECT_FALSE(wave["final"].contains("memory"));
    for (const json& listed : wave["final"]["registers"]) {
      if (listed["name"] != "s3") continue;
      EXPECT_EQ(listed["value"], fmt::format("0x{:08x}", number % 4 * 64));
    }
  }
  // The second work-group overwrites what the first one stored.
  const json& first = data["memory"][0];
  EXPECT_EQ(first["at"], "0x200000000");
  EXPECT_EQ(first["value"], "0x000000ff");
  EXPECT_EQ(first["wave"], 4);
  EXPECT_EQ(first["step"], 12) << "among the steps of the wave";
}

TEST(WavesPage, BarriersNameTheWavesThatRunMeanwhile) {
  const json data = page_of(mirrors);
  // Each wave executes eight steps up to its barrier, and then five.
  EXPECT_EQ(
      wave_of(data, 0)["barriers"],
      json::parse(R"([{"step": 8, "others": 0, "passed": true, "continues": 33, "ran": [[1, 8], [2, 8], [3, 8]]}])"));
  EXPECT_EQ(
      wave_of(data, 3)["barriers"],
      json::parse(R"([{"step": 8, "others": 24, "passed": true, "continues": 48, "ran": [[0, 5], [1, 5], [2, 5]]}])"));
  EXPECT_EQ(wave_of(data, 4)["barriers"][0]["others"], 52);
}

TEST(WavesPage, AWaveThatDoesNotWaitHasNoMark) {
  const json data = page_of(kernel("  s_barrier\n  s_endpgm", "workgroup_size: 64, grid_size: 128, waves: all"));
  ASSERT_EQ(data["waves"].size(), 2U);
  for (const json& wave : data["waves"]) EXPECT_THAT(wave["barriers"], IsEmpty());
}

// Wave 0 waits for a flag that the other waves set after the second barrier.
constexpr const char* deadlock =
    "  s_barrier\n  s_cmp_eq_u32 s3, 0\n  s_cbranch_scc1 spin\n  s_barrier\n  s_endpgm\nspin:\n"
    "  s_load_dword s8, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s8, 0\n  s_cbranch_scc1 spin\n"
    "  s_barrier\n  s_endpgm";

TEST(WavesPage, ADeadlockLinksToAllWaves) {
  const json data = page_of(kernel(deadlock, "workgroup_size: 192, grid_size: 192, waves: all"));
  EXPECT_EQ(data["stop"]["reason"], "deadlock");
  EXPECT_THAT(data["verdict"]["text"].get<std::string>(), HasSubstr("deadlock"));
  EXPECT_EQ(data["shown"], 0);
  EXPECT_EQ(wave_of(data, 0)["stop"]["reason"], "deadlock");
  for (const u64 number : {1U, 2U}) {
    const json& wave = wave_of(data, number);
    EXPECT_EQ(wave["stop"]["reason"], "waits_at_barrier");
    EXPECT_EQ(wave["stop"]["kind"], "fault");
    ASSERT_EQ(wave["barriers"].size(), 2U);
    EXPECT_EQ(wave["barriers"][0]["passed"], true);
    EXPECT_EQ(wave["barriers"][1]["passed"], false);
    EXPECT_FALSE(wave["barriers"][1].contains("continues"));
    EXPECT_EQ(wave["barriers"][1]["step"], wave["steps"]);
    EXPECT_EQ(wave["opens_at"], wave["steps"]);
  }
  const json& wave = wave_of(data, 2);
  ASSERT_THAT(kinds(wave), ElementsAre("deadlock"));
  const json& links = wave["findings"][0]["links"];
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0]["wave"], 0);
  EXPECT_EQ(links[0]["name"], "repeats");
  for (const u64 number : {1U, 2U}) {
    EXPECT_EQ(links[number]["wave"], number);
    EXPECT_EQ(links[number]["name"], "waits");
    EXPECT_EQ(links[number]["step"], wave["steps"]);
    EXPECT_EQ(wave["program"][links[number]["line"].get<u64>()]["text"], "s_barrier");
  }
}

TEST(WavesPage, ARaceIsAFindingOfBothWaves) {
  std::string code = mirror;
  code.erase(code.find("  s_barrier\n"), std::string("  s_barrier\n").size());
  const json data = page_of(kernel(code, "workgroup_size: 256, grid_size: 256, waves: all"), {}, true);
  EXPECT_EQ(data["shown"], 2);
  EXPECT_THAT(kinds(wave_of(data, 0)), IsEmpty());
  for (const u64 number : {1U, 2U}) {
    ASSERT_THAT(kinds(wave_of(data, number)), ElementsAre("data_race"));
    const json& finding = wave_of(data, number)["findings"][0];
    EXPECT_EQ(finding["wave"], 2);
    ASSERT_EQ(finding["links"].size(), 2U);
    EXPECT_EQ(finding["links"][0]["wave"], 2);
    EXPECT_EQ(finding["links"][0]["step"], 6);
    EXPECT_EQ(finding["links"][1]["name"], "other");
    EXPECT_EQ(finding["links"][1]["wave"], 1);
    EXPECT_EQ(finding["links"][1]["step"], 9);
  }
  EXPECT_EQ(wave_of(data, 1)["opens_at"], 9);
  EXPECT_EQ(wave_of(data, 2)["opens_at"], 6);
}

TEST(WavesPage, AFaultIsShownInItsWave) {
  const json data =
      page_of(kernel("  s_barrier\n  s_cmp_eq_u32 s3, 64\n  s_cbranch_scc0 good\n  s_load_dword s9, s[30:31], "
                     "0x0\ngood:\n  s_endpgm",
                     "workgroup_size: 192, grid_size: 384, waves: all"));
  EXPECT_EQ(data["shown"], 1);
  std::vector<std::string> reasons;
  for (const json& wave : data["waves"]) reasons.push_back(wave["stop"]["reason"]);
  EXPECT_THAT(reasons,
              ElementsAre("end_program", "unmapped_memory", "unfinished", "not_started", "not_started", "not_started"));
  EXPECT_EQ(wave_of(data, 2)["barriers"][0]["passed"], true);
  const json& link = wave_of(data, 5)["findings"][0]["links"][0];
  EXPECT_EQ(link["wave"], 1);
  EXPECT_EQ(link["step"], wave_of(data, 1)["steps"]);
}

TEST(WavesPage, ExpectationsLinkToTheWaveThatWrote) {
  const json data = page_of(mirrors + "expect:\n  registers: {s3: 1}\n  memory: [{at: 0x200000104, words: [7]}]\n");
  const json& findings = wave_of(data, 0)["findings"];
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0]["links"][0]["wave"], 7) << "registers are those of the last wave";
  EXPECT_EQ(findings[0]["links"][0]["step"], 2);
  EXPECT_EQ(findings[1]["links"][0]["wave"], 5);
  EXPECT_EQ(findings[1]["links"][0]["step"], 12);
}

TEST(WavesPage, TheNumberOfRecordedWavesIsLimited) {
  const std::string text = kernel(mirror, "workgroup_size: 256, grid_size: 10240, waves: all");
  PageOptions options;
  options.wave = 150;
  const json data = page_of(text, options);
  EXPECT_EQ(data["wave_count"], 160);
  EXPECT_EQ(data["shown"], 150);
  EXPECT_EQ(numbers(data), json({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 148, 149, 150, 151}));
  ASSERT_EQ(data["summarised"].size(), 1U);
  EXPECT_THAT(data["summarised"][0].get<std::string>(), HasSubstr("`--wave N`"));
  EXPECT_EQ(data["waves"].size(), page::WavesRecording::most_waves);
  EXPECT_EQ(page_of(text)["shown"], 159);
}

TEST(WavesPage, WarningsOfOtherWavesAreReported) {
  // Work-group 30 writes a register without permission.
  const json data =
      page_of(kernel("  s_cmp_eq_u32 s2, 30\n  s_cbranch_scc0 good\n  s_mov_b32 ttmp4, 1\ngood:\n  s_endpgm",
                     "workgroup_size: 64, grid_size: 3200, waves: all"));
  EXPECT_EQ(data["shown"], 30);
  PageOptions options;
  options.wave = 2;
  const json other =
      page_of(kernel("  s_cmp_eq_u32 s2, 30\n  s_cbranch_scc0 good\n  s_mov_b32 ttmp4, 1\ngood:\n  s_endpgm",
                     "workgroup_size: 64, grid_size: 3200, waves: all"),
              options);
  ASSERT_THAT(kinds(wave_of(other, 2)), ElementsAre("dropped_write"));
  const json& link = wave_of(other, 2)["findings"][0]["links"][0];
  EXPECT_EQ(link["wave"], 30);
  EXPECT_EQ(link["step"], 0);
}

TEST(WavesPage, AWaveOfAWorkGroupIsShownWithTheOthers) {
  const Scenario scenario = load_good(kernel(mirror, "workgroup_size: 256, grid_size: 512, workgroup_id: 1, wave: 2",
                                             "expect: {registers: {\"v3[0]\": 127}}\n"));
  const json data = page_of(scenario);
  EXPECT_EQ(data["shown"], 2);
  EXPECT_EQ(numbers(data), json({0, 1, 2, 3}));
  EXPECT_EQ(data["verdict"]["text"], "All expectations hold");
}

TEST(WavesPage, StepsAreThoseOfTheChosenWave) {
  PageOptions options;
  options.wave = 5;
  options.first_step = 3;
  options.last_step = 6;
  const json data = page_of(mirrors, options);
  EXPECT_EQ(wave_of(data, 5)["timeline"]["first"], 3);
  EXPECT_EQ(wave_of(data, 5)["timeline"]["columns"], 4);
  EXPECT_EQ(wave_of(data, 4)["timeline"]["columns"], 13);
  options.wave.reset();
  EXPECT_EQ(wave_of(page_of(mirrors, options), 7)["timeline"]["columns"], 4);
}

TEST(WavesPage, LongRunsShowSingleSteps) {
  const Scenario scenario =
      load_good(kernel("  s_mov_b32 s6, 2000\nagain:\n  s_barrier\n  s_sub_u32 s6, s6, 1\n  s_cmp_lg_u32 s6, 0\n"
                       "  s_cbranch_scc1 again\n  s_endpgm",
                       "workgroup_size: 128, grid_size: 128, waves: all"));
  const auto trace = trace_of(scenario);
  const json data = page_of(scenario);
  for (const json& wave : data["waves"]) {
    EXPECT_EQ(wave["steps"], 5 + 1 + 2000 * 4 + 1);
    EXPECT_GT(wave["timeline"]["per_column"], 1);
    EXPECT_EQ(wave["barriers"].size(), 500U);
    EXPECT_THAT(wave["summarised"].back().get<std::string>(), HasSubstr("1500 more"));
    ASSERT_FALSE(wave["windows"].empty());
    for (const json& window : wave["windows"]) {
      for (u64 i = 0; i < window["steps"]; ++i) {
        const u64 step = window["first"].get<u64>() + i + others_at(window, i);
        const auto found = trace.find({wave["number"].get<u64>(), step});
        ASSERT_NE(found, trace.end()) << step;
        EXPECT_EQ(wave["program"][window["instructions"][i].get<u64>()]["text"], found->second);
      }
    }
  }
}

TEST(WavesPage, OnlyPagesOfSeveralWavesHaveTheirScript) {
  const auto page = [](const std::string& text) {
    const Scenario scenario = load_good(text);
    PageRecorder recorder(scenario);
    return recorder.page(recorder.run(scenario.options));
  };
  const std::string script(page::page_waves_script());
  EXPECT_THAT(page(mirrors), HasSubstr(script));
  EXPECT_THAT(page(kernel(mirror, "workgroup_size: 64, grid_size: 64, waves: all")), Not(HasSubstr(script)));
  EXPECT_THAT(page("target: gfx900\ncode: {asm: s_endpgm}\n"), Not(HasSubstr(script)));
}

}  // namespace
}  // namespace salu::test
