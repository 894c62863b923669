#include "isa/vector/encode.hpp"

#include "isa/generations.hpp"
#include "isa/vector/table.hpp"

namespace salu::isa::vector {
namespace {

constexpr u32 vcc = 106;
constexpr u32 saddr_off = 0x7f;

/// Encodes one instruction: each member writes one encoding.
class Encoder {
 public:
  Encoder(Generation generation, const Instruction& instruction)
      : info_(generation_info(generation)),
        instruction_(instruction),
        row_(row(instruction.insn)),
        opcode_(static_cast<u32>(row_.opcode(generation))),
        vop3_opcode_(static_cast<u32>(row_.vop3_opcode(generation))) {}

  [[nodiscard]] EncodedWords encode() const {
    switch (row_.format) {
      case Format::vop3p:
        return vop3p();
      case Format::mubuf:
        return mubuf();
      case Format::mtbuf:
        return mtbuf();
      case Format::flat:
      case Format::global:
      case Format::scratch:
        return flat();
      case Format::ds:
        return ds();
      default:
        break;
    }
    switch (instruction_.form) {
      case Form::e32:
        return e32();
      case Form::e64:
        return vop3();
      case Form::sdwa:
        return sdwa();
      case Form::dpp:
        break;
    }
    return dpp();
  }

 private:
  [[nodiscard]] bool is_old() const { return info_.vector_encoding == VectorEncoding::gfx6; }
  [[nodiscard]] const Source& source(std::size_t index) const { return instruction_.sources[index]; }
  [[nodiscard]] u32 destination() const { return u32{instruction_.destination}; }
  [[nodiscard]] bool is_compare() const { return !row_.shape.destination.is_there() && row_.shape.writes_mask; }

  /// Nine bits: AGPRs are encoded like VGPRs.
  [[nodiscard]] u32 source_code(std::size_t index) const {
    const bool is_agpr = row_.shape.sources[index].kind == OperandKind::agpr;
    return source(index).code + (is_agpr ? u32{first_vgpr} : 0);
  }

  /// The first dword of VOP1, VOP2 and VOPC with the given SRC0 and VSRC1.
  [[nodiscard]] u32 short_word(u32 first, u32 second) const {
    switch (row_.format) {
      case Format::vop1:
        return 0x3fU << 25 | destination() << 17 | opcode_ << 9 | first;
      case Format::vopc:
        return 0x3eU << 25 | opcode_ << 17 | second << 9 | first;
      default:
        return opcode_ << 25 | destination() << 17 | second << 9 | first;
    }
  }

  /// The operand in the second field of a short form: not the constant of V_MADMK_F32.
  [[nodiscard]] std::size_t second_index() const { return row_.shape.sources[1].kind == OperandKind::constant ? 2 : 1; }

  [[nodiscard]] EncodedWords e32() const {
    const u32 second = row_.format == Format::vop1 ? 0 : source_code(second_index()) & 0xff;
    return {{short_word(source_code(0), second), instruction_.literal}, instruction_.dwords};
  }

  /// The select, SEXT, NEG and ABS of a source; on GCN 1.4 and later also the bit for a scalar source.
  [[nodiscard]] u32 sdwa_flags(std::size_t index) const {
    const Source& each = source(index);
    return static_cast<u32>(each.select) | u32{each.sign_extend} << 3 | u32{each.negate} << 4 |
           u32{each.absolute} << 5 | u32{!each.is_vgpr()} << 7;
  }

  [[nodiscard]] EncodedWords sdwa() const {
    const bool has_second = row_.format != Format::vop1;
    u32 high = (source(0).code & 0xffU) | sdwa_flags(0) << 16;
    if (has_second) high |= sdwa_flags(1) << 24;
    if (!is_compare()) {
      high |= static_cast<u32>(instruction_.destination_select) << 8 |
              static_cast<u32>(instruction_.destination_unused) << 11 | u32{instruction_.clamp} << 13 |
              u32{instruction_.output_modifier} << 14;
    } else if (info_.gfx != 9) {
      high |= u32{instruction_.clamp} << 13;
    } else if (instruction_.mask_destination != vcc) {
      high |= u32{instruction_.mask_destination} << 8 | 1U << 15;
    }
    return {{short_word(sdwa_code, has_second ? source(1).code & 0xffU : 0), high}, 2};
  }

  [[nodiscard]] u32 dpp_signs(std::size_t index) const {
    return u32{source(index).negate} | u32{source(index).absolute} << 1;
  }

  [[nodiscard]] EncodedWords dpp() const {
    const Dpp& fields = instruction_.dpp;
    const u32 second = row_.format == Format::vop1 ? 0 : source(1).code & 0xffU;
    const u32 high = (source(0).code & 0xffU) | u32{fields.control} << 8 | u32{fields.bound_ctrl} << 19 |
                     dpp_signs(0) << 20 | dpp_signs(1) << 22 | u32{fields.bank_mask} << 24 | u32{fields.row_mask} << 28;
    return {{short_word(dpp_code, second), high}, 2};
  }

  [[nodiscard]] u32 negated() const {
    u32 bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits |= u32{source(i).negate} << i;
    return bits;
  }

  [[nodiscard]] u32 absolute() const {
    u32 bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits |= u32{source(i).absolute} << i;
    return bits;
  }

  [[nodiscard]] u32 long_sources() const { return source_code(0) | source_code(1) << 9 | source_code(2) << 18; }

