#include "support/numbers.hpp"

#include <array>
#include <charconv>

namespace salu::support {

std::string hex(u64 value, u32 digits) {
  std::array<char, 16> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, 16).ptr;
  const std::string text(buffer.data(), end);
  return "0x" + std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
}

std::string range_text(u64 base, u64 end) { return hex(base) + " to " + hex(end - 1); }

std::string counted(u64 count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::optional<u64> parse_unsigned(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace salu::support
