#include <gtest/gtest.h>
#include <salu/trace.hpp>

#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "generation_names.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "property/random_programs.hpp"
#include "repetitions.hpp"

// A trace is complete: applying its lines to the initial state yields the final state.
namespace salu::test {
namespace {

using nlohmann::json;

constexpr u64 traced_steps = 120;

class Traces : public testing::TestWithParam<Generation> {
 protected:
  RandomRuns runs_{0x7ace + static_cast<u64>(GetParam())};

  RandomRun make(int i) { return i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam()); }
};

Outcome trace_run(const RandomRun& random_run, TraceOptions trace_options, std::string& text) {
  Scenario scenario;
  scenario.name = "random";
  scenario.program = random_run.program;
  scenario.initial = random_run.initial;
  TraceWriter trace(std::move(trace_options), [&text](std::string_view piece) { text += piece; });
  EXPECT_FALSE(trace.begin(scenario).has_value());
  RunOptions options;
  options.max_steps = traced_steps;
  options.on_vector = random_run.on_vector;
  options.trace = [&trace](const TraceEvent& event) { trace.see(event); };
  Outcome outcome = run(random_run.program, random_run.initial, random_run.memory, options);
  trace.end(outcome);
  trace.finish();
  return outcome;
}

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

u64 number(const json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); }

/// Applies `writes` of a line to a state.
void apply_write(WaveState& state, Generation generation, const std::string& name, const json& value) {
  if (name == "scc") {
    state.scc = value.get<int>() != 0;
    return;
  }
  const std::string digits = value.get<std::string>().substr(2);
  const auto dword = [&](std::size_t i) {
    return static_cast<u32>(std::stoul(digits.substr(digits.size() - 8 * (i + 1), 8), nullptr, 16));
  };
  if (name[0] >= 'A' && name[0] <= 'Z') {
    const isa::HwregInfo* const info = isa::find_hwreg(generation, name);
    ASSERT_NE(info, nullptr) << name;
    // TBA and TMA cannot be written in this way, and are stored elsewhere.
    if (info->id < isa::hwreg_id::tba_lo || info->id > isa::hwreg_id::tma_hi) state.hwregs[info->id] = dword(0);
    return;
  }
  // A register that does not exist on the generation is not written.
  if (name.starts_with("hwreg")) return;
  if (name.starts_with("tba") || name.starts_with("tma") || name == "mode" || name == "status") {
    write_register(state, generation, parse_register_name(generation, name).value(), number(value));
    return;
  }
  // Relative addressing accesses pairs that assemblers cannot name.
  const std::optional<isa::RegisterSpan> span = isa::parse_register(generation, name);
  ASSERT_TRUE(span.has_value()) << name;
  ASSERT_EQ(digits.size(), std::size_t{span->dwords} * 8) << name;
  for (u32 i = 0; i < span->dwords; ++i) state.file[span->code + i] = dword(i);
}

TEST_P(Traces, ReplayToTheFinalState) {
  u64 steps = 0;
  for (int i = 0; i < repetitions(250); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = make(i);
    std::string text;
    const Outcome outcome = trace_run(random_run, {.format = TraceFormat::jsonl}, text);
    const std::vector<json> lines = lines_of(text);
    ASSERT_EQ(lines.size(), outcome.steps + 2);
    EXPECT_EQ(lines.front()["schema"], "salu-trace-v1");
    EXPECT_EQ(lines.back()["stop"]["reason"], outcome.stop.reason_name());
    EXPECT_EQ(lines.back()["steps"], outcome.steps);

    WaveState state = random_run.initial;
    Memory memory = random_run.memory;
    u64 pc = number(lines.front()["pc"]);
    bool was_trapped = false;
    for (u64 step = 1; step <= outcome.steps; ++step) {
      const json& line = lines[step];
      EXPECT_EQ(line["step"], step);
      EXPECT_EQ(number(line["pc"]), pc);
      // The words are in memory when the instruction is fetched, if its code is in memory.
      const CodeBlock& block = *random_run.program.find_block(pc);
      const bool in_memory = memory.is_mapped(block.base, block.words.size() * 4);
      for (std::size_t k = 0; k < line["words"].size(); ++k) {
        const u32 word = in_memory ? memory.read_dword(pc + 4 * k) : block.words[(pc - block.base) / 4 + k];
        EXPECT_EQ(number(line["words"][k]), word) << line;
      }
      for (const json& load : line.value("loads", json::array())) {
        for (std::size_t k = 0; k < load["words"].size(); ++k) {
          const u64 address = (number(load["at"]) + 4 * k) & pc_mask(GetParam());
          EXPECT_EQ(number(load["words"][k]), memory.read_dword(address)) << line;
        }
      }
      for (const auto& [name, value] : line["writes"].items()) apply_write(state, GetParam(), name, value);
      for (const json& store : line.value("stores", json::array())) {
        for (std::size_t k = 0; k < store["words"].size(); ++k) {
          const u64 address = (number(store["at"]) + 4 * k) & pc_mask(GetParam());
          memory.write_dword(address, static_cast<u32>(number(store["words"][k])));
        }
      }
      pc = number(line["next_pc"]);
      // The entry into the trap handler after an instruction (MODE.DEBUG_EN, exceptions) is not one of its writes.
      was_trapped = was_trapped || (pc == state.tba && line["instruction"].get<std::string>().rfind("s_trap", 0) != 0);
      if (HasFailure()) return;
    }
    if (was_trapped) continue;
    steps += outcome.steps;
    EXPECT_EQ(pc, outcome.state.pc);
    // The results of skipped vector instructions are meaningless.
    for (u32 code = 0; code < code::count; ++code) {
      if (!outcome.lost.test(code)) {
        EXPECT_EQ(state.file[code], outcome.state.file[code]) << code;
      }
    }
    if (!outcome.lost.test(state_index::scc)) {
      EXPECT_EQ(state.scc, outcome.state.scc);
    }
    EXPECT_EQ(state.mode, outcome.state.mode);
    EXPECT_EQ(state.status, outcome.state.status);
    EXPECT_EQ(state.tba, outcome.state.tba);
    EXPECT_EQ(state.tma, outcome.state.tma);
    EXPECT_EQ(state.hwregs, outcome.state.hwregs);
    EXPECT_TRUE(memory == outcome.memory);
    if (HasFailure()) return;
  }
  constexpr bool is_whole = repetitions(250) == 250;
  if (!is_whole) return;
  EXPECT_GT(steps, 2500U);
}

