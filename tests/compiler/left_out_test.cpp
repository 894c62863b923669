// What is left out of the suites is written down.

#include "compiler/left_out.hpp"

#include <gtest/gtest.h>

namespace salu::compiler_test {
namespace {

TEST(LeftOutList, NamesWhatIsThere) { EXPECT_NO_THROW(left_out()); }

TEST(LeftOutList, NamesAreUnique) {
  std::set<std::string> names;
  for (const Suite& suite : suites()) {
    for (const std::string& name : suite.names) {
      EXPECT_TRUE(names.insert(name).second) << "two functions are called " << name;
    }
  }
}

/// Nothing else fails to be compiled.
TEST(LeftOutList, NamesWhatLlvmCannotCompile) {
  for (const Suite& suite : suites()) {
    for (const Configuration& configuration : suite.configurations) {
      for (const std::string& function : not_compiled(configuration)) {
        EXPECT_NE(why_left_out(configuration, function), nullptr) << function << " for " << configuration.name();
      }
    }
  }
}

}  // namespace
}  // namespace salu::compiler_test
