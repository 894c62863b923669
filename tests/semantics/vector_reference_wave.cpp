#include "semantics/vector_reference_wave.hpp"

#include <bit>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "semantics/dpp_reference.hpp"
#include "semantics/vector_reference.hpp"

namespace salu::test {
namespace {

namespace vec = isa::vector;
using vec::Form;
using vec::Format;
using vec::OperandKind;

constexpr u32 lane_total = state_index::lanes;
constexpr u32 first_agpr = VectorRegisters::vgprs;

constexpr std::array<const char*, vec::insn_count> row_names = {
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) #name,
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) #name,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
};

bool has(const vec::InstructionInfo& row, vec::ModifierSet modifiers) {
  return (row.modifiers & modifiers) == modifiers;
}

u32 bits_at(u32 value, u32 position) { return value << position; }
u32 flag_at(bool value, u32 position) { return (value ? 1U : 0U) << position; }

// ---- words ----

/// The code of a source; AGPRs have their own numbers in `Instruction`.
u32 source_code(const vec::InstructionInfo& row, const vec::Instruction& instruction, std::size_t i) {
  const u32 code = instruction.sources[i].code;
  return row.shape.sources[i].kind == OperandKind::agpr ? vec::first_vgpr + code : code;
}

std::vector<u32> encode_short(Generation generation, const vec::InstructionInfo& row,
                              const vec::Instruction& instruction) {
  const auto opcode = static_cast<u32>(row.opcode(generation));
  const bool is_sdwa = instruction.form == Form::sdwa;
  const bool is_dpp = instruction.form == Form::dpp;
  const u32 first = is_sdwa ? 249 : is_dpp ? 250 : source_code(row, instruction, 0);
  const bool is_madmk = row.shape.sources[1].kind == OperandKind::constant;
  // The second source is the number of a VGPR; a lane number is an operand code, and so may be the source of SDWA.
  const u32 second = instruction.sources[is_madmk ? 2 : 1].code % 256;
  u32 word = 0;
  switch (row.format) {
    case Format::vop1:
      word = 0x7e000000 | bits_at(instruction.destination, 17) | bits_at(opcode, 9) | first;
      break;
    case Format::vopc:
      word = 0x7c000000 | bits_at(opcode, 17) | bits_at(second, 9) | first;
      break;
    default:
      word = bits_at(opcode, 25) | bits_at(instruction.destination, 17) | bits_at(second, 9) | first;
      break;
  }
  if (is_sdwa) {
    const auto half_word = [&](std::size_t i) {
      const vec::Source& source = instruction.sources[i];
      return static_cast<u32>(source.select) | flag_at(source.sign_extend, 3) | flag_at(source.negate, 4) |
             flag_at(source.absolute, 5) | flag_at(!source.is_vgpr(), 7);
    };
    u32 sdwa = instruction.sources[0].code % 256U | bits_at(half_word(0), 16);
    if (row.format != Format::vop1) sdwa |= bits_at(half_word(1), 24);
    if (row.format == Format::vopc) {
      if (instruction.mask_destination != code::vcc) sdwa |= bits_at(instruction.mask_destination, 8) | 1U << 15;
    } else {
      sdwa |= bits_at(static_cast<u32>(instruction.destination_select), 8) |
              bits_at(static_cast<u32>(instruction.destination_unused), 11) | flag_at(instruction.clamp, 13) |
              bits_at(instruction.output_modifier, 14);
    }
    return {word, sdwa};
  }
  if (is_dpp) {
    const vec::Dpp& fields = instruction.dpp;
    u32 dpp = instruction.sources[0].code % 256U | bits_at(fields.control, 8) | flag_at(fields.bound_ctrl, 19) |
              bits_at(fields.bank_mask, 24) | bits_at(fields.row_mask, 28);
    for (u32 i = 0; i < 2; ++i) {
      const vec::Source& source = instruction.sources[i];
      dpp |= flag_at(source.negate, 20 + 2 * i) | flag_at(source.absolute, 21 + 2 * i);
    }
    return {word, dpp};
  }
  const bool has_constant = is_madmk || row.shape.sources[2].kind == OperandKind::constant;
  if (has_constant || first == 255) return {word, instruction.literal};
  return {word};
}

