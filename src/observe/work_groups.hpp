#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "core/scheduler.hpp"
#include "core/time_limit.hpp"
#include "observe/observed_run.hpp"

namespace salu::observe {

namespace races {
class RaceDetector;
}

/// The waves of a launch, which share memory and wait for the others of their work-group at barriers. Each wave has its
/// own machine, and the memory moves to the machine of the wave whose turn it is. Work-groups run one after the other,
/// or at the same time with `Schedule::concurrent_groups`.
class WorkGroups {
 public:
  /// `waves`: those of the launch, of which the first `count` run. `own_memory`: the ranges of memory of which every
  /// work-group has its own. The references must outlive the object.
  struct Launch {
    const Program& program;
    const DispatchedWaves& waves;
    u64 count = 0;
    std::vector<MemoryRegion> own_memory;
    bool waits_at_barriers = true;  ///< false: a single wave, which stops at a barrier of several
  };
  class Wave;
  /// Creates the observers of a wave that starts. `explain_misuse`, `races`: as for `make_observers`.
  using ObserverFactory =
      std::function<Observers(Wave& wave, std::function<void()> explain_misuse, races::WaveRaces* races)>;

  /// Observers are as the options ask if `make_observers` is empty. The options must outlive the object.
  WorkGroups(Launch launch, const RunOptions& options, Memory memory, ObserverFactory make_observers = {});
  WorkGroups(const WorkGroups&) = delete;
  WorkGroups(WorkGroups&&) = delete;
  WorkGroups& operator=(const WorkGroups&) = delete;
  WorkGroups& operator=(WorkGroups&&) = delete;
  ~WorkGroups();

  /// Runs until all waves of a work-group have ended, a wave stops irregularly, the waves wait for each other forever,
  /// or `max_steps` instructions have been executed in total. Starts the next work-groups if none is left.
  void run(u64 max_steps, const core::TimeLimit& limit);
  /// Instructions executed by all waves, including those of removed groups.
  [[nodiscard]] u64 steps() const { return steps_; }
  /// True if the run cannot continue.
  [[nodiscard]] bool is_stuck() const { return deadlock_.has_value() || stopped_ != nullptr; }
  /// True if all waves of the launch have ended.
  [[nodiscard]] bool is_over() const;

  /// The results of a wave.
  struct Result {
    u64 number = 0;
    std::string name;
    Outcome outcome;  ///< without memory; a wave that has not ended stops with `step_limit` or `time_limit`
  };
  /// Removes the work-groups whose waves have all ended, but not that of the last wave, and returns the results of
  /// their waves.
  std::vector<Result> take_ended();
  /// The results of all waves. The last one is that of the wave that stopped the run, or whose turn it was.
  std::vector<Result> take_all();
  /// The current memory.
  [[nodiscard]] Memory memory();

  // ---- for a caller that moves through the run ----

  /// The waves of the work-groups that have started and not been removed, in the order of their numbers.
  [[nodiscard]] const std::vector<Wave*>& waves() const { return waves_; }
  /// Returns the wave with a number, or null.
  [[nodiscard]] Wave* find_wave(u64 number) const;
  /// Makes the wave whose turn it is the current one and gives it the memory; it can execute an instruction. Removes
  /// work-groups whose waves have all ended, after calls of `before_removal` for each of them, and starts the next
  /// ones. Returns false if no wave can run; the waves of the last work-group are not removed.
  bool begin_turn(const std::function<void(Wave& wave)>& before_removal = {});
  /// The wave of the last turn, or of the current one.
  [[nodiscard]] Wave& current() const { return *current_; }
  /// The instructions that are left in the turn of the current wave; 0 between turns.
  [[nodiscard]] u64 turn_left() const { return turn_left_; }
  /// Records that the machine of the current wave has executed instructions, at most `turn_left`.
  void note_executed(u64 steps);
  /// The wave that stopped irregularly, if any.
  [[nodiscard]] Wave* stopped() const { return stopped_; }
  /// The stop of waves that wait for each other forever.
  [[nodiscard]] const std::optional<Stop>& deadlock() const { return deadlock_; }
  /// Gives a wave the memory, until the next turn begins or continues.
  void show_memory_to(Wave& wave) { move_memory_to(wave); }
  /// Gives the memory back to the current wave.
  void return_memory() { move_memory_to(*current_); }

