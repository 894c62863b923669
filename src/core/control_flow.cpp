#include <string>

#include "core/interpreter.hpp"
#include "support/compiler.hpp"
#include "support/numbers.hpp"

/// The control stack, traps, and the ends of a wave (semantics.md 6, 7, 8).
namespace salu::core {
namespace {

constexpr u32 stack_entry_dwords = 4;
/// The maximum number of entries for 64 lanes, because the smaller side always runs first.
constexpr u32 useful_stack_entries = 6;

std::string entry_registers(u32 entry) {
  const u32 first = entry * stack_entry_dwords;
  return "s[" + std::to_string(first) + ":" + std::to_string(first + stack_entry_dwords - 1) + "]";
}

// Rare warnings of forks and joins are separate functions, so that they do not need registers in the handlers.

SALU_NOINLINE void warn_of_overflow(Interpreter& interpreter, const MicroOp* op, u32 entry) {
  interpreter.warn(WarningKind::control_stack_overflow, op, [&] {
    return "push at CSP = " + std::to_string(entry) + " into " + entry_registers(entry) +
           "; 64 lanes never need more than six entries, and CSP wraps after seven";
  });
}

SALU_NOINLINE void warn_of_lost_push(Interpreter& interpreter, const MicroOp* op, u32 entry) {
  interpreter.warn(WarningKind::register_out_of_range, op, [&] {
    return "the control stack entry " + entry_registers(entry) + " is beyond the " +
           std::to_string(interpreter.wave.sgprs) + " allocated SGPRs: it is not written";
  });
}

SALU_NOINLINE void warn_of_underflow(Interpreter& interpreter, const MicroOp* op, u32 entry) {
  interpreter.warn(WarningKind::control_stack_underflow, op,
                   [&] { return "pop at CSP = 0: no fork pushed the entry in " + entry_registers(entry); });
}

SALU_NOINLINE void warn_of_pop_elsewhere(Interpreter& interpreter, const MicroOp* op, u32 entry) {
  interpreter.warn(WarningKind::register_out_of_range, op, [&] {
    return "the control stack entry " + entry_registers(entry) + " is beyond the " +
           std::to_string(interpreter.wave.sgprs) + " allocated SGPRs: s[0:1] is read as both the mask and the PC";
  });
}

}  // namespace

const MicroOp* Interpreter::fork(const MicroOp* op, const isa::Fork& result) {
  if (result.push) {
    const u32 entry = wave.csp();
    if ((control.paused_entries >> entry & 1) != 0) [[unlikely]]
      return pause(op);
    const u32 first = entry * stack_entry_dwords;
    if (entry >= useful_stack_entries) {
      pushed.make_list(entry);
      warn_of_overflow(*this, op, entry);
    }
    if (wave.in_allocation(first, stack_entry_dwords)) {
      // Prevents one wide load: hardware cannot forward the two stores that wrote these values to it.
      const volatile auto& made = result.pushed;
      const u64 lanes = made.mask;
      const u64 waiting_pc = made.pc;
      wave.set_pair(first, lanes);
      wave.set_pair(first + 2, waiting_pc);
      if (pushed.needs_mark(entry)) wave.mark_defined(first, stack_entry_dwords);
      pushed.push(entry, lanes, waiting_pc, cache.address_of(op));
    } else {
      pushed.make_list(entry);
      pushed.push_unknown(entry, cache.address_of(op));
      warn_of_lost_push(*this, op, entry);
    }
    wave.set_csp((entry + 1) & 7);
  }
  wave.set_pair(state_index::exec, result.exec);
  return after_warning(op, jump(op, result.pc));
}

const MicroOp* Interpreter::join(const MicroOp* op, const MicroOp* next, const isa::Join& result) {
  if (!result.pop) return next;
  if ((control.paused_entries >> result.csp & 1) != 0) [[unlikely]]
    return pause(op);
  if (wave.csp() == 0) {
    pushed.make_list(0);
    warn_of_underflow(*this, op, result.csp);
  }
  // If the entry is beyond the allocation, each of its pairs reads like any such pair of registers.
  u32 mask = result.csp * stack_entry_dwords;
  u32 pc = mask + 2;
  if (!wave.in_allocation(mask, stack_entry_dwords)) {
    warn_of_pop_elsewhere(*this, op, result.csp);
    mask = pc = 0;
  }
  wave.set_csp(result.csp);
  const u64 target = wave.pair(pc);
  const u64 lanes = wave.pair(mask);
  if (!pushed.pops_plain(result.csp, lanes, target)) [[unlikely]]
    pop_entry(op, result.csp, lanes, target);
  wave.set_pair(state_index::exec, lanes);
  return after_warning(op, jump(op, target));
}

const MicroOp* Interpreter::trap(const MicroOp* op, const MicroOp* next, const isa::Trap& result) {
  const u64 id = result.ttmp >> 48 & 0xff;
  if (!result.taken) {
    warn(WarningKind::trap_ignored, op,
         [&] { return "STATUS.TRAP_EN is 0, so trap " + std::to_string(id) + " is ignored"; });
    return after_warning(op, next);
  }
  if (!cache.has_code_at(wave.data_address(wave.tba))) {
    return stop_at(
        op, StopReason::trap,
        "trap " + std::to_string(id) + ": no code at TBA = " + support::hex(wave.tba) + ", the address of its handler");
  }
  if (id == 0) {
    warn(WarningKind::unspecified_result, op,
         [] { return std::string("trap 0 is reserved for hardware; salu handles it like any other trap"); });
  }
  const u32 ttmp0 = ttmp_code(wave.generation);
  wave.set_pair(ttmp0, result.ttmp);
  wave.mark_defined(ttmp0, 2);
  wave.status |= 1U << gcn::status_bit::priv;
  return after_warning(op, jump(op, wave.tba));
}

const MicroOp* Interpreter::return_from_exception(const MicroOp* op, const isa::ReturnFromException& result) {
  wave.status = (wave.status & ~result.status.mask) | result.status.bits;
  look_for_debugging();
  // The handler is entered again until it clears SAVECTX, even if HALT is set (Linux, cwsr_trap_handler_gfx9.asm).
  if (wave.asks_for_save()) {
    control.traps = true;
    return control.warning_stop ? stop_for_warning(op) : leave_for_trap(op, result.pc);
  }
  return after_warning(op, halt_if_asked(op, jump(op, result.pc)));
}

const MicroOp* Interpreter::update_status(const MicroOp* op, const MicroOp* next, isa::BitUpdate update) {
  wave.status = (wave.status & ~update.mask) | update.bits;
  return halt_if_asked(op, next);
}

/// A halted wave does not issue instructions unless it is in its trap handler.
const MicroOp* Interpreter::halt_if_asked(const MicroOp* op, const MicroOp* next) {
  if (!wave.halted() || wave.priv() || control.stopped) return next;
  return stop_at(op, StopReason::halt, "STATUS.HALT was set", cache.address_of(next));
}

const MicroOp* Interpreter::end_program(const MicroOp* op) {
  check_waiting_lanes(cache.address_of(op));
  return after_warning(op, stop_at(op, StopReason::end_program, {}));
}

const MicroOp* Interpreter::kill(const MicroOp* op) { return stop_at(op, StopReason::killed, {}); }

}  // namespace salu::core
