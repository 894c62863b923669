// The C++ equivalents of `salu run --check`, a comparison of two programs, and `salu test`; and a program without a
// file:
//   api SCENARIO.yaml A.s B.s FOLDER
#include <salu/equivalence.hpp>
#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/suite.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

/// Runs the scenarios in a file, prints the final states and compares them with the expected ones.
bool run_scenarios(const std::string& path) {
  bool good = true;
  for (const salu::Result<salu::Scenario>& loaded : salu::load_file(path)) {
    if (!loaded) {
      std::cerr << loaded.error().to_string() << "\n";
      good = false;
      continue;
    }
    const salu::Scenario& scenario = *loaded;
    const salu::Outcome outcome = salu::run(scenario.program, scenario.initial, scenario.memory, scenario.options);
    std::vector<salu::Mismatch> mismatches;
    if (scenario.expect) mismatches = salu::check(*scenario.expect, outcome);
    std::cout << salu::report_outcome(scenario, outcome, salu::ReportFormat::text, &mismatches);
    good = good && mismatches.empty();
  }
  return good;
}

/// Returns the final value of s0 of a program that starts with a value in s1; nothing if the run does not end
/// regularly.
std::optional<salu::u64> result_of(const salu::Scenario& scenario, salu::u32 input) {
  const salu::Generation generation = scenario.program.generation();
  const auto s0 = salu::parse_register_name(generation, "s0");
  const auto s1 = salu::parse_register_name(generation, "s1");
  salu::WaveState state = scenario.initial;
  salu::write_register(state, generation, *s1, input);
  salu::RunOptions options = scenario.options;
  options.max_steps = 1000;
  const salu::Outcome outcome = salu::run(scenario.program, state, scenario.memory, options);
  if (!salu::is_regular_end(outcome.stop.reason)) return std::nullopt;
  return salu::read_register(outcome.state, *s0);
}

/// Returns true if two programs compute the same s0 from generated values of s1; otherwise prints the simplest value
/// for which they do not.
bool agree(const std::string& path_a, const std::string& path_b) {
  salu::LoadOptions options;
  options.mcpu = "gfx900";
  const salu::Result<salu::ProgramPair> pair = salu::load_pair(path_a, path_b, options, options);
  if (!pair) {
    std::cerr << pair.error().to_string() << "\n";
    return false;
  }
  salu::EquivalenceOptions what;
  what.inputs = {"s1"};
  what.outputs = {"s0"};
  what.states = 1000;
  what.max_steps = 1000;
  const salu::Result<salu::EquivalenceReport> report = salu::compare_programs(pair->a, pair->b, what);
  if (!report) {
    std::cerr << report.error().to_string() << "\n";
    return false;
  }
  if (report->verdict == salu::Verdict::equal) {
    std::cout << path_a << " and " << path_b << " agree on " << report->compared << " inputs\n";
    return true;
  }
  if (!report->difference) {
    std::cout << salu::equivalence_text(*report);  // no runs could be compared
    return false;
  }
  const auto input = static_cast<salu::u32>(report->difference->shrunk.front().value);
  std::cout << path_a << " and " << path_b << " differ for s1 = " << input << ":";
  for (const salu::Scenario* scenario : {&pair->a, &pair->b}) {
    const std::optional<salu::u64> result = result_of(*scenario, input);
    std::cout << " s0 = " << (result ? std::to_string(*result) : "nothing");
  }
  std::cout << "\n";
  return false;
}

/// Checks all scenarios below a folder, on two threads.
bool run_folder(const std::string& folder) {
  const salu::Result<std::vector<std::string>> files = salu::find_suite_files({folder});
  if (!files) {
    std::cerr << files.error().to_string() << "\n";
    return false;
  }
  salu::SuiteOptions options;
  options.jobs = 2;
  const salu::SuiteResult suite = salu::run_suite(*files, options, [](const salu::TestResult& test) {
    for (const salu::Failure& failure : test.failures) {
      const salu::Mismatch& mismatch = failure.mismatch;
      std::cout << test.id << ": " << mismatch.what << ": expected " << mismatch.expected << ", got " << mismatch.actual
                << "; " << failure.writer << "\n";
    }
    if (test.error) std::cout << test.error->to_string() << "\n";
  });
  std::cout << suite.passed << " passed, " << suite.failed << " failed, " << suite.not_loaded << " not loaded\n";
  return suite.failed + suite.not_loaded == 0;
}

/// Counts the bits that are set in a number in memory; nothing if the run does not end regularly.
std::optional<salu::u64> bits_in_memory(salu::u32 number) {
  salu::Program program;
  program.target = salu::find_target("gfx900");
  program.entry = 0x1000;
  // s_load_dword s0, s[2:3], 0x0; s_waitcnt lgkmcnt(0); s_bcnt1_i32_b32 s0, s0; s_endpgm
  program.code = {{program.entry, {0xc0020001, 0x00000000, 0xbf8cc07f, 0xbe800c00, 0xbf810000}}};

  constexpr salu::u64 data = 0x10000;
  salu::Memory memory;
  if (!memory.add_region({data, 4, salu::Access::read}) || !salu::place_code(program, memory)) return std::nullopt;
  memory.write_dword(data, number);

  const salu::Generation generation = program.generation();
  salu::WaveState state = salu::initial_state(generation);
  state.pc = program.entry;
  salu::write_register(state, generation, *salu::parse_register_name(generation, "s[2:3]"), data);
  const salu::Outcome outcome = salu::run(program, state, memory);
  if (outcome.stop.reason == salu::StopReason::end_program) return outcome.state.file[0];
  std::cout << salu::stop_reason_name(outcome.stop.reason) << ": " << outcome.stop.detail << "\n";
  return std::nullopt;
}

/// Prints the SGPRs that programs can use on each generation.
void print_generations() {
  for (const salu::Generation generation : salu::all_generations()) {
    const salu::GenerationInfo& info = salu::generation_info(generation);
    std::cout << info.name << ": s0 to s" << info.sgprs - 1 << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const bool scenarios_hold = run_scenarios(argv[1]);
  const bool programs_agree = agree(argv[2], argv[3]);
  const bool folder_holds = run_folder(argv[4]);
  const std::optional<salu::u64> bits = bits_in_memory(0x00ff00ff);
  if (bits) std::cout << "0x00ff00ff in memory has " << *bits << " bits set\n";
  print_generations();
  return scenarios_hold && programs_agree && folder_holds && bits ? 0 : 1;
}
