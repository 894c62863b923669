#include "isa/vector/decode.hpp"

#include "isa/generations.hpp"
#include "isa/operand.hpp"
#include "isa/vector/buffer_format.hpp"
#include "isa/vector/operands.hpp"
#include "isa/vector/table.hpp"

namespace salu::isa::vector {
namespace {

constexpr u16 nothing = 0xffff;
constexpr u8 vcc_code = gcn::operands.vcc;
constexpr u8 exec_code = gcn::operands.exec;
constexpr u8 no_saddr = 0x7f;

constexpr u32 field(u32 word, u32 low, u32 count) { return word >> low & ((1U << count) - 1); }
constexpr bool bit(u32 word, u32 position) { return (word >> position & 1) != 0; }

/// `Insn` by opcode number, one array per format.
struct OpcodeTable {
  std::array<u16, 256> vop1{};
  std::array<u16, 64> vop2{};
  std::array<u16, 256> vopc{};
  std::array<u16, 1024> vop3{};
  std::array<u16, 128> vop3p{};
  std::array<u16, 128> mubuf{};
  std::array<u16, 16> mtbuf{};
  std::array<std::array<u16, 128>, 3> flat{};  // by segment: FLAT, SCRATCH, GLOBAL
  std::array<u16, 256> ds{};
};

template <std::size_t Size>
constexpr void enter(std::array<u16, Size>& slots, i16 opcode, std::size_t index) {
  if (opcode == absent) return;
  u16& slot = slots.at(static_cast<std::size_t>(opcode));
  // Evaluated at compile time only: two instructions with the same opcode break the build here.
  if (slot != nothing) throw "duplicate opcode";
  slot = static_cast<u16>(index);
}

constexpr OpcodeTable make_opcode_table(Generation generation) {
  OpcodeTable table;
  table.vop1.fill(nothing);
  table.vop2.fill(nothing);
  table.vopc.fill(nothing);
  table.vop3.fill(nothing);
  table.vop3p.fill(nothing);
  table.mubuf.fill(nothing);
  table.mtbuf.fill(nothing);
  for (auto& segment : table.flat) segment.fill(nothing);
  table.ds.fill(nothing);
  for (std::size_t i = 0; i < insn_count; ++i) {
    const InstructionInfo& row = rows::table[i];
    const i16 opcode = row.opcode(generation);
    enter(table.vop3, row.vop3_opcode(generation), i);
    switch (row.format) {
      case Format::vop1:
        enter(table.vop1, opcode, i);
        break;
      case Format::vop2:
        enter(table.vop2, opcode, i);
        break;
      case Format::vopc:
        enter(table.vopc, opcode, i);
        break;
      case Format::vop3:
        break;
      case Format::vop3p:
        enter(table.vop3p, opcode, i);
        break;
      case Format::mubuf:
        enter(table.mubuf, opcode, i);
        break;
      case Format::mtbuf:
        enter(table.mtbuf, opcode, i);
        break;
      case Format::flat:
        enter(table.flat[0], opcode, i);
        break;
      case Format::scratch:
        enter(table.flat[1], opcode, i);
        break;
      case Format::global:
        enter(table.flat[2], opcode, i);
        break;
      case Format::ds:
        enter(table.ds, opcode, i);
        break;
    }
  }
  return table;
}

constexpr GenerationTable<OpcodeTable> opcode_tables(make_opcode_table);

/// Decodes one instruction. A member returns false for anything that the row of the instruction does not have.
class Decoder {
 public:
  Decoder(Generation generation, std::span<const u32> words)
      : generation_(generation), info_(generation_info(generation)), table_(opcode_tables[generation]), words_(words) {}

