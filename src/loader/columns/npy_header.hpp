#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace salu::loader {

/// An integer in each item of an array.
struct NpyField {
  std::string name;  ///< empty where the item is nothing else
  u64 offset_bytes = 0;
  u32 size_bytes = 4;
  bool is_signed = false;
};

/// What a file of NumPy's (.npy) says of the array in it.
struct NpyHeader {
  std::vector<NpyField> fields;
  u64 item_bytes = 0;
  bool is_fortran = false;  ///< columns one after the other, not rows
  std::vector<u64> shape;
  u64 data_offset = 0;
};

/// The most that a header may have: that of a few fields takes 128 bytes.
inline constexpr u64 most_npy_header_bytes = 65'536;

/// Reads the header at the beginning of a file, of which these are the first bytes: so many as a header may have, or
/// all of it. Rejects what is no array of little-endian integers.
NpyHeader read_npy_header(std::string_view bytes, const std::string& file);

}  // namespace salu::loader
