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

/// LLVM's assembler and disassembler as the reference. Each call of the assembler is one process for all of its input;
/// the disassembler is LLVM's library, in this process.
namespace salu::conformance {

/// The LLVM to compare with: the version in the environment variable SALU_TEST_LLVM, by default LLVM 19.
struct Llvm {
  int version;
  std::string mc;       ///< paths of its tools; empty: not installed
  std::string llc;      ///< the compiler
  std::string readelf;  ///< llvm-readelf
};
const Llvm& llvm();

/// Skips the test if LLVM is not installed.
#define SALU_NEEDS_LLVM                                                  \
  if (llvm().mc.empty() || llvm().llc.empty() || llvm().readelf.empty()) \
  GTEST_SKIP() << "LLVM " << llvm().version << " is not installed: this comparison was not made"

/// A range of LLVM versions.
struct Versions {
  int first = 0;
  int last = 99;
  [[nodiscard]] bool has(int version) const { return first <= version && version <= last; }
};
/// LLVM 19 is the oldest supported version, LLVM 22 the next one.
inline constexpr Versions until_19{0, 19};
inline constexpr Versions since_22{22, 99};

/// A processor as the parameter of a test.
struct Processor {
  std::string name;
  bool thorough = false;  ///< true for one of the processors with the same instructions
  [[nodiscard]] Generation generation() const { return find_target(name)->generation; }
};
inline std::ostream& operator<<(std::ostream& out, const Processor& processor) { return out << processor.name; }

/// A name as part of a test name: `gfx9_4_generic`, `gcn1_4`.
std::string test_name(std::string_view name);

/// The processors and generations of a list that LLVM supports.
std::vector<Processor> known_processors(std::vector<Processor> processors);
std::vector<Generation> known_generations(std::vector<Generation> generations);
/// All generations that LLVM supports.
std::vector<Generation> generations();

/// The parameters of a test that takes long. For LLVM 22 these are the ones that LLVM 19 does not support, and gfx900
/// or its generation; with SALU_CONFORMANCE=all in the environment all of them.
std::vector<Processor> selected(std::vector<Processor> processors);
std::vector<Generation> selected(std::vector<Generation> generations);

/// LLVM's processor for a generation if only one is compared.
std::string_view main_processor(Generation generation);

/// The words of one instruction, and following words if `count` is larger than it needs.
using Words = isa::EncodedWords;

/// `0xbe800080 0x00000001`
std::string to_text(const Words& words);

/// LLVM's text for each run of words; nothing if the words are not exactly one valid instruction. Text with a comment
/// such as `/*Invalid register*/` counts as invalid, and so do words that crash the disassembler.
std::vector<std::optional<std::string>> llvm_disassemble(std::string_view processor, std::span<const Words> inputs);

/// The number of words that have crashed LLVM's disassembler in this process.
std::size_t disassembler_crashes();

/// True if LLVM's text has `lit(0x40)`, the literal of the instruction, in place of salu's number, and is the same
/// otherwise.
bool is_same_but_for_lit(std::string_view llvm, std::string_view salu, u32 literal);

/// The output of llvm-mc for each line; nothing for an error. Lines must not depend on each other.
std::vector<std::optional<Words>> llvm_assemble(std::string_view processor, std::span<const std::string> lines);

/// Standard output and standard error of a command.
struct CommandOutput {
  int status = -1;
  std::string out;
  std::string err;
};
/// Runs a program with arguments and `input` on its standard input.
CommandOutput run_command(const std::vector<std::string>& arguments, std::string_view input);

}  // namespace salu::conformance
