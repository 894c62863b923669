#include "loader/objects/line_table_padding.hpp"

#include <algorithm>
#include <array>

namespace salu::loader {
namespace {

constexpr u64 mark_of_64_bits = 0xffffffff;
constexpr std::size_t short_bytes = 4;  ///< a length in the 32-bit format, or the mark before one in the 64-bit format
constexpr std::size_t long_bytes = 8;

/// An extended operation of two bytes with the unassigned code DW_LNE_lo_user.
constexpr std::array<char, PaddedLineTables::padding_bytes> skipped_operation = {0, 2, '\x80', 0};

u64 number_at(std::string_view bytes, std::size_t offset, std::size_t size_bytes) {
  u64 value = 0;
  for (std::size_t i = size_bytes; i-- > 0;) value = value << 8 | static_cast<u8>(bytes[offset + i]);
  return value;
}

}  // namespace

u64 PaddedLineTables::moved(u64 offset) const {
  const auto before = std::ranges::upper_bound(after, offset) - after.begin();
  return offset + padding_bytes * static_cast<u64>(before);
}

PaddedLineTables pad_line_tables(std::string_view tables) {
  PaddedLineTables padded;
  std::size_t at = 0;
  while (tables.size() - at >= short_bytes) {
    u64 length = number_at(tables, at, short_bytes);
    const bool is_64 = length == mark_of_64_bits;
    const std::size_t start = at + short_bytes + (is_64 ? long_bytes : 0);
    if (start > tables.size()) break;
    if (is_64) length = number_at(tables, at + short_bytes, long_bytes);
    // libdw reports a damaged table.
    if (length > tables.size() - start) break;
    const std::size_t end = start + length;
    if (is_64) {
      padded.bytes += tables.substr(at, short_bytes);
      for (std::size_t i = 0; i < long_bytes; ++i)
        padded.bytes += static_cast<char>((length + PaddedLineTables::padding_bytes) >> (8 * i));
      padded.bytes += tables.substr(start, length);
      padded.bytes.append(skipped_operation.data(), skipped_operation.size());
      padded.after.push_back(end);
    } else {
      padded.bytes += tables.substr(at, end - at);
    }
    at = end;
  }
  if (padded.after.empty()) return {};
  padded.bytes += tables.substr(at);
  return padded;
}

}  // namespace salu::loader
