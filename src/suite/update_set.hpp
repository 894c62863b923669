#pragma once

#include <salu/suite.hpp>

#include <set>
#include <string>
#include <vector>

namespace salu::suite {

/// The files that an update must process.
class UpdateSet {
 public:
  void add(const TestResult& test);

  /// The files with failed tests, and those that share a text with them and have passing tests.
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
