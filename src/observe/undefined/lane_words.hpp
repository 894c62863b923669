#pragma once

#include <cstddef>

#include "core/vector/vector_file.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/table.hpp"
#include "observe/undefined/step.hpp"

namespace salu::observe::undefined {

/// What of a lane's results is undefined.
struct LaneResult {
  u64 value = 0;      ///< bits of what goes to the destination, before the modifiers of results
  u32 width = 0;      ///< of that: 16, 32 or 64 bits, or none
  bool mask = false;  ///< the lane's bit of the mask
  OriginId origin = 0;
};

/// A lane's sources, as the modifiers of an instruction make them: values and what of them is undefined.
class LaneWords {
 public:
  LaneWords(Step& step, const isa::vector::Instruction& instruction);

  void set_lane(u32 lane) {
    lane_ = lane;
    origin_ = 0;
  }
  [[nodiscard]] u32 lane() const { return lane_; }
  [[nodiscard]] const isa::vector::Instruction& instruction() const { return instruction_; }
  /// Of the first undefined source that was asked for.
  [[nodiscard]] OriginId origin() const { return origin_; }

  struct Value {
    u64 bits = 0;
    u64 undefined = 0;
  };
  Value source32(std::size_t i);
  Value source16(std::size_t i, bool high);
  Value source64(std::size_t i, bool extends_sign);
  /// The lane's bit of the mask that is read.
  Value mask_source();

 private:
  Value note(u64 bits, const Mask& mask);
  Value scalar(std::size_t i, u32 dwords, bool extends_sign);
  Value vgpr(u32 number);

  Step& step_;
  const isa::vector::Instruction& instruction_;
  const isa::vector::InstructionInfo& row_;
  const core::VectorFile* file_;
  u32 lane_ = 0;
  OriginId origin_ = 0;
};

/// Computes a lane of an instruction; of V_PK the lower half or the upper one.
using LaneFunction = LaneResult (*)(LaneWords& words, bool upper);
/// The function of an instruction that computes with integers; null for all others.
LaneFunction lane_function(isa::vector::Insn insn);

}  // namespace salu::observe::undefined
