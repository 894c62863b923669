#include "core/vector/lane_frame.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "isa/operand.hpp"
#include "isa/vector/selection.hpp"
#include "isa/vector/table.hpp"

namespace salu::core {
namespace {

namespace vector = isa::vector;
using vector::extract;
using vector::Part;
using vector::part_of;
using vector::Select;

// Compilers shift a 64-bit mask one lane at a time, which takes as long as six additions.
constexpr u32 lanes_of_byte = 8;
using ByteLanes = std::array<u32, lanes_of_byte>;
constexpr std::array<ByteLanes, 256> lanes_of_bytes = [] {
  std::array<ByteLanes, 256> rows{};
  for (u32 byte = 0; byte < rows.size(); ++byte) {
    for (u32 bit = 0; bit < lanes_of_byte; ++bit) rows[byte][bit] = 0U - (byte >> bit & 1);
  }
  return rows;
}();

/// Sets the dwords of all lanes in a mask to all ones.
void expand(u64 mask, LaneDwords& lanes) {
  for (u32 lane = 0; lane < lane_count; lane += lanes_of_byte) {
    std::memcpy(&lanes.values[lane], lanes_of_bytes[mask >> lane & 0xff].data(), sizeof(ByteLanes));
  }
}

}  // namespace

bool is_plain(const vector::Instruction& instruction) {
  const vector::InstructionInfo& row = vector::row(instruction.insn);
  const bool is_changed = std::ranges::any_of(
      instruction.sources, [](const vector::Source& source) { return source.negate || source.absolute; });
  return !vector::is_extended(instruction.form) && !is_changed &&
         row.shape.destination.kind == vector::OperandKind::vgpr;
}

bool is_of_vgprs(const vector::Instruction& instruction) {
  const vector::Shape& shape = vector::row(instruction.insn).shape;
  bool has_others = instruction.clamp || shape.reads_mask || shape.writes_mask;
  for (std::size_t i = 0; i < shape.source_count(); ++i) has_others |= !instruction.sources[i].is_vgpr();
  return is_plain(instruction) && !has_others;
}

/// For the whole instruction, lanes that DPP does not write are inactive.
void LaneFrame::select_lanes() {
  dpp_lanes_ = vector::select_lanes(instruction_.dpp, exec_);
  exec_ = dpp_lanes_.written;
}

const u32* LaneFrame::moved(const u32* lanes, LaneDwords& buffer) const {
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const u32 kept = 0U - static_cast<u32>(dpp_lanes_.moved >> lane & 1);
    buffer.values[lane] = lanes[dpp_lanes_.source[lane]] & kept;
  }
  return buffer.data();
}

u32 LaneFrame::m0() const { return interpreter_.wave.slots[state_index::m0]; }

vector::FloatMode LaneFrame::float_mode() { return float_mode(gcn::mode_bit::fp_round, gcn::mode_bit::fp_denorm); }

vector::WideFloatMode LaneFrame::wide_float_mode() {
  constexpr u32 fp16_ovfl = 23;
  vector::WideFloatMode mode{float_mode(gcn::mode_bit::fp_round + 2, gcn::mode_bit::fp_denorm + 2)};
  const bool has_limit = interpreter_.wave.generation >= Generation::gcn1_4;
  mode.limits_f16 = has_limit && (interpreter_.wave.mode >> fp16_ovfl & 1) != 0;
  return mode;
}

vector::FloatMode LaneFrame::float_mode(u32 round_bit, u32 denormal_bit) {
  const u32 mode = interpreter_.wave.mode;
  const auto has = [mode](u32 bit) { return (mode >> bit & 1) != 0; };
  vector::FloatMode result = {static_cast<vector::Rounding>(mode >> round_bit & 3),
                              has(denormal_bit),
                              has(denormal_bit + 1),
                              has(gcn::mode_bit::dx10_clamp),
                              has(gcn::mode_bit::ieee),
                              &lane_exceptions_};
  result.approximation = interpreter_.approximation;
  result.approximation_seed = interpreter_.approximation_seed;
  return result;
}

std::string LaneFrame::last_vgpr() const { return "v" + std::to_string(interpreter_.wave.vgprs - 1); }

