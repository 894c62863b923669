#pragma once

#include <salu/error.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loader/objects/code_input.hpp"

/// LLVM's assembler, llvm-mc, run as a program.
namespace salu::loader {

/// What LLVM's assembler calls a text that it reads from standard input, in messages and in source lines.
inline constexpr std::string_view llvm_stdin_name = "<stdin>";

/// Paths of llvm-mc, in the order in which they are tried: what SALU_LLVM_MC names, else those of `find_llvm_programs`.
/// `llvm`: the version of `--llvm`; empty: none.
std::vector<std::string> find_llvm_assemblers(const std::string& llvm);

/// The message for when `find_llvm_assemblers` finds none.
std::string missing_llvm_assembler(const std::string& llvm);

/// An object, or why there is none. Errors are at places of the text.
struct LlvmAssembly {
  std::string program;        ///< that assembled it, or whose errors these are
  std::string object;         ///< the bytes of a relocatable ELF file; empty when there are errors
  std::vector<Error> errors;  ///< in the order of the text
};

/// Assembles a text with the first of the programs that accepts it: each version of LLVM refuses what some others
/// write. Errors are those of the first program. A target that the text names (`.amdgcn_target`) is taken with its
/// features and its system.
LlvmAssembly assemble_with_llvm(const std::vector<std::string>& programs, const CodeInput& input, const Target& target);

}  // namespace salu::loader
