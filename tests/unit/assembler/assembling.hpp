#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "assembler/assembler.hpp"

namespace salu::assembler {

using Words = std::vector<u32>;

/// Assembles a text with the default options.
inline Assembly assembled(std::string_view text, Generation generation = Generation::gcn1_4, u64 base = 0) {
  Options options;
  options.generation = generation;
  options.base = base;
  return assemble(text, options);
}

/// The message of the first error; empty if there is no error.
inline std::string problem(const Assembly& assembly) {
  return assembly.errors.empty() ? "" : assembly.errors.front().message;
}

/// The words of a text. An error in the text fails the test.
inline Words words(std::string_view text, Generation generation = Generation::gcn1_4, u64 base = 0) {
  const Assembly assembly = assembled(text, generation, base);
  EXPECT_EQ(problem(assembly), "") << text;
  return assembly.words;
}

}  // namespace salu::assembler
