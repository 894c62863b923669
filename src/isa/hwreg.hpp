#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "isa/generations.hpp"

/// The hardware registers that S_GETREG and S_SETREG address, and their bit fields, by generation (hwregs.tsv: LLVM,
/// AMD's manuals, CLRX, the register headers of Linux).
namespace salu::isa {

/// Ids of the registers that the scalar unit uses or changes.
namespace hwreg_id {
inline constexpr u32 mode = 1;
inline constexpr u32 status = 2;
inline constexpr u32 trapsts = 3;
inline constexpr u32 gpr_alloc = 5;
inline constexpr u32 lds_alloc = 6;
inline constexpr u32 ib_sts = 7;
inline constexpr u32 pc_lo = 8;
inline constexpr u32 pc_hi = 9;
inline constexpr u32 sh_mem_bases = 15;  ///< GFX9: [15:0] private base, [31:16] shared base, address bits 63:48
inline constexpr u32 tba_lo = 16;        ///< GFX9: TBA and TMA read as byte address >> 8
inline constexpr u32 tba_hi = 17;
inline constexpr u32 tma_lo = 18;
inline constexpr u32 tma_hi = 19;
inline constexpr u32 count = 64;  ///< the id has six bits of SIMM16
}  // namespace hwreg_id

enum class HwregAccess : u8 { read_write, read_only, write_only };

/// One hardware register.
struct HwregInfo {
  std::string_view name;  ///< upper case, without `HW_REG_`: `MODE`
  u8 id = 0;              ///< SIMM16[5:0]
  GenerationSet generations;
  HwregAccess access = HwregAccess::read_only;  ///< for a program without STATUS.PRIV
  /// True if LLVM 19 supports `HW_REG_<name>` and prints it. Other names are CLRX's: a disassembly shows their number.
  bool in_llvm = false;
};

/// A bit field of a hardware register.
struct HwregField {
  std::string_view name;  ///< upper case: `CSP`
  u8 id = 0;              ///< of the register
  u8 low_bit = 0;
  u8 high_bit = 0;  ///< inclusive
  GenerationSet generations;

  [[nodiscard]] constexpr u8 width() const { return static_cast<u8>(high_bit - low_bit + 1); }
  /// The field's bits, in place.
  [[nodiscard]] constexpr u32 mask() const { return (0xffffffffU >> (31 - high_bit)) & (0xffffffffU << low_bit); }
};

/// All registers of all generations, ordered by id.
std::span<const HwregInfo> hwregs();
/// All fields of all generations, ordered by register and bit. A field that moved has an entry for each position.
std::span<const HwregField> hwreg_fields();

/// The register with an id; null if the generation does not have it.
const HwregInfo* find_hwreg(Generation generation, u32 id);
/// The register with a name, in any case, with or without `HW_REG_`: `MODE`, `ib_sts`, `HW_REG_TRAPSTS`. Null if it
/// does not exist.
const HwregInfo* find_hwreg(Generation generation, std::string_view name);

/// The field of a register with a name in any case; null if it does not exist.
const HwregField* find_hwreg_field(Generation generation, u32 id, std::string_view name);
/// The fields of one register on one generation, ordered by bit.
std::vector<const HwregField*> hwreg_fields(Generation generation, u32 id);

}  // namespace salu::isa
