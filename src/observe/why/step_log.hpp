#pragma once

#include <salu/location.hpp>

#include <bit>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "observe/known_instruction.hpp"
#include "observe/past.hpp"

namespace salu::observe {

/// The writes of the instructions in a part of a run, for a backward search.
class StepLog {
 public:
  /// A wave, and the first wave of its work-group, by number.
  struct Executor {
    u64 wave = 0;
    u64 group = 0;
  };

  /// The past must outlive the log.
  explicit StepLog(const Past& past) : run_(past) {}

  /// Runs from one position to another and records the writes.
  void record(u64 first, u64 end);
  [[nodiscard]] u64 first() const { return first_; }
  [[nodiscard]] u64 end() const { return first_ + steps_.size(); }

  [[nodiscard]] const KnownInstruction& instruction_at(u64 position) const { return *at(position).known; }
  [[nodiscard]] u64 pc_at(u64 position) const { return at(position).pc; }
  /// The wave that executes it, and the first wave of its work-group.
  [[nodiscard]] const Executor& executor_at(u64 position) const { return at(position).executor; }
  /// Calls `visit(place)` for each dword that the instruction at a position wrote, except the PC.
  template <class Visit>
  void visit_writes(u64 position, const Visit& visit) const;

  /// The machine at the end of the recorded part, until it is moved.
  [[nodiscard]] const core::Machine& machine() const { return run_.machine(); }
  /// The run there, or where the last call of `machine_at` has moved it.
  [[nodiscard]] PastMachine& run() { return run_; }
  /// The machine of the wave that executes an instruction of that part, or of the next one at its end, before it.
  core::Machine& machine_at(u64 position);

  /// Finds the last instruction or edit in a part of the run that may have written one of the searched places, and
  /// returns the position after it; nothing if none did. `may_write` selects instructions by address: the run is as
  /// fast as the machine if it selects few. Discards the recorded part.
  using MayWrite = std::function<bool(u64 address, const KnownInstruction& instruction)>;
  using Writes = std::function<bool(const Executor& executor, u64 address, const Accesses& accesses)>;
  std::optional<u64> find_last(u64 first, u64 end, const MayWrite& may_write, const Writes& writes);

 private:
  struct LoggedStep {
    const KnownInstruction* known = nullptr;
    u64 pc = 0;
    Executor executor;
    std::optional<u32> own;  ///< in `own_`, if its writes depend on the state
    bool wrote = true;
  };

  [[nodiscard]] const LoggedStep& at(u64 position) const { return steps_[static_cast<std::size_t>(position - first_)]; }
  void drop_steps();
  /// Frees cached instructions if there are many. No step may refer to one.
  void drop_known();
  const KnownInstruction* known_at(u64 pc);
  template <class Visit>
  static void visit_dwords(const Accesses& accesses, const Visit& visit);

  PastMachine run_;
  u64 first_ = 0;
  std::vector<LoggedStep> steps_;
  std::vector<Accesses> own_;
  std::vector<std::shared_ptr<const WorkGroups::Kept>> kept_;  ///< kept states, by position
  std::deque<KnownInstruction> all_known_;                     ///< entries stay valid while a step may refer to them
  std::unordered_map<u64, const KnownInstruction*> known_;
};

template <class Visit>
void StepLog::visit_dwords(const Accesses& accesses, const Visit& visit) {
  for (const Location& location : accesses.writes) {
    for (u32 i = 0; i < location.dwords; ++i) {
      visit(location.is_memory() ? Location::in_memory((location.address & ~u64{3}) + u64{i} * 4)
                                 : Location{location.index + i});
    }
  }
  for (const Accesses::Lanes& vector : accesses.vectors_written) {
    const u32 lane_0 = RegisterName::in_vectors(vector.number).index;
    for (u64 left = vector.lanes; left != 0; left &= left - 1)
      visit(Location{lane_0 + static_cast<u32>(std::countr_zero(left))});
  }
}

template <class Visit>
void StepLog::visit_writes(u64 position, const Visit& visit) const {
  const LoggedStep& step = at(position);
  if (!step.wrote) return;
  visit_dwords(step.own ? own_[*step.own] : *step.known->fixed_accesses(), visit);
}

}  // namespace salu::observe
