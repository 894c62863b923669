#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>
#include <vector>

/// A workaround for libdw of elfutils 0.192 and later.
namespace salu::loader {

struct PaddedLineTables {
  std::string bytes;       ///< empty where no table is in the 64-bit format
  std::vector<u64> after;  ///< offsets, in the section as it was, at which `padding_bytes` have been inserted

  static constexpr u64 padding_bytes = 4;

  /// The offset of a table in `bytes`.
  [[nodiscard]] u64 moved(u64 offset) const;
};

/// Appends an operation that readers skip to each table in the 64-bit format of a `.debug_line` section. libdw of
/// elfutils 0.192 leaves the first 4 bytes of the length out where it computes the end of such a table, and does not
/// read the last 4 bytes of its program.
PaddedLineTables pad_line_tables(std::string_view tables);

}  // namespace salu::loader
