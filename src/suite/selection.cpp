#include "suite/selection.hpp"

namespace salu::suite {
namespace {

/// The same from the start of the text on.
bool matches_here(std::string_view text, std::string_view pattern) {
  // Where to try again after the last star, and what it has taken so far.
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  std::size_t t = 0;
  std::size_t p = 0;
  while (p < pattern.size()) {
    if (pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (t < text.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos && taken < text.size()) {
      t = ++taken;
      p = star + 1;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

bool matches(std::string_view text, std::string_view pattern) {
  for (std::size_t start = 0; start <= text.size(); ++start) {
    if (matches_here(text.substr(start), pattern)) return true;
  }
  return false;
}

bool is_selected(const std::vector<std::string>& filters, std::string_view id, std::string_view name) {
  bool wants_some = false;
  bool wanted = false;
  for (const std::string& filter : filters) {
    const bool excludes = filter.starts_with('!');
    const std::string_view pattern = std::string_view(filter).substr(excludes ? 1 : 0);
    const bool hit = matches(id, pattern) || matches(name, pattern);
    if (excludes && hit) return false;
    if (excludes) continue;
    wants_some = true;
    wanted = wanted || hit;
  }
  return wanted || !wants_some;
}

}  // namespace salu::suite
