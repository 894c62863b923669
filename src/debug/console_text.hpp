#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"

/// How the console reads its arguments, and writes.
namespace salu::debug {

using core::counted;
using core::hex;
using core::parse_unsigned;

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

/// Without the blanks around it.
std::string_view trim(std::string_view text);
/// The first word of a text, which keeps the rest.
std::string_view take_word(std::string_view& text);
/// A text whose control characters are written out (`\x07`), so that it does nothing to a terminal; `keeps_styles`: but
/// those that are ours.
std::string printable(std::string_view text, bool keeps_styles = false);
/// `PLACE if CONDITION`; a condition that is missing behind its `if` is `if` itself, which is none.
std::pair<std::string_view, std::string_view> split_condition(std::string_view text);
/// `2 lanes (0x0000000000000003)`.
std::string lanes_text(u64 mask);
/// `2 lanes (0x0000000000000003) go`, `1 lane (0x0000000000000001) goes`. `verb`: `go`, `have` or one that takes an s.
std::string lanes_do(u64 mask, std::string_view verb);

}  // namespace salu::debug
