#pragma once

#include <salu/integer.hpp>

#include <array>
#include <functional>
#include <string_view>

/// A second opinion on what a lane computes: written from AMD's manuals in terms of integers wide enough for every
/// exact result, of loops over bytes and bits, and of the host's own floats, with nothing in common with
/// src/isa/vector/semantics.
namespace salu::test {

/// What one lane gives to an instruction of the vector ALU.
struct LaneInputs {
  std::array<u64, 3> s{};  ///< sources as selects and signs left them; operands of 16 bits in the low half
  u64 old = 0;             ///< the destination before
  bool carry = false;      ///< the lane's bit of the mask that is read
  u32 lane = 0;
  bool clamp = false;
  u32 op_sel = 0;           ///< of dot products: which half of a source is its first one, a bit a source
  u32 op_sel_hi = 0;        ///< likewise, its second one
  u32 truth_table = 0;      ///< of V_BITOP3
  u32 output_modifier = 0;  ///< 1: times 2, 2: times 4, 3: times 1/2
  u32 mode = 0;             ///< the hardware register MODE
};

struct LaneResult {
  u64 d = 0;            ///< as wide as the row's destination; of packed rows one half
  bool mask = false;    ///< the lane's bit of the mask that is written
  bool is_nan = false;  ///< `d` may be any quiet NaN: the manuals do not say which one
};

using LaneModel = std::function<LaneResult(const LaneInputs&)>;

/// The model of a row by the name that it has in isa/vector/instructions; of packed rows what either half computes.
/// Null for what does more than compute: copies from lane to lane, between registers that M0 names, swaps.
const LaneModel* find_lane_model(std::string_view name);

}  // namespace salu::test
