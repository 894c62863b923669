#include <salu/report.hpp>
#include <salu/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"

namespace salu {
namespace {

using nlohmann::json;
using test::load_good;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view reported =
    "name: a \"name\"\n"
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    start:\n"
    "      s_add_u32 s0, s1, s2\n"
    "      s_endpgm\n"
    "registers: {s1: 7, s2: 3, exec: 0xff, scc: 1}\n"
    "memory: [{at: 0x10000, words: [1, 2], size: 0x3000}]\n"
    "expect: {registers: {s0: 10}}\n";

/// The outcome of the program above, computed by hand.
Outcome outcome_of(const Scenario& scenario) {
  Outcome outcome;
  outcome.stop.reason = StopReason::end_program;
  outcome.stop.pc = 0x1004;
  outcome.stop.instruction = "s_endpgm";
  outcome.steps = 2;
  outcome.state = scenario.initial;
  outcome.state.pc = 0x1004;
  outcome.state.file[0] = 10;
  outcome.state.defined.set(0);
  outcome.state.scc = false;
  outcome.memory = scenario.memory;
  return outcome;
}

json json_of(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches = nullptr) {
  const std::string line = report_outcome(scenario, outcome, ReportFormat::json, mismatches);
  EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line";
  return json::parse(line);
}

TEST(ReportJson, HasTheShapeOfTheInterface) {
  const Scenario scenario = load_good(reported);
  const json state = json_of(scenario, outcome_of(scenario));
  EXPECT_EQ(state["schema"], "salu-state-v1");
  EXPECT_EQ(state["name"], "a \"name\"");
  EXPECT_EQ(state["target"], "gfx900");
  EXPECT_EQ(
      state["stop"],
      json::parse(R"({"reason": "end_program", "pc": "0x0000000000001004", "instruction": "s_endpgm", "detail": ""})"));
  EXPECT_EQ(state["steps"], 2);
  EXPECT_EQ(state["warnings"], json::array());
  EXPECT_EQ(state["sgprs"], 102);
  EXPECT_EQ(state["memory"], json::array());
  EXPECT_FALSE(state.contains("skipped_vector"));
  EXPECT_FALSE(state.contains("mismatches"));
  EXPECT_FALSE(state.contains("error"));
  const json& registers = state["registers"];
  EXPECT_EQ(registers["s0"], "0x0000000a");
  EXPECT_EQ(registers["s101"], "0x00000000");
  EXPECT_EQ(registers["vcc"], "0x0000000000000000");
  EXPECT_EQ(registers["exec"], "0x00000000000000ff");
  EXPECT_EQ(registers["m0"], "0x00000000");
  EXPECT_EQ(registers["scc"], 0);
  EXPECT_EQ(registers["mode"], "0x00000000");
  EXPECT_EQ(registers["csp"], 0);
  EXPECT_EQ(registers["status"], "0x00000400");  // VCCZ
  EXPECT_EQ(registers["trapsts"], "0x00000000");
  EXPECT_EQ(registers["tba"], "0x0000000000000000");
  EXPECT_EQ(registers["tma"], "0x0000000000000000");
  EXPECT_EQ(registers["pc"], "0x0000000000001004");
  EXPECT_EQ(registers["flat_scratch"], "0x0000000000000000");
  EXPECT_EQ(registers["xnack_mask"], "0x0000000000000000");
  EXPECT_EQ(registers["ttmp15"], "0x00000000");
  // 102 SGPRs, 11 special registers, FLAT_SCRATCH, XNACK_MASK, 16 TTMPs.
  EXPECT_EQ(registers.size(), 102U + 11U + 2U + 16U);
}

TEST(ReportJson, RegistersFollowTheTarget) {
  struct Expected {
    const char* target;
    std::size_t sgprs;
    std::size_t ttmps;
    bool flat_scratch;
    bool xnack_mask;
  };
  for (const Expected& expected : {Expected{"tahiti", 104, 12, false, false},
                                   {"bonaire", 104, 12, true, false},
                                   {"tonga", 102, 12, true, false},
                                   {"carrizo", 102, 12, true, true},
                                   {"gfx906", 102, 16, true, true},
                                   {"gfx942", 102, 16, true, true},
                                   {"gfx950", 102, 16, true, true}}) {
    const Scenario scenario = load_good("target: " + std::string(expected.target) + "\ncode: {asm: s_endpgm}\n");
    const json registers = json_of(scenario, outcome_of(scenario))["registers"];
    EXPECT_EQ(registers.contains("s" + std::to_string(expected.sgprs - 1)), true) << expected.target;
    EXPECT_EQ(registers.contains("s" + std::to_string(expected.sgprs)), false) << expected.target;
    EXPECT_EQ(registers.contains("ttmp" + std::to_string(expected.ttmps - 1)), true) << expected.target;
    EXPECT_EQ(registers.contains("ttmp" + std::to_string(expected.ttmps)), false) << expected.target;
    EXPECT_EQ(registers.contains("flat_scratch"), expected.flat_scratch) << expected.target;
    EXPECT_EQ(registers.contains("xnack_mask"), expected.xnack_mask) << expected.target;
  }
}

TEST(ReportJson, UndefinedListsUnwrittenState) {
  const Scenario scenario = load_good(reported);
  Outcome outcome = outcome_of(scenario);
  outcome.state.file[code::vcc] = 0;
  outcome.state.defined.set(code::vcc);
  const std::vector<std::string> undefined = json_of(scenario, outcome)["undefined"];
  for (const char* name : {"s3", "s101", "vcc_hi", "m0", "tba", "tma", "flat_scratch", "ttmp0"}) {
    EXPECT_THAT(undefined, testing::Contains(name));
  }
  for (const char* name : {"s0", "s1", "s2", "vcc", "vcc_lo", "exec", "mode", "status", "pc", "scc", "csp"}) {
    EXPECT_THAT(undefined, Not(testing::Contains(name)));
  }
}

TEST(ReportJson, MemoryHasTheChanges) {
  const Scenario scenario = load_good(reported);
  Outcome outcome = outcome_of(scenario);
  outcome.memory.write_dword(0x10000, 0);
  outcome.memory.write_dword(0x10ffc, 5);
  outcome.memory.write_dword(0x11000, 6);
  outcome.memory.write(0x12001, std::vector<u8>{0xab});
  EXPECT_EQ(json_of(scenario, outcome)["memory"], json::parse(R"([{"at": "0x0000000000010000", "words": ["0x00000000"]},
                            {"at": "0x0000000000010ffc", "words": ["0x00000005", "0x00000006"]},
                            {"at": "0x0000000000012000", "words": ["0x0000ab00"]}])"));
}

TEST(ReportJson, WarningsMismatchesAndSkippedInstructions) {
  const Scenario scenario = load_good(reported);
  Outcome outcome = outcome_of(scenario);
  outcome.skipped_vector = 3;
  outcome.warnings = {{WarningKind::trap_ignored, 0x1000, "s_trap 1", "TRAP_EN is 0"}};
  const std::vector<Mismatch> mismatches = {{{"f.yaml", 3, 4}, "s0", "0x1", "0x2"}};
  const json state = json_of(scenario, outcome, &mismatches);
  EXPECT_EQ(state["skipped_vector"], 3);
  EXPECT_EQ(
      state["warnings"],
      json::parse(
          R"([{"kind": "trap_ignored", "pc": "0x0000000000001000", "instruction": "s_trap 1", "detail": "TRAP_EN is 0"}])"));
  EXPECT_EQ(
      state["mismatches"],
      json::parse(R"([{"what": "s0", "expected": "0x1", "actual": "0x2", "file": "f.yaml", "line": 3, "column": 4}])"));
}

TEST(ReportJson, HardwareRegistersThatAreNotZero) {
  const Scenario scenario = load_good("target: gfx900\ncode: {asm: s_endpgm}\nhwregs: {hw_id: 5, ib_sts: 1}\n");
  Outcome outcome = outcome_of(scenario);
  outcome.state.hwregs[7] = 0;
  EXPECT_EQ(json_of(scenario, outcome)["hwregs"],
            json::parse(R"({"hw_id": "0x00000005", "ib_sts": "0x00000000", "sh_mem_bases": "0x00010002"})"));
}

TEST(ReportJson, ErrorsAreLines) {
  const Error error{ErrorCode::assembly, {"a.yaml", 3, 5}, "wrong \xff", "source"};
  const std::string line = report_error(error, ReportFormat::json);
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(json::parse(line)["error"],
            json::parse(R"({"code": "assembly", "file": "a.yaml", "line": 3, "column": 5, "message": "wrong )"
                        "\xef\xbf\xbd"
                        R"("})"));
  EXPECT_EQ(report_error({ErrorCode::io, {"a"}, "gone", ""}, ReportFormat::text), "a: error: gone\n");
  Error several{ErrorCode::assembly, {"a.s", 2, 1}, "first", ""};
  several.remarks = {{{"a.s", 1, 1}, "odd", ""}};
  several.more = {{ErrorCode::assembly, {"a.s", 3, 1}, "second", ""},
                  {ErrorCode::assembly, {"a.s", 4, 1}, "third", ""}};
  EXPECT_EQ(report_error(several, ReportFormat::text),
            "a.s:1:1: warning: odd\na.s:2:1: error: first\na.s:3:1: error: second\na.s:4:1: error: third\n");
  EXPECT_EQ(json::parse(report_error(several, ReportFormat::json))["error"]["message"], "first (and 2 more errors)");
}

// ---- text ----

TEST(ReportText, HasTheEndAndTheChanges) {
  const Scenario scenario = load_good(reported);
  EXPECT_EQ(report_outcome(scenario, outcome_of(scenario), ReportFormat::text),
            "a \"name\" on gfx900: end_program at 0x1004 (start+0x4, test.yaml:7) after 2 steps: s_endpgm\n"
            "\n"
            "  s[0:3]        0x0000000a*  0x00000007   0x00000003   -\n"
            "  vcc           -\n"
            "  exec          0x00000000000000ff\n"
            "  scc           0*\n"
            "  pc            0x0000000000001004\n"
            "\n"
            "  * changed by the program\n");
}

TEST(ReportText, FaultsWarningsMemoryAndExpectations) {
  const Scenario scenario = load_good(reported);
  Outcome outcome = outcome_of(scenario);
  outcome.stop.reason = StopReason::illegal_operand;
  outcome.stop.pc = 0x1000;
  outcome.stop.instruction = "s_add_u32 s0, s1, s2";
  outcome.stop.detail = "why it stopped";
  outcome.steps = 1;
  outcome.skipped_vector = 1;
  outcome.warnings = {{WarningKind::dropped_write, 0x1004, "s_endpgm", "a sentence"}};
  outcome.memory.write_dword(0x10004, 9);
  const std::vector<Mismatch> mismatches = {{{"test.yaml", 10, 3}, "s0", "0x0000000a", "0x00000001"}};
  const std::string text = report_outcome(scenario, outcome, ReportFormat::text, &mismatches);
  EXPECT_THAT(
      text,
      HasSubstr(
          "illegal_operand at 0x1000 (start, test.yaml:6) after 1 step: s_add_u32 s0, s1, s2\n  why it stopped\n"));
  EXPECT_THAT(text, HasSubstr("1 vector instruction skipped\n"));
  EXPECT_THAT(text, HasSubstr("warning: dropped_write at 0x1004 (start+0x4, test.yaml:7): s_endpgm\n  a sentence\n"));
  EXPECT_THAT(text, HasSubstr("memory written:\n  0x10004       0x00000009\n"));
  EXPECT_THAT(text, HasSubstr("expectation failed: s0: expected 0x0000000a, got 0x00000001 (test.yaml:10)\n"));
  const std::vector<Mismatch> none;
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text, &none), HasSubstr("expectations hold\n"));
}

