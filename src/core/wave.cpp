#include "core/wave.hpp"

#include <algorithm>

#include "core/slot_tables.hpp"
#include "isa/hwreg.hpp"

namespace salu::core {
namespace {

using isa::OperandClass;

constexpr u32 src_shared_limit = 236;
constexpr u32 src_private_limit = 238;

}  // namespace

// Most slots are for literals, which are written by decoding.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init,hicpp-member-init)
Wave::Wave(Generation of) : generation(of), address_mask(pc_mask(of)) {
  std::ranges::copy(constant_slots(of), slots.begin());
}

Wave::Wave(const Program& program) : Wave(program.generation()) {
  has_sramecc = program.has_sramecc();
  allows_unaligned = program.allows_unaligned;
}

void Wave::load(const WaveState& state) {
  std::copy(state.file.begin(), state.file.end(), slots.begin());
  mode = state.mode;
  status = state.status;
  scc = state.scc ? 1 : 0;
  wave_size = state.wave_size;
  sgprs = state.sgprs;
  vgprs = state.vgprs;
  agprs = state.agprs;
  tba = state.tba;
  tma = state.tma;
  hwregs = state.hwregs;
  defined = state.defined;
  vccz_is_stale = false;
}

void Wave::store(WaveState& state) const {
  std::copy_n(slots.begin(), state.file.size(), state.file.begin());
  state.mode = mode;
  state.status = status;
  state.scc = scc != 0;
  state.wave_size = wave_size;
  state.sgprs = sgprs;
  state.vgprs = vgprs;
  state.agprs = agprs;
  state.tba = tba;
  state.tma = tma;
  state.hwregs = hwregs;
  state.defined = defined;
}

u32 Wave::peek(u32 code) const {
  if (generation_info(generation).trap_addresses_are_operands) {
    if (code == code::tba || code == code::tba + 1) return trap_address_dword(code - code::tba);
    if (code == code::tma || code == code::tma + 1) return trap_address_dword(2 + code - code::tma);
  }
  return slots[register_index(generation, code)];
}

bool Wave::is_beyond_allocation(u32 code, u32 dwords) const {
  return !in_allocation(code, dwords) && isa::operand_class(generation, static_cast<u8>(code)) == OperandClass::sgpr;
}

u32 Wave::source_dword(u32 code, u32 dwords, u32 i) const {
  if (isa::operand_class(generation, static_cast<u8>(code)) == OperandClass::ttmp && hides_ttmps()) return 0;
  return peek((is_beyond_allocation(code, dwords) ? 0 : code) + i);
}

u64 Wave::aperture(u32 code) const {
  const u32 bases = hwregs[isa::hwreg_id::sh_mem_bases];
  const u32 base = code <= src_shared_limit ? bases >> 16 : bases & 0xffff;
  const bool limit = code == src_shared_limit || code == src_private_limit;
  return u64{base} << 48 | (limit ? 0xffffffffU : 0U);
}

template <u32 dwords>
u64 Wave::source(OperandClass operand, u32 code, u32 current_scc) const {
  constexpr bool is_wide = dwords == 2;
  // Pairs start at even codes.
  const auto half = [code](u64 whole) { return is_wide ? whole : static_cast<u32>(whole >> (code % 2 * 32)); };
  u32 low = code;
  switch (operand) {
    case OperandClass::sgpr:
      if (!in_allocation(code, dwords)) low = 0;
      break;
    case OperandClass::ttmp:
      if (hides_ttmps()) return 0;
      break;
    case OperandClass::tba:
      return half(tba);
    case OperandClass::tma:
      return half(tma);
    case OperandClass::aperture:
      return is_wide ? aperture(code) : static_cast<u32>(aperture(code));
    case OperandClass::integer:
    case OperandClass::floating:
      return is_wide ? isa::inline_constant64(static_cast<u8>(code)) : slots[code];
    case OperandClass::vccz:
      return has_no_lane(state_index::vcc) ? 1 : 0;
    case OperandClass::execz:
      return has_no_lane(state_index::exec) ? 1 : 0;
    case OperandClass::scc:
      return current_scc;
    case OperandClass::null:
    case OperandClass::pops_exiting_wave_id:
    case OperandClass::literal:
    case OperandClass::reserved:
      return 0;
    case OperandClass::m0:
      low = state_index::m0;
      break;
    default:
      break;
  }
  return is_wide ? pair(low) : slots[low];
}

template u64 Wave::source<1>(OperandClass operand, u32 code, u32 current_scc) const;
template u64 Wave::source<2>(OperandClass operand, u32 code, u32 current_scc) const;

u64 Wave::source(u8 code, u32 dwords, u32 literal) const {
  const OperandClass operand = isa::operand_class(generation, code);
  if (operand == OperandClass::literal) return literal;
  return dwords == 2 ? source<2>(operand, code, scc) : source<1>(operand, code, scc);
}

u32 Wave::full_status(u32 current_scc) const {
  const StatusLayout& layout = status_layout(generation);
  return status | layout.scc.place(current_scc) | layout.execz.place(has_no_lane(state_index::exec) ? 1 : 0) |
         layout.vccz.place(has_no_lane(state_index::vcc) ? 1 : 0);
}

u32 Wave::hwreg(u32 reg, u32 current_scc) const {
  namespace id = isa::hwreg_id;
  if (generation_info(generation).trap_addresses_are_operands && reg >= id::tba_lo && reg <= id::tma_hi) return 0;
  switch (reg) {
    case id::mode:
      return mode;
    case id::status:
      return full_status(current_scc);
    // Here the addresses are shifted right by 8 (semantics.md 8).
    case id::tba_lo:
      return static_cast<u32>(tba >> 8);
    case id::tba_hi:
      return static_cast<u32>(tba >> 40);
    case id::tma_lo:
      return static_cast<u32>(tma >> 8);
    case id::tma_hi:
      return static_cast<u32>(tma >> 40);
    default:
      return hwregs[reg];
  }
}

}  // namespace salu::core
