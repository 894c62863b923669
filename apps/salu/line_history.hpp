#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace salu::app {

/// The lines that were typed before, and the way through them while another one is typed.
class LineHistory {
 public:
  /// A new line is begun.
  void begin();
  /// Keeps a line for later. One of blanks is not kept, and of many the newest are.
  void remember(const std::wstring& line);

  /// What to show instead of the line `now`; nothing where there is no such line. Behind the newest stands what was
  /// typed before somebody went back.
  std::optional<std::wstring> previous(const std::wstring& now);
  std::optional<std::wstring> next(const std::wstring& now);
  /// An older line that has `now` in it. Once more without a change between: one still older that has the same.
  std::optional<std::wstring> search(const std::wstring& now);

 private:
  std::wstring show(std::size_t index, const std::wstring& now);

  std::vector<std::wstring> lines_;
  std::size_t shown_ = 0;  ///< which one stands there; behind the last: none
  std::wstring fresh_;     ///< what was typed before one of them was shown
  std::wstring sought_;
  std::wstring found_;
};

}  // namespace salu::app
