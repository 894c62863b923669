#include "loader/number.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "support/names.hpp"

namespace salu::loader {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

u32 digit_value(char c) {
  const char l = lower(c);
  if (is_digit(l)) return static_cast<u32>(l - '0');
  return l >= 'a' && l <= 'z' ? static_cast<u32>(l - 'a' + 10) : 99;
}

/// magnitude = magnitude * base + digit; false if it exceeds 512 bits.
bool push_digit(Number& number, u32 base, u32 digit) {
  u64 carry = digit;
  for (u32& dword : number.magnitude) {
    const u64 product = u64{dword} * base + carry;
    dword = static_cast<u32>(product);
    carry = product >> 32;
  }
  return carry == 0;
}

std::string_view base_name(u32 base) { return base == 16 ? "hexadecimal" : base == 2 ? "binary" : "decimal"; }

/// Parses digits of one base with `_` between them. The text is not empty.
ParsedNumber parse_digits(std::string_view digits, u32 base) {
  Number number;
  bool after_digit = false;
  for (const char c : digits) {
    if (c == '_') {
      if (!after_digit) return {{}, "`_` is allowed only between two digits"};
      after_digit = false;
      continue;
    }
    const u32 digit = digit_value(c);
    if (digit >= base) return {{}, fmt::format("`{}` is not a {} digit", c, base_name(base))};
    if (!push_digit(number, base, digit)) return {{}, "the number does not fit in 512 bits"};
    after_digit = true;
  }
  if (!after_digit) return {{}, "`_` is allowed only between two digits"};
  return {number, {}};
}

bool looks_like_float(std::string_view text) {
  return std::ranges::all_of(
             text, [](char c) { return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'; }) &&
         text.find_first_of(".eE") != std::string_view::npos;
}

}  // namespace

bool Number::is_zero() const { return bit_length() == 0; }

u32 Number::bit_length() const {
  for (std::size_t i = magnitude.size(); i-- > 0;) {
    if (magnitude[i] != 0) return static_cast<u32>(i) * 32 + static_cast<u32>(std::bit_width(magnitude[i]));
  }
  return 0;
}

bool Number::fits(u32 bits) const {
  const u32 length = bit_length();
  if (!negative) return length <= bits;
  if (bits < 8) return false;  // flags and small fields are plain numbers
  if (length < bits) return true;
  // The only magnitude of `bits` bits whose negative fits is the power of two.
  u32 ones = 0;
  for (const u32 dword : magnitude) ones += static_cast<u32>(std::popcount(dword));
  return length == bits && ones == 1;
}

std::array<u32, Number::most_bits / 32> Number::twos_complement() const {
  if (!negative) return magnitude;
  auto value = magnitude;
  u64 carry = 1;
  for (u32& dword : value) {
    const u64 sum = u64{~dword} + carry;
    dword = static_cast<u32>(sum);
    carry = sum >> 32;
  }
  return value;
}

u64 Number::low64() const {
  const auto value = twos_complement();
  return value[0] | u64{value[1]} << 32;
}

Number make_number(u64 value) {
  Number number;
  number.magnitude[0] = static_cast<u32>(value);
  number.magnitude[1] = static_cast<u32>(value >> 32);
  return number;
}

ParsedNumber parse_number(std::string_view text) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || !is_digit(digits.front())) return {};
  u32 base = 10;
  if (digits.size() >= 2 && digits.front() == '0' && (lower(digits[1]) == 'x' || lower(digits[1]) == 'b')) {
    base = lower(digits[1]) == 'x' ? 16 : 2;
    digits.remove_prefix(2);
    if (digits.empty()) return {{}, "missing digits"};
  } else if (digits.size() > 1 && digits.front() == '0' && !looks_like_float(digits)) {
    return {{}, "a leading zero is ambiguous (some YAML readers read it as octal): remove it or write 0x"};
  }
  if (base == 10 && looks_like_float(digits)) {
    return {{}, fmt::format("a floating-point number needs a format: {{f32: {}}} or {{f64: {}}}", text, text), true};
  }
  ParsedNumber parsed = parse_digits(digits, base);
  if (parsed.number) parsed.number->negative = negative && !parsed.number->is_zero();
  return parsed;
}

ParsedSize parse_size(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, u32>, 4> units = {
      {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"", 0}}};
  constexpr u32 bits = 63;
  const auto& [unit, shift] =
      *std::ranges::find_if(units, [text](const auto& each) { return text.ends_with(each.first); });
  const ParsedNumber count = parse_number(support::trim(text.substr(0, text.size() - unit.size())));
  if (count.number && !count.number->negative && count.number->fits(bits - shift))
    return {count.number->low64() << shift, {}};
  const std::string expected = "expected a number of bytes, KiB, MiB or GiB below 2^63, as in 64MiB";
  return {{}, count.problem.empty() || count.is_float ? expected : expected + "; " + count.problem};
}

std::string describe_range(u32 bits) {
  if (bits == 1) return "0 or 1";
  if (bits > 64) return fmt::format("0 to 2^{} - 1", bits);
  if (bits < 8) return fmt::format("0 to {}", (1U << bits) - 1);
  const u64 top = u64{1} << (bits - 1);
  return fmt::format("-{} to {}", hex(top), hex(top - 1 + top));
}

}  // namespace salu::loader
