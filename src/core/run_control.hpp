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

/// The warnings of a run: one for each kind and address; of hazards one for each two instructions.
class WarningLog {
 public:
  /// Whether this is the first of its kind at an address; from now on it is not.
  bool is_new(WarningKind kind, u64 pc) { return seen_.insert(key(kind, pc)).second; }
  /// The same of a hazard, of which one place may have several.
  bool is_new(const Hazard& hazard, u64 pc) {
    return hazards_.emplace(WarningKind::hazard, pc, hazard.id, hazard.producer_pc).second;
  }
  void add(Warning warning);
  /// The one that stops a run under strict, once there is any.
  [[nodiscard]] std::size_t first_that_stops() const;
  void clear() {
    if (!list_.empty()) clear_all();
  }
  [[nodiscard]] const std::vector<Warning>& list() const { return list_; }
  /// Gives one that has none its sentence, and who is to blame for it and who suffers.
  void explain(std::size_t index, std::optional<u64> culprit_pc, u64 victim_pc, std::string detail);
  /// Gives the one that was added last what was undefined.
  void attach(UndefinedRead undefined);
  /// The list as it is now, shared by all who ask before the next warning.
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
  std::set<WarningIdentity> hazards_;
  std::shared_ptr<const std::vector<Warning>> kept_;  ///< the same as `list_`; null when not
};

/// What ends a run or interrupts it.
struct RunControl {
  /// Asked once for each instruction that is decoded, by its address: whether to pause in front of it.
  using PauseFilter = std::function<bool(u64 address)>;

  /// Forgets stop and warnings; how to run stays.
  void reset();
  /// Whether a run may return before it has used its steps up without having stopped.
  [[nodiscard]] bool may_pause() const { return pause_at_scalar_results || pause_filter != nullptr; }

  // ---- how to run ----

  bool strict = false;                   ///< a warning ends the run
  bool pause_at_scalar_results = false;  ///< in front of vector instructions whose scalar results would be missing
  PauseFilter pause_filter;
  u32 paused_entries = 0;  ///< of the control stack, a bit each: in front of what pushes or pops one of these

  // ---- what has come of it ----

  const MicroOp* paused_at = nullptr;  ///< the instruction in front of which the dispatch loop left
  bool stopped = false;
  Stop stop;                            ///< without the instruction's text, which costs more than many a run
  const MicroOp* stopped_op = nullptr;  ///< the instruction that ended the run; null when none did
  bool stopped_before_effect = false;   ///< it faulted and wrote nothing
  bool warning_stop = false;            ///< there was a warning under strict
  bool has_event = false;               ///< that, or a trap, is to be dealt with after the instruction
  bool traps = false;                   ///< an exception or a request to save the context calls for the trap handler
  const MicroOp* left_at = nullptr;     ///< the instruction after which the dispatch loop left for the trap handler
  const MicroOp* left_for = nullptr;    ///< the one that comes next, unless `traps` is set
  u64 return_address = 0;               ///< its address, with `traps`
  WarningLog warnings;
};

}  // namespace salu::core
