#pragma once

#include <salu/integer.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace salu::loader {

/// LLVM's disassembler as a program, llvm-mc. Used because the library of LLVM 22 and 23 aborts the process for words
/// with a nonexistent register, such as 0x7ffe0502.
class LlvmMcDisassembler {
 public:
  /// Stores the path of llvm-mc and the processor (`gfx950`).
  LlvmMcDisassembler(std::string program, std::string processor);

  /// Disassembles instructions, each given by its words, for `text_of`. One call with many instructions starts far
  /// fewer processes than many calls.
  void add(const std::vector<std::vector<u32>>& instructions);

  /// Returns LLVM's text of an instruction; empty for an invalid instruction.
  const std::string& text_of(std::span<const u32> words);

 private:
  using Instructions = std::span<const std::vector<u32>>;
  void disassemble(Instructions instructions);

  std::string program_;
  std::string processor_;
  u32 failures_ = 0;                               ///< failed runs of the program
  std::map<std::vector<u32>, std::string> texts_;  ///< empty: invalid
};

}  // namespace salu::loader
