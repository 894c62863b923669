#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>

#include <optional>

#include "core/wave.hpp"
#include "isa/decode.hpp"
#include "isa/memory_table.hpp"

namespace salu::core {

/// What a scalar memory instruction is about to touch.
struct MemoryRequest {
  u64 address = 0;               ///< of the first dword
  i64 offset = 0;                ///< from the base, in bytes
  u32 dwords = 0;                ///< consecutive ones; 0 when the instruction leaves memory alone
  u32 in_bounds = 0;             ///< how many of them are in the buffer; without a buffer all
  bool negative_offset = false;  ///< where the offset has to be positive: with an offset register, or into a buffer
};

/// Works the request out from the fields and the registers as they are now; no warnings, no side effects.
MemoryRequest find_memory_request(const Wave& wave, const isa::Instruction& instruction);

/// Whether the instruction does nothing because what it returns would go beyond the allocated SGPRs.
bool is_suppressed(const Wave& wave, const isa::Instruction& instruction, const MemoryRequest& request);

/// The first dword of the request (0 is the one at its address) that is not mapped, or may not be written though it has
/// to be; nothing when the whole access can be made.
std::optional<u32> find_barred_dword(const Wave& wave, const Memory& memory, const MemoryRequest& request, bool writes);

/// The immediate offset in bytes: SMRD counts dwords, in the field and in the literal of GCN 1.1.
i64 immediate_bytes(Generation generation, const isa::Instruction& instruction);

}  // namespace salu::core
