// Every function of ir/ in every configuration: one suite per configuration, one test per function.

#include "compiler/compiled_code.hpp"
#include "compiler/inputs.hpp"
#include "compiler/many_at_once.hpp"
#include "compiler/over_symbols.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace salu::compiler_test {
namespace {

class CompiledFunction : public testing::Test {
 public:
  CompiledFunction(const Configuration& configuration, const Function& function)
      : configuration_(configuration), function_(function) {}

  void TestBody() override {
    const Result<Scenario> scenario = load_function(configuration_, function_.name);
    ASSERT_TRUE(scenario.has_value()) << scenario.error().to_string();
    std::size_t mismatches = 0;
    std::size_t number = 0;
    std::vector<std::vector<u32>> sgprs;
    for (const std::vector<u64>& arguments : inputs()) {
      if (!agrees_with_native(*scenario, arguments, check_of(number++), mismatches < shown_mismatches)) {
        ++mismatches;
      }
      sgprs.push_back(sgprs_of(function_, arguments));
    }
    EXPECT_EQ(mismatches, 0U) << "so many inputs for which the results differ";
    expect_the_same_at_once(*scenario, sgprs);
    if (is_run_over_symbols(configuration_)) {
      sgprs.resize(std::min<std::size_t>(sgprs.size(), symbolic_states));
      expect_the_same_over_symbols(*scenario, sgprs);
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

  [[nodiscard]] bool agrees_with_native(const Scenario& scenario, const std::vector<u64>& arguments,
                                        CheckUndefined check, bool tells) const {
    const StopReason regular_end = configuration_.ends_program() ? StopReason::end_program : StopReason::returned;
    const std::vector<u64> expected = run_natively(function_, arguments);
    const Outcome outcome = run_function(scenario, function_, sgprs_of(function_, arguments), check);
    const std::vector<u64> actual = results_in(function_, outcome.state);
    if (outcome.stop.reason == regular_end && actual == expected && outcome.warnings.empty()) {
      return true;
    }
    if (tells) {
      ADD_FAILURE() << describe(configuration_, function_, arguments, expected, actual, outcome);
    }
    return false;
  }

  void expect_the_same_at_once(const Scenario& scenario, const std::vector<std::vector<u32>>& sgprs) const {
    const auto found = run_many(scenario, function_, sgprs, configuration_.ends_program());
    std::size_t answered = 0;
    std::size_t state = 0;
    for (const std::vector<u64>& arguments : inputs()) {
      const std::optional<std::vector<u64>>& results = found[state++];
      if (!results) {
        continue;
      }
      ++answered;
      ASSERT_EQ(*results, run_natively(function_, arguments)) << "at once, input " << state;
    }
    if (is_scalar(scenario)) {
      EXPECT_EQ(answered, sgprs.size()) << "answers at once";
    }
  }

  /// Symbolic execution takes longer: a part of the inputs, and without SALU_OVER_SYMBOLS two levels for two
  /// processors.
  static constexpr std::size_t symbolic_states = 60;
  static bool is_run_over_symbols(const Configuration& configuration) {
    const bool is_one_of_them = (configuration.processor == "gfx900" || configuration.processor == "tahiti") &&
                                (configuration.level == "O0" || configuration.level == "O2");
    return is_one_of_them || std::getenv("SALU_OVER_SYMBOLS") != nullptr;
  }

  void expect_the_same_over_symbols(const Scenario& scenario, const std::vector<std::vector<u32>>& sgprs) const {
    const SymbolicResults found = run_over_symbols(scenario, function_, sgprs, configuration_.ends_program());
    const std::vector<std::vector<u64>> all = inputs();
    std::size_t answered = 0;
    for (std::size_t state = 0; state < sgprs.size(); ++state) {
      if (!found.results[state]) {
        continue;
      }
      ++answered;
      ASSERT_EQ(*found.results[state], run_natively(function_, all[state])) << "over symbols, input " << state;
    }
    if (!found.has_floats && !found.was_cut) {
      EXPECT_EQ(answered, sgprs.size()) << "answers over symbols";
    }
  }

  const Configuration& configuration_;
  const Function& function_;
};

/// Before main() of gtest_main: dynamic tests must be registered before the list of tests is printed.
const bool functions_registered = [] {
  const Suite& suite = suites()[0];
  for (const Configuration& configuration : suite.configurations) {
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
