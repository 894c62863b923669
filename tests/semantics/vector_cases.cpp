#include "semantics/vector_cases.hpp"

#include <bit>
#include <limits>
#include <sstream>

#include "semantics/dpp_reference.hpp"

namespace salu::test {
namespace {

namespace vec = isa::vector;
using vec::Form;
using vec::Format;
using vec::OperandKind;

constexpr std::array<u32, 24> integer_edges = {0,        1,          2,          15,         16,         31,
                                               32,       33,         63,         0x7f,       0x80,       0xff,
                                               0x7fff,   0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,
                                               0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};

// Infinities, NaNs, denormals and their neighbours, powers of two, and the limits of integers.
constexpr std::array<u32, 24> float_edges = {0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001,
                                             0x807fffff, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                             0x7fc00000, 0x7f800001, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001,
                                             0x4f000000, 0x4f800000, 0xcf000000, 0x4effffff, 0x7e800000, 0x00400000};

u32 random_float(Random& random) {
  if (random() % 3 == 0) return float_edges[random() % float_edges.size()];
  // Close to each other, so that sums and their rounding matter, and far enough for products to overflow.
  const u64 exponent = random() % 4 == 0 ? random() % 256 : 127 - 13 + random() % 26;
  return static_cast<u32>(random() % 2 << 31 | exponent << 23 | random() % (1U << 23));
}

constexpr std::array<u64, 24> wide_float_edges = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x0010000000000001, 0x800fffffffffffff, 0x8010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0x3ff0000000000000,
    0xbff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x41e0000000000000, 0x41f0000000000000,
    0xc1e0000000000000, 0x41dfffffffc00000, 0x7fd0000000000000, 0x0008000000000000};

u64 random_wide_float(Random& random) {
  if (random() % 3 == 0) return wide_float_edges[random() % wide_float_edges.size()];
  const u64 exponent = random() % 4 == 0 ? random() % 2048 : 1023 - 28 + random() % 56;
  // Short fractions make exact results and ties.
  const u64 fraction = random() % 2 == 0 ? random() % (u64{1} << 52) : random() % 256 << 44;
  return random() % 2 << 63 | exponent << 52 | fraction;
}

/// Registers of random waves that begin a pair with a 64-bit float.
constexpr bool holds_wide_float(u32 number) { return number % 4 == 2; }

// Zeros, denormals and their neighbours, infinities, NaNs, powers of two.
constexpr std::array<u16, 20> half_edges = {0x0000, 0x8000, 0x0001, 0x03ff, 0x0400, 0x0401, 0x83ff,
                                            0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                            0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x7800, 0x0200};

u16 random_half(Random& random) {
  if (random() % 3 == 0) return half_edges[random() % half_edges.size()];
  const u64 exponent = random() % 4 == 0 ? random() % 32 : 9 + random() % 12;
  return static_cast<u16>(random() % 2 << 15 | exponent << 10 | random() % 1024);
}

u32 random_halves(Random& random) {
  const u32 low = random_half(random);
  return low | u32{random_half(random)} << 16;
}

u32 two_bits(u64 one, u64 other) { return 1U << one % 32 | 1U << other % 32; }

u32 random_integer(Random& random) {
  switch (random() % 5) {
    case 0:
      return integer_edges[random() % integer_edges.size()];
    case 1:
      return two_bits(random(), random());
    case 2:
      return static_cast<u32>(random() % 65 - random() % 17);
    case 3:
      return static_cast<u32>(integer_edges[random() % integer_edges.size()] << 16 |
                              (integer_edges[random() % integer_edges.size()] & 0xffff));
    default:
      return static_cast<u32>(random());
  }
}

bool has_modifiers(const vec::InstructionInfo& row, vec::ModifierSet modifiers) {
  return (row.modifiers & modifiers) == modifiers;
}

bool chance(Random& random, u32 one_in) { return random() % one_in == 0; }

/// From CDNA 2 on, VGPRs of more than a dword begin at an even register.
u16 random_vgpr(Generation generation, u32 dwords, Random& random) {
  auto number = static_cast<u32>(random() % (257 - dwords));
  if (dwords > 1 && generation >= Generation::cdna2) number &= ~1U;
  return static_cast<u16>(number);
}

u16 random_pair(Random& random) {
  constexpr std::array<u16, 2> others = {code::vcc, code::exec};
  return static_cast<u16>(chance(random, 6) ? others[random() % 2] : random() % 51 * 2);
}

u16 random_register(Random& random) {
  constexpr std::array<u16, 5> others = {code::vcc, code::vcc + 1, code::m0, code::exec, code::exec + 1};
  return static_cast<u16>(chance(random, 4) ? others[random() % others.size()] : random() % 102);
}

u16 random_integer_constant(Random& random) { return static_cast<u16>(128 + random() % 81); }

u16 random_constant(Generation generation, Random& random) {
  const u32 floats = generation_info(generation).has_inverse_two_pi ? 9 : 8;
  return chance(random, 3) ? static_cast<u16>(240 + random() % floats) : random_integer_constant(random);
}

u16 random_scalar_source(Generation generation, u32 dwords, Random& random) {
  switch (random() % 8) {
    case 0:
      return static_cast<u16>(251 + random() % 3);
    case 1:
    case 2:
    case 3:
      return random_constant(generation, random);
    default:
      return dwords == 2 ? random_pair(random) : random_register(random);
  }
}

bool has_wide_operand(const vec::InstructionInfo& row) {
  bool is_wide = row.shape.destination.bits == 64;
  for (const vec::Operand& source : row.shape.sources) is_wide |= source.bits == 64;
  return is_wide;
}

class Maker {
 public:
  Maker(Generation generation, vec::Insn insn, Form form, Random& random)
      : generation_(generation), row_(vec::info(insn)), random_(random) {
    result_.insn = insn;
    result_.form = form;
  }

