#include "loader/text_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "loader/rejection.hpp"
#include "support/names.hpp"
#include "support/utf8.hpp"

namespace salu::loader {
namespace {

constexpr std::size_t chunk_bytes = 1 << 16;

std::string mebibytes(u64 bytes) { return fmt::format("{} MiB", bytes >> 20); }

[[noreturn]] void reject_io(const std::string& path, std::string_view why) {
  reject(ErrorCode::io, {display_name(path)}, "cannot read the file: " + std::string(why));
}

/// Opens a file; null with `errno` on failure. With `regular_only`, other files are rejected, so that neither opening
/// nor reading can block.
std::FILE* open_file(const std::string& path, const FileRules& rules) {
  // The system would use the name up to the NUL.
  if (path.find('\0') != std::string::npos) reject_io(path, "its name contains a NUL byte");
  if (!rules.regular_only) return path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  struct stat status{};
  // Checked before, because opening some devices has side effects.
  if (path != "-" && stat(path.c_str(), &status) != 0) return nullptr;
  if (S_ISDIR(status.st_mode)) reject_io(path, "it is a directory");
  if (!S_ISREG(status.st_mode)) reject_io(path, "it is not a regular file");
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  // Checked again, because the file may have been replaced.
  const bool is_regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  std::FILE* const file = is_regular ? fdopen(descriptor, "rb") : nullptr;
  if (file == nullptr) close(descriptor);
  if (!is_regular) reject_io(path, "it is not a regular file");
  return file;
}

}  // namespace

FileRules only_regular(FileRules rules) {
  rules.regular_only = true;
  return rules;
}

void FileStream::Closer::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

FileStream::FileStream(const std::string& path, const FileRules& rules) : path_(path), file_(open_file(path, rules)) {
  if (!file_) reject_io(path, std::strerror(errno));
  if (rules.read) rules.read(path);
  struct stat status{};
  if (fstat(fileno(file_.get()), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) reject_io(path, "it is a directory");
  if (S_ISREG(status.st_mode)) size_bytes_ = static_cast<u64>(status.st_size);
}

std::size_t FileStream::read(std::span<char> buffer) {
  // Not fread, which would wait for a full buffer: a pipe may be filled slowly.
  ssize_t count = -1;
  while ((count = ::read(fileno(file_.get()), buffer.data(), buffer.size())) < 0) {
    if (errno != EINTR) reject_io(path_, std::strerror(errno));
  }
  return static_cast<std::size_t>(count);
}

bool FileStream::read_at(u64 offset, std::span<char> buffer) const {
  while (!buffer.empty()) {
    const ssize_t count = pread(fileno(file_.get()), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = 0;
    if (count <= 0) return false;
    offset += static_cast<u64>(count);
    buffer = buffer.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::string FileStream::read_all(std::string begin, u64 limit_bytes, std::string_view what) {
  const auto too_large = [&] {
    reject(ErrorCode::io, {display_name(path_)},
           fmt::format("too large for {}: the limit is {}", what, mebibytes(limit_bytes)));
  };
  if (size_bytes_ > limit_bytes) too_large();
  std::string text = std::move(begin);
  text.reserve(static_cast<std::size_t>(size_bytes_));
  // Reads into a buffer, because resizing the string first would fill it with zeros.
  const auto buffer = std::make_unique_for_overwrite<char[]>(chunk_bytes);
  while (const std::size_t count = read({buffer.get(), chunk_bytes})) {
    text.append(buffer.get(), count);
    if (text.size() > limit_bytes) too_large();
  }
  return text;
}

std::string read_file(const std::string& path, u64 limit_bytes, std::string_view what, const FileRules& rules) {
  return FileStream(path, rules).read_all({}, limit_bytes, what);
}

Result<std::string> find_text(const std::string& path) {
  try {
    // Only regular files: a device or a pipe might never end.
    return read_file(path, file_limit_bytes, "a text", only_regular({}));
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

std::string resolve_path(const std::string& path, const std::string& naming_file) {
  const std::filesystem::path named(path);
  if (named.is_absolute() || naming_file == "-" || naming_file == stdin_name) return path;
  return (std::filesystem::path(naming_file).parent_path() / named).string();
}

bool has_yaml_extension(const std::string& path) {
  const std::string extension = support::lower_case(std::filesystem::path(path).extension().string());
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

std::string display_name(const std::string& path) { return path == "-" ? std::string(stdin_name) : path; }

const std::vector<std::size_t>& Lines::starts() const {
  const std::lock_guard lock(mutex_);
  if (!starts_.empty()) return starts_;
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = text_.find('\n'); i != std::string_view::npos; i = text_.find('\n', i + 1))
    starts.push_back(i + 1);
  return starts_ = std::move(starts);
}

std::string_view Lines::line(u32 number) const {
  constexpr std::size_t longest = 200;
  const std::string_view line = whole_line(number);
  return line.size() > longest ? std::string_view() : line;
}

std::string_view Lines::whole_line(u32 number) const {
  const std::vector<std::size_t>& starts = this->starts();
  if (number < first_ || number - first_ >= starts.size()) return {};
  const std::size_t index = number - first_;
  const std::size_t start = starts[index];
  const std::size_t end = index + 1 < starts.size() ? starts[index + 1] - 1 : text_.size();
  std::string_view line = text_.substr(start, end - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t find_non_text(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    // Skip eight bytes at a time while all are nonzero ASCII.
    for (u64 bytes = 0; text.size() - i >= sizeof bytes; i += sizeof bytes) {
      std::memcpy(&bytes, text.data() + i, sizeof bytes);
      constexpr u64 high_bits = 0x8080'8080'8080'8080;
      constexpr u64 ones = 0x0101'0101'0101'0101;
      if (((bytes | (bytes - ones)) & high_bits) != 0) break;
    }
    if (i == text.size()) break;
    if (text[i] == '\0') return i;
    const std::size_t length = support::first_character(text.substr(i)).length;
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const auto line = static_cast<u32>(std::ranges::count(before, '\n')) + 1;
  return {line, static_cast<u32>(newline == std::string_view::npos ? offset : offset - newline - 1) + 1};
}

}  // namespace salu::loader
