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

/// The undefined bits of a wave and of memory with their origins; can be copied to save it. Inexact results are tracked
/// in the same way.
struct State {
  enum class About : u8 {
    undefined,
    inexact,  ///< results that could differ because an instruction was not executed exactly like on hardware
  };
  /// The undefined state at the start of a run.
  State(const WaveState& initial, std::span<const MemoryRegion> uninitialised);
  /// The inexact state at the start of a run: everything is exact.
  static State of_inexact();

  About about = About::undefined;
  Origins origins;
  Shadow shadow;
  u64 reports = 0;  ///< number of uses of tracked bits, including those that have been reported before
  // For inexact results:
  bool affects_control_flow = false;
  bool affects_address = false;

 private:
  explicit State(const WaveState& initial);
};

/// The next instruction of a run.
struct Coming {
  u64 pc = 0;
  const KnownInstruction& known;
  const Accesses& accesses;
  bool runs_vector = false;             ///< an executed vector instruction
  const Assumption* assumed = nullptr;  ///< its effects, if they are assumed
};

/// Updates the shadow for an instruction that the machine is about to execute, and warns about uses of undefined bits.
/// In the usual case, in which all its operands are defined, this only tests and updates a set.
void advance(State& state, core::Machine& machine, const Coming& coming);
/// Does the same for a scalar instruction with fixed accesses and the given plan.
void advance_plain(State& state, core::Machine& machine, const Coming& coming, const ShadowPlan& plan);
/// Marks the results of a skipped vector instruction as undefined.
void skip(State& state, core::Machine& machine, u64 pc, std::span<const isa::RegisterSpan> results);

/// The scalar registers that depend on the results of skipped vector instructions.
[[nodiscard]] core::DefinedSet missing(const State& state);
/// Undefined bits in dwords that have been written.
[[nodiscard]] std::vector<UndefinedBits> undefined_bits(const State& state);
/// Undefined bits in memory to which the program stored them.
[[nodiscard]] std::vector<UndefinedMemory> undefined_memory(const State& state);
/// The places of the state at the end of a run that have tracked bits.
[[nodiscard]] std::vector<Location> followed_places(const State& state, const core::Machine& machine);
/// Warns at the end of a run about undefined compared results.
void check_results(State& state, core::Machine& machine, std::span<const ComparedResult> compared);
/// Warns at the end of a run about undefined compared memory.
void check_memory(State& state, core::Machine& machine, std::span<const MemoryRegion> compared);
/// Warns at the end of a run about undefined bits that the program stored to memory that outlives the wave: once for
/// each storing instruction. Compared memory is left to `check_memory`.
void check_outputs(State& state, core::Machine& machine, std::span<const MemoryRegion> compared,
                   std::span<const NamedMemory> names);

}  // namespace salu::observe::undefined
