#include "compiler/suite.hpp"

#include <gtest/gtest.h>

#include <set>

namespace salu::compiler_test {
namespace {

TEST(CompiledSuites, NamesAreUnique) {
  std::set<std::string> names;
  for (const Suite& suite : suites()) {
    for (const std::string& name : suite.names) {
      EXPECT_TRUE(names.insert(name).second) << "two functions are called " << name;
    }
  }
}

}  // namespace
}  // namespace salu::compiler_test
