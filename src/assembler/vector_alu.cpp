#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "assembler/vector_operands.hpp"
#include "isa/operand.hpp"
#include "isa/vector/encode.hpp"
#include "isa/vector/semantics/soft_float.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

/// Instructions of the ALU: VOP1, VOP2, VOPC, VOP3, VOP3P, SDWA and DPP.
namespace salu::assembler::vector {
namespace {

using isa::vector::Form;
using isa::vector::Format;
using isa::vector::Instruction;
using isa::vector::InstructionInfo;
using isa::vector::OperandKind;
using isa::vector::Select;
using isa::vector::Unused;

/// `v0`, or `v[0:1]` for more than one register.
std::string example(char letter, u32 dwords) {
  return dwords == 1 ? fmt::format("{}0", letter) : fmt::format("{}[0:{}]", letter, dwords - 1);
}

/// Tries one form of an instruction.
class AluBuilder {
 public:
  AluBuilder(Generation generation, isa::vector::Insn insn, Form form, std::string_view name,
             const WrittenInstruction& written)
      : generation_(generation), row_(isa::vector::info(insn)), form_(form), name_(name), written_(written) {
    instruction_.insn = insn;
    instruction_.form = form;
    instruction_.dwords = form == Form::e32 ? 1 : 2;
  }

  Attempt build() {
    Attempt attempt;
    if (take_operands() && take_modifiers()) {
      attempt.draft = Draft{instruction_, std::move(fixup_)};
    } else {
      attempt.problem = std::move(problem_);
    }
    return attempt;
  }

 private:
  [[nodiscard]] bool is_compare() const { return !row_.shape.destination.is_there() && row_.shape.writes_mask; }
  [[nodiscard]] bool is_gfx9() const { return salu::is_gfx9(generation_); }
  [[nodiscard]] bool has(isa::vector::ModifierSet set) const { return (row_.modifiers & set) == set; }

  bool reject(const TextPosition& place, std::string message) {
    problem_ = {place, std::move(message)};
    return false;
  }

  /// True if the parts collected so far are a valid instruction.
  [[nodiscard]] bool is_instruction() const {
    const isa::EncodedWords words = isa::vector::encode(generation_, instruction_);
    return isa::vector::decode(generation_, words.span()) == instruction_;
  }

  bool take_operands() {
    const isa::vector::Shape& shape = row_.shape;
    const bool has_destination = shape.destination.is_there();
    const u32 sources = shape.source_count();
    const std::size_t expected =
        u32{has_destination} + u32{shape.writes_mask} + sources + u32{shape.names_source_mask()};
    // The short form always uses VCC as the mask, which need not be written.
    const bool omits_vcc = instruction_.insn == isa::vector::Insn::v_cndmask_b32 && form_ == Form::e32 &&
                           written_.operands.size() + 1 == expected;
    if (written_.operands.size() != expected && !omits_vcc) {
      const TextPosition place =
          written_.operands.size() > expected ? written_.operands[expected].source.place : written_.end;
      return reject(place, fmt::format("{} takes {}", row_.name(generation_), support::counted(expected, "operand")));
    }
    std::size_t next = 0;
    if (has_destination && !take_destination(written_.operands[next++])) return false;
    if (shape.writes_mask && !take_mask(written_.operands[next++], instruction_.mask_destination, true)) return false;
    for (std::size_t i = 0; i < sources; ++i) {
      if (!take_source(i, written_.operands[next++])) return false;
    }
    if (omits_vcc || (shape.reads_mask && !shape.names_source_mask())) {
      instruction_.mask_source = operand_codes(generation_).vcc;
    } else if (shape.reads_mask && !take_mask(written_.operands[next++], instruction_.mask_source, false)) {
      return false;
    }
    return reads_one_scalar() && take_default_modifiers();
  }

  /// The registers of an operand without modifiers; null for any other operand.
  static const RegisterRun* plain_registers(const WrittenOperand& operand) {
    const bool is_plain = !operand.is_off && !operand.negate && !operand.absolute && !operand.sign_extend;
    return is_plain && operand.source.kind == WrittenSource::Kind::registers ? &operand.source.registers : nullptr;
  }

