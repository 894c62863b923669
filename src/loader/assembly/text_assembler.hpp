#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assembler/assembler.hpp"
#include "loader/objects/code_input.hpp"

namespace salu::loader {

/// An assembled text: the result of salu's own assembler, or an object of LLVM's.
struct AssembledText {
  assembler::Assembly own;      ///< empty if there is an object
  std::string object;           ///< the bytes of a relocatable ELF file; empty: salu's own assembler made `own`
  std::vector<Remark> remarks;  ///< with places in the user's files, as in `errors`
  std::vector<Error> errors;    ///< empty if the text was assembled

  [[nodiscard]] bool by_llvm() const { return !object.empty(); }
};

/// Assembles the text of an input for a target, with its code at `base`, using the assembler that the input requests.
AssembledText assemble_text(const CodeInput& input, const Target& target, u64 base);

/// Rejects a text that could not be assembled.
[[noreturn]] void reject_text(AssembledText text);

/// Parses `name=value`; nothing if the text does not have this form.
std::optional<std::pair<std::string, i64>> parse_definition(std::string_view text);

/// Finds an assembler by its name in `assembler:` and --assembler; nothing for other words.
std::optional<Assembler> find_assembler(std::string_view name);

}  // namespace salu::loader
