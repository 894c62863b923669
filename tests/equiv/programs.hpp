#pragma once

#include <salu/equivalence.hpp>

#include <gtest/gtest.h>

#include <string>

/// Pairs of small programs, and the results of comparing them.
namespace salu::equiv_test {

/// Assembly as in `salu run FILE.s`.
inline Scenario assembly(const std::string& text, const std::string& mcpu = "gfx900") {
  LoadOptions options;
  options.mcpu = mcpu;
  std::vector<Result<Scenario>> loaded = load_bytes(text, "code.s", options);
  EXPECT_TRUE(loaded.at(0).has_value()) << (loaded[0] ? "" : loaded[0].error().to_string());
  return loaded[0] ? std::move(*loaded[0]) : Scenario{};
}

/// Assembly in a scenario with registers, memory and expectations.
inline Scenario scenario(const std::string& text, const std::string& more, const std::string& mcpu = "gfx900") {
  std::string yaml = "target: " + mcpu + "\ncode:\n  asm: |\n    start:\n";
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    yaml += "      " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  std::vector<Result<Scenario>> loaded = load_yaml(yaml + more, "scenario.yaml");
  EXPECT_TRUE(loaded.at(0).has_value()) << (loaded[0] ? "" : loaded[0].error().to_string());
  return loaded[0] ? std::move(*loaded[0]) : Scenario{};
}

inline EquivalenceReport compare(const Scenario& a, const Scenario& b, const EquivalenceOptions& options = {}) {
  Result<EquivalenceReport> report = compare_programs(a, b, options);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
  return report ? std::move(*report) : EquivalenceReport{};
}

inline EquivalenceReport compare_assembly(const std::string& a, const std::string& b,
                                          const EquivalenceOptions& options = {}) {
  return compare(assembly(a), assembly(b), options);
}

/// The value of an input of the shrunk difference.
inline u64 shrunk_value(const EquivalenceReport& report, const std::string& name) {
  if (!report.difference) {
    ADD_FAILURE() << "no difference";
    return 0;
  }
  for (const InputValue& input : report.difference->shrunk) {
    if (input.name == name) return input.value;
  }
  ADD_FAILURE() << name << " is not an input";
  return 0;
}

/// Runs and checks the two scenarios of the reproducer: the number of failed expectations of each.
inline std::array<std::size_t, 2> mismatches_of_reproducer(const EquivalenceReport& report) {
  std::array<std::size_t, 2> counts = {99, 99};
  if (!report.difference) return counts;
  std::vector<Result<Scenario>> loaded = load_yaml(report.difference->reproducer, "reproducer.yaml");
  EXPECT_EQ(loaded.size(), 2U);
  for (std::size_t i = 0; i < loaded.size() && i < 2; ++i) {
    EXPECT_TRUE(loaded[i].has_value()) << (loaded[i] ? "" : loaded[i].error().to_string());
    if (!loaded[i]) continue;
    const Outcome outcome = run(*loaded[i], loaded[i]->options);
    counts[i] = check(*loaded[i]->expect, outcome).size();
  }
  return counts;
}

}  // namespace salu::equiv_test
