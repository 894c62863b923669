#include "loader/columns/npy_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "loader/columns/npy_header.hpp"
#include "loader/rejection.hpp"
#include "loader/yaml/named_file.hpp"

namespace salu::loader {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

u64 value_at(const char* bytes, const NpyFile::Column& column) {
  u64 value = 0;
  std::memcpy(&value, bytes, column.size_bytes);
  const u32 unused = 64 - 8 * column.size_bytes;
  return column.is_signed ? static_cast<u64>(static_cast<i64>(value << unused) >> unused) : value;
}

/// Returns the size of the array in bytes; nothing if it exceeds the size of any file.
std::optional<u64> bytes_of(const NpyHeader& header) {
  u64 bytes = header.item_bytes;
  for (const u64 length : header.shape) {
    if (length != 0 && bytes > ~u64{0} / length) return std::nullopt;
    bytes *= length;
  }
  return bytes;
}

}  // namespace

// Only regular files: pipes and devices are not seekable.
NpyFile::NpyFile(std::string path, const FileRules& rules)
    : path_(std::move(path)), stream_(path_, only_regular(rules)) {
  const auto fail = [&](std::string what) { reject(ErrorCode::scenario, {path_}, std::move(what)); };
  std::string begin(static_cast<std::size_t>(std::min<u64>(stream_.size_bytes(), most_npy_header_bytes)), '\0');
  if (!stream_.read_at(0, begin)) fail("cannot read the file");
  const NpyHeader header = read_npy_header(begin, path_);
  const std::size_t dimensions = header.shape.size();
  const bool has_names = !header.fields.empty() && !header.fields[0].name.empty();
  if (dimensions == 0 || dimensions > (has_names ? 1 : 2)) {
    fail(
        fmt::format("an array with {} dimensions; expected one dimension of numbers or structures, or two of numbers "
                    "(rows and columns)",
                    dimensions));
  }
  const std::optional<u64> bytes = bytes_of(header);
  const u64 data_bytes = stream_.size_bytes() - header.data_offset;
  if (bytes != data_bytes) {
    fail(fmt::format("the header specifies {} bytes of numbers, but the file has {}",
                     bytes ? std::to_string(*bytes) : "more than 2^64", data_bytes));
  }
  rows_ = header.shape[0];
  const u64 across = dimensions == 2 ? header.shape[1] : 1;
  constexpr u64 most_npy_columns = 65'536;
  if (across > most_npy_columns) fail(fmt::format("{} columns; the limit is {}", across, most_npy_columns));
  for (u64 i = 0; i < across; ++i) {
    const u64 place = i * header.item_bytes * (header.is_fortran ? rows_ : 1);
    const u64 stride = header.item_bytes * (header.is_fortran ? 1 : across);
    for (const NpyField& field : header.fields)
      columns_.push_back(
          {field.name, header.data_offset + place + field.offset_bytes, stride, field.size_bytes, field.is_signed});
  }
}

Result<NpyFile> NpyFile::open(const std::string& path, const FileRules& rules) {
  if (auto problem = rules_problem(path, rules)) return *std::move(problem);
  try {
    return NpyFile(path, rules);
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

std::string NpyFile::read(const Column& column, u64 row, std::span<u64> values) const {
  std::array<char, buffer_bytes> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read
  const u64 rows_at_once = std::max<u64>(1, (buffer.size() - column.size_bytes) / column.stride_bytes);
  for (std::size_t done = 0; done < values.size();) {
    const u64 count = std::min<u64>(rows_at_once, values.size() - done);
    // Only up to the last number that is read: the file may end there.
    const u64 bytes = (count - 1) * column.stride_bytes + column.size_bytes;
    const u64 place = column.offset_bytes + (row + done) * column.stride_bytes;
    if (!stream_.read_at(place, std::span(buffer).first(static_cast<std::size_t>(bytes))))
      return fmt::format("row {} cannot be read: {}", row + done + 1,
                         errno == 0 ? "the file was truncated" : std::strerror(errno));
    for (std::size_t i = 0; i < count; ++i)
      values[done + i] = value_at(buffer.data() + i * static_cast<std::size_t>(column.stride_bytes), column);
    done += static_cast<std::size_t>(count);
  }
  return {};
}

}  // namespace salu::loader
