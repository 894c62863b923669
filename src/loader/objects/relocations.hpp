#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

/// Relocation records of AMDGPU code objects (LLVM AMDGPUUsage, "Relocation Records").
namespace salu::loader {

/// R_AMDGPU_...
enum class RelocationType : u8 {
  none = 0,
  abs32_lo = 1,
  abs32_hi = 2,
  abs64 = 3,
  rel32 = 4,
  rel64 = 5,
  abs32 = 6,
  gotpcrel = 7,
  gotpcrel32_lo = 8,
  gotpcrel32_hi = 9,
  rel32_lo = 10,
  rel32_hi = 11,
  relative64 = 13,
  rel16 = 14,
};

/// `R_AMDGPU_REL32_LO` and so on; the number when it has no name.
std::string relocation_name(u32 type);

/// The type with this number; nothing when it has no name.
std::optional<RelocationType> find_relocation_type(u32 type);

/// The bytes that a relocation patches: 8, 4, 2 or 0.
u32 patched_bytes(RelocationType type);

/// True for those that need an entry in the global offset table.
bool needs_got_entry(RelocationType type);

/// What the value is made of, all in bytes.
struct RelocationOperands {
  u64 symbol = 0;  ///< S: address of the symbol, or for `needs_got_entry` G + GOT: that of its entry
  i64 addend = 0;  ///< A
  u64 place = 0;   ///< P: address of what is patched
  u64 base = 0;    ///< B: where the object lies
};

/// A of a relocation whose section has no addends (SHT_REL, as LLVM writes them for all but amdhsa): what the patched
/// bytes hold. `patched` starts with them; 0 when it is shorter.
i64 implicit_addend(RelocationType type, std::string_view patched);

/// The value for the patched bytes; nothing when it does not fit into them.
std::optional<u64> relocation_value(RelocationType type, const RelocationOperands& operands);

/// What stands behind a symbol in assembly to ask for the relocation: `@rel32@lo`; empty for those that need nothing.
std::string_view relocation_modifier(RelocationType type);

}  // namespace salu::loader
