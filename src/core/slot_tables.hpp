#pragma once

#include <salu/state.hpp>
#include <salu/target.hpp>

#include <array>
#include <cstddef>

#include "core/micro_op.hpp"

namespace salu::core {

/// The use of the SDST field.
enum class SdstUse : u8 { none, write32, write64, read32, read64, write64_not_exec };
inline constexpr std::size_t sdst_use_count = 6;

/// The use of a source field.
enum class SourceUse : u8 { none, read32, read64 };
inline constexpr std::size_t source_use_count = 3;

inline constexpr u16 no_slot = 0xffff;
inline constexpr u16 no_slot_bit = 0x8000;  ///< not set in valid slot numbers

/// Maps operand codes to slots, for one generation and allocation; `no_slot` if a general handler is needed. One array
/// holds a table for every use of a field, so that an index in it selects table and code.
struct SlotTables {
  std::array<u16, sdst_use_count * 128 + source_use_count * 256 + 256> slots;

  /// The index at which the table of a use begins. The SDST field has 128 codes, a source 256.
  static constexpr u16 table(SdstUse use) { return static_cast<u16>(static_cast<std::size_t>(use) * 128); }
  static constexpr u16 table(SourceUse use) {
    return static_cast<u16>(sdst_use_count * 128 + static_cast<std::size_t>(use) * 256);
  }
  /// A table in which no code has a slot.
  static constexpr u16 empty_table() { return table(static_cast<SourceUse>(source_use_count)); }

  [[nodiscard]] u16 find(SdstUse use, u32 word) const { return slots[table(use) + (word >> 16 & 127)]; }
  [[nodiscard]] u16 find_ssrc0(SourceUse use, u32 word) const { return slots[table(use) + (word & 255)]; }
  [[nodiscard]] u16 find_ssrc1(SourceUse use, u32 word) const { return slots[table(use) + (word >> 8 & 255)]; }
};

/// The tables of a generation with `sgprs` allocated SGPRs. Created once per process; thread-safe.
const SlotTables& slot_tables(Generation generation, u32 sgprs);

/// The values of the slots before the literals: the inline constants of a generation, from slot 128 on.
const std::array<u32, literal_slots>& constant_slots(Generation generation);

}  // namespace salu::core
