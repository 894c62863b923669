#include "debug/source_text.hpp"

#include <filesystem>
#include <fstream>

namespace salu::debug {
namespace {

std::optional<std::vector<std::string>> read_lines(const std::string& file) {
  // A device or a pipe might never end.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

const std::vector<std::string>* SourceText::find(const std::string& file) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, read_lines(file)).first;
  return found->second ? &*found->second : nullptr;
}

}  // namespace salu::debug
