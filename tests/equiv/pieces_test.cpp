#include <gmock/gmock.h>

#include "equiv/draw.hpp"
#include "equiv/shrink.hpp"
#include "programs.hpp"

// The components of a comparison.
namespace salu::equiv_test {
namespace {

using equiv::Deadline;
using equiv::Draw;
using equiv::Input;
using equiv::low_bits;
using testing::ElementsAre;

Input input(u32 bits, u64 first, u64 span) {
  Input made;
  made.bits = bits;
  made.first = first;
  made.span = span;
  return made;
}

TEST(Pieces, DrawnValuesFitAndComeFromTheSeed) {
  const std::vector<Input> inputs = {input(32, 0, low_bits(32)), input(64, 0, ~u64{0}), input(1, 0, 1),
                                     input(32, 5, 10), input(32, low_bits(32) - 1, 3)};
  Draw one(7, {0xabcd});
  Draw same(7, {0xabcd});
  Draw other(8, {0xabcd});
  bool differs = false;
  std::array<bool, 2> bit_seen{};
  bool constant_seen = false;
  bool equal_seen = false;
  for (u64 state = 0; state < 2000; ++state) {
    std::vector<u64> a(inputs.size());
    std::vector<u64> b(inputs.size());
    std::vector<u64> c(inputs.size());
    one.fill(inputs, state, a);
    same.fill(inputs, state, b);
    other.fill(inputs, state, c);
    EXPECT_EQ(a, b);
    differs = differs || a != c;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_TRUE(inputs[i].allows(a[i])) << i << ": " << a[i];
      EXPECT_EQ(a[i] & ~low_bits(inputs[i].bits), 0U) << i;
    }
    bit_seen[static_cast<std::size_t>(a[2])] = true;
    constant_seen = constant_seen || a[0] == 0xabcd;
    equal_seen = equal_seen || (state > 4 && a[0] == a[1] && a[0] > 2);
  }
  EXPECT_TRUE(differs);
  EXPECT_TRUE(bit_seen[0] && bit_seen[1]);
  EXPECT_TRUE(constant_seen);
  EXPECT_TRUE(equal_seen);
}

TEST(Pieces, TheFirstStatesAreTheSimplest) {
  const std::vector<Input> inputs = {input(32, 0, low_bits(32)), input(8, 0, 255)};
  Draw draw(1, {});
  std::vector<u64> values(2);
  const auto state = [&](u64 number) {
    draw.fill(inputs, number, values);
    return values;
  };
  EXPECT_THAT(state(0), ElementsAre(0, 0));
  EXPECT_THAT(state(1), ElementsAre(1, 1));
  EXPECT_THAT(state(2), ElementsAre(0xffffffff, 0xff));
  EXPECT_THAT(state(3), ElementsAre(2, 2));
  EXPECT_THAT(state(4), ElementsAre(0x80000000, 0x80));
}

std::vector<u64> shrink(const std::vector<Input>& inputs, std::vector<u64> values,
                        const std::function<bool(std::span<const u64>)>& keeps) {
  u64 runs = 0;
  std::vector<u64> shrunk = equiv::shrink(inputs, std::move(values), keeps, {}, runs);
  EXPECT_TRUE(keeps(shrunk));
  EXPECT_LT(runs, 5000U);
  return shrunk;
}

TEST(Pieces, ShrinkingEndsWithTheTime) {
  const std::vector<Input> inputs = {input(32, 0, low_bits(32))};
  u64 runs = 0;
  const Deadline over(1e-9);
  while (!over.is_over()) continue;
  EXPECT_THAT(equiv::shrink(inputs, {77}, [](std::span<const u64>) { return true; }, over, runs), ElementsAre(77));
  EXPECT_EQ(runs, 0U);
  EXPECT_THAT(
      equiv::shrink(inputs, {77}, [](std::span<const u64>) { return true; }, Deadline(1e300), runs), ElementsAre(0));
}

TEST(Pieces, TheLaterOfTwoDeadlines) {
  const Deadline over(1e-9);
  while (!over.is_over()) continue;
  EXPECT_FALSE(Deadline::later_of(over, Deadline(1000)).is_over());
  EXPECT_FALSE(Deadline::later_of(Deadline(), over).is_over());
  EXPECT_FALSE(Deadline::later_of(over, Deadline()).is_over());
  EXPECT_TRUE(Deadline::later_of(over, over).is_over());
}

TEST(Pieces, ShrinkingEndsAtTheSimplest) {
  const std::vector<Input> two = {input(32, 0, low_bits(32)), input(32, 0, low_bits(32))};
  using Values = std::span<const u64>;
  EXPECT_THAT(shrink(two, {0xdeadbeef, 77}, [](Values) { return true; }), ElementsAre(0, 0));
  EXPECT_THAT(shrink(two, {0xdeadbeef, 77}, [](Values v) { return v[0] >= 1000; }), ElementsAre(1000, 0));
  EXPECT_THAT(shrink(two, {0xdeadbeef, 77}, [](Values v) { return (v[0] & 0x80) != 0 && v[1] > 12; }),
              ElementsAre(0x80, 13));
  EXPECT_THAT(shrink(two, {0xdeadbeef, 77}, [](Values v) { return v[0] == 0xdeadbeef; }), ElementsAre(0xdeadbeef, 0));
  EXPECT_THAT(shrink(two, {900, 900}, [](Values v) { return v[0] == v[1] && v[0] > 20; }), ElementsAre(21, 21));
}

TEST(Pieces, ShrinkingStaysInItsRange) {
  const std::vector<Input> range = {input(32, 10, 90)};
  EXPECT_THAT(shrink(range, {77}, [](std::span<const u64>) { return true; }), ElementsAre(10));
  const std::vector<Input> around_zero = {input(32, low_bits(32) - 4, 9)};  // -5 to 4
  EXPECT_THAT(shrink(around_zero, {low_bits(32) - 2}, [](std::span<const u64>) { return true; }), ElementsAre(0));
}

std::string problem(const EquivalenceOptions& options) {
  const std::string more = "registers: {\"s[2:3]\": 0x10000}\nmemory: [{at: 0x10000, size: 64}]\n";
  const Scenario program = scenario("s_add_u32 s0, s0, s1\ns_endpgm", more);
  const Scenario old = scenario("s_add_u32 s0, s0, s1\ns_endpgm", "memory: [{at: 0x10000, size: 32}]\n", "tahiti");
  const auto report = compare_programs(program, old, options);
  if (report) return "no problem";
  EXPECT_EQ(report.error().code, ErrorCode::usage);
  return report.error().where.file + ": " + report.error().message;
}

TEST(Pieces, WrongNamesAreExplained) {
  using testing::HasSubstr;
  EXPECT_THAT(problem({.inputs = {"s200"}}), HasSubstr("--inputs s200: A: unknown register `s200`"));
  EXPECT_THAT(problem({.inputs = {"s103"}}), HasSubstr("A: unknown register `s103`"));
  EXPECT_THAT(problem({.inputs = {"flat_scratch"}}), HasSubstr("B: unknown register `flat_scratch`"));
  EXPECT_THAT(problem({.inputs = {"s1:33"}}), HasSubstr("does not have 33 bits"));
  EXPECT_THAT(problem({.inputs = {"s1:x"}}), HasSubstr("expected a size after `:`"));
  EXPECT_THAT(problem({.inputs = {"s1=5..2"}}), HasSubstr("the range is empty"));
  EXPECT_THAT(problem({.inputs = {"s1=0..0x100000000"}}), HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(problem({.inputs = {"s1="}}), HasSubstr("expected a range"));
  EXPECT_THAT(problem({.inputs = {"s1", "s[0:1]"}}), HasSubstr("`s[0:1]` is already varied"));
  EXPECT_THAT(problem({.inputs = {"pc"}}), HasSubstr("the PC cannot be varied"));
  EXPECT_THAT(problem({.inputs = {"args.n"}}),
              HasSubstr("does not have an argument `n`; it is not started as a kernel"));
  EXPECT_THAT(problem({.inputs = {"memory.here"}}), HasSubstr("expected an address after `memory.`"));
  EXPECT_THAT(problem({.inputs = {"memory.0x10000:64"}}), HasSubstr("0x10000 to 0x1003f is memory of"));
  EXPECT_THAT(problem({.inputs = {"memory.0x1000:4"}}), HasSubstr("contains code"));
  EXPECT_THAT(problem({.outputs = {"s0=1"}}), HasSubstr("--outputs s0=1: an output cannot have a range"));
  EXPECT_THAT(problem({.outputs = {"nothing"}}), HasSubstr("unknown register `nothing`"));
  EXPECT_THAT(problem({.exhaustive = {"s0"}}), HasSubstr("expected a range of one register"));
  EXPECT_THAT(problem({.exhaustive = {"s0=0..0xffffffff", "s1=0..1"}}), HasSubstr("more than 2^32 combinations"));
  EXPECT_THAT(problem({.inputs = {"s0"}, .exhaustive = {"s0=0..1"}}), HasSubstr("`s0` is already varied"));
}

}  // namespace
}  // namespace salu::equiv_test
