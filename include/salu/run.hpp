#pragma once

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

/// What a vector instruction does: end the run, or nothing (it is passed over and counted), or what it is there for,
/// and only what is not executed here ends the run.
enum class OnVector : u8 { stop, skip, run };

/// How the loop over the micro-ops is written; all of them compute the same.
enum class Dispatch : u8 {
  best,         ///< the fastest one
  switched,     ///< the reference: one plain switch
  direct_goto,  ///< computed goto
};

/// How a program is run from many states. Both give identical results.
enum class Engine : u8 {
  batch,          ///< many states at once, and the scalar machine for states that this does not support
  scalar,         ///< the scalar machine, one state after the other
  lanes = batch,  ///< the former name of `batch`
};

/// What S_MEMTIME and S_MEMREALTIME read: a start that the user chooses, and the instructions executed since.
struct Clock {
  u64 memtime = 0;
  u64 memrealtime = 0;
  u64 per_step = 1;  ///< what an instruction adds to both
};

/// What is said of values that nothing has defined.
enum class CheckUndefined : u8 {
  off,
  reads,  ///< each read of a register that nothing has written
  bits,   ///< undefined bits are followed, and reported where something depends on them: a branch, an address, a lane
};

/// What is asked for where two may ask: `asked`, unless it is off.
constexpr CheckUndefined first_of(CheckUndefined asked, CheckUndefined otherwise) {
  return asked != CheckUndefined::off ? asked : otherwise;
}

/// A result that is compared when a run has ended.
struct ComparedResult {
  RegisterName name;
  u64 mask = ~u64{0};  ///< the bits that are, of the first two dwords
};

/// Memory that messages call by a name.
struct NamedMemory {
  std::string name;  ///< `out`
  MemoryRegion region;
};

/// How to run.
struct RunOptions {
  u64 max_steps = 10'000'000;  ///< then the run ends with `step_limit`
  /// A store that would make memory hold more, in pages of 4 KiB, ends the run with `memory_limit`.
  u64 max_memory_bytes = u64{512} << 20;
  std::optional<double> max_seconds{};  ///< of a clock on the wall; then the run ends with `time_limit`
  bool strict = false;                  ///< the first warning stops the run
  CheckUndefined check_undefined = CheckUndefined::off;
  bool check_hazards = false;  ///< warn of results that are used before hardware has them
  /// With `check_hazards`: whether memory accesses may be replayed (XNACK). Nothing: as the program says.
  std::optional<bool> xnack{};
  /// With `CheckUndefined::bits`: what the results are compared in, which must not be undefined either.
  std::vector<ComparedResult> compared{};
  std::vector<MemoryRegion> compared_memory{};  ///< likewise
  /// With `CheckUndefined::bits`: memory whose contents are undefined until they are written.
  std::vector<MemoryRegion> uninitialised{};
  /// With `CheckUndefined::bits`: the names of memory in which undefined bits may end.
  std::vector<NamedMemory> named_memory{};
  bool coverage = false;  ///< fill `Outcome::executed`
  FidelityReport fidelity = FidelityReport::of_inexact;
  OnVector on_vector = OnVector::run;
  Dispatch dispatch = Dispatch::best;  ///< `best` stands in for one that this build lacks
  Clock clock;
  std::function<void(const TraceEvent&)> trace;  ///< called for every instruction when set
  /// Asked some hundred times a second: true ends the run with `time_limit`.
  std::function<bool()> is_cancelled{};
};

/// Bits of an aligned dword of memory that are undefined.
struct UndefinedMemory {
  u64 address = 0;
  u32 mask = 0;
  friend bool operator==(const UndefinedMemory&, const UndefinedMemory&) = default;
};

/// How a run ended, and the state it left.
struct Outcome {
  Stop stop;
  u64 steps = 0;                     ///< executed, the one that ended the run and skipped vector instructions included
  u64 skipped_vector = 0;            ///< vector instructions passed over
  std::vector<Warning> warnings;     ///< once per kind and address, in order of first appearance
  std::optional<Fidelity> fidelity;  ///< as `RunOptions::fidelity` says
  WaveState state;
  /// What is undefined because a skipped vector instruction would have written it, by `WaveState::defined` index.
  std::bitset<state_index::defined_count> lost;
  bool has_lost_vectors = false;  ///< likewise of vector registers: all of them
  /// With `CheckUndefined::bits`: what of the scalar state was written and is undefined all the same.
  std::vector<UndefinedBits> undefined_bits;
  std::vector<UndefinedMemory> undefined_memory;  ///< likewise of memory
  Memory memory;
  std::vector<u64> executed;  ///< with `RunOptions::coverage`: addresses of the instructions that were executed, sorted
};

/// Whether a skipped vector instruction would have written a part of the register.
bool is_lost(const Outcome& outcome, const RegisterName& name);

/// Runs a program from a state until something stops it. `initial.pc` says where. `memory` is what loads and stores
/// see; the program's own code is part of it once `place_code` has put it there.
Outcome run(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options = {});

}  // namespace salu
