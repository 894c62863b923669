#pragma once

#include <array>
#include <cstddef>

#include "core/vector/vector_file.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/table.hpp"
#include "observe/undefined/shadow_step.hpp"

namespace salu::observe::undefined {

/// What of the results of lanes is undefined.
struct LaneResults {
  std::array<std::array<u32, state_index::lanes>, 2> dwords;  ///< of what goes to the destination
  std::array<OriginId, state_index::lanes> origins;           ///< 0 where all that the lane read is defined
  OriginId common = 0;                                        ///< of all lanes, in the place of `origins`; 0 is none
  bool has_origins = false;                                   ///< whether one of these says anything
  u32 width = 0;                                              ///< of the destination: 16, 32 or 64 bits, or none
  u64 mask = 0;                                               ///< the lanes' bits of the mask that is written

  [[nodiscard]] u64 value(u32 lane) const { return dwords[0][lane] | u64{dwords[1][lane]} << 32; }
  void set_value(u32 lane, u64 undefined) {
    dwords[0][lane] = static_cast<u32>(undefined);
    dwords[1][lane] = static_cast<u32>(undefined >> 32);
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return common != 0 ? common : origins[lane]; }
  /// Says lane by lane where they come from.
  void spell_out() {
    if (common != 0) origins.fill(common);
    common = 0;
  }
};

/// A dword of all lanes: its bits, and what of them is undefined.
struct LaneColumn {
  const u32* bits = nullptr;
  const u32* undefined = nullptr;
  const OriginId* origins = nullptr;  ///< of lanes that have an undefined bit
  OriginId common = 0;                ///< where all lanes have one, and all from one origin: this
  bool is_defined = false;            ///< where no lane has one

  [[nodiscard]] u32 bits_of(u32 lane) const { return bits[lane]; }
  [[nodiscard]] u32 undefined_of(u32 lane) const { return undefined[lane]; }
  /// 0 where all of the lane is defined.
  [[nodiscard]] OriginId origin_of(u32 lane) const { return undefined[lane] != 0 ? origins[lane] : 0; }
};

/// The sources of an instruction, as its modifiers make them.
class LaneSources {
 public:
  LaneSources(ShadowStep& step, const isa::vector::Instruction& instruction);

  [[nodiscard]] const isa::vector::Instruction& instruction() const { return instruction_; }

  /// A source of 32 bits, or one a half of which is looked at.
  LaneColumn dword(std::size_t i);
  /// The destination before the instruction, of 32 bits.
  LaneColumn destination();
  /// A source of 64 bits, the lower dword first.
  std::array<LaneColumn, 2> dwords(std::size_t i, bool extends_sign);

  /// The mask that is read, a bit a lane.
  [[nodiscard]] u64 selects() const;
  [[nodiscard]] Mask undefined_selects() const;

 private:
  /// What is not there as a column yet: a scalar, and what modifiers have made.
  struct Storage {
    std::array<u32, state_index::lanes> bits;
    std::array<u32, state_index::lanes> undefined;
    std::array<OriginId, state_index::lanes> origins;
  };
  static LaneColumn uniform(Storage& storage, u32 bits, const Mask& mask);
  LaneColumn vgpr(u32 number);
  LaneColumn modified(std::size_t i, const LaneColumn& column);

  ShadowStep& step_;
  const isa::vector::Instruction& instruction_;
  const isa::vector::InstructionInfo& row_;
  const core::VectorFile* file_;
  std::array<std::array<Storage, 2>, 3> storage_;
};

/// Computes lanes of an instruction; of V_PK the lower halves or the upper ones.
using LaneFunction = void (*)(LaneSources& sources, bool upper, u64 lanes, LaneResults& results);
/// The function of an instruction that computes with integers; null for all others.
LaneFunction lane_function(isa::vector::Insn insn);

}  // namespace salu::observe::undefined
