#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

/// Skips a test if it may not use the tool of LLVM with this path.
#define SALU_NEEDS(path, name) \
  if (!salu::test::may_use(path)) GTEST_SKIP() << name " is not installed: this comparison was not made"

namespace salu::test {

/// True if CMake found the tool. False for all tools with SALU_TEST_LLVM=none in the environment (scripts/test --fast).
inline bool may_use(std::string_view path) {
  const char* const version = std::getenv("SALU_TEST_LLVM");
  return !path.empty() && (version == nullptr || std::string_view(version) != "none");
}

}  // namespace salu::test
