#pragma once

#include <salu/target.hpp>

#include <gtest/gtest.h>

#include <string>

namespace salu::test {

/// Name of a generation that GoogleTest accepts.
inline std::string test_name(const testing::TestParamInfo<Generation>& generation) {
  std::string name(generation_name(generation.param));
  std::erase(name, '.');
  return name;
}

}  // namespace salu::test
