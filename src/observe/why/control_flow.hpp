#pragma once

#include <salu/integer.hpp>

#include <unordered_map>
#include <vector>

#include "core/machine.hpp"

namespace salu::observe {

/// Which decisions an instruction hangs on, as far as the code tells by itself. Code is read from its beginning to its
/// end; what jumps to an address in registers leads out of it.
class ControlFlow {
 public:
  /// Of the code as it stands now. Nothing hangs on anything in programs that are very long.
  explicit ControlFlow(const core::Machine& machine);

  /// Whether one of the ways on from `decision` surely comes to `target`, and another one may not.
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
  std::unordered_map<u32, std::vector<bool>> avoiding_;  ///< by target: what may lead out without coming there
};

}  // namespace salu::observe
