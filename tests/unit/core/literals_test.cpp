#include <gtest/gtest.h>

#include <salu/run.hpp>

#include <array>
#include <memory>
#include <vector>

#include "core/literal_pool.hpp"
#include "core/slot_tables.hpp"
#include "isa/generations.hpp"

// Literals are read from slots, and from the code itself if all slots are in use.
namespace salu {
namespace {

constexpr u64 code_base = 0x1000;
constexpr u32 end_program = 0xbf810000;

u32 literal_value(u32 number) { return 0x12345678 + number * 0x9e3779b9; }

/// s0 += literal and s[2:3] ^= literal for each of `count` values.
std::vector<u32> words_with_literals(u32 count) {
  constexpr u32 s_add_u32_s0 = 0x8000ff00;
  constexpr u32 s_xor_b64_s2 = 0x8882ff02;
  std::vector<u32> words;
  for (u32 i = 0; i < count; ++i) {
    words.insert(words.end(), {s_add_u32_s0, literal_value(i), s_xor_b64_s2, literal_value(i)});
  }
  words.push_back(end_program);
  return words;
}

TEST(Literals, HaveOneSlotEach) {
  const auto wave = std::make_unique<core::Wave>(Generation::gcn1_4);
  core::LiteralPool pool(*wave);
  const u16 first = pool.find_or_add(0x12345678);
  const u16 extended = pool.find_or_add(0xffffffff'92345678);
  EXPECT_EQ(pool.find_or_add(0x12345678), first);
  EXPECT_NE(extended, first);
  EXPECT_EQ(wave->slots[first], 0x12345678U);
  EXPECT_EQ(wave->pair(first), 0x12345678U);
  EXPECT_EQ(wave->pair(extended), 0xffffffff'92345678U);
  for (u64 value = 2; value < core::most_literals; ++value) EXPECT_NE(pool.find_or_add(value), core::no_slot);
  EXPECT_EQ(pool.find_or_add(1), core::no_slot);
  EXPECT_EQ(pool.find_or_add(0x12345678), first);
  pool.clear();
  EXPECT_NE(pool.find_or_add(1), core::no_slot);
}

TEST(Literals, AreReadWhereSlotsHaveRunOut) {
  for (const u32 count : {3U, core::most_literals, core::most_literals + 500}) {
    Program program;
    program.target = find_target("gfx900");
    program.code = {{code_base, words_with_literals(count)}};
    program.entry = code_base;
    u32 sum = 5;
    u64 mask = 0xdeadbeef'00000007;
    for (u32 i = 0; i < count; ++i) {
      sum += literal_value(i);
      mask ^= literal_value(i);
    }
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      RunOptions options;
      options.dispatch = dispatch;
      WaveState state = initial_state(Generation::gcn1_4);
      state.pc = code_base;
      state.file[0] = 5;
      state.file[2] = 7;
      state.file[3] = 0xdeadbeef;
      Memory memory;
      ASSERT_TRUE(place_code(program, memory));
      const Outcome outcome = run(program, state, memory, options);
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
      EXPECT_EQ(outcome.steps, 2 * u64{count} + 1);
      EXPECT_EQ(outcome.state.file[0], sum);
      EXPECT_EQ(outcome.state.file[2], static_cast<u32>(mask));
      EXPECT_EQ(outcome.state.file[3], static_cast<u32>(mask >> 32));
    }
  }
}

// The same literal is sign-extended or zero-extended, depending on the instruction.
TEST(Literals, AreExtendedByTheRuleOfTheInstruction) {
  Program program;
  program.target = find_target("gfx900");
  // s_and_b64 s[0:1], s[2:3], 0x80000001; s_ashr_i64 s[4:5], 0x80000001, 4; s_endpgm
  program.code = {{code_base, {0x8680ff02, 0x80000001, 0x908484ff, 0x80000001, end_program}}};
  program.entry = code_base;
  WaveState state = initial_state(Generation::gcn1_4);
  state.pc = code_base;
  state.file[2] = ~0U;
  state.file[3] = ~0U;
  Memory memory;
  ASSERT_TRUE(place_code(program, memory));
  const Outcome outcome = run(program, state, memory, {});
  EXPECT_EQ(outcome.state.file[0], 0x80000001U);
  EXPECT_EQ(outcome.state.file[1], 0U);
  EXPECT_EQ(outcome.state.file[4], 0xf8000000U);
  EXPECT_EQ(outcome.state.file[5], 0xffffffffU);
}

}  // namespace
}  // namespace salu
