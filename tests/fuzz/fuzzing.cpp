#include "fuzz/fuzzing.hpp"

#include <salu/report.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace salu::fuzzing {

u8 Bytes::take8() {
  if (rest_.empty()) return 0;
  const u8 value = rest_.front();
  rest_ = rest_.subspan(1);
  return value;
}

u16 Bytes::take16() {
  const u32 low = take8();
  return static_cast<u16>(low | u32{take8()} << 8);
}

u32 Bytes::take32() {
  const u32 low = take16();
  return low | u32{take16()} << 16;
}

u64 Bytes::take64() {
  const u64 low = take32();
  return low | u64{take32()} << 32;
}

std::vector<u32> Bytes::take_words(std::size_t most) {
  std::vector<u32> words(std::min(most, rest_.size() / 4));
  for (u32& word : words) word = take32();
  return words;
}

std::string_view Bytes::take_text() {
  const std::string_view text(reinterpret_cast<const char*>(rest_.data()), rest_.size());
  rest_ = {};
  return text;
}

MemoryFile::MemoryFile(std::string_view content) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
  require(descriptor_ >= 0, "a file in memory can be made");
  const ssize_t written = write(descriptor_, content.data(), content.size());
  require(written == static_cast<ssize_t>(content.size()), "the file takes the content");
}

MemoryFile::~MemoryFile() { close(descriptor_); }

Folder::Folder(const std::string& name)
    : path_(std::filesystem::temp_directory_path() / (name + "_" + std::to_string(getpid()))) {
  std::filesystem::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, std::string_view content) const {
  const std::string path = (path_ / name).string();
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return path;
}

void fail(std::string_view what, const std::string& detail) {
  std::fprintf(stderr, "does not hold: %.*s\n%s\n", static_cast<int>(what.size()), what.data(), detail.c_str());
  std::abort();
}

std::string hex_words(std::span<const u32> words) {
  std::string text;
  for (const u32 word : words) {
    char digits[12];
    std::snprintf(digits, sizeof digits, "%s%08x", text.empty() ? "" : " ", word);
    text += digits;
  }
  return text;
}

void check_error(const Error& error) {
  require(!error.message.empty(), "an error has a message");
  require(!error.message.starts_with("cannot be loaded: "), "every exception was foreseen", error.message);
  for (const ReportFormat format : {ReportFormat::text, ReportFormat::json}) {
    require(!report_error(error, format).empty(), "an error can be reported");
  }
}

}  // namespace salu::fuzzing
