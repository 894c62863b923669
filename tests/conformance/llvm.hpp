#pragma once

#include <salu/integer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/decode.hpp"

/// LLVM's assembler and disassembler as the reference. Each call is one process for all of its input.
namespace salu::conformance {

/// Skips the test when a tool is not installed; `path` is what CMake found, empty for nothing.
#define SALU_NEEDS_TOOL(path, name) \
  if (std::string_view(path).empty()) GTEST_SKIP() << name " is not installed: this comparison was not made"

/// A processor as the parameter of a test.
struct Processor {
  std::string name;
  Generation generation;
};
inline std::ostream& operator<<(std::ostream& out, const Processor& processor) { return out << processor.name; }

/// The name of a test for a processor; of one that stands for another generation than its own, with that one's name.
std::string test_name(const std::string& processor, Generation generation);

/// LLVM's processor that stands for a generation where only one is compared.
std::string_view main_processor(Generation generation);

/// The words of one instruction, and what follows it when `count` says more than it needs.
using Words = isa::EncodedWords;

/// `0xbe800080 0x00000001`
std::string to_text(const Words& words);

/// What llvm-mc prints for each run of words; nothing where the words are not exactly one valid instruction. Text with
/// a comment such as
/// `/*Invalid register*/` counts as invalid.
std::vector<std::optional<std::string>> llvm_disassemble(std::string_view processor, std::span<const Words> inputs);

/// The words that llvm-mc makes of each line; nothing where it reports an error. Lines must not depend on each other.
std::vector<std::optional<Words>> llvm_assemble(std::string_view processor, std::span<const std::string> lines);

/// Standard output and standard error of a command.
struct CommandOutput {
  int status = -1;
  std::string out;
  std::string err;
};
/// Runs a program with arguments, `input` on its standard input.
CommandOutput run_command(const std::vector<std::string>& arguments, std::string_view input);

}  // namespace salu::conformance
