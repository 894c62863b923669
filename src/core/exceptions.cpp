#include <string>
#include <utility>

#include "core/interpreter.hpp"
#include "isa/hwreg.hpp"
#include "support/numbers.hpp"

/// Traps other than S_TRAP: exceptions, context save, and MODE.DEBUG_EN (semantics.md 8).
namespace salu::core {
namespace {

/// Lowest bit of PC_REWIND in TTMP1:TTMP0. HT and the trap number, below it, are 0.
constexpr u32 rewind_bit = 57;

}  // namespace

void Interpreter::raise(u32 exceptions) {
  if (exceptions == 0) return;
  wave.hwregs[isa::hwreg_id::trapsts] |= exceptions;
  if ((wave.mode >> gcn::mode_bit::excp_en & exceptions) != 0 && wave.takes_traps())
    control.traps = control.has_event = true;
}

/// The dispatch loop has already charged the rest of the block, so the event is handled outside of the loop.
const MicroOp* Interpreter::after_event(const MicroOp* op, const MicroOp* next) {
  if (control.warning_stop) return stop_for_warning(op);
  control.has_event = false;
  if (control.stopped || control.paused_at != nullptr) return next;
  if (control.traps) return leave_for_trap(op, cache.address_of(next));
  if (granted == 0 && !control.waits) return next;
  control.left_at = op;
  control.left_for = next;
  return cache.leave();
}

const MicroOp* Interpreter::leave_for_trap(const MicroOp* op, u64 next_address) {
  control.has_event = false;
  if (granted == 0) return enter_trap(op, next_address);
  control.left_at = op;
  control.return_address = next_address;
  return cache.leave();
}

const MicroOp* Interpreter::trap_after_instruction(const MicroOp* op, u64 next_address) {
  // AMD's debugger expects TRAPSTS.TRAP_AFTER_INST to be set from GFX940 on.
  constexpr u32 trap_after_inst = 1U << 25;
  if (generation_info(wave.generation).column >= Generation::cdna3)
    wave.hwregs[isa::hwreg_id::trapsts] |= trap_after_inst;
  return enter_trap(op, next_address);
}

const MicroOp* Interpreter::enter_trap(const MicroOp* op, u64 next_address) {
  const bool is_debugging = !std::exchange(control.traps, false);
  const u64 address = next_address & wave.address_mask;
  if (!cache.has_code_at(wave.data_address(wave.tba))) {
    stop_at(op, StopReason::trap,
            std::string(is_debugging           ? "MODE.DEBUG_EN requests a trap"
                        : wave.asks_for_save() ? "TRAPSTS.SAVECTX requests a trap"
                                               : "an exception requests a trap") +
                " (TRAPSTS " + support::hex(wave.hwregs[isa::hwreg_id::trapsts]) + ", MODE " + support::hex(wave.mode) +
                "): no code at TBA = " + support::hex(wave.tba) + ", the address of its handler",
            address);
    control.stopped_before_effect = false;
    return cache.leave();
  }
  const u32 ttmp0 = ttmp_code(wave.generation);
  // The saved PC minus PC_REWIND dwords is the vector instruction that raised the exception.
  const u64 rewind = !is_debugging && op->id == HandlerId::vector ? op->d : 0;
  wave.set_pair(ttmp0, address | rewind << rewind_bit);
  wave.mark_defined(ttmp0, 2);
  wave.status |= 1U << gcn::status_bit::priv;
  ++traps_entered;
  // The rest of the block has not run, so its writes must not be recorded.
  decode_again();
  return jump(op, wave.tba);
}

}  // namespace salu::core
