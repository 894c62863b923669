#include "debug/lane_text.hpp"

#include <fmt/core.h>

#include <bit>

#include "support/numbers.hpp"

namespace salu::debug {

std::string lanes_text(u64 mask) {
  return fmt::format("{} ({})", support::counted(static_cast<u64>(std::popcount(mask)), "lane"),
                     support::hex(mask, 16));
}

std::string lanes_do(u64 mask, std::string_view verb) {
  std::string text(verb);
  if (std::popcount(mask) == 1) text = verb == "have" ? "has" : text + (verb == "go" ? "es" : "s");
  return lanes_text(mask) + " " + text;
}

std::string lanes_picture(u64 mask, u32 lanes) {
  std::string text;
  for (u32 lane = 0; lane < lanes; ++lane) {
    if (lane % 8 == 0 && lane != 0) text += ' ';
    text += (mask >> lane & 1) != 0 ? '1' : '.';
  }
  return text;
}

std::string pair_name(u32 first_sgpr) { return fmt::format("s[{}:{}]", first_sgpr, first_sgpr + 1); }

}  // namespace salu::debug
