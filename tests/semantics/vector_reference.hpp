#pragma once

#include <salu/integer.hpp>

#include <array>
#include <functional>
#include <string_view>

/// An independent model of the computation of a lane: written from AMD's manuals with integers wide enough for every
/// exact result, loops over bytes and bits, and the host's own floats. It shares no code with src/isa/vector/semantics.
namespace salu::test {

/// The inputs of one lane for an instruction of the vector ALU.
struct LaneInputs {
  std::array<u64, 3> s{};  ///< sources after selects and signs; 16-bit operands in the low half
  u64 old = 0;             ///< the old value of the destination
  bool carry = false;      ///< the lane's bit of the source mask
  u32 lane = 0;
  bool clamp = false;
  u32 op_sel = 0;           ///< for dot products: which half of a source is its first one, one bit per source
  u32 op_sel_hi = 0;        ///< for dot products: which half is its second one; mixed: sources of 16 bits
  u32 negate = 0;           ///< for dot products: sources whose first half is negated
  u32 negate_hi = 0;        ///< for dot products: sources whose second half is negated
  u32 truth_table = 0;      ///< for V_BITOP3
  u32 output_modifier = 0;  ///< 1: times 2, 2: times 4, 3: times 1/2
  u32 mode = 0;             ///< the hardware register MODE
};

struct LaneResult {
  u64 d = 0;            ///< as wide as the row's destination; for packed rows one half
  bool mask = false;    ///< the lane's bit of the destination mask
  bool is_nan = false;  ///< `d` may be any quiet NaN: the manuals do not specify it
};

using LaneModel = std::function<LaneResult(const LaneInputs&)>;

/// The model of a row by its name in isa/vector/instructions; for packed rows the computation of one half. Null for
/// rows that do more than compute: copies between lanes or between registers that M0 selects, swaps.
const LaneModel* find_lane_model(std::string_view name);

}  // namespace salu::test
