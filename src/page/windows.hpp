#pragma once

#include <salu/integer.hpp>
#include <salu/scenario.hpp>

#include <span>
#include <string_view>
#include <vector>

#include "page/listing.hpp"
#include "page/timeline.hpp"
#include "page/tracked_state.hpp"
#include "page/whole_waves.hpp"

namespace salu::page {

/// A range of steps shown one by one, while columns of the timelines have many.
struct StepRange {
  u64 first = 0;  ///< counts from 1
  u64 last = 0;
  std::vector<std::string_view> why;  ///< `start`, `end`, `finding`, `fork`, `write`: each once
};

/// Selects ranges up to a number of steps. Earlier requests take precedence.
class WindowChooser {
 public:
  /// Selects within steps `first` to `last`.
  WindowChooser(u64 first, u64 last, u64 most_steps) : first_(first), last_(last), left_(most_steps) {}

  void want(u64 step, u64 before, u64 after, std::string_view why);

  /// The ranges in order, with gaps between them.
  [[nodiscard]] std::vector<StepRange> ranges() const;

 private:
  u64 first_;
  u64 last_;
  u64 left_;
  std::vector<StepRange> wanted_;
};

/// The recording of a range.
struct Window {
  StepRange range;
  TrackedState start;  ///< the registers before its first step
  Timeline timeline;   ///< one column per step
};

/// Runs the scenario again, at full speed between the ranges. Runs are deterministic, so the steps are those of the
/// first run. `counts` numbers their instructions; `whole_waves` are the sections that the first run entered.
std::vector<Window> record_windows(const Scenario& scenario, const ExecutionCounts& counts,
                                   const WholeWaves& whole_waves, std::span<const StepRange> ranges);

/// Records the ranges of one of several waves, from its trace in another run. Steps are those of the wave.
class WindowRecorder {
 public:
  /// `counts` and `whole_waves` are as for `record_windows`, and must outlive the object.
  WindowRecorder(const WaveState& initial, const ExecutionCounts& counts, const WholeWaves& whole_waves,
                 std::vector<StepRange> ranges);

  /// Adds the next instruction. `others`: the steps of other waves before it.
  void add(const TraceEvent& event, u64 others);
  [[nodiscard]] std::span<const Window> windows() const { return windows_; }

 private:
  TrackedState state_;
  const ExecutionCounts& counts_;
  const WholeWaves& whole_waves_;
  std::vector<StepRange> ranges_;
  std::vector<Window> windows_;
};

}  // namespace salu::page
