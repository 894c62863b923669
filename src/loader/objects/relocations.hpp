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

/// Returns the name of a relocation type (`R_AMDGPU_REL32_LO`), or its number if it has no name.
std::string relocation_name(u32 type);

/// Returns the type with a number; nothing if it is unknown.
std::optional<RelocationType> find_relocation_type(u32 type);

/// The number of bytes that a relocation patches: 8, 4, 2 or 0.
u32 patched_bytes(RelocationType type);

/// True for types that need an entry in the global offset table.
bool needs_got_entry(RelocationType type);

/// The operands of a relocation's value, in bytes.
struct RelocationOperands {
  u64 symbol = 0;  ///< S: address of the symbol, or for `needs_got_entry` G + GOT: that of its entry
  i64 addend = 0;  ///< A
  u64 place = 0;   ///< P: address of the patched bytes
  u64 base = 0;    ///< B: base address of the object
};

/// Returns A of a relocation without explicit addend (SHT_REL, which LLVM writes for all systems except amdhsa): the
/// original contents of the patched bytes. `patched` starts with these bytes; 0 if it is too short.
i64 implicit_addend(RelocationType type, std::string_view patched);

/// Returns the value for the patched bytes; nothing if it does not fit.
std::optional<u64> relocation_value(RelocationType type, const RelocationOperands& operands);

/// Returns the modifier of a symbol that requests the relocation in assembly: `@rel32@lo`; empty if none is needed.
std::string_view relocation_modifier(RelocationType type);

}  // namespace salu::loader
