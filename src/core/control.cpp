#include <cstring>
#include <string>

#include "core/compiler.hpp"
#include "core/machine.hpp"
#include "support/numbers.hpp"

/// The control stack, traps, and the ends of a wave (semantics.md 6, 7, 8).
namespace salu::core {
namespace {

constexpr u32 stack_entry_dwords = 4;
/// Entries that 64 lanes can ever need, because the smaller side always runs first.
constexpr u32 useful_stack_entries = 6;

std::string entry_registers(u32 entry) {
  const u32 first = entry * stack_entry_dwords;
  return "s[" + std::to_string(first) + ":" + std::to_string(first + stack_entry_dwords - 1) + "]";
}

u64 load_pair(const u32* slots) {
  u64 value = 0;
  std::memcpy(&value, slots, sizeof(value));
  return value;
}

void store_pair(u32* slots, u64 value) { std::memcpy(slots, &value, sizeof(value)); }

// What forks and joins seldom have to say stands apart, so that they need no registers for it.

SALU_NOINLINE void warn_of_overflow(Machine& machine, u64 pc, u32 entry) {
  machine.warn(WarningKind::control_stack_overflow, pc, [&] {
    return "push at CSP = " + std::to_string(entry) + " into " + entry_registers(entry) +
           "; six entries are all that 64 lanes need, and CSP wraps after seven";
  });
}

SALU_NOINLINE void warn_of_lost_push(Machine& machine, u64 pc, u32 entry) {
  machine.warn(WarningKind::register_out_of_range, pc, [&] {
    return "the control stack entry " + entry_registers(entry) + " is beyond the " +
           std::to_string(machine.allocated_sgprs()) + " allocated SGPRs: it is not written";
  });
}

SALU_NOINLINE void warn_of_underflow(Machine& machine, u64 pc, u32 entry) {
  machine.warn(WarningKind::control_stack_underflow, pc,
               [&] { return "pop at CSP = 0: no fork pushed what is loaded from " + entry_registers(entry); });
}

SALU_NOINLINE void warn_of_pop_elsewhere(Machine& machine, u64 pc, u32 entry) {
  machine.warn(WarningKind::register_out_of_range, pc, [&] {
    return "the control stack entry " + entry_registers(entry) + " is beyond the " +
           std::to_string(machine.allocated_sgprs()) +
           " allocated SGPRs: s[0:1] is read instead, as the mask and as the PC";
  });
}

}  // namespace

const MicroOp* Machine::fork(const MicroOp* op, const isa::Fork& result) {
  if (result.push) {
    const u32 entry = mode >> mode_bit::csp;
    const u32 first = entry * stack_entry_dwords;
    if (entry >= useful_stack_entries) {
      pushed_.make_list(entry);
      warn_of_overflow(*this, address_of(op), entry);
    }
    if (in_allocation(first, stack_entry_dwords)) {
      // Hardware cannot forward the two stores that made them to one wide load, which compilers like to make of this.
      const volatile auto& pushed = result.pushed;
      const u64 lanes = pushed.mask;
      const u64 waiting_pc = pushed.pc;
      store_pair(slots.data() + first, lanes);
      store_pair(slots.data() + first + 2, waiting_pc);
      if (pushed_.needs_mark(entry)) mark_defined(first, stack_entry_dwords);
      pushed_.push(entry, lanes, waiting_pc, address_of(op));
    } else {
      pushed_.make_list(entry);
      pushed_.push_unknown(entry, address_of(op));
      warn_of_lost_push(*this, address_of(op), entry);
    }
    set_csp((entry + 1) & 7);
  }
  slots[code::exec] = static_cast<u32>(result.exec);
  slots[code::exec + 1] = static_cast<u32>(result.exec >> 32);
  return after_warning(op, jump(op, result.pc));
}

const MicroOp* Machine::join(const MicroOp* op, const MicroOp* next, const isa::Join& result) {
  if (!result.pop) return next;
  if (mode >> mode_bit::csp == 0) {
    pushed_.make_list(0);
    warn_of_underflow(*this, address_of(op), result.csp);
  }
  // Where the entry is beyond the allocation, each of its pairs reads as any pair of registers there.
  u32 mask = result.csp * stack_entry_dwords;
  u32 pc = mask + 2;
  if (!in_allocation(mask, stack_entry_dwords)) {
    warn_of_pop_elsewhere(*this, address_of(op), result.csp);
    mask = pc = 0;
  }
  set_csp(result.csp);
  const u64 target = load_pair(slots.data() + pc);
  const u64 lanes = load_pair(slots.data() + mask);
  if (!pushed_.pops_plain(result.csp, lanes, target)) [[unlikely]]
    pop_entry(op, result.csp, lanes, target);
  store_pair(slots.data() + code::exec, lanes);
  return after_warning(op, jump(op, target));
}

const MicroOp* Machine::trap(const MicroOp* op, const MicroOp* next, const isa::Trap& result) {
  const u64 id = result.ttmp >> 48 & 0xff;
  if (!result.taken) {
    warn(WarningKind::trap_ignored, address_of(op),
         [&] { return "STATUS.TRAP_EN is 0, so trap " + std::to_string(id) + " does nothing"; });
    return after_warning(op, next);
  }
  if (find_area(tba_ & pc_mask_) == nullptr) {
    return stop_at(
        op, StopReason::trap,
        "trap " + std::to_string(id) + " and no code at TBA = " + support::hex(tba_) + ", where its handler should be");
  }
  const u32 ttmp0 = ttmp_code(generation_);
  slots[ttmp0] = static_cast<u32>(result.ttmp);
  slots[ttmp0 + 1] = static_cast<u32>(result.ttmp >> 32);
  mark_defined(ttmp0, 2);
  status |= 1U << status_bit::priv;
  return jump(op, tba_);
}

const MicroOp* Machine::return_from_exception(const MicroOp* op, const isa::ReturnFromException& result) {
  status = (status & ~result.status.mask) | result.status.bits;
  return halt_if_asked(op, jump(op, result.pc));
}

const MicroOp* Machine::update_status(const MicroOp* op, const MicroOp* next, isa::BitUpdate update) {
  status = (status & ~update.mask) | update.bits;
  return halt_if_asked(op, next);
}

/// A halted wave issues nothing unless it is in its trap handler.
const MicroOp* Machine::halt_if_asked(const MicroOp* op, const MicroOp* next) {
  if ((status >> status_bit::halt & 1) == 0 || priv() || stopped_) return next;
  return stop_at(op, StopReason::halt, "STATUS.HALT was set", address_of(next));
}

const MicroOp* Machine::end_program(const MicroOp* op) {
  check_waiting_lanes(address_of(op));
  return after_warning(op, stop_at(op, StopReason::end_program, {}));
}

const MicroOp* Machine::kill(const MicroOp* op) { return stop_at(op, StopReason::killed, {}); }

}  // namespace salu::core