  [[nodiscard]] EncodedWords vop3() const {
    const Shape& shape = row_.shape;
    u32 low = 0b110100U << 26 | vop3_opcode_ << (is_old() ? 17 : 16);
    low |= is_compare() ? u32{instruction_.mask_destination} : destination();
    if (shape.writes_mask && !is_compare()) {
      low |= u32{instruction_.mask_destination} << 8;
    } else {
      low |= (absolute() | (u32{instruction_.truth_table} >> 3 & 7U)) << 8;
    }
    low |= u32{instruction_.op_sel} << 11 | u32{instruction_.clamp} << (is_old() ? 11 : 15);
    u32 high = long_sources() | u32{instruction_.output_modifier} << 27 | negated() << 29;
    high |= u32{instruction_.truth_table} >> 6 << 27 | (instruction_.truth_table & 7U) << 29;
    if (shape.names_source_mask()) high |= u32{instruction_.mask_source} << 18;
    return {{low, high}, 2};
  }

  [[nodiscard]] EncodedWords vop3p() const {
    // LLVM sets the bits of OP_SEL_HI for missing sources.
    const u32 sources = row_.modifiers == modifier::plain ? 0 : row_.shape.source_count();
    const u32 op_sel_hi = instruction_.op_sel_hi | (7U << sources & 7U);
    const u32 low = 0x1a7U << 23 | opcode_ << 16 | u32{instruction_.clamp} << 15 | op_sel_hi >> 2 << 14 |
                    u32{instruction_.op_sel} << 11 | (u32{instruction_.negate_hi} | absolute()) << 8 | destination();
    return {{low, long_sources() | (op_sel_hi & 3) << 27 | negated() << 29}, 2};
  }

  [[nodiscard]] EncodedWords mubuf() const {
    const MemoryOperands& memory = instruction_.memory;
    const u32 low = 0b111000U << 26 | opcode_ << 18 | u32{memory.slc && !is_old()} << 17 | u32{memory.lds} << 16 |
                    u32{memory.addr64 || memory.sc1} << 15 | u32{memory.glc} << 14 | u32{memory.idxen} << 13 |
                    u32{memory.offen} << 12 | static_cast<u32>(memory.offset);
    const u32 high = u32{memory.scalar} << 24 | u32{memory.tfe || memory.is_accumulator} << 23 |
                     u32{memory.slc && is_old()} << 22 | u32{memory.descriptor} / 4 << 16 | u32{memory.data} << 8 |
                     memory.address;
    return {{low, high}, 2};
  }

  [[nodiscard]] EncodedWords mtbuf() const {
    const MemoryOperands& memory = instruction_.memory;
    const u32 low = 0b111010U << 26 | u32{memory.format} << 19 | opcode_ << (is_old() ? 16 : 15) |
                    u32{memory.addr64} << 15 | u32{memory.glc} << 14 | u32{memory.idxen} << 13 |
                    u32{memory.offen} << 12 | static_cast<u32>(memory.offset);
    const u32 high = u32{memory.scalar} << 24 | u32{memory.tfe || memory.is_accumulator} << 23 | u32{memory.slc} << 22 |
                     u32{memory.sc1} << 21 | u32{memory.descriptor} / 4 << 16 | u32{memory.data} << 8 | memory.address;
    return {{low, high}, 2};
  }

  [[nodiscard]] EncodedWords flat() const {
    const MemoryOperands& memory = instruction_.memory;
    const u32 segment = row_.format == Format::flat ? 0 : row_.format == Format::scratch ? 1 : 2;
    // From CDNA 3 on, a bit distinguishes scratch accesses with a VGPR from those without.
    const bool names_vaddr = row_.format == Format::scratch && info_.column >= Generation::cdna3 && memory.has_address;
    const bool has_lds_bit = memory.lds && !row_.access.goes_to_lds;
    const u32 low = 0b110111U << 26 | u32{memory.sc1} << 25 | opcode_ << 18 | u32{memory.slc} << 17 |
                    u32{memory.glc} << 16 | segment << 14 | u32{names_vaddr || has_lds_bit} << 13 |
                    (static_cast<u32>(memory.offset) & 0x1fff);
    const u32 saddr = memory.has_scalar ? u32{memory.scalar} : segment == 0 ? 0 : saddr_off;
    const u32 high = data_fields() | u32{memory.is_accumulator} << 23 | saddr << 16 | memory.address;
    return {{low, high}, 2};
  }

  [[nodiscard]] EncodedWords ds() const {
    const MemoryOperands& memory = instruction_.memory;
    const u32 low = 0b110110U << 26 | opcode_ << (is_old() ? 18 : 17) | u32{memory.gds} << (is_old() ? 17 : 16) |
                    u32{memory.is_accumulator} << 25 | u32{memory.second_offset} << 8 | static_cast<u32>(memory.offset);
    const u32 high = data_fields() | u32{memory.second_data} << 16 | memory.address;
    return {{low, high}, 2};
  }

  /// DATA or DATA0, and VDST.
  [[nodiscard]] u32 data_fields() const {
    const MemoryOperands& memory = instruction_.memory;
    return row_.access.takes_data() ? u32{memory.data} << 8 | u32{memory.result} << 24 : u32{memory.data} << 24;
  }

  const GenerationInfo& info_;
  const Instruction& instruction_;
  const InstructionInfo& row_;
  u32 opcode_;
  u32 vop3_opcode_;
};

}  // namespace

EncodedWords encode(Generation generation, const Instruction& instruction) {
  return Encoder(generation, instruction).encode();
}

}  // namespace salu::isa::vector
