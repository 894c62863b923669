#pragma once

#include <salu/error.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace salu::app {

/// A file that is written piece by piece: there is more of it than anybody would want to keep in memory. What cannot be
/// written ends the program, with a message: whoever asked for it wants to know at once that there will be none.
class StreamedFile {
 public:
  /// Makes a file, or opens one, whose contents stay until `begin`.
  static Result<StreamedFile> open(const std::string& path);

  /// There is something to take the place of what the file held: that goes.
  void begin();
  void write(std::string_view text);
  /// Puts other bytes in the place of some that were written.
  void rewrite(long offset, std::string_view text);
  /// Everything has been written. A new file that nothing was begun in goes again.
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
  bool is_new_ = false;  ///< it was not there
};

}  // namespace salu::app
