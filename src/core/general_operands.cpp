#include <string>

#include "core/machine.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

/// Operands that a general handler resolves when it runs: registers beyond the allocation, TBA, TMA, TTMP as a
/// destination, VCCZ, EXECZ, SCC, the apertures, and registers selected by M0.
namespace salu::core {
namespace {

using isa::OperandClass;

constexpr u32 src_shared_limit = 236;
constexpr u32 src_private_limit = 238;

/// Which half of a 64-bit register a code names; the pairs start at even codes.
constexpr u32 half_shift(u32 code) { return code % 2 * 32; }

u64 replace_half(u64 whole, u32 code, u32 value) {
  const u32 shift = half_shift(code);
  return (whole & ~(u64{0xffffffff} << shift)) | u64{value} << shift;
}

}  // namespace

u64 Machine::aperture(u32 code) const {
  const u32 bases = hwregs_[isa::hwreg_id::sh_mem_bases];
  const u32 base = code <= src_shared_limit ? bases >> 16 : bases & 0xffff;
  const bool limit = code == src_shared_limit || code == src_private_limit;
  return u64{base} << 48 | (limit ? 0xffffffffU : 0U);
}

template <u32 dwords>
u64 Machine::source_value(OperandClass operand, u32 code, u32 scc) const {
  constexpr bool is_wide = dwords == 2;
  const auto half = [code](u64 whole) { return is_wide ? whole : static_cast<u32>(whole >> half_shift(code)); };
  u32 low = code;
  switch (operand) {
    case OperandClass::sgpr:
      if (!in_allocation(code, dwords)) low = 0;
      break;
    case OperandClass::ttmp:
      if (hides_ttmps()) return 0;
      break;
    case OperandClass::tba:
      return half(tba_);
    case OperandClass::tma:
      return half(tma_);
    case OperandClass::aperture:
      return is_wide ? aperture(code) : static_cast<u32>(aperture(code));
    case OperandClass::integer:
    case OperandClass::floating:
      return is_wide ? isa::inline_constant64(static_cast<u8>(code)) : slots[code];
    case OperandClass::vccz:
      return slots[code::vcc] == 0 && slots[code::vcc + 1] == 0 ? 1 : 0;
    case OperandClass::execz:
      return slots[code::exec] == 0 && slots[code::exec + 1] == 0 ? 1 : 0;
    case OperandClass::scc:
      return scc;
    case OperandClass::pops_exiting_wave_id:
    case OperandClass::literal:
    case OperandClass::reserved:
      return 0;
    default:
      break;
  }
  return is_wide ? slots[low] | u64{slots[low + 1]} << 32 : slots[low];
}

u64 Machine::peek_operand(u8 code, u32 dwords, u32 literal) const {
  const OperandClass operand = isa::operand_class(generation_, code);
  if (operand == OperandClass::literal) return literal;
  return dwords == 2 ? source_value<2>(operand, code, scc_) : source_value<1>(operand, code, scc_);
}

/// Warns of what an operand does not give as it stands there.
void Machine::check_read(const MicroOp* op, OperandClass operand, u32 code, u32 dwords) {
  if (operand == OperandClass::sgpr) {
    check_source(op, code, dwords);
  } else if (operand == OperandClass::vccz) {
    check_vccz(op);
  } else if (operand == OperandClass::pops_exiting_wave_id) {
    warn(WarningKind::no_functional_effect, address_of(op), [] {
      return std::string("POPS_EXITING_WAVE_ID is a matter of other waves and not modelled here; 0 is read");
    });
  }
}

u32 Machine::read_general32(const MicroOp* op, u32 code, u32 scc) {
  const OperandClass operand = isa::operand_class(generation_, static_cast<u8>(code));
  check_read(op, operand, code, 1);
  if (operand == OperandClass::aperture) {
    warn(WarningKind::unspecified_result, address_of(op), [] {
      return std::string("an aperture as a 32-bit operand: only its 64-bit form is specified; the low half is read");
    });
  }
  return static_cast<u32>(source_value<1>(operand, code, scc));
}

u64 Machine::read_general64(const MicroOp* op, u32 code, u32 scc) {
  const OperandClass operand = isa::operand_class(generation_, static_cast<u8>(code));
  check_read(op, operand, code, 2);
  return source_value<2>(operand, code, scc);
}

bool Machine::may_write(const MicroOp* op, u32 code, u32 dwords) {
  const OperandClass operand = isa::operand_class(generation_, static_cast<u8>(code));
  if (operand == OperandClass::sgpr && !in_allocation(code, dwords)) {
    warn(WarningKind::register_out_of_range, address_of(op), [&] {
      return isa::register_name(generation_, code, dwords) + " is beyond the " + std::to_string(sgprs_) +
             " allocated SGPRs: nothing is written";
    });
    return false;
  }
  const bool privileged = operand == OperandClass::ttmp || operand == OperandClass::tba || operand == OperandClass::tma;
  if (privileged && !priv()) {
    warn(WarningKind::dropped_write, address_of(op), [&] {
      return isa::register_name(generation_, code, dwords) +
             " can be written only while STATUS.PRIV is set: nothing is written";
    });
    return false;
  }
  return true;
}

void Machine::write_general32(const MicroOp* op, u32 code, u32 value) {
  if (!may_write(op, code, 1)) return;
  const OperandClass operand = isa::operand_class(generation_, static_cast<u8>(code));
  if (operand == OperandClass::tba || operand == OperandClass::tma) {
    u64& whole = operand == OperandClass::tba ? tba_ : tma_;
    whole = replace_half(whole, code, value);
    mark_defined((operand == OperandClass::tba ? state_index::tba : state_index::tma) + code % 2, 1);
    return;
  }
  slots[code] = value;
  mark_defined(code, 1);
}

void Machine::write_general64(const MicroOp* op, u32 code, u64 value) {
  if (!may_write(op, code, 2)) return;
  const OperandClass operand = isa::operand_class(generation_, static_cast<u8>(code));
  if (operand == OperandClass::tba || operand == OperandClass::tma) {
    (operand == OperandClass::tba ? tba_ : tma_) = value;
    mark_defined(operand == OperandClass::tba ? state_index::tba : state_index::tma, 2);
    return;
  }
  slots[code] = static_cast<u32>(value);
  slots[code + 1] = static_cast<u32>(value >> 32);
  mark_defined(code, 2);
}

const MicroOp* Machine::check_relative(const MicroOp* op, u64 index, u32 dwords, bool& in_range) {
  if (dwords == 2 && index % 2 != 0) {
    return stop_at(op, StopReason::misaligned_register,
                   "M0 = " + support::hex(slots[code::m0]) + " makes the index " + std::to_string(index) +
                       " odd; a 64-bit register starts at an even one");
  }
  in_range = index + dwords <= sgprs_;
  return nullptr;
}

const MicroOp* Machine::move_relative_source(const MicroOp* op, const MicroOp* next, u64 index, u32 dwords) {
  bool in_range = false;
  if (const MicroOp* const stopped = check_relative(op, index, dwords, in_range)) return stopped;
  if (!in_range) {
    warn(WarningKind::register_out_of_range, address_of(op), [&] {
      return "index " + std::to_string(index) + " (register plus M0) is beyond the " + std::to_string(sgprs_) +
             " allocated SGPRs: s0 is read instead";
    });
    index = 0;
  }
  const auto from = static_cast<u32>(index);
  if (dwords == 1) {
    write_general32(op, op->d, slots[from]);
  } else {
    write_general64(op, op->d, slots[from] | u64{slots[from + 1]} << 32);
  }
  return after_warning(op, next);
}

const MicroOp* Machine::move_relative_destination(const MicroOp* op, const MicroOp* next, u64 index, u32 dwords,
                                                  u64 value) {
  bool in_range = false;
  if (const MicroOp* const stopped = check_relative(op, index, dwords, in_range)) return stopped;
  if (!in_range) {
    warn(WarningKind::register_out_of_range, address_of(op), [&] {
      return "index " + std::to_string(index) + " (register plus M0) is beyond the " + std::to_string(sgprs_) +
             " allocated SGPRs: nothing is written";
    });
    return after_warning(op, next);
  }
  const auto to = static_cast<u32>(index);
  slots[to] = static_cast<u32>(value);
  if (dwords == 2) slots[to + 1] = static_cast<u32>(value >> 32);
  mark_defined(to, dwords);
  return next;
}

}  // namespace salu::core
