#include "debug/texts.hpp"

#include <algorithm>
#include <bit>

#include "support/numbers.hpp"

namespace salu::debug {

std::string value_text(const Value& value, u32 width) {
  if (value.is_signed) return std::to_string(static_cast<i64>(value.bits));
  return width <= 8 && width != 0 && value.bits < 10 ? std::to_string(value.bits)
                                                     : support::hex(value.bits, std::max(width / 4, 1U));
}

std::string address_text(const Program& program, u64 address) {
  const std::string label = program.describe_address(address);
  return support::hex(address) + (label.empty() ? "" : " <" + label + ">");
}

std::string lanes_text(u64 mask) {
  return support::counted(static_cast<u64>(std::popcount(mask)), "lane") + " (" + support::hex(mask, 16) + ")";
}

std::string lanes_do(u64 mask, std::string_view verb) {
  std::string text(verb);
  if (std::popcount(mask) == 1) text = verb == "have" ? "has" : text + (verb == "go" ? "es" : "s");
  return lanes_text(mask) + " " + text;
}

std::string lanes_picture(u64 mask) {
  std::string text;
  for (u32 lane = 0; lane < 64; ++lane) {
    if (lane % 8 == 0 && lane != 0) text += ' ';
    text += (mask >> lane & 1) != 0 ? '1' : '.';
  }
  return text;
}

std::string watch_text(const Breakpoint& breakpoint, const WatchHit& hit, const core::Machine& machine,
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

}  // namespace salu::debug
