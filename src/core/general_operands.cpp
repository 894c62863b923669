#include <string>

#include "core/interpreter.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

/// Operands that a general handler resolves at run time: registers beyond the allocation, TBA, TMA, TTMP as a
/// destination, VCCZ, EXECZ, SCC, the apertures, and registers selected by M0.
namespace salu::core {
namespace {

using isa::OperandClass;

/// The half of a 64-bit register that a code names; pairs start at even codes.
constexpr u32 half_shift(u32 code) { return code % 2 * 32; }

u64 replace_half(u64 whole, u32 code, u32 value) {
  const u32 shift = half_shift(code);
  return (whole & ~(u64{0xffffffff} << shift)) | u64{value} << shift;
}

}  // namespace

/// Warns if the value of an operand is unspecified or not modelled.
void Interpreter::check_read(const MicroOp* op, OperandClass operand, u32 code, u32 dwords) {
  if (operand == OperandClass::sgpr) {
    check_source(op, code, dwords);
  } else if (operand == OperandClass::vccz) {
    check_vccz(op);
  } else if (operand == OperandClass::pops_exiting_wave_id) {
    warn(WarningKind::no_functional_effect, op, [] {
      return std::string("POPS_EXITING_WAVE_ID depends on other waves, which are not modelled; it reads as 0");
    });
  }
}

u32 Interpreter::read_general32(const MicroOp* op, u32 code, u32 scc) {
  const OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  // Usually a different operand is the reason for the general handler.
  if (operand == OperandClass::sgpr && wave.in_allocation(code, 1)) [[likely]]
    return wave.slots[code];
  check_read(op, operand, code, 1);
  if (operand == OperandClass::aperture) {
    warn(WarningKind::unspecified_result, op, [] {
      return std::string("an aperture as a 32-bit operand: only its 64-bit form is specified; the low half is read");
    });
  }
  return static_cast<u32>(wave.source<1>(operand, code, scc));
}

u64 Interpreter::read_general64(const MicroOp* op, u32 code, u32 scc) {
  const OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  if (operand == OperandClass::sgpr && wave.in_allocation(code, 2)) [[likely]]
    return wave.pair(code);
  check_read(op, operand, code, 2);
  return wave.source<2>(operand, code, scc);
}

bool Interpreter::may_write(const MicroOp* op, OperandClass operand, u32 code, u32 dwords) {
  if (operand == OperandClass::sgpr && !wave.in_allocation(code, dwords)) {
    warn(WarningKind::register_out_of_range, op, [&] {
      return isa::register_name(wave.generation, code, dwords) + " is beyond the " + std::to_string(wave.sgprs) +
             " allocated SGPRs: nothing is written";
    });
    return false;
  }
  const bool privileged = operand == OperandClass::ttmp || operand == OperandClass::tba || operand == OperandClass::tma;
  if (privileged && !wave.priv()) {
    warn(WarningKind::dropped_write, op, [&] {
      return isa::register_name(wave.generation, code, dwords) +
             " can be written only while STATUS.PRIV is set: nothing is written";
    });
    return false;
  }
  return true;
}

void Interpreter::write_general32(const MicroOp* op, u32 code, u32 value) {
  const OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  if (!may_write(op, operand, code, 1)) return;
  if (operand == OperandClass::tba || operand == OperandClass::tma) {
    u64& whole = operand == OperandClass::tba ? wave.tba : wave.tma;
    whole = replace_half(whole, code, value);
    wave.mark_defined((operand == OperandClass::tba ? state_index::tba : state_index::tma) + code % 2, 1);
    return;
  }
  if (operand == OperandClass::null) return;
  const u32 index = register_index(wave.generation, code);
  wave.slots[index] = value;
  wave.mark_defined(index, 1);
}

void Interpreter::write_general64(const MicroOp* op, u32 code, u64 value) {
  const OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  if (!may_write(op, operand, code, 2)) return;
  if (operand == OperandClass::tba || operand == OperandClass::tma) {
    (operand == OperandClass::tba ? wave.tba : wave.tma) = value;
    wave.mark_defined(operand == OperandClass::tba ? state_index::tba : state_index::tma, 2);
    return;
  }
  if (operand == OperandClass::null) return;
  const u32 index = register_index(wave.generation, code);
  wave.set_pair(index, value);
  wave.mark_defined(index, 2);
}

const MicroOp* Interpreter::stop_at_odd_index(const MicroOp* op, u64 index) {
  return stop_at(op, StopReason::misaligned_register,
                 "M0 = " + support::hex(wave.slots[state_index::m0]) + " makes the index " + std::to_string(index) +
                     " odd; a 64-bit register starts at an even one");
}

const MicroOp* Interpreter::check_relative_source(const MicroOp* op, u64 index, u32 dwords) {
  if (index % dwords != 0) return stop_at_odd_index(op, index);
  warn(WarningKind::register_out_of_range, op, [&] {
    return "index " + std::to_string(index) + " (register plus M0) is beyond the " + std::to_string(wave.sgprs) +
           " allocated SGPRs: s0 is read instead";
  });
  return nullptr;
}

const MicroOp* Interpreter::refuse_relative_destination(const MicroOp* op, const MicroOp* next, u64 index, u32 dwords) {
  if (index % dwords != 0) return stop_at_odd_index(op, index);
  warn(WarningKind::register_out_of_range, op, [&] {
    return "index " + std::to_string(index) + " (register plus M0) is beyond the " + std::to_string(wave.sgprs) +
           " allocated SGPRs: nothing is written";
  });
  return after_warning(op, next);
}

}  // namespace salu::core
