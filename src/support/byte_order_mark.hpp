#pragma once

#include <string_view>

/// What UTF-8 texts of some editors start with.
namespace salu::support {

inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// What is said of one where it may not stand.
inline constexpr std::string_view byte_order_mark_advice =
    "a byte order mark, which code may not begin with: save the file as UTF-8 without one";

}  // namespace salu::support
