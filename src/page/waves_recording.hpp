#pragma once

#include <salu/page.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/work_groups.hpp"
#include "page/last_writes.hpp"
#include "page/recording.hpp"

namespace salu::page {

/// A barrier at which a wave waited for others.
struct BarrierWait {
  u64 step = 0;                          ///< of its S_BARRIER
  u64 others = 0;                        ///< steps of other waves before it
  bool passed = false;                   ///< the other waves of the work-group have come to a barrier or ended
  u64 continues = 0;                     ///< step of the run at which the wave continued; 0: it did not
  std::vector<std::pair<u64, u64>> ran;  ///< the waves that ran in between, up to a limit, with their steps
  u64 unnamed = 0;                       ///< steps of others
};

/// A recorded wave of a run of several.
struct RecordedWave {
  RecordedWave(const Scenario& of_run, u64 its_number, const DispatchedWave& dispatched, const PageOptions& options);
  RecordedWave(const RecordedWave&) = delete;
  RecordedWave(RecordedWave&&) = delete;
  RecordedWave& operator=(const RecordedWave&) = delete;
  RecordedWave& operator=(RecordedWave&&) = delete;
  ~RecordedWave() = default;

  u64 number;
  std::string name;
  std::pair<u64, u64> group;  ///< the first wave of its work-group, and the one after the last
  Scenario scenario;          ///< that of the run, with the initial state of the wave
  Recording recording;
  std::vector<BarrierWait> barriers;
  u64 more_barriers = 0;                                     ///< the number of omitted ones
  std::optional<BarrierWait> open;                           ///< the barrier at which it is, or was at the end
  std::vector<std::pair<WarningIdentity, u64>> other_steps;  ///< of races: the step of the other wave
  Outcome outcome;                                           ///< without memory
  bool is_over = false;                                      ///< false: it had not ended at the end of the run
};

/// A warning of a wave that is not recorded.
struct UnrecordedWarning {
  u64 wave = 0;
  Warning warning;
};

/// Runs a scenario with several waves, and records some of them: a chosen one, those that race, those of its
/// work-group, and others up to a limit.
class WavesRecording {
 public:
  /// Each takes a few megabytes of memory, and up to one or two of the page.
  static constexpr std::size_t most_waves = 16;

  /// `scenario` must outlive the object.
  WavesRecording(const Scenario& scenario, PageOptions options) : scenario_(&scenario), options_(std::move(options)) {}

  Outcome run(const RunOptions& options);

  [[nodiscard]] const Scenario& scenario() const { return *scenario_; }
  /// In the order of their numbers.
  [[nodiscard]] const std::vector<std::unique_ptr<RecordedWave>>& waves() const { return waves_; }
  /// Returns null for a wave that is not recorded.
  [[nodiscard]] const RecordedWave* find(u64 number) const;
  /// The wave that the page shows first.
  [[nodiscard]] const RecordedWave& shown() const { return *find(shown_); }
  /// The wave that stopped the run, if it ended irregularly.
  [[nodiscard]] std::optional<u64> stopped() const { return seen_.stopped; }
  /// The wave whose state is that of the run.
  [[nodiscard]] u64 reported() const { return seen_.last; }
  /// The number of all waves.
  [[nodiscard]] u64 count() const { return dispatched().count; }
  /// The last write to memory, with its step in its wave; the step is 0 if the wave is not recorded.
  [[nodiscard]] LastWrite last_write(const Location& place) const;
  [[nodiscard]] const std::vector<UnrecordedWarning>& unrecorded_warnings() const { return unrecorded_; }
  /// True if a wave waits at a barrier at the end of the run.
  [[nodiscard]] bool waits(u64 number) const { return number < progress_.size() && progress_[number].waits; }

  /// Runs the scenario again. Calls `see` with each instruction of the recorded waves, its step in the wave, and the
  /// number of steps of other waves before it.
  void run_again(const std::function<void(const TraceEvent& event, u64 others)>& see) const;

 private:
  /// What the results of the waves tell.
  struct Seen {
    std::optional<u64> stopped;
    std::optional<u64> warned;
    std::vector<u64> racing;
    u64 last = 0;
  };
  struct Progress {
    u64 steps = 0;
    bool waits = false;
  };

  [[nodiscard]] const DispatchedWaves& dispatched() const;
  void see(Seen& seen, const observe::WorkGroups::Result& result) const;
  [[nodiscard]] static u64 choice(const Seen& seen);
  void choose(const RunOptions& options);
  void record(u64 number);
  [[nodiscard]] std::pair<u64, u64> group_of(u64 number) const;
  void add(const TraceEvent& event);
  void end_turn();
  void pass_barrier(u64 number);
  [[nodiscard]] bool is_barrier(const TraceEvent& event);
  void take(const observe::WorkGroups::Result& result);

  const Scenario* scenario_;
  PageOptions options_;
  RunOptions run_options_;
  std::vector<std::unique_ptr<RecordedWave>> waves_;
  std::unordered_map<u64, RecordedWave*> by_number_;
  std::vector<Progress> progress_;  ///< of all waves
  u64 turn_wave_ = 0;
  u64 turn_steps_ = 0;
  std::unordered_map<u64, bool> barriers_;  ///< by address
  LastWrites memory_writes_;                ///< with steps of the run
  std::vector<UnrecordedWarning> unrecorded_;
  Seen seen_;
  u64 shown_ = 0;
};

}  // namespace salu::page