std::vector<u32> encode_long(Generation generation, const vec::InstructionInfo& row,
                             const vec::Instruction& instruction) {
  u32 low = 0;
  u32 high = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_mask = i == 2 && row.shape.reads_mask && !row.shape.sources[2].is_there();
    const u32 code = is_mask ? instruction.mask_source : source_code(row, instruction, i);
    high |= bits_at(code, static_cast<u32>(9 * i));
    high |= flag_at(instruction.sources[i].negate, static_cast<u32>(29 + i));
  }
  const bool is_compare = row.format == Format::vopc;
  low |= is_compare ? instruction.mask_destination : instruction.destination;
  if (row.format == Format::vop3p) {
    low |= 0xd3800000 | bits_at(static_cast<u32>(row.opcode(generation)), 16) | flag_at(instruction.clamp, 15) |
           bits_at(instruction.op_sel, 11) | bits_at(instruction.op_sel_hi >> 2, 14) |
           bits_at(instruction.negate_hi, 8);
    for (u32 i = 0; i < 3; ++i) low |= flag_at(instruction.sources[i].absolute, 8 + i);
    high |= bits_at(instruction.op_sel_hi & 3U, 27);
    return {low, high};
  }
  const bool is_old = generation_info(generation).gfx <= 7;
  low |= 0xd0000000 | bits_at(static_cast<u32>(row.vop3_opcode(generation)), is_old ? 17 : 16);
  if (row.shape.writes_mask && !is_compare) {
    low |= bits_at(instruction.mask_destination, 8);
  } else {
    for (u32 i = 0; i < 3; ++i) low |= flag_at(instruction.sources[i].absolute, 8 + i);
  }
  low |= flag_at(instruction.clamp, is_old ? 11 : 15) | bits_at(instruction.op_sel, 11);
  high |= bits_at(instruction.output_modifier, 27);
  // OMOD, ABS and NEG, the highest bits first.
  const u32 table = instruction.truth_table;
  low |= bits_at(table / 8 % 8, 8);
  high |= bits_at(table / 64, 27) | bits_at(table % 8, 29);
  return {low, high};
}

// ---- operands ----

class WaveModel {
 public:
  WaveModel(const vec::Instruction& instruction, WaveState& state)
      : instruction_(instruction),
        row_(vec::info(instruction.insn)),
        name_(row_names[static_cast<std::size_t>(instruction.insn)]),
        before_(state),
        state_(state),
        exec_(state.exec()) {
    if (instruction.form != Form::dpp) return;
    moved_ = dpp_sources(instruction.dpp.control);
    for (std::optional<u32>& source : moved_) {
      if (source && (exec_ >> *source & 1) == 0) source.reset();
    }
    exec_ &= dpp_enabled_lanes(instruction.dpp.row_mask, instruction.dpp.bank_mask);
    for (u32 lane = 0; lane < lane_total; ++lane) {
      if (!moved_[lane] && !instruction.dpp.bound_ctrl) exec_ &= ~(u64{1} << lane);
    }
  }

