#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace salu::loader {

/// An integer field of the items of an array.
struct NpyField {
  std::string name;  ///< empty if the item is a single number
  u64 offset_bytes = 0;
  u32 size_bytes = 4;
  bool is_signed = false;
};

/// The header of a NumPy file (.npy).
struct NpyHeader {
  std::vector<NpyField> fields;
  u64 item_bytes = 0;
  bool is_fortran = false;  ///< column-major order
  std::vector<u64> shape;
  u64 data_offset = 0;
};

/// The size limit of a header. A header with a few fields has 128 bytes.
inline constexpr u64 most_npy_header_bytes = 65'536;

/// Parses a header. `bytes` are the first bytes of the file: as many as a header may have, or the whole file. Rejects
/// arrays of anything but little-endian integers.
NpyHeader read_npy_header(std::string_view bytes, const std::string& file);

}  // namespace salu::loader
