#pragma once

#include <salu/run.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "unit/llvm_tools.hpp"

namespace salu {

/// Loads objects and runs them.
class CodeObject : public testing::Test {
 protected:
  static Scenario load(const std::string& bytes, const LoadOptions& options = {}) {
    auto results = load_bytes(bytes, "test.o", options);
    EXPECT_EQ(results.size(), 1U);
    // The test cannot continue without a scenario.
    if (!results[0]) throw std::runtime_error(results[0].error().to_string());
    return std::move(*results[0]);
  }
  static std::string fail(const std::string& bytes, const LoadOptions& options = {}) {
    const auto results = load_bytes(bytes, "test.o", options);
    EXPECT_EQ(results.size(), 1U);
    EXPECT_FALSE(results[0].has_value());
    return results[0] ? "" : results[0].error().message;
  }
  static Outcome run_it(const Scenario& scenario) {
    return run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  }
  static std::string bytes_at(const Memory& memory, u64 address, std::size_t count) {
    std::vector<u8> bytes(count);
    memory.read(address, bytes);
    return {bytes.begin(), bytes.end()};
  }
  static LoadOptions with_pc(const std::string& place) {
    LoadOptions options;
    options.set = {"pc=" + place};
    return options;
  }
  static LoadOptions at_symbol(const std::string& symbol) {
    LoadOptions options;
    options.symbol = symbol;
    return options;
  }

  test::LlvmTools llvm_;
};

}  // namespace salu