  std::vector<AnyNan> execute() {
    if (name_ == "v_nop") return {};
    if (name_ == "v_readfirstlane_b32") {
      const u32 lane = exec_ == 0 ? 0 : static_cast<u32>(std::countr_zero(exec_));
      write_scalar(instruction_.destination, vector_register(instruction_.sources[0].code - 256U, lane));
    } else if (name_ == "v_readlane_b32") {
      const u32 lane = static_cast<u32>(raw_source(1, 0)) % lane_total;
      write_scalar(instruction_.destination, vector_register(instruction_.sources[0].code - 256U, lane));
    } else if (name_ == "v_writelane_b32") {
      const u32 lane = static_cast<u32>(raw_source(1, 0)) % lane_total;
      state_.vectors.write(instruction_.destination, lane, static_cast<u32>(raw_source(0, 0)));
    } else if (name_.starts_with("v_movrel")) {
      move_relative();
    } else if (name_ == "v_swap_b32") {
      for_each_active_lane([&](u32 lane) {
        const u32 source = instruction_.sources[0].code - 256U;
        state_.vectors.write(instruction_.destination, lane, vector_register(source, lane));
        state_.vectors.write(source, lane, vector_register(instruction_.destination, lane));
      });
    } else if (name_ == "v_permlane16_swap_b32") {
      exchange(16);
    } else if (name_ == "v_permlane32_swap_b32") {
      exchange(32);
    } else if (name_ == "v_pk_mov_b32") {
      for_each_active_lane([&](u32 lane) {
        for (u32 i = 0; i < 2; ++i) {
          const u64 source = raw_source(i, lane);
          const bool high = (instruction_.op_sel >> i & 1) != 0;
          state_.vectors.write(instruction_.destination + i, lane, static_cast<u32>(high ? source >> 32 : source));
        }
      });
    } else {
      compute();
    }
    return std::move(any_nans_);
  }

 private:
  template <class Function>
  void for_each_active_lane(Function function) {
    for (u32 lane = 0; lane < lane_total; ++lane) {
      if ((exec_ >> lane & 1) != 0) function(lane);
    }
  }

  [[nodiscard]] u32 vector_register(u32 number, u32 lane) const { return before_.vectors.lanes(number)[lane]; }

  /// Index mode (GCN 1.2 on): M0[7:0] is added to the VGPRs selected by M0[15:12]: sources, then the destination.
  /// Beyond the last register a source reads v0, and a destination is not written.
  [[nodiscard]] u32 index_for(u32 operand) const {
    const bool is_on = (before_.mode >> mode_bit::gpr_idx_en & 1) != 0;
    const u32 m0 = before_.file[code::m0];
    return is_on && (m0 >> (12 + operand) & 1) != 0 ? m0 & 0xff : 0;
  }

  [[nodiscard]] bool is_mixed() const { return has(row_, vec::modifier::mixed); }
  /// True if a source is a 16-bit float, or two of them.
  [[nodiscard]] bool is_half_float(std::size_t i) const {
    if (is_mixed()) return (instruction_.op_sel_hi >> i & 1) != 0;
    return row_.is_half_float(row_.shape.sources[i]) || (name_ == "v_dot2_f32_f16" && i < 2);
  }

  [[nodiscard]] u64 raw_source(std::size_t i, u32 lane) const {
    const vec::Operand& operand = row_.shape.sources[i];
    const u32 source = instruction_.sources[i].code;
    constexpr std::array<u16, 9> halves = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
    if (operand.kind != OperandKind::agpr && source >= 240 && source <= 248 && is_half_float(i))
      return halves.at(source - 240);
    const bool is_pair = operand.bits == 64;
    if (operand.kind == OperandKind::constant) return instruction_.literal;
    if (operand.kind == OperandKind::agpr) return vector_register(first_agpr + source, lane);
    if (source >= 256) {
      if (i == 0 && instruction_.form == Form::dpp) {
        if (!moved_[lane]) return 0;
        lane = *moved_[lane];
      }
      u32 number = source - 256 + index_for(static_cast<u32>(i));
      if (number + (is_pair ? 1 : 0) >= VectorRegisters::vgprs) number = 0;
      const u64 low = vector_register(number, lane);
      return is_pair ? low | u64{vector_register(number + 1, lane)} << 32 : low;
    }
    if (source < 128) return is_pair ? before_.read64(source) : before_.file[source];
    if (source == 251) return before_.vcc() == 0 ? 1 : 0;
    if (source == 252) return before_.exec() == 0 ? 1 : 0;
    if (source == 253) return before_.scc ? 1 : 0;
    if (source == 255) {
      if (is_pair && name_.ends_with("f64")) return u64{instruction_.literal} << 32;
      const bool extends_sign = is_pair && name_.ends_with("i64");
      const u64 sign = extends_sign && instruction_.literal >> 31 != 0 ? ~u64{0} << 32 : 0;
      return instruction_.literal | sign;
    }
    return constant(source, is_pair);
  }

