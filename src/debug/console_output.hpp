#pragma once

#include <salu/error.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "debug/console_host.hpp"
#include "support/printable.hpp"

namespace salu::debug {

namespace style = support::style;

/// The output of the console. Control characters in data are escaped (`\x07`), so that they have no effect on a
/// terminal.
class ConsoleOutput {
 public:
  /// `print` takes whole lines. `colour`: ANSI colours.
  ConsoleOutput(std::function<void(std::string_view)> print, bool colour,
                std::function<std::optional<ScreenSize>()> screen = {})
      : print_(std::move(print)), screen_(std::move(screen)), colour_(colour) {}

  void line(std::string_view text) const;
  /// Prints a line, broken at blanks if the terminal is too narrow; continuation lines are indented by `indent`.
  void wrapped(std::string_view text, std::size_t indent) const;
  /// Prints unbroken pieces, as many per line as fit on the terminal, indented by two; each line in a style, if one is
  /// named.
  void pieces(std::span<const std::string> pieces, std::string_view separator, std::string_view style = {}) const;
  /// The size of the terminal, if the output is a terminal.
  [[nodiscard]] std::optional<ScreenSize> screen() const { return screen_ ? screen_() : std::nullopt; }
  /// The columns of the terminal, or the greatest number without a terminal.
  [[nodiscard]] std::size_t columns() const;
  /// Returns the lines that an action prints instead of printing them.
  std::vector<std::string> capture(const std::function<void()>& action);
  /// Prints an error. Returns false, for use as a result.
  bool fail(std::string_view message) const;
  bool fail(const Error& error) const { return fail(error.message); }
  /// A text in a style, if colours are on.
  [[nodiscard]] std::string styled(std::string_view text, std::string_view style) const;

 private:
  std::function<void(std::string_view)> print_;
  std::function<std::optional<ScreenSize>()> screen_;
  bool colour_;
};

/// The width of a text on a terminal, without its styles.
std::size_t columns_of(std::string_view text);

}  // namespace salu::debug