u32 LaneFrame::existing_source(u32 number) const {
  if (number < VectorRegisters::count) return number;
  interpreter_.warn(WarningKind::register_out_of_range, op_,
                    [&] { return "M0 selects a source register beyond " + last_vgpr() + ": v0 is read instead"; });
  return 0;
}

u32 LaneFrame::existing_destination(u32 number) const {
  if (number < VectorRegisters::count) return number;
  interpreter_.warn(WarningKind::register_out_of_range, op_,
                    [&] { return "M0 selects a destination register beyond " + last_vgpr() + ": nothing is written"; });
  return no_register;
}

/// Warns if M0 moves a pair to an odd register (CDNA 2 to 4 ISA manuals, 3.6.4). Decoding rejects odd pairs.
u32 LaneFrame::aligned_pair(u32 number) const {
  const bool is_odd = number < VectorRegisters::vgprs && number % 2 != 0;
  if (is_odd && interpreter_.wave.generation >= Generation::cdna2) [[unlikely]] {
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      return "M0 moves a 64-bit operand to the odd register v" + std::to_string(number) + "; " +
             std::string(generation_name(interpreter_.wave.generation)) +
             " accesses 64-bit operands at even registers only";
    });
  }
  return number;
}

u32 LaneFrame::vgpr_of_source(std::size_t i, u32 dwords) const {
  const u32 number = existing_source(source_register(interpreter_.wave, instruction_, i, dwords));
  return dwords == 1 ? number : aligned_pair(number);
}

u32 LaneFrame::destination_number(u32 dwords) const {
  const u32 number = existing_destination(destination_register(interpreter_.wave, instruction_, dwords));
  return dwords == 1 ? number : aligned_pair(number);
}

const u32* LaneFrame::broadcast(std::size_t buffer, u32 value) {
  buffers_[buffer].values.fill(value);
  return buffers_[buffer].data();
}

u64 LaneFrame::scalar_value(std::size_t i, u32 dwords, bool extends_sign) {
  const u32 code = instruction_.sources[i].code;
  if (row_.is_half_float(row_.shape.sources[i]) && instruction_.sources[i].is_floating_constant())
    return isa::inline_constant16(static_cast<u8>(code));
  if (code == isa::literal_code) {
    if (row_.is_wide_float(row_.shape.sources[i])) return u64{instruction_.literal} << 32;
    const bool is_negative = extends_sign && dwords == 2 && instruction_.literal >> 31 != 0;
    return instruction_.literal | (is_negative ? u64{0xffffffff} << 32 : 0);
  }
  return dwords == 2 ? interpreter_.read_general64(op_, code, scc_) : interpreter_.read_general32(op_, code, scc_);
}

const u32* LaneFrame::any_dword(std::size_t i) {
  const vector::Source& source = instruction_.sources[i];
  const u32* lanes = nullptr;
  if (row_.shape.sources[i].kind == vector::OperandKind::agpr) {
    lanes = file_.lanes(vgpr_of_source(i, 1));
  } else if (row_.shape.sources[i].kind == vector::OperandKind::constant) {
    lanes = broadcast(2 * i, instruction_.literal);
  } else {
    lanes = source.is_vgpr() ? file_.lanes(vgpr_of_source(i, 1))
                             : broadcast(2 * i, static_cast<u32>(scalar_value(i, 1, false)));
  }
  if (i == 0 && instruction_.form == vector::Form::dpp) lanes = moved(lanes, buffers_[0]);
  const bool has_sign = row_.float_bits(row_.shape.sources[i]) == 32 && (source.negate || source.absolute);
  if (source.select == Select::dword && !has_sign) [[likely]]
    return lanes;
  const Part part = part_of(source.select);
  const u32 kept = has_sign && source.absolute ? ~vector::soft_float::sign_bit<vector::F32> : ~0U;
  const u32 flipped = has_sign && source.negate ? vector::soft_float::sign_bit<vector::F32> : 0;
  LaneDwords& changed = buffers_[2 * i];
  for (u32 lane = 0; lane < lane_count; ++lane)
    changed.values[lane] = (extract(lanes[lane], part, source.sign_extend) & kept) ^ flipped;
  return changed.data();
}

