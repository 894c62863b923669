#pragma once

#include <salu/run.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/machine.hpp"
#include "observe/accesses.hpp"
#include "observe/hazards/hazard_watch.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/shadow_block.hpp"
#include "observe/undefined/tracker.hpp"

namespace salu::observe {

/// What is known of a wave's registers beside their values.
struct Tracking {
  core::DefinedSet defined;  ///< written by somebody
  core::DefinedSet missing;  ///< what vector instructions that were passed over would have written, and what came of it
  std::array<u64, state_index::defined_count> culprits{};  ///< by `missing`: where that vector instruction is
  HazardState hazards;                                     ///< what the next instructions may come too early for
  /// With `CheckUndefined::bits`, which leaves `missing` to it.
  std::optional<undefined::State> undefined{};
  std::optional<undefined::State> inexact{};  ///< with `FidelityReport::followed`
};

/// Runs a machine one instruction at a time, through the same handlers, and looks at each: for traces and
/// `check_undefined`, and where a vector instruction that is passed over leaves scalar registers undefined.
class ObservedRun {
 public:
  struct Options {
    CheckUndefined check_undefined = CheckUndefined::off;
    bool check_hazards = false;
    std::optional<bool> xnack{};
    std::function<void(const TraceEvent&)> trace;
    std::function<void()> explain_misuse;  ///< called when the machine has noticed some (observe/stack_misuse.hpp)
    std::vector<MemoryRegion> uninitialised{};
    bool follows_inexact = false;
  };
  /// Goes on from where the machine is. `initial`: says what had been written before its first step.
  ObservedRun(core::Machine& machine, Options options, const WaveState& initial);

  /// Until the machine has executed so many instructions since `set_state`, or stops.
  void run(u64 max_steps);
  /// One instruction. Returns how many were executed: none where the run ended in front of it.
  u64 step();

  [[nodiscard]] core::DefinedSet missing() const {
    return tracking_.undefined ? undefined::missing(*tracking_.undefined) : tracking_.missing;
  }
  /// What depends so far on what was not exact, where that is followed.
  [[nodiscard]] std::optional<Affected> affected() const;
  /// At the end of a run: warns of results that are compared and undefined, and takes down what is.
  void end(const RunOptions& compared, Outcome& outcome);
  /// Warns of undefined bits in memory after a regular end, except in compared memory.
  void check_outputs(std::span<const MemoryRegion> compared, std::span<const NamedMemory> names);
  [[nodiscard]] const Tracking& tracking() {
    if (hazards_) tracking_.hazards = hazards_->state();
    return tracking_;
  }
  /// Whom the next instructions are shown to; nobody when it is empty.
  void set_trace(std::function<void(const TraceEvent&)> trace) { options_.trace = std::move(trace); }
  /// For a machine that has been taken elsewhere.
  void set_tracking(const Tracking& tracking) {
    tracking_ = tracking;
    // Origins have other numbers there.
    forget_sites();
    if (hazards_) hazards_->set_state(tracking.hazards);
  }