  vec::Instruction make() {
    take_destinations();
    for (std::size_t i = 0; i < 3; ++i) take_source(i);
    // The same value twice: equality and cancellation would be rare otherwise, in particular with 64 bits.
    const bool are_alike = row_.shape.sources[0].bits == row_.shape.sources[1].bits;
    if (are_alike && result_.sources[0].is_vgpr() && result_.sources[1].is_vgpr() && chance(random_, 8))
      result_.sources[1].code = result_.sources[0].code;
    take_modifiers();
    const bool is_literal = row_.shape.sources[0].kind == OperandKind::source && result_.sources[0].code == 255;
    const bool has_literal = result_.form == Form::e32 && (is_literal || has_constant());
    if (has_literal) result_.literal = random_dword(random_);
    result_.dwords = static_cast<u8>(result_.form != Form::e32 || has_literal ? 2 : 1);
    return result_;
  }

 private:
  [[nodiscard]] bool has_constant() const {
    return row_.shape.sources[1].kind == OperandKind::constant || row_.shape.sources[2].kind == OperandKind::constant;
  }

  void take_destinations() {
    const vec::Operand& destination = row_.shape.destination;
    if (destination.kind == OperandKind::scalar) {
      result_.destination = static_cast<u8>(random_register(random_));
    } else if (destination.is_there()) {
      result_.destination = static_cast<u8>(random_vgpr(generation_, destination.dwords(), random_));
    }
    const bool is_free = result_.form == Form::e64 || (result_.form == Form::sdwa && row_.format == Format::vopc &&
                                                       generation_info(generation_).sdwa_names_sdst);
    if (row_.shape.writes_mask) {
      result_.mask_destination = static_cast<u8>(is_free ? random_pair(random_) : u16{code::vcc});
    }
    if (row_.shape.reads_mask) {
      u16 source = code::vcc;
      // EXEC cannot be used as a mask.
      do {
        if (result_.form == Form::e64) source = random_pair(random_);
      } while (source == code::exec);
      // Beside three sources VOP3 lacks a field for a mask.
      if (row_.shape.source_count() == 3) source = code::vcc;
      result_.mask_source = static_cast<u8>(source);
    }
  }

