#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salu::app {

/// Where lines that were typed are kept from one run to the next: what `SALU_HISTORY` names, else a file in the folder
/// that XDG has for such things. Nothing where `SALU_HISTORY` is empty, or where there is no home.
struct HistoryPlace {
  std::string path;
  bool is_chosen = false;  ///< the user has named it
};
std::optional<HistoryPlace> find_history_place();

/// The file itself, which is for its user alone. It is shared with other runs: each line is added when it is typed.
class HistoryFile {
 public:
  explicit HistoryFile(HistoryPlace place) : place_(std::move(place)) {}

  /// The newest lines in it, the oldest first. What has become too large is cut.
  std::vector<std::string> read();
  /// Adds a line. What cannot be written is told once, where the user has named the file.
  void add(std::string_view line);

 private:
  HistoryPlace place_;
  bool is_usable_ = true;
};

}  // namespace salu::app
