#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "observe/stack_misuse.hpp"
#include "observe/work_groups.hpp"

namespace salu::observe {

/// A register of a wave, or memory as a wave sees it.
struct PlaceOfWave {
  u64 wave = 0;  ///< number
  Location place;
};

/// A completed run with enough kept states to return to any position. A position is the number of instructions executed
/// before it, by all waves.
class Past {
 public:
  Past() = default;
  Past(const Past&) = delete;
  Past(Past&&) = delete;
  Past& operator=(const Past&) = delete;
  Past& operator=(Past&&) = delete;
  virtual ~Past() = default;

  [[nodiscard]] virtual const WorkGroups::Launch& launch() const = 0;
  [[nodiscard]] virtual const RunOptions& options() const = 0;
  /// The last kept state at or before a position. The state of position 0 is always kept.
  [[nodiscard]] virtual const WorkGroups::Kept& kept_before(u64 position) const = 0;

  // ---- changes from outside the program; a kept state includes the changes at its position ----

  /// The next position after `position` at which something was set.
  [[nodiscard]] virtual u64 next_edit(u64 /*position*/) const { return std::numeric_limits<u64>::max(); }
  /// Repeats the changes at a position.
  virtual void edit_again(u64 /*position*/, WorkGroups& /*groups*/) const {}
  /// The places that were set at a position.
  [[nodiscard]] virtual std::vector<PlaceOfWave> edited_at(u64 /*position*/) const { return {}; }
};

/// The waves of a scenario, for the run that `salu::run` executes.
class ScenarioLaunch {
 public:
  /// The scenario must outlive the object.
  explicit ScenarioLaunch(const Scenario& scenario);
  ScenarioLaunch(const ScenarioLaunch&) = delete;
  ScenarioLaunch(ScenarioLaunch&&) = delete;
  ScenarioLaunch& operator=(const ScenarioLaunch&) = delete;
  ScenarioLaunch& operator=(ScenarioLaunch&&) = delete;
  ~ScenarioLaunch() = default;

  [[nodiscard]] const WorkGroups::Launch& launch() const { return launch_; }

 private:
  DispatchedWaves single_;  ///< the wave of a scenario without others
  WorkGroups::Launch launch_;
};

/// A run of several waves without checks, which moves in both directions: forwards by instructions, backwards to kept
/// states.
class PlainRun {
 public:
  /// The launch and the options must outlive the object.
  PlainRun(const WorkGroups::Launch& launch, const RunOptions& options, const Memory& memory);

  /// The wave that executes the next instruction; at the end, the last one that did.
  [[nodiscard]] WorkGroups::Wave& wave() const { return groups_.current(); }
  [[nodiscard]] WorkGroups& groups() { return groups_; }
  [[nodiscard]] const WorkGroups& groups() const { return groups_; }
  [[nodiscard]] u64 position() const { return groups_.steps(); }
  [[nodiscard]] bool ended() const { return groups_.is_stuck() || groups_.is_over(); }
  /// Makes `advance` return before the instructions that a filter selects by their address; an empty one selects none.
  void set_filter(core::Machine::PauseFilter filter);
  /// Runs the current wave, up to a position or the end of its turn at most.
  void advance(u64 position);
  /// Executes one instruction.
  void step();
  [[nodiscard]] std::shared_ptr<const WorkGroups::Kept> keep() { return groups_.keep(false); }
  void restore(const WorkGroups::Kept& kept);
  /// Must be called after changes from outside the program.
  void settle() {
    if (!ended()) groups_.begin_turn();
  }

 private:
  RunOptions options_;
  core::Machine::PauseFilter filter_;
  WorkGroups groups_;
};

/// Repeats the run of a work-group of several waves, for one of its waves. `first`, `count`: the waves of the group.
/// `start`: memory at its start. `steps`: instructions of the wave to repeat at most. Needs a schedule in order of ids,
/// in which work-groups run one after the other.
std::unique_ptr<Replay> repeat_group(const WorkGroups::Launch& launch, const RunOptions& options, u64 first, u64 count,
                                     const Memory& start, u64 wave, u64 steps);

/// The past of a run of `salu::run`, which is repeated for it, up to a number of steps.
class RepeatedPast : public Past {
 public:
  /// The arguments must outlive the object.
  RepeatedPast(const Scenario& scenario, const RunOptions& options, u64 steps);

  [[nodiscard]] const WorkGroups::Launch& launch() const override { return launch_.launch(); }
  [[nodiscard]] const RunOptions& options() const override { return options_; }
  [[nodiscard]] const WorkGroups::Kept& kept_before(u64 position) const override;

 private:
  ScenarioLaunch launch_;
  const RunOptions& options_;
  std::vector<std::shared_ptr<const WorkGroups::Kept>> kept_;  ///< by position
};

/// A run that moves in both directions in a past.
class PastMachine {
 public:
  /// The past must outlive the machine.
  explicit PastMachine(const Past& past);

  /// The wave that executes the next instruction.
  [[nodiscard]] WorkGroups::Wave& wave() const { return run_.wave(); }
  [[nodiscard]] core::Machine& machine() { return run_.wave().machine; }
  [[nodiscard]] const core::Machine& machine() const { return run_.wave().machine; }
  /// Returns the machine of a wave, with the memory until the next move; null if its work-group does not run here.
  [[nodiscard]] const core::Machine* machine_of(u64 wave);
  /// Number of the first wave in the work-group of a wave, which runs here.
  [[nodiscard]] u64 group_of(u64 wave) { return run_.groups().find_wave(wave)->group; }
  [[nodiscard]] const Past& past() const { return past_; }
  [[nodiscard]] u64 position() const { return run_.position(); }
  [[nodiscard]] bool ended() const { return run_.ended(); }
  void set_filter(core::Machine::PauseFilter filter) { run_.set_filter(std::move(filter)); }
  [[nodiscard]] std::shared_ptr<const WorkGroups::Kept> keep() { return run_.keep(); }

  /// Goes to a position, or to the end of the run if that is earlier.
  void go_to(u64 position);
  /// Runs forwards to a position, to the end of a turn, or until the machine pauses at an instruction that the filter
  /// selects.
  void advance(u64 position);
  /// Executes one instruction.
  void step();
  /// Goes to a state of the past that a caller kept.
  void go_to(const WorkGroups::Kept& kept);
  /// Must be called after the machine was used for something else; the next move must be `go_to`.
  void lose_place() { is_lost_ = true; }

 private:
  void arrive();

  const Past& past_;
  PlainRun run_;
  u64 next_edit_ = 0;
  bool is_lost_ = true;
};

}  // namespace salu::observe
