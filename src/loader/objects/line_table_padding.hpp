#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>
#include <vector>

/// A workaround for libdw of elfutils 0.192 and later.
namespace salu::loader {

struct PaddedLineTables {
  std::string bytes;       ///< empty if no table has the 64-bit format
  std::vector<u64> after;  ///< offsets in the original section at which `padding_bytes` were inserted

  static constexpr u64 padding_bytes = 4;

  /// Converts the offset of a table to its offset in `bytes`.
  [[nodiscard]] u64 moved(u64 offset) const;
};

/// Appends an operation that readers skip to each table in the 64-bit format of a `.debug_line` section. libdw of
/// elfutils 0.192 omits the first 4 bytes of the length when it computes the end of such a table, so it does not read
/// the last 4 bytes of the program.
PaddedLineTables pad_line_tables(std::string_view tables);

}  // namespace salu::loader
