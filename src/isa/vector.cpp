#include <array>
#include <cstddef>

#include "isa/decode.hpp"

/// Lengths and scalar results of vector instructions, including those that salu does not execute (semantics.md 10).
namespace salu::isa {
namespace {

constexpr std::array<std::string_view, 12> format_names = {"none", "VOP1", "VOP2",  "VOPC",  "VOP3", "VINTRP",
                                                           "DS",   "FLAT", "MUBUF", "MTBUF", "MIMG", "EXP"};

constexpr u32 sdwa_code = 249;
constexpr u32 dpp_code = 250;

constexpr bool has_old_numbers(Generation generation) {
  return generation_info(generation).vector_encoding == VectorEncoding::gfx6;
}

constexpr bool has_gfx10_numbers(Generation generation) {
  return generation_info(generation).vector_encoding == VectorEncoding::gfx10;
}

/// VOP2 opcodes with a mandatory constant dword: v_madmk, v_madak, their f16 variants and successors.
bool has_constant_dword(Generation generation, u32 opcode) {
  if (has_old_numbers(generation)) return opcode == 32 || opcode == 33;
  return opcode == 23 || opcode == 24 || opcode == 36 || opcode == 37;
}

/// w[31] = 0: VOP1, VOPC, VOP2.
VectorLength short_form(Generation generation, u32 word) {
  const u32 opcode = word >> 25 & 63;
  const u32 src0 = word & 0x1ff;
  const bool extended =
      src0 == literal_code || (!has_old_numbers(generation) && (src0 == sdwa_code || src0 == dpp_code));
  if (opcode == 63) return {VectorFormat::vop1, static_cast<u8>(extended ? 2 : 1)};
  if (opcode == 62) return {VectorFormat::vopc, static_cast<u8>(extended ? 2 : 1)};
  return {VectorFormat::vop2, static_cast<u8>(extended || has_constant_dword(generation, opcode) ? 2 : 1)};
}

constexpr bool is_between(u32 value, u32 first, u32 last) { return value >= first && value <= last; }

/// True if a VOPC opcode is V_CMPX, which also writes EXEC.
bool compare_writes_exec(Generation generation, u32 opcode) {
  // With the new numbers, the forms of V_CMP_CLASS alternate below 0x20; for all other opcodes bit 4 decides.
  if (!has_old_numbers(generation) && opcode < 0x20) return opcode % 2 != 0;
  return (opcode & 0x10) != 0;
}

/// VOP2 opcodes with a carry or borrow out: V_ADD_I32 (later V_ADD_CO_U32) to V_SUBBREV_U32.
bool has_carry_out(Generation generation, u32 opcode) {
  return has_old_numbers(generation) ? is_between(opcode, 0x25, 0x2a) : is_between(opcode, 0x19, 0x1e);
}

class ResultList {
 public:
  ResultList& add(u32 code, u8 dwords) {
    // Seven bits encode a scalar register. A pair starts at an even register: the lowest bit is ignored, as in LLVM.
    results_.spans[results_.count++] = {static_cast<u8>(code & (dwords == 2 ? 126U : 127U)), dwords};
    return *this;
  }
  ResultList& add_exec(bool is_written) { return is_written ? add(gcn::operands.exec, 2) : *this; }
  [[nodiscard]] ScalarResults take() const { return results_; }