  static u64 constant(u32 source, bool is_pair) {
    if (source <= 192) return source - 128;
    if (source <= 208) return is_pair ? ~u64{0} - (source - 193) : 0xffffffffU - (source - 193);
    constexpr std::array<double, 9> floats = {0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494309189532};
    const double value = floats.at(source - 240);
    return is_pair ? std::bit_cast<u64>(value) : std::bit_cast<u32>(static_cast<float>(value));
  }

  static u32 select(u32 value, const vec::Source& source) {
    const auto number = static_cast<u32>(source.select);
    if (source.select == vec::Select::dword) return value;
    const u32 bits = number < 4 ? 8 : 16;
    const u32 mask = (1U << bits) - 1;
    const u32 part = value >> (number < 4 ? 8 * number : 16 * (number - 4)) & mask;
    const bool is_negative = source.sign_extend && (part >> (bits - 1)) != 0;
    return is_negative ? part | ~mask : part;
  }

  /// A source with its modifiers; `high`: the half, for rows of halves.
  [[nodiscard]] u64 source_value(std::size_t i, u32 lane, bool high) const {
    const vec::Source& source = instruction_.sources[i];
    u64 value = raw_source(i, lane);
    if (instruction_.form == Form::sdwa) value = select(static_cast<u32>(value), source);
    if (high) value = value >> 16;
    if (has(row_, vec::modifier::sign) && !(name_ == "v_dot2_f32_f16" && i < 2)) {
      const u64 sign = u64{1} << (row_.shape.sources[i].bits == 64 ? 63 : is_half_float(i) ? 15 : 31);
      if (source.absolute) value &= ~sign;
      if (source.negate) value ^= sign;
    }
    return value;
  }

  [[nodiscard]] LaneInputs inputs(u32 lane) const {
    LaneInputs in;
    in.lane = lane;
    in.clamp = instruction_.clamp;
    in.op_sel = instruction_.op_sel;
    in.op_sel_hi = instruction_.op_sel_hi;
    for (u32 i = 0; i < 3; ++i) in.negate |= flag_at(instruction_.sources[i].negate, i);
    in.negate_hi = instruction_.negate_hi;
    in.truth_table = instruction_.truth_table;
    in.output_modifier = instruction_.output_modifier;
    in.mode = before_.mode;
    if (row_.shape.reads_mask) in.carry = (before_.read64(instruction_.mask_source) >> lane & 1) != 0;
    return in;
  }

  void compute() {
    const LaneModel* const model = find_lane_model(name_);
    if (model == nullptr) throw std::runtime_error("no model of " + std::string(name_));
    const vec::Operand& result = row_.shape.destination;
    const u32 bank = result.kind == OperandKind::agpr ? first_agpr : 0;
    const u32 dwords = result.bits == 64 ? 2 : 1;
    std::optional<u32> number = bank + instruction_.destination + index_for(3);
    if (bank == 0 && *number + dwords > VectorRegisters::vgprs) number.reset();
    u64 mask = 0;
    for_each_active_lane([&](u32 lane) {
      const u64 old = number ? old_value(*number, lane, dwords) : 0;
      const LaneResult computed =
          has(row_, vec::modifier::packed) ? both_halves(*model, lane, old) : one_result(*model, lane, old);
      if (computed.mask) mask |= u64{1} << lane;
      if (!result.is_there() || !number) return;
      const u64 value = placed(computed.d, static_cast<u32>(old));
      for (u32 i = 0; i < dwords; ++i) state_.vectors.write(*number + i, lane, static_cast<u32>(value >> (32 * i)));
      if (computed.is_nan && is_packed_pair()) {
        for (u32 i = 0; i < dwords; ++i) any_nans_.push_back({*number + i, lane, 1});
      } else if (computed.is_nan) {
        any_nans_.push_back({*number, lane, dwords});
      }
    });
    if (row_.shape.writes_mask) write_mask(instruction_.mask_destination, mask);
    if (row_.shape.writes_exec) write_mask(code::exec, mask);
  }

