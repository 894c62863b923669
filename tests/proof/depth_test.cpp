#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <functional>
#include <random>

#include "proof/few_values.hpp"
#include "proof/smtlib.hpp"
#include "proof/terms.hpp"
#include "support/numbers.hpp"

// Terms as deep as a long program, created and evaluated on a small stack. Expected values are computed with the host's
// integers.
namespace salu::proof {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = std::size_t{4} << 20;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t stack_bytes = std::size_t{4} << 20;
#else
constexpr std::size_t stack_bytes = std::size_t{256} << 10;
#endif
#else
constexpr std::size_t stack_bytes = std::size_t{256} << 10;
#endif

/// Calls a function on a thread with a small stack.
void run_on_small_stack(std::function<void()> function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  pthread_t thread{};
  const auto call = [](void* what) -> void* {
    (*static_cast<std::function<void()>*>(what))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &function), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

constexpr int rounds = 12'000;
constexpr std::array<u64, 2> input_values = {0x12345678, 0x9abcdef1};

TEST(Depth, PartsOfASumOfManyRounds) {
  run_on_small_stack([] {
    Terms t;
    const TermId x = t.input(32, 0);
    const TermId y = t.input(32, 1);
    TermId term = x;
    auto value = static_cast<u32>(input_values[0]);
    for (int i = 0; i < rounds; ++i) {
      term = t.bit_xor(t.add(term, x), y);
      value = (value + static_cast<u32>(input_values[0])) ^ static_cast<u32>(input_values[1]);
    }
    Evaluation evaluation(t, input_values);
    EXPECT_EQ(evaluation.value(t.slice(term, 0, 8)), value & 0xff);
    EXPECT_EQ(evaluation.value(t.slice(term, 3, 17)), value >> 3 & 0x1ffff);
    // A part is the same term, however it is requested.
    EXPECT_EQ(t.slice(term, 0, 8), t.slice(t.slice(term, 0, 12), 0, 8));
    EXPECT_EQ(t.bit_and(term, t.constant(32, 0xff)), t.zero_extend(t.slice(term, 0, 8), 32));
    EXPECT_FALSE(smt_query(t, t.equal(term, y), false).text.empty());
    EXPECT_FALSE(FewValues::of(t, t.slice(term, 0, 8), Path(), 4));
  });
}

TEST(Depth, ChoicesWithinChoices) {
  run_on_small_stack([] {
    Terms t;
    const TermId x = t.input(32, 0);
    const TermId y = t.input(32, 1);
    TermId term = y;
    u64 value = input_values[1];
    for (int i = 0; i < rounds; ++i) {
      term = t.select(t.equal(t.add(x, t.constant(32, static_cast<u64>(i))), y), t.constant(32, static_cast<u64>(i)),
                      term);
      if (((input_values[0] + static_cast<u64>(i)) & 0xffffffff) == input_values[1]) value = static_cast<u64>(i);
    }
    Evaluation evaluation(t, input_values);
    EXPECT_EQ(evaluation.value(t.bit_not(term)), ~value & 0xffffffff);
    EXPECT_EQ(evaluation.value(t.sign_extend(term, 64)), static_cast<u64>(i64{static_cast<i32>(value)}));
    EXPECT_EQ(evaluation.value(t.equal(term, t.constant(32, 5))), value == 5 ? 1U : 0U);
    EXPECT_EQ(evaluation.value(t.slice(t.bit_not(term), 5, 9)), ~value >> 5 & 0x1ff);
  });
}

/// One operation of a random chain, on terms and on numbers.
void append(Terms& t, u32 choice, TermId x, TermId& term, u64 in, u32& value) {
  const auto other = static_cast<u32>(in);
  switch (choice % 8) {
    case 0:
      term = t.add(term, x);
      value += other;
      break;
    case 1:
      term = t.bit_xor(term, x);
      value ^= other;
      break;
    case 2:
      term = t.bit_or(term, t.shift_right(x, t.constant(32, 7)));
      value |= other >> 7;
      break;
    case 3:
      term = t.bit_and(t.bit_not(term), x);
      value = ~value & other;
      break;
    case 4:
      term = t.multiply(term, t.add(x, t.constant(32, choice | 1)));
      value *= other + (choice | 1);
      break;
    case 5:
      term = t.select(t.below(term, x), x, term);
      value = value < other ? other : value;
      break;
    case 6:
      term = t.join(t.slice(term, 0, 13), t.slice(term, 13, 19));
      value = value << 19 | value >> 13;
      break;
    default:
      term = t.select(t.below_signed(x, term), t.subtract(term, x), t.sign_extend(t.slice(term, 4, 20), 32));
      value = static_cast<i32>(other) < static_cast<i32>(value) ? value - other
                                                                : static_cast<u32>(static_cast<i32>(value << 8) >> 12);
      break;
  }
}

TEST(Depth, RandomOperationsAreWhatTheyCompute) {
  run_on_small_stack([] {
    std::mt19937 random(3);
    for (int run = 0; run < 12; ++run) {
      Terms t;
      const TermId x = t.input(32, 0);
      TermId term = t.input(32, 1);
      auto value = static_cast<u32>(input_values[1]);
      for (int i = 0; i < 300; ++i) append(t, static_cast<u32>(random()), x, term, input_values[0], value);
      Evaluation evaluation(t, input_values);
      const auto low = static_cast<u32>(random() % 24);
      const auto width = static_cast<u32>(1 + random() % 8);
      EXPECT_EQ(evaluation.value(term), value);
      EXPECT_EQ(evaluation.value(t.slice(term, low, width)), value >> low & support::ones(width));
      EXPECT_EQ(evaluation.value(t.bit_not(term)), ~value);
    }
  });
}

}  // namespace
}  // namespace salu::proof
