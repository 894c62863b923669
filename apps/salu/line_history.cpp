#include "line_history.hpp"

namespace salu::app {

void LineHistory::begin() {
  shown_ = lines_.size();
  fresh_.clear();
  found_.clear();
}

void LineHistory::remember(const std::wstring& line) {
  constexpr std::size_t most = 1000;
  if (line.find_first_not_of(L" \t") == std::wstring::npos) return;
  if (lines_.size() == most) lines_.erase(lines_.begin());
  lines_.push_back(line);
}

std::optional<std::wstring> LineHistory::previous(const std::wstring& now) {
  if (shown_ == 0) return std::nullopt;
  return show(shown_ - 1, now);
}

std::optional<std::wstring> LineHistory::next(const std::wstring& now) {
  if (shown_ == lines_.size()) return std::nullopt;
  return show(shown_ + 1, now);
}

std::optional<std::wstring> LineHistory::search(const std::wstring& now) {
  if (now != found_) sought_ = now;
  for (std::size_t i = shown_; i-- > 0;) {
    if (lines_[i].find(sought_) == std::wstring::npos || lines_[i] == now) continue;
    found_ = lines_[i];
    return show(i, now);
  }
  return std::nullopt;
}

std::wstring LineHistory::show(std::size_t index, const std::wstring& now) {
  if (shown_ == lines_.size()) fresh_ = now;
  shown_ = index;
  return index == lines_.size() ? fresh_ : lines_[index];
}

}  // namespace salu::app
