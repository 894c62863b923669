#include "observe/undefined/register_reads.hpp"

#include <bit>
#include <string>

#include "isa/operand.hpp"
#include "isa/table.hpp"
#include "support/numbers.hpp"

namespace salu::observe::undefined {
namespace {

State beginning_of(const WaveState& initial, bool checks_reads) {
  if (!checks_reads) return State::of_inexact();
  WaveState registers;
  registers.defined = initial.defined;
  return {registers, {}};
}

}  // namespace

RegisterReads::RegisterReads(core::Machine& machine, const WaveState& initial, bool checks_reads)
    : Follower(machine, beginning_of(initial, checks_reads)), checks_reads_(checks_reads) {}

void RegisterReads::before(ObservedStep& step) {
  skipped_ = 0;
  if (state().shadow.touched().any()) {
    for (const Location& location : step.accesses().reads) {
      visit_defined_indices(location, [&](u32 index) {
        const Mask mask = state().shadow.scalar(index);
        if (skipped_ != 0 || (mask.origin & skipped_bit) == 0) return;
        skipped_ = mask.origin;
        if (checks_reads_ || step.known.decides()) warn_of_skipped(step, location);
      });
    }
  }
  if (checks_reads_) {
    check_reads(step);
    check_lanes(step);
  }
}

void RegisterReads::after(ObservedStep& step) {
  Shadow& shadow = state().shadow;
  if (skipped_ != 0 || shadow.touched().any()) {
    const Mask written{skipped_ == 0 ? 0 : ~u64{0}, skipped_};
    for (const Location& location : step.writes())
      visit_defined_indices(location, [&](u32 index) { shadow.set_scalar(index, written); });
  }
  Follower::after(step);
}

void RegisterReads::warn_of_skipped(const ObservedStep& step, const Location& place) {
  machine().warn(WarningKind::undefined_read, step.pc, [&] {
    const u64 skipped_pc = state().origins.first(skipped_).pc;
    return location_name(machine().generation(), place) + " is undefined: " + machine().code().text_at(skipped_pc) +
           " at " + support::hex(skipped_pc) + " was skipped, and this instruction depends on its result";
  });
}

void RegisterReads::check_reads(ObservedStep& step) {
  const isa::Instruction& instruction = step.known.instruction();
  // S_SET_GPR_IDX_ON, _IDX and _MODE read M0 only to keep the bits that they do not set.
  const auto keeps_m0 = [&instruction] {
    if (instruction.encoding != isa::EncodingClass::scalar) return false;
    const isa::InstructionInfo& info = isa::info(instruction.insn);
    return (info.reads & info.writes & isa::effect::m0) != 0;
  };
  for (const Location& location : step.accesses().reads) {
    if (location.index == code::m0 && keeps_m0()) continue;
    bool is_unwritten = false;
    visit_defined_indices(location, [&](u32 index) {
      const Mask mask = state().shadow.scalar(index);
      is_unwritten |= mask.bits != 0 && (mask.origin & skipped_bit) == 0;
    });
    if (!is_unwritten) continue;
    machine().warn(WarningKind::undefined_read, step.pc,
                   [&] { return location_name(machine().generation(), location) + " is read, but was never written"; });
  }
}

void RegisterReads::check_lanes(ObservedStep& step) {
  for (const Accesses::Lanes& touched : step.accesses().vectors_read) {
    const u64 defined = machine().vectors() == nullptr ? 0 : machine().vectors()->defined(touched.number);
    const u64 undefined = touched.lanes & ~defined;
    if (undefined == 0) continue;
    machine().warn(WarningKind::undefined_read, step.pc, [&] {
      const u32 first = RegisterName::in_vectors(touched.number).index + static_cast<u32>(std::countr_zero(undefined));
      const int others = std::popcount(undefined) - 1;
      return isa::vector_register_name(first, 1) +
             (others == 0 ? "" : " (and " + support::counted(static_cast<u64>(others), "other lane") + ")") +
             " is read, but was never written";
    });
  }
}

}  // namespace salu::observe::undefined
