#pragma once

#include <salu/integer.hpp>

#include <string_view>
#include <utility>

/// How the arguments of a command are taken apart.
namespace salu::debug {

/// The first word of a text, which keeps the rest.
std::string_view take_word(std::string_view& text);
/// `PLACE if CONDITION`; a condition that is missing behind its `if` is `if` itself, which is none.
std::pair<std::string_view, std::string_view> split_condition(std::string_view text);
/// What stands before and behind the first comma that is in no parentheses and brackets.
std::pair<std::string_view, std::string_view> split_at_comma(std::string_view text);

}  // namespace salu::debug
