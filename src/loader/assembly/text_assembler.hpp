#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assembler/assembler.hpp"
#include "loader/objects/code_input.hpp"

namespace salu::loader {

/// What a text was assembled to: by salu's own assembler, or by LLVM's to an object.
struct AssembledText {
  assembler::Assembly own;      ///< of nothing when there is an object
  std::string object;           ///< the bytes of a relocatable ELF file; empty: salu's own assembler made `own`
  std::vector<Remark> remarks;  ///< at places that the user knows, as are the errors
  std::vector<Error> errors;    ///< none when it assembled

  [[nodiscard]] bool by_llvm() const { return !object.empty(); }
};

/// Assembles the text of an input for a target, its code at an address, with the assembler that the input asks for.
AssembledText assemble_text(const CodeInput& input, const Target& target, u64 base);

/// Leaves with the errors of a text that did not assemble.
[[noreturn]] void reject_text(AssembledText text);

/// A symbol and its value from `name=value`; nothing when the text is not that.
std::optional<std::pair<std::string, i64>> parse_definition(std::string_view text);

/// The name of an assembler, as `assembler:` and --assembler take it; nothing for any other word.
std::optional<Assembler> find_assembler(std::string_view name);

}  // namespace salu::loader
