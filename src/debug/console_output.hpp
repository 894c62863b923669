#pragma once

#include <salu/error.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace salu::debug {

/// How a piece of a line stands out.
namespace style {
inline constexpr std::string_view bold = "\x1b[1m";
inline constexpr std::string_view red = "\x1b[31m";
inline constexpr std::string_view green = "\x1b[32m";
inline constexpr std::string_view yellow = "\x1b[33m";
inline constexpr std::string_view plain = "\x1b[0m";
}  // namespace style

/// What the console writes. Control characters of others are written out (`\x07`), so that they do nothing to a
/// terminal.
class ConsoleOutput {
 public:
  /// `print` takes whole lines. `colour`: ANSI colours.
  ConsoleOutput(std::function<void(std::string_view)> print, bool colour) : print_(std::move(print)), colour_(colour) {}

  void line(std::string_view text) const;
  /// Prints an error; false, for whoever returns whether all went well.
  bool fail(std::string_view message) const;
  bool fail(const Error& error) const { return fail(error.message); }
  /// A text in a style, where there are colours.
  [[nodiscard]] std::string styled(std::string_view text, std::string_view style) const;

 private:
  std::function<void(std::string_view)> print_;
  bool colour_;
};

}  // namespace salu::debug
