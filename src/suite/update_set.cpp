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
  std::set<std::string> texts;
  for (const Test& test : tests_) {
    if (test.failed) texts.merge(texts_of(test));
  }
  std::vector<std::string> files;
  if (texts.empty()) return files;
  for (const Test& test : tests_) {
    const std::set<std::string> own = texts_of(test);
    const bool shares = std::ranges::any_of(own, [&](const std::string& text) { return texts.contains(text); });
    if (shares && (files.empty() || files.back() != test.file)) files.push_back(test.file);
  }
  return files;
}

std::set<std::string> UpdateSet::texts_of(const Test& test) {
  std::set<std::string> texts;
  for (const std::string& path : {test.file, test.table}) {
    std::error_code ignored;
    if (!path.empty()) texts.insert(std::filesystem::weakly_canonical(path, ignored).string());
  }
  return texts;
}

}  // namespace salu::suite