 private:
  ScalarResults results_;
};

/// The first VOP3 opcode of VOP1 instructions, the opcode of V_READLANE, and the VOP3-only opcodes with an SDST.
struct Vop3Opcodes {
  u32 vop1_base;
  u32 readlane;
  u32 div_scale_f32;  ///< followed by the F64 form
  u32 mad_u64_u32;    ///< followed by I64_I32
};
constexpr Vop3Opcodes old_vop3{0x180, 0x101, 0x16d, 0x176};
constexpr Vop3Opcodes new_vop3{0x140, 0x289, 0x1e0, 0x1e8};
constexpr u32 vop2_base = 0x100;
constexpr u32 vop1_readfirstlane = 2;
constexpr u32 old_vop2_readlane = 1;

ScalarResults vop3_results(Generation generation, u32 word) {
  const bool is_old = has_old_numbers(generation);
  const Vop3Opcodes& opcodes = is_old ? old_vop3 : new_vop3;
  const u32 opcode = is_old ? word >> 17 & 0x1ff : word >> 16 & 0x3ff;
  const u32 vdst = word & 255;
  const u32 sdst = word >> 8 & 127;
  ResultList list;
  if (opcode < vop2_base) return list.add(vdst, 2).add_exec(compare_writes_exec(generation, opcode)).take();
  const bool carries = opcode < vop2_base + 0x40 && has_carry_out(generation, opcode - vop2_base);
  if (carries || is_between(opcode, opcodes.div_scale_f32, opcodes.div_scale_f32 + 1) ||
      is_between(opcode, opcodes.mad_u64_u32, opcodes.mad_u64_u32 + 1)) {
    return list.add(sdst, 2).take();
  }
  if (opcode == opcodes.readlane || opcode == opcodes.vop1_base + vop1_readfirstlane) return list.add(vdst, 1).take();
  return {};
}

/// Two dwords, or three if one of the three sources is a literal.
VectorLength vop3_on_gfx10(u32 next) {
  const bool has_literal =
      (next & 0x1ff) == literal_code || (next >> 9 & 0x1ff) == literal_code || (next >> 18 & 0x1ff) == literal_code;
  return {VectorFormat::vop3, static_cast<u8>(has_literal ? 3 : 2)};
}

VectorLength short_form_on_gfx10(u32 word) {
  constexpr u32 dpp8_code = 233;
  constexpr u32 dpp8_fi_code = 234;
  const u32 opcode = word >> 25 & 63;
  const u32 src0 = word & 0x1ff;
  const bool is_extended =
      src0 == literal_code || src0 == sdwa_code || src0 == dpp_code || src0 == dpp8_code || src0 == dpp8_fi_code;
  // V_MADMK_F32, V_MADAK_F32, V_FMAMK_F32, V_FMAAK_F32, V_FMAMK_F16, V_FMAAK_F16
  const bool has_constant = is_between(opcode, 32, 33) || is_between(opcode, 44, 45) || is_between(opcode, 55, 56);
  const VectorFormat format = opcode == 63   ? VectorFormat::vop1
                              : opcode == 62 ? VectorFormat::vopc
                                             : VectorFormat::vop2;
  return {format, static_cast<u8>(is_extended || has_constant ? 2 : 1)};
}

VectorLength length_on_gfx10(u32 word, u32 next) {
  if (word >> 31 == 0) return short_form_on_gfx10(word);
  switch (word >> 26) {
    case 0b110010:
      return {VectorFormat::vintrp, 1};
    case 0b110011:  // VOP3P
    case 0b110101:
      return vop3_on_gfx10(next);
    case 0b110110:
      return {VectorFormat::ds, 2};
    case 0b110111:
      return {VectorFormat::flat, 2};
    case 0b111000:
      return {VectorFormat::mubuf, 2};
    case 0b111010:
      return {VectorFormat::mtbuf, 2};
    case 0b111100:
      // NSA: the number of additional dwords, with four addresses each.
      return {VectorFormat::mimg, static_cast<u8>(2 + (word >> 1 & 3))};
    case 0b111110:
      return {VectorFormat::exp, 2};
    default:
      return {VectorFormat::none, 1};
  }
}

}  // namespace

ScalarResults vector_scalar_results(Generation generation, std::span<const u32> words) {
  const u32 word = words[0];
  if (has_gfx10_numbers(generation)) return {};
  ResultList list;
  switch (vector_length(generation, word).format) {
    case VectorFormat::vopc: {
      const bool is_sdwa = (word & 0x1ff) == sdwa_code;
      const bool has_sdst = generation_info(generation).sdwa_names_sdst && is_sdwa && (words[1] >> 15 & 1) != 0;
      const u32 opcode = word >> 17 & 255;
      return list.add(has_sdst ? words[1] >> 8 : gcn::operands.vcc, 2)
          .add_exec(compare_writes_exec(generation, opcode))
          .take();
    }
    case VectorFormat::vop1:
      return (word >> 9 & 255) == vop1_readfirstlane ? list.add(word >> 17, 1).take() : ScalarResults{};
    case VectorFormat::vop2: {
      const u32 opcode = word >> 25 & 63;
      if (has_carry_out(generation, opcode)) return list.add(gcn::operands.vcc, 2).take();
      const bool reads_lane = has_old_numbers(generation) && opcode == old_vop2_readlane;
      return reads_lane ? list.add(word >> 17, 1).take() : ScalarResults{};
    }
    case VectorFormat::vop3:
      return vop3_results(generation, word);
    default:
      return {};
  }
}

std::string_view vector_format_name(VectorFormat format) { return format_names[static_cast<std::size_t>(format)]; }

VectorLength vector_length(Generation generation, u32 word, u32 next) {
  if (has_gfx10_numbers(generation)) return length_on_gfx10(word, next);
  if (word >> 31 == 0) return short_form(generation, word);
  const GenerationInfo& info = generation_info(generation);
  const bool old = has_old_numbers(generation);
  constexpr VectorLength illegal{VectorFormat::none, 1};
  switch (word >> 26) {
    case 0b110001:
      return old ? illegal : VectorLength{VectorFormat::exp, 2};
    case 0b110010:
      return old && info.has_vintrp ? VectorLength{VectorFormat::vintrp, 1} : illegal;
    case 0b110100:
      return {VectorFormat::vop3, 2};
    case 0b110101:
      return !old && info.has_vintrp ? VectorLength{VectorFormat::vintrp, 1} : illegal;
    case 0b110110:
      return {VectorFormat::ds, 2};
    case 0b110111:
      return info.has_flat ? VectorLength{VectorFormat::flat, 2} : illegal;
    case 0b111000:
      return {VectorFormat::mubuf, 2};
    case 0b111010:
      return {VectorFormat::mtbuf, 2};
    case 0b111100:
      return info.has_mimg ? VectorLength{VectorFormat::mimg, 2} : illegal;
    case 0b111110:
      return old ? VectorLength{VectorFormat::exp, 2} : illegal;
    default:
      return illegal;
  }
}

}  // namespace salu::isa
