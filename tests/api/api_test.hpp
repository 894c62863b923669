#pragma once

#include <gtest/gtest.h>
#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace salu::api_test {

/// The only scenario of a text.
inline Scenario scenario_of(std::string_view text) {
  std::vector<Result<Scenario>> loaded = load_yaml(text, "test.yaml");
  EXPECT_EQ(loaded.size(), 1U);
  EXPECT_TRUE(loaded.front().has_value()) << loaded.front().error().to_string();
  return std::move(loaded.front()).value();
}

/// A scenario of lines of assembly for gfx900, with further lines of YAML.
inline Scenario assembled(const std::string& lines, const std::string& more = "") {
  std::string text = "target: gfx900\n" + more + "code:\n  asm: |\n";
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = lines.find('\n', begin);
    text += "    " + lines.substr(begin, end - begin) + "\n";
    begin = end == std::string::npos ? lines.size() : end + 1;
  }
  return scenario_of(text);
}

/// Five times around: s0 counts down from 5, s1 is the sum 5 + 4 + 3 + 2 + 1. 2 + 5 * 4 + 1 instructions.
inline const std::string counting =
    "s_mov_b32 s0, 5\ns_mov_b32 s1, 0\nloop:\ns_add_u32 s1, s1, s0\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\n"
    "s_cbranch_scc1 loop\ndone:\ns_endpgm";

inline const std::string programs = SALU_PROGRAMS_DIR;

/// The error message of a result, which must be an error.
template <class T>
std::string message_of(const Result<T>& result) {
  EXPECT_FALSE(result.has_value());
  return result ? "" : result.error().message;
}

}  // namespace salu::api_test