  [[nodiscard]] u64 old_value(u32 number, u32 lane, u32 dwords) const {
    const u64 low = vector_register(number, lane);
    return dwords == 2 ? low | u64{vector_register(number + 1, lane)} << 32 : low;
  }

  [[nodiscard]] LaneResult one_result(const LaneModel& model, u32 lane, u64 old) const {
    LaneInputs in = inputs(lane);
    in.old = old;
    for (std::size_t i = 0; i < row_.shape.source_count(); ++i) {
      const vec::Operand& operand = row_.shape.sources[i];
      const bool is_half = is_mixed() ? is_half_float(i) : operand.bits == 16;
      const bool selects = is_mixed() || has(row_, vec::modifier::op_sel);
      in.s[i] = source_value(i, lane, is_half && selects && (instruction_.op_sel >> i & 1) != 0);
      if (is_half) in.s[i] &= 0xffff;
    }
    return model(in);
  }

  [[nodiscard]] LaneResult both_halves(const LaneModel& model, u32 lane, u64 old) const {
    const u32 width = is_packed_pair() ? 32 : 16;
    const u64 all = (u64{1} << width) - 1;
    // NEG only applies to floats.
    const u64 sign = has(row_, vec::modifier::sign) ? u64{1} << (width - 1) : 0;
    LaneInputs low = inputs(lane);
    LaneInputs high = low;
    low.old = old & all;
    high.old = old >> width;
    for (std::size_t i = 0; i < row_.shape.source_count(); ++i) {
      const u64 source = raw_source(i, lane);
      low.s[i] = ((instruction_.op_sel >> i & 1) != 0 ? source >> width : source) & all;
      high.s[i] = ((instruction_.op_sel_hi >> i & 1) != 0 ? source >> width : source) & all;
      if (instruction_.sources[i].negate) low.s[i] ^= sign;
      if ((instruction_.negate_hi >> i & 1) != 0) high.s[i] ^= sign;
    }
    const LaneResult first = model(low);
    const LaneResult second = model(high);
    return {first.d | second.d << width, false, first.is_nan || second.is_nan};
  }
  /// True for two 32-bit floats in a pair of registers.
  [[nodiscard]] bool is_packed_pair() const {
    return has(row_, vec::modifier::packed) && row_.shape.destination.bits == 64;
  }

  /// The result with the preserved part of the register.
  [[nodiscard]] u64 placed(u64 value, u32 old) const {
    const vec::Operand& result = row_.shape.destination;
    if (instruction_.form == Form::sdwa) return placed_in_part(static_cast<u32>(value), old);
    if (result.bits != 16 || !(has(row_, vec::modifier::op_sel) || is_mixed())) return value;
    const bool high = is_mixed() ? name_ == "v_fma_mixhi_f16" : (instruction_.op_sel >> 3 & 1) != 0;
    return high ? (old & 0xffffU) | value << 16 : (old & 0xffff0000U) | value;
  }

