#pragma once

#include <array>
#include <cstddef>

#include "isa/vector/decode.hpp"
#include "isa/vector/table.hpp"
#include "proof/instruction_step.hpp"

namespace salu::proof {

/// What a vector instruction finds in its operands, lane by lane.
class LaneSources {
 public:
  LaneSources(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::vector::Instruction& instruction)
      : terms_(terms),
        state_(state),
        wave_(wave),
        instruction_(instruction),
        row_(isa::vector::row(instruction.insn)),
        exec_(state.pair(code::exec)) {}

  [[nodiscard]] const isa::vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const isa::vector::InstructionInfo& row() const { return row_; }

  /// Whether a lane is on: 1 bit.
  [[nodiscard]] TermId is_on(u32 lane) const { return terms_.slice(exec_, lane, 1); }
  /// A source of 32 bits as its modifiers make it, one of 16 bits, and one of 64.
  [[nodiscard]] TermId dword(std::size_t i, u32 lane) const;
  [[nodiscard]] TermId half(std::size_t i, u32 lane, bool upper) const;
  [[nodiscard]] TermId pair(std::size_t i, u32 lane, bool extends_sign) const;
  /// The destination of 32 bits before the instruction.
  [[nodiscard]] TermId old_dword(u32 lane) const { return state_.lane(destination(), lane); }
  /// The lane's bit of the mask that is read.
  [[nodiscard]] TermId mask_bit(u32 lane) const {
    return terms_.slice(read_operand(terms_, state_, wave_, instruction_.mask_source, 2, 0), lane, 1);
  }

  /// A word of 16, 32 or 64 bits for a lane of the destination; 16 bits go to one of its halves.
  void write(u32 lane, TermId result);
  /// Bits for all lanes: to the mask that is written.
  void write_mask(const std::array<TermId, state_index::lanes>& bits);

 private:
  /// The register that a source is, or the first of two.
  [[nodiscard]] u32 source_register(std::size_t i, u32 dwords) const;
  [[nodiscard]] TermId with_modifiers(std::size_t i, TermId dword) const;
  [[nodiscard]] u32 destination() const;
  void write_dword(u32 vector, u32 lane, TermId dword);

  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const isa::vector::Instruction& instruction_;
  const isa::vector::InstructionInfo& row_;
  TermId exec_;  ///< before the instruction
};

}  // namespace salu::proof