  std::optional<Instruction> decode() {
    const u32 word = words_[0];
    bool is_good = false;
    if (word >> 31 == 0) {
      is_good = decode_short(word);
    } else if (words_.size() >= 2) {
      result_.dwords = 2;
      switch (word >> 26) {
        case 0b110100:
          is_good = info_.gfx == 9 && field(word, 23, 3) == 0b111 ? decode_vop3p() : decode_vop3();
          break;
        case 0b110110:
          is_good = decode_ds();
          break;
        case 0b110111:
          is_good = info_.has_flat && decode_flat();
          break;
        case 0b111000:
          is_good = decode_mubuf();
          break;
        case 0b111010:
          is_good = decode_mtbuf();
          break;
        default:
          break;
      }
    }
    return is_good ? std::optional(result_) : std::nullopt;
  }

 private:
  [[nodiscard]] bool is_old() const { return info_.vector_encoding == VectorEncoding::gfx6; }
  [[nodiscard]] bool is_cdna3_on() const { return info_.column >= Generation::cdna3; }
  /// From CDNA 2 on, memory instructions can access accumulation registers.
  [[nodiscard]] bool is_cdna2_on() const { return info_.column >= Generation::cdna2; }

  bool choose(u16 insn) {
    if (insn == nothing) return false;
    result_.insn = static_cast<Insn>(insn);
    row_ = &row(result_.insn);
    return true;
  }

  [[nodiscard]] bool has(ModifierSet modifiers) const { return (row_->modifiers & modifiers) == modifiers; }

  /// Decodes the code of a source. `may_be_literal`: the form allows a literal.
  bool take_source(std::size_t index, u32 code, bool may_be_literal) {
    const Operand& operand = row_->shape.sources[index];
    Source& source = result_.sources[index];
    source.code = static_cast<u16>(operand.kind == OperandKind::agpr ? code - first_vgpr : code);
    return may_be_source(generation_, operand, code, may_be_literal);
  }

  bool take_destination(u32 number) {
    result_.destination = static_cast<u8>(number);
    return may_be_destination(generation_, row_->shape.destination, number);
  }

  /// The masks of the short forms.
  void take_vcc() {
    if (row_->shape.writes_mask) result_.mask_destination = vcc_code;
    if (row_->shape.reads_mask) result_.mask_source = vcc_code;
  }

  [[nodiscard]] bool is_mask(u32 code) const { return may_be_mask(generation_, code); }
  [[nodiscard]] bool is_aligned(u32 vgpr, u32 dwords) const { return may_be_vgprs(generation_, vgpr, dwords); }

  /// VOP1, VOP2 and VOPC.
  bool decode_short(u32 word) {
    const u32 prefix = word >> 25;
    const u32 source = field(word, 0, 9);
    const u32 second = field(word, 9, 8);
    const u32 destination = field(word, 17, 8);
    const u16 insn = prefix == 0x3f   ? table_.vop1[second]
                     : prefix == 0x3e ? table_.vopc[destination]
                                      : table_.vop2[field(word, 25, 6)];
    if (!choose(insn)) return false;
    if (source == sdwa_code && !is_old()) return decode_sdwa(word);
    if (source == dpp_code && !is_old()) return decode_dpp(word);
    const Shape& shape = row_->shape;
    const bool has_operands = shape.sources[0].is_there();
    if (!has_operands) return destination == 0 && source != literal_code;
    take_vcc();
    if (prefix != 0x3e && !take_destination(destination)) return false;
    const bool has_constant =
        shape.sources[1].kind == OperandKind::constant || shape.sources[2].kind == OperandKind::constant;
    const bool has_literal = source == literal_code || has_constant;
    if (has_literal) {
      if (words_.size() < 2) return false;
      result_.literal = words_[1];
      result_.dwords = 2;
    }
    if (!take_source(0, source, true)) return false;
    if (prefix == 0x3f) return true;
    // The second field of a short form is a VGPR, except for a lane number.
    const std::size_t index = shape.sources[1].kind == OperandKind::constant ? 2 : 1;
    if (shape.sources[index].kind == OperandKind::lane) return take_source(index, second, false);
    return take_source(index, first_vgpr + second, false);
  }

