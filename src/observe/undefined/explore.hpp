#pragma once

#include <cstddef>
#include <utility>

#include "isa/semantics/leaves.hpp"
#include "observe/undefined/word.hpp"

/// Explores all paths through a semantic function that branches on undefined bits.
namespace salu::observe::undefined {

using isa::member_count;
using isa::visit_leaves;

/// Merges the result of another path into a result.
struct Join {
  template <u32 n, bool s>
  constexpr void operator()(Word<n, s>& result, const Word<n, s>& other) const {
    result.undefined |= other.undefined | (result.value ^ other.value);
  }
  constexpr void operator()(Bit& result, const Bit& other) const {
    result.undefined |= other.undefined || result.value != other.value;
  }
};
/// Makes a result undefined.
struct Forget {
  template <u32 n, bool s>
  constexpr void operator()(Word<n, s>& result, const Word<n, s>& /*other*/) const {
    result.undefined = Word<n, s>::all;
  }
  constexpr void operator()(Bit& result, const Bit& /*other*/) const { result.undefined = true; }
};

/// Explores the paths of semantic functions, one function at a time.
class Exploration {
 public:
  Exploration() : outer_(std::exchange(Ways::current(), &ways_)) {}
  Exploration(const Exploration&) = delete;
  Exploration& operator=(const Exploration&) = delete;
  ~Exploration() { Ways::current() = outer_; }

  /// Starts to call functions on their actual path only.
  void go_straight() { ways_ = {}; }
  /// True if one of these functions has branched on an undefined bit, so that other paths exist.
  [[nodiscard]] bool has_parted() const { return ways_.has_asked(); }

  /// Calls a function on all paths that its undefined operands allow. The result has the values of the actual path;
  /// bits that differ on another path, or are undefined on any, are undefined.
  template <class F>
  auto explore(const F& function) {
    ways_ = {};
    auto result = function();
    while (ways_.next()) {
      ways_.begin();
      visit_leaves(result, function(), Join{});
    }
    if (ways_.gave_up()) visit_leaves(result, decltype(result)(result), Forget{});
    return result;
  }

 private:
  Ways ways_;
  Ways* outer_;
};
template <class F>
auto explore(const F& function) {
  return Exploration().explore(function);
}

}  // namespace salu::observe::undefined
