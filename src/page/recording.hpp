#pragma once

#include <salu/page.hpp>

#include <optional>
#include <string>
#include <vector>

#include "page/fork_tree.hpp"
#include "page/listing.hpp"
#include "page/timeline.hpp"
#include "page/tracked_state.hpp"

namespace salu::page {

/// A step at which a warning appeared first.
struct WarningStep {
  u64 step = 0;
  u64 pc = 0;
  WarningKind kind{};
};

/// All that a page shows of a run, as far as the trace tells.
class Recording {
 public:
  static constexpr std::size_t most_single_forks = 200;
  static constexpr std::size_t most_merged_forks = 1000;

  Recording(const Scenario& scenario, const PageOptions& options);

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
  [[nodiscard]] u64 steps() const { return steps_; }
  /// The step at which a warning appeared first; 0 when the trace did not show it.
  [[nodiscard]] u64 step_of(const Warning& warning) const;

 private:
  /// Where an instruction went on; only what comes after it tells that it did.
  struct Pending {
    u32 instruction = 0;
    u64 next_pc = 0;
    bool stacked = false;
  };
  void follow_stack(const TraceEvent& event);

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
  u64 splits_ = 0;
  u64 steps_ = 0;
};

}  // namespace salu::page
