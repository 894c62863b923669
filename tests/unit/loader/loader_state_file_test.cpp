#include <salu/report.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"

namespace salu {
namespace {

using test::load_bad;
using test::load_good;
using test::TemporaryFolder;
using testing::HasSubstr;

constexpr std::string_view scenario_text =
    "target: gfx900\n"
    "code: {asm: 'start: s_endpgm'}\n"
    "registers: {s0: 1, s9: 9}\n"
    "memory: [{at: 0x10000, words: [1, 2, 3], size: 0x10000}]\n";

Scenario load_with_state(const TemporaryFolder& folder, const std::string& state) {
  LoadOptions options;
  options.state_file = folder.write("state.yaml", state);
  return load_good(scenario_text, options);
}

Error fail_with_state(const TemporaryFolder& folder, const std::string& state) {
  LoadOptions options;
  options.state_file = folder.write("state.yaml", state);
  return load_bad(scenario_text, options);
}

TEST(LoaderState, OverridesNamedState) {
  const TemporaryFolder folder;
  const Scenario scenario =
      load_with_state(folder,
                      "schema: salu-state-v1\nregisters: {s0: 5, vcc: start}\nhwregs: {ib_sts: 3}\n"
                      "sgprs: 50\nundefined: [s9]\nmemory: [{at: 0x10004, words: [7]}, {at: 0x90000, size: 4}]\n");
  EXPECT_EQ(scenario.initial.file[0], 5U);
  EXPECT_EQ(scenario.initial.vcc(), 0x1000U);
  EXPECT_EQ(scenario.initial.hwregs[7], 3U);
  EXPECT_EQ(scenario.initial.sgprs, 50U);
  EXPECT_EQ(scenario.initial.file[9], 0U);
  EXPECT_FALSE(scenario.initial.defined.test(9));
  EXPECT_EQ(scenario.memory.read_dword(0x10000), 1U);
  EXPECT_EQ(scenario.memory.read_dword(0x10004), 7U);
  EXPECT_EQ(*scenario.memory.find_region(0x90000), (MemoryRegion{0x90000, 4}));
  EXPECT_EQ(scenario.memory.regions().size(), 3U);  // the code is the first one
}

// EXEC is defined at the start, but a skipped V_CMPX leaves it undefined.
TEST(LoaderState, ExecMayBeUndefined) {
  const TemporaryFolder folder;
  const Scenario scenario = load_with_state(folder, "undefined: [exec]\n");
  EXPECT_FALSE(scenario.initial.defined.test(code::exec));
  EXPECT_FALSE(scenario.initial.defined.test(code::exec + 1));
  EXPECT_TRUE(load_with_state(folder, "sgprs: 50\n").initial.defined.test(code::exec));
}

// The code in memory is executed, so a state may contain changed code.
TEST(LoaderState, CodeIsMemory) {
  const TemporaryFolder folder;
  EXPECT_EQ(load_good(scenario_text).memory.read_dword(0x1000), 0xbf810000U);
  const Scenario scenario = load_with_state(folder, "memory: [{at: 0x1000, words: [0xbf8d0001]}]\n");  // s_sethalt 1
  EXPECT_EQ(scenario.memory.read_dword(0x1000), 0xbf8d0001U);
  EXPECT_EQ(run(scenario.program, scenario.initial, scenario.memory, scenario.options).stop.reason, StopReason::halt);
}

TEST(LoaderState, ABlockReplacesAllThatItCovers) {
  const TemporaryFolder folder;
  const Scenario scenario = load_with_state(folder, "memory: [{at: 0x10004, words: [7], size: 8}]\n");
  EXPECT_EQ(scenario.memory.read_dword(0x10000), 1U);
  EXPECT_EQ(scenario.memory.read_dword(0x10004), 7U);
  EXPECT_EQ(scenario.memory.read_dword(0x10008), 0U);
}

TEST(LoaderState, ErrorsHaveAPlace) {
  const TemporaryFolder folder;
  EXPECT_THAT(fail_with_state(folder, "").message, HasSubstr("the file contains no state"));
  EXPECT_THAT(fail_with_state(folder, "5").message, HasSubstr("a state must be a map"));
  EXPECT_THAT(fail_with_state(folder, "schema: salu-state-v2\n").message, HasSubstr("later version"));
  EXPECT_THAT(fail_with_state(folder, "schema: salu-scenario-v1\n").message, HasSubstr("unknown schema"));
  EXPECT_THAT(fail_with_state(folder, "stop: 5\n").message, HasSubstr("`stop:` must be a map, found "));
  EXPECT_THAT(fail_with_state(folder, "steps: many\n").message, HasSubstr("`steps:`"));
  EXPECT_THAT(fail_with_state(folder, "warnings: {}\n").message, HasSubstr("`warnings:`"));
  EXPECT_THAT(fail_with_state(folder, "name: [a]\n").message, HasSubstr("`name:`"));
  EXPECT_THAT(fail_with_state(folder, "register: {}\n").message, HasSubstr("did you mean `registers`"));
  EXPECT_THAT(fail_with_state(folder, "target: tahiti\n").message, HasSubstr("the state is for gcn1.0"));
  EXPECT_THAT(fail_with_state(folder, "sgprs: 1\n---\nsgprs: 2\n").message, HasSubstr("more than one document"));
  EXPECT_THAT(fail_with_state(folder, "registers: {s0: 1}\nundefined: [s0]\n").message,
              HasSubstr("listed as undefined"));
  EXPECT_THAT(fail_with_state(folder, "undefined: [mode]\n").message, HasSubstr("cannot be undefined"));
  EXPECT_THAT(fail_with_state(folder, "memory: [{at: 0xff00, size: 0x200}]\n").message,
              HasSubstr("overlaps the memory"));
  EXPECT_THAT(fail_with_state(folder, "memory: [{at: 0x10000, size: 4, access: r}]\n").message,
              HasSubstr("differs from that in the scenario"));
  LoadOptions options;
  options.state_file = folder.path("missing.yaml");
  EXPECT_EQ(load_bad(scenario_text, options).code, ErrorCode::io);
}

/// A state in which everything differs from the start, written by hand.
Outcome rich_outcome(const Scenario& scenario) {
  const Generation generation = scenario.program.generation();
  Outcome outcome;
  outcome.stop.reason = StopReason::halt;
  outcome.stop.instruction = "s_sethalt 1 // \"quoted\" \\ and: [odd]";
  outcome.stop.detail = "line one\nline two: {x}";
  outcome.warnings = {{WarningKind::dropped_write, 0x1004, "s_mov_b32 ttmp0, 1", "a 'sentence'"}};
  outcome.steps = 12;
  outcome.skipped_vector = 2;
  outcome.state = scenario.initial;
  outcome.memory = scenario.memory;
  WaveState& state = outcome.state;
  for (u32 i = 0; i < sgpr_limit(generation); i += 3) {
    state.file[i] = i * 0x01010101 + 1;
    state.defined.set(i);
  }
  state.defined.set(1);  // written with zero
  state.file[code::vcc] = 0xabcdef01;
  state.defined.set(code::vcc);  // only the low half
  state.write64(code::exec, 0x00ff00ff00ff00ff);
  state.file[code::m0] = 77;
  state.defined.set(code::m0);
  state.file[ttmp_code(generation) + 3] = 5;
  state.defined.set(ttmp_code(generation) + 3);
  state.tba = 0x123456700;
  state.defined.set(state_index::tba);
  state.defined.set(state_index::tba + 1);
  state.tma = 0x5600;
  state.defined.set(state_index::tma);
  state.scc = true;
  state.defined.set(state_index::scc);
  state.mode = 0x400000f0;
  state.status = 0x2060;
  state.pc = 0x1004;
  state.hwregs[3] = 0x101;
  state.hwregs[7] = 0x70;
  state.sgprs = 40;
  outcome.memory.write_dword(0x10008, 0);
  outcome.memory.write_dword(0x18000, 0xdeadbeef);
  outcome.memory.write(0x1ffff, std::vector<u8>{9});
  return outcome;
}

void expect_round_trip(const Scenario& scenario, const Outcome& outcome, std::string_view text) {
  const TemporaryFolder folder;
  LoadOptions options;
  options.state_file = folder.write("dump.yaml", report_outcome(scenario, outcome, ReportFormat::yaml));
  const Scenario again = load_good(text, options);
  EXPECT_EQ(again.initial, outcome.state);
  EXPECT_EQ(again.memory, outcome.memory);
}

TEST(LoaderState, AYamlDumpLoadsBackToTheSameState) {
  for (const char* target : {"tahiti", "bonaire", "tonga", "stoney", "gfx900", "gfx90a", "gfx942", "gfx950"}) {
    const std::string text =
        "target: " + std::string(target) +
        "\ncode: {asm: 'start: s_endpgm'}\nregisters: {s0: 1, s5: 5}\nhwregs: {hw_id: 5}\n"
        "memory: [{at: 0x10000, words: [1, 2, 3], size: 0x10000}, {at: 0x20000, bytes: [1, 2, 3], access: r},\n"
        "  {at: 0x100000, size: 0x1000000000}]\n";
    const Scenario scenario = load_good(text);
    Outcome outcome = rich_outcome(scenario);
    outcome.memory.write_dword(0xf00000000, 1);
    outcome.memory.write_dword(0x1000, 0xbf8d0001);  // the code
    expect_round_trip(scenario, outcome, text);
    // State that was nonzero at the start and is now zero.
    outcome.state.tba = 0;
    outcome.state.tma = 0;
    outcome.state.scc = false;
    outcome.state.hwregs = {};
    outcome.state.file = {};
    outcome.state.defined = initial_state(scenario.program.generation()).defined;
    expect_round_trip(scenario, outcome, text);
  }
}

TEST(LoaderState, AYamlDumpIsAScenariosRegistersAndMemory) {
  const Scenario scenario = load_good(scenario_text);
  const Outcome outcome = rich_outcome(scenario);
  std::string dump = report_outcome(scenario, outcome, ReportFormat::yaml);
  const auto part = [&](const std::string& from, const std::string& to) {
    const std::size_t start = dump.find("\n" + from) + 1;
    return dump.substr(start, to.empty() ? std::string::npos : dump.find("\n" + to) + 1 - start);
  };
  // `sgprs:` is omitted, because the registers beyond it would be rejected.
  const Scenario again = load_good("target: gfx900\ncode: {asm: 'start: s_endpgm'}\n" +
                                   part("registers:", "undefined:") + part("memory:", ""));
  WaveState expected = outcome.state;
  expected.sgprs = 102;
  EXPECT_EQ(again.initial, expected);
  EXPECT_EQ(again.memory, outcome.memory);
}

TEST(LoaderState, AJsonLineLoadsToo) {
  const TemporaryFolder folder;
  const Scenario scenario = load_good(scenario_text);
  const Outcome outcome = rich_outcome(scenario);
  LoadOptions options;
  options.state_file = folder.write("state.json", report_outcome(scenario, outcome, ReportFormat::json));
  const Scenario again = load_good(scenario_text, options);
  EXPECT_EQ(again.memory, outcome.memory);
  // VCC and TMA are listed as 64-bit values, but `undefined` names the halves that were never written.
  EXPECT_FALSE(again.initial.defined.test(code::vcc + 1));
  EXPECT_EQ(again.initial, outcome.state);
}

TEST(LoaderState, LargeMemoryLoadsBack) {
  const std::string text = "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x100000, size: 0x300001}]\n";
  const Scenario scenario = load_good(text);
  Outcome outcome;
  outcome.state = scenario.initial;
  outcome.memory = scenario.memory;
  std::vector<u8> bytes(0x180001);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(i * 31 + (i >> 9) + 1);
  outcome.memory.write(0x100000, bytes);
  outcome.memory.write(0x400000, std::vector<u8>{7});
  expect_round_trip(scenario, outcome, text);
}

}  // namespace
}  // namespace salu
