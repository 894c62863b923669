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

/// Size limits of a scenario file, a state file (which may hold a memory dump), and a file of code or data.
inline constexpr u64 yaml_limit_bytes = u64{16} << 20;
inline constexpr u64 state_limit_bytes = u64{64} << 20;
inline constexpr u64 file_limit_bytes = u64{64} << 20;

/// Returns rules that also reject pipes and devices, for files that are named in another file: its author may not be
/// the user who would wait for a pipe.
FileRules only_regular(FileRules rules);

/// The name of standard input (`-`) in messages.
inline constexpr std::string_view stdin_name = "<stdin>";

/// A file, or standard input for `-`, that is read piece by piece.
class FileStream {
 public:
  /// Rejects unreadable files, directories, and files that the rules do not allow.
  FileStream(const std::string& path, const FileRules& rules);

  /// Reads the next bytes, at least one, and returns their number; 0 at the end of the file. Rejects errors.
  std::size_t read(std::span<char> buffer);
  /// The size of a regular file; otherwise 0.
  [[nodiscard]] u64 size_bytes() const { return size_bytes_; }
  /// Fills a buffer from an offset of a regular file. May be called from any thread. Returns false with `errno` if it
  /// cannot be read; `errno` is 0 if the file is too short.
  bool read_at(u64 offset, std::span<char> buffer) const;
  /// Returns `begin` with the rest of the file appended. Rejects more than `limit_bytes` in total, with `what` (`a
  /// scenario`) in the message.
  std::string read_all(std::string begin, u64 limit_bytes, std::string_view what);

 private:
  struct Closer {
    void operator()(std::FILE* file) const;
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  u64 size_bytes_ = 0;  ///< of a regular file, otherwise 0
};

/// Reads a whole file, or standard input for `-`. Rejects what `FileStream` rejects, and files larger than
/// `limit_bytes`, with `what` (`a scenario file`) in the message.
std::string read_file(const std::string& path, u64 limit_bytes, std::string_view what, const FileRules& rules);

/// Reads a whole regular file, which may not exist.
Result<std::string> find_text(const std::string& path);

/// Resolves a path relative to the file that names it.
std::string resolve_path(const std::string& path, const std::string& naming_file);

/// True for a file name with the extension of YAML or JSON.
bool has_yaml_extension(const std::string& path);

/// The name of a path in messages: `<stdin>` for `-`.
std::string display_name(const std::string& path);

/// The lines of a text, which is split at the first access, from any thread.
class Lines {
 public:
  /// `text` must outlive the object. `first` is the number of its first line.
  explicit Lines(std::string_view text, u32 first = 1) : text_(text), first_(first) {}
  [[nodiscard]] u32 count() const { return static_cast<u32>(starts().size()); }
  /// Returns a line without its end; empty if it does not exist.
  [[nodiscard]] std::string_view whole_line(u32 number) const;
  /// Returns a line for messages; empty if it is too long to print.
  [[nodiscard]] std::string_view line(u32 number) const;

 private:
  const std::vector<std::size_t>& starts() const;

  std::string_view text_;
  u32 first_;
  /// Protects `starts_`. Not std::call_once: glibc aborts the process if the function throws while memory is exhausted.
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> starts_;  ///< empty before the first access
};

/// Returns the offset of the first byte that is not UTF-8 text (NUL included), or npos.
std::size_t find_non_text(std::string_view text);

/// The line and column (in bytes, from 1) of an offset.
struct TextPosition {
  u32 line;
  u32 column;
};
TextPosition position_of(std::string_view text, std::size_t offset);

}  // namespace salu::loader
