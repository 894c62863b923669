#pragma once

#include <salu/outcome.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/micro_op.hpp"

namespace salu::core {

/// The warnings of a run: one for each kind and address; hazards and races once for each pair of instructions.
class WarningLog {
 public:
  /// True for the first warning of its kind at an address; records it.
  bool is_new(WarningKind kind, u64 pc) { return seen_.insert(key(kind, pc)).second; }
  /// The same for a hazard, of which an instruction can have several.
  bool is_new(const Hazard& hazard, u64 pc) {
    return pairs_.emplace(WarningKind::hazard, pc, hazard.id, hazard.producer_pc).second;
  }
  /// The same for a data race or a barrier divergence.
  bool is_new(WarningKind kind, const Race& race, u64 pc) {
    return pairs_.emplace(kind, pc, std::string_view(), race.other_pc).second;
  }
  /// True if the list has a warning of a kind at an address; not for hazards.
  [[nodiscard]] bool has(WarningKind kind, u64 pc) const { return seen_.contains(key(kind, pc)); }
  void add(Warning warning);
  /// The first warning that stops a run under strict, if any.
  [[nodiscard]] std::size_t first_that_stops() const;
  void clear() {
    if (!list_.empty()) clear_all();
  }
  [[nodiscard]] const std::vector<Warning>& list() const { return list_; }
  /// Fills in the text, producer and consumer of a pending warning.
  void explain(std::size_t index, std::optional<u64> culprit_pc, u64 victim_pc, std::string detail);
  /// Adds the undefined data to the last warning.
  void attach(UndefinedRead undefined);
  /// Adds the race to the last warning.
  void attach(Race race);
  /// The current list, shared by all callers until the next warning.
  [[nodiscard]] std::shared_ptr<const std::vector<Warning>> kept();
  void restore(const std::shared_ptr<const std::vector<Warning>>& kept);

 private:
  void clear_all();
  static constexpr u64 key(WarningKind kind, u64 pc) {
    constexpr u32 kind_bits = 4;
    return pc << kind_bits | static_cast<u64>(kind);
  }

  std::vector<Warning> list_;
  std::unordered_set<u64> seen_;
  std::set<WarningIdentity> pairs_;                   ///< of hazards and races
  std::shared_ptr<const std::vector<Warning>> kept_;  ///< a copy of `list_`, or null
};

/// The conditions that end or interrupt a run, and the result.
struct RunControl {
  /// Called with the address of each decoded instruction; returns true to pause before it.
  using PauseFilter = std::function<bool(u64 address)>;

  /// Forgets stop and warnings; keeps the settings.
  void reset();
  /// True if a run may return before it has used its budget and without a stop.
  [[nodiscard]] bool may_pause() const { return pause_at_scalar_results || pause_filter != nullptr; }

  // ---- settings ----

  bool strict = false;                   ///< a warning ends the run
  bool pause_at_scalar_results = false;  ///< pause before vector instructions whose scalar results would be missing
  PauseFilter pause_filter;
  bool waits_at_barriers = false;  ///< a barrier makes the wave wait; otherwise a wave with others stops there
  u32 paused_entries = 0;          ///< of the control stack, one bit each: pause before they are pushed or popped

  // ---- results ----

  const MicroOp* paused_at = nullptr;  ///< the instruction before which the dispatch loop paused
  bool stopped = false;
  Stop stop;                            ///< without the text of the instruction, which takes longer than many runs
  const MicroOp* stopped_op = nullptr;  ///< the instruction that ended the run; null when none did
  bool stopped_before_effect = false;   ///< it faulted and had no effect
  bool warning_stop = false;            ///< there was a warning under strict
  bool has_event = false;               ///< a warning stop or a trap must be handled after the instruction
  bool traps = false;                   ///< an exception or a request for a context save calls for the trap handler
  bool waits = false;                   ///< the wave waits at a barrier, which it has executed
  const MicroOp* left_at = nullptr;     ///< the instruction after which the dispatch loop left for a trap or barrier
  const MicroOp* left_for = nullptr;    ///< the next instruction, unless `traps` is set
  u64 return_address = 0;               ///< its address, with `traps`
  WarningLog warnings;
};

}  // namespace salu::core
