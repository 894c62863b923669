#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "expr/expression.hpp"

/// How values read, for every front end.
namespace salu::debug {

/// `0x0000042f`, `-3`, `1` for a field: a value of so many bits; 0 bits: as many digits as it needs.
std::string value_text(const expr::Value& value, u32 width);
/// The same with what a reader may want to know beside it: `0x0000042f (1071)`, `0x0000000000001014 <then>`.
std::string explained_value(const expr::Value& value, u32 width, const Program& program);

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
