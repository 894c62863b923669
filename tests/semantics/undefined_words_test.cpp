#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/semantics/all.hpp"
#include "isa/semantics/scalar_memory.hpp"
#include "isa/semantics/signature.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/semantics.hpp"
#include "repetitions.hpp"

// The semantic functions over words with undefined bits. The bits that they call defined are compared with the same
// function on the machine's integers, with the undefined bits flipped; the precision is compared with masks computed by
// hand.
namespace salu::test::undefined_words {
namespace {

using namespace observe::undefined;
namespace shadow = observe::undefined::text;

/// A leaf of a result: its value and its undefined bits.
struct Leaf {
  u64 value = 0;
  u64 undefined = 0;
};
using Leaves = std::vector<Leaf>;

template <class R>
void collect(Leaves& leaves, const R& result) {
  if constexpr (std::integral<R>) {
    leaves.push_back({static_cast<u64>(result) & low_bits(sizeof(R) * 8)});
  } else if constexpr (std::same_as<R, Bit>) {
    leaves.push_back({u64{result.value}, u64{result.undefined}});
  } else if constexpr (WordTraits<R>::is_there) {
    leaves.push_back({result.value, result.undefined});
  } else if constexpr (member_count<R>() == 1) {
    auto& [a] = result;
    collect(leaves, a);
  } else if constexpr (member_count<R>() == 2) {
    auto& [a, b] = result;
    collect(leaves, a);
    collect(leaves, b);
  } else if constexpr (member_count<R>() == 3) {
    auto& [a, b, c] = result;
    collect(leaves, a);
    collect(leaves, b);
    collect(leaves, c);
  } else if constexpr (member_count<R>() == 4) {
    auto& [a, b, c, d] = result;
    collect(leaves, a);
    collect(leaves, b);
    collect(leaves, c);
    collect(leaves, d);
  }
}
template <class R>
Leaves leaves_of(const R& result) {
  Leaves leaves;
  collect(leaves, result);
  return leaves;
}

/// The number of bits of an argument, which is a word or has one as its only member.
template <class T>
u32 bits_of_argument() {
  if constexpr (WordTraits<T>::is_there) {
    return WordTraits<T>::bits;
  } else if constexpr (std::same_as<T, Bit>) {
    return 1;
  } else {
    return bits_of_argument<decltype(T::value)>();
  }
}
template <class T>
T shadow_argument(const Leaf& leaf) {
  if constexpr (WordTraits<T>::is_there) {
    return T::of(leaf.value, leaf.undefined);
  } else if constexpr (std::same_as<T, Bit>) {
    return {leaf.value != 0, leaf.undefined != 0};
  } else {
    return {shadow_argument<decltype(T::value)>(leaf)};
  }
}
template <class T>
T plain_argument(u64 value) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(value);
  } else {
    return {plain_argument<decltype(T::value)>(value)};
  }
}

template <auto function, std::size_t... index>
Leaves call_shadow(const Leaves& arguments, std::index_sequence<index...> /*all*/) {
  using Arguments = typename shadow::Signature<decltype(function)>::Arguments;
  return leaves_of(
      explore([&] { return function(shadow_argument<std::tuple_element_t<index, Arguments>>(arguments[index])...); }));
}
template <auto function, std::size_t... index>
Leaves call_plain([[maybe_unused]] const std::vector<u64>& arguments, std::index_sequence<index...> /*all*/) {
  using Arguments = typename isa::Signature<decltype(function)>::Arguments;
  return leaves_of(function(plain_argument<std::tuple_element_t<index, Arguments>>(arguments[index])...));
}

using Random = std::mt19937_64;

u64 random_value(Random& random, u32 bits) {
  const u64 any = random();
  switch (random() % 6) {
    case 0:
      return any & 0xff & low_bits(bits);
    case 1:
      return (any | ~u64{0xff}) & low_bits(bits);
    case 2:
      return (u64{1} << any % bits) & low_bits(bits);
    case 3:
      return 0;
    default:
      return any & low_bits(bits);
  }
}
u64 random_mask(Random& random, u32 bits) {
  const u64 any = random();
  switch (random() % 8) {
    case 0:
      return low_bits(bits);
    case 1:
      return any & low_bits(bits);
    case 2:
      return (any & random() & random()) & low_bits(bits);
    case 3:
      return (u64{1} << any % bits) & low_bits(bits);
    case 4:
      return (u64{0xff} << any % bits) & low_bits(bits);
    default:
      return 0;
  }
}

struct Function {
  std::string_view name;
  Leaves (*shadow)(const Leaves&);
  Leaves (*plain)(const std::vector<u64>&);
  std::vector<u32> bits;  ///< of its arguments
};

