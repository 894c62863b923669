#pragma once

#include <string_view>

/// The byte order mark that some editors write at the start of UTF-8 texts.
namespace salu::support {

inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The end of the message about a byte order mark that is not allowed.
inline constexpr std::string_view byte_order_mark_advice =
    "a byte order mark is not allowed in code: save the file as UTF-8 without it";

}  // namespace salu::support