  bool take_destination(const WrittenOperand& operand) {
    const isa::vector::Operand& wanted = row_.shape.destination;
    const RegisterRun* const run = plain_registers(operand);
    const RegisterFile file = wanted.kind == OperandKind::scalar ? RegisterFile::scalar
                              : wanted.kind == OperandKind::agpr ? RegisterFile::agpr
                                                                 : RegisterFile::vgpr;
    const bool fits = run != nullptr && run->file == file && run->dwords == wanted.dwords();
    if (!fits || !isa::vector::may_be_destination(generation_, wanted, run->first)) {
      return reject(operand.source.place, fmt::format("the destination of {} must be {}", name_, expected(wanted)));
    }
    instruction_.destination = run->first;
    return true;
  }

  /// The allowed operands, for messages.
  [[nodiscard]] std::string expected(const isa::vector::Operand& operand) const {
    const bool must_be_even = operand.dwords() != 1 && generation_info(generation_).column >= Generation::cdna2;
    const std::string even = must_be_even ? " that begins at an even number" : "";
    switch (operand.kind) {
      case OperandKind::scalar:
        return "a scalar register, such as s0";
      case OperandKind::agpr:
        return "an accumulation register, such as a0";
      case OperandKind::lane:
        return "a scalar register or a constant from -16 to 64";
      case OperandKind::scalar_source:
        return "a scalar register or a constant, not a VGPR";
      case OperandKind::inline_source:
        return "a VGPR or an inline constant";
      case OperandKind::vgpr:
        return fmt::format("a VGPR, such as {}{}", example('v', operand.dwords()), even);
      default:
        return fmt::format("a register{}, such as {} or {}, or a constant", operand.dwords() == 1 ? "" : " pair" + even,
                           example('v', operand.dwords()), example('s', operand.dwords()));
    }
  }

  /// VCC in the short forms, any pair of SGPRs in the long one.
  bool take_mask(const WrittenOperand& operand, u8& code, bool is_written) {
    const RegisterRun* const run = plain_registers(operand);
    const bool is_pair = run != nullptr && run->file == RegisterFile::scalar && run->dwords == 2;
    const bool names_any = form_ == Form::e64 || (form_ == Form::sdwa && is_compare() && is_gfx9());
    const bool may_be = is_pair && isa::vector::may_be_mask(generation_, run->first) &&
                        (is_written || run->first != operand_codes(generation_).exec) &&
                        (names_any || run->first == operand_codes(generation_).vcc);
    if (!may_be) {
      return reject(operand.source.place,
                    fmt::format("the mask that {} {} must be {}", name_, is_written ? "writes" : "reads",
                                names_any ? "a pair of SGPRs, such as s[0:1] or vcc" : "vcc"));
    }
    code = run->first;
    return true;
  }

  bool take_source(std::size_t index, const WrittenOperand& written) {
    const isa::vector::Operand& operand = row_.shape.sources[index];
    const WrittenSource& source = written.source;
    if (written.is_off) return reject(source.place, fmt::format("src{} of {} cannot be off", index, name_));
    if (operand.kind == OperandKind::constant) return take_constant(written, operand.bits == 16);
    // The second operand of a short form can only be a VGPR, except for a lane number.
    const bool has_nine_bits = form_ == Form::e64 || index == 0 || operand.kind == OperandKind::lane;
    const bool is_vgpr = source.kind == WrittenSource::Kind::registers && source.registers.file == RegisterFile::vgpr;
    const bool takes_vgpr_only =
        (form_ == Form::e32 && !has_nine_bits) || (form_ == Form::sdwa && !is_gfx9()) || form_ == Form::dpp;
    if (!is_vgpr && takes_vgpr_only)
      return reject(source.place, fmt::format("src{} of {} must be a VGPR, such as v0", index, name_));
    const auto code = source_code(index, written);
    if (!code) return false;
    const bool takes_literal = form_ == Form::e32 && index == 0;
    if (!isa::vector::may_be_source(generation_, operand, *code, takes_literal)) {
      return reject(source.place, fmt::format("src{} of {} must be {}", index, name_, expected(operand)));
    }
    const u32 agpr_base = operand.kind == OperandKind::agpr ? u32{isa::vector::first_vgpr} : 0;
    instruction_.sources[index].code = static_cast<u16>(*code - agpr_base);
    return true;
  }

