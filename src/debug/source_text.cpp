#include "debug/source_text.hpp"

#include <filesystem>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"

namespace salu::debug {
namespace {

std::optional<std::vector<std::string>> read_lines(const std::string& file) {
  // A device or a pipe might never end.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  try {
    const std::string text = loader::read_file(file, loader::file_limit_bytes, "a source file");
    const loader::Lines cut(text);
    std::vector<std::string> lines;
    for (u32 number = 1; number <= cut.count(); ++number) lines.emplace_back(cut.whole_line(number));
    return lines;
  } catch (const loader::Rejection&) {
    return std::nullopt;
  }
}

}  // namespace

const std::vector<std::string>* SourceText::find(const std::string& file) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, read_lines(file)).first;
  return found->second ? &*found->second : nullptr;
}

}  // namespace salu::debug
