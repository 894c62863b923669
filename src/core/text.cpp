#include "core/text.hpp"

#include <array>
#include <charconv>

namespace salu::core {

std::string hex(u64 value, u32 digits) {
  std::array<char, 16> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, 16).ptr;
  const std::string text(buffer.data(), end);
  return "0x" + std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
}

std::string range_text(u64 base, u64 end) { return hex(base) + " to " + hex(end - 1); }

}  // namespace salu::core