  bool decode_sdwa(u32 word) {
    if (!has(modifier::sdwa) || words_.size() < 2) return false;
    const u32 prefix = word >> 25;
    const u32 second = words_[1];
    const bool is_gfx9 = info_.gfx == 9;
    result_.form = Form::sdwa;
    result_.dwords = 2;
    take_vcc();
    if (prefix == 0x3e && is_gfx9) {
      if (bit(second, 15)) {
        result_.mask_destination = static_cast<u8>(field(second, 8, 7));
        if (!is_mask(result_.mask_destination)) return false;
      }
    } else if (prefix == 0x3e) {
      result_.clamp = bit(second, 13);
      if (result_.clamp && !has(modifier::clamp)) return false;
    } else {
      if (!take_destination(field(word, 17, 8)) || !take_select(field(second, 8, 3), result_.destination_select))
        return false;
      if (field(second, 11, 2) == 3) return false;
      result_.destination_unused = static_cast<Unused>(field(second, 11, 2));
      result_.clamp = bit(second, 13);
      result_.output_modifier = static_cast<u8>(is_gfx9 ? field(second, 14, 2) : 0);
      if (result_.clamp && !has(modifier::clamp)) return false;
      if (result_.output_modifier != 0 && !has(modifier::output)) return false;
    }
    const bool is_scalar0 = is_gfx9 && bit(second, 23);
    const bool is_scalar1 = is_gfx9 && bit(second, 31);
    if (!take_sdwa_source(0, field(second, 0, 8), field(second, 16, 6), is_scalar0)) return false;
    if (prefix == 0x3f) return (field(second, 24, 8) & (is_gfx9 ? 0xbfU : 0x3fU)) == 0;
    return take_sdwa_source(1, field(word, 9, 8), field(second, 24, 6), is_scalar1);
  }

  static bool take_select(u32 number, Select& select) {
    select = static_cast<Select>(number);
    return number <= static_cast<u32>(Select::dword);
  }

  /// `flags`: the select, SEXT, NEG, ABS.
  bool take_sdwa_source(std::size_t index, u32 code, u32 flags, bool is_scalar) {
    Source& source = result_.sources[index];
    if (!take_source(index, is_scalar ? code : first_vgpr + code, false)) return false;
    source.sign_extend = bit(flags, 3);
    source.negate = bit(flags, 4);
    source.absolute = bit(flags, 5);
    const bool has_sign = has(modifier::sign) && row_->shape.sources[index].takes_sign;
    if ((source.negate || source.absolute) && !has_sign) return false;
    if (source.sign_extend && has_sign) return false;
    return take_select(field(flags, 0, 3), source.select);
  }

  bool decode_dpp(u32 word) {
    if (!has_dpp(generation_, *row_) || words_.size() < 2) return false;
    const u32 second = words_[1];
    result_.form = Form::dpp;
    result_.dwords = 2;
    take_vcc();
    const u32 control = field(second, 8, 9);
    if (!may_be_control(generation_, *row_, control)) return false;
    result_.dpp = {static_cast<u16>(control), static_cast<u8>(field(second, 28, 4)),
                   static_cast<u8>(field(second, 24, 4)), bit(second, 19)};
    if (!take_destination(field(word, 17, 8))) return false;
    if (!take_dpp_source(0, field(second, 0, 8), field(second, 20, 2))) return false;
    if (row_->format == Format::vop1) return field(second, 22, 2) == 0;
    return take_dpp_source(1, field(word, 9, 8), field(second, 22, 2));
  }

  /// `signs`: NEG, ABS.
  bool take_dpp_source(std::size_t index, u32 vgpr, u32 signs) {
    Source& source = result_.sources[index];
    source.negate = bit(signs, 0);
    source.absolute = bit(signs, 1);
    const bool may_have_sign = has(modifier::sign) && row_->shape.sources[index].takes_sign;
    return (signs == 0 || may_have_sign) && take_source(index, first_vgpr + vgpr, false);
  }