LaneColumn LaneFrame::half(std::size_t i, bool upper) {
  const vector::Source& source = instruction_.sources[i];
  const bool is_float = row_.is_half_float(row_.shape.sources[i]);
  const u32* const lanes = dword(i).lanes;
  const u32 shift = vector::selects_high(instruction_, i, upper) ? 16 : 0;
  constexpr u32 sign = vector::soft_float::sign_bit<vector::F16>;
  const u32 kept = is_float && source.absolute ? ~sign : ~0U;
  const u32 flipped = is_float && vector::negates(instruction_, i, upper) ? sign : 0;
  if (shift == 0 && kept == ~0U && flipped == 0) return {lanes};
  LaneDwords& halves = buffers_[2 * i + 1];
  for (u32 lane = 0; lane < lane_count; ++lane) halves.values[lane] = (lanes[lane] >> shift & kept) ^ flipped;
  return {halves.data()};
}

const u32* LaneFrame::half_constant(std::size_t i) {
  return broadcast(2 * i, isa::inline_constant16(static_cast<u8>(instruction_.sources[i].code)));
}

LaneColumn LaneFrame::half_of_pair(std::size_t i, bool upper) {
  if (!is_packed()) return dword(i);
  const vector::Source& source = instruction_.sources[i];
  const u32 number = vector::selects_high(instruction_, i, upper) ? 1 : 0;
  const u32* const lanes =
      source.is_vgpr() ? file_.lanes(vgpr_of_source(i, 2) + number) : broadcast(2 * i, packed_scalar(i, number));
  if (!vector::negates(instruction_, i, upper)) return {lanes};
  LaneDwords& changed = buffers_[2 * i + 1];
  for (u32 lane = 0; lane < lane_count; ++lane)
    changed.values[lane] = lanes[lane] ^ vector::soft_float::sign_bit<vector::F32>;
  return {changed.data()};
}

/// Dword `number` of a scalar source of a packed instruction. A floating-point constant is the low one.
u32 LaneFrame::packed_scalar(std::size_t i, u32 number) {
  const vector::Source& source = instruction_.sources[i];
  if (source.is_floating_constant()) return number == 0 ? isa::inline_constant32(static_cast<u8>(source.code)) : 0;
  return static_cast<u32>(scalar_value(i, 2, true) >> (32 * number));
}

LaneHalves LaneFrame::halves(std::size_t i) {
  const vector::Source& source = instruction_.sources[i];
  const u32* const lanes = source.is_floating_constant() ? half_constant(i) : dword(i).lanes;
  const auto half = [&](LaneDwords& buffer, bool upper) {
    const bool is_high = vector::selects_high(instruction_, i, upper);
    const u32 flipped = vector::negates(instruction_, i, upper) ? vector::soft_float::sign_bit<vector::F16> : 0;
    for (u32 lane = 0; lane < lane_count; ++lane) buffer.values[lane] = lanes[lane] >> (is_high ? 16 : 0) ^ flipped;
    return buffer.data();
  };
  return {half(buffers_[2 * i + 1], false), half(halves_[i], true)};
}

LaneMixed LaneFrame::mixed(std::size_t i) {
  const vector::Source& source = instruction_.sources[i];
  const bool is_half = vector::is_mixed_half(instruction_, i);
  const u32* const lanes = is_half && source.is_floating_constant() ? half_constant(i) : dword(i).lanes;
  const bool is_high = vector::selects_high(instruction_, i);
  return {lanes, is_high ? 16U : 0U, is_half, source.negate, source.absolute};
}

