#include "proof/lane_sources.hpp"

#include "core/vector/lane_registers.hpp"
#include "isa/operand.hpp"
#include "isa/vector/selection.hpp"

namespace salu::proof {

namespace vector = isa::vector;

u32 LaneSources::source_register(std::size_t i, u32 dwords) const {
  const u32 number = core::named_source(wave_, instruction_, i, dwords);
  return number == core::no_register ? 0 : number;
}

TermId LaneSources::dword(std::size_t i, u32 lane) const {
  const vector::Source& source = instruction_.sources[i];
  const vector::OperandKind kind = row_.shape.sources[i].kind;
  if (kind == vector::OperandKind::constant) return terms_.constant(32, instruction_.literal);
  if (kind == vector::OperandKind::agpr) return state_.lane(source_register(i, 1), lane);
  const TermId plain = source.is_vgpr() ? state_.lane(source_register(i, 1), lane)
                                        : read_operand(terms_, state_, wave_, source.code, 1, instruction_.literal);
  return with_modifiers(i, plain);
}

TermId LaneSources::with_modifiers(std::size_t i, TermId dword) const {
  const vector::Source& source = instruction_.sources[i];
  TermId result = dword;
  if (source.select != vector::Select::dword) {
    const vector::Part part = vector::part_of(source.select);
    const TermId bits = terms_.slice(result, part.low_bit, part.bits);
    result = source.sign_extend ? terms_.sign_extend(bits, 32) : terms_.zero_extend(bits, 32);
  }
  // What V_PK calls negated is a half.
  if ((row_.modifiers & vector::modifier::sign) == 0) return result;
  constexpr u64 sign = u64{1} << 31;
  if (source.absolute) result = terms_.bit_and(result, terms_.constant(32, ~sign));
  if (source.negate) result = terms_.bit_xor(result, terms_.constant(32, sign));
  return result;
}

TermId LaneSources::half(std::size_t i, u32 lane, bool upper) const {
  const u8 select = upper ? instruction_.op_sel_hi : instruction_.op_sel;
  return terms_.slice(dword(i, lane), (select >> i & 1) != 0 ? 16 : 0, 16);
}

TermId LaneSources::pair(std::size_t i, u32 lane, bool extends_sign) const {
  const vector::Source& source = instruction_.sources[i];
  if (source.is_vgpr()) {
    const u32 number = source_register(i, 2);
    return terms_.join(state_.lane(number + 1, lane), state_.lane(number, lane));
  }
  if (source.code != isa::literal_code) return read_operand(terms_, state_, wave_, source.code, 2, 0);
  const TermId literal = terms_.constant(32, instruction_.literal);
  return extends_sign ? terms_.sign_extend(literal, 64) : terms_.zero_extend(literal, 64);
}

u32 LaneSources::destination() const {
  const bool is_accumulator = row_.shape.destination.kind == vector::OperandKind::agpr;
  return instruction_.destination + (is_accumulator ? VectorRegisters::vgprs : 0);
}

void LaneSources::write_dword(u32 vector, u32 lane, TermId dword) {
  const TermId on = is_on(lane);
  if (terms_.is_constant(on, 0)) return;
  state_.write_lane(vector, lane,
                    terms_.is_constant(on, 1) ? dword : terms_.select(on, dword, state_.lane(vector, lane)));
}

void LaneSources::write(u32 lane, TermId result) {
  const u32 number = destination();
  const u32 width = terms_.width(result);
  if (width == 64) {
    write_dword(number, lane, terms_.slice(result, 0, 32));
    return write_dword(number + 1, lane, terms_.slice(result, 32, 32));
  }
  TermId dword = result;
  if (width == 16) {
    const bool keeps = (row_.modifiers & vector::modifier::op_sel) != 0;
    const bool high = (instruction_.op_sel >> 3 & 1) != 0;
    if (!keeps) {
      dword = terms_.zero_extend(result, 32);
    } else {
      const TermId old = state_.lane(number, lane);
      dword = high ? terms_.join(result, terms_.slice(old, 0, 16)) : terms_.join(terms_.slice(old, 16, 16), result);
    }
  }
  if (instruction_.destination_select != vector::Select::dword) {
    // SDWA: the low bits go to a part of the register.
    const vector::Part part = vector::part_of(instruction_.destination_select);
    const u32 end = part.low_bit + part.bits;
    const TermId bits = terms_.slice(dword, 0, part.bits);
    const bool preserves = instruction_.destination_unused == vector::Unused::preserve;
    const TermId old = preserves ? state_.lane(number, lane) : terms_.constant(32, 0);
    dword = bits;
    if (end != 32) {
      const bool extends = instruction_.destination_unused == vector::Unused::sign_extend;
      dword =
          extends ? terms_.sign_extend(bits, 32 - part.low_bit) : terms_.join(terms_.slice(old, end, 32 - end), bits);
    }
    if (part.low_bit != 0) dword = terms_.join(dword, terms_.slice(old, 0, part.low_bit));
  }
  write_dword(number, lane, dword);
}

void LaneSources::write_mask(const std::array<TermId, state_index::lanes>& bits) {
  // The same bit in many lanes in a row is one bit made long.
  std::optional<TermId> mask;
  for (u32 lane = 0; lane < state_index::lanes;) {
    const TermId bit = bits[lane];
    u32 count = 1;
    while (lane + count < state_index::lanes && bits[lane + count] == bit) ++count;
    const TermId run = terms_.sign_extend(bit, count);
    mask = mask ? terms_.join(run, *mask) : run;
    lane += count;
  }
  if (is_written(wave_, instruction_.mask_destination, 2))
    state_.write_pair(register_index(wave_.generation, instruction_.mask_destination), *mask);
  if (row_.shape.writes_exec) state_.write_pair(code::exec, *mask);
}

}  // namespace salu::proof
