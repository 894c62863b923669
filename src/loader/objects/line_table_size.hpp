#pragma once

#include <salu/integer.hpp>

#include <string_view>

/// The size of line tables after reading: a few bytes may expand to gigabytes.
namespace salu::loader {

/// The most bytes of a folder or file name: the limit of paths on Linux.
inline constexpr std::size_t longest_path = 4096;

struct LineTableSize {
  u64 tables = 0;
  u64 rows = 0;
  u64 name_bytes = 0;    ///< total length of the paths of all files: folder and name
  u64 files = 0;         ///< number of files, whose paths may be relative to the folder of their unit
  bool is_known = true;  ///< false if a name has an unknown form, or is longer than any path
};

/// Measures the tables of a `.debug_line` section (DWARF 2 to 5, little-endian). A damaged table counts up to the
/// damaged place. `line_names` and `names` are the sections `.debug_line_str` and `.debug_str`, to which it refers.
LineTableSize measure_line_tables(std::string_view tables, std::string_view line_names, std::string_view names);

}  // namespace salu::loader
