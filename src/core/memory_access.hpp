#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>

#include <optional>

#include "core/wave.hpp"
#include "isa/decode.hpp"
#include "isa/memory_table.hpp"

namespace salu::core {

/// The access of a scalar memory instruction.
struct MemoryRequest {
  u64 address = 0;               ///< of the first dword
  i64 offset = 0;                ///< from the base, in bytes
  u32 dwords = 0;                ///< number of consecutive dwords; 0 if the instruction does not access memory
  u32 in_bounds = 0;             ///< how many of them are in the buffer; all of them without a buffer
  bool negative_offset = false;  ///< negative although it must not be: with an offset register, or into a buffer
};

/// Computes the access from the fields and the current registers; no warnings, no side effects.
MemoryRequest find_memory_request(const Wave& wave, const isa::Instruction& instruction);

/// True if the instruction is ignored because its result would exceed the allocated SGPRs.
bool is_suppressed(const Wave& wave, const isa::Instruction& instruction, const MemoryRequest& request);

/// The first dword of the access (0 is the one at its address) that is not mapped, or not writable although it must be;
/// nothing if the whole access is possible.
std::optional<u32> find_barred_dword(const Wave& wave, const Memory& memory, const MemoryRequest& request, bool writes);

/// The immediate offset in bytes: SMRD counts dwords, in the field and in the literal of GCN 1.1.
i64 immediate_bytes(Generation generation, const isa::Instruction& instruction);

}  // namespace salu::core