  /// The nine bits of a source; nothing if a problem has been reported.
  std::optional<u32> source_code(std::size_t index, const WrittenOperand& written) {
    const isa::vector::Operand& operand = row_.shape.sources[index];
    const WrittenSource& source = written.source;
    if (source.kind == WrittenSource::Kind::special) return source.code;
    if (source.kind != WrittenSource::Kind::registers) return constant_code(index, written);
    const RegisterRun& run = source.registers;
    const bool is_agpr = operand.kind == OperandKind::agpr;
    if (run.dwords != operand.dwords() || is_agpr != (run.file == RegisterFile::agpr)) {
      reject(source.place, fmt::format("src{} of {} must be {}", index, name_, expected(operand)));
      return std::nullopt;
    }
    return run.file == RegisterFile::scalar ? run.first : run.first + u32{isa::vector::first_vgpr};
  }

  // ---- constants ----

  /// The short form lacks modifiers; those of a constant are folded into the constant. An integer for a 64-bit float
  /// only gives a part of its bits.
  [[nodiscard]] bool is_folded(std::size_t index, const WrittenOperand& operand) const {
    const bool is_integer = operand.source.kind == WrittenSource::Kind::integer;
    const bool is_constant = operand.source.kind == WrittenSource::Kind::floating ||
                             (is_integer && !row_.is_wide_float(row_.shape.sources[index]));
    return form_ == Form::e32 && has(isa::vector::modifier::sign) && is_constant && !operand.sign_extend;
  }

  /// The code of an inline constant if one exists, else the code of a literal.
  std::optional<u32> constant_code(std::size_t index, const WrittenOperand& written) {
    const isa::vector::Operand& operand = row_.shape.sources[index];
    const WrittenSource& source = written.source;
    auto bits = constant_bits(index, source);
    if (!bits) return std::nullopt;
    const bool is_wide_float = row_.is_wide_float(operand);
    if (is_folded(index, written)) {
      const u64 sign_bit = u64{1} << (row_.float_bits(operand) - 1);
      if (written.absolute) *bits &= ~sign_bit;
      if (written.negate) *bits ^= sign_bit;
    }
    const bool is_pair = operand.bits == 64 && row_.format != Format::vop3p;
    if (source.kind != WrittenSource::Kind::labels && !source.is_literal) {
      auto code = find_constant(index, *bits, is_pair);
      // The integer is the high half of a float, which may be an inline constant.
      if (!code && is_wide_float && source.kind == WrittenSource::Kind::integer)
        code = isa::inline_constant_code(generation_, *bits << 32, 2);
      if (code) return *code;
    }
    if (form_ != Form::e32 || index != 0) {
      reject(source.place,
             fmt::format("src{} of {} can be a register or an inline constant (-16 to 64, 0.5, 1.0, 2.0, 4.0), not a "
                         "literal",
                         index, name_));
      return std::nullopt;
    }
    if (is_wide_float && source.kind == WrittenSource::Kind::floating) {
      if (static_cast<u32>(*bits) != 0) {
        reject(source.place, "a literal is the high half of a 64-bit float, which this number does not fit in");
        return std::nullopt;
      }
      *bits >>= 32;
    }
    if (!take_literal(source, operand.bits == 16 ? *bits & 0xffff : *bits)) return std::nullopt;
    return isa::literal_code;
  }

  /// True if a constant is that of a 16-bit float: also where a modifier selects the width, and for dot products.
  [[nodiscard]] bool is_half_float(std::size_t index) const {
    const isa::vector::Operand& operand = row_.shape.sources[index];
    const bool is_of_halves = has(isa::vector::modifier::dot | isa::vector::modifier::sign) && !operand.takes_sign;
    return row_.is_half_float(operand) || has(isa::vector::modifier::mixed) || is_of_halves;
  }

  /// True if a source is a register of two halves, or of two dwords.
  [[nodiscard]] bool has_two_halves() const {
    return row_.format == Format::vop3p && !has(isa::vector::modifier::mixed);
  }