LanePair LaneFrame::pair(std::size_t i, bool extends_sign) {
  const vector::Source& source = instruction_.sources[i];
  LanePair lanes{};
  if (source.is_vgpr()) {
    const u32 number = vgpr_of_source(i, 2);
    lanes = {file_.lanes(number), file_.lanes(number + 1)};
  } else {
    const u64 value = scalar_value(i, 2, extends_sign);
    lanes = {broadcast(2 * i, static_cast<u32>(value)), broadcast(2 * i + 1, static_cast<u32>(value >> 32))};
  }
  if (i == 0 && instruction_.form == vector::Form::dpp)
    lanes = {moved(lanes.low, buffers_[0]), moved(lanes.high, buffers_[1])};
  const bool has_sign = row_.is_wide_float(row_.shape.sources[i]) && (source.negate || source.absolute);
  if (!has_sign) [[likely]]
    return lanes;
  constexpr u32 sign = 1U << 31;
  const u32 kept = source.absolute ? ~sign : ~0U;
  const u32 flipped = source.negate ? sign : 0;
  LaneDwords& changed = buffers_[2 * i + 1];
  for (u32 lane = 0; lane < lane_count; ++lane) changed.values[lane] = (lanes.high[lane] & kept) ^ flipped;
  lanes.high = changed.data();
  return lanes;
}

u32 LaneFrame::scalar_source(std::size_t i) {
  const vector::Source& source = instruction_.sources[i];
  return source.is_vgpr() ? file_.lanes(vgpr_of_source(i, 1))[0] : static_cast<u32>(scalar_value(i, 1, false));
}

LaneMask LaneFrame::mask_source() { return {interpreter_.read_general64(op_, instruction_.mask_source, scc_)}; }

LaneColumn LaneFrame::destination() const { return {file_.lanes(destination_number(1) % VectorRegisters::count)}; }

LanePair LaneFrame::wide_destination() const {
  const u32 number = destination_number(2) % VectorRegisters::count;
  return {file_.lanes(number), file_.lanes((number + 1) % VectorRegisters::count)};
}

void LaneFrame::store(u32 number, const u32* values, u64 lanes) {
  if (number == no_register || lanes == 0) return;
  u32* const to = file_.own_lanes(number);
  if (lanes == ~u64{0}) [[likely]] {
    std::memcpy(to, values, sizeof(VectorRegisters::Lanes));
  } else {
    LaneDwords on;
    expand(lanes, on);
    for (u32 lane = 0; lane < lane_count; ++lane) {
      to[lane] = (to[lane] & ~on.values[lane]) | (values[lane] & on.values[lane]);
    }
  }
  file_.define(number, lanes);
}

void LaneFrame::write_any32(const u32* values) {
  if (instruction_.destination_select == Select::dword) [[likely]]
    return store(destination_number(1), values, exec_);
  const u32* const old = destination().lanes;
  LaneDwords placed;
  for (u32 lane = 0; lane < lane_count; ++lane)
    placed.values[lane] = vector::place(instruction_, values[lane], old[lane]);
  store(destination_number(1), placed.data(), exec_);
}

template <class F>
void LaneFrame::modify(LaneDwords& values, const vector::FloatMode& mode) {
  if (!instruction_.clamp && instruction_.output_modifier == 0) return;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const F value{static_cast<typename F::Bits>(values.values[lane])};
    values.values[lane] = vector::modified(value, instruction_.output_modifier, instruction_.clamp, mode).bits;
    end_lane(lane);
  }
}

void LaneFrame::write_floats(LaneDwords& values) {
  modify<vector::F32>(values, float_mode());
  write32(values.data());
}

void LaneFrame::write_half_floats(LaneDwords& values) {
  modify<vector::F16>(values, wide_float_mode());
  write16(values.data());
}

void LaneFrame::write_packed_floats(LaneDwords& low, LaneDwords& high) {
  modify<vector::F32>(low, float_mode());
  modify<vector::F32>(high, float_mode());
  write64(low.data(), high.data());
}

void LaneFrame::write_packed_half_floats(LaneDwords& low, LaneDwords& high) {
  modify<vector::F16>(low, wide_float_mode());
  modify<vector::F16>(high, wide_float_mode());
  write_halves(low.data(), high.data());
}

void LaneFrame::write_floats(LaneDwords& low, LaneDwords& high) {
  if (instruction_.clamp || instruction_.output_modifier != 0) {
    const vector::FloatMode mode = wide_float_mode();
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const vector::F64 value{low.values[lane] | u64{high.values[lane]} << 32};
      const u64 bits = vector::modified(value, instruction_.output_modifier, instruction_.clamp, mode).bits;
      low.values[lane] = static_cast<u32>(bits);
      high.values[lane] = static_cast<u32>(bits >> 32);
      end_lane(lane);
    }
  }
  write64(low.data(), high.data());
}

