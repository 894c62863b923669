#pragma once

#include <salu/integer.hpp>

#include <unordered_map>
#include <vector>

#include "core/machine.hpp"

namespace salu::observe {

/// Control dependence of instructions, derived from the code. Jumps to addresses in registers are treated as leaving
/// the code.
class ControlFlow {
 public:
  /// Analyses the current code. Very long programs are not analysed: nothing is then control dependent.
  explicit ControlFlow(const core::Machine& machine);

  /// True if one successor of `decision` always leads to `target`, and another may not.
  [[nodiscard]] bool decides(u64 decision, u64 target);

 private:
  struct Node {
    std::vector<u32> next;
    std::vector<u32> before;
    bool leads_out = false;
  };

  const std::vector<bool>& avoiding(u32 target);

  std::unordered_map<u64, u32> numbers_;  ///< by address
  std::vector<Node> nodes_;
  std::unordered_map<u32, std::vector<bool>> avoiding_;  ///< by target: nodes that may leave the code without it
};

}  // namespace salu::observe
