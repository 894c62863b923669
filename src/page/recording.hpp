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

/// The step at which a warning first appeared.
struct WarningStep {
  u64 step = 0;
  u64 pc = 0;
  WarningKind kind{};
  std::vector<LastWrite> others;  ///< the other instructions of the warning, with their last steps at that time
};

/// The data of a page about a run, from its trace.
class Recording {
 public:
  static constexpr std::size_t most_single_forks = 200;
  static constexpr std::size_t most_merged_forks = 1000;

  /// `wave`: the number of the recorded wave; empty in a run of one.
  Recording(const Scenario& scenario, PageOptions options, std::optional<u64> wave = std::nullopt);

  /// Adds an instruction with its step in the wave. `others`: the steps of other waves before it.
  void add(const TraceEvent& event, u64 others = 0);

  [[nodiscard]] const Scenario& scenario() const { return *scenario_; }
  [[nodiscard]] const PageOptions& options() const { return options_; }
  /// The counts, including the jump of the last instruction if it did not end the run itself.
  [[nodiscard]] ExecutionCounts counts(const Stop& stop) const;
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  /// The registers at the start of the timeline.
  [[nodiscard]] const TrackedState& start() const { return start_; }
  /// The registers at its end.
  [[nodiscard]] const TrackedState& end() const { return steps_ > options_.last_step ? end_ : state_; }
  /// The forks, one by one or, if there are too many, merged by place.
  [[nodiscard]] const ForkTree& forks() const { return single_.left_out() == 0 ? single_ : merged_; }
  /// The number of splits of the whole run.
  [[nodiscard]] u64 splits() const { return splits_; }
  [[nodiscard]] const WholeWaves& whole_waves() const { return whole_waves_; }
  [[nodiscard]] u64 steps() const { return steps_; }
  [[nodiscard]] std::optional<u64> wave() const { return wave_; }
  /// The address of the last instruction.
  [[nodiscard]] u64 last_pc() const { return last_pc_; }
  /// The last step of an instruction up to now; 0: not executed.
  [[nodiscard]] u64 last_step_of(u64 pc) const;
  /// The step at which a warning first appeared; 0 if the trace did not contain it.
  [[nodiscard]] u64 step_of(const Warning& warning) const;
  /// The step of the instruction at which the run stopped; one more than the last if it was not executed.
  [[nodiscard]] u64 step_at_end(const Stop& stop) const;
  /// The last step of an instruction that a warning names, when the warning appeared; 0: not executed.
  [[nodiscard]] u64 step_of(const Warning& warning, u64 pc) const;
  /// The first forks of the run, one by one.
  [[nodiscard]] const ForkTree& first_forks() const { return single_; }
  [[nodiscard]] const LastWrites& last_writes() const { return last_writes_; }
  /// True if the two dwords from this one on were only accessed together, as `s[4:5]`.
  [[nodiscard]] bool is_pair(u32 index) const;

 private:
  /// The last instruction, whose jump is known only from the next event.
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
  std::optional<u64> wave_;
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
  std::bitset<state_index::tba> used_alone_;     ///< dwords accessed alone, or in groups of more than two
  std::bitset<state_index::tba> used_together_;  ///< first dwords of accessed pairs
  u64 splits_ = 0;
  u64 steps_ = 0;
  u64 last_pc_ = 0;
};

}  // namespace salu::page
