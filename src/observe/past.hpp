#pragma once

#include <salu/location.hpp>
#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <limits>
#include <vector>

#include "core/machine.hpp"

namespace salu::observe {

/// A run that is over as far as it is looked at, of which enough is kept to be at any of its positions again. A
/// position is the number of instructions executed before.
class Past {
 public:
  Past() = default;
  Past(const Past&) = delete;
  Past(Past&&) = delete;
  Past& operator=(const Past&) = delete;
  Past& operator=(Past&&) = delete;
  virtual ~Past() = default;

  [[nodiscard]] virtual const Program& program() const = 0;
  [[nodiscard]] virtual const RunOptions& options() const = 0;
  /// The last state that is kept at or before a position. The one of position 0 always is.
  [[nodiscard]] virtual const core::Machine::Snapshot& kept_before(u64 position) const = 0;

  // ---- what was set from outside the program; a kept state has what was set at its position ----

  /// The next position behind one where something was set.
  [[nodiscard]] virtual u64 next_edit(u64 /*position*/) const { return std::numeric_limits<u64>::max(); }
  /// Sets again what was set there.
  virtual void edit_again(u64 /*position*/, core::Machine& /*machine*/) const {}
  /// What was set there.
  [[nodiscard]] virtual std::vector<Location> edited_at(u64 /*position*/) const { return {}; }
};

/// The past of a run of `salu::run`, which is run once more for it, up to a number of steps.
class RepeatedPast : public Past {
 public:
  /// What is given has to outlive it.
  RepeatedPast(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options,
               u64 steps);

  [[nodiscard]] const Program& program() const override { return program_; }
  [[nodiscard]] const RunOptions& options() const override { return options_; }
  [[nodiscard]] const core::Machine::Snapshot& kept_before(u64 position) const override;

 private:
  const Program& program_;
  const RunOptions& options_;
  std::vector<core::Machine::Snapshot> kept_;  ///< by position
};

/// A machine that goes back and forth in a past.
class PastMachine {
 public:
  /// The past has to outlive it.
  explicit PastMachine(const Past& past);

  [[nodiscard]] core::Machine& machine() { return machine_; }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  [[nodiscard]] const Past& past() const { return past_; }
  [[nodiscard]] u64 position() const { return machine_.steps(); }
  [[nodiscard]] bool ended() const { return machine_.stopped(); }

  /// Goes to a position, or to the end of the run where that comes before.
  void go_to(u64 position);
  /// Runs on to a position, as `go_to`, or to where the machine pauses; it does at what a filter picks.
  void advance(u64 position);
  /// Executes one instruction.
  void step();
  /// Goes to a state of the past that somebody kept.
  void go_to(const core::Machine::Snapshot& kept);
  /// The machine has been used for something else: the next move has to be `go_to`.
  void lose_place() { is_lost_ = true; }

 private:
  void arrive();

  const Past& past_;
  core::Machine machine_;
  u64 next_edit_ = 0;
  bool is_lost_ = true;
};

}  // namespace salu::observe