TEST(ReportText, ColourAndAllRegistersAreOptions) {
  const Scenario scenario = load_good(reported);
  const Outcome outcome = outcome_of(scenario);
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text), Not(HasSubstr("\x1b")));
  ReportOptions options;
  options.colour = true;
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text, nullptr, options),
              HasSubstr("\x1b[1;32mend_program\x1b[0m"));
  options = {};
  options.all_registers = true;
  const std::string all = report_outcome(scenario, outcome, ReportFormat::text, nullptr, options);
  EXPECT_THAT(all, HasSubstr("  s[100:101]    -            -\n"));
  EXPECT_THAT(all, HasSubstr("  sh_mem_bases  0x00010002\n"));
  EXPECT_THAT(all, HasSubstr("  ttmp[12:15] "));
}

TEST(ReportText, AddressesAfterAFunctionDoNotNameIt) {
  const Scenario scenario = load_good(reported);
  Outcome outcome = outcome_of(scenario);
  outcome.stop.reason = StopReason::returned;
  EXPECT_THAT(report_outcome(scenario, outcome, ReportFormat::text), HasSubstr("returned at 0x1004 after 2 steps\n"));
}

// ---- YAML ----

TEST(ReportYaml, IsADocumentWithTheSameFacts) {
  const Scenario scenario = load_good(reported);
  Outcome outcome = outcome_of(scenario);
  outcome.stop.detail = "with: \"quotes\"\nand lines";
  outcome.warnings = {{WarningKind::trap_ignored, 0x1000, "s_trap 1", "x: y"}};
  const std::vector<Mismatch> mismatches = {{{"f.yaml", 3, 4}, "s[0:1]", "0x1", "0x2"}};
  const std::string text = report_outcome(scenario, outcome, ReportFormat::yaml, &mismatches);
  EXPECT_EQ(text.substr(0, 4), "---\n");
  const YAML::Node state = YAML::Load(text);
  EXPECT_EQ(state["schema"].as<std::string>(), "salu-state-v1");
  EXPECT_EQ(state["name"].as<std::string>(), "a \"name\"");
  EXPECT_EQ(state["stop"]["reason"].as<std::string>(), "end_program");
  EXPECT_EQ(state["stop"]["detail"].as<std::string>(), "with: \"quotes\"\nand lines");
  EXPECT_EQ(state["warnings"][0]["detail"].as<std::string>(), "x: y");
  EXPECT_EQ(state["mismatches"][0]["what"].as<std::string>(), "s[0:1]");
  EXPECT_EQ(state["registers"]["s0"].as<u32>(), 10U);
  EXPECT_FALSE(state["registers"]["s3"]);
  EXPECT_FALSE(state["registers"]["csp"]);
  EXPECT_EQ(state["memory"][0]["at"].as<u64>(), 0x10000U);
  EXPECT_EQ(state["memory"][0]["size"].as<u64>(), 0x3000U);
  EXPECT_EQ(state["memory"][0]["words"].as<std::vector<u32>>(), (std::vector<u32>{1, 2}));
}

}  // namespace
}  // namespace salu
