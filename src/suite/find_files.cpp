#include <salu/suite.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "support/names.hpp"

namespace salu {
namespace {

namespace fs = std::filesystem;

/// Device and inode of a path.
using FileIdentity = std::pair<dev_t, ino_t>;

std::optional<FileIdentity> identify(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

Error not_found(const std::string& path, const std::string& problem) {
  return Error{ErrorCode::io, {path}, problem, {}};
}

bool is_scenario_file(const fs::path& path) {
  const std::string extension = support::lower_case(path.extension().string());
  return extension == ".yaml" || extension == ".yml";
}

/// Finds the scenario files in one directory tree.
class Search {
 public:
  /// Returns the files, sorted by path.
  Result<std::vector<std::string>> run(const std::string& path) {
    waiting_.emplace_back(path);
    while (!waiting_.empty() || !links_.empty()) {
      // Files are reported by a path without links, if they have one.
      if (waiting_.empty()) {
        has_links_ = true;
        std::ranges::sort(links_);
        waiting_.assign(links_.begin(), links_.end());
        links_.clear();
      }
      const fs::path folder = waiting_.front();
      waiting_.pop_front();
      if (auto problem = look_into(folder)) return std::move(*problem);
    }
    std::ranges::sort(found_);
    return std::move(found_);
  }
  /// True if one file may have been found by several paths.
  [[nodiscard]] bool has_links() const { return has_links_; }

 private:
  std::optional<Error> look_into(const fs::path& folder) {
    // Links may form cycles.
    const auto identity = identify(folder.string());
    if (identity && !seen_.insert(*identity).second) return std::nullopt;
    std::error_code problem;
    std::vector<fs::path> below;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
      std::error_code ignored;
      if (entry->is_directory(ignored)) {
        (entry->is_symlink(ignored) ? links_ : below).push_back(entry->path());
      } else if (is_scenario_file(entry->path()) && !entry->is_other(ignored)) {
        // A broken link is a file that cannot be loaded.
        found_.push_back(entry->path().string());
        has_links_ = has_links_ || entry->is_symlink(ignored);
      }
    }
    if (problem) return not_found(folder.string(), "cannot be searched: " + problem.message());
    std::ranges::sort(below);
    waiting_.insert(waiting_.end(), below.begin(), below.end());
    return std::nullopt;
  }

  std::deque<fs::path> waiting_;
  std::vector<fs::path> links_;
  std::set<FileIdentity> seen_;
  std::vector<std::string> found_;
  bool has_links_ = false;
};

/// Identifies files that are named twice, are in two of the directories, or are reached by a link.
class DistinctFiles {
 public:
  /// Returns false for a file that was added before.
  bool add(const std::string& file) {
    const auto identity = identify(file);
    if (!identity) return names_.insert(real_name(file)).second;
    const auto [first, is_new] = first_.try_emplace(*identity, file);
    if (is_new) return true;
    // Hard links of one file may be different tests.
    names_.insert(real_name(first->second));
    return names_.insert(real_name(file)).second;
  }

 private:
  /// The canonical path; the path itself for a broken link.
  static std::string real_name(const fs::path& path) {
    std::error_code problem;
    fs::path real = fs::canonical(path, problem);
    if (problem) real = fs::weakly_canonical(path.parent_path(), problem) / path.filename();
    return real.string();
  }

  std::map<FileIdentity, std::string> first_;
  std::set<std::string> names_;
};

}  // namespace

Result<std::vector<std::string>> find_suite_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  bool may_repeat = paths.size() > 1;
  for (const std::string& path : paths) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    // Other errors are reported when the file is read.
    if (path != "-" && status.type() == fs::file_type::not_found) {
      const bool is_id = path.find_first_of("#[") != std::string::npos;
      return not_found(path, is_id ? "no such file or directory; `-k` selects a document or a row of a file"
                                   : "no such file or directory");
    }
    if (!fs::is_directory(status)) {
      files.push_back(path);
      continue;
    }
    Search search;
    Result<std::vector<std::string>> found = search.run(path);
    if (!found) return std::move(found).error();
    if (found->empty()) return not_found(path, "no .yaml files in this directory");
    files.insert(files.end(), found->begin(), found->end());
    may_repeat = may_repeat || search.has_links();
  }
  if (!may_repeat) return files;
  DistinctFiles distinct;
  std::erase_if(files, [&](const std::string& file) { return !distinct.add(file); });
  return files;
}

}  // namespace salu
