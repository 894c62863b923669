#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace salu::debug {

/// The size of a terminal.
struct ScreenSize {
  u32 rows = 0;
  u32 columns = 0;
};

/// The services that the host of a console provides. Each may be missing.
struct ConsoleHost {
  /// Asks the user a question. Without it, the answer is yes.
  std::function<bool(std::string_view question)> ask{};
  /// The size of the terminal; nothing if the output is not a terminal, and lines may have any length.
  std::function<std::optional<ScreenSize>()> screen{};
  /// Clears the terminal and moves the cursor to the first row.
  std::function<void()> clear_screen{};
  /// Reads a file.
  std::function<Result<std::string>(const std::string& path)> read_file{};
  /// Writes a file. Returns an error message, or "".
  std::function<std::string(const std::string& path, std::string_view text)> write_file{};
};

}  // namespace salu::debug