  [[nodiscard]] std::optional<u8> find_constant(std::size_t index, u64 bits, bool is_pair) const {
    if (!is_half_float(index)) return isa::inline_constant_code(generation_, bits, is_pair ? 2 : 1);
    if (has_two_halves()) return isa::inline_halves_code(generation_, static_cast<u32>(bits));
    return isa::inline_half_code(generation_, static_cast<u16>(bits));
  }

  /// The bits that an operand of this width reads from an inline constant. 16-bit integers and VOP3P have the constants
  /// of 32 bits.
  std::optional<u64> constant_bits(std::size_t index, const WrittenSource& source) {
    const u8 bits = has(isa::vector::modifier::mixed) ? u8{16}
                    : has_two_halves()                ? u8{32}
                                                      : row_.shape.sources[index].bits;
    if (source.kind == WrittenSource::Kind::labels) return 0;
    if (source.kind == WrittenSource::Kind::floating)
      return is_half_float(index) ? half_bits(source) : floating_bits(source, bits);
    const i64 value = source.integer;
    if (bits == 64) return static_cast<u64>(value);
    const bool fits = bits == 32 ? fits_dword(value) : value >= -(i64{1} << 15) && value < i64{1} << 16;
    if (fits) return static_cast<u32>(value);
    reject(source.place,
           fmt::format("{} does not fit in {} bits", describe_value(source.expression.text, value), bits));
    return std::nullopt;
  }

  /// The nearest 16-bit float.
  std::optional<u64> half_bits(const WrittenSource& source) {
    using namespace isa::vector;
    const F16 half = convert<F16>(F64{std::bit_cast<u64>(source.floating)}, FloatMode{}, FloatMode{});
    if (!soft_float::is_infinite(half) && soft_float::is_zero(half) == (source.floating == 0)) return half.bits;
    reject(source.place, "this number does not fit in half precision");
    return std::nullopt;
  }

  std::optional<u64> floating_bits(const WrittenSource& source, u8 bits) {
    const double value = source.floating;
    if (bits == 64) return std::bit_cast<u64>(value);
    const auto single = static_cast<float>(value);
    if (std::isinf(single) || (single == 0) != (value == 0)) {
      reject(source.place, "this number does not fit in single precision");
      return std::nullopt;
    }
    const auto pattern = std::bit_cast<u32>(single);
    if (bits == 32 || isa::inline_constant_code(generation_, pattern, 1)) return pattern;
    reject(source.place,
           "a 16-bit operand reads the lower half of a literal and cannot have a floating-point number; give "
           "its bits, such as 0x3c00");
    return std::nullopt;
  }

  bool take_literal(const WrittenSource& source, u64 bits) {
    const bool is_float = source.kind == WrittenSource::Kind::floating;
    if (is_float ? bits >> 32 != 0 : source.kind == WrittenSource::Kind::integer && !fits_dword(source.integer)) {
      return reject(source.place, "this number does not fit in the 32 bits of a literal");
    }
    const bool has_one = instruction_.dwords == 2;
    const bool waits = source.kind == WrittenSource::Kind::labels;
    if (has_one && (waits || fixup_ || instruction_.literal != static_cast<u32>(bits)))
      return reject(source.place, "only one literal is possible in an instruction");
    instruction_.literal = static_cast<u32>(bits);
    instruction_.dwords = 2;
    if (waits) fixup_ = Fixup{Fixup::Kind::literal, 1, false, source.expression};
    return true;
  }

  /// The literal that V_MADMK_F32 and similar instructions always have.
  bool take_constant(const WrittenOperand& operand, bool is_half) {
    const WrittenSource& source = operand.source;
    const bool is_constant =
        source.kind != WrittenSource::Kind::registers && source.kind != WrittenSource::Kind::special;
    if (!is_constant || operand.negate || operand.absolute)
      return reject(source.place, fmt::format("expected the constant of {}, a number", name_));
    if (is_half && source.kind == WrittenSource::Kind::integer &&
        (source.integer < -(i64{1} << 15) || source.integer >= i64{1} << 16))
      return reject(source.place, "this number does not fit in 16 bits");
    const auto bits = source.kind == WrittenSource::Kind::floating
                          ? (is_half ? half_bits(source) : floating_bits(source, 32))
                          : std::optional(u64{static_cast<u32>(source.integer)});
    return bits && take_literal(source, is_half ? *bits & 0xffff : *bits);
  }