 private:
  /// Whether there is nothing to see but hazards.
  [[nodiscard]] bool watches_hazards_alone() const;
  [[nodiscard]] bool passes_over() const;
  /// Calls `visit(state)` for what is followed from bit to bit.
  template <class Visit>
  void for_followed(const Visit& visit) {
    if (tracking_.undefined) visit(*tracking_.undefined);
    if (tracking_.inexact) visit(*tracking_.inexact);
  }
  [[nodiscard]] bool follows_any() const { return tracking_.undefined || tracking_.inexact; }
  /// Dwords of the scalar state in which something is not what it should be.
  [[nodiscard]] undefined::ScalarSet followed_scalars() const;
  [[nodiscard]] bool follows_memory() const;
  u64 observe_step(std::size_t warnings);
  u64 execute_one();
  const KnownInstruction* known_at(u64 pc);
  [[nodiscard]] bool may_end_at(u64 pc) const;
  [[nodiscard]] bool is_end(u64 pc) const;
  struct Site;
  struct VectorAccesses;
  const Accesses& vector_accesses(const Site& site);
  void run_to_what_matters(u64 max_steps);
  void step_at(const Site& site, bool has_hazards);
  bool run_blocks(u64 most_steps);
  undefined::ShadowBlock& block_at(u64 pc);
  u64 quiet_end(const Site& site);
  bool matters(u64 address);
  void watch();
  [[nodiscard]] u32 watched_entries(const undefined::ScalarSet& followed) const;
  const Site& site_at(u64 pc);
  void forget_sites();
  void fill(Site& site, u64 pc);
  [[nodiscard]] std::optional<u64> find_missing(const Accesses& accesses) const;
  void set_missing(u32 index, std::optional<u64> culprit);
  void define(const core::DefinedSet* always, std::span<const Location> writes, std::optional<u64> culprit);
  void lose_results(u64 pc);
  void warn_of_missing(u64 pc, const Accesses& accesses, u64 culprit);
  void check_reads(u64 pc, const Accesses& accesses);
  void read_vectors(std::span<const Accesses::Lanes> registers, std::vector<VectorValue>& values) const;
  void read_values(std::span<const Location> locations, std::vector<LocationValue>& values) const;
  [[nodiscard]] u32 csp() const { return machine_.wave().csp(); }
  [[nodiscard]] u64 register_pair(u32 code) const { return machine_.wave().pair(code); }
  /// EXEC and CSP in front of an instruction.
  struct Before {
    u64 exec = 0;
    u32 csp = 0;
    std::size_t warnings = 0;
  };
  void report(u64 pc, const KnownInstruction& known, const Accesses& accesses, std::span<const Location> writes,
              TraceEvent::Skipped skipped, const Before& before);
  [[nodiscard]] StackStep stack_step(u64 pc, const KnownInstruction& known, const Before& before) const;

  core::Machine& machine_;
  Options options_;
  Tracking tracking_;
  std::optional<HazardWatch> hazards_;
  std::unordered_map<u64, KnownInstruction> known_;  ///< by address
  core::Allocation known_allocation_;                ///< when `known_` was filled
  /// What of the state `run_to_what_matters` pauses for.
  struct Watched {
    undefined::ScalarSet scalars;
    bool memory = false;
  } watched_;
  /// What a vector instruction touches, which is the same as long as these are.
  struct VectorAccesses {
    bool is_known = false;
    u64 exec = 0;
    u32 mode = 0;
    u32 status = 0;
    Accesses accesses;
  };
  std::unordered_map<u64, VectorAccesses> vector_accesses_;  ///< by address
  /// What `run_to_what_matters` knows of an address.
  struct Site {
    static constexpr u64 no_pc = 1;  ///< what no instruction has
    u64 pc = no_pc;
    const KnownInstruction* known = nullptr;  ///< null where there is no code
    u64 watch = 0;                            ///< when `matters` was asked
    bool matters = false;                     ///< to what is watched
    bool has_hazards = false;                 ///< it matters to hazards, even where nothing is pending
    bool looks_at_rest = false;               ///< when that was asked
    bool uses_stack = false;                  ///< a fork or a join
    bool is_plain = false;                    ///< all that happens to what is followed is in `plan`
    bool is_vector = false;                   ///< the same is by `known` where vector instructions are executed
    VectorAccesses* vector = nullptr;         ///< where those are kept
    undefined::ShadowBlock* block = nullptr;  ///< of plain ones from there on, once it has been asked for
    u64 quiet_end = 0;                        ///< up to where nothing matters to what is watched; 0: not looked for yet
    undefined::Plan plan{};
  };
  std::vector<Site> sites_;  ///< by the low bits of the address; empty until one is needed
  std::unordered_map<u64, undefined::ShadowBlock> blocks_;  ///< by address
  std::unique_ptr<undefined::ShadowCells> cells_;           ///< of those
  bool blocks_look_at_rest_ = false;                        ///< when they were found
  u64 watch_ = 0;                                           ///< counts what was watched
  u64 sites_version_ = 0;                                   ///< of the code
  Accesses decoded_accesses_;
  // What a step needs, kept so that none has to ask for memory.
  Accesses accesses_;
  std::vector<LocationValue> read_;
  std::vector<LocationValue> written_;
  std::vector<VectorValue> vectors_read_;
  std::vector<VectorValue> vectors_written_;
};

}  // namespace salu::observe
