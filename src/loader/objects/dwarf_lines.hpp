#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/elf_image.hpp"

/// Source lines of compiled code, from the DWARF line tables of an object (`-g`).
namespace salu::loader {

/// Where an object lies in memory, as far as its debugging information speaks of it.
struct ObjectPlace {
  u64 base = 0;                            ///< of a shared object
  std::span<const u64> section_addresses;  ///< of a relocatable one, like `ElfImage::sections`
  std::span<const CodeBlock> code;         ///< by address
};

struct SourceLines {
  std::vector<std::string> files;  ///< paths as the compiler wrote them
  std::vector<LineEntry> lines;    ///< by address, one for each dword of the code whose line is known
  std::string problem;             ///< what keeps the table from being read; empty when nothing does
};

/// The lines of the code of an object. `bytes` is its whole file.
SourceLines read_source_lines(const ElfImage& image, std::string_view bytes, const ObjectPlace& place);

}  // namespace salu::loader