  /// Vector instructions read at most one scalar value: an SGPR or a pair of SGPRs, a mask, or a literal.
  bool reads_one_scalar() {
    const isa::vector::Shape& shape = row_.shape;
    constexpr u32 pair = 1000;
    std::set<u32> scalars;
    if (shape.reads_mask) scalars.insert(pair + instruction_.mask_source);
    if (row_.name(generation_).starts_with("v_movrel")) scalars.insert(operand_codes(generation_).m0);
    for (std::size_t i = 0; i < shape.source_count(); ++i) {
      const isa::vector::Operand& operand = shape.sources[i];
      const isa::vector::Source& source = instruction_.sources[i];
      if (operand.kind == OperandKind::constant) scalars.insert(isa::literal_code);
      if (operand.kind == OperandKind::constant || operand.kind == OperandKind::agpr || source.is_vgpr()) continue;
      const auto code = static_cast<u8>(source.code);
      // V_WRITELANE_B32 can read the lane number from M0 in addition to an SGPR.
      if (operand.kind == OperandKind::lane && code == operand_codes(generation_).m0) continue;
      if (isa::is_inline_constant(isa::operand_class(generation_, code))) continue;
      const bool is_pair = operand.dwords() == 2 && code != isa::literal_code;
      scalars.insert(is_pair ? pair + code : code);
    }
    if (scalars.size() <= 1) return true;
    return reject(written_.operands.front().source.place,
                  fmt::format("{} can read one scalar register (or pair) or literal, not {}", name_, scalars.size()));
  }

  // ---- modifiers ----

  /// Modifiers that apply by default.
  bool take_default_modifiers() {
    const bool selects_halves = row_.modifiers != isa::vector::modifier::plain && !has(isa::vector::modifier::mixed);
    if (row_.format == Format::vop3p && selects_halves)
      instruction_.op_sel_hi = static_cast<u8>((1U << row_.shape.source_count()) - 1);
    if (form_ == Form::sdwa && row_.shape.destination.is_there() && written_.find("dst_unused") == nullptr)
      instruction_.destination_unused = Unused::preserve;
    if (form_ == Form::dpp && !take_control()) return false;
    return is_instruction() ||
           reject(written_.end, fmt::format("{} does not have this form on {}", name_, generation_name(generation_)));
  }

  /// The modifier that selects the lanes of DPP; it must be given.
  bool take_control() {
    const auto control = std::ranges::find_if(written_.modifiers, is_dpp_control);
    if (control == written_.modifiers.end()) {
      return reject(written_.end,
                    fmt::format("{} takes the lanes to read, such as quad_perm:[0,1,2,3] or row_shl:1", name_));
    }
    const auto other = std::find_if(control + 1, written_.modifiers.end(), is_dpp_control);
    if (other != written_.modifiers.end())
      return reject(other->place, fmt::format("{} and {} cannot be combined", control->name, other->name));
    const auto code = control_code(*control);
    if (!code) return false;
    instruction_.dpp.control = static_cast<u16>(*code);
    if (isa::vector::may_be_control(generation_, row_, *code)) return true;
    const bool is_newbcast_only =
        isa::vector::may_be_control(generation_, row_, isa::vector::dpp_control::row_newbcast);
    return reject(control->place,
                  fmt::format("{} is not available for {} on {}{}", control->name, name_, generation_name(generation_),
                              is_newbcast_only ? ": 64-bit operands only have row_newbcast" : ""));
  }

  std::optional<u32> control_code(const Modifier& modifier) {
    if (modifier.kind == Modifier::Kind::lanes) return modifier.bits;
    std::string numbers;
    for (const isa::vector::DppControlName& each : isa::vector::dpp_control_names()) {
      if (each.name != modifier.name) continue;
      if (modifier.number >= each.lowest && modifier.number <= each.highest)
        return static_cast<u32>(each.first + modifier.number - each.lowest);
      numbers += (numbers.empty() ? "" : " or ") + std::to_string(each.lowest);
      if (each.highest != each.lowest) numbers += " to " + std::to_string(each.highest);
    }
    reject(modifier.place, fmt::format("{} is {}", modifier.name, numbers));
    return std::nullopt;
  }

