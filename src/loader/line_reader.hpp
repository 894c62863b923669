#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace salu::loader {

/// The lines of a file as they come in, so that whoever writes them gets an answer to each.
class LineReader {
 public:
  /// `-` is standard input. `before_waiting` is called whenever nothing has come in yet.
  LineReader(const std::string& path, std::function<void()> before_waiting);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end; false at the end of the file, and when it cannot be read.
  bool next(std::string& line);

  /// Why the file cannot be read; empty when it can.
  [[nodiscard]] std::string problem() const;

 private:
  void fill();

  std::function<void()> before_waiting_;
  int descriptor_;
  int error_ = 0;
  bool at_end_ = false;
  std::string buffer_;
  std::size_t start_ = 0;  ///< of the next line in `buffer_`
};

}  // namespace salu::loader
