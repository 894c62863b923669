#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <functional>
#include <memory>
#include <utility>

#include "core/machine.hpp"
#include "observe/observer.hpp"

/// Finds the instruction that caused a disagreement between forks, joins and the SGPRs of the control stack.
namespace salu::observe {

/// A deterministic repetition of a run, up to the current position of the original.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay(Replay&&) = delete;
  Replay& operator=(const Replay&) = delete;
  Replay& operator=(Replay&&) = delete;
  virtual ~Replay() = default;

  [[nodiscard]] virtual const core::Machine& machine() const = 0;
  using Filter = std::function<bool(u64 address)>;
  virtual void set_filter(Filter filter) = 0;
  /// Runs to the next instruction that the filter selects by its address, and stops before it; false at the end.
  virtual bool go_on() = 0;
  /// Executes one instruction.
  virtual void step() = 0;
};

/// Starts a repetition of a run at a point before the push with this number; at the start for 0. Returns null if the
/// run cannot be repeated.
using Repeat = std::function<std::unique_ptr<Replay>(u64 push)>;

/// Fills in the texts and addresses of the misuse warnings of the machine. The run is repeated only if SGPRs of the
/// control stack were overwritten.
void explain_misuse(core::Machine& machine, const Repeat& repeat);

/// Calls a function, which calls `explain_misuse`, after an instruction that misused the control stack. The machine
/// detects misuse itself, so this observer does not select instructions; it comes before the observers that report
/// warnings.
class MisuseExplainer : public Observer {
 public:
  MisuseExplainer(const core::Machine& machine, std::function<void()> explain)
      : machine_(machine), explain_(std::move(explain)) {
    interest_.along = explain_ != nullptr;
  }
  void after(ObservedStep& /*step*/) override {
    if (!machine_.misuses().empty()) explain_();
  }

 private:
  const core::Machine& machine_;
  std::function<void()> explain_;
};

/// Repeats a run of `salu::run` up to a number of steps.
std::unique_ptr<Replay> repeat_run(const Program& program, const WaveState& initial, const Memory& memory,
                                   const RunOptions& options, u64 steps, u64 push);
/// Repeats a run from a snapshot.
std::unique_ptr<Replay> repeat_run(const Program& program, const core::Machine::Snapshot& from,
                                   const RunOptions& options, u64 steps, u64 push);

}  // namespace salu::observe
