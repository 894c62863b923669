#pragma once

#include <span>
#include <string>

#include "core/wave.hpp"
#include "isa/vector/decode.hpp"

/// Vector instructions that use registers beyond the wave's allocation (Vega ISA manual, 3.6.1 and 6.2.3): all dwords
/// of an operand must be allocated. A source reads v0 and the following registers instead. If a result is not
/// allocated, the whole instruction is ignored, including its other results.
namespace salu::core {

/// A vector instruction as a wave executes it.
struct AllocatedInstruction {
  isa::vector::Instruction instruction;  ///< V_NOP if a result is beyond the allocation
  bool reads_beyond = false;
  bool writes_beyond = false;

  [[nodiscard]] bool is_beyond() const { return reads_beyond || writes_beyond; }
};

/// Returns the instruction that a wave with this allocation executes. Addresses and data of memory instructions beyond
/// the allocation are replaced by v0; `source_register` does the same for ALU sources.
AllocatedInstruction allocate(Generation generation, const Allocation& allocation,
                              const isa::vector::Instruction& instruction);

/// Decodes a vector instruction as a wave with its allocation executes it. Returns nothing if `isa::vector::decode`
/// returns nothing.
std::optional<isa::vector::Instruction> decode_allocated(const Wave& wave, std::span<const u32> words);

/// Returns the text of the warning about an instruction with registers beyond the allocation.
std::string describe_beyond(Generation generation, const Allocation& allocation,
                            const isa::vector::Instruction& instruction);

}  // namespace salu::core