// The values that a line reads are those of its places at that moment, according to the lines before it.
TEST_P(Traces, ReadsMatchEarlierWrites) {
  u64 reads = 0;
  for (int i = 0; i < repetitions(120); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    RandomRun random_run = make(i);
    random_run.on_vector = OnVector::stop;
    std::string text;
    trace_run(random_run, {.format = TraceFormat::jsonl}, text);
    WaveState state = random_run.initial;
    const std::vector<json> lines = lines_of(text);
    for (std::size_t step = 1; step + 1 < lines.size(); ++step) {
      for (const auto& [name, value] : lines[step]["reads"].items()) {
        // STATUS follows SCC, EXEC and VCC; the hardware registers are tested above.
        if (name == "status" || (name[0] >= 'A' && name[0] <= 'Z') || name.starts_with("hwreg")) continue;
        WaveState after = state;
        apply_write(after, GetParam(), name, value);
        after.defined = state.defined;
        EXPECT_TRUE(after == state) << name << " in " << lines[step];
        ++reads;
      }
      for (const auto& [name, value] : lines[step]["writes"].items()) apply_write(state, GetParam(), name, value);
      state.defined = random_run.initial.defined;
      if (HasFailure()) return;
    }
  }
  constexpr bool is_whole = repetitions(120) == 120;
  if (!is_whole) return;
  EXPECT_GT(reads, 1100U);
}

/// Slices are balanced, times never decrease, and counters end with the final state.
void expect_well_formed(const std::string& text, const Outcome* outcome) {
  const json trace = json::parse(text);
  std::map<u64, std::vector<std::string>> tracks;
  u64 time = 0;
  std::map<std::string, u64> counters;
  for (const json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    const std::string name = event.at("name");
    if (phase == "M") continue;
    EXPECT_GE(event.at("ts"), time);
    time = event.at("ts");
    EXPECT_EQ(event.at("pid"), 1);
    // The wave, and the sides of its forks.
    EXPECT_TRUE(event.at("tid") == 1 || event.at("tid") == 2);
    std::vector<std::string>& open = tracks[event.at("tid")];
    if (phase == "B") open.push_back(name);
    if (phase == "E") {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), name);
      open.pop_back();
    }
    if (phase == "C") counters[name] = event.at("args").at("value");
    if (phase == "X") {
      EXPECT_EQ(event.at("dur"), 1);
      EXPECT_FALSE(open.empty());
    }
  }
  for (const auto& [track, open] : tracks) EXPECT_TRUE(open.empty()) << track;
  if (outcome == nullptr || outcome->steps == 0) return;
  EXPECT_EQ(counters.at("control stack depth (CSP)"), outcome->state.csp());
  if (outcome->lost.test(code::exec) || outcome->lost.test(code::exec + 1)) return;
  EXPECT_EQ(counters.at("active lanes"), static_cast<u64>(std::popcount(outcome->state.exec())));
}

TEST_P(Traces, AreWellFormedTraceEvents) {
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = make(i);
    std::string text;
    const Outcome outcome = trace_run(random_run, {.format = TraceFormat::perfetto}, text);
    expect_well_formed(text, &outcome);
    for (const u64 limit : {1U, 2U, 7U, 20U}) {
      std::string cut;
      trace_run(random_run, {.format = TraceFormat::perfetto, .limit = limit}, cut);
      expect_well_formed(cut, nullptr);
    }
    TraceOptions window{.format = TraceFormat::perfetto};
    window.only.first_step = 3;
    window.only.last_step = 9;
    std::string some;
    trace_run(random_run, window, some);
    expect_well_formed(some, nullptr);
    if (HasFailure()) return;
  }
}

// Filters remove lines and do not change others.
TEST_P(Traces, AreFilteredLineByLine) {
  for (int i = 0; i < repetitions(100); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = make(i);
    std::string all;
    trace_run(random_run, {.format = TraceFormat::jsonl}, all);
    TraceOptions options{.format = TraceFormat::jsonl};
    options.only.mnemonics = {"s_*32"};
    options.only.writes = {"scc"};
    options.only.first_step = 2;
    std::string some;
    trace_run(random_run, options, some);
    std::string expected;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
      const json record = json::parse(line);
      if (record.contains("step")) {
        const std::string instruction = record["instruction"];
        const std::string mnemonic = instruction.substr(0, instruction.find(' '));
        if (!mnemonic.starts_with("s_") || !mnemonic.ends_with("32")) continue;
        if (record["step"] < 2 || !record["writes"].contains("scc")) continue;
      }
      expected += line + "\n";
    }
    ASSERT_EQ(some, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, Traces, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
