// Every function of ir/ in every configuration: one suite per configuration, one test per function.

#include "compiler/compiled_code.hpp"
#include "compiler/inputs.hpp"
#include "compiler/left_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace salu::compiler_test {
namespace {

/// Enough to see that a function that is left out never returns a wrong result.
constexpr std::size_t inputs_for_left_out = 20;

class CompiledFunction : public testing::Test {
 public:
  CompiledFunction(const Suite& suite, const Configuration& configuration, const Function& function)
      : suite_(suite), configuration_(configuration), function_(function) {}

  void TestBody() override {
    const auto& left_out = left_out_of(suite_, configuration_);
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
  [[nodiscard]] std::vector<std::vector<u64>> inputs() const {
    std::vector<unsigned> widths;
    for (const Argument& argument : function_.arguments) {
      widths.push_back(argument.bits);
    }
    return inputs_for(function_.name, widths);
  }

  void agrees_with_native() {
    const Result<Scenario> scenario = load_function(configuration_, function_.name);
    ASSERT_TRUE(scenario.has_value()) << scenario.error().to_string();
    const StopReason regular_end = configuration_.ends_program() ? StopReason::end_program : StopReason::returned;
    std::size_t mismatches = 0;
    for (const std::vector<u64>& arguments : inputs()) {
      const std::vector<u64> expected = run_natively(function_, arguments);
      const Outcome outcome = run_function(*scenario, sgprs_of(function_, arguments));
      const std::vector<u64> actual = results_in(function_, outcome.state);
      if (outcome.stop.reason != regular_end || actual != expected || !outcome.warnings.empty()) {
        ++mismatches;
        if (mismatches <= shown_mismatches) {
          ADD_FAILURE() << describe(configuration_, function_, arguments, expected, actual, outcome);
        }
      }
    }
    EXPECT_EQ(mismatches, 0U) << "inputs for which the results differ";
  }

  /// Such a function must say that it cannot be run, unless the way that it takes is scalar.
  void never_returns_a_wrong_result() {
    const Result<Scenario> scenario = load_function(configuration_, function_.name);
    if (!scenario.has_value()) {
      EXPECT_EQ(scenario.error().code, ErrorCode::elf) << scenario.error().to_string();
      return;
    }
    std::vector<std::vector<u64>> first_inputs = inputs();
    first_inputs.resize(std::min(first_inputs.size(), inputs_for_left_out));
    for (const std::vector<u64>& arguments : first_inputs) {
      const Outcome outcome = run_function(*scenario, sgprs_of(function_, arguments));
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

  const Suite& suite_;
  const Configuration& configuration_;
  const Function& function_;
};

/// Before main() of gtest_main: dynamic tests have to be there when the list of tests is printed.
const bool functions_registered = [] {
  const Suite& suite = suites()[0];
  for (const Configuration& configuration : suite.configurations) {
    for (const Function& function : functions()) {
      testing::RegisterTest(configuration.name().c_str(), function.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&suite, &configuration, &function]() -> CompiledFunction* {
                              return new CompiledFunction(suite, configuration, function);
                            });
    }
  }
  return true;
}();

}  // namespace
}  // namespace salu::compiler_test