  /// Each modifier is tried separately, so that a message can name the one that the instruction does not have.
  bool take_modifiers() {
    std::size_t next = u32{row_.shape.destination.is_there()} + u32{row_.shape.writes_mask};
    for (std::size_t i = 0; i < row_.shape.source_count(); ++i) {
      const WrittenOperand& operand = written_.operands[next++];
      if (is_folded(i, operand) || (!operand.negate && !operand.absolute && !operand.sign_extend)) continue;
      isa::vector::Source& source = instruction_.sources[i];
      source.negate = operand.negate;
      source.absolute = operand.absolute;
      source.sign_extend = operand.sign_extend;
      const bool is_listed = row_.format == Format::vop3p && !has(isa::vector::modifier::mixed);
      if (!is_listed && form_ != Form::e32 && is_instruction()) continue;
      const std::string_view what = operand.sign_extend ? "sign-extended" : operand.negate ? "negated" : "absolute";
      return reject(operand.source.place, fmt::format("src{} of {} cannot be {}", i, name_, what));
    }
    for (const Modifier& modifier : written_.modifiers) {
      if (form_ == Form::e32 || !take_modifier(modifier) || !is_instruction()) {
        if (!problem_.message.empty()) return false;
        return reject(modifier.place, fmt::format("{} is not available for {} on {}", modifier.name, name_,
                                                  generation_name(generation_)));
      }
    }
    return true;
  }

  /// False if the modifier does not exist; `problem_` may have a more specific reason.
  bool take_modifier(const Modifier& modifier) {
    const std::string_view name = modifier.name;
    if (name == "clamp") {
      instruction_.clamp = true;
      return true;
    }
    if (name == "mul" || name == "div") return take_output(modifier);
    if (name == "bitop3") return take_truth_table(modifier);
    if (form_ == Form::dpp && take_dpp(modifier)) return true;
    if (name == "fi" || name == "bound_ctrl") return take_exchange(modifier);
    if (modifier.kind == Modifier::Kind::bits) return take_bits(modifier);
    return modifier.kind == Modifier::Kind::word && form_ == Form::sdwa && take_select(modifier);
  }

  bool take_output(const Modifier& modifier) {
    const bool is_half = modifier.name == "div" && modifier.number == 2;
    const bool is_multiple = modifier.name == "mul" && (modifier.number == 2 || modifier.number == 4);
    if (!is_half && !is_multiple && modifier.number != 1)
      return reject(modifier.place, "the result can be multiplied by 2 or 4 (mul:2, mul:4) or divided by 2 (div:2)");
    if (instruction_.output_modifier != 0) return reject(modifier.place, "mul and div cannot be combined");
    instruction_.output_modifier = static_cast<u8>(is_half ? 3 : std::max<i64>(modifier.number / 2, 1));
    // mul:1 is accepted for instructions that have an output multiplier.
    if (modifier.number != 1) return true;
    const bool is_possible = is_instruction();
    instruction_.output_modifier = 0;
    return is_possible;
  }

  bool take_truth_table(const Modifier& modifier) {
    constexpr i64 highest = 0xff;
    if (!has(isa::vector::modifier::truth_table)) return false;
    if (modifier.number < 0 || modifier.number > highest)
      return reject(modifier.place, "bitop3 is a truth table of 8 bits, from 0 to 0xff");
    instruction_.truth_table = static_cast<u8>(modifier.number);
    return true;
  }

