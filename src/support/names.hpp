#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Handling of names that users write, and of names in messages.
namespace salu::support {

/// Returns a text without leading and trailing blanks.
std::string_view trim(std::string_view text);

/// Converts ASCII letters to lower case.
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower_case(std::string_view text);

/// Returns at most `most_bytes` bytes of the start of a text, without splitting a UTF-8 character.
std::string_view beginning(std::string_view text, std::size_t most_bytes);

/// Returns a text of the user in back quotes, on one line and shortened if it is long.
std::string quote(std::string_view text);

/// Lists names: `` `a`, `b` or `c` ``; empty for no names.
std::string name_list(std::span<const std::string_view> names, std::string_view last_word = "or");

/// Lists the first ten names, with `and` before the last one; `and more` follows if there are further names.
std::string first_names(std::span<const std::string_view> names);

/// The quoting of names in a sentence.
enum class NameStyle : bool { quoted, bare };

/// Returns `; did you mean ...?` with the candidates near a misspelt name; empty if none exist.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates,
                         NameStyle style = NameStyle::quoted);

}  // namespace salu::support
