#include "debug/source_files.hpp"

#include <salu/integer.hpp>

#include <filesystem>
#include <system_error>

#include "loader/text_file.hpp"

namespace salu::debug {
namespace {

Result<std::vector<std::string>> read_lines(const std::string& file) {
  const Result<std::string> text = loader::find_text(file);
  if (!text) return text.error();
  const loader::Lines cut(*text);
  std::vector<std::string> lines;
  for (u32 number = 1; number <= cut.count(); ++number) lines.emplace_back(cut.whole_line(number));
  // A line feed at the end does not start another line.
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

const std::vector<std::string>* SourceFiles::find(const std::string& file) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, read_lines(file)).first;
  return found->second ? &*found->second : nullptr;
}

std::vector<Error> SourceFiles::problems() const {
  std::vector<Error> problems;
  for (const auto& [file, lines] : files_) {
    std::error_code ignored;
    if (!lines && std::filesystem::exists(file, ignored)) problems.push_back(lines.error());
  }
  return problems;
}

}  // namespace salu::debug