  void take_source(std::size_t i) {
    const vec::Operand& operand = row_.shape.sources[i];
    const u32 dwords = operand.dwords();
    const auto vgpr = [&] {
      u32 number = random_vgpr(generation_, dwords, random_);
      if (row_.is_wide_float(operand) && !chance(random_, 4)) number = number / 4 * 4 + 2;
      return static_cast<u16>(256 + number);
    };
    u16& code = result_.sources[i].code;
    switch (operand.kind) {
      case OperandKind::none:
      case OperandKind::constant:
        return;
      case OperandKind::vgpr:
        code = vgpr();
        return;
      case OperandKind::agpr:
        code = random_vgpr(generation_, dwords, random_);
        return;
      case OperandKind::lane:
        code = chance(random_, 2) ? random_register(random_) : random_integer_constant(random_);
        return;
      case OperandKind::scalar_source:
        code = random_scalar_source(generation_, 1, random_);
        return;
      case OperandKind::inline_source:
        code = chance(random_, 2) ? vgpr() : random_constant(generation_, random_);
        if (generation_ >= Generation::cdna2 && chance(random_, 4)) code = random_register(random_);
        return;
      default:
        break;
    }
    const bool is_short_second = result_.form == Form::e32 && i > 0;
    const bool is_old_sdwa = result_.form == Form::sdwa && !is_gfx9(generation_);
    if (is_short_second || is_old_sdwa || result_.form == Form::dpp || !chance(random_, 3)) {
      code = vgpr();
    } else if (result_.form == Form::e32 && chance(random_, 3) && !has_constant()) {
      code = 255;
    } else {
      code = random_scalar_source(generation_, dwords, random_);
    }
    // The constants of two dwords are not documented here.
    if (row_.format == Format::vop3p && dwords == 2 && code >= 128) code = vgpr();
  }

  void take_modifiers() {
    const u32 sources = row_.shape.source_count();
    const bool is_packed = has_modifiers(row_, vec::modifier::packed);
    const bool is_compare = row_.format == Format::vopc;
    if (result_.form == Form::e32) return;
    if (result_.form == Form::sdwa) take_selects(sources);
    if (result_.form == Form::dpp) take_lanes();
    // Packed instructions and dot products on floats have other signs.
    const bool lists_signs = is_packed || has_modifiers(row_, vec::modifier::dot);
    if (has_modifiers(row_, vec::modifier::sign) && !lists_signs) {
      // A carry replaces the absolute values.
      const bool has_absolute =
          result_.form == Form::sdwa || result_.form == Form::dpp || !row_.shape.writes_mask || is_compare;
      for (u32 i = 0; i < sources; ++i) {
        if (!row_.shape.sources[i].takes_sign) continue;
        result_.sources[i].negate = chance(random_, 3);
        result_.sources[i].absolute = has_absolute && chance(random_, 3);
      }
    }
    if (result_.form == Form::dpp) return;
    const bool is_old = generation_info(generation_).gfx <= 7;
    const bool is_dot = has_modifiers(row_, vec::modifier::dot);
    const bool is_mixed = has_modifiers(row_, vec::modifier::mixed);
    const bool may_clamp =
        has_modifiers(row_, is_old ? vec::modifier::output : vec::modifier::clamp) || is_packed || is_dot || is_mixed;
    // Up to GCN 1.1 the name of a carry replaces CLAMP.
    const bool has_clamp = !(is_old && row_.shape.writes_mask) && !(result_.form == Form::sdwa && is_compare);
    if (may_clamp && has_clamp) {
      result_.clamp = chance(random_, 2);
    }
    if (has_modifiers(row_, vec::modifier::output) && (result_.form == Form::e64 || is_gfx9(generation_)) &&
        chance(random_, 2)) {
      result_.output_modifier = static_cast<u8>(random_() % 4);
    }
    if (has_modifiers(row_, vec::modifier::truth_table)) result_.truth_table = static_cast<u8>(random_());
    if (has_modifiers(row_, vec::modifier::exchange)) result_.op_sel = static_cast<u8>(random_() % 4);
    if (is_dot) take_halves_of_dot();
    if (has_modifiers(row_, vec::modifier::op_sel) && !is_dot && chance(random_, 2)) {
      result_.op_sel = static_cast<u8>(random_() % (1U << sources));
      if (row_.format != Format::vop3p) result_.op_sel |= static_cast<u8>(random_() % 2 << 3);
    }
    if (is_mixed) {
      result_.op_sel = static_cast<u8>(random_() % 8);
      result_.op_sel_hi = static_cast<u8>(random_() % 8);
    } else if (row_.format == Format::vop3p && row_.modifiers != vec::modifier::plain && !is_dot) {
      result_.op_sel_hi = static_cast<u8>((1U << sources) - 1);
    }
    if (is_packed) {
      if (chance(random_, 2)) result_.op_sel = static_cast<u8>(random_() % (1U << sources));
      if (chance(random_, 2)) result_.op_sel_hi = static_cast<u8>(random_() % (1U << sources));
      if (chance(random_, 4)) {
        result_.negate_hi = static_cast<u8>(random_() % (1U << sources));
        for (u32 i = 0; i < sources; ++i) result_.sources[i].negate = chance(random_, 2);
      }
    }
  }

