// Every function of ir/ in every configuration: one suite per configuration, one test per function.

#include "compiler/inputs.hpp"
#include "compiler/left_out.hpp"

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace salu::compiler_test {
namespace {

constexpr u64 max_steps = 100'000;
constexpr std::size_t shown_mismatches = 3;
/// Enough to see that a function that is left out never returns a wrong result.
constexpr std::size_t inputs_for_left_out = 20;

std::string hex(u64 value, unsigned bits) {
  std::ostringstream text;
  text << "0x" << std::hex << std::setfill('0') << std::setw(static_cast<int>((bits + 3) / 4)) << value;
  return text.str();
}

std::vector<u32> argument_sgprs(const Function& function, const std::vector<u64>& values) {
  std::vector<u32> sgprs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sgprs.push_back(static_cast<u32>(values[i]));
    if (function.argument_bits[i] == 64) {
      sgprs.push_back(static_cast<u32>(values[i] >> 32));
    }
  }
  return sgprs;
}

std::vector<u64> results_in(const Function& function, const WaveState& state) {
  std::vector<u64> results;
  u32 sgpr = 0;
  for (const unsigned bits : function.result_bits) {
    if (bits == 64) {
      results.push_back(state.read64(sgpr));
      sgpr += 2;
    } else {
      results.push_back(state.file[sgpr] & ((u64{1} << bits) - 1));
      ++sgpr;
    }
  }
  return results;
}

std::string list(const std::vector<u64>& values, const std::vector<unsigned>& bits) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + hex(values[i], std::max(bits[i], 32U));
  }
  return text;
}

/// What a person needs to look into a difference.
std::string describe(const Configuration& configuration, const Function& function, const std::vector<u64>& arguments,
                     const std::vector<u64>& expected, const std::vector<u64>& actual, const Outcome& outcome) {
  std::ostringstream text;
  text << function.name << " (" << function.file << ") for " << configuration.name() << "\n  arguments "
       << list(arguments, function.argument_bits) << "\n  expected  " << list(expected, function.result_bits)
       << " (native)\n  got       " << list(actual, function.result_bits) << ", stopped with "
       << outcome.stop.reason_name() << " after " << outcome.steps << " steps"
       << (outcome.stop.detail.empty() ? "" : ": " + outcome.stop.detail) << "\n  assembly  " << configuration.path
       << ".s\n  reproduce " << SALU_EXECUTABLE << " run --trace --symbol " << function.name;
  u32 sgpr = 0;
  for (const u32 value : argument_sgprs(function, arguments)) {
    text << " --set s" << sgpr++ << '=' << hex(value, 32);
  }
  text << ' ' << configuration.path << ".o\n";
  return text.str();
}

Result<Scenario> load(const Configuration& configuration, const Function& function) {
  LoadOptions options;
  options.symbol = function.name;
  std::vector<Result<Scenario>> loaded = load_file(configuration.path + ".o", options);
  if (loaded.size() != 1) {
    return Error{
        ErrorCode::elf, {configuration.path + ".o"}, "expected one scenario, got " + std::to_string(loaded.size()), ""};
  }
  return std::move(loaded.front());
}

Outcome run_with(const Scenario& scenario, const Function& function, const std::vector<u64>& arguments) {
  WaveState state = scenario.initial;
  u32 sgpr = 0;
  for (const u32 value : argument_sgprs(function, arguments)) {
    state.file[sgpr] = value;
    state.defined.set(sgpr);
    ++sgpr;
  }
  RunOptions options = scenario.options;
  options.max_steps = max_steps;
  return run(scenario.program, state, scenario.memory, options);
}

std::vector<u64> run_natively(const Function& function, const std::vector<u64>& arguments) {
  std::vector<u64> results(function.result_bits.size());
  function.native(arguments.data(), results.data());
  return results;
}

const std::map<std::string, LeftOut>& left_out_of(const Configuration& configuration) {
  static std::map<std::string, std::map<std::string, LeftOut>> known;
  const auto found = known.find(configuration.name());
  return found != known.end() ? found->second
                              : known.emplace(configuration.name(), find_left_out(configuration)).first->second;
}

class CompiledFunction : public testing::Test {
 public:
  CompiledFunction(const Configuration& configuration, const Function& function)
      : configuration_(configuration), function_(function) {}

  void TestBody() override {
    const auto& left_out = left_out_of(configuration_);
    const auto found = left_out.find(function_.name);
    if (found == left_out.end()) {
      agrees_with_native();
    } else {
      if (found->second.reason != Reason::failed && found->second.reason != Reason::fallback) {
        never_returns_a_wrong_result();
      }
      GTEST_SKIP() << "left out: " << reason_name(found->second.reason) << ": " << found->second.detail;
    }
  }

 private:
  void agrees_with_native() {
    const Result<Scenario> scenario = load(configuration_, function_);
    ASSERT_TRUE(scenario.has_value()) << scenario.error().to_string();
    const StopReason regular_end = configuration_.ends_program() ? StopReason::end_program : StopReason::returned;
    std::size_t mismatches = 0;
    for (const std::vector<u64>& arguments : inputs_for(function_)) {
      const std::vector<u64> expected = run_natively(function_, arguments);
      const Outcome outcome = run_with(*scenario, function_, arguments);
      const std::vector<u64> actual = results_in(function_, outcome.state);
      if (outcome.stop.reason != regular_end || actual != expected || !outcome.warnings.empty()) {
        ++mismatches;
        if (mismatches <= shown_mismatches) {
          ADD_FAILURE() << describe(configuration_, function_, arguments, expected, actual, outcome)
                        << (outcome.warnings.empty() ? "" : "  warning   " + outcome.warnings.front().detail);
        }
      }
    }
    EXPECT_EQ(mismatches, 0U) << "inputs for which the results differ";
  }

  /// Such a function must say that it cannot be run, unless the way that it takes is scalar.
  void never_returns_a_wrong_result() {
    const Result<Scenario> scenario = load(configuration_, function_);
    if (!scenario.has_value()) {
      EXPECT_EQ(scenario.error().code, ErrorCode::elf) << scenario.error().to_string();
      return;
    }
    std::vector<std::vector<u64>> inputs = inputs_for(function_);
    inputs.resize(std::min(inputs.size(), inputs_for_left_out));
    for (const std::vector<u64>& arguments : inputs) {
      const Outcome outcome = run_with(*scenario, function_, arguments);
      if (outcome.stop.reason == StopReason::vector_instruction ||
          outcome.stop.reason == StopReason::unsupported_instruction) {
        continue;
      }
      const std::vector<u64> expected = run_natively(function_, arguments);
      const std::vector<u64> actual = results_in(function_, outcome.state);
      ASSERT_TRUE(is_regular_end(outcome.stop.reason) && actual == expected)
          << describe(configuration_, function_, arguments, expected, actual, outcome);
    }
  }

  const Configuration& configuration_;
  const Function& function_;
};

/// Before main() of gtest_main: dynamic tests have to be there when the list of tests is printed.
const bool registered = [] {
  for (const Configuration& configuration : configurations()) {
    for (const Function& function : functions()) {
      testing::RegisterTest(
          configuration.name().c_str(), function.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [&configuration, &function]() -> CompiledFunction* { return new CompiledFunction(configuration, function); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace salu::compiler_test
