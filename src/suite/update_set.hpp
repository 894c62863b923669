#pragma once

#include <salu/suite.hpp>

#include <set>
#include <string>
#include <vector>

namespace salu::suite {

/// Which files an update has to look at, from what became of the tests.
class UpdateSet {
 public:
  void add(const TestResult& test);

  /// The files with tests that failed and, where a test that passed has a say, those that share a text with them.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  struct Test {
    std::string file;
    std::string table;
    bool failed = false;
  };

  static std::set<std::string> texts_of(const Test& test);

  std::vector<Test> tests_;
};

}  // namespace salu::suite
