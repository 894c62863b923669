#pragma once

#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "observe/fork_event.hpp"

namespace salu::observe {

/// A disagreement between forks, joins and the SGPRs of the control stack.
struct ForkProblem {
  u64 position = 0;  ///< instructions executed before the one that caused it
  u64 pc = 0;
  std::string text;      ///< a sentence without its end
  u64 count = 1;         ///< number of occurrences; the first one is described
  bool is_edit = false;  ///< caused by a change from outside the program, not by an instruction
};

/// Tracks the SGPRs of the control stack during a run, and detects misuse: a join that pops an entry that no fork
/// pushed, an entry that was overwritten while it waited, a register that a fork overwrote and whose old value is
/// needed, an entry that was discarded because CSP was set, lanes that still wait at the end of the program. More
/// detailed than the warnings (stack_misuse.hpp), and slower.
class StackWatch {
 public:
  /// Must begin at the start of a run. `events`: its forks, joins and other changes of CSP. The machine and the events
  /// must outlive the object.
  StackWatch(const core::Machine& machine, const WaveState& initial, const std::vector<ForkEvent>& events);
  StackWatch(const StackWatch&) = delete;
  StackWatch(StackWatch&&) = delete;
  StackWatch& operator=(const StackWatch&) = delete;
  StackWatch& operator=(StackWatch&&) = delete;
  ~StackWatch();

  /// True if an instruction may access the stack.
  [[nodiscard]] bool picks(u64 address) const;
  /// Must be called before such an instruction; `step` executes it.
  void visit(const std::function<void()>& step);
  /// The problems in order, at most 50. Repeated problems of one instruction are counted as one.
  std::vector<ForkProblem> finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu::observe
