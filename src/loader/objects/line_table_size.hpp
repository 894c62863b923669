#pragma once

#include <salu/integer.hpp>

#include <string_view>

/// How large line tables become where they are read: a few bytes of them may stand for gigabytes.
namespace salu::loader {

/// Bytes of a folder or a file's name at most; the system takes no longer path.
inline constexpr std::size_t longest_path = 4096;

struct LineTableSize {
  u64 tables = 0;
  u64 rows = 0;
  u64 name_bytes = 0;    ///< of the paths of all files, each as long as its folder and its name
  u64 files = 0;         ///< which may lie below the folder of their unit as well
  bool is_known = true;  ///< false where a name is of a form that is not known, or longer than any path
};

/// Counts what the tables of a `.debug_line` section hold (DWARF 2 to 5, little-endian). A table that is damaged counts
/// up to where it is. The others are the sections that it takes names from, `.debug_line_str` and `.debug_str`.
LineTableSize measure_line_tables(std::string_view tables, std::string_view line_names, std::string_view names);

}  // namespace salu::loader
