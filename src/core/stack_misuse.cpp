#include <string>
#include <utility>

#include "core/machine.hpp"

/// What forks, joins and the SGPRs below them do not agree on. Here it is noticed; who is to blame takes another look
/// at the run (observe/stack_misuse.hpp).
namespace salu::core {

using Origin = PushedEntry::Origin;

/// Records a warning without its sentence, once for each address.
void Machine::note_misuse(StackMisuse misuse) {
  warn(WarningKind::control_stack_misuse, misuse.pc, [&] {
    misuse.warning = warnings_.size();
    misuses_.push_back(misuse);
    return std::string();
  });
}

/// A join pops an entry, and it takes more than a look to see that all is well.
void Machine::pop_entry(const MicroOp* op, u32 entry, u64 mask, u64 pc) {
  using Kind = StackMisuse::Kind;
  pushed_.make_list(entry + 1);
  const PushedEntry* const popped = pushed_.find(entry);
  if (popped == nullptr) {
    if (!pushed_.has_forgotten()) note_misuse({Kind::not_pushed, 0, address_of(op), entry});
    return;
  }
  if (popped->origin == Origin::set && !holds_defined_entry(entry)) {
    note_misuse({Kind::not_pushed, 0, address_of(op), entry, false, *popped});
  } else if (popped->is_known && (popped->mask != mask || popped->pc != pc)) {
    note_misuse({Kind::overwritten, 0, address_of(op), entry, false, *popped});
  } else if (const PushedEntry* const lost = pushed_.last_fork(popped)) {
    note_misuse({Kind::lost, 0, address_of(op), entry, false, *lost});
  }
  pushed_.pop(popped);
}

/// Whether somebody has written all of the SGPRs of an entry: who sets up an entry by hand and raises CSP above it
/// restores what was saved elsewhere.
bool Machine::holds_defined_entry(u32 entry) {
  if (!in_allocation(entry * 4, 4)) return true;
  // Every block that was decoded was run to its end: this join is the end of the last one.
  last_decoded_.block = decoded_count_;
  defined_dynamic_ |= defined();
  for (u32 i = entry * 4; i < entry * 4 + 4; ++i) {
    if (!defined_dynamic_.test(i)) return false;
  }
  return true;
}

void Machine::check_waiting_lanes(u64 pc) {
  pushed_.make_list(mode >> mode_bit::csp);
  if (const PushedEntry* const lost = pushed_.last_fork())
    note_misuse({StackMisuse::Kind::lost, 0, pc, lost->entry, true, *lost});
}

void Machine::explain_misuse(const StackMisuse& misuse, std::optional<u64> culprit_pc, u64 victim_pc,
                             std::string detail) {
  kept_warnings_.reset();
  Warning& warning = warnings_[misuse.warning];
  warning.culprit_pc = culprit_pc;
  warning.victim_pc = victim_pc;
  warning.detail = std::move(detail);
  const bool is_stop = stopped_ && stop_.warning == warning.kind && misuse.warning == 0;
  if (is_stop) stop_.detail = warning.detail;
}

}  // namespace salu::core
