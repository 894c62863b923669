#include "suite/update_set.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace salu::suite {

void UpdateSet::add(const TestResult& test) {
  if (test.status == TestResult::Status::not_loaded) return;
  if (tests_.empty() || tests_.back().file != test.file || tests_.back().table != test.table_file)
    tests_.push_back({test.file, test.table_file});
  if (test.status == TestResult::Status::failed) tests_.back().failed = true;
}

std::vector<std::string> UpdateSet::files() const {
  std::vector<std::string> files;
  if (std::ranges::none_of(tests_, &Test::failed)) return files;
  // Paths are resolved once, because a second lookup may differ.
  std::vector<std::set<std::string>> own;
  std::set<std::string> wrong;
  for (const Test& test : tests_) {
    own.push_back(texts_of(test));
    if (test.failed) wrong.insert(own.back().begin(), own.back().end());
  }
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    const bool shares = std::ranges::any_of(own[i], [&](const std::string& text) { return wrong.contains(text); });
    if (shares && (files.empty() || files.back() != tests_[i].file)) files.push_back(tests_[i].file);
  }
  return files;
}

std::set<std::string> UpdateSet::texts_of(const Test& test) {
  std::set<std::string> texts;
  for (const std::string& path : {test.file, test.table}) {
    if (path.empty()) continue;
    std::error_code error;
    const std::filesystem::path place = std::filesystem::weakly_canonical(path, error);
    texts.insert(error ? path : place.string());
  }
  return texts;
}

}  // namespace salu::suite
