#pragma once

#include <array>

#include "isa/vector/decode.hpp"
#include "observe/undefined/shadow_step.hpp"
#include "observe/undefined/word.hpp"

namespace salu::observe::undefined {

/// The undefined bits of the results of all lanes.
struct LaneResults {
  std::array<std::array<u32, state_index::lanes>, 2> dwords;  ///< undefined bits of the destination
  std::array<OriginId, state_index::lanes> origins;           ///< 0 if all operands of the lane are defined
  OriginId common = 0;       ///< the origin of all lanes, instead of `origins`; 0: unused
  bool has_origins = false;  ///< `common` or `origins` is set
  u32 width = 0;             ///< of the destination: 16, 32 or 64 bits; 0: only a mask
  u64 mask = 0;              ///< undefined bits of the destination mask

  [[nodiscard]] u64 value(u32 lane) const { return dwords[0][lane] | u64{dwords[1][lane]} << 32; }
  void set_value(u32 lane, u64 undefined) {
    dwords[0][lane] = static_cast<u32>(undefined);
    dwords[1][lane] = static_cast<u32>(undefined >> 32);
  }
  template <u32 n, bool s>
  void set(u32 lane, const Word<n, s>& word) {
    set_value(lane, word.undefined);
    width = n;
  }
  void set_bit(u32 lane, const Bit& bit) { mask |= u64{bit.undefined} << lane; }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return common != 0 ? common : origins[lane]; }
  /// Copies `common` to the origins of all lanes.
  void spell_out() {
    if (common != 0) origins.fill(common);
    common = 0;
  }
};

/// Computes lanes of an integer instruction. Returns false for other instructions.
bool compute_lanes(ShadowStep& step, const isa::vector::Instruction& instruction, u64 lanes, LaneResults& results);

}  // namespace salu::observe::undefined