  /// LLVM treats `bound_ctrl:0` like `bound_ctrl:1`.
  bool take_dpp(const Modifier& modifier) {
    if (is_dpp_control(modifier)) return true;
    const bool is_bound = modifier.name == "bound_ctrl";
    if (!is_bound && modifier.name != "row_mask" && modifier.name != "bank_mask") return false;
    const i64 highest = is_bound ? 1 : 0xf;
    if (modifier.number < 0 || modifier.number > highest)
      return reject(modifier.place, fmt::format("{} is {}", modifier.name, is_bound ? "0 or 1" : "from 0 to 0xf"));
    if (is_bound) {
      instruction_.dpp.bound_ctrl = true;
    } else {
      (modifier.name == "row_mask" ? instruction_.dpp.row_mask : instruction_.dpp.bank_mask) =
          static_cast<u8>(modifier.number);
    }
    return true;
  }

  /// `fi:1` and `bound_ctrl:1`. As in DPP, LLVM treats `bound_ctrl:0` like `bound_ctrl:1`.
  bool take_exchange(const Modifier& modifier) {
    if (!has(isa::vector::modifier::exchange)) return false;
    if (modifier.number != 0 && modifier.number != 1)
      return reject(modifier.place, fmt::format("{} is 0 or 1", modifier.name));
    if (modifier.name == "bound_ctrl") {
      instruction_.op_sel |= 2;
    } else {
      instruction_.op_sel |= static_cast<u8>(modifier.number);
    }
    return true;
  }

  bool take_bits(const Modifier& modifier) {
    const u32 sources = row_.shape.source_count();
    const bool is_packed = row_.format == Format::vop3p;
    const u32 parts = is_packed ? sources : sources + 1;
    if (!is_packed && !has(isa::vector::modifier::op_sel)) return false;
    if (modifier.count > parts)
      return reject(modifier.place, fmt::format("{} of {} has {} parts", modifier.name, name_, parts));
    const u32 of_sources = modifier.bits & ((1U << sources) - 1);
    if (modifier.name == "op_sel") {
      const u32 of_destination = modifier.bits >> sources & 1;
      instruction_.op_sel = static_cast<u8>(of_sources | of_destination << 3);
      return true;
    }
    if (!is_packed || (has(isa::vector::modifier::mixed) && modifier.name.starts_with("neg_"))) return false;
    if (modifier.name == "op_sel_hi") {
      instruction_.op_sel_hi = static_cast<u8>(of_sources);
    } else if (modifier.name == "neg_hi") {
      instruction_.negate_hi = static_cast<u8>(of_sources);
    } else {
      for (u32 i = 0; i < sources; ++i) instruction_.sources[i].negate = (of_sources >> i & 1) != 0;
    }
    return true;
  }

  bool take_select(const Modifier& modifier) {
    static constexpr std::array<std::string_view, 7> selects = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                                "WORD_0", "WORD_1", "DWORD"};
    static constexpr std::array<std::string_view, 3> unused = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    const bool is_unused = modifier.name == "dst_unused";
    const std::span<const std::string_view> names = is_unused ? std::span<const std::string_view>(unused) : selects;
    const auto found = std::ranges::find(names, modifier.word);
    if (found == names.end()) {
      return reject(modifier.place,
                    fmt::format("{} cannot be {}{}", modifier.name, support::beginning(modifier.word, 40),
                                is_unused ? " (UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE)"
                                          : " (BYTE_0 to BYTE_3, WORD_0, WORD_1, DWORD)"));
    }
    const auto number = static_cast<u8>(found - names.begin());
    if (modifier.name.starts_with("dst") && !row_.shape.destination.is_there()) return false;
    if (is_unused) {
      instruction_.destination_unused = static_cast<Unused>(number);
    } else if (modifier.name == "dst_sel") {
      instruction_.destination_select = static_cast<Select>(number);
    } else {
      const std::size_t index = modifier.name == "src0_sel" ? 0 : 1;
      if (index >= row_.shape.source_count()) return false;
      instruction_.sources[index].select = static_cast<Select>(number);
    }
    return true;
  }

  Generation generation_;
  const InstructionInfo& row_;
  Form form_;
  std::string_view name_;
  const WrittenInstruction& written_;
  Instruction instruction_;
  std::optional<Fixup> fixup_;
  Problem problem_;
};

}  // namespace

Attempt build_alu(Generation generation, isa::vector::Insn insn, Form form, std::string_view name,
                  const WrittenInstruction& written) {
  return AluBuilder(generation, insn, form, name, written).build();
}

}  // namespace salu::assembler::vector