  /// From CDNA 3 on, dot products have no OP_SEL; earlier ones select halves of the first two sources.
  void take_halves_of_dot() {
    result_.op_sel_hi = 7;
    if (has_modifiers(row_, vec::modifier::sign)) {
      result_.negate_hi = static_cast<u8>(random_() % 8);
      for (vec::Source& source : result_.sources) source.negate = chance(random_, 2);
    }
    if (!has_modifiers(row_, vec::modifier::op_sel) || generation_ >= Generation::cdna3 || chance(random_, 2)) return;
    result_.op_sel = static_cast<u8>(random_() % 4);
    result_.op_sel_hi = static_cast<u8>(4 + random_() % 4);
  }

  void take_lanes() {
    const std::vector<u32> controls = dpp_controls(generation_, has_wide_operand(row_));
    result_.dpp.control = static_cast<u16>(controls[random_() % controls.size()]);
    if (!has_wide_operand(row_) && chance(random_, 4)) result_.dpp.control = static_cast<u16>(random_() % 256);
    if (chance(random_, 2)) result_.dpp.row_mask = static_cast<u8>(random_() % 16);
    if (chance(random_, 2)) result_.dpp.bank_mask = static_cast<u8>(random_() % 16);
    result_.dpp.bound_ctrl = chance(random_, 2);
  }

  void take_selects(u32 sources) {
    for (u32 i = 0; i < sources; ++i) {
      result_.sources[i].select = static_cast<vec::Select>(random_() % 7);
      const bool has_sign = has_modifiers(row_, vec::modifier::sign) && row_.shape.sources[i].takes_sign;
      result_.sources[i].sign_extend = !has_sign && chance(random_, 2);
    }
    if (row_.format == Format::vopc) return;
    result_.destination_select = static_cast<vec::Select>(random_() % 7);
    result_.destination_unused = static_cast<vec::Unused>(random_() % 3);
  }

  Generation generation_;
  const vec::InstructionInfo& row_;
  Random& random_;
  vec::Instruction result_;
};

}  // namespace

std::vector<vec::Insn> all_vector_insns() {
  std::vector<vec::Insn> insns;
  for (std::size_t i = 0; i < vec::insn_count; ++i) insns.push_back(static_cast<vec::Insn>(i));
  return insns;
}

