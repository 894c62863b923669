#include <salu/suite.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_set>

namespace salu {
namespace {

namespace fs = std::filesystem;

Error not_found(const std::string& path, const std::string& problem) {
  return Error{ErrorCode::io, {path}, problem, {}};
}

bool is_scenario_file(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml";
}

}  // namespace

Result<std::vector<std::string>> find_suite_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (path != "-" && !fs::exists(status)) return not_found(path, "there is no such file or folder");
    if (!fs::is_directory(status)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    const auto options = fs::directory_options::follow_directory_symlink;
    for (fs::recursive_directory_iterator entry(path, options, problem), end; entry != end; entry.increment(problem)) {
      std::error_code ignored;
      if (is_scenario_file(entry->path()) && entry->is_regular_file(ignored)) found.push_back(entry->path().string());
      if (problem) break;
    }
    if (problem) return not_found(path, "cannot be searched: " + problem.message());
    if (found.empty()) return not_found(path, "there are no .yaml files in this folder");
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  // A file that is named twice, or lies in two of the folders, is one test.
  std::unordered_set<std::string> seen;
  std::erase_if(files, [&](const std::string& file) { return !seen.insert(file).second; });
  return files;
}

}  // namespace salu
