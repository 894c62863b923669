#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <optional>
#include <string_view>
#include <utility>

/// How the arguments of a command are taken apart.
namespace salu::debug {

/// The first word of a text, which keeps the rest.
std::string_view take_word(std::string_view& text);
/// `PLACE if CONDITION`; either may be empty. An error where nothing stands behind the `if`.
Result<std::pair<std::string_view, std::string_view>> split_condition(std::string_view text);
/// `PLACE = VALUE`; nothing where there is no `=` but those of comparisons.
std::optional<std::pair<std::string_view, std::string_view>> split_assignment(std::string_view text);
/// What stands before and behind the first comma that is in no parentheses and brackets.
std::pair<std::string_view, std::string_view> split_at_comma(std::string_view text);

}  // namespace salu::debug
