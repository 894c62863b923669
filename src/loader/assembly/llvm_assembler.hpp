#pragma once

#include <salu/error.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loader/objects/program_builder.hpp"

/// LLVM's assembler, llvm-mc, run as a program.
namespace salu::loader {

/// What LLVM's assembler calls a text that it reads from standard input, in messages and in source lines.
inline constexpr std::string_view llvm_stdin_name = "<stdin>";

/// The path of llvm-mc: what SALU_LLVM_MC names, else the first of llvm-mc-19, other versions and llvm-mc in PATH;
/// nothing where there is none.
std::optional<std::string> find_llvm_assembler();

/// What there is to say when it is asked for and not there.
std::string missing_llvm_assembler();

/// An object, or why there is none. Errors are at places of the text.
struct LlvmAssembly {
  std::string object;         ///< the bytes of a relocatable ELF file; empty when there are errors
  std::vector<Error> errors;  ///< in the order of the text
};

/// Assembles a text with the program at a path. A target that the text names (`.amdgcn_target`) is taken with its
/// features and its system.
LlvmAssembly assemble_with_llvm(const std::string& program, const CodeInput& input, const Target& target);

}  // namespace salu::loader