  bool decode_vop3() {
    const u32 low = words_[0];
    const u32 high = words_[1];
    if (!choose(table_.vop3[is_old() ? field(low, 17, 9) : field(low, 16, 10)])) return false;
    result_.form = Form::e64;
    const Shape& shape = row_->shape;
    const bool is_compare = !shape.destination.is_there() && shape.writes_mask;
    if (is_compare) {
      result_.mask_destination = static_cast<u8>(field(low, 0, 8));
      if (!is_mask(result_.mask_destination)) return false;
    } else if (!take_destination(field(low, 0, 8))) {
      return false;
    }
    // Instructions with a carry have neither absolute values nor halves.
    const bool names_carry = shape.writes_mask && !is_compare;
    if (names_carry) {
      result_.mask_destination = static_cast<u8>(field(low, 8, 7));
      if (!is_mask(result_.mask_destination)) return false;
    }
    result_.clamp = is_old() ? !names_carry && bit(low, 11) : bit(low, 15);
    if (is_old() && field(low, names_carry ? 15 : 12, names_carry ? 2 : 5) != 0) return false;
    if (has(modifier::op_sel) && info_.gfx == 9) result_.op_sel = static_cast<u8>(field(low, 11, 4));
    if (has(modifier::exchange)) result_.op_sel = static_cast<u8>(field(low, 11, 2));
    result_.output_modifier = static_cast<u8>(field(high, 27, 2));
    u32 absolute = names_carry ? 0 : field(low, 8, 3);
    u32 negate = field(high, 29, 3);
    if (has(modifier::truth_table)) {
      if (!has(modifier::op_sel) && field(low, 11, 4) != 0) return false;
      result_.truth_table = static_cast<u8>(u32{result_.output_modifier} << 6 | absolute << 3 | negate);
      result_.output_modifier = 0;
      absolute = negate = 0;
    }
    // On GCN 1.0 and 1.1 only floating-point results can be clamped.
    if (result_.clamp && !has(is_old() ? modifier::output_modifiers : modifier::clamp)) return false;
    if (result_.output_modifier != 0 && !has(modifier::output)) return false;
    const u32 sources = shape.source_count();
    const u32 selected = has(modifier::exchange) ? 0 : result_.op_sel & 7U;
    if (((absolute | negate | selected) >> sources) != 0) return false;
    if (!has(modifier::sign)) {
      // Integer instructions with OP_SEL have these fields; they have no effect.
      if ((absolute | negate) != 0 && !has(modifier::op_sel)) return false;
      absolute = negate = 0;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const u32 code = field(high, static_cast<u32>(9 * i), 9);
      if (shape.names_source_mask() && i == 2) {
        result_.mask_source = static_cast<u8>(code);
        if (!is_mask(code) || code == exec_code) return false;
        continue;
      }
      if (!take_source(i, code, false)) return false;
      Source& source = result_.sources[i];
      source.absolute = bit(absolute, static_cast<u32>(i));
      source.negate = bit(negate, static_cast<u32>(i));
      if ((source.absolute || source.negate) && !shape.sources[i].takes_sign) return false;
    }
    if (shape.reads_mask && !shape.names_source_mask()) result_.mask_source = vcc_code;
    return true;
  }

  bool decode_vop3p() {
    const u32 low = words_[0];
    const u32 high = words_[1];
    if (!choose(table_.vop3p[field(low, 16, 7)])) return false;
    result_.form = Form::e64;
    const Shape& shape = row_->shape;
    const u32 sources = shape.source_count();
    result_.clamp = bit(low, 15);
    result_.op_sel = static_cast<u8>(field(low, 11, 3));
    result_.op_sel_hi = static_cast<u8>(field(high, 27, 2) | field(low, 14, 1) << 2);
    const u32 absolute = has(modifier::mixed) ? field(low, 8, 3) : 0;
    result_.negate_hi = static_cast<u8>(has(modifier::mixed) ? 0 : field(low, 8, 3));
    const u32 negate = field(high, 29, 3);
    if (row_->modifiers == modifier::plain) {
      // Copies of accumulation registers: LLVM sets all bits of OP_SEL_HI, which have no effect.
      if (result_.clamp || result_.op_sel != 0 || (result_.negate_hi | negate) != 0) return false;
      result_.op_sel_hi = 0;
    } else {
      if ((result_.op_sel | result_.negate_hi | negate) >> sources != 0) return false;
      const bool computes = has(modifier::packed) || has(modifier::dot) || has(modifier::mixed);
      if (result_.clamp && !computes) return false;
      if ((result_.negate_hi | negate) != 0 && !computes) return false;
      result_.op_sel_hi &= static_cast<u8>((1U << sources) - 1);
      if (has(modifier::dot) && !has_halves_of_dot()) return false;
    }
    if (!take_destination(field(low, 0, 8))) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!take_source(i, field(high, static_cast<u32>(9 * i), 9), false)) return false;
      result_.sources[i].negate = bit(negate, static_cast<u32>(i));
      result_.sources[i].absolute = bit(absolute, static_cast<u32>(i));
    }
    return true;
  }

