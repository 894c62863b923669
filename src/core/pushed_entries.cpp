#include "core/pushed_entries.hpp"

#include <algorithm>

namespace salu::core {

void PushedEntries::begin(const WaveState& state) {
  is_plain_ = state.csp() == 0;
  entries_.clear();
  marked_ = 0;
  pushes_ = 0;
  has_forgotten_ = false;
  for (u32 entry = 0; entry < state.csp(); ++entry) {
    const u32 first = entry * 4;
    bool is_known = first + 4 <= state.sgprs;
    for (u32 i = first; i < first + 4; ++i) is_known = is_known && state.defined.test(i);
    entries_.push_back(
        {state.read64(first), state.read64(first + 2), 0, 0, entry, PushedEntry::Origin::start, is_known});
  }
}

void PushedEntries::make_list(u32 csp) {
  if (!is_plain_) return;
  is_plain_ = false;
  for (u32 entry = 0; entry < csp; ++entry) {
    const Pushed& pushed = plain_[entry];
    entries_.push_back({pushed.mask, pushed.pc, pushed.by, pushed.push, entry});
  }
}

const PushedEntry* PushedEntries::find(u32 entry) const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                  [entry](const PushedEntry& each) { return each.entry == entry; });
  return found == entries_.rend() ? nullptr : &*found;
}

const PushedEntry* PushedEntries::last_fork(const PushedEntry* behind) const {
  const PushedEntry* const first = behind == nullptr ? entries_.data() : behind + 1;
  for (const PushedEntry* each = entries_.data() + entries_.size(); each != first;) {
    if ((--each)->origin == PushedEntry::Origin::fork) return each;
  }
  return nullptr;
}

void PushedEntries::pop(const PushedEntry* popped) {
  const bool leaves_nothing = popped == entries_.data() && popped->entry == 0;
  entries_.resize(static_cast<std::size_t>(popped - entries_.data()));
  // CSP is 0 again, so all further entries will come from forks and joins.
  is_plain_ = leaves_nothing && !has_forgotten_;
}

void PushedEntries::set_csp(u32 before, u32 after, std::optional<u64> by) {
  make_list(before);
  for (PushedEntry& each : entries_) {
    if (each.entry < after) {
      each.given_up_by.reset();
    } else if (each.entry < before && !each.given_up_by) {
      each.given_up_by = by;
    }
  }
  using Origin = PushedEntry::Origin;
  for (u32 entry = before; entry < after; ++entry) {
    if (find(entry) != nullptr) continue;
    add({0, 0, by.value_or(0), 0, entry, by ? Origin::set : Origin::start, false});
  }
}

void PushedEntries::add(const PushedEntry& entry) {
  if (entries_.size() == most) {
    entries_.erase(entries_.begin(), entries_.begin() + most / 2);
    has_forgotten_ = true;
  }
  entries_.push_back(entry);
}

}  // namespace salu::core
