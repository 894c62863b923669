#include <array>
#include <cstddef>

#include "isa/decode.hpp"

/// Lengths of the instructions that salu recognises but does not execute (semantics.md 10).
namespace salu::isa {
namespace {

constexpr std::array<std::string_view, 12> format_names = {"none", "VOP1", "VOP2",  "VOPC",  "VOP3", "VINTRP",
                                                           "DS",   "FLAT", "MUBUF", "MTBUF", "MIMG", "EXP"};

constexpr u32 sdwa_code = 249;
constexpr u32 dpp_code = 250;

/// VOP2 opcodes with a mandatory constant dword: v_madmk, v_madak, their f16 forms and successors.
bool has_constant_dword(Generation generation, u32 opcode) {
  if (!is_gcn1_2_or_later(generation)) return opcode == 32 || opcode == 33;
  return opcode == 23 || opcode == 24 || opcode == 36 || opcode == 37;
}

/// w[31] = 0: VOP1, VOPC, VOP2.
VectorLength short_form(Generation generation, u32 word) {
  const u32 opcode = word >> 25 & 63;
  const u32 src0 = word & 0x1ff;
  const bool extended =
      src0 == literal_code || (is_gcn1_2_or_later(generation) && (src0 == sdwa_code || src0 == dpp_code));
  if (opcode == 63) return {VectorFormat::vop1, static_cast<u8>(extended ? 2 : 1)};
  if (opcode == 62) return {VectorFormat::vopc, static_cast<u8>(extended ? 2 : 1)};
  return {VectorFormat::vop2, static_cast<u8>(extended || has_constant_dword(generation, opcode) ? 2 : 1)};
}

}  // namespace

std::string_view vector_format_name(VectorFormat format) { return format_names[static_cast<std::size_t>(format)]; }

VectorLength vector_length(Generation generation, u32 word) {
  if (word >> 31 == 0) return short_form(generation, word);
  const bool old = !is_gcn1_2_or_later(generation);
  constexpr VectorLength illegal{VectorFormat::none, 1};
  switch (word >> 26) {
    case 0b110001:
      return old ? illegal : VectorLength{VectorFormat::exp, 2};
    case 0b110010:
      return old ? VectorLength{VectorFormat::vintrp, 1} : illegal;
    case 0b110100:
      return {VectorFormat::vop3, 2};
    case 0b110101:
      if (old || generation == Generation::cdna2 || generation == Generation::cdna3) return illegal;
      return {VectorFormat::vintrp, 1};
    case 0b110110:
      return {VectorFormat::ds, 2};
    case 0b110111:
      return generation == Generation::gcn1_0 ? illegal : VectorLength{VectorFormat::flat, 2};
    case 0b111000:
      return {VectorFormat::mubuf, 2};
    case 0b111010:
      return {VectorFormat::mtbuf, 2};
    case 0b111100:
      return generation == Generation::cdna3 ? illegal : VectorLength{VectorFormat::mimg, 2};
    case 0b111110:
      return old ? VectorLength{VectorFormat::exp, 2} : illegal;
    default:
      return illegal;
  }
}

}  // namespace salu::isa
