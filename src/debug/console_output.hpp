#pragma once

#include <salu/error.hpp>

#include <functional>
#include <string>
#include <string_view>

#include "support/printable.hpp"

namespace salu::debug {

namespace style = support::style;

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