  /// True if OP_SEL and OP_SEL_HI of a dot product are allowed: 16-bit dot products can select halves of src0 and src1;
  /// from CDNA 3 on no dot product can (CDNA 3 ISA manual, 6.1).
  [[nodiscard]] bool has_halves_of_dot() const {
    constexpr u8 all_high = 0b111;
    const u8 fixed = has(modifier::op_sel) && !is_cdna3_on() ? 0b100 : 0b111;
    return ((result_.op_sel | (result_.op_sel_hi ^ all_high)) & fixed) == 0;
  }

  // ---- memory ----

  [[nodiscard]] bool is_data(u32 number, u32 dwords) const {
    return may_be_data(generation_, row_->access, number, dwords);
  }
  /// True if the loaded data can be written to LDS.
  [[nodiscard]] bool may_go_to_lds() const {
    const Access& access = row_->access;
    if (access.writes_memory() || access.keeps_half || access.is_d16) return false;
    const bool is_wide =
        generation_ == Generation::cdna4 && row_->format == Format::mubuf && access.bytes >= 12 && !access.is_typed();
    return access.bytes <= 4 || is_wide;
  }

  /// Cache control instructions have no operands. Only on CDNA 3 they have a cache policy, which does not include NT.
  bool decode_cache_control(u32 low, u32 high) {
    result_.memory.glc = is_cdna3_on() && bit(low, 14);
    result_.memory.sc1 = is_cdna3_on() && bit(low, 15);
    const bool has_policy_bits = is_cdna3_on() || result_.insn == Insn::buffer_wbl2;
    const bool is_addressed = field(low, 12, 2) != 0 || bit(low, 16) || bit(high, 23);
    return !is_addressed && (has_policy_bits || field(low, 14, 2) == 0);
  }

  bool decode_mubuf() {
    const u32 low = words_[0];
    const u32 high = words_[1];
    if (!choose(table_.mubuf[field(low, 18, 7)])) return false;
    if (row_->access.bytes == 0) return decode_cache_control(low, high);
    MemoryOperands& memory = result_.memory;
    memory.glc = bit(low, 14);
    memory.slc = bit(is_old() ? high : low, is_old() ? 22 : 17);
    if (is_cdna2_on()) memory.sc1 = bit(low, 15);
    memory.lds = bit(low, 16);
    return decode_buffer(low, high);
  }

  bool decode_mtbuf() {
    const u32 low = words_[0];
    const u32 high = words_[1];
    if (!choose(table_.mtbuf[is_old() ? field(low, 16, 3) : field(low, 15, 4)])) return false;
    MemoryOperands& memory = result_.memory;
    memory.glc = bit(low, 14);
    memory.slc = bit(high, 22);
    if (is_cdna2_on()) memory.sc1 = bit(high, 21);
    memory.format = static_cast<u8>(field(low, 19, 7));
    return decode_buffer(low, high) && !memory.tfe;
  }

