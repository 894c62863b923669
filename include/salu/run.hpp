#pragma once

#include <salu/approximations.hpp>
#include <salu/event.hpp>
#include <salu/fidelity.hpp>
#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <bitset>
#include <functional>
#include <optional>
#include <vector>

namespace salu {

/// The handling of vector instructions: `stop` ends the run, `skip` skips and counts them, `run` executes them and ends
/// the run only at unsupported ones.
enum class OnVector : u8 { stop, skip, run };

/// The implementation of the loop over micro-ops. All compute the same.
enum class Dispatch : u8 {
  best,         ///< the fastest available
  switched,     ///< the reference: a plain switch
  direct_goto,  ///< computed goto
};

/// The engine that runs a program from many states. Both give identical results.
enum class Engine : u8 {
  batch,          ///< many states at once; unsupported states run on the scalar machine
  scalar,         ///< one state after the other on the scalar machine
  lanes = batch,  ///< the former name of `batch`
};

/// The clock that S_MEMTIME and S_MEMREALTIME read: initial values, and an increment per executed instruction.
struct Clock {
  u64 memtime = 0;
  u64 memrealtime = 0;
  u64 per_step = 1;  ///< increment of both per instruction
};

/// The check for undefined values.
enum class CheckUndefined : u8 {
  off,
  reads,  ///< report each read of an unwritten register
  bits,   ///< track undefined bits and report what depends on them: a branch, an address, a lane
};

/// Combines two settings: `asked`, or `otherwise` if `asked` is off.
constexpr CheckUndefined first_of(CheckUndefined asked, CheckUndefined otherwise) {
  return asked != CheckUndefined::off ? asked : otherwise;
}

/// A result that is compared after a run.
struct ComparedResult {
  RegisterName name;
  u64 mask = ~u64{0};  ///< compared bits of the first two dwords
};

/// A memory region with a name for messages.
struct NamedMemory {
  std::string name;  ///< `out`
  MemoryRegion region;
};

/// The order in which the waves of a work-group run.
struct Schedule {
  /// The most instructions of a wave before the next one runs; a wave that waits at a barrier or has ended is left
  /// earlier. At least 1.
  u64 slice = 10'000;
  /// Empty: the waves run in order of their ids. Otherwise the order is random, and so is the length of each slice,
  /// from 1 to `slice`; the same seed gives the same order.
  std::optional<u64> seed{};
  /// True: the work-groups of a grid run at the same time, up to 1024 waves. False: one after the other.
  bool concurrent_groups = false;
};

/// Limits, checks and callbacks of a run.
struct RunOptions {
  u64 max_steps = 10'000'000;  ///< instruction limit; the run then ends with `step_limit`
  /// Memory limit: a store that would exceed it, counted in pages of 4 KiB, ends the run with `memory_limit`.
  u64 max_memory_bytes = u64{512} << 20;
  std::optional<double> max_seconds{};  ///< limit of wall-clock time; the run then ends with `time_limit`
  bool strict = false;                  ///< the first warning stops the run
  CheckUndefined check_undefined = CheckUndefined::off;
  bool check_hazards = false;  ///< warn about results that are used before they are ready on hardware
  /// With `check_hazards`: true if memory accesses may be replayed (XNACK). Empty: as the program specifies.
  std::optional<bool> xnack{};
  bool check_races = false;  ///< warn about data races of waves and lanes, and about divergent barriers
  /// With `CheckUndefined::bits`: the compared results, whose bits must not be undefined.
  std::vector<ComparedResult> compared{};
  std::vector<MemoryRegion> compared_memory{};  ///< the compared memory
  /// With `CheckUndefined::bits`: memory that is undefined until it is written.
  std::vector<MemoryRegion> uninitialised{};
  /// Names of memory regions, for messages of the checks for undefined bits and races.
  std::vector<NamedMemory> named_memory{};
  bool coverage = false;  ///< fill `Outcome::executed`
  FidelityReport fidelity = FidelityReport::of_inexact;
  OnVector on_vector = OnVector::run;
  Dispatch dispatch = Dispatch::best;  ///< `best` is used if this build lacks the requested one
  Clock clock;
  Approximations approximations{};               ///< of the results that hardware approximates
  Schedule schedule{};                           ///< of the waves of work-groups
  std::function<void(const TraceEvent&)> trace;  ///< called for every instruction, if set
  /// Polled about a hundred times a second; true ends the run with `time_limit`.
  std::function<bool()> is_cancelled{};
};

/// The undefined bits of an aligned dword of memory.
struct UndefinedMemory {
  u64 address = 0;
  u32 mask = 0;
  friend bool operator==(const UndefinedMemory&, const UndefinedMemory&) = default;
};

/// The end of a run and its final state.
struct Outcome {
  Stop stop;
  u64 steps = 0;                     ///< instructions executed, including the last one and skipped vector instructions
  u64 skipped_vector = 0;            ///< skipped vector instructions
  std::vector<Warning> warnings;     ///< once per kind and address, in order of first appearance
  std::optional<Fidelity> fidelity;  ///< filled as `RunOptions::fidelity` specifies
  WaveState state;
  /// The dwords that are undefined because a skipped vector instruction would have written them, by
  /// `WaveState::defined` index.
  std::bitset<state_index::defined_count> lost;
  bool has_lost_vectors = false;  ///< true if vector registers are undefined for this reason (all of them)
  /// With `CheckUndefined::bits`: undefined bits of the scalar state in dwords that were written.
  std::vector<UndefinedBits> undefined_bits;
  std::vector<UndefinedMemory> undefined_memory;  ///< with `CheckUndefined::bits`: undefined bits of memory
  Memory memory;
  std::vector<u64> executed;  ///< with `RunOptions::coverage`: addresses of the executed instructions, sorted
};

/// True if a skipped vector instruction would have written a part of the register.
bool is_lost(const Outcome& outcome, const RegisterName& name);

/// Runs a program from a state until it stops. The run starts at `initial.pc`. Loads and stores access `memory`, which
/// contains the program's code only after `place_code`.
Outcome run(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options = {});

}  // namespace salu
