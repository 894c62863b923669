#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace salu::loader {

inline constexpr u64 default_base = 0x1000;
/// A block without a base of its own starts at the next multiple of this behind the block before it.
inline constexpr u64 block_alignment_bytes = 256;

/// One block before it is placed.
struct CodeInput {
  enum class Kind : u8 { assembly, words, elf };
  Kind kind = Kind::words;
  SourcePlace where;        ///< of the block, for messages about it as a whole
  std::string source_line;  ///< the line at `where`
  std::optional<u64> base;

  std::string text;         ///< assembly, or the bytes of the ELF file
  bool as_in_file = false;  ///< of an ELF file: relocations are not applied
  std::string file;         ///< that the text is from
  u32 first_line = 1;
  u32 first_column = 1;
  bool exact_places = true;  ///< false: lines of the text are not lines of the file; messages name `where`

  AssemblyOptions assembly{};  ///< of assembly
  FileRules files{};           ///< which files assembly may include

  std::vector<u32> words;

  std::string symbol;  ///< where to start; empty: at the block's first instruction or first function
  SourcePlace symbol_where;
  std::string symbol_line;  ///< the line at `symbol_where`
};

}  // namespace salu::loader
