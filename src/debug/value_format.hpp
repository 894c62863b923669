#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace salu::debug {

/// What stands behind the slash of `x/4xb` and `print/t`, as GDB has it.
struct ValueFormat {
  u64 count = 1;
  char letter = 0;     ///< one of x d u t o z a c f i; 0: none was given
  u32 size_bytes = 0;  ///< b 1, h 2, w 4, g 8; 0: none was given
};

/// Reads it without the slash. Nothing, and a message in `problem`, when it is none.
std::optional<ValueFormat> parse_format(std::string_view text, std::string& problem);

/// A value of so many bits by a letter: x hexadecimal, z with all digits, d signed, u unsigned, t binary, o octal,
/// c as a character beside its number, f as a floating-point number (of 32 or 64 bits, or else as d).
std::string format_value(u64 bits, u32 width, char letter);

}  // namespace salu::debug
