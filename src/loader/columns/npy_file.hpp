#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <span>
#include <string>
#include <vector>

#include "loader/text_file.hpp"

namespace salu::loader {

/// A NumPy file (.npy) of integers: one column for each number of a row. Values are read on demand and not kept in
/// memory.
class NpyFile {
 public:
  static Result<NpyFile> open(const std::string& path, const FileRules& rules);

  struct Column {
    std::string name;  ///< name of the field; empty if fields have no names
    u64 offset_bytes = 0;
    u64 stride_bytes = 0;
    u32 size_bytes = 4;
    bool is_signed = false;
  };
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] u64 rows() const { return rows_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  /// Reads the values of a column from a row on, negative values in two's complement of 64 bits. May be called from any
  /// thread. Returns an error message; empty on success.
  [[nodiscard]] std::string read(const Column& column, u64 row, std::span<u64> values) const;

 private:
  NpyFile(std::string path, const FileRules& rules);

  std::string path_;
  FileStream stream_;
  u64 rows_ = 0;
  std::vector<Column> columns_;
};

}  // namespace salu::loader
