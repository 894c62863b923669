#pragma once

#include <salu/suite.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// What becomes of the tests of a suite, in words.
namespace salu::suite {

struct ResultTextOptions {
  bool colour = false;
  bool passed = false;     ///< the tests that pass as well
  bool remarks = true;     ///< how many tests expect nothing
  bool stats = false;      ///< how long what took
  bool uncovered = false;  ///< with the fidelity of a suite: which instructions it has never executed
  bool only_list = false;  ///< nothing was run: the names alone
};

/// Lines about the tests of one suite.
class ResultText {
 public:
  /// `suite` is what the tests are run with.
  ResultText(const ResultTextOptions& options, const SuiteOptions& suite) : options_(options), suite_(suite) {}

  /// The lines about one test; none about a test that passed, unless they are asked for.
  [[nodiscard]] std::string of(const TestResult& test) const;
  /// The lines behind the last test.
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

/// How far a suite has come: `[3/10] 1 failed`, in files and in tests.
class Progress {
 public:
  explicit Progress(std::size_t file_count) : file_count_(file_count) {}

  /// The line once a test is done.
  std::string after(const TestResult& test);

 private:
  std::size_t file_count_;
  std::size_t files_done_ = 0;
  std::size_t failed_ = 0;
  std::string last_file_;
};

}  // namespace salu::suite