std::vector<Form> vector_forms(Generation generation, vec::Insn insn) {
  const vec::InstructionInfo& row = vec::info(insn);
  std::vector<Form> forms;
  if (row.is_memory()) return forms;
  const bool has_only_form = row.opcode(generation) != isa::absent;
  const bool is_short = has_only_form && row.format != Format::vop3p;
  if (is_short) forms.push_back(Form::e32);
  if (row.vop3_opcode(generation) != isa::absent || (has_only_form && !is_short)) forms.push_back(Form::e64);
  if (is_short && has_modifiers(row, vec::modifier::sdwa) && is_gcn1_2_or_later(generation))
    forms.push_back(Form::sdwa);
  const bool has_wide_dpp = generation >= Generation::cdna2;
  if (is_short && has_modifiers(row, vec::modifier::dpp) && is_gcn1_2_or_later(generation) &&
      row.format != Format::vopc && (has_wide_dpp || !has_wide_operand(row)))
    forms.push_back(Form::dpp);
  return forms;
}

vec::Instruction random_vector_instruction(Generation generation, vec::Insn insn, Form form, Random& random) {
  return Maker(generation, insn, form, random).make();
}

u32 random_dword(Random& random) {
  if (chance(random, 3)) return random_halves(random);
  return chance(random, 2) ? random_float(random) : random_integer(random);
}

u64 random_mask(Random& random) {
  switch (random() % 8) {
    case 0:
      return ~u64{0};
    case 1:
      return 0;
    case 2:
      return u64{1} << random() % 64;
    default:
      return random();
  }
}

WaveState random_wave(Generation generation, Random& random) {
  WaveState state = initial_state(generation);
  for (u32 i = 0; i < 102; ++i) state.file[i] = random_dword(random);
  for (u32 i = 0; i < 102; ++i) {
    if (holds_wide_float(i)) state.write64(i, random_wide_float(random));
  }
  state.write64(code::vcc, random_mask(random));
  state.write64(code::exec, random_mask(random));
  state.file[code::m0] = random_dword(random);
  state.scc = chance(random, 2);
  for (u32 number = 0; number < VectorRegisters::count; ++number) {
    // A third of the registers each for floats, integers, and both.
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      const u32 value = number % 3 == 0   ? random_float(random)
                        : number % 3 == 1 ? random_integer(random)
                                          : random_dword(random);
      state.vectors.write(number, lane, value);
      if (number == 0 || !holds_wide_float(number - 1)) continue;
      const u64 pair = random_wide_float(random);
      state.vectors.write(number - 1, lane, static_cast<u32>(pair));
      state.vectors.write(number, lane, static_cast<u32>(pair >> 32));
    }
    if (number % 5 == 0) state.vectors.undefine(number, random());
  }
  return state;
}

std::string vector_difference(const WaveState& expected, const WaveState& actual) {
  if (expected.vectors == actual.vectors) return {};
  std::ostringstream text;
  text << std::hex;
  u32 lines = 0;
  for (u32 number = 0; number < VectorRegisters::count && lines < 12; ++number) {
    const std::string name = (number < 256 ? "v" : "a") + std::to_string(number % 256);
    if (expected.vectors.defined(number) != actual.vectors.defined(number)) {
      text << "  defined lanes of " << name << ": expected 0x" << expected.vectors.defined(number) << ", is 0x"
           << actual.vectors.defined(number) << '\n';
      ++lines;
    }
    for (u32 lane = 0; lane < state_index::lanes && lines < 12; ++lane) {
      const u32 left = expected.vectors.lanes(number)[lane];
      const u32 right = actual.vectors.lanes(number)[lane];
      if (left == right) continue;
      text << "  " << name << '[' << std::to_string(lane) << "]: expected 0x" << left << ", is 0x" << right << '\n';
      ++lines;
    }
  }
  return text.str();
}

}  // namespace salu::test