  [[nodiscard]] u64 placed_in_part(u32 value, u32 old) const {
    const auto number = static_cast<u32>(instruction_.destination_select);
    if (instruction_.destination_select == vec::Select::dword) return value;
    const u32 bits = number < 4 ? 8 : 16;
    const u32 low = number < 4 ? 8 * number : 16 * (number - 4);
    const u32 mask = ((1U << bits) - 1) << low;
    const u32 part = value << low & mask;
    const bool is_negative = (value >> (bits - 1) & 1) != 0;
    switch (instruction_.destination_unused) {
      case vec::Unused::preserve:
        return (old & ~mask) | part;
      case vec::Unused::sign_extend: {
        const u32 above = low + bits == 32 ? 0 : ~u32{0} << (low + bits);
        return is_negative ? part | above : part;
      }
      default:
        return part;
    }
  }

  /// The pseudocode of the CDNA 4 ISA manual, with the rules of RDNA's V_PERMLANE16_B32 for EXEC, FI and BOUND_CTRL:
  /// inactive lanes are not written. A lane whose partner is inactive is not written either, unless FI reads the
  /// partner all the same or BOUND_CTRL gives 0.
  void exchange(u32 distance) {
    const u32 source = instruction_.sources[0].code - 256U;
    const u32 destination = instruction_.destination;
    const bool reads_inactive = (instruction_.op_sel & 1) != 0;
    const bool gives_zero = (instruction_.op_sel & 2) != 0;
    const auto is_on = [&](u32 lane) { return (exec_ >> lane & 1) != 0; };
    const auto move = [&](u32 to, u32 to_lane, u32 from, u32 from_lane) {
      if (!is_on(to_lane)) return;
      if (is_on(from_lane) || reads_inactive) {
        state_.vectors.write(to, to_lane, vector_register(from, from_lane));
      } else if (gives_zero) {
        state_.vectors.write(to, to_lane, 0);
      }
    };
    for (u32 first = 0; first < lane_total; first += 2 * distance) {
      for (u32 lane = first; lane < first + distance; ++lane) {
        move(source, lane, destination, lane + distance);
        move(destination, lane + distance, source, lane);
      }
    }
  }

  /// M0 is the distance of the actual registers from the encoded ones.
  void move_relative() {
    const u32 m0 = before_.file[code::m0];
    const bool is_source_relative = name_ != "v_movreld_b32";
    const bool is_destination_relative = name_ != "v_movrels_b32";
    const u64 destination = u64{instruction_.destination} + (is_destination_relative ? m0 : 0);
    for_each_active_lane([&](u32 lane) {
      u64 value = 0;
      if (is_source_relative) {
        const u64 number = instruction_.sources[0].code - 256U + u64{m0};
        value = vector_register(number < VectorRegisters::vgprs ? static_cast<u32>(number) : 0, lane);
      } else {
        value = raw_source(0, lane);
      }
      if (destination < VectorRegisters::vgprs) {
        state_.vectors.write(static_cast<u32>(destination), lane, static_cast<u32>(value));
      }
    });
  }

  void write_scalar(u32 number, u32 value) {
    state_.file[number] = value;
    state_.defined.set(number);
  }

  void write_mask(u32 number, u64 mask) {
    write_scalar(number, static_cast<u32>(mask));
    write_scalar(number + 1, static_cast<u32>(mask >> 32));
  }

  const vec::Instruction& instruction_;
  const vec::InstructionInfo& row_;
  std::string_view name_;
  const WaveState before_;
  WaveState& state_;
  u64 exec_;  ///< with DPP only the lanes that are written
  DppSources moved_{};
  std::vector<AnyNan> any_nans_;
};

}  // namespace

std::vector<u32> encode_vector(Generation generation, const isa::vector::Instruction& instruction) {
  const vec::InstructionInfo& row = vec::info(instruction.insn);
  return instruction.form == Form::e64 ? encode_long(generation, row, instruction)
                                       : encode_short(generation, row, instruction);
}

std::vector<AnyNan> execute_vector(const isa::vector::Instruction& instruction, WaveState& state) {
  return WaveModel(instruction, state).execute();
}

}  // namespace salu::test
