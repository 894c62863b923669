#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace salu::debug {

/// How much a terminal shows.
struct ScreenSize {
  u32 rows = 0;
  u32 columns = 0;
};

/// What whoever runs a console lends it. Whatever is left out the console does without.
struct ConsoleHost {
  /// Asks the user whether to do something. Without it everything is agreed to.
  std::function<bool(std::string_view question)> ask{};
  /// The size of the terminal that the text goes to; nothing where it goes to none, and lines may be of any length.
  std::function<std::optional<ScreenSize>()> screen{};
  /// Clears that terminal, and goes to its first row.
  std::function<void()> clear_screen{};
  /// The text of a file.
  std::function<Result<std::string>(const std::string& path)> read_file{};
  /// Writes a file and returns why it could not be written; empty when it was.
  std::function<std::string(const std::string& path, std::string_view text)> write_file{};
};

}  // namespace salu::debug
