#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Shared code of the fuzz targets. Their only entry point is libFuzzer's; replay.cpp calls it with stored inputs.
extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size);

namespace salu::fuzzing {

/// Consumes an input from its start. After its end, all bytes are zero.
class Bytes {
 public:
  Bytes(const u8* data, std::size_t size) : rest_(data, size) {}

  u8 take8();
  u16 take16();
  u32 take32();
  u64 take64();
  /// A number below `count`.
  u32 take_below(u32 count) { return count == 0 ? 0 : take16() % count; }
  Generation take_generation() { return all_generations()[take8() % generation_count]; }
  /// The rest as little-endian words; up to three bytes at the end are dropped.
  std::vector<u32> take_words(std::size_t most);
  std::string_view take_text();
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::span<const u8> rest_;
};

/// A file in memory with a path, for data that is loaded by path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// A folder of this process for files with meaningful names, deleted at the end.
class Folder {
 public:
  explicit Folder(const std::string& name);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder& operator=(Folder&&) = delete;

  /// Creates a file, or replaces it. Returns its path.
  [[nodiscard]] std::string write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/// Ends the process with a message.
[[noreturn]] void fail(std::string_view what, const std::string& detail);

/// Ends the process with a message if an invariant does not hold.
inline void require(bool holds, std::string_view what, const std::string& detail = {}) {
  if (!holds) fail(what, detail);
}
/// The same with a function that builds the detail only if needed.
template <std::invocable Detail>
void require(bool holds, std::string_view what, const Detail& detail) {
  if (!holds) fail(what, detail());
}

/// The words in hexadecimal, for messages.
std::string hex_words(std::span<const u32> words);

/// Checks the message of an error: it is not empty, and not an unexpected exception of a library.
void check_error(const Error& error);

}  // namespace salu::fuzzing
