#pragma once

#include <salu/scenario.hpp>

#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu::loader {

/// The most that is read: a scenario file, a state file (it may hold a memory dump), and a file of code or data.
inline constexpr u64 yaml_limit_bytes = u64{16} << 20;
inline constexpr u64 state_limit_bytes = u64{64} << 20;
inline constexpr u64 file_limit_bytes = u64{64} << 20;

/// The same rules for a file that another file names: whoever wrote that need not be who waits for a pipe.
FileRules only_regular(FileRules rules);

/// What `-` on the command line is called in messages.
inline constexpr std::string_view stdin_name = "<stdin>";

/// A file that is read piece by piece, or standard input for `-`.
class FileStream {
 public:
  /// Rejects what cannot be read, directories, and what the rules do not allow.
  FileStream(const std::string& path, const FileRules& rules);

  /// The next bytes of it, at least one, and how many there were: none at its end. Rejects errors.
  std::size_t read(std::span<char> buffer);
  /// Of a regular file; else 0.
  [[nodiscard]] u64 size_bytes() const { return size_bytes_; }
  /// Fills a buffer from a place of a regular file. Any thread may ask. False with `errno` when that cannot be read, 0
  /// when the file ends before.
  bool read_at(u64 offset, std::span<char> buffer) const;
  /// What is left of it behind `begin`. Rejects more than `limit_bytes` in all, saying so with `what` (`a scenario`).
  std::string read_all(std::string begin, u64 limit_bytes, std::string_view what);

 private:
  struct Closer {
    void operator()(std::FILE* file) const;
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  u64 size_bytes_ = 0;  ///< of a regular file, else 0
};

/// The whole of a file, or of standard input for `-`. Rejects what a `FileStream` rejects and what is larger than
/// `limit_bytes`, saying so with `what` (`a scenario file`).
std::string read_file(const std::string& path, u64 limit_bytes, std::string_view what, const FileRules& rules);

/// The whole of a regular file that may be there or not.
Result<std::string> find_text(const std::string& path);

/// A path beside the file that names it.
std::string resolve_path(const std::string& path, const std::string& naming_file);

/// True for a file that is named like a YAML or JSON document.
bool has_yaml_extension(const std::string& path);

/// Name of a path in messages: `<stdin>` for `-`.
std::string display_name(const std::string& path);

/// A text cut into lines when the first of them is asked for, by any thread.
class Lines {
 public:
  /// The text has to outlive it. `first` is the number of its first line.
  explicit Lines(std::string_view text, u32 first = 1) : text_(text), first_(first) {}
  [[nodiscard]] u32 count() const { return static_cast<u32>(starts().size()); }
  /// The line without its end; empty when there is none.
  [[nodiscard]] std::string_view whole_line(u32 number) const;
  /// The same for messages: a line that is too long to print is left out.
  [[nodiscard]] std::string_view line(u32 number) const;

 private:
  const std::vector<std::size_t>& starts() const;

  std::string_view text_;
  u32 first_;
  /// Of `starts_`. Not std::call_once: where what that calls throws and there is no memory, glibc ends the process.
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> starts_;  ///< empty until they are asked for
};

/// Offset of the first byte that is no UTF-8 text (NUL included), or npos.
std::size_t find_non_text(std::string_view text);

/// Line and column (bytes, from 1) of an offset.
struct TextPosition {
  u32 line;
  u32 column;
};
TextPosition position_of(std::string_view text, std::size_t offset);

}  // namespace salu::loader
