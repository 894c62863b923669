#pragma once

#include <salu/scenario.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace salu::test {

/// The only scenario in a text; a failed test and an empty scenario if it cannot be loaded.
inline Scenario load_good(std::string_view text, const LoadOptions& options = {},
                          const std::string& file = "test.yaml") {
  std::vector<Result<Scenario>> results = load_yaml(text, file, options);
  EXPECT_EQ(results.size(), 1U) << text;
  if (results.empty()) return {};
  EXPECT_TRUE(results[0].has_value()) << text << "\n" << (results[0] ? "" : results[0].error().to_string());
  return results[0] ? std::move(*results[0]) : Scenario{};
}

/// The only error of an invalid text.
inline Error load_bad(std::string_view text, const LoadOptions& options = {}, const std::string& file = "test.yaml") {
  std::vector<Result<Scenario>> results = load_yaml(text, file, options);
  EXPECT_EQ(results.size(), 1U) << text;
  if (results.empty()) return {};
  EXPECT_FALSE(results[0].has_value()) << text;
  return results[0] ? Error{} : results[0].error();
}

/// The outcome of the only scenario in a text.
inline Outcome run_text(std::string_view text) {
  const Scenario scenario = load_good(text);
  return run(scenario, scenario.options);
}

/// `file:line:column: message` of an error, for comparison in one step.
inline std::string brief(const Error& error) {
  return std::to_string(error.where.line) + ":" + std::to_string(error.where.column) + ": " + error.message;
}

/// A scenario with the required keys, in two lines, to be extended.
inline constexpr std::string_view minimal = "target: gfx900\ncode: {asm: s_endpgm}\n";
inline std::string with(const std::string& more) { return std::string(minimal) + more; }

/// A folder that is deleted at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("salu_test_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Writes a file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, std::string_view contents) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << contents;
    return path;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace salu::test
