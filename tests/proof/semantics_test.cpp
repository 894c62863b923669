#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/semantics/all.hpp"
#include "isa/semantics/leaves.hpp"
#include "isa/semantics/signature.hpp"
#include "proof/semantics.hpp"
#include "repetitions.hpp"

// The semantic functions over terms compute the same as the machine's functions.
namespace salu::proof {
namespace {

class Values {
 public:
  u64 draw() {
    switch (random_() % 5) {
      case 0:
        return random_() % 70;
      case 1:
        return u64{1} << random_() % 64;
      case 2:
        return ~(random_() % 5);
      case 3:
        return random_() & random_();
      default:
        return random_();
    }
  }

 private:
  std::mt19937_64 random_{7};
};

/// A new input as a word, a bit, or a structure around one of these.
template <class T>
T symbol(Terms& terms, std::vector<u32>& widths) {
  const auto number = static_cast<u32>(widths.size());
  if constexpr (std::same_as<T, Bit>) {
    widths.push_back(1);
    return Bit::of(terms.input(1, number));
  } else if constexpr (WordTraits<T>::is_there) {
    widths.push_back(WordTraits<T>::bits);
    return T::of(terms.input(WordTraits<T>::bits, number));
  } else {
    T made{};
    made.value = symbol<decltype(made.value)>(terms, widths);
    return made;
  }
}
/// The machine's argument for the value of such an input.
template <class T>
T actual(u64 value) {
  if constexpr (std::same_as<T, bool>) {
    return (value & 1) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(value);
  } else {
    T made{};
    made.value = actual<decltype(made.value)>(value);
    return made;
  }
}

/// The words and bits of a result in the order of its members.
template <class R>
void collect(const R& result, std::vector<u64>& values) {
  if constexpr (std::is_same_v<R, bool>) {
    values.push_back(result ? 1 : 0);
  } else if constexpr (std::is_integral_v<R>) {
    values.push_back(static_cast<u64>(static_cast<std::make_unsigned_t<R>>(result)));
  } else if constexpr (isa::member_count<R>() == 1) {
    const auto& [a] = result;
    collect(a, values);
  } else if constexpr (isa::member_count<R>() == 2) {
    const auto& [a, b] = result;
    collect(a, values);
    collect(b, values);
  } else if constexpr (isa::member_count<R>() == 3) {
    const auto& [a, b, c] = result;
    collect(a, values);
    collect(b, values);
    collect(c, values);
  } else if constexpr (isa::member_count<R>() == 4) {
    const auto& [a, b, c, d] = result;
    collect(a, values);
    collect(b, values);
    collect(c, values);
    collect(d, values);
  }
}

template <class R, class... A, class S, class... B>
void compare(const char* name, R (*function)(A...), S (*text)(B...), Values& values) {
  Terms terms;
  Making making(terms);
  std::vector<u32> widths;
  const std::tuple<B...> symbols{symbol<B>(terms, widths)...};
  S result = making.explore(
      [&] { return std::apply(text, symbols); },
      [&](TermId condition, S& made, const S& other) {
        isa::visit_leaves(made, other, [&](auto& a, const auto& b) {
          a = std::remove_reference_t<decltype(a)>::of(terms.select(condition, a.as_term(), b.as_term()));
        });
      });
  std::vector<TermId> leaves;
  isa::visit_leaves(result, S(result), [&](auto& leaf, const auto&) { leaves.push_back(leaf.as_term()); });
  for (int i = 0; i < test::repetitions(2000); ++i) {
    std::vector<u64> inputs;
    for (const u32 width : widths) inputs.push_back(values.draw() & support::ones(width));
    std::vector<u64> expected;
    [&]<std::size_t... index>(std::index_sequence<index...>) {
      collect(function(actual<A>(inputs[index])...), expected);
    }(std::index_sequence_for<A...>());
    Evaluation evaluation(terms, inputs);
    std::vector<u64> got;
    for (const TermId leaf : leaves) got.push_back(evaluation.value(leaf));
    ASSERT_EQ(got, expected) << name;
  }
}

TEST(SymbolicSemantics, AreTheMachines) {
  Values values;
#define SALU_INSN(format, name, ...) compare(#name, &isa::semantics::name, &text::semantics::name, values);
#include "isa/instructions/sop.def"
#undef SALU_INSN
}

}  // namespace
}  // namespace salu::proof
