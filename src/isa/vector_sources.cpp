#include "isa/vector_sources.hpp"

#include <array>

#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/table.hpp"

namespace salu::isa {
namespace {

/// Operand codes of interest.
struct Codes {
  static constexpr u32 vcc = 106;
  static constexpr u32 m0 = 124;
  static constexpr u32 first_vgpr = 256;
  static constexpr u32 sdwa = 249;
  static constexpr u32 dpp = 250;
  static constexpr u32 vccz = 251;
  static constexpr u32 execz = 252;
  static constexpr u32 lds_direct = 254;
};

class Sources {
 public:
  Sources(Generation generation, std::span<const u32> words)
      : generation_(generation), low_(words[0]), high_(words.size() > 1 ? words[1] : 0), words_(words) {}

  VectorSources find() {
    switch (vector_length(generation_, low_).format) {
      case VectorFormat::vop1:
      case VectorFormat::vop2:
      case VectorFormat::vopc:
      case VectorFormat::vop3:
        find_alu();
        break;
      case VectorFormat::vintrp:
        result_.reads_m0_for_lds = true;
        result_.constants |= RegisterSet::of(Codes::m0, 1);
        break;
      case VectorFormat::ds:
        find_ds();
        break;
      case VectorFormat::mubuf:
      case VectorFormat::mtbuf:
        find_buffer();
        break;
      case VectorFormat::mimg:
        find_image();
        break;
      case VectorFormat::flat:
        find_flat();
        break;
      default:
        break;
    }
    return result_;
  }

 private:
  [[nodiscard]] bool is_old() const { return generation_info(generation_).vector_encoding == VectorEncoding::gfx6; }
  [[nodiscard]] bool is_cdna3_on() const { return generation_info(generation_).column >= Generation::cdna3; }

  // ---- ALU ----

  void find_alu() {
    const auto decoded = vector::decode(generation_, words_);
    if (decoded) {
      find_known(*decoded);
    } else if (vector_length(generation_, low_).format == VectorFormat::vop3) {
      find_vop3();
    } else {
      find_short();
    }
  }

  void add(u32 code, u32 dwords) {
    if (code < 128) result_.constants |= RegisterSet::of(code, dwords);
    if (code >= Codes::first_vgpr) read_vgprs(code - Codes::first_vgpr, dwords);
    result_.reads_vccz |= code == Codes::vccz;
    result_.reads_execz |= code == Codes::execz;
    if (code != Codes::lds_direct) return;
    result_.reads_m0_for_lds = true;
    result_.constants |= RegisterSet::of(Codes::m0, 1);
  }

  void read_vgprs(u32 first, u32 count) {
    for (u32 i = first; i < first + count && i < result_.vgprs_read.size(); ++i) result_.vgprs_read.set(i);
  }

  void write_vgprs(u32 first, u8 count) {
    result_.vgpr = static_cast<u8>(first);
    result_.vgprs_written = count;
  }

  void find_known(const vector::Instruction& instruction) {
    const vector::Shape& shape = vector::row(instruction.insn).shape;
    for (u32 i = 0; i < shape.source_count(); ++i) {
      const vector::Operand& operand = shape.sources[i];
      const u16 code = instruction.sources[i].code;
      if (operand.kind == vector::OperandKind::constant || operand.kind == vector::OperandKind::agpr) continue;
      if (operand.kind != vector::OperandKind::lane) {
        add(code, operand.dwords());
      } else if (code < 128) {
        result_.lane |= RegisterSet::of(code, 1);
      }
      result_.is_lane_access |= operand.kind == vector::OperandKind::lane;
    }
    if (shape.destination.kind == vector::OperandKind::scalar) {
      result_.is_lane_access = true;
      result_.reads_lane = instruction.sources[0].is_vgpr();
      result_.lane_source = static_cast<u8>(instruction.sources[0].code);
    } else if (shape.destination.kind == vector::OperandKind::vgpr) {
      write_vgprs(instruction.destination, shape.destination.dwords());
    }
    if (shape.destination.kind == vector::OperandKind::vgpr && (shape.accumulates || shape.is_swap))
      read_vgprs(instruction.destination, shape.destination.dwords());
    if (shape.reads_mask) result_.masks |= RegisterSet::of(instruction.mask_source, 2);
    result_.is_div_fmas = shape.reads_mask && !shape.names_source_mask();
    if (instruction.form == vector::Form::dpp) mark_dpp();
    mark_result(instruction.form == vector::Form::e64);
  }

  void mark_dpp() {
    result_.has_dpp = true;
    result_.dpp_source = static_cast<u8>(high_ & 255);
  }

