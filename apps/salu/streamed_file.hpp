#pragma once

#include <salu/error.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace salu::app {

/// A file that is written piece by piece, because it may be too large for memory. A failing write ends the program with
/// an error message.
class StreamedFile {
 public:
  /// Creates or opens a file. Its contents stay until `begin`.
  static Result<StreamedFile> open(const std::string& path);

  /// Truncates the file. To be called before the first write.
  void begin();
  void write(std::string_view text);
  /// Replaces bytes that were written.
  void rewrite(long offset, std::string_view text);
  /// Closes the file. Removes a new file in which nothing was begun.
  void close();

 private:
  explicit StreamedFile(std::string path) : path_(std::move(path)) {}
  [[noreturn]] void fail() const;

  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  bool has_begun_ = false;
  bool is_new_ = false;  ///< created by `open`
};

}  // namespace salu::app
