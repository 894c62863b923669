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

/// Who is to blame where forks, joins and the SGPRs below them do not agree.
namespace salu::observe {

/// A run that is repeated to be looked at more closely, up to where the first one is. It does the same again.
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
  /// Goes on to an instruction that the filter picks by its address, and stays in front of one; false at the end.
  virtual bool go_on() = 0;
  /// Executes one instruction.
  virtual void step() = 0;
};

/// Begins to repeat a run, at some point where less than so many forks have pushed; at the start for none.
using Repeat = std::function<std::unique_ptr<Replay>(u64 push)>;

/// Gives the warnings of misuse that the machine has recorded their sentences and their addresses. The run is repeated
/// only where SGPRs of the control stack were overwritten.
void explain_misuse(core::Machine& machine, const Repeat& repeat);

/// Calls a function, which calls `explain_misuse`, after an instruction that misused the control stack. The machine
/// finds misuse without it, so it is shown what other observers are, and comes before those that report warnings.
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
/// The same from a snapshot of the run.
std::unique_ptr<Replay> repeat_run(const Program& program, const core::Machine::Snapshot& from,
                                   const RunOptions& options, u64 steps, u64 push);

}  // namespace salu::observe
