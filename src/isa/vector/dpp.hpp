#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/vector/instruction.hpp"

/// Data-parallel primitives (DPP): an instruction reads its first source from other lanes.
namespace salu::isa::vector {

inline constexpr u32 dpp_lanes = 64;

/// Values of DPP_CTRL. Lower ones permute the lanes of each quad, two bits for each lane.
namespace dpp_control {
inline constexpr u32 identity = 0xe4;  ///< a permutation of quads
inline constexpr u32 row_shl = 0x100;  ///< plus the distance, from 1 to 15
inline constexpr u32 row_shr = 0x110;
inline constexpr u32 row_ror = 0x120;
inline constexpr u32 wave_shl = 0x130;  ///< by one lane
inline constexpr u32 wave_rol = 0x134;
inline constexpr u32 wave_shr = 0x138;
inline constexpr u32 wave_ror = 0x13c;
inline constexpr u32 row_mirror = 0x140;
inline constexpr u32 row_half_mirror = 0x141;
inline constexpr u32 row_bcast_15 = 0x142;  ///< lane 15 of each row to the next row
inline constexpr u32 row_bcast_31 = 0x143;  ///< lane 31 to the last two rows
inline constexpr u32 row_newbcast = 0x150;  ///< plus the lane of each row; from CDNA 2 on
}  // namespace dpp_control

/// The controls with a name in assembly, and with a number after it: `row_shl:1`.
struct DppControlName {
  std::string_view name;
  u16 first;   ///< the control for the lowest number
  u8 lowest;   ///< of the numbers
  u8 highest;  ///< of the numbers; 0: a name without number
};

/// All names except `quad_perm`.
std::span<const DppControlName> dpp_control_names();

/// The fields of DPP.
struct Dpp {
  u16 control = dpp_control::identity;
  u8 row_mask = 0xf;        ///< rows of 16 lanes that are written
  u8 bank_mask = 0xf;       ///< banks of 4 lanes, in each row, that are written
  bool bound_ctrl = false;  ///< a lane without a source lane reads 0; otherwise it is not written

  friend constexpr bool operator==(const Dpp&, const Dpp&) = default;
};

/// True if an instruction has a form with DPP on a generation: VOP1 and VOP2, with 64-bit operands from CDNA 2 on.
bool has_dpp(Generation generation, const InstructionInfo& row);

/// True if an instruction that has a form with DPP has it with this control.
bool may_be_control(Generation generation, const InstructionInfo& row, u32 control);

/// Returns the text of a control as LLVM 19 writes it: `quad_perm:[0,1,2,3]`.
std::string control_text(u32 control);

/// Returns the lane that a lane reads; nothing if that lane is beyond the row or the wave.
constexpr std::optional<u32> dpp_source(u32 control, u32 lane) {
  namespace c = dpp_control;
  constexpr u32 row_lanes = 16;
  constexpr u32 in_row = row_lanes - 1;
  const u32 row = lane & ~in_row;
  const u32 position = lane & in_row;
  const u32 distance = control & in_row;
  const auto only_if = [](bool is_there, u32 source) { return is_there ? std::optional(source) : std::nullopt; };
  if (control < c::row_shl) return (lane & ~3U) | (control >> (2 * (lane & 3)) & 3);
  if (control < c::row_shr) return only_if(position + distance < row_lanes, lane + distance);
  if (control < c::row_ror) return only_if(position >= distance, lane - distance);
  if (control < c::wave_shl) return row | ((position - distance) & in_row);
  if (control >= c::row_newbcast) return row | distance;
  switch (control) {
    case c::wave_shl:
      return only_if(lane + 1 < dpp_lanes, lane + 1);
    case c::wave_rol:
      return (lane + 1) % dpp_lanes;
    case c::wave_shr:
      return only_if(lane != 0, lane - 1);
    case c::wave_ror:
      return (lane - 1) % dpp_lanes;
    case c::row_mirror:
      return lane ^ in_row;
    case c::row_half_mirror:
      return lane ^ 7;
    case c::row_bcast_15:
      return only_if(row != 0, row - 1);
    default:
      return only_if(lane >= 32, 31);
  }
}

/// The lanes that an instruction with DPP reads and writes.
struct DppLanes {
  std::array<u8, dpp_lanes> source;  ///< the source lane of each lane in `moved`
  u64 moved;                         ///< lanes that read an active lane; the other lanes in `written` read 0
  u64 written;                       ///< active lanes that are written; the instruction treats the others as inactive

  /// The lanes of the source that are read.
  [[nodiscard]] constexpr u64 read() const {
    u64 lanes = 0;
    for (u64 left = moved & written; left != 0; left &= left - 1)
      lanes |= u64{1} << source[static_cast<u32>(std::countr_zero(left))];
    return lanes;
  }
};

/// True if the masks of rows and banks allow a lane to be written.
constexpr bool is_enabled(const Dpp& dpp, u32 lane) {
  return (dpp.row_mask >> lane / 16 & 1) != 0 && (dpp.bank_mask >> lane % 16 / 4 & 1) != 0;
}

/// Selects the lanes. An inactive source lane is treated like one that does not exist.
constexpr DppLanes select_lanes(const Dpp& dpp, u64 exec) {
  DppLanes lanes{};
  for (u32 lane = 0; lane < dpp_lanes; ++lane) {
    const std::optional<u32> source = dpp_source(dpp.control, lane);
    const bool is_moved = source && (exec >> *source & 1) != 0;
    const bool is_written = (exec >> lane & 1) != 0 && is_enabled(dpp, lane) && (is_moved || dpp.bound_ctrl);
    lanes.source[lane] = static_cast<u8>(source.value_or(0));
    lanes.moved |= u64{is_moved} << lane;
    lanes.written |= u64{is_written} << lane;
  }
  return lanes;
}

}  // namespace salu::isa::vector
