#include <string>

#include "core/interpreter.hpp"

/// Detects disagreement between forks, joins and the SGPRs of the control stack. A second run finds the instruction
/// that caused it (observe/stack_misuse.hpp).
namespace salu::core {

using Origin = PushedEntry::Origin;

/// Records a warning without its text, once for each address.
void Interpreter::note_misuse(StackMisuse misuse) {
  warn(WarningKind::control_stack_misuse, misuse.pc, [&] {
    misuse.warning = control.warnings.list().size();
    misuses.push_back(misuse);
    return std::string();
  });
}

/// The slow path of a join that pops an entry.
void Interpreter::pop_entry(const MicroOp* op, u32 entry, u64 mask, u64 pc) {
  using Kind = StackMisuse::Kind;
  pushed.make_list(entry + 1);
  const PushedEntry* const popped = pushed.find(entry);
  if (popped == nullptr) {
    if (!pushed.has_forgotten()) note_misuse({Kind::not_pushed, 0, cache.address_of(op), entry});
    return;
  }
  if (popped->origin == Origin::set && !holds_defined_entry(entry)) {
    note_misuse({Kind::not_pushed, 0, cache.address_of(op), entry, false, *popped});
  } else if (popped->is_known && (popped->mask != mask || popped->pc != pc)) {
    note_misuse({Kind::overwritten, 0, cache.address_of(op), entry, false, *popped});
  } else if (const PushedEntry* const lost = pushed.last_fork(popped)) {
    note_misuse({Kind::lost, 0, cache.address_of(op), entry, false, *lost});
  }
  pushed.pop(popped);
}

/// True if all SGPRs of an entry have been written: a program that writes an entry and raises CSP restores a saved
/// stack.
bool Interpreter::holds_defined_entry(u32 entry) {
  if (!wave.in_allocation(entry * 4, 4)) return true;
  // All decoded blocks have run to their end: this join is the end of the last one.
  cache.end_last_block();
  wave.defined = defined();
  for (u32 i = entry * 4; i < entry * 4 + 4; ++i) {
    if (!wave.defined.test(i)) return false;
  }
  return true;
}

void Interpreter::check_waiting_lanes(u64 pc) {
  if (!pushed.may_hold_some(wave.csp())) return;
  pushed.make_list(wave.csp());
  if (const PushedEntry* const lost = pushed.last_fork())
    note_misuse({StackMisuse::Kind::lost, 0, pc, lost->entry, true, *lost});
}

}  // namespace salu::core