  /// The fields that MUBUF and MTBUF have in common.
  bool decode_buffer(u32 low, u32 high) {
    MemoryOperands& memory = result_.memory;
    memory.offset = static_cast<i32>(field(low, 0, 12));
    memory.offen = bit(low, 12);
    memory.idxen = bit(low, 13);
    memory.addr64 = is_old() && bit(low, 15);
    memory.is_accumulator = is_cdna2_on() && bit(high, 23);
    memory.tfe = !is_cdna2_on() && bit(high, 23);
    memory.address = static_cast<u8>(field(high, 0, 8));
    memory.data = static_cast<u8>(field(high, 8, 8));
    memory.descriptor = static_cast<u8>(field(high, 16, 5) * 4);
    memory.scalar = static_cast<u8>(field(high, 24, 8));
    if (memory.addr64 && (memory.offen || memory.idxen)) return false;
    const u32 address_dwords = memory.addr64 ? 2 : u32{memory.offen} + u32{memory.idxen};
    memory.has_address = address_dwords != 0;
    if (memory.has_address && !is_aligned(memory.address, address_dwords)) return false;
    if (memory.tfe && row_->access.writes_memory()) return false;
    if (row_->access.never_returns && memory.glc) return false;
    if (row_->access.is_atomic() && memory.glc) memory.result = memory.data;
    if (memory.lds && (!may_go_to_lds() || memory.tfe || memory.is_accumulator)) return false;
    if (!memory.lds && !is_data(memory.data, row_->access.dwords() + u32{memory.tfe})) return false;
    if (judge_operand(generation_, isa::OperandKind::memory_base, 4, memory.descriptor) != OperandVerdict::legal)
      return false;
    return judge_operand(generation_, isa::OperandKind::inline_source, 1, memory.scalar) == OperandVerdict::legal;
  }

  bool decode_flat() {
    const u32 low = words_[0];
    const u32 high = words_[1];
    const u32 segment = field(low, 14, 2);
    if (segment == 3 || (segment != 0 && info_.gfx != 9)) return false;
    if (!choose(table_.flat[segment][field(low, 18, 7)])) return false;
    MemoryOperands& memory = result_.memory;
    const Access& access = row_->access;
    const bool is_scratch = row_->format == Format::scratch;
    memory.glc = bit(low, 16);
    if (access.never_returns && memory.glc) return false;
    memory.slc = bit(low, 17);
    if (is_cdna2_on()) memory.sc1 = bit(low, 25);
    const bool bit13 = bit(low, 13);
    if (info_.gfx != 9) {
      if (field(low, 0, 14) != 0) return false;
    } else if (segment == 0) {
      if (bit(low, 12)) return false;
      memory.offset = static_cast<i32>(field(low, 0, 12));
    } else {
      memory.offset = static_cast<i32>(field(low, 0, 13)) - (bit(low, 12) ? 0x2000 : 0);
    }
    // From CDNA 3 on, loads to LDS have opcodes of their own.
    const bool has_lds_bit = segment != 0 && !is_cdna3_on();
    memory.lds = access.goes_to_lds || (has_lds_bit && bit13);
    if (has_lds_bit && bit13 && !may_go_to_lds()) return false;
    const bool has_vaddr_bit = is_scratch && is_cdna3_on();
    if (bit13 && !has_vaddr_bit && !has_lds_bit) return false;
    memory.is_accumulator = is_cdna2_on() && bit(high, 23);
    // TFE; NV on GCN 1.4 and CDNA 1, which does not change a result.
    if (bit(high, 23) && info_.gfx != 9) return false;
    memory.address = static_cast<u8>(field(high, 0, 8));
    memory.data = static_cast<u8>(access.takes_data() ? field(high, 8, 8) : field(high, 24, 8));
    if (access.is_atomic() && !take_result(field(high, 24, 8))) return false;
    const u32 saddr = field(high, 16, 7);
    if (segment == 0 && saddr != 0) return false;
    memory.has_scalar = segment != 0 && saddr != no_saddr;
    memory.scalar = static_cast<u8>(memory.has_scalar ? saddr : 0);
    if (is_scratch) {
      memory.has_address = is_cdna3_on() ? bit13 : !memory.has_scalar;
    } else {
      memory.has_address = true;
      const u32 address_dwords = memory.has_scalar ? 1 : 2;
      if (!is_aligned(memory.address, address_dwords)) return false;
    }
    if (memory.has_scalar) {
      const u8 dwords = is_scratch ? 1 : 2;
      if (judge_operand(generation_, isa::OperandKind::register_source, dwords, memory.scalar) != OperandVerdict::legal)
        return false;
    }
    return memory.lds ? !memory.is_accumulator : is_data(memory.data, access.dwords());
  }

