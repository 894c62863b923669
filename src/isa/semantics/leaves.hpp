#pragma once

#include <cstddef>

/// The words and bits that the result of a semantic function consists of, for other kinds of words
/// (isa/semantics/words.hpp).
namespace salu::isa {

/// Converts to a member of any type; used to count the members of an aggregate.
struct AnyMember {
  template <class T>
  // NOLINTNEXTLINE(google-explicit-constructor): the implicit conversion is its purpose.
  operator T() const;
};
template <class T, class... Members>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; })
    return member_count<T, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

/// Calls `visit(leaf, leaf of other)` for every word and every bit (types with `is_leaf`) in a result and in another
/// result of the same type.
template <class R, class Visit>
constexpr void visit_leaves(R& result, const R& other, const Visit& visit) {
  const auto each = [&visit](auto& a, const auto& b) { visit_leaves(a, b, visit); };
  if constexpr (requires { R::is_leaf; }) {
    visit(result, other);
  } else if constexpr (member_count<R>() == 1) {
    auto& [a] = result;
    const auto& [x] = other;
    each(a, x);
  } else if constexpr (member_count<R>() == 2) {
    auto& [a, b] = result;
    const auto& [x, y] = other;
    each(a, x);
    each(b, y);
  } else if constexpr (member_count<R>() == 3) {
    auto& [a, b, c] = result;
    const auto& [x, y, z] = other;
    each(a, x);
    each(b, y);
    each(c, z);
  } else if constexpr (member_count<R>() == 4) {
    auto& [a, b, c, d] = result;
    const auto& [x, y, z, w] = other;
    each(a, x);
    each(b, y);
    each(c, z);
    each(d, w);
  } else {
    static_assert(member_count<R>() == 0);
  }
}

}  // namespace salu::isa
