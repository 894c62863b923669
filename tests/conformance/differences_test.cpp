#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "conformance/differences.hpp"
#include "conformance/vector_differences.hpp"

namespace salu::conformance {
namespace {

/// The page about the differences contains every name that comparisons exclude.
TEST(Differences, AreDocumented) {
  std::ifstream stream(SALU_SOURCE_DIR "/docs/reference/llvm-differences.md");
  ASSERT_TRUE(stream);
  std::set<std::string> headings;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("### ")) headings.insert(line.substr(4));
  }
  for (const Difference& difference : disassembly_differences()) {
    EXPECT_TRUE(headings.contains(std::string(difference.name))) << difference.name;
  }
  for (const vector::Difference& difference : vector::all_differences()) {
    EXPECT_TRUE(headings.contains(std::string(difference.name))) << difference.name;
  }
  EXPECT_TRUE(headings.contains(std::string(vector::bits_that_llvm_ignores)));
  for (const std::string name :
       {"gpr-idx-bits", "negative-buffer-offset", "setreg-float", "float-zero", "disassembler-crash"}) {
    EXPECT_TRUE(headings.contains(name)) << name;
  }
}

}  // namespace
}  // namespace salu::conformance
