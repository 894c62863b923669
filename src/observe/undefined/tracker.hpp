#pragma once

#include <salu/run.hpp>

#include <optional>
#include <span>
#include <vector>

#include "core/machine.hpp"
#include "observe/accesses.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/origins.hpp"
#include "observe/undefined/shadow.hpp"
#include "observe/undefined/shadow_plan.hpp"

namespace salu::observe::undefined {

/// What of a wave and of memory is undefined, and why; a value that may be kept and taken up again. What is not exact
/// is followed in the same way.
struct State {
  enum class About : u8 {
    undefined,
    inexact,  ///< what could be otherwise because an instruction was not executed as hardware does it
  };
  /// What is undefined as a run begins.
  State(const WaveState& initial, std::span<const MemoryRegion> uninitialised);
  /// All is exact as a run begins.
  static State of_inexact();

  About about = About::undefined;
  Origins origins;
  Shadow shadow;
  u64 reports = 0;  ///< uses that depended on what is followed, also those that have been told before
  // Of what is not exact:
  bool affects_control_flow = false;
  bool affects_address = false;

 private:
  explicit State(const WaveState& initial);
};

/// Memory that begins with whatever lay there before: that of the lanes alone, and that of a work-group.
std::vector<MemoryRegion> uninitialised_memory(const Memory& memory, const std::optional<MemoryRegion>& private_memory);

/// An instruction as a run comes to it.
struct Coming {
  u64 pc = 0;
  const KnownInstruction& known;
  const Accesses& accesses;
  bool runs_vector = false;             ///< a vector instruction that is executed
  const Assumption* assumed = nullptr;  ///< what it does instead, where that is assumed
};

/// Takes the shadow past an instruction that the machine is about to execute, and warns of what depends on undefined
/// bits. What usually happens, that nothing it reads is undefined, costs a look at a set and a change of it.
void advance(State& state, core::Machine& machine, const Coming& coming);
/// The same for a scalar instruction that always touches the same, by its plan.
void advance_plain(State& state, core::Machine& machine, const Coming& coming, const ShadowPlan& plan);
/// The same for one that is passed over and would have written these registers.
void skip(State& state, core::Machine& machine, u64 pc, std::span<const isa::RegisterSpan> results);

/// What of the scalar state lacks what a skipped vector instruction would have written.
[[nodiscard]] core::DefinedSet missing(const State& state);
/// Bits that are undefined although their dword has been written.
[[nodiscard]] std::vector<UndefinedBits> undefined_bits(const State& state);
/// Bits of memory that are undefined although the program stored them.
[[nodiscard]] std::vector<UndefinedMemory> undefined_memory(const State& state);
/// The places of the state at the end of a run that are not what they should be in all bits.
[[nodiscard]] std::vector<Location> followed_places(const State& state, const core::Machine& machine);
/// Warns at the end of a run of results that are compared and undefined.
void check_results(State& state, core::Machine& machine, std::span<const ComparedResult> compared);
/// The same of memory.
void check_memory(State& state, core::Machine& machine, std::span<const MemoryRegion> compared);
/// Warns at the end of a run of undefined bits that the program stored to memory that outlives the wave: once for each
/// instruction that stored some. Memory that is compared is left to `check_memory`.
void check_outputs(State& state, core::Machine& machine, std::span<const MemoryRegion> compared,
                   std::span<const NamedMemory> names);

}  // namespace salu::observe::undefined
