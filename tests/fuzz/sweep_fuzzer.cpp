#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/suite.hpp>
#include <salu/sweep.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include "fuzz/fuzzing.hpp"

/// Input: options, then the rows: a NumPy array, JSON Lines if it starts with `{`, otherwise comma-separated. They are
/// rejected with a message, or have the same results alone and in batches; written results are read back as the same
/// rows, in each of the formats, and pass as a table of cases.
namespace salu::fuzzing {
namespace {

// The program has several ends and accesses memory. It causes no warnings unless a row does.
constexpr std::string_view scenario_text =
    "target: gfx900\n"
    "code: {asm: \"start: s_add_u32 s2, s0, s1\\ns_addc_u32 s3, s3, 0\\ns_load_dword s4, s[8:9], 0x0\\n"
    "s_cbranch_scc1 start+24\\ns_xor_b32 s2, s2, s4\\ns_store_dword s2, s[8:9], 0x4\\ns_endpgm\"}\n"
    "registers: {\"s[8:9]\": 0x10000}\n"
    "memory: [{at: 0x10000, words: [1, 2], access: rw}]\n"
    "limits: {steps: 100}\n";

/// The result of a sweep.
struct Swept {
  Result<SweepReport> report;
  std::string rows;
};

Swept sweep_rows(const Scenario& scenario, const SweepOptions& options) {
  std::string rows;
  Result<SweepReport> report = sweep(scenario, options, [&](std::string_view piece) { rows += piece; });
  return {std::move(report), std::move(rows)};
}

/// The options that a byte selects.
SweepOptions options_of(u8 how, const std::string& path) {
  const auto flag = [how](u32 bit) { return (how >> bit & 1) != 0; };
  SweepOptions options;
  options.rows = {path};
  options.outputs = {"s2", "s3", "scc", "memory.0x10004:6", "v0[63]"};
  if (path.ends_with(".npy")) {
    if (flag(0)) options.columns = {"s0"};
    if (flag(1)) options.columns.emplace_back("s1:16");
    if (flag(2)) options.rows = {"s0=" + path, "s[6:7]=" + path};
  } else if (flag(0)) {
    options.load.set = options.fixed = {"s1=3"};
  }
  if (flag(3)) options.vary = {"s5=1..5:2", "memory.0x10003:1=7"};
  return options;
}

std::string describe(const Swept& swept) {
  return swept.report ? sweep_json(*swept.report) + "\n" + swept.rows : swept.report.error().to_string();
}

/// Both engines have the same results.
Swept check_engines(const Scenario& scenario, SweepOptions options) {
  Swept lanes = sweep_rows(scenario, options);
  options.engine = Engine::scalar;
  const Swept scalar = sweep_rows(scenario, options);
  require(describe(lanes) == describe(scalar), "rows have the same results alone and in batches",
          [&] { return describe(lanes) + "\n" + describe(scalar); });
  return lanes;
}

/// Written rows are read back unchanged.
void check_read_back(const Folder& folder, const Scenario& scenario, const SweepOptions& options, const Swept& csv) {
  struct Written {
    SweepFormat format;
    const char* name;
  };
  constexpr Written formats[] = {
      {SweepFormat::csv, "back.csv"}, {SweepFormat::jsonl, "back.jsonl"}, {SweepFormat::npy, "back.npy"}};
  for (const auto& [format, name] : formats) {
    SweepOptions again = options;
    again.format = format;
    const Swept written = sweep_rows(scenario, again);
    require(written.report.has_value(), "rows can be written in every format", [&] { return describe(written); });
    again.format = SweepFormat::csv;
    again.rows = {folder.write(name, written.rows)};
    again.vary.clear();
    again.columns.clear();
    const Swept read = sweep_rows(scenario, again);
    require(read.report.has_value() && read.rows == csv.rows, "written rows are read back unchanged",
            [&] { return std::string(name) + "\n" + csv.rows + "\n" + describe(read) + "\n" + written.rows; });
  }
}

/// Rows are a table of cases, which pass when they are run as scenarios.
void check_cases(const Folder& folder, const SweepOptions& options, const std::string& csv) {
  constexpr std::size_t most_rows = 16;
  (void)folder.write("cases.csv", csv);
  const std::string file = folder.write("cases.yaml", std::string(scenario_text) + "cases: {file: cases.csv}\n");
  const std::vector<Result<Scenario>> loaded = load_file(file, options.load);
  require(loaded.size() == 1 && loaded.front().has_value(), "rows are a table of cases",
          [&] { return loaded.front().error().to_string() + "\n" + csv; });
  const Scenario& scenario = *loaded.front();
  for (std::size_t row = 0; row < std::min(scenario.cases->rows(), most_rows); ++row) {
    const Scenario alone = case_scenario(scenario, row);
    const Outcome outcome = run(alone.program, alone.initial, alone.memory, alone.options);
    require(check(alone.expect.value_or(Expectation{}), outcome).empty(), "a row holds as a case",
            [&] { return "row " + std::to_string(row) + "\n" + csv; });
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  static const fuzzing::Folder folder("salu_sweep_fuzzer");
  fuzzing::Bytes input(data, size);
  const u8 how = input.take8();
  const std::string_view text = input.take_text();
  const char* const name = text.starts_with("\x93NUM") ? "rows.npy" : text.starts_with('{') ? "rows.jsonl" : "rows.csv";
  SweepOptions options = fuzzing::options_of(how, folder.write(name, text));
  std::vector<Result<Scenario>> loaded = load_yaml(fuzzing::scenario_text, "sweep.yaml", options.load);
  fuzzing::require(loaded.size() == 1 && loaded.front().has_value(), "the program loads",
                   [&] { return loaded.front().error().to_string(); });
  const Scenario& scenario = *loaded.front();
  options.histogram = true;
  const fuzzing::Swept summary = fuzzing::check_engines(scenario, options);
  if (!summary.report) {
    fuzzing::check_error(summary.report.error());
    return 0;
  }
  fuzzing::require(!sweep_text(*summary.report).empty(), "a summary can be printed");
  options.histogram = false;
  options.format = SweepFormat::csv;
  const fuzzing::Swept csv = fuzzing::check_engines(scenario, options);
  // After a warning, a case has no expectations.
  if (summary.report->warned == 0 && summary.report->skipped_vector == 0) {
    fuzzing::check_read_back(folder, scenario, options, csv);
    fuzzing::check_cases(folder, options, csv.rows);
  }
  options.outputs.emplace_back("steps");
  options.where = "s2 > s0 || scc";
  options.first = 3;
  (void)fuzzing::check_engines(scenario, options);
  return 0;
}
