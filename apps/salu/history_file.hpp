#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salu::app {

/// The path of the history file: `SALU_HISTORY`, or a file in XDG's state directory. Nothing if `SALU_HISTORY` is
/// empty, or if the home directory is unknown.
struct HistoryPlace {
  std::string path;
  bool is_chosen = false;  ///< set by SALU_HISTORY
};
std::optional<HistoryPlace> find_history_place();

/// The history of typed lines, readable by its user only. Several runs share it: each line is appended when it is
/// typed.
class HistoryFile {
 public:
  explicit HistoryFile(HistoryPlace place) : place_(std::move(place)) {}

  /// Returns the newest lines, oldest first. Shortens the file if it is too large.
  std::vector<std::string> read();
  /// Appends a line. A failure is reported once, if the user has chosen the file.
  void add(std::string_view line);

 private:
  HistoryPlace place_;
  bool is_usable_ = true;
};

}  // namespace salu::app