  /// VOP1, VOP2 and VOPC instructions without a row: the first source is any operand.
  void find_short() {
    const u32 source = low_ & 0x1ff;
    const VectorFormat format = vector_length(generation_, low_).format;
    const bool has_second = format != VectorFormat::vop1;
    const u32 second = low_ >> 9 & 255;
    if (format != VectorFormat::vopc) write_vgprs(low_ >> 17 & 255, 1);
    mark_result(false);
    if (!is_old() && source == Codes::dpp) {
      mark_dpp();
      read_vgprs(result_.dpp_source, 1);
      if (has_second) read_vgprs(second, 1);
      return;
    }
    if (!is_old() && source == Codes::sdwa) {
      const bool names_scalars = generation_info(generation_).sdwa_names_sdst;
      const u32 vgpr = Codes::first_vgpr;
      add(names_scalars && (high_ >> 23 & 1) != 0 ? high_ & 255 : vgpr + (high_ & 255), 1);
      if (has_second) add(names_scalars && (high_ >> 31 & 1) != 0 ? second : vgpr + second, 1);
      return;
    }
    add(source, 1);
    if (has_second) read_vgprs(second, 1);
    if (result_.is_permlane) read_vgprs(result_.vgpr, 1);
  }

  /// Sets the properties of the result of an instruction in VOP1, VOP2 or VOPC, or with `is_vop3` in VOP3.
  void mark_result(bool is_vop3) {
    if (!is_gfx9(generation_)) return;
    const VectorFormat format = vector_length(generation_, low_).format;
    constexpr u32 first_vop1_in_vop3 = 0x140;
    constexpr u32 last_vop1_in_vop3 = 0x1bf;
    constexpr u32 first_packed = 0x380;
    const u32 vop3_opcode = low_ >> 16 & 0x3ff;
    if (format == VectorFormat::vop1) mark_vop1(low_ >> 9 & 255);
    if (is_vop3 && vop3_opcode >= first_vop1_in_vop3 && vop3_opcode <= last_vop1_in_vop3)
      mark_vop1(vop3_opcode - first_vop1_in_vop3);
    if (result_.vgprs_written == 0) return;
    constexpr u32 whole_dword = 6;
    // OP_SEL[3] selects the half of the result. Packed instructions do not have that bit.
    result_.moves_result_bits = is_vop3 ? vop3_opcode < first_packed && !has_carry(vop3_opcode) && (low_ >> 14 & 1) != 0
                                        : (low_ & 0x1ff) == Codes::sdwa && (high_ >> 8 & 7) != whole_dword;
  }

  /// True if the bits of OP_SEL are a scalar destination.
  [[nodiscard]] bool has_carry(u32 vop3_opcode) const {
    return vop3_opcode >= 0x100 && vector_scalar_results(generation_, words_).count != 0;
  }

  void mark_vop1(u32 opcode) {
    constexpr u32 permlane16_swap = 89;
    constexpr u32 permlane32_swap = 90;
    result_.is_permlane = is_cdna3_on() && (opcode == permlane16_swap || opcode == permlane32_swap);
    // V_EXP_F32 to V_COS_F32, V_RCP_F16 to V_EXP_F16, V_SIN_F16 to V_LOG_LEGACY_F32.
    result_.is_transcendental =
        (opcode >= 32 && opcode <= 42) || (opcode >= 61 && opcode <= 65) || (opcode >= 73 && opcode <= 76);
  }

  /// The minimum number of sources of a VOP3 opcode; the fields after them may have any value.
  [[nodiscard]] u32 count_vop3_sources(u32 opcode) const {
    struct Range {
      u32 first, last, count;
    };
    static constexpr std::array old_ranges = {Range{0, 0xff, 2},      Range{0x100, 0x13f, 2}, Range{0x140, 0x160, 3},
                                              Range{0x161, 0x16c, 2}, Range{0x16d, 0x17f, 3}, Range{0x180, 0x1ff, 1}};
    static constexpr std::array new_ranges = {Range{0, 0xff, 2}, Range{0x100, 0x13f, 2}, Range{0x140, 0x1bf, 1},
                                              Range{0x1c0, 0x20b, 3}, Range{0x280, 0x2ff, 2}};
    const std::span<const Range> ranges =
        is_old() ? std::span<const Range>(old_ranges) : std::span<const Range>(new_ranges);
    for (const Range& range : ranges) {
      if (opcode >= range.first && opcode <= range.last) return range.count;
    }
    return 0;
  }

  void find_vop3() {
    const u32 opcode = is_old() ? low_ >> 17 & 0x1ff : low_ >> 16 & 0x3ff;
    // Lower opcodes are compares.
    constexpr u32 first_with_vgpr = 0x100;
    if (opcode >= first_with_vgpr) write_vgprs(low_ & 255, 1);
    mark_result(true);
    for (u32 i = 0; i < count_vop3_sources(opcode); ++i) add(high_ >> (9 * i) & 0x1ff, 1);
    if (result_.is_permlane) read_vgprs(result_.vgpr, 1);
    const u32 div_fmas = is_old() ? 0x16f : 0x1e2;  // followed by the F64 form
    if (opcode != div_fmas && opcode != div_fmas + 1) return;
    result_.is_div_fmas = true;
    result_.masks |= RegisterSet::of(Codes::vcc, 2);
  }

