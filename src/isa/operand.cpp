#include "isa/operand.hpp"

#include <array>

#include "isa/generations.hpp"

namespace salu::isa {
namespace {

using ClassTable = std::array<OperandClass, 256>;

constexpr void fill(ClassTable& table, u32 first, u32 last, OperandClass value) {
  for (u32 code = first; code <= last; ++code) {
    // Evaluated at compile time only: a generation with overlapping registers breaks the build here.
    if (table[code] != OperandClass::reserved) throw "two operands with one code";
    table[code] = value;
  }
}

/// An operand that some generations lack: their code is 0.
constexpr void fill_if_any(ClassTable& table, u32 code, OperandClass value) {
  if (code != 0) fill(table, code, code, value);
}

constexpr ClassTable make_classes(Generation generation) {
  const GenerationInfo& info = generation_info(generation);
  ClassTable table{};
  table.fill(OperandClass::reserved);
  fill(table, 0, info.sgprs - 1U, OperandClass::sgpr);
  if (info.flat_scratch != 0) fill(table, info.flat_scratch, info.flat_scratch + 1U, OperandClass::flat_scratch);
  if (info.has_xnack_mask) fill(table, 104, 105, OperandClass::xnack_mask);
  fill(table, info.operands.vcc, info.operands.vcc + 1U, OperandClass::vcc);
  if (info.trap_addresses_are_operands) {
    fill(table, 108, 109, OperandClass::tba);
    fill(table, 110, 111, OperandClass::tma);
  }
  fill(table, info.first_ttmp, info.first_ttmp + info.ttmps - 1U, OperandClass::ttmp);
  fill(table, info.operands.m0, info.operands.m0, OperandClass::m0);
  fill_if_any(table, info.operands.null, OperandClass::null);
  fill(table, info.operands.exec, info.operands.exec + 1U, OperandClass::exec);
  fill(table, 128, 208, OperandClass::integer);
  if (info.has_aperture_operands) {
    fill(table, 235, 238, OperandClass::aperture);
    fill(table, 239, 239, OperandClass::pops_exiting_wave_id);
  }
  fill(table, 240, info.has_inverse_two_pi ? 248 : 247, OperandClass::floating);
  fill_if_any(table, info.operands.vccz, OperandClass::vccz);
  fill_if_any(table, info.operands.execz, OperandClass::execz);
  fill(table, info.operands.scc, info.operands.scc, OperandClass::scc);
  fill(table, literal_code, literal_code, OperandClass::literal);
  return table;
}

constexpr GenerationTable<ClassTable> classes(make_classes);

// 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 1/(2*PI)
constexpr std::array<u32, 9> float_patterns = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                               0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr std::array<u16, 9> half_patterns = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
constexpr std::array<u64, 9> double_patterns = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                                0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                                0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

/// Registers of one class are contiguous, so it is enough to check both ends of a run.
OperandVerdict judge_register(Generation generation, u8 dwords, u32 code, OperandClass operand) {
  if (dwords == 1 || operand == OperandClass::null) return OperandVerdict::legal;
  const u32 alignment = dwords == 2 ? 2 : 4;
  const u32 last = code + dwords - 1;
  if (operand == OperandClass::m0) return OperandVerdict::illegal;
  if (code % alignment != 0) return OperandVerdict::misaligned;
  if (last > 127 || operand_class(generation, static_cast<u8>(last)) != operand) return OperandVerdict::illegal;
  return OperandVerdict::legal;
}

/// SDATA of scalar memory: no M0, no EXEC (semantics.md 9.3).
bool is_memory_register(OperandClass operand) { return operand != OperandClass::m0 && operand != OperandClass::exec; }

}  // namespace

OperandClass operand_class(Generation generation, u8 code) { return classes[generation][code]; }

u32 inline_constant32(u8 code) {
  if (code >= 240) return float_patterns[code - 240U];
  return static_cast<u32>(code <= 192 ? code - 128 : 192 - code);
}

u32 inline_constant16(u8 code) { return code >= 240 ? half_patterns[code - 240U] : inline_constant32(code); }

u64 inline_constant64(u8 code) {
  if (code >= 240) return double_patterns[code - 240U];
  return static_cast<u64>(i64{code <= 192 ? code - 128 : 192 - code});
}

namespace {

/// The first inline constant for whose code `matches` is true.
template <class Matches>
std::optional<u8> find_constant(Generation generation, const Matches& matches) {
  constexpr u32 first_code = 128;
  constexpr u32 last_code = 248;
  for (u32 code = first_code; code <= last_code; ++code) {
    const auto each = static_cast<u8>(code);
    if (is_inline_constant(operand_class(generation, each)) && matches(each)) return each;
  }
  return std::nullopt;
}

}  // namespace

std::optional<u8> inline_constant_code(Generation generation, u64 bits, u8 dwords) {
  return find_constant(generation, [=](u8 code) {
    return (dwords == 2 ? inline_constant64(code) : u64{inline_constant32(code)}) == bits;
  });
}

std::optional<u8> inline_half_code(Generation generation, u16 bits) {
  return find_constant(generation, [=](u8 code) { return static_cast<u16>(inline_constant16(code)) == bits; });
}

std::optional<u8> inline_halves_code(Generation generation, u32 bits) {
  return find_constant(generation, [=](u8 code) { return inline_constant16(code) == bits; });
}

OperandVerdict judge_operand(Generation generation, OperandKind kind, u8 dwords, u8 code) {
  const OperandClass operand = operand_class(generation, code);
  switch (kind) {
    case OperandKind::destination:
    case OperandKind::register_source:
      return is_register(operand) ? judge_register(generation, dwords, code, operand) : OperandVerdict::illegal;
    case OperandKind::memory_base:
      // An address can be in EXEC, as in LLVM; judge_register rejects it for descriptors of four registers.
      return is_register(operand) ? judge_register(generation, dwords, code, operand) : OperandVerdict::illegal;
    case OperandKind::memory_data:
      return is_register(operand) && is_memory_register(operand) ? judge_register(generation, dwords, code, operand)
                                                                 : OperandVerdict::illegal;
    case OperandKind::inline_source:
      if (operand == OperandClass::literal) return OperandVerdict::illegal;
      [[fallthrough]];
    case OperandKind::source:
    case OperandKind::signed_source:
      if (operand == OperandClass::reserved) return OperandVerdict::illegal;
      return is_register(operand) ? judge_register(generation, dwords, code, operand) : OperandVerdict::legal;
    default:
      return OperandVerdict::legal;
  }
}

}  // namespace salu::isa
