#pragma once

#include <salu/integer.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace salu::loader {

/// LLVM's disassembler as a program, llvm-mc: the library of LLVM 22 and 23 ends the process on words that name a
/// register that does not exist, such as 0x7ffe0502.
class LlvmMcDisassembler {
 public:
  /// `program`: the path of llvm-mc; `processor`: as in `gfx950`.
  LlvmMcDisassembler(std::string program, std::string processor);

  /// Disassembles instructions, each given by its words, so that `text_of` knows them. One call with many instructions
  /// starts far fewer programs than many calls do.
  void add(const std::vector<std::vector<u32>>& instructions);

  /// LLVM's text of an instruction; empty for an invalid instruction.
  const std::string& text_of(std::span<const u32> words);

 private:
  using Instructions = std::span<const std::vector<u32>>;
  void disassemble(Instructions instructions);

  std::string program_;
  std::string processor_;
  u32 failures_ = 0;                               ///< runs of the program that were not valid
  std::map<std::vector<u32>, std::string> texts_;  ///< empty: invalid
};

}  // namespace salu::loader
