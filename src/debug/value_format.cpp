#include "debug/value_format.hpp"

#include <fmt/core.h>
#include <salu/float_format.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "support/numbers.hpp"

namespace salu::debug {
namespace {

/// The digits of a number in a base.
std::string digits(u64 value, int base) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, base).ptr;
  return {text.data(), end};
}

/// The shortest decimal that reads back as the same number.
template <class Float>
std::string shortest(Float value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// Sign-extends a two's complement number.
i64 sign_extended(u64 bits, u32 width) {
  const u32 unused = 64 - std::clamp(width, 1U, 64U);
  return static_cast<i64>(bits << unused) >> unused;
}

std::string character(u64 bits) {
  const auto byte = static_cast<unsigned char>(bits);
  const bool is_printable = byte >= 0x20 && byte < 0x7f;
  const std::string text =
      is_printable ? std::string(1, static_cast<char>(byte)) : "\\x" + support::hex(byte, 2).substr(2);
  return fmt::format("{} '{}'", sign_extended(bits, 8), text);
}

u32 size_of(char unit) {
  switch (unit) {
    case 'b':
      return 1;
    case 'h':
      return 2;
    case 'w':
      return 4;
    case 'g':
      return 8;
    default:
      return 0;
  }
}

/// Removes the width of `f16`, `f32` or `f64`, which follows the letter, and returns it in bytes; 0 without one.
u32 take_float_size(std::string_view& text) {
  const auto format = find_float_format("f" + std::string(text.substr(0, 2)));
  if (!format) return 0;
  text.remove_prefix(2);
  return float_bits(*format) / 8;
}

}  // namespace

std::string value_text(const expr::Value& value, u32 width) {
  if (value.is_signed) return std::to_string(static_cast<i64>(value.bits));
  return width <= 8 && width != 0 && value.bits < 10 ? std::to_string(value.bits)
                                                     : support::hex(value.bits, std::max(width / 4, 1U));
}

std::string explained_value(const expr::Value& value, u32 width, const Program& program) {
  std::string text = value_text(value, width);
  if (!value.is_signed && value.bits > 9) text += fmt::format(" ({})", value.bits);
  const std::string symbol = program.describe_address(value.bits);
  return symbol.empty() ? text : fmt::format("{} <{}>", text, symbol);
}

std::optional<ValueFormat> parse_format(std::string_view text, std::string& problem) {
  constexpr std::string_view letters = "xdutozacfi";
  ValueFormat format;
  const std::size_t number_end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (number_end != 0) {
    const std::optional<u64> count = support::parse_unsigned(text.substr(0, number_end));
    if (!count || *count == 0) {
      problem = "expected a count of at least 1, found `" + std::string(text.substr(0, number_end)) + "`";
      return std::nullopt;
    }
    format.count = *count;
  }
  std::string_view rest = text.substr(number_end);
  while (!rest.empty()) {
    const char letter = rest.front();
    rest.remove_prefix(1);
    const u32 float_size = letter == 'f' && format.size_bytes == 0 ? take_float_size(rest) : 0;
    if (float_size != 0) format.size_bytes = float_size;
    if (size_of(letter) != 0 && format.size_bytes == 0) {
      format.size_bytes = size_of(letter);
    } else if (letters.find(letter) != std::string_view::npos && format.letter == 0) {
      format.letter = letter;
    } else {
      problem = "`/" + std::string(text) +
                "` is not a format; expected a count, one of x d u t o z a c f f16 f32 f64 i and one of b h w g, as in "
                "/4xb";
      return std::nullopt;
    }
  }
  return format;
}

std::string format_value(u64 bits, u32 width, char letter) {
  switch (letter) {
    case 'd':
      return std::to_string(sign_extended(bits, width));
    case 'u':
      return std::to_string(bits);
    case 't':
      return digits(bits, 2);
    case 'o':
      return bits == 0 ? "0" : "0" + digits(bits, 8);
    case 'z':
      return support::hex(bits, std::max(width / 4, 1U));
    case 'c':
      return character(bits);
    case 'f':
      if (width == 16) return float_text(FloatFormat::f16, bits);
      if (width == 32) return shortest(std::bit_cast<float>(static_cast<u32>(bits)));
      if (width == 64) return shortest(std::bit_cast<double>(bits));
      return std::to_string(sign_extended(bits, width));
    default:
      return support::hex(bits);
  }
}

std::string floats_text(u64 bits, u32 width, u32 float_width) {
  if (width <= float_width) return format_value(bits, float_width, 'f');
  std::string text;
  for (u32 first = 0; first + float_width <= width; first += float_width) {
    if (first != 0) text += ", ";
    text += format_value(bits >> first & support::ones(float_width), float_width, 'f');
  }
  return "{" + text + "}";
}

}  // namespace salu::debug
