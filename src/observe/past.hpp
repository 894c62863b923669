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

/// A completed run with enough kept states to return to any position. A position is the number of instructions executed
/// before it.
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
  /// The last kept state at or before a position. The state of position 0 is always kept.
  [[nodiscard]] virtual const core::Machine::Snapshot& kept_before(u64 position) const = 0;

  // ---- changes from outside the program; a kept state includes the changes at its position ----

  /// The next position after `position` at which something was set.
  [[nodiscard]] virtual u64 next_edit(u64 /*position*/) const { return std::numeric_limits<u64>::max(); }
  /// Repeats the changes at a position.
  virtual void edit_again(u64 /*position*/, core::Machine& /*machine*/) const {}
  /// The places that were set at a position.
  [[nodiscard]] virtual std::vector<Location> edited_at(u64 /*position*/) const { return {}; }
};

/// The past of a run of `salu::run`, which is repeated for it, up to a number of steps.
class RepeatedPast : public Past {
 public:
  /// The arguments must outlive the object.
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

/// A machine that moves in both directions in a past.
class PastMachine {
 public:
  /// The past must outlive the machine.
  explicit PastMachine(const Past& past);

  [[nodiscard]] core::Machine& machine() { return machine_; }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  [[nodiscard]] const Past& past() const { return past_; }
  [[nodiscard]] u64 position() const { return machine_.steps(); }
  [[nodiscard]] bool ended() const { return machine_.stopped(); }

  /// Goes to a position, or to the end of the run if that is earlier.
  void go_to(u64 position);
  /// Runs forwards to a position, like `go_to`, or until the machine pauses at an instruction that a filter selects.
  void advance(u64 position);
  /// Executes one instruction.
  void step();
  /// Goes to a state of the past that a caller kept.
  void go_to(const core::Machine::Snapshot& kept);
  /// Must be called after the machine was used for something else; the next move must be `go_to`.
  void lose_place() { is_lost_ = true; }

 private:
  void arrive();

  const Past& past_;
  core::Machine machine_;
  u64 next_edit_ = 0;
  bool is_lost_ = true;
};

}  // namespace salu::observe
