#pragma once

#include <salu/suite.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// The results of a suite as text.
namespace salu::suite {

struct ResultTextOptions {
  bool colour = false;
  bool passed = false;     ///< also the passing tests
  bool remarks = true;     ///< the number of tests without expectations
  bool stats = false;      ///< timing statistics
  bool uncovered = false;  ///< with the fidelity of a suite: the instructions never executed
  bool only_list = false;  ///< only the names of tests, which were not run
};

/// Formats the results of one suite.
class ResultText {
 public:
  /// `suite`: the options of the run.
  ResultText(const ResultTextOptions& options, const SuiteOptions& suite) : options_(options), suite_(suite) {}

  /// The lines about one test; empty for a passing test, unless these are shown.
  [[nodiscard]] std::string of(const TestResult& test) const;
  /// The lines after the last test.
  [[nodiscard]] std::string summary(const SuiteResult& suite) const;

 private:
  [[nodiscard]] std::string styled(const std::string& text, std::string_view style) const;
  [[nodiscard]] std::string error_line(const TestResult& test) const;
  [[nodiscard]] std::string failures(const TestResult& test) const;
  [[nodiscard]] std::string stats(const SuiteResult& suite) const;
  [[nodiscard]] std::string fidelity(const SuiteFidelity& fidelity) const;

  ResultTextOptions options_;
  const SuiteOptions& suite_;
};

/// The progress of a suite: `[3/10] 1 failed`, in files and tests.
class Progress {
 public:
  explicit Progress(std::size_t file_count) : file_count_(file_count) {}

  /// The line after a test.
  std::string after(const TestResult& test);

 private:
  std::size_t file_count_;
  std::size_t files_done_ = 0;
  std::size_t failed_ = 0;
  std::string last_file_;
};

}  // namespace salu::suite
