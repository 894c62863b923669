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

/// What the console writes. Control characters of others are written out (`\x07`), so that they do nothing to a
/// terminal.
class ConsoleOutput {
 public:
  /// `print` takes whole lines. `colour`: ANSI colours.
  ConsoleOutput(std::function<void(std::string_view)> print, bool colour,
                std::function<std::optional<ScreenSize>()> screen = {})
      : print_(std::move(print)), screen_(std::move(screen)), colour_(colour) {}

  void line(std::string_view text) const;
  /// A line that is broken at blanks where a terminal is too narrow for it; what follows is indented so much.
  void wrapped(std::string_view text, std::size_t indent) const;
  /// Pieces that are not broken, as many to a line as a terminal has room for, behind an indent of two; each line in a
  /// style, if one is named.
  void pieces(std::span<const std::string> pieces, std::string_view separator, std::string_view style = {}) const;
  /// The size of the terminal that this goes to, if it goes to one.
  [[nodiscard]] std::optional<ScreenSize> screen() const { return screen_ ? screen_() : std::nullopt; }
  /// Its columns, or the most that there are where there is none.
  [[nodiscard]] std::size_t columns() const;
  /// The lines that an action prints, instead of printing them.
  std::vector<std::string> capture(const std::function<void()>& action);
  /// Prints an error; false, for whoever returns whether all went well.
  bool fail(std::string_view message) const;
  bool fail(const Error& error) const { return fail(error.message); }
  /// A text in a style, where there are colours.
  [[nodiscard]] std::string styled(std::string_view text, std::string_view style) const;

 private:
  std::function<void(std::string_view)> print_;
  std::function<std::optional<ScreenSize>()> screen_;
  bool colour_;
};

/// The columns that a text takes on a terminal: those of its characters, without its styles.
std::size_t columns_of(std::string_view text);

}  // namespace salu::debug