  /// The state of a run, to return to it.
  struct Kept;
  /// `with_observers`: includes the states of the observers.
  [[nodiscard]] std::shared_ptr<const Kept> keep(bool with_observers);
  /// Returns to a state of this run, or of another run of the same launch. The observers are reset if the state does
  /// not include theirs. With checks for races: only to the start of the run.
  void restore(const Kept& kept);

 private:
  struct Group;
  struct Checkpoint;

  bool start_groups();
  void add_group(std::span<const DispatchedWave> waves, u64 first);
  Wave& take_wave(u64 number, const DispatchedWave& dispatched, Group& group);
  void start(Wave& wave);
  void observe(Wave& wave);
  void start_races();
  bool choose_wave();
  void move_memory_to(Wave& wave);
  void exchange_own_memory(Group* from, Group& to);
  void note_code_changes(Wave& wave);
  u64 run_some(u64 most);
  u64 run_turn(u64 most);
  void settle(Wave& wave);
  void forget_checkpoint();
  bool repeats_itself();
  void find_deadlock();
  void explain_misuse(Wave& wave);
  Result finish(Wave& wave);
  [[nodiscard]] bool is_removable(const Group& group) const;
  void remove_ended();
  [[nodiscard]] bool has_waves_of(const Kept& kept) const;
  [[nodiscard]] std::string list_waves() const;

  Launch launch_;
  const RunOptions& options_;
  ObserverFactory make_observers_;
  Memory start_memory_;
  std::unique_ptr<races::RaceDetector> races_;  ///< with `RunOptions::check_races`, else null
  core::Scheduler scheduler_;
  std::vector<std::unique_ptr<Wave>> all_waves_;  ///< those without a group can be used again
  std::vector<Wave*> waves_;                      ///< of all groups, in the order of their numbers
  std::vector<u8> ready_;                         ///< by index in `waves_`: 1 if the wave can run
  std::vector<std::unique_ptr<Group>> groups_;
  u64 next_ = 0;                         ///< the next wave to start
  std::optional<DispatchedWave> begun_;  ///< this wave
  Wave* holder_ = nullptr;               ///< the wave whose machine has the memory
  Wave* current_ = nullptr;              ///< the wave whose turn it is, or was
  u64 turn_left_ = 0;                    ///< steps
  u64 code_changes_ = 0;                 ///< how often a wave has changed the code
  bool has_changed_code_ = false;
  u64 steps_ = 0;
  bool has_ended_group_ = false;
  Wave* stopped_ = nullptr;  ///< a wave that stopped irregularly
  std::optional<Stop> deadlock_;
  std::shared_ptr<const Checkpoint> checkpoint_;  ///< an earlier state, to find waves that repeat themselves
  u64 rounds_ = 0;                                ///< since the last progress of a wave
  u64 next_checkpoint_ = 1;                       ///< the round after which the state is saved again
};

/// A wave of a launch.
class WorkGroups::Wave {
 public:
  enum class Status : u8 { ready, waits, ended };

  Wave(const Launch& launch, const RunOptions& options);

  core::Machine machine;
  std::optional<ObservedRun> observed;
  u64 number = 0;
  u64 group = 0;     ///< number of the first wave of its work-group
  std::string name;  ///< `wave 1 of work-group [2, 0, 0]`
  Status status = Status::ready;
  WaveState initial;

 private:
  friend class WorkGroups;

  Group* group_ = nullptr;
  u64 steps_of_others_ = 0;  ///< before the current turn: the numbers in a trace count all waves
  // Of the time when the machine last had the memory:
  u64 code_changes_ = 0;
  u64 code_version_ = 0;
};

struct WorkGroups::Kept {
  struct OneWave {
    u64 number = 0;
    Wave::Status status{};
    core::Machine::Snapshot state;  ///< without memory
    ObservedRun::Kept observers;    ///< empty if not kept
  };
  struct OneGroup {
    std::vector<OneWave> waves;
    std::optional<std::size_t> holder;  ///< index in `waves`
    Memory start;
    Memory own;
  };
  std::vector<OneGroup> groups;
  Memory memory;
  core::Scheduler scheduler{Schedule{}};
  u64 next = 0;
  u64 current = 0;  ///< number of the wave
  u64 holder = 0;
  u64 turn_left = 0;
  u64 steps = 0;
  std::optional<Stop> deadlock;
  std::shared_ptr<const Checkpoint> checkpoint;
  u64 rounds = 0;
  u64 next_checkpoint = 1;

  /// Returns the wave with a number, or null.
  [[nodiscard]] const OneWave* find(u64 number) const;
};

}  // namespace salu::observe
