#pragma once

#include <salu/page.hpp>

#include <bitset>
#include <optional>
#include <string>
#include <vector>

#include "page/fork_tree.hpp"
#include "page/last_writes.hpp"
#include "page/listing.hpp"
#include "page/timeline.hpp"
#include "page/tracked_state.hpp"
#include "page/whole_waves.hpp"

namespace salu::page {

/// A step at which a warning appeared first.
struct WarningStep {
  u64 step = 0;
  u64 pc = 0;
  WarningKind kind{};
  std::vector<LastWrite> others;  ///< the other instructions that it names, each with when it had run last by then
};

/// All that a page shows of a run, as far as the trace tells.
class Recording {
 public:
  static constexpr std::size_t most_single_forks = 200;
  static constexpr std::size_t most_merged_forks = 1000;

  Recording(const Scenario& scenario, PageOptions options);

  void add(const TraceEvent& event);

  [[nodiscard]] const Scenario& scenario() const { return *scenario_; }
  [[nodiscard]] const PageOptions& options() const { return options_; }
  /// The counts, with where the last instruction went on when it did not end the run itself.
  [[nodiscard]] ExecutionCounts counts(const Stop& stop) const;
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  /// The registers where the timeline starts.
  [[nodiscard]] const TrackedState& start() const { return start_; }
  /// And where it ends.
  [[nodiscard]] const TrackedState& end() const { return steps_ > options_.last_step ? end_ : state_; }
  /// Every fork by itself or, when there are too many, those at the same place as one.
  [[nodiscard]] const ForkTree& forks() const { return single_.left_out() == 0 ? single_ : merged_; }
  /// Of the whole run.
  [[nodiscard]] u64 splits() const { return splits_; }
  [[nodiscard]] const WholeWaves& whole_waves() const { return whole_waves_; }
  [[nodiscard]] u64 steps() const { return steps_; }
  /// The step at which a warning appeared first; 0 when the trace did not show it.
  [[nodiscard]] u64 step_of(const Warning& warning) const;
  /// The step of the instruction at which the run stopped; one more than there are where it was not executed.
  [[nodiscard]] u64 step_at_end(const Stop& stop) const;
  /// When an instruction that a warning names had run last, as the warning appeared; 0: it had not.
  [[nodiscard]] u64 step_of(const Warning& warning, u64 pc) const;
  /// The forks of the start of the run, each by itself.
  [[nodiscard]] const ForkTree& first_forks() const { return single_; }
  [[nodiscard]] const LastWrites& last_writes() const { return last_writes_; }
  /// Whether the two dwords from this one on have been read and written together only, as `s[4:5]`.
  [[nodiscard]] bool is_pair(u32 index) const;

 private:
  /// Where an instruction went on; only what comes after it tells that it did.
  struct Pending {
    u32 instruction = 0;
    u64 next_pc = 0;
    bool stacked = false;
  };
  void follow_stack(const TraceEvent& event);
  void note_use(std::span<const LocationValue> used);
  [[nodiscard]] const WarningStep* find_step(const Warning& warning) const;

  const Scenario* scenario_;
  PageOptions options_;
  TrackedState state_;
  TrackedState start_;
  TrackedState end_;
  ExecutionCounts counts_;
  Timeline timeline_;
  ForkTree single_{false, most_single_forks};
  ForkTree merged_{true, most_merged_forks};
  std::optional<Pending> pending_;
  std::vector<WarningStep> warnings_;
  LastWrites last_writes_;
  WholeWaves whole_waves_;
  std::bitset<state_index::tba> used_alone_;     ///< dwords of the register file, as one or as more than two
  std::bitset<state_index::tba> used_together_;  ///< and the first ones of two
  u64 splits_ = 0;
  u64 steps_ = 0;
  u64 last_pc_ = 0;
};

}  // namespace salu::page
