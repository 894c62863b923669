#include "isa/vector/dpp.hpp"

#include <algorithm>

#include "isa/generations.hpp"

namespace salu::isa::vector {
namespace {

namespace c = dpp_control;

constexpr std::array<DppControlName, 12> control_names = {{
    {"row_shl", c::row_shl + 1, 1, 15},
    {"row_shr", c::row_shr + 1, 1, 15},
    {"row_ror", c::row_ror + 1, 1, 15},
    {"wave_shl", c::wave_shl, 1, 1},
    {"wave_rol", c::wave_rol, 1, 1},
    {"wave_shr", c::wave_shr, 1, 1},
    {"wave_ror", c::wave_ror, 1, 1},
    {"row_mirror", c::row_mirror, 0, 0},
    {"row_half_mirror", c::row_half_mirror, 0, 0},
    {"row_bcast", c::row_bcast_15, 15, 15},
    {"row_bcast", c::row_bcast_31, 31, 31},
    {"row_newbcast", c::row_newbcast, 0, 15},
}};

const DppControlName* find_control(u32 control) {
  const auto* const found = std::ranges::find_if(control_names, [control](const DppControlName& each) {
    return control >= each.first && control - each.first <= u32{each.highest} - each.lowest;
  });
  return found == control_names.end() ? nullptr : found;
}

/// CDNA 2 adds `row_newbcast`, and DPP with 64-bit operands, which only have this control.
bool has_newbcast(Generation generation) { return generation_info(generation).column >= Generation::cdna2; }

bool has_wide_operand(const InstructionInfo& row) {
  const auto is_wide = [](const Operand& operand) { return operand.bits == 64; };
  return is_wide(row.shape.destination) || std::ranges::any_of(row.shape.sources, is_wide);
}

}  // namespace

std::span<const DppControlName> dpp_control_names() { return control_names; }

bool has_dpp(Generation generation, const InstructionInfo& row) {
  const bool is_old = generation_info(generation).vector_encoding == VectorEncoding::gfx6;
  const bool has_form = (row.modifiers & modifier::dpp) != 0 && row.format != Format::vopc;
  return !is_old && has_form && row.opcode(generation) != absent &&
         (!has_wide_operand(row) || has_newbcast(generation));
}

bool may_be_control(Generation generation, const InstructionInfo& row, u32 control) {
  if (control >= c::row_newbcast) return find_control(control) != nullptr && has_newbcast(generation);
  return !has_wide_operand(row) && (control < c::row_shl || find_control(control) != nullptr);
}

std::string control_text(u32 control) {
  const DppControlName* const name = find_control(control);
  if (name == nullptr) {
    std::string text = "quad_perm:[";
    for (u32 i = 0; i < 4; ++i) text += (i == 0 ? "" : ",") + std::to_string(control >> (2 * i) & 3);
    return text + "]";
  }
  const std::string number = name->highest == 0 ? "" : ":" + std::to_string(control - name->first + name->lowest);
  return std::string(name->name) + number;
}

}  // namespace salu::isa::vector