template <auto shadow_function, auto plain_function>
Function both(std::string_view name) {
  using S = shadow::Signature<decltype(shadow_function)>;
  using Indices = std::make_index_sequence<S::argument_count>;
  Function function{name,
                    [](const Leaves& arguments) { return call_shadow<shadow_function>(arguments, Indices{}); },
                    [](const std::vector<u64>& arguments) { return call_plain<plain_function>(arguments, Indices{}); },
                    {}};
  [&function]<class... A>(std::type_identity<std::tuple<A...>>) {
    (function.bits.push_back(bits_of_argument<A>()), ...);
  }(std::type_identity<typename S::Arguments>{});
  return function;
}

std::vector<Function> all_functions() {
  std::vector<Function> functions = {
#define SALU_INSN(format, name, ...) both<&shadow::semantics::name, &isa::semantics::name>(#name),
#include "isa/instructions/sop.def"
#undef SALU_INSN
  };
#define SALU_ATOMIC(name)                                                                              \
  functions.push_back(both<&shadow::semantics::name<shadow::u32>, &isa::semantics::name<u32>>(#name)); \
  functions.push_back(both<&shadow::semantics::name<shadow::u64>, &isa::semantics::name<u64>>(#name " of 64 bits"));
  SALU_ATOMIC(atomic_swap)
  SALU_ATOMIC(atomic_cmpswap)
  SALU_ATOMIC(atomic_add)
  SALU_ATOMIC(atomic_sub)
  SALU_ATOMIC(atomic_smin)
  SALU_ATOMIC(atomic_umin)
  SALU_ATOMIC(atomic_smax)
  SALU_ATOMIC(atomic_umax)
  SALU_ATOMIC(atomic_and)
  SALU_ATOMIC(atomic_or)
  SALU_ATOMIC(atomic_xor)
  SALU_ATOMIC(atomic_inc)
  SALU_ATOMIC(atomic_dec)
  SALU_ATOMIC(atomic_rsub)
  SALU_ATOMIC(atomic_mskor)
  SALU_ATOMIC(atomic_cmpst)
  SALU_ATOMIC(atomic_wrap)
#undef SALU_ATOMIC
  return functions;
}

std::string show(const Leaves& leaves) {
  std::string text;
  for (const Leaf& leaf : leaves) text += " " + std::to_string(leaf.value) + "?" + std::to_string(leaf.undefined);
  return text;
}

TEST(UndefinedWords, ComputeLikeTheMachine) {
  Random random(1);
  for (const Function& function : all_functions()) {
    for (int i = 0; i < repetitions(300); ++i) {
      std::vector<u64> values;
      Leaves arguments;
      for (const u32 bits : function.bits) {
        values.push_back(random_value(random, bits));
        arguments.push_back({values.back(), random_mask(random, bits)});
      }
      const Leaves plain = function.plain(values);
      const Leaves result = function.shadow(arguments);
      ASSERT_EQ(plain.size(), result.size()) << function.name;
      for (std::size_t leaf = 0; leaf < plain.size(); ++leaf) {
        ASSERT_EQ(plain[leaf].value, result[leaf].value) << function.name << show(arguments);
      }
    }
  }
}

TEST(UndefinedWords, FlippedBitsChangeNothingThatIsCalledDefined) {
  Random random(2);
  for (const Function& function : all_functions()) {
    for (int i = 0; i < repetitions(1500); ++i) {
      Leaves arguments;
      for (const u32 bits : function.bits) arguments.push_back({random_value(random, bits), random_mask(random, bits)});
      const Leaves result = function.shadow(arguments);
      for (int flip = 0; flip < 6; ++flip) {
        std::vector<u64> values;
        for (const Leaf& argument : arguments) {
          u64 flipped = argument.undefined;
          if (flip > 0) flipped &= random();
          if (flip > 3) flipped &= random();
          values.push_back(argument.value ^ flipped);
        }
        const Leaves plain = function.plain(values);
        for (std::size_t leaf = 0; leaf < plain.size(); ++leaf) {
          ASSERT_EQ((plain[leaf].value ^ result[leaf].value) & ~result[leaf].undefined, 0U)
              << function.name << show(arguments) << " ->" << show(result) << ", part " << leaf;
        }
      }
    }
  }
}

/// A bit is called undefined only if some flip changes it: with few undefined bits, all flips can be tried. Not all
/// functions are that exact; these are.
TEST(UndefinedWords, NothingElseIsCalledUndefinedWhereThatCanBeHad) {
  const std::vector<std::string_view> exact = {"s_mov_b32",
                                               "s_and_b32",
                                               "s_or_b64",
                                               "s_xor_b32",
                                               "s_not_b64",
                                               "s_andn2_b32",
                                               "s_orn2_b64",
                                               "s_lshl_b32",
                                               "s_lshr_b64",
                                               "s_ashr_i32",
                                               "s_cmp_eq_u32",
                                               "s_cmp_lg_i32",
                                               "s_cmp_lt_u32",
                                               "s_cmp_gt_i32",
                                               "s_cmp_le_u32",
                                               "s_cmpk_ge_i32",
                                               "s_bitcmp1_b32",
                                               "s_brev_b32",
                                               "s_sext_i32_i8",
                                               "s_sext_i32_i16",
                                               "s_pack_ll_b32_b16",
                                               "s_pack_hh_b32_b16",
                                               "s_bitreplicate_b64_b32",
                                               "s_cselect_b32",
                                               "s_quadmask_b32",
                                               "s_wqm_b64",

                                               "s_and_saveexec_b64",
                                               "s_andn1_wrexec_b64",
                                               "s_cbranch_vccz",
                                               "s_movk_i32",
                                               "s_bitset1_b32"};
  const std::vector<Function> functions = all_functions();
  Random random(3);
  for (const std::string_view name : exact) {
    const auto function = std::ranges::find(functions, name, &Function::name);
    ASSERT_NE(function, functions.end()) << name;
    for (int i = 0; i < repetitions(200); ++i) {
      Leaves arguments;
      u32 undefined_bits = 0;
      for (const u32 bits : function->bits) {
        const u64 mask = undefined_bits == 0 ? u64{0x15} << random() % bits & low_bits(bits) : 0;
        undefined_bits += static_cast<u32>(std::popcount(mask));
        arguments.push_back({random_value(random, bits), mask});
      }
      const Leaves result = function->shadow(arguments);
      Leaves changes(result.size());
      for (u32 flips = 0; flips < 1U << undefined_bits; ++flips) {
        std::vector<u64> values;
        u32 left = flips;
        for (const Leaf& argument : arguments) {
          u64 value = argument.value;
          for (u64 mask = argument.undefined; mask != 0; mask &= mask - 1, left >>= 1) {
            if ((left & 1) != 0) value ^= mask & (0 - mask);
          }
          values.push_back(value);
        }
        const Leaves plain = function->plain(values);
        for (std::size_t leaf = 0; leaf < plain.size(); ++leaf)
          changes[leaf].undefined |= plain[leaf].value ^ result[leaf].value;
      }
      // SCC is not exact if bits of the result depend on each other.
      ASSERT_EQ(changes[0].undefined, result[0].undefined) << name << show(arguments) << " ->" << show(result);
    }
  }
}

struct Expected {
  std::string_view name;
  Leaves arguments;
  std::vector<u64> undefined;  ///< of each part of the result
};

/// Computed by hand from the semantics of the instruction.
TEST(UndefinedWords, MasksAreThoseFromFirstPrinciples) {
  constexpr u64 all32 = 0xffffffff;
  const std::vector<Expected> table = {
      // A zero clears an undefined bit, and a set bit determines SCC.
      {"s_and_b32", {{0, all32}, {0x0f, 0}}, {0x0f, 1}},
      {"s_and_b32", {{0x80, 0x0f}, {0xff, 0}}, {0x0f, 0}},
      {"s_or_b32", {{0, all32}, {0xf0, 0}}, {~u64{0xf0} & all32, 0}},
      {"s_xor_b32", {{0, 0xf0}, {0, 0x0f}}, {0xff, 1}},
      {"s_andn2_b32", {{0xff, 0}, {0, 0x3}}, {0x3, 0}},
      // A carry propagates only as far as the bits above it allow.
      {"s_add_u32", {{0, 1}, {1, 0}}, {0x3, 0}},
      {"s_add_u32", {{0xe, 1}, {1, 0}}, {0x1f, 0}},
      {"s_add_u32", {{0xfffffffe, 1}, {1, 0}}, {all32, 1}},
      {"s_add_i32", {{0x7ffffffe, 1}, {1, 0}}, {all32, 1}},
      {"s_add_i32", {{0x100, 0xff}, {1, 0}}, {0x3ff, 0}},
      {"s_sub_u32", {{0x100, 0xff}, {0x50, 0}}, {0x1ff, 0}},
      {"s_sub_u32", {{0x40, 0x3f}, {0x50, 0}}, {all32, 1}},
      {"s_addc_u32", {{0, 0}, {0, 0}, {0, 1}}, {1, 0}},
      {"s_addc_u32", {{all32, 0}, {0, 0}, {0, 1}}, {all32, 1}},
      {"s_lshl1_add_u32", {{0, 1}, {0, 0}}, {2, 0}},
      // From the lowest undefined bit up, and not beyond the greatest product.
      {"s_mul_i32", {{0x10, 0x100}, {4, 0}}, {0x400}},
      {"s_mul_i32", {{0, 0xff00}, {0x10, 0xf}}, {0x1fff00}},
      {"s_mul_hi_u32", {{0, 0xffff}, {0xffff, 0}}, {0}},
      {"s_mul_i32", {{0, all32}, {0, 0}}, {0}},
      // A defined shift amount moves the mask; an undefined one gives the union of all possible results.
      {"s_lshl_b32", {{0, 0xff}, {8, 0}}, {0xff00, 1}},
      {"s_lshr_b32", {{all32, 0}, {0, 1}}, {0x80000000, 0}},
      {"s_ashr_i32", {{0, 0x80000000}, {4, 0}}, {0xf8000000, 1}},
      {"s_lshl_b32", {{0, 0}, {0, all32}}, {0, 0}},
      {"s_bfe_u32", {{0, 0xff00}, {0x80008, 0}}, {0xff, 1, 0}},
      {"s_bfe_u32", {{0, 0xff00}, {0x80000, 0}}, {0, 0, 0}},
      {"s_bfe_i32", {{0, 0x80}, {0x80000, 0}}, {0xffffff80, 1, 0}},
      {"s_bfm_b32", {{4, 0}, {0, 1}}, {0x11}},
      // A comparison is defined if a defined bit decides it.
      {"s_cmp_eq_u32", {{0x10, 0xf}, {0x20, 0}}, {0}},
      {"s_cmp_eq_u32", {{0x10, 0xf}, {0x15, 0}}, {1}},
      {"s_cmp_lt_u32", {{0x10, 0xf}, {0x20, 0}}, {0}},
      {"s_cmp_lt_u32", {{0x10, 0xf}, {0x18, 0}}, {1}},
      {"s_cmp_lt_i32", {{0x80000000, 0xff}, {0, 0}}, {0}},
      {"s_cmp_lt_i32", {{0, 0x80000000}, {0, 0}}, {1}},
      {"s_bitcmp1_b32", {{0, ~u64{4} & all32}, {2, 0}}, {0}},
      {"s_bitcmp1_b32", {{0, 4}, {2, 0}}, {1}},
      // Counts differ as much as the masks allow.
      {"s_bcnt1_i32_b32", {{0, 0x7}, {}}, {0x3, 1}},
      {"s_bcnt1_i32_b32", {{0xf0, 0x3}, {}}, {0x3, 0}},
      {"s_ff1_i32_b32", {{0x10, 0x4}, {}}, {0x6}},
      {"s_ff1_i32_b32", {{0x10, 0xffe0}, {}}, {0}},
      {"s_flbit_i32_b32", {{0x80000000, 0xff}, {}}, {0}},
      // An undefined selection: the common bits are defined.
      {"s_cselect_b32", {{0xff, 0}, {0xf0, 0}, {0, 1}}, {0x0f}},
      {"s_cselect_b32", {{0, all32}, {0xf0, 0}, {0, 0}}, {0}},
      {"s_min_u32", {{0x10, 0xf}, {0x15, 0}}, {0xf, 1}},
      {"s_abs_i32", {{1, 0x80000000}, {}}, {0xfffffffe & all32, 0}},
      // SDST becomes EXEC.
      {"s_and_saveexec_b64", {{0, 0xf}, {0x3, 0}}, {0, 0x3, 1}},
      {"s_cbranch_scc1", {{1, 1}}, {1}},
      {"s_cbranch_vccnz", {{0x100, 0xff}}, {0}},
      {"s_cbranch_vccnz", {{0, 0xff}}, {1}},
  };
  const std::vector<Function> functions = all_functions();
  for (const Expected& each : table) {
    const auto function = std::ranges::find(functions, each.name, &Function::name);
    ASSERT_NE(function, functions.end()) << each.name;
    const Leaves result = function->shadow(each.arguments);
    ASSERT_EQ(result.size(), each.undefined.size()) << each.name;
    for (std::size_t leaf = 0; leaf < result.size(); ++leaf) {
      EXPECT_EQ(result[leaf].undefined, each.undefined[leaf])
          << each.name << show(each.arguments) << " ->" << show(result) << ", part " << leaf;
    }
  }
}

TEST(UndefinedWords, TooManyPathsMakeTheResultUndefined) {
  const auto result = explore([] {
    u32 sum = 0;
    for (u32 i = 0; i < 20; ++i) sum += Bit(false, true) ? 1U : 0U;
    return Word<32, false>(sum);
  });
  EXPECT_EQ(result.value, 0U);
  EXPECT_EQ(result.undefined, 0xffffffffU);
}

}  // namespace
}  // namespace salu::test::undefined_words