  // ---- memory ----

  void find_ds() {
    result_.is_gds = (low_ >> (is_old() ? 17 : 16) & 1) != 0;
    const u32 opcode = low_ >> 17 & 255;
    constexpr u32 write_addtid = 29;
    constexpr u32 read_addtid = 182;
    result_.reads_m0_for_lds = is_gfx9(generation_) && (opcode == write_addtid || opcode == read_addtid);
    if (result_.is_gds || result_.reads_m0_for_lds) result_.memory |= RegisterSet::of(Codes::m0, 1);
  }

  void find_buffer() {
    const bool is_mubuf = vector_length(generation_, low_).format == VectorFormat::mubuf;
    const auto decoded = vector::decode(generation_, words_);
    // Cache control instructions have no operands.
    if (decoded && vector::row(decoded->insn).access.bytes == 0) return;
    add_memory(high_ >> 16 & 31, 4, 4);
    add_memory(high_ >> 24, 1, 1);
    if (is_mubuf) find_mubuf_data();
  }

  void find_mubuf_data() {
    const u32 opcode = low_ >> 18 & 127;
    constexpr u32 store_lds_dword = 61;
    const bool stores_lds = !is_old() && opcode == store_lds_dword;
    if ((low_ >> 16 & 1) != 0) {
      mark_lds(stores_lds);
      result_.loads_lds_by_m0 = !stores_lds;
      return;
    }
    constexpr u32 store_format_xyz = 6;
    constexpr u32 store_format_xyzw = 7;
    // With an SGPR as the offset, hardware does not need a wait.
    if (high_ >> 24 < 128) return;
    if (opcode == store_format_xyz) store_vgprs(3);
    if (opcode == store_format_xyzw) store_vgprs(4);
    find_wide_store(opcode);
  }

  /// Opcodes that MUBUF and FLAT share: stores of three and four dwords, 64-bit compare and swap.
  void find_wide_store(u32 opcode) {
    const u32 dwords_x3 = is_old() ? 31 : 30;
    const u32 dwords_x4 = is_old() ? 30 : 31;
    constexpr u32 old_fcmpswap_x2 = 94;
    const u32 cmpswap_x2 = is_old() ? 81 : 97;
    if (opcode == dwords_x3) store_vgprs(3);
    if (opcode == dwords_x4 || opcode == cmpswap_x2 || (is_old() && opcode == old_fcmpswap_x2)) store_vgprs(4);
  }

  void store_vgprs(u8 count) {
    // From CDNA 2 on, this bit selects accumulation registers.
    const bool is_accumulator = generation_info(generation_).column >= Generation::cdna2 && (high_ >> 23 & 1) != 0;
    if (is_accumulator) return;
    result_.stored_vgpr = static_cast<u8>(high_ >> 8);
    result_.stored_vgprs = count;
  }

  void find_image() {
    add_memory(high_ >> 16 & 31, 4, 4);
    constexpr u32 first_with_sampler = 32;
    if ((low_ >> 18 & 127) >= first_with_sampler) add_memory(high_ >> 21 & 31, 4, 4);
  }

  void find_flat() {
    const u32 opcode = low_ >> 18 & 127;
    find_wide_store(opcode);
    if (!is_gfx9(generation_)) return;
    constexpr u32 scratch = 1;
    constexpr u32 global = 2;
    constexpr u32 off = 127;
    const u32 segment = low_ >> 14 & 3;
    const u32 scalar = high_ >> 16 & 127;
    if (segment == global && scalar != off) add_memory(scalar, 1, 2);
    if (segment == scratch && scalar != off) add_memory(scalar, 1, 1);
    // On CDNA 3 the bit means that a scratch access has an address in a VGPR; loads to LDS have opcodes of their own.
    const bool is_lds_opcode = (opcode >= 38 && opcode <= 42) || opcode == 125 || opcode == 126;
    const bool names_lds = (low_ >> 13 & 1) != 0;
    mark_lds(is_cdna3_on() ? segment != 0 && is_lds_opcode : names_lds);
  }

  void add_memory(u32 field, u32 unit, u32 dwords) {
    if (field * unit < 128) result_.memory |= RegisterSet::of(field * unit, dwords);
  }

  void mark_lds(bool reaches_lds) {
    if (!reaches_lds) return;
    result_.reads_m0_for_lds = true;
    result_.memory |= RegisterSet::of(Codes::m0, 1);
  }

  Generation generation_;
  u32 low_;
  u32 high_;
  std::span<const u32> words_;
  VectorSources result_;
};

}  // namespace

VectorSources vector_sources(Generation generation, std::span<const u32> words) {
  return Sources(generation, words).find();
}

}  // namespace salu::isa
