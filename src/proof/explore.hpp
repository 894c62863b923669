#pragma once

#include "isa/semantics/leaves.hpp"
#include "proof/word.hpp"

namespace salu::proof {

/// Merges the results of two paths.
struct Joined {
  template <u32 n, bool s>
  void operator()(Word<n, s>& result, const Word<n, s>& other) const {
    result = Word<n, s>::of(terms.select(condition, result.as_term(), other.as_term()));
  }
  void operator()(Bit& result, const Bit& other) const {
    result = Bit::of(terms.select(condition, result.as_term(), other.as_term()));
  }
  Terms& terms;
  TermId condition;
};

/// Calls a semantic function on all its paths.
template <class F>
auto explore(Making& making, const F& function) {
  return making.explore(function, [&making](TermId condition, auto& result, const auto& other) {
    isa::visit_leaves(result, other, Joined{making.terms(), condition});
  });
}

}  // namespace salu::proof
