#include "isa/vector/swizzle.hpp"

#include <bit>

namespace salu::isa::vector {
namespace {

std::string masks_text(const SwizzleMasks& masks) {
  constexpr u32 all = SwizzleMasks::all;
  if (masks.keep == all && masks.set == 0 && masks.flip != 0) {
    if (std::has_single_bit(masks.flip)) return "SWAP," + std::to_string(masks.flip);
    if (std::has_single_bit(masks.flip + 1)) return "REVERSE," + std::to_string(masks.flip + 1);
  }
  const u32 group = all - masks.keep + 1;
  if (group > 1 && std::has_single_bit(group) && masks.set < group && masks.flip == 0)
    return "BROADCAST," + std::to_string(group) + "," + std::to_string(masks.set);
  // One character for each bit of the number, the highest first: 0, 1, preserved or inverted.
  std::string text;
  for (u32 bit = 5; bit-- > 0;) {
    const bool of_zero = ((masks.set ^ masks.flip) >> bit & 1) != 0;
    const bool of_one = (((masks.keep | masks.set) ^ masks.flip) >> bit & 1) != 0;
    text += of_zero == of_one ? (of_zero ? '1' : '0') : (of_one ? 'p' : 'i');
  }
  return "BITMASK_PERM,\"" + text + "\"";
}

}  // namespace

std::string swizzle_text(u32 pattern) {
  constexpr u32 quad_bits = 0xff;
  if (pattern == 0) return "";
  if ((pattern & ~quad_bits) == swizzle_mode::quad_perm) {
    std::string text = " offset:swizzle(QUAD_PERM";
    for (u32 i = 0; i < 4; ++i) text += "," + std::to_string(pattern >> (2 * i) & 3);
    return text + ")";
  }
  if (pattern >= swizzle_mode::quad_perm) return " offset:" + std::to_string(pattern);
  return " offset:swizzle(" + masks_text(SwizzleMasks::of(pattern)) + ")";
}

}  // namespace salu::isa::vector
