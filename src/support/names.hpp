#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Names as users write them, and in messages.
namespace salu::support {

/// A text without the blanks around it.
std::string_view trim(std::string_view text);

/// Letters of ASCII in lower case, others as they are.
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower_case(std::string_view text);

/// At most so many bytes of the start of a text; no character of UTF-8 is cut in two.
std::string_view beginning(std::string_view text, std::size_t most_bytes);

/// A text of the user in back quotes: on one line, its beginning when it is long.
std::string quote(std::string_view text);

/// `` `a`, `b` or `c` ``; empty for no names.
std::string name_list(std::span<const std::string_view> names, std::string_view last_word = "or");

/// The same of the first ten names, with `and` before the last of them or `and more` behind it.
std::string first_names(std::span<const std::string_view> names);

/// How names are marked in a sentence.
enum class NameStyle : bool { quoted, bare };

/// `; did you mean ...?` for the candidates near a misspelt name, or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates,
                         NameStyle style = NameStyle::quoted);

}  // namespace salu::support
