#include "loader/objects/relocations.hpp"

#include <fmt/core.h>

#include <array>
#include <limits>

namespace salu::loader {
namespace {

/// The formula of the value: S + A, S + A - P, or B + A. `AddressPart` is the part of the value that is stored.
enum class Formula : u8 { nothing, absolute, relative, based };
enum class AddressPart : u8 { whole, low, high, branch };

struct RelocationRow {
  std::string_view name;
  std::string_view modifier;
  Formula formula = Formula::nothing;
  AddressPart part = AddressPart::whole;
  u8 bytes = 0;
  bool got = false;
};

constexpr std::array<RelocationRow, 15> relocation_rows = {{
    {"NONE", "", Formula::nothing, AddressPart::whole, 0, false},
    {"ABS32_LO", "@abs32@lo", Formula::absolute, AddressPart::low, 4, false},
    {"ABS32_HI", "@abs32@hi", Formula::absolute, AddressPart::high, 4, false},
    {"ABS64", "", Formula::absolute, AddressPart::whole, 8, false},
    {"REL32", "@rel32", Formula::relative, AddressPart::whole, 4, false},
    {"REL64", "@rel64", Formula::relative, AddressPart::whole, 8, false},
    {"ABS32", "", Formula::absolute, AddressPart::whole, 4, false},
    {"GOTPCREL", "@gotpcrel", Formula::relative, AddressPart::whole, 4, true},
    {"GOTPCREL32_LO", "@gotpcrel32@lo", Formula::relative, AddressPart::low, 4, true},
    {"GOTPCREL32_HI", "@gotpcrel32@hi", Formula::relative, AddressPart::high, 4, true},
    {"REL32_LO", "@rel32@lo", Formula::relative, AddressPart::low, 4, false},
    {"REL32_HI", "@rel32@hi", Formula::relative, AddressPart::high, 4, false},
    {},
    {"RELATIVE64", "", Formula::based, AddressPart::whole, 8, false},
    {"REL16", "", Formula::relative, AddressPart::branch, 2, false},
}};

const RelocationRow& row_of(RelocationType type) { return relocation_rows[static_cast<std::size_t>(type)]; }

/// True if a 32-bit field can hold the value, as signed or unsigned.
bool fits32(u64 value, bool is_signed) {
  const auto number = static_cast<i64>(value);
  if (number >= std::numeric_limits<i32>::min() && number <= std::numeric_limits<i32>::max()) return true;
  return !is_signed && value <= std::numeric_limits<u32>::max();
}

}  // namespace

std::string relocation_name(u32 type) {
  if (find_relocation_type(type)) return "R_AMDGPU_" + std::string(relocation_rows[type].name);
  return fmt::format("relocation type {}", type);
}

std::optional<RelocationType> find_relocation_type(u32 type) {
  if (type >= relocation_rows.size() || relocation_rows[type].name.empty()) return std::nullopt;
  return static_cast<RelocationType>(type);
}

u32 patched_bytes(RelocationType type) { return row_of(type).bytes; }

bool needs_got_entry(RelocationType type) { return row_of(type).got; }

std::string_view relocation_modifier(RelocationType type) { return row_of(type).modifier; }

i64 implicit_addend(RelocationType type, std::string_view patched) {
  const RelocationRow& row = row_of(type);
  if (row.bytes == 0 || patched.size() < row.bytes) return 0;
  u64 held = 0;
  for (u32 i = 0; i < row.bytes; ++i) held |= u64{static_cast<u8>(patched[i])} << (8 * i);
  // Fields narrower than an address are signed.
  const u32 unused_bits = 64 - 8 * row.bytes;
  const i64 value = static_cast<i64>(held << unused_bits) >> unused_bits;
  return row.part == AddressPart::branch ? value * 4 + 4 : value;
}

std::optional<u64> relocation_value(RelocationType type, const RelocationOperands& operands) {
  const RelocationRow& row = row_of(type);
  const bool is_relative = row.formula == Formula::relative;
  u64 value = static_cast<u64>(operands.addend);
  if (row.formula == Formula::based) value += operands.base;
  if (row.formula == Formula::absolute || is_relative) value += operands.symbol;
  if (is_relative) value -= operands.place;
  switch (row.part) {
    case AddressPart::low:
      return value & 0xffffffff;
    case AddressPart::high:
      return value >> 32;
    case AddressPart::branch: {
      // In dwords, relative to the next instruction.
      const auto distance = static_cast<i64>(value - 4);
      const i64 dwords = distance / 4;
      const bool fits = dwords >= std::numeric_limits<i16>::min() && dwords <= std::numeric_limits<i16>::max();
      if (distance % 4 != 0 || !fits) return std::nullopt;
      return static_cast<u64>(dwords) & 0xffff;
    }
    case AddressPart::whole:
      break;
  }
  if (row.bytes == 4) {
    if (!fits32(value, is_relative)) return std::nullopt;
    return value & 0xffffffff;
  }
  return value;
}

}  // namespace salu::loader
