#include "observe/undefined/tracker.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/memory_table.hpp"
#include "isa/vector/table.hpp"
#include "observe/undefined/shadow_step.hpp"
#include "observe/undefined/word.hpp"

namespace salu::observe::undefined {
namespace {

bool is_scalar_place(const Location& location) { return location.index < state_index::scalar_count; }

/// The address of a dword of memory in the shadow: addresses of shared memory have more bits than data addresses.
u64 shadow_address(const core::Machine& machine, const Location& location, u32 dword) {
  const u64 address = location.address + u64{dword} * 4;
  return address >= shared_memory_base ? address : machine.wave().data_address(address);
}

/// True if an instruction reads undefined bits.
bool reads_undefined(const State& state, const core::Machine& machine, const Accesses& accesses) {
  const Shadow& shadow = state.shadow;
  for (const Location& location : accesses.reads) {
    for (u32 i = 0; i < location.dwords; ++i) {
      if (location.is_memory()) {
        if (shadow.is_memory_defined()) break;
        if (shadow.dword(shadow_address(machine, location, i)).bits != 0) return true;
      } else if (is_scalar_place(location) && shadow.touched().test(location.index + i)) {
        return true;
      }
    }
  }
  return std::ranges::any_of(accesses.vectors_read,
                             [&](const Accesses::Lanes& read) {
                               return (shadow.undefined_lanes(machine.vectors(), read.number) & read.lanes) != 0;
                             }) ||
         std::ranges::any_of(accesses.rows_read, [&](const Accesses::MemoryRow& row) {
           return shadow.undefined_dwords(row.address, row.dwords) != 0;
         });
}

/// Marks everything that an instruction writes as defined.
void define(State& state, const core::Machine& machine, const Accesses& accesses) {
  Shadow& shadow = state.shadow;
  for (const Location& location : accesses.writes) {
    for (u32 i = 0; i < location.dwords; ++i) {
      if (!location.is_memory()) {
        if (is_scalar_place(location)) shadow.set_scalar(location.index + i, {});
      } else if (!shadow.is_memory_defined()) {
        shadow.set_dword(shadow_address(machine, location, i), {});
      }
    }
  }
  for (const Accesses::Lanes& written : accesses.vectors_written) shadow.define_lanes(written.number, written.lanes);
  for (const Accesses::MemoryRow& row : accesses.rows_written) shadow.define_dwords(row.address, row.dwords);
}

/// True for a store by lanes that may write only some bytes of a dword: it can have any alignment.
bool may_store_parts(const State& state, const isa::vector::Instruction& instruction, const Accesses& accesses) {
  return isa::vector::row(instruction.insn).access.is_store && !accesses.writes.empty() &&
         !state.shadow.is_memory_defined();
}

/// True if an instruction keeps a part of its destination, or may not write it.
bool keeps_parts(const KnownInstruction& known) {
  const isa::Flow flow = known.flow();
  return flow == isa::Flow::fork || flow == isa::Flow::join || flow == isa::Flow::trap;
}
bool keeps_parts(const isa::vector::Instruction& instruction) {
  const isa::vector::InstructionInfo& row = isa::vector::row(instruction.insn);
  return instruction.form == isa::vector::Form::sdwa || row.shape.destination.bits == 16 || row.access.keeps_half ||
         (row.is_memory() && row.access.bytes < 4) || row.shape.is_swap;
}

void advance_scalar(State& state, core::Machine& machine, const Coming& coming) {
  const isa::Instruction& instruction = coming.known.instruction();
  if (coming.known.fixed_accesses() != nullptr) {
    const bool reads_none = (state.shadow.touched() & coming.known.touches()).none();
    if (reads_none && !coming.known.may_be_unspecified()) {
      state.shadow.define(coming.known.writes());
      return;
    }
  } else if (!keeps_parts(coming.known) && !reads_undefined(state, machine, coming.accesses)) {
    return define(state, machine, coming.accesses);
  }
  if (coming.known.has_operand_fault()) return;
  ShadowStep step(machine, state, coming.pc);
  if (isa::is_scalar_memory(instruction.insn))
    propagate_memory(step, instruction, coming.accesses);
  else
    propagate(step, instruction);
}

void advance_vector(State& state, core::Machine& machine, const Coming& coming) {
  const isa::vector::Instruction& instruction = *coming.known.vector();
  const ScalarSet& touched = state.shadow.touched();
  const bool may_be_inexact = state.about == State::About::inexact && isa::vector::depends_on_order(instruction);
  if (!touched.test(state_index::mode) && !keeps_parts(instruction) && !may_be_inexact &&
      !may_store_parts(state, instruction, coming.accesses) && !reads_undefined(state, machine, coming.accesses))
    return define(state, machine, coming.accesses);
  ShadowStep step(machine, state, coming.pc);
  propagate_lanes(step, instruction, coming.accesses);
}

}  // namespace

State::State(const WaveState& initial) : shadow(initial, origins) {}

State State::of_inexact() {
  WaveState all_defined;
  all_defined.defined.set();
  State state(all_defined);
  state.about = About::inexact;
  state.shadow.take_unwritten_lanes_for_defined();
  return state;
}

State::State(const WaveState& initial, std::span<const MemoryRegion> uninitialised) : State(initial) {
  for (const MemoryRegion& region : uninitialised) {
    const OriginId origin = origins.begin(Origin::Kind::uninitialised_memory, 0, Location::in_memory(region.base), 0);
    shadow.forget_memory(region.base, region.size_bytes, origin);
  }
}

/// Marks everything that an instruction writes as undefined.
void forget(State& state, core::Machine& machine, const Coming& coming, Origin::Kind why) {
  ShadowStep step(machine, state, coming.pc);
  for (const Location& location : coming.accesses.writes) {
    if (location.is_memory()) continue;
    for (u32 index = location.index; index < location.index + location.dwords; ++index) {
      if (index < state_index::scalar_count) state.shadow.set_scalar(index, step.unknown(why, {index}));
    }
  }
  for (const Accesses::Lanes& written : coming.accesses.vectors_written) {
    const Mask unknown = step.unknown(why, {state_index::vgprs + written.number * state_index::lanes});
    ShadowRow& lanes = state.shadow.own_lanes(machine.vectors(), written.number);
    for_lanes(written.lanes, [&](u32 lane) { lanes.set(lane, unknown); });
  }
}

void advance(State& state, core::Machine& machine, const Coming& coming) {
  const bool is_inexact = state.about == State::About::inexact;
  if (coming.assumed != nullptr) {
    return is_inexact ? forget(state, machine, coming, Origin::Kind::assumed) : define(state, machine, coming.accesses);
  }
  const bool is_executed = coming.runs_vector || coming.known.vector() == nullptr;
  if (is_inexact && is_executed && coming.known.is_approximate())
    return forget(state, machine, coming, Origin::Kind::approximate_result);
  if (coming.known.instruction().encoding == isa::EncodingClass::scalar) {
    advance_scalar(state, machine, coming);
  } else if (coming.runs_vector) {
    advance_vector(state, machine, coming);
  } else if (state.shadow.touched().test(state_index::mode)) {
    Mask vskip = state.shadow.scalar(state_index::mode);
    vskip.bits &= 1U << mode_bit::vskip;
    ShadowStep(machine, state, coming.pc)
        .report({state_index::mode}, vskip, {"whether the vector instruction is skipped"});
  }
}

void advance_plain(State& state, core::Machine& machine, const Coming& coming, const ShadowPlan& plan) {
  const bool reads_none = (state.shadow.touched() & coming.known.touches()).none();
  if (reads_none && !coming.known.may_be_unspecified()) {
    state.shadow.define(coming.known.writes());
    return;
  }
  ShadowStep step(machine, state, coming.pc);
  propagate(step, coming.known.instruction(), plan);
}

void skip(State& state, core::Machine& machine, u64 pc, std::span<const isa::RegisterSpan> results) {
  ShadowStep step(machine, state, pc);
  for (const isa::RegisterSpan& span : results) {
    for (u32 code = span.code; code < u32{span.code} + span.dwords; ++code) step.skip(code);
  }
}

core::DefinedSet missing(const State& state) {
  core::DefinedSet result;
  for (u32 index = 0; index < state_index::defined_count; ++index) {
    const Mask mask = state.shadow.scalar(index);
    if (mask.bits != 0 && (mask.origin & skipped_bit) != 0) result.set(index);
  }
  return result;
}

std::vector<UndefinedBits> undefined_bits(const State& state) {
  std::vector<UndefinedBits> result;
  for (u32 index = 0; index < state_index::scalar_count; ++index) {
    const Mask mask = state.shadow.scalar(index);
    if (mask.bits == 0 || state.origins[mask.origin].kind == Origin::Kind::never_written) continue;
    result.push_back({index, static_cast<u32>(mask.bits)});
  }
  return result;
}

std::vector<UndefinedMemory> undefined_memory(const State& state) {
  std::vector<UndefinedMemory> result;
  for (const Shadow::Dword& dword : state.shadow.undefined_dwords())
    result.push_back({dword.address, static_cast<u32>(dword.mask.bits)});
  return result;
}

std::vector<Location> followed_places(const State& state, const core::Machine& machine) {
  std::vector<Location> places;
  for (u32 index = 0; index < state_index::scalar_count; ++index) {
    if (index != state_index::pc && state.shadow.scalar(index).bits != 0) places.push_back({index});
  }
  for (u32 number = 0; number < VectorRegisters::count; ++number) {
    if (state.shadow.undefined_lanes(machine.vectors(), number) != 0)
      places.push_back({state_index::vgprs + number * state_index::lanes, state_index::lanes});
  }
  for (const Shadow::Dword& memory : state.shadow.undefined_dwords()) {
    const bool follows = !places.empty() && places.back().is_memory() &&
                         places.back().address + u64{places.back().dwords} * 4 == memory.address;
    if (follows)
      ++places.back().dwords;
    else
      places.push_back(Location::in_memory(memory.address));
  }
  return places;
}

namespace {

constexpr Use compared_result{"a result that is compared", Use::Kind::result};

/// The first undefined dword of a result, if any.
std::optional<std::pair<Location, Mask>> find_undefined(State& state, const core::Machine& machine,
                                                        const ComparedResult& compared) {
  const RegisterName& name = compared.name;
  for (u32 i = 0; i < name.dwords(); ++i) {
    const u32 index = name.index + i;
    Mask mask;
    if (name.is_vector()) {
      mask = state.shadow.lanes(machine.vectors(), state_index::vector_of(index))[state_index::lane_of(index)];
    } else if (index < state_index::scalar_count) {
      mask = state.shadow.scalar(index);
    }
    const u64 looked_at = i < 2 ? compared.mask >> (32 * i) & 0xffffffff : 0xffffffff;
    mask.bits &= name.width < 32 ? (looked_at & ((u64{1} << name.width) - 1)) << name.low_bit : looked_at;
    if (mask.bits != 0) return std::pair(Location{index}, mask);
  }
  return std::nullopt;
}

}  // namespace

void check_results(State& state, core::Machine& machine, std::span<const ComparedResult> compared) {
  for (const ComparedResult& result : compared) {
    const auto found = find_undefined(state, machine, result);
    if (!found) continue;
    ShadowStep step(machine, state, machine.pc());
    step.report(found->first, found->second, compared_result);
  }
}

void check_memory(State& state, core::Machine& machine, std::span<const MemoryRegion> compared) {
  ShadowStep step(machine, state, machine.pc());
  for (const MemoryRegion& region : compared) {
    const u64 end = region.base + region.size_bytes;
    for (u64 address = region.base & ~u64{3}; address < end; address += 4) {
      Mask mask = state.shadow.dword(address);
      // The first and the last dword may be compared partially.
      if (address < region.base) mask.bits &= ~low_bits(static_cast<u32>(8 * (region.base - address)));
      if (end - address < 4) mask.bits &= low_bits(static_cast<u32>(8 * (end - address)));
      step.report(Location::in_memory(address), mask, compared_result);
    }
  }
}

}  // namespace salu::observe::undefined
