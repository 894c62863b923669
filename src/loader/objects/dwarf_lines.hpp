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

/// The placement of an object, for its debugging information.
struct ObjectPlace {
  u64 base = 0;                            ///< of a shared object
  std::span<const u64> section_addresses;  ///< of a relocatable object, by index of `ElfImage::sections`
  std::span<const CodeBlock> code;         ///< by address
};

struct SourceLines {
  std::vector<std::string> files;  ///< paths as the compiler wrote them
  std::vector<LineEntry> lines;    ///< by address, one for each dword of code with a known line
  std::string problem;             ///< why the table cannot be read; empty if it can
};

/// Reads the source lines of an object's code. `bytes` is its whole file.
SourceLines read_source_lines(const ElfImage& image, std::string_view bytes, const ObjectPlace& place);

}  // namespace salu::loader
