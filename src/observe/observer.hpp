#pragma once

#include <salu/run.hpp>

#include <memory>
#include <span>
#include <vector>

#include "core/machine.hpp"
#include "observe/accesses.hpp"
#include "observe/known_instruction.hpp"

namespace salu::observe {

/// One instruction of an observed run, before and after the machine executes it.
struct ObservedStep {
  /// Accesses that depend on the state are stored in `buffer`.
  ObservedStep(const core::Machine& observed, u64 address, const KnownInstruction& instruction, Accesses& buffer);

  /// The accesses of the instruction. The first call must be before the instruction executes.
  const Accesses& accesses();
  /// The places that it wrote; valid after it has executed: a fork that did not split wrote nothing.
  [[nodiscard]] std::span<const Location> writes() const;

  const core::Machine& machine;
  u64 pc;
  const KnownInstruction& known;
  const Assumption* assumed;  ///< its effects, if a scenario assumes them
  bool runs_vector;           ///< a vector instruction that is executed
  u32 csp;                    ///< before it
  std::size_t first_warning;  ///< number of warnings before it
  u64 executed = 0;           ///< 0 if the run stopped before it
  bool enters_trap = false;   ///< the machine went to the trap handler after it and wrote TTMP0 and TTMP1
  TraceEvent::Skipped skipped = TraceEvent::Skipped::no;

 private:
  Accesses& buffer_;
  const Accesses* accesses_ = nullptr;
};

/// True for an address at which the run may end before it executes the instruction.
bool is_end(const Program& program, u64 pc);

/// The code of an observed run, for an observer that executes several instructions at once.
class CodeAhead {
 public:
  /// The instruction at an address; null outside the code.
  virtual const KnownInstruction* known_at(u64 pc) = 0;
  /// The address, in a straight line from `pc`, of the first instruction that another observer must be shown.
  virtual u64 quiet_end(u64 pc) = 0;

 protected:
  CodeAhead() = default;
  CodeAhead(const CodeAhead&) = default;
  CodeAhead(CodeAhead&&) = default;
  CodeAhead& operator=(const CodeAhead&) = default;
  CodeAhead& operator=(CodeAhead&&) = default;
  ~CodeAhead() = default;
};

/// Observes the instructions of a run. To add a check, derive a class and add a line to `make_observers`.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer(Observer&&) = delete;
  Observer& operator=(const Observer&) = delete;
  Observer& operator=(Observer&&) = delete;
  virtual ~Observer() = default;

  /// The instructions that the observer must be shown, in addition to those for which `wants` returns true.
  struct Interest {
    bool all = false;              ///< every instruction, until the interest changes
    bool along = false;            ///< instructions that are shown to other observers
    u32 entries = 0;               ///< forks and joins that push or pop these control stack entries, one bit each
    u64 version = 0;               ///< increases when `wants` changes its answers
    bool follows_machine = false;  ///< `update_interest` must be called after each step of the machine
  };
  [[nodiscard]] const Interest& interest() const { return interest_; }
  virtual void update_interest() {}
  /// True if the observer must be shown an instruction. Called once for each decoded instruction and again for a new
  /// version of the interest; the machine runs at full speed over instructions that no observer wants.
  virtual bool wants(u64 /*address*/, const KnownInstruction& /*known*/) { return false; }

  virtual void before(ObservedStep& /*step*/) {}
  virtual void after(ObservedStep& /*step*/) {}
  /// True if `run_on` may execute an instruction. Called together with `wants`.
  virtual bool runs_on(const KnownInstruction& /*known*/) { return false; }
  /// Makes the machine execute instructions that no other observer must be shown, at most `most_steps`, and observes
  /// them. Returns their number; 0 if the next instruction must be shown.
  virtual u64 run_on(u64 /*most_steps*/, CodeAhead& /*code*/) { return 0; }

  /// Records that part of the state, or of memory, was set from outside the program.
  virtual void define(const Location& /*place*/) {}
  virtual void define(u64 /*address*/, u64 /*size_bytes*/) {}

  /// Takes over what the same observer of another wave of the work-group knows about memory. That one gets it back, by
  /// a call of this function, before its wave runs again.
  virtual void take_memory_of(Observer& /*other*/) {}

  /// Called at the end of a run: warns about results, and adds to the outcome.
  virtual void end(const RunOptions& /*options*/, Outcome& /*outcome*/) {}
  /// Scalar registers whose values depend on the results of skipped vector instructions.
  [[nodiscard]] virtual core::DefinedSet missing() const { return {}; }

  /// A copy of the state of an observer, for reverse execution.
  struct Kept {
    std::shared_ptr<const void> state;
    u64 bytes = 0;
  };
  [[nodiscard]] virtual Kept keep() const { return {}; }
  /// Restores a state; the initial one if `kept` is empty.
  virtual void restore(const Kept& /*kept*/) {}

 protected:
  template <class State>
  static Kept keep_copy(const State& state) {
    return {std::make_shared<const State>(state), sizeof(State)};
  }

  Interest interest_;
};

/// In the order in which instructions are shown to them.
using Observers = std::vector<std::unique_ptr<Observer>>;

}  // namespace salu::observe
