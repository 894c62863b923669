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

/// The name that LLVM's assembler gives to a text from standard input, in messages and in source lines.
inline constexpr std::string_view llvm_stdin_name = "<stdin>";

/// Returns the paths of llvm-mc in the order in which they are tried: that in SALU_LLVM_MC, otherwise those of
/// `find_llvm_programs`. `llvm` is the value of `--llvm`; empty: not given.
std::vector<std::string> find_llvm_assemblers(const std::string& llvm);

/// The message for the case that `find_llvm_assemblers` finds no program.
std::string missing_llvm_assembler(const std::string& llvm);

/// The result of LLVM's assembler: an object or errors, with places in the text.
struct LlvmAssembly {
  std::string program;        ///< the program that made the object or reported the errors
  std::string object;         ///< the bytes of a relocatable ELF file; empty if there are errors
  std::vector<Error> errors;  ///< in the order of the text
};

/// Assembles a text with the first program that accepts it, because each version of LLVM rejects some syntax of other
/// versions. Errors are those of the first program. The features and the system of the text's own target
/// (`.amdgcn_target`) are used.
LlvmAssembly assemble_with_llvm(const std::vector<std::string>& programs, const CodeInput& input, const Target& target);

}  // namespace salu::loader
