#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "core/scheduler.hpp"
#include "core/time_limit.hpp"

namespace salu::observe {

namespace races {
class RaceDetector;
}

/// The waves of work-groups, which share memory and wait for each other at barriers. Each wave has its own machine, and
/// the memory moves to the machine of the wave whose turn it is.
class WorkGroups {
 public:
  /// `own_memory`: the ranges of memory of which every work-group has its own. The program and the options must outlive
  /// the object.
  WorkGroups(const Program& program, const RunOptions& options, std::vector<MemoryRegion> own_memory);
  WorkGroups(const WorkGroups&) = delete;
  WorkGroups(WorkGroups&&) = delete;
  WorkGroups& operator=(const WorkGroups&) = delete;
  WorkGroups& operator=(WorkGroups&&) = delete;
  ~WorkGroups();

  /// Sets the memory with which the run starts. Must be called before the first group is added.
  void set_memory(const Memory& memory);
  /// Starts a work-group, whose own memory is as at the start of the run. `first`: the number of its first wave.
  void add_group(std::span<const DispatchedWave> waves, u64 first);
  /// The number of waves in all work-groups that have not been removed.
  [[nodiscard]] std::size_t wave_count() const { return waves_.size(); }

  /// Runs until all waves of a work-group have ended, a wave stops irregularly, the waves wait for each other forever,
  /// or `max_steps` instructions have been executed in total.
  void run(u64 max_steps, const core::TimeLimit& limit);
  /// Instructions executed by all waves, including those of removed groups.
  [[nodiscard]] u64 steps() const { return steps_; }
  /// True if the run cannot continue.
  [[nodiscard]] bool is_stuck() const { return deadlock_.has_value() || stopped_ != nullptr; }

  /// The results of a wave.
  struct Result {
    u64 number = 0;
    std::string name;
    Outcome outcome;  ///< without memory; a wave that has not ended stops with `step_limit` or `time_limit`
  };
  /// Removes the work-groups whose waves have all ended, and returns the results of their waves.
  std::vector<Result> take_ended();
  /// The results of all waves. The last one is that of the wave that stopped the run, or whose turn it was.
  std::vector<Result> take_all();
  /// The current memory.
  [[nodiscard]] Memory memory();

 private:
  struct Group;
  struct Wave;
  struct Checkpoint;

  void start(Wave& wave, const DispatchedWave& dispatched);
  bool choose_wave();
  bool pass_barriers();
  void move_memory_to(Wave& wave);
  void exchange_own_memory(Group* from, Group& to);
  u64 run_some(u64 most);
  u64 run_turn(u64 most);
  void settle(Wave& wave);
  bool repeats_itself();
  void find_deadlock();
  void explain_misuse(Wave& wave);
  Result finish(Wave& wave);
  [[nodiscard]] std::string list_waves() const;

  const Program& program_;
  const RunOptions& options_;
  std::vector<MemoryRegion> own_memory_;
  Memory start_memory_;
  std::unique_ptr<races::RaceDetector> races_;  ///< with `RunOptions::check_races`, else null
  core::Scheduler scheduler_;
  std::vector<std::unique_ptr<Wave>> all_waves_;
  std::vector<Wave*> unused_waves_;  ///< waves of removed groups, whose machines are used again
  std::vector<Wave*> waves_;         ///< of all groups, in the order of their numbers
  std::vector<u8> ready_;            ///< by index in `waves_`: 1 if the wave can run
  std::vector<std::unique_ptr<Group>> groups_;
  Wave* holder_ = nullptr;   ///< the wave whose machine has the memory
  Wave* current_ = nullptr;  ///< the wave whose turn it is; null between turns
  u64 turn_left_ = 0;        ///< steps
  u64 code_changes_ = 0;     ///< how often a wave has changed the code
  u64 steps_ = 0;
  bool has_ended_group_ = false;
  Wave* stopped_ = nullptr;  ///< a wave that stopped irregularly
  std::optional<Stop> deadlock_;
  std::unique_ptr<Checkpoint> checkpoint_;  ///< an earlier state, to find waves that repeat themselves
};

}  // namespace salu::observe
