#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <optional>
#include <string_view>
#include <utility>

/// Splitting of command arguments.
namespace salu::debug {

/// Removes the first word of a text and returns it.
std::string_view take_word(std::string_view& text);
/// Splits `PLACE if CONDITION`; either part may be empty. Fails if the condition after `if` is missing.
Result<std::pair<std::string_view, std::string_view>> split_condition(std::string_view text);
/// Splits `PLACE = VALUE`; nothing without an `=` outside of comparisons.
std::optional<std::pair<std::string_view, std::string_view>> split_assignment(std::string_view text);
/// Splits a text at the first comma outside of parentheses and brackets.
std::pair<std::string_view, std::string_view> split_at_comma(std::string_view text);

}  // namespace salu::debug
