// What `salu run --check`, a comparison of two programs, and `salu test` do, from C++:
//   api SCENARIO.yaml A.s B.s FOLDER
#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/suite.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

/// Runs the scenarios in a file, prints the final states and compares them with what is expected.
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

/// What a program leaves in s0 when it starts with a value in s1; nothing when it does not come to its end.
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

/// Whether two programs compute the same for some inputs; names the first for which they do not.
bool agree(const std::string& path_a, const std::string& path_b) {
  salu::LoadOptions options;
  options.mcpu = "gfx900";
  const std::vector<salu::Result<salu::Scenario>> a = salu::load_file(path_a, options);
  const std::vector<salu::Result<salu::Scenario>> b = salu::load_file(path_b, options);
  if (!a.front() || !b.front()) {
    std::cerr << (a.front() ? b : a).front().error().to_string() << "\n";
    return false;
  }
  for (const salu::u32 input : {0U, 1U, 2U, 0xffU, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
    const std::optional<salu::u64> from_a = result_of(*a.front(), input);
    const std::optional<salu::u64> from_b = result_of(*b.front(), input);
    if (from_a && from_a == from_b) continue;
    std::cout << path_a << " and " << path_b << " differ for s1 = " << input << "\n";
    return false;
  }
  return true;
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const bool scenarios_hold = run_scenarios(argv[1]);
  const bool programs_agree = agree(argv[2], argv[3]);
  const bool folder_holds = run_folder(argv[4]);
  return scenarios_hold && programs_agree && folder_holds ? 0 : 1;
}
