#include <salu/trace.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/text_buffer.hpp"
#include "unit/loader_helpers.hpp"
#include "work_group_kernels.hpp"

// The formats of traces, for instructions with results from the manuals; expected lines are written by hand.
namespace salu {
namespace {

using nlohmann::json;
using test::load_good;
using testing::ElementsAre;
using testing::HasSubstr;

struct Traced {
  std::string text;
  TraceCut cut;
  std::optional<Error> error;
};

Traced trace_all(const std::vector<Scenario>& scenarios, const TraceOptions& options = {}) {
  Traced traced;
  TraceWriter writer(options, [&traced](std::string_view piece) { traced.text += piece; });
  for (const Scenario& scenario : scenarios) {
    traced.error = writer.begin(scenario);
    if (traced.error) return traced;
    RunOptions run_options = scenario.options;
    run_options.trace = [&writer](const TraceEvent& event) { writer.see(event); };
    traced.cut = writer.end(run(scenario, run_options));
  }
  writer.finish();
  return traced;
}

/// `assembly` has one instruction per line; it begins at 0x1000.
Traced trace(const std::string& assembly, const std::string& rest, const TraceOptions& options = {}) {
  std::string text = "name: t\ntarget: gfx900\ncode:\n  asm: |\n";
  std::istringstream lines(assembly);
  for (std::string line; std::getline(lines, line);) text += "    " + line + "\n";
  return trace_all({load_good(text + rest)}, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

constexpr const char* addition = "s_add_u32 s0, s1, s2\ns_endpgm\n";
constexpr const char* addition_registers = "registers: {s1: 7, s2: 3}\n";

TEST(TraceText, IsALineAnInstruction) {
  const std::string gap(48 - std::string_view("0x1000: s_add_u32 s0, s1, s2").size(), ' ');
  EXPECT_EQ(trace(addition, addition_registers).text, "      1  0x1000: s_add_u32 s0, s1, s2" + gap +
                                                          "s1=0x00000007 s2=0x00000003 -> s0=0x0000000a scc=0\n"
                                                          "      2  0x1004: s_endpgm\n");
}

// SOP2: 10, opcode 0 in [29:23], SDST 0, SSRC1 2, SSRC0 1; SOP1 with a literal (255); S_ENDPGM is SOPP 1.
TEST(TraceText, HasTheWordsWhenAskedFor) {
  const Traced traced =
      trace("s_add_u32 s0, s1, s2\ns_mov_b32 s3, 0x12345678\ns_endpgm\n", addition_registers, {.words = true});
  EXPECT_THAT(lines_of(traced.text),
              ElementsAre(testing::StartsWith("      1  0x1000: 80000201           s_add_u32 s0, s1, s2  "),
                          testing::StartsWith("      2  0x1004: be8300ff 12345678  s_mov_b32 s3, 0x12345678  "),
                          "      3  0x100c: bf810000           s_endpgm"));
}

TEST(TraceText, NamesEachRunInAFile) {
  const Scenario scenario = load_good("name: t\ntarget: gfx900\ncode: {asm: s_endpgm}\n");
  EXPECT_EQ(trace_all({scenario, scenario}, {.titles = true}).text,
            "; t on gfx900\n      1  0x1000: s_endpgm\n\n; t on gfx900\n      1  0x1000: s_endpgm\n");
}

// Three instructions per iteration, and the end: the steps of the line at 0x1000 are 1, 4, 7, ...
TEST(TraceText, HasStepNumbers) {
  const std::string loop = "loop:\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 loop\ns_endpgm\n";
  TraceOptions options;
  options.only = {.mnemonics = {"s_sub_u32"}};
  const std::string text = trace(loop, "registers: {s0: 5}\n", options).text;
  std::vector<std::string> steps;
  for (const std::string& line : lines_of(text)) steps.push_back(line.substr(0, line.find("0x")));
  EXPECT_THAT(steps, ElementsAre("      1  ", "      4  ", "      7  ", "     10  ", "     13  "));
}

// Seven digits are enough for a usual run; a longer one shifts the line.
TEST(TraceText, HasRoomForAMillionSteps) {
  const Scenario scenario = load_good("target: gfx900\ncode: {asm: \"s_mov_b32 s0, 1\"}\n");
  const auto line_at = [&](u64 step) {
    std::string text;
    TraceWriter writer({}, [&](std::string_view piece) { text += piece; });
    EXPECT_FALSE(writer.begin(scenario).has_value());
    RunOptions options;
    options.trace = [&](TraceEvent event) {
      event.step = step;
      writer.see(event);
    };
    writer.end(run(scenario.program, scenario.initial, scenario.memory, options));
    writer.finish();
    return text;
  };
  const std::string rest = "0x1000: s_mov_b32 s0, 1" + std::string(48 - 23, ' ') + "-> s0=0x00000001\n";
  EXPECT_EQ(line_at(9), "      9  " + rest);
  EXPECT_EQ(line_at(1'000'000), "1000000  " + rest);
  EXPECT_EQ(line_at(9'999'999), "9999999  " + rest);
  EXPECT_EQ(line_at(10'000'000), "10000000  " + rest);
}

TEST(TraceText, IsHandedOnInLargePieces) {
  const Scenario scenario = load_good(
      "name: t\ntarget: gfx900\ncode:\n  asm: |\n    loop:\n    s_sub_u32 s0, s0, 1\n    s_cmp_lg_u32 s0, 0\n"
      "    s_cbranch_scc1 loop\n    s_endpgm\nregisters: {s0: 10000}\n");
  std::size_t pieces = 0;
  std::size_t bytes = 0;
  TraceWriter writer({}, [&](std::string_view piece) {
    ++pieces;
    bytes += piece.size();
  });
  ASSERT_FALSE(writer.begin(scenario).has_value());
  RunOptions options;
  options.trace = [&writer](const TraceEvent& event) { writer.see(event); };
  writer.end(run(scenario.program, scenario.initial, scenario.memory, options));
  writer.finish();
  EXPECT_GT(bytes, 30'000U * 40);
  EXPECT_LT(pieces, 30U);
}

TEST(TraceJsonl, IsAnObjectALine) {
  const Traced traced = trace(addition, addition_registers, {.format = TraceFormat::jsonl});
  EXPECT_EQ(traced.text,
            R"({"schema":"salu-trace-v1","name":"t","target":"gfx900","pc":"0x0000000000001000"})"
            "\n"
            R"({"step":1,"pc":"0x0000000000001000","words":["0x80000201"],"instruction":"s_add_u32 s0, s1, s2",)"
            R"("reads":{"s1":"0x00000007","s2":"0x00000003"},"writes":{"s0":"0x0000000a","scc":0},)"
            R"("next_pc":"0x0000000000001004"})"
            "\n"
            R"({"step":2,"pc":"0x0000000000001004","words":["0xbf810000"],"instruction":"s_endpgm",)"
            R"("reads":{},"writes":{},"next_pc":"0x0000000000001004"})"
            "\n"
            R"({"stop":{"reason":"end_program","pc":"0x0000000000001004","instruction":"s_endpgm","detail":""},)"
            R"("steps":2})"
            "\n");
}

TEST(TraceJsonl, TellsMemoryFromRegisters) {
  const Traced traced = trace(
      "s_load_dwordx2 s[4:5], s[0:1], 0x4\ns_store_dword s4, s[0:1], 0x0\ns_add_u32 s6, s5, s5\ns_endpgm\n",
      "registers: {\"s[0:1]\": 0x10000}\nmemory: [{at: 0x10000, words: [1, 2, 3]}]\n", {.format = TraceFormat::jsonl});
  const std::vector<std::string> lines = lines_of(traced.text);
  ASSERT_EQ(lines.size(), 6U);
  const json load = json::parse(lines[1]);
  EXPECT_EQ(load["reads"], json::parse(R"({"s[0:1]": "0x0000000000010000"})"));
  EXPECT_EQ(load["loads"], json::parse(R"([{"at": "0x0000000000010004", "words": ["0x00000002", "0x00000003"]}])"));
  EXPECT_EQ(load["writes"], json::parse(R"({"s[4:5]": "0x0000000300000002"})"));
  EXPECT_FALSE(load.contains("stores"));
  const json store = json::parse(lines[2]);
  EXPECT_EQ(store["stores"], json::parse(R"([{"at": "0x0000000000010000", "words": ["0x00000002"]}])"));
  EXPECT_EQ(store["writes"], json::object());
  EXPECT_FALSE(store.contains("loads"));
  // The same source twice is one key.
  EXPECT_THAT(lines[3], HasSubstr(R"("reads":{"s5":"0x00000003"},)"));
}

TEST(TraceJsonl, EscapesNames) {
  Scenario scenario = load_good("target: gfx900\ncode: {asm: s_endpgm}\n");
  scenario.name = "a \"name\"\\\n\xff";
  const Traced traced = trace_all({scenario}, {.format = TraceFormat::jsonl});
  const json start = json::parse(lines_of(traced.text).front());
  EXPECT_THAT(start["name"].get<std::string>(), testing::StartsWith("a \"name\"\\\n"));
}

/// An event as `ph ts name`, with the relevant arguments.
std::vector<std::string> events_of(const std::string& text) {
  std::vector<std::string> events;
  const json trace = json::parse(text);
  for (const json& event : trace.at("traceEvents")) {
    if (event["ph"] == "M") continue;
    std::string line = event["ph"].get<std::string>() + " " + std::to_string(event["ts"].get<u64>()) + " " +
                       event["name"].get<std::string>();
    if (event["ph"] == "C") line += " " + std::to_string(event["args"]["value"].get<u64>());
    events.push_back(line);
  }
  return events;
}

constexpr const char* call_assembly =
    "start:\ns_call_b64 s[30:31], callee\ns_endpgm\ncallee:\ns_mov_b64 exec, 3\ns_setpc_b64 s[30:31]\n";

Scenario two_waves() {
  return load_good(test::kernel("  s_nop 0\n  s_barrier\n  s_endpgm", "workgroup_size: 128, grid_size: 128, waves: all",
                                "schedule: {slice: 7}\n"));
}

TEST(TraceText, NamesTheWave) {
  const std::vector<std::string> lines = lines_of(trace_all({two_waves()}).text);
  ASSERT_EQ(lines.size(), 16U);
  EXPECT_THAT(lines[5], testing::StartsWith("      6  w0   0x1018: s_nop 0"));
  EXPECT_THAT(lines[6], testing::StartsWith("      7  w0   0x101c: s_barrier"));
  EXPECT_THAT(lines[7], testing::StartsWith("      8  w1   0x1000: s_load_dwordx2"));
  EXPECT_THAT(lines[14], testing::StartsWith("     15  w0   0x1020: s_endpgm"));
  EXPECT_THAT(lines[15], testing::StartsWith("     16  w1   0x1020: s_endpgm"));
}

TEST(TraceJsonl, NamesTheWave) {
  std::vector<u64> waves;
  for (const std::string& line : lines_of(trace_all({two_waves()}, {.format = TraceFormat::jsonl}).text)) {
    const json record = json::parse(line);
    if (record.contains("step")) waves.push_back(record.at("wave"));
  }
  EXPECT_THAT(waves, ElementsAre(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1));
  EXPECT_FALSE(json::parse(lines_of(trace(addition, addition_registers, {.format = TraceFormat::jsonl}).text)[1])
                   .contains("wave"));
}

TEST(TracePerfetto, HasATrackForEachWave) {
  const json events = json::parse(trace_all({two_waves()}, {.format = TraceFormat::perfetto}).text).at("traceEvents");
  std::vector<std::string> names;
  std::vector<int> tracks;
  for (const json& event : events) {
    if (event.at("name") == "thread_name") names.push_back(event.at("args").at("name"));
    if (event.at("ph") == "X") tracks.push_back(event.at("tid"));
  }
  EXPECT_THAT(names, ElementsAre("wave 0", "wave 1"));
  EXPECT_THAT(tracks, ElementsAre(1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 1, 3));
}

TEST(TracePerfetto, DrawsCallsAndLanes) {
  const Traced traced = trace(call_assembly, "", {.format = TraceFormat::perfetto});
  EXPECT_THAT(events_of(traced.text),
              ElementsAre("C 1 control stack depth (CSP) 0", "C 1 active lanes 64", "B 1 start", "X 1 s_call_b64",
                          "B 2 callee", "X 2 s_mov_b64", "C 3 active lanes 2", "X 3 s_setpc_b64", "E 4 callee",
                          "X 4 s_endpgm", "i 5 end_program", "E 5 start"));
  const json trace_json = json::parse(traced.text);
  EXPECT_EQ(trace_json["traceEvents"][0]["args"]["name"], "t on gfx900");
  const json& move = trace_json["traceEvents"][7];
  EXPECT_EQ(move["args"], json::parse(R"({"pc": "0x1008", "text": "s_mov_b64 exec, 3", "reads": "",
                                          "writes": "exec=0x0000000000000003"})"));
}

// Sixteen lanes, eight of which jump: a tie, in which the jumping lanes run first and the others wait on the stack.
TEST(TracePerfetto, DrawsForksAndJoins) {
  const Traced traced =
      trace("s_cbranch_i_fork s[40:41], far\ns_branch end\nfar:\ns_nop 0\nend:\ns_cbranch_join s42\ns_endpgm\n",
            "registers: {\"s[40:41]\": 0xff, exec: 0xffff, s42: 0}\n", {.format = TraceFormat::perfetto});
  EXPECT_THAT(
      events_of(traced.text),
      ElementsAre("C 1 control stack depth (CSP) 0", "C 1 active lanes 16", "B 1 0x1000", "X 1 s_cbranch_i_fork",
                  "i 1 fork", "C 2 control stack depth (CSP) 1", "C 2 active lanes 8", "B 2 8 lanes at far",
                  "X 2 s_nop", "X 3 s_cbranch_join", "i 3 join", "C 4 control stack depth (CSP) 0",
                  "E 4 8 lanes at far", "B 4 8 lanes at 0x1004", "X 4 s_branch", "X 5 s_cbranch_join", "i 5 join",
                  "E 6 8 lanes at 0x1004", "X 6 s_endpgm", "i 7 end_program", "E 7 0x1000"));
  // On a separate track.
  const json trace_json = json::parse(traced.text);
  for (const json& event : trace_json["traceEvents"]) {
    const bool is_side = event["name"].get<std::string>().find("lanes at") != std::string::npos;
    if (event["ph"] != "M") {
      EXPECT_EQ(event["tid"], is_side ? 2 : 1) << event;
    }
  }
}

TEST(TracePerfetto, DrawsTrapHandlers) {
  const Traced traced = trace("s_trap 2\ns_endpgm\nhandler:\ns_add_u32 ttmp0, ttmp0, 4\ns_rfe_b64 ttmp[0:1]\n",
                              "registers: {trap_en: 1, tba: handler}\n", {.format = TraceFormat::perfetto});
  EXPECT_THAT(events_of(traced.text),
              ElementsAre("C 1 control stack depth (CSP) 0", "C 1 active lanes 64", "B 1 0x1000", "X 1 s_trap",
                          "B 2 trap: handler", "X 2 s_add_u32", "X 3 s_rfe_b64", "E 4 trap: handler", "X 4 s_endpgm",
                          "i 5 end_program", "E 5 0x1000"));
}

TEST(TracePerfetto, BeginsInTheMiddleOfACall) {
  TraceOptions options{.format = TraceFormat::perfetto};
  options.only.first_step = 3;
  options.only.last_step = 3;
  EXPECT_THAT(events_of(trace(call_assembly, "", options).text),
              ElementsAre("C 3 control stack depth (CSP) 0", "C 3 active lanes 2", "B 3 start", "B 3 callee",
                          "X 3 s_setpc_b64", "E 4 callee", "E 4 start"));
}

// Filters remove instructions; their effects on the others are still drawn.
TEST(TracePerfetto, KeepsTheContextOfFilteredInstructions) {
  TraceOptions options{.format = TraceFormat::perfetto};
  options.only.mnemonics = {"s_setpc*"};
  EXPECT_THAT(events_of(trace(call_assembly, "", options).text),
              ElementsAre("C 1 control stack depth (CSP) 0", "C 1 active lanes 64", "B 1 start", "B 2 callee",
                          "C 3 active lanes 2", "X 3 s_setpc_b64", "E 4 callee", "i 5 end_program", "E 5 start"));
}

// Endless recursion: slices that are too deep for viewers are omitted, which is reported once.
TEST(TracePerfetto, DrawsNoDeeperThanViewersCan) {
  const Traced traced =
      trace("f:\ns_call_b64 s[30:31], f\n", "limits: {steps: 2000}\n", {.format = TraceFormat::perfetto});
  std::size_t begun = 0;
  std::size_t ended = 0;
  std::size_t told = 0;
  for (const std::string& event : events_of(traced.text)) {
    begun += event.starts_with("B ") ? 1 : 0;
    ended += event.starts_with("E ") ? 1 : 0;
    told += event.find("nested deeper than 500") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(begun, 500U);
  EXPECT_EQ(ended, 500U);
  EXPECT_EQ(told, 1U);
}

TEST(TracePerfetto, KeepsRunsApart) {
  const Scenario scenario = load_good("name: t\ntarget: gfx900\ncode: {asm: s_endpgm}\n");
  const Traced traced = trace_all({scenario, scenario}, {.format = TraceFormat::perfetto});
  const json events = json::parse(traced.text)["traceEvents"];
  EXPECT_EQ(events.front()["pid"], 1);
  EXPECT_EQ(events.back()["pid"], 2);
}

constexpr const char* loop_assembly =
    "start:\ns_mov_b32 s0, 3\nloop:\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 loop\n"
    "done:\ns_mov_b64 exec, 0\ns_endpgm\n";
// Steps: 1 s_mov_b32; 2 to 10 three iterations of s_sub_u32 0x1004, s_cmp_lg_u32 0x1008, s_cbranch_scc1 0x100c; 11
// s_mov_b64 0x1010; 12 s_endpgm 0x1014.

/// The steps that a selection shows.
std::vector<u64> shown(const TraceSelection& only, const std::string& assembly = loop_assembly,
                       const std::string& rest = "") {
  const Traced traced = trace(assembly, rest, {.format = TraceFormat::jsonl, .only = only});
  EXPECT_FALSE(traced.error.has_value()) << traced.error->to_string();
  std::vector<u64> steps;
  for (const std::string& line : lines_of(traced.text)) {
    const json record = json::parse(line);
    if (record.contains("step")) steps.push_back(record["step"]);
  }
  return steps;
}

TEST(TraceFilters, PickMnemonics) {
  EXPECT_THAT(shown({.mnemonics = {"s_cbranch_*"}}), ElementsAre(4, 7, 10));
  EXPECT_THAT(shown({.mnemonics = {"S_MOV_B??"}}), ElementsAre(1, 11));
  EXPECT_THAT(shown({.mnemonics = {"s_mov_b32", "s_endpgm"}}), ElementsAre(1, 12));
  EXPECT_THAT(shown({.mnemonics = {"*_b*_*"}}), ElementsAre());
  EXPECT_THAT(shown({.mnemonics = {"*cmp*u32*"}}), ElementsAre(3, 6, 9));
}

TEST(TraceFilters, PickVectorInstructions) {
  EXPECT_EQ(trace_all({load_good("target: gfx900\ncode: {words: [0x7e000280, 0xbf810000]}\non_vector: skip\n")},
                      {.only = {.mnemonics = {"vector"}}})
                .text.substr(0, 39),
            "      1  0x1000: v_mov_b32_e32 v0, 0   ");
}

TEST(TraceFilters, PickPlaces) {
  EXPECT_THAT(shown({.places = {"loop"}}), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_THAT(shown({.places = {"done"}}), ElementsAre(11, 12));
  EXPECT_THAT(shown({.places = {"0x1008"}}), ElementsAre(3, 6, 9));
  EXPECT_THAT(shown({.places = {"loop+0x4"}}), ElementsAre(3, 6, 9));
  EXPECT_THAT(shown({.places = {"0x100c..done"}}), ElementsAre(4, 7, 10, 11));
  EXPECT_THAT(shown({.places = {"start", "done+4"}}), ElementsAre(1, 12));
}

TEST(TraceFilters, PickWrites) {
  EXPECT_THAT(shown({.writes = {"s0"}}), ElementsAre(1, 2, 5, 8));
  // A half, and the whole register.
  EXPECT_THAT(shown({.writes = {"exec_hi"}}), ElementsAre(11));
  EXPECT_THAT(shown({.writes = {"s[0:1]"}}), ElementsAre(1, 2, 5, 8));
  EXPECT_THAT(shown({.writes = {"scc"}}), ElementsAre(2, 3, 5, 6, 8, 9));
  EXPECT_THAT(shown({.writes = {"memory"}}), ElementsAre());
  const std::string stores = "s_store_dwordx2 s[4:5], s[0:1], 0x0\ns_store_dword s4, s[0:1], 0x8\ns_endpgm\n";
  const std::string memory = "registers: {\"s[0:1]\": 0x10000}\nmemory: [{at: 0x10000, size: 16}]\n";
  EXPECT_THAT(shown({.writes = {"memory"}}, stores, memory), ElementsAre(1, 2));
  EXPECT_THAT(shown({.writes = {"memory.0x10004"}}, stores, memory), ElementsAre(1));
  EXPECT_THAT(shown({.writes = {"memory.0x10007:2"}}, stores, memory), ElementsAre(1, 2));
  EXPECT_THAT(shown({.writes = {"memory.0x1000c:4"}}, stores, memory), ElementsAre());
  EXPECT_THAT(shown({.writes = {"csp", "m0"}}, "s_mov_b32 m0, 1\ns_setreg_imm32_b32 hwreg(HW_REG_MODE), 1\ns_endpgm\n"),
              ElementsAre(1, 2));
}

TEST(TraceFilters, PickSteps) {
  EXPECT_THAT(shown({.first_step = 3, .last_step = 5}), ElementsAre(3, 4, 5));
  EXPECT_THAT(shown({.first_step = 12}), ElementsAre(12));
}

TEST(TraceFilters, HaveToFitAll) {
  EXPECT_THAT(shown({.mnemonics = {"s_sub_u32", "s_mov_b64"}, .writes = {"s0"}, .first_step = 3}), ElementsAre(5, 8));
}

std::string error_of(const TraceSelection& only) {
  const Traced traced = trace(loop_assembly, "", {.only = only});
  EXPECT_EQ(traced.text, "");
  if (!traced.error) return "none";
  EXPECT_EQ(traced.error->code, ErrorCode::usage);
  return traced.error->to_string();
}

TEST(TraceFilters, ReportErrors) {
  EXPECT_EQ(error_of({.mnemonics = {"s_moov_b32"}}),
            "--trace-only s_moov_b32: error: no scalar instruction of gcn1.4 has the name `s_moov_b32`; did you mean "
            "`s_mov_b32`?");
  EXPECT_EQ(error_of({.mnemonics = {"v_*"}}), "--trace-only v_*: error: no scalar instruction of gcn1.4 matches `v_*`");
  // GCN 1.4 does not have S_CBRANCH_VCCNE, and S_CALL_B64 exists only from GCN 1.4 on.
  EXPECT_EQ(error_of({.mnemonics = {"s_call_b64"}}), "none");
  EXPECT_EQ(error_of({.places = {"lop"}}),
            "--trace-at lop: error: `lop` is not an address, label or symbol of this program; did you mean `loop`?");
  EXPECT_EQ(error_of({.places = {"loop..0xzz"}}),
            "--trace-at loop..0xzz: error: `0xzz` is not an address, label or symbol of this program");
  EXPECT_EQ(error_of({.places = {"done..loop"}}),
            "--trace-at done..loop: error: the range ends at 0x1004, before it begins");
  EXPECT_EQ(error_of({.places = {"0x2000"}}), "--trace-at 0x2000: error: no code there; the code is 0x1000 to 0x1017");
  EXPECT_THAT(error_of({.writes = {"s200"}}), HasSubstr("--trace-writes s200: error: "));
  EXPECT_THAT(error_of({.writes = {"exce"}}), HasSubstr("did you mean `exec"));
  EXPECT_THAT(error_of({.writes = {"pc"}}), HasSubstr("every instruction writes the PC"));
  EXPECT_THAT(error_of({.writes = {"memory.x"}}), HasSubstr("expected memory.ADDRESS:BYTES"));
}

TEST(TraceLimits, ReportOmittedSteps) {
  const Traced traced = trace(loop_assembly, "", {.limit = 3});
  EXPECT_EQ(traced.cut.step, 4U);
  EXPECT_EQ(traced.cut.instructions, 9U);
  const std::vector<std::string> lines = lines_of(traced.text);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(
      lines.back(),
      "; the trace ends before step 4, at its limit of 3 records; 9 instructions are missing; --trace-limit raises "
      "it (0: none), --trace-steps 4.. shows the rest");
  // Nothing is missing if the limit is just large enough, or if filters leave fewer lines.
  EXPECT_FALSE(trace(loop_assembly, "", {.limit = 12}).cut.is_cut());
  EXPECT_FALSE(trace(loop_assembly, "", {.limit = 0}).cut.is_cut());
  EXPECT_FALSE(trace(loop_assembly, "", {.only = {.mnemonics = {"s_cbranch_*"}}, .limit = 3}).cut.is_cut());
  const Traced filtered = trace(loop_assembly, "", {.only = {.mnemonics = {"s_cbranch_*"}}, .limit = 2});
  EXPECT_EQ(filtered.cut.step, 10U);
  EXPECT_EQ(filtered.cut.instructions, 1U);
}

TEST(TraceLimits, AreInTheMachineReadableFormatsToo) {
  const Traced lines = trace(loop_assembly, "", {.format = TraceFormat::jsonl, .limit = 3});
  const json end = json::parse(lines_of(lines.text).back());
  EXPECT_EQ(end["cut"]["step"], 4);
  EXPECT_EQ(end["cut"]["instructions"], 9);
  EXPECT_EQ(end["steps"], 12);
  // The first step has two counters, a slice and an instruction; each further step has one record.
  const Traced perfetto = trace(loop_assembly, "", {.format = TraceFormat::perfetto, .limit = 5});
  EXPECT_EQ(perfetto.cut.step, 3U);
  EXPECT_EQ(perfetto.cut.instructions, 10U);
  EXPECT_THAT(events_of(perfetto.text),
              ElementsAre("C 1 control stack depth (CSP) 0", "C 1 active lanes 64", "B 1 start", "X 1 s_mov_b32",
                          "X 2 s_sub_u32", "i 3 trace cut", "E 3 start"));
}

TEST(TraceLimits, StartAnewWithEachRun) {
  const Scenario scenario = load_good("name: t\ntarget: gfx900\ncode: {asm: s_endpgm}\n");
  EXPECT_FALSE(trace_all({scenario, scenario}, {.limit = 1}).cut.is_cut());
}

TEST(TextBuffer, WritesNumbers) {
  support::TextBuffer text;
  text.append_hex(0);
  text.append(' ');
  text.append_hex(0xdeadbeefcafe);
  text.append(' ');
  text.append_hex(0xff, 4);
  text.append(' ');
  text.append_hex(~u64{0}, 3);
  text.append(' ');
  text.append_digits(0x1a);
  text.append(' ');
  text.append_number(~u64{0});
  text.append(std::string_view());
  EXPECT_EQ(text.view(), "0x0 0xdeadbeefcafe 0x00ff 0xffffffffffffffff 0000001a 18446744073709551615");
  text.clear();
  text.pad_to(3);
  text.pad_to(1);
  text.append("x");
  EXPECT_EQ(text.view(), "   x");
}

}  // namespace
}  // namespace salu
