#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace salu::loader {

/// Reads the lines of a file as they arrive, so that an interactive writer gets an answer to each line.
class LineReader {
 public:
  /// Opens a file, or standard input for `-`. `before_waiting` is called before each wait for input.
  LineReader(const std::string& path, std::function<void()> before_waiting);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// Reads the next line without its end. Returns false at the end of the file, and if it cannot be read.
  bool next(std::string& line);

  /// The reason why the file cannot be read; empty if there was no error.
  [[nodiscard]] std::string problem() const;

 private:
  void fill();

  std::function<void()> before_waiting_;
  int descriptor_;
  int error_ = 0;
  bool at_end_ = false;
  std::string buffer_;
  std::size_t start_ = 0;  ///< start of the next line in `buffer_`
};

}  // namespace salu::loader
