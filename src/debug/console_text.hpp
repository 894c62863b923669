#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "support/names.hpp"
#include "support/numbers.hpp"

/// How the console reads its arguments, and writes.
namespace salu::debug {

using support::counted;
using support::hex;
using support::parse_unsigned;
using support::trim;

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

/// The first word of a text, which keeps the rest.
std::string_view take_word(std::string_view& text);
/// A text whose control characters are written out (`\x07`), so that it does nothing to a terminal; `keeps_styles`: but
/// those that are ours.
std::string printable(std::string_view text, bool keeps_styles = false);
/// `PLACE if CONDITION`; a condition that is missing behind its `if` is `if` itself, which is none.
std::pair<std::string_view, std::string_view> split_condition(std::string_view text);
/// What stands before and behind the first comma that is in no parentheses and brackets.
std::pair<std::string_view, std::string_view> split_at_comma(std::string_view text);

}  // namespace salu::debug
