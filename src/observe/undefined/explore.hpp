#pragma once

#include <cstddef>
#include <utility>

#include "isa/semantics/leaves.hpp"
#include "observe/undefined/word.hpp"

/// All ways through a semantic function that asks for bits which are undefined, one after the other.
namespace salu::observe::undefined {

using isa::member_count;
using isa::visit_leaves;

/// Takes into a result what came out on another way.
struct Join {
  template <u32 n, bool s>
  constexpr void operator()(Word<n, s>& result, const Word<n, s>& other) const {
    result.undefined |= other.undefined | (result.value ^ other.value);
  }
  constexpr void operator()(Bit& result, const Bit& other) const {
    result.undefined |= other.undefined || result.value != other.value;
  }
};
/// Says that nothing is known of a result.
struct Forget {
  template <u32 n, bool s>
  constexpr void operator()(Word<n, s>& result, const Word<n, s>& /*other*/) const {
    result.undefined = Word<n, s>::all;
  }
  constexpr void operator()(Bit& result, const Bit& /*other*/) const { result.undefined = true; }
};

/// Explores semantic functions, one after the other.
class Exploration {
 public:
  Exploration() : outer_(std::exchange(Ways::current(), &ways_)) {}
  Exploration(const Exploration&) = delete;
  Exploration& operator=(const Exploration&) = delete;
  ~Exploration() { Ways::current() = outer_; }

  /// Begins to call functions on their actual way alone, one after the other.
  void go_straight() { ways_ = {}; }
  /// Whether one of these has decided by an undefined bit, so that there is more than the actual way.
  [[nodiscard]] bool has_parted() const { return ways_.has_asked(); }

  /// Calls a function on all ways that its undefined operands allow. The values of the result are those of the actual
  /// way; what differs on another one, or is undefined on any, is undefined.
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
