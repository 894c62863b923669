#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace salu::loader {

inline constexpr u64 default_base = 0x1000;
/// A block without a base starts at the next multiple of this after the previous block.
inline constexpr u64 block_alignment_bytes = 256;

/// A block of code before it is placed.
struct CodeInput {
  enum class Kind : u8 { assembly, words, elf };
  Kind kind = Kind::words;
  SourcePlace where;        ///< the block, for messages about it as a whole
  std::string source_line;  ///< the line at `where`
  std::optional<u64> base;

  std::string text;         ///< assembly, or the bytes of the ELF file
  bool as_in_file = false;  ///< for an ELF file: do not apply relocations
  std::string file;         ///< the file of the text
  u32 first_line = 1;
  u32 first_column = 1;
  bool exact_places = true;  ///< false: lines of the text do not correspond to lines of the file; messages use `where`

  AssemblyOptions assembly{};  ///< for assembly
  FileRules files{};           ///< restrictions on files that assembly includes

  std::vector<u32> words;

  std::string symbol;  ///< the entry; empty: the first instruction or first function of the block
  SourcePlace symbol_where;
  std::string symbol_line;  ///< the line at `symbol_where`
};

}  // namespace salu::loader