  bool decode_ds() {
    const u32 low = words_[0];
    const u32 high = words_[1];
    if (!choose(table_.ds[is_old() ? field(low, 18, 8) : field(low, 17, 8)])) return false;
    MemoryOperands& memory = result_.memory;
    const Access& access = row_->access;
    memory.gds = bit(low, is_old() ? 17 : 16);
    if (memory.gds && is_cdna2_on()) return false;
    memory.is_accumulator = is_cdna2_on() && bit(low, 25);
    if (access.bytes == 0) return decode_ds_without_operands(low, high);
    memory.has_address = access.address == SharedAddress::vgpr;
    memory.address = static_cast<u8>(field(high, 0, 8));
    if (!memory.has_address && memory.address != 0) return false;
    if (access.moves_lanes() && access.takes_data() && memory.gds) return false;
    const u32 data = field(high, 8, 8);
    const u32 second_data = field(high, 16, 8);
    const u32 result = field(high, 24, 8);
    memory.data = static_cast<u8>(access.takes_data() ? data : result);
    if (access.takes_data() ? !take_result(result) : data != 0) return false;
    if (access.is_double) {
      memory.offset = static_cast<i32>(field(low, 0, 8));
      memory.second_offset = static_cast<u8>(field(low, 8, 8));
    } else {
      memory.offset = static_cast<i32>(field(low, 0, 16));
    }
    if (!access.takes_second_data()) return second_data == 0 && is_data(memory.data, access.dwords());
    memory.second_data = static_cast<u8>(second_data);
    return is_data(second_data, access.data_dwords()) && is_data(memory.data, access.dwords());
  }

  /// DS_NOP.
  [[nodiscard]] bool decode_ds_without_operands(u32 low, u32 high) const {
    const bool has_acc_bit = !is_old() && bit(low, 25);
    return field(low, 0, 16) == 0 && high == 0 && !result_.memory.gds && !has_acc_bit;
  }

  /// Decodes VDST of an instruction that also takes data.
  bool take_result(u32 number) {
    if (!has_result(result_)) return number == 0;
    result_.memory.result = static_cast<u8>(number);
    return is_data(number, row_->access.result_dwords());
  }

  Generation generation_;
  const GenerationInfo& info_;
  const OpcodeTable& table_;
  std::span<const u32> words_;
  const InstructionInfo* row_ = nullptr;
  Instruction result_;
};

}  // namespace

std::optional<Instruction> decode(Generation generation, std::span<const u32> words) {
  if (words.empty()) return std::nullopt;
  return Decoder(generation, words).decode();
}

bool has_result(const Instruction& instruction) {
  return row(instruction.insn).access.has_result(instruction.memory.glc);
}

u8 result_register(const Instruction& instruction) {
  return row(instruction.insn).access.takes_data() ? instruction.memory.result : instruction.memory.data;
}

bool depends_on_order(const Instruction& instruction) {
  const Access& access = row(instruction.insn).access;
  if (!access.is_atomic() || access.address == SharedAddress::wave) return false;
  return has_result(instruction) || !isa::traits_of(access.atomic).commutes;
}

bool is_approximate(const Instruction& instruction) {
  const InstructionInfo& info = row(instruction.insn);
  if (!info.access.is_typed()) return info.shape.is_approximate;
  if (info.format != Format::mtbuf) return true;
  const BufferFormat format = instruction_format(instruction.memory.format);
  const bool is_integer = format.number_format == NumberFormat::uint || format.number_format == NumberFormat::sint;
  const bool is_whole = element_layout(format.data_format).bits[0] == 32 && !info.access.is_d16;
  return !is_integer && !is_whole;
}

const InstructionInfo& info(Insn insn) { return row(insn); }

std::span<const InstructionInfo> all_instructions() { return rows::table; }

}  // namespace salu::isa::vector
