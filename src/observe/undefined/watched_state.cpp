#include "observe/undefined/watched_state.hpp"

#include <algorithm>

#include "isa/memory_table.hpp"

namespace salu::observe::undefined {
namespace {

const ScalarSet stack_dwords(~u32{0});

/// Tracked entries of the control stack, one bit each: a fork that pushes an entry defines it, and a join that pops it
/// depends on it.
u32 entries_in(const core::Machine& machine, const ScalarSet& followed) {
  constexpr u32 entries = 8;
  constexpr u32 dwords_of_entry = 4;
  const auto low = static_cast<u32>((followed & stack_dwords).to_ulong());
  u32 result = 0;
  for (u32 entry = 0; entry < entries; ++entry) {
    const u32 first = entry * dwords_of_entry;
    // An entry beyond the allocation is read from s[0:1].
    const u32 dwords = machine.wave().in_allocation(first, dwords_of_entry) ? low >> first & 15 : low & 3;
    result |= u32{dwords != 0} << entry;
  }
  return result;
}

}  // namespace

void WatchedState::watch(const core::Machine& machine, const ScalarSet& scalars, bool memory,
                         Observer::Interest& interest) {
  const bool is_memory_new = memory != memory_;
  if (scalars == followed_ && scalars == scalars_ && !is_memory_new) return;
  if (((scalars ^ followed_) & stack_dwords).any()) interest.entries = entries_in(machine, scalars);
  followed_ = scalars;
  if (!is_memory_new && (scalars & ~scalars_).none()) {
    if (scalars == scalars_ || ++in_vain_ < patience_) return;
    in_vain_ = 0;
    patience_ *= 2;
  }
  scalars_ = scalars;
  memory_ = memory;
  ++interest.version;
}

bool WatchedState::concerns(const core::Machine& machine, u64 address, const KnownInstruction& known) const {
  const isa::Instruction& instruction = known.instruction();
  if (instruction.encoding != isa::EncodingClass::scalar || known.may_be_unspecified() || known.is_approximate() ||
      machine.code().program().find_assumption(address) != nullptr)
    return true;
  if (known.fixed_accesses() != nullptr) return ((known.touches() | known.writes()) & scalars_).any();
  Accesses accesses;
  if (known.flow() == isa::Flow::fork || known.flow() == isa::Flow::join) {
    if (!find_accesses_beside_stack(machine, instruction, accesses)) return true;
  } else {
    if (!isa::is_scalar_memory(instruction.insn) || memory_) return true;
    find_accesses(machine, instruction, accesses);
  }
  const auto is_watched = [this](const Location& location) {
    for (u32 i = location.index; i < std::min(location.index + location.dwords, state_index::scalar_count); ++i) {
      if (scalars_.test(i)) return true;
    }
    return false;
  };
  return std::ranges::any_of(accesses.reads, is_watched) || std::ranges::any_of(accesses.writes, is_watched);
}

}  // namespace salu::observe::undefined
