#include "dap/texts.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/text.hpp"

namespace salu::dap {

using core::hex;

std::string value_text(const debug::Value& value, u32 width) {
  if (value.is_signed) return std::to_string(static_cast<i64>(value.bits));
  return width <= 8 && width != 0 && value.bits < 10 ? std::to_string(value.bits)
                                                     : hex(value.bits, std::max(width / 4, 1U));
}

std::string explained(const debug::Expression& expression, const debug::Value& value, const Program& program) {
  const bool has_width = expression.is_register() || expression.is_memory();
  std::string text = value_text(value, has_width ? expression.width() : 0);
  if (!value.is_signed && value.bits > 9) text += " (" + std::to_string(value.bits) + ")";
  const std::string symbol = program.describe_address(value.bits);
  return symbol.empty() ? text : text + " <" + symbol + ">";
}

std::string address_text(const Program& program, u64 address) {
  const std::string label = program.describe_address(address);
  return hex(address) + (label.empty() ? "" : " <" + label + ">");
}

std::string lanes_text(u64 mask) {
  const int lanes = std::popcount(mask);
  return std::to_string(lanes) + (lanes == 1 ? " lane (" : " lanes (") + hex(mask, 16) + ")";
}

std::string lanes_picture(u64 mask) {
  std::string text;
  for (u32 lane = 0; lane < 64; ++lane) {
    if (lane % 8 == 0 && lane != 0) text += ' ';
    text += (mask >> lane & 1) != 0 ? '1' : '.';
  }
  return text;
}

std::string watch_text(const debug::Breakpoint& breakpoint, const debug::WatchHit& hit, const core::Machine& machine,
                       const Program& program) {
  const u32 width = breakpoint.watched->width();
  std::string text = breakpoint.what + ": ";
  if (hit.before.bits != hit.after.bits) {
    text += value_text(hit.before, width) + " -> " + value_text(hit.after, width);
  } else {
    text += value_text(hit.after, width) + (hit.read && hit.written ? " read and written"
                                            : hit.read              ? " read"
                                                                    : " written");
  }
  return text + " by " + address_text(program, hit.pc) + ": " + machine.text_at(hit.pc);
}

std::string stop_text(const Stop& stop, u64 position, const Program& program) {
  std::string text = std::string(stop.reason_name()) + " at " + address_text(program, stop.pc) + " after " +
                     std::to_string(position) + (position == 1 ? " instruction" : " instructions");
  if (!stop.instruction.empty()) text += ": " + stop.instruction;
  return stop.detail.empty() ? text : text + ": " + stop.detail;
}

std::optional<u64> parse_reference(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace salu::dap