void LaneFrame::write16(const u32* values) {
  const vector::ResultHalf half = vector::result_half(instruction_, row_.modifiers);
  const u32* const old = destination().lanes;
  LaneDwords whole;
  for (u32 lane = 0; lane < lane_count; ++lane) whole.values[lane] = vector::place_half(half, values[lane], old[lane]);
  write32(whole.data());
}

void LaneFrame::write_halves(const u32* low, const u32* high) {
  LaneDwords whole;
  for (u32 lane = 0; lane < lane_count; ++lane) whole.values[lane] = (low[lane] & 0xffff) | high[lane] << 16;
  write32(whole.data());
}

void LaneFrame::write64(const u32* low, const u32* high) {
  const u32 number = destination_number(2);
  store(number, low, exec_);
  store(number == no_register ? no_register : number + 1, high, exec_);
}

void LaneFrame::write_mask(u64 mask) {
  interpreter_.write_general64(op_, instruction_.mask_destination, mask & exec_);
  interpreter_.note_vcc_write(op_, instruction_.mask_destination, 2);
  if (row_.shape.writes_exec) interpreter_.write_general64(op_, gcn::operands.exec, mask & exec_);
}

void LaneFrame::write_scalar(u32 value) {
  interpreter_.write_general32(op_, instruction_.destination, value);
  interpreter_.note_vcc_write(op_, instruction_.destination, 1);
}

void LaneFrame::write_lane(u32 lane, u32 value) {
  const u32 number = destination_number(1);
  if (number == no_register) return;
  file_.own_lanes(number)[lane] = value;
  file_.define(number, u64{1} << lane);
}

void LaneFrame::write_source(const u32* values) {
  // A source that is replaced by v0 is not a register that can be written.
  store(existing_destination(source_register(interpreter_.wave, instruction_, 0, 1)), values, exec_);
}

void LaneFrame::move_relative(u32 source_distance, u32 destination_distance) {
  const auto moved = [this](u32 number, u32 distance) {
    const u64 result = u64{number} + distance;
    return result < interpreter_.wave.vgprs ? static_cast<u32>(result) : no_register;
  };
  const vector::Source& source = instruction_.sources[0];
  const u32* const from = source.is_vgpr()
                              ? file_.lanes(existing_source(moved(source.code - vector::first_vgpr, source_distance)))
                              : dword(0).lanes;
  const u32 to = existing_destination(moved(instruction_.destination, destination_distance));
  // The own lanes of a block may be a different copy from the one that was read.
  LaneDwords values;
  std::copy_n(from, lane_count, values.data());
  store(to, values.data(), exec_);
}

void LaneFrame::exchange_lanes(vector::Exchange exchange) {
  const vector::semantics::ExchangedLanes lanes =
      vector::semantics::exchanged_lanes(exchange, exec_, instruction_.op_sel);
  if (lanes.partial != 0) [[unlikely]] {
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes.partial));
      const u32 other = lane ^ exchange.distance;
      return "lane " + std::to_string(lane) + " is active and lane " + std::to_string(other) +
             ", with which it exchanges values, is not: the ISA manual does not define the result";
    });
  }
  const u32* const destination_lanes = destination().lanes;
  const u32* const source_lanes = dword(0).lanes;
  LaneDwords to_destination;
  LaneDwords to_source;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const u32 kept = (lanes.zeroed >> lane & 1) != 0 ? 0 : ~0U;
    const u32 other = lane ^ exchange.distance;
    to_destination.values[lane] = source_lanes[other] & kept;
    to_source.values[lane] = destination_lanes[other] & kept;
  }
  store(destination_number(1), to_destination.data(), lanes.to_destination);
  store(existing_destination(source_register(interpreter_.wave, instruction_, 0, 1)), to_source.data(),
        lanes.to_source);
}

}  // namespace salu::core
