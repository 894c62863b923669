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

/// Something that forks, joins and the SGPRs below them do not agree on.
struct ForkProblem {
  u64 position = 0;  ///< instructions executed before what is to blame
  u64 pc = 0;
  std::string text;      ///< a sentence without its end
  u64 count = 1;         ///< how often; the first time is the one that is described
  bool is_edit = false;  ///< it was set from outside the program: no instruction is to blame
};

/// Follows a run through the SGPRs in which the control stack lies, and what else the program does with them: a join
/// that pops what no fork pushed, an entry that something else wrote while it waited, a register that a fork pushed
/// over and that is read for what it held before, an entry that was given up because CSP was set, lanes that still wait
/// when the program ends. More than the warnings say (stack_misuse.hpp), and at more cost.
class StackWatch {
 public:
  /// From the start of a run. `events`: its forks and joins and what else changes CSP. Both have to outlive it.
  StackWatch(const core::Machine& machine, const WaveState& initial, const std::vector<ForkEvent>& events);
  StackWatch(const StackWatch&) = delete;
  StackWatch(StackWatch&&) = delete;
  StackWatch& operator=(const StackWatch&) = delete;
  StackWatch& operator=(StackWatch&&) = delete;
  ~StackWatch();

  /// Whether an instruction may touch the stack.
  [[nodiscard]] bool picks(u64 address) const;
  /// In front of one that does; `step` executes it.
  void visit(const std::function<void()>& step);
  /// What went wrong, in order. The same of the same instruction is one problem. At most 50.
  std::vector<ForkProblem> finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu::observe
