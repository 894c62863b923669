#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace salu::app {

/// The lines typed before, and the position in them while another line is typed.
class LineHistory {
 public:
  /// Starts a new line.
  void begin();
  /// Adds a line, unless it is blank. Drops the oldest line if there are too many.
  void remember(const std::wstring& line);

  /// The line to show instead of the line `now`; nothing if none exists. After the newest line comes the text that
  /// was typed before the first call of `previous`.
  std::optional<std::wstring> previous(const std::wstring& now);
  std::optional<std::wstring> next(const std::wstring& now);
  /// The newest older line that contains `now`. A repeated call without a change returns the next older one.
  std::optional<std::wstring> search(const std::wstring& now);

 private:
  std::wstring show(std::size_t index, const std::wstring& now);

  std::vector<std::wstring> lines_;
  std::size_t shown_ = 0;  ///< index of the line shown; the number of lines if none is
  std::wstring fresh_;     ///< the text typed before a line was shown
  std::wstring sought_;
  std::wstring found_;
};

}  // namespace salu::app
