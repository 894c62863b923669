#pragma once

#include <salu/integer.hpp>

#include <string>

/// The pattern of DS_SWIZZLE_B32, which is its 16-bit offset.
namespace salu::isa::vector {

/// The modes, as highest bits of the pattern. Lower patterns are three masks.
namespace swizzle_mode {
inline constexpr u32 quad_perm = 0x8000;
inline constexpr u32 rotate = 0xc000;  ///< from GCN 1.4 on
inline constexpr u32 fft = 0xe000;     ///< from GCN 1.4 on
}  // namespace swizzle_mode

/// Three masks for the number of a lane within a group of 32, which are applied in this order.
struct SwizzleMasks {
  u32 keep = 0;  ///< AND
  u32 set = 0;   ///< OR
  u32 flip = 0;  ///< XOR

  static constexpr u32 all = 0x1f;

  static constexpr SwizzleMasks of(u32 pattern) { return {pattern & all, pattern >> 5 & all, pattern >> 10 & all}; }
  [[nodiscard]] constexpr u32 pattern() const { return keep | set << 5 | flip << 10; }
};

/// Returns the text of a pattern as LLVM 19 writes it: ` offset:swizzle(QUAD_PERM,0,1,2,3)`; empty for 0.
std::string swizzle_text(u32 pattern);

}  // namespace salu::isa::vector
