#pragma once

#include <salu/integer.hpp>

#include "isa/decode.hpp"
#include "isa/table.hpp"

namespace salu::exec {

/// The operands that the encoding and the address of an instruction determine, for domains of `Step` that execute
/// decoded instructions.
class InstructionFields {
 public:
  /// `address_mask`: the bits of the generation's PC.
  InstructionFields(const isa::Instruction& instruction, u64 pc, u64 address_mask)
      : instruction_(instruction), pc_(pc), address_mask_(address_mask) {}

  [[nodiscard]] const isa::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] u64 pc() const { return pc_; }
  [[nodiscard]] u64 next_address() const { return (pc_ + u64{instruction_.dwords} * 4) & address_mask_; }
  [[nodiscard]] u64 branch_target() const { return next_address() + static_cast<u64>(i64{simm16()} * 4); }
  [[nodiscard]] i32 simm16() const { return static_cast<i16>(instruction_.simm16); }
  [[nodiscard]] u32 uimm16() const { return instruction_.simm16; }
  [[nodiscard]] u32 literal_dword() const { return instruction_.literal; }
  [[nodiscard]] u32 raw_ssrc1() const { return instruction_.ssrc1; }
  [[nodiscard]] u32 register_number() const {
    const isa::OperandSpec* const ssrc0 = isa::info(instruction_.insn).shape.find(isa::Field::ssrc0);
    return ssrc0->kind == isa::OperandKind::register_source ? instruction_.ssrc0 : instruction_.sdst;
  }

 private:
  const isa::Instruction& instruction_;
  u64 pc_;
  u64 address_mask_;
};

}  // namespace salu::exec
