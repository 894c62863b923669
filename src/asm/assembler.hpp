#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/program.hpp>
#include <salu/target.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace salu::assembler {

struct Options {
  Generation generation = Generation::gcn1_4;
  std::string file;                               ///< for messages
  u64 base = 0;                                   ///< byte address of the first word; labels get absolute addresses
  u32 first_line = 1;                             ///< line of the text's first line in `file` (assembly inside YAML)
  u32 first_column = 1;                           ///< column of the text's first column in `file`
  std::size_t most_words = std::size_t{1} << 20;  ///< more code than this (4 MiB) is an error
};

/// Words and what is known about them. `errors` is empty when the text assembled.
struct Assembly {
  std::vector<u32> words;
  std::vector<Symbol> labels;    ///< sorted by address; constants of `.set` are not here
  std::vector<LineEntry> lines;  ///< one an instruction; `file` 0
  std::vector<Error> errors;     ///< every error of the text, in order
  std::vector<Remark> remarks;   ///< accepted, but probably not meant
};

/// Assembles a whole text: labels, comments (`//`, `;`, `/* */`), `.set`-like constants, `.long`/`.dword` data, LLVM's
/// syntax and CLRX's spellings. Never throws.
Assembly assemble(std::string_view text, const Options& options);

}  // namespace salu::assembler
