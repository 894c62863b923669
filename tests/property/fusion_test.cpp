#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "generation_names.hpp"
#include "property/fused_programs.hpp"
#include "property/outcomes.hpp"
#include "repetitions.hpp"

// Fused instructions have the same results as single ones, wherever a run is interrupted, entered, observed or changed.
namespace salu::test {
namespace {

constexpr u64 most_steps = 3000;
constexpr Dispatch fusing = Dispatch::direct_goto;

struct Prepared {
  Program program;
  WaveState initial;
  Memory memory;
};

Prepared prepare(FusedPrograms& programs, Generation generation, bool is_long = false) {
  Prepared prepared;
  prepared.program = programs.make(generation, 1 + programs.below(is_long ? 1000 : 8), is_long);
  prepared.initial = programs.state(generation);
  prepared.memory = FusedPrograms::memory(prepared.program);
  return prepared;
}

void begin(core::Machine& machine, const Prepared& prepared, bool strict = false) {
  machine.set_strict(strict);
  machine.set_memory(prepared.memory);
  machine.set_state(prepared.initial);
}

/// Two machines at the start of the same run.
struct SideBySide {
  SideBySide(const Prepared& prepared, Dispatch dispatch)
      : stepping(prepared.program, Dispatch::switched), machine(prepared.program, dispatch) {
    begin(stepping, prepared);
    begin(machine, prepared);
  }

  core::Machine stepping;
  core::Machine machine;
};

class Fusion : public testing::TestWithParam<Generation> {
 protected:
  FusedPrograms programs_{0x51 + static_cast<u64>(GetParam())};
};

TEST_P(Fusion, HasTheResultsOfSingleSteps) {
  u64 longest = 0;
  for (int i = 0; i < repetitions(1500); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Prepared prepared = prepare(programs_, GetParam());
    core::Machine stepping(prepared.program, Dispatch::switched);
    begin(stepping, prepared, i % 5 == 0);
    const Outcome expected = outcome_of(stepping, stepping.run_exactly(most_steps));
    longest = std::max(longest, expected.steps);
    core::Machine machine(prepared.program, fusing);
    begin(machine, prepared, i % 5 == 0);
    expect_same(expected, outcome_of(machine, machine.run(most_steps)));
    if (HasFailure()) return;
  }
  EXPECT_GT(longest, 500U);
}

// A limit may fall on any instruction, and only the effects up to there are visible.
TEST_P(Fusion, IsCutWhereverTheLimitFalls) {
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Prepared prepared = prepare(programs_, GetParam());
    SideBySide both(prepared, fusing);
    auto& [stepping, machine] = both;
    // First hot, then with a limit after every few instructions.
    for (u64 piece = 400; !machine.stopped() && machine.steps() < most_steps; piece = 1 + programs_.below(30)) {
      const u64 executed = machine.run(piece);
      EXPECT_EQ(stepping.run_exactly(piece), executed);
      EXPECT_TRUE(machine.stopped() || executed == piece);
      EXPECT_TRUE(machine.state() == stepping.state());
      EXPECT_EQ(machine.pc(), stepping.pc());
      if (HasFailure()) return;
    }
    expect_same(outcome_of(stepping, stepping.steps()), outcome_of(machine, machine.steps()));
    if (HasFailure()) return;
  }
}

// Code without a branch for longer than a block.
TEST_P(Fusion, HasTheSameResultsInLongCode) {
  constexpr u64 many_steps = 60'000;
  std::size_t longest = 0;
  for (int i = 0; i < repetitions(12); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Prepared prepared = prepare(programs_, GetParam(), true);
    longest = std::max(longest, prepared.program.code[0].words.size());
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      SideBySide both(prepared, dispatch);
      auto& [stepping, machine] = both;
      core::Machine::Snapshot kept = machine.snapshot();
      while (!machine.stopped() && machine.steps() < many_steps) {
        const u64 executed = machine.run(1 + programs_.below(programs_.chance(50) ? 20'000 : 700));
        EXPECT_EQ(stepping.run_exactly(executed), executed);
        EXPECT_TRUE(machine.state() == stepping.state());
        if (!machine.stopped() && programs_.chance(30)) {
          // Goes back to an earlier position, to reach this one again.
          const u64 here = machine.steps();
          machine.restore(kept);
          EXPECT_EQ(machine.run(here - kept.steps), here - kept.steps);
          EXPECT_TRUE(machine.state() == stepping.state());
          kept = machine.snapshot();
        }
        if (HasFailure()) return;
      }
      expect_same(outcome_of(stepping, stepping.steps()), outcome_of(machine, machine.steps()));
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(longest, 1000U);
}

TEST_P(Fusion, PausesBeforeEveryInstruction) {
  u64 pauses = 0;
  for (int i = 0; i < repetitions(300); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Prepared prepared = prepare(programs_, GetParam());
    SideBySide both(prepared, fusing);
    auto& [stepping, machine] = both;
    // Every second program runs for a while before a pause is requested.
    if (i % 2 == 0) stepping.run_exactly(machine.run(400));
    const u64 picked = loop_base + 4 * programs_.below(prepared.program.code[0].words.size());
    machine.set_pause_filter([picked](u64 address) { return address == picked; });
    while (!machine.stopped() && machine.steps() < most_steps) {
      const u64 executed = machine.run(most_steps - machine.steps());
      EXPECT_EQ(stepping.run_exactly(executed), executed);
      if (machine.stopped()) break;
      EXPECT_TRUE(machine.state() == stepping.state());
      pauses += machine.pc() == picked ? 1 : 0;
      EXPECT_EQ(stepping.run_exactly(1), machine.run_exactly(1));
      if (HasFailure()) return;
    }
    expect_same(outcome_of(stepping, stepping.steps()), outcome_of(machine, machine.steps()));
    if (HasFailure()) return;
  }
  EXPECT_GT(pauses, static_cast<u64>(repetitions(300)));
}

TEST_P(Fusion, HasTheSameResultsWhenObserved) {
  for (int i = 0; i < repetitions(100); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Prepared prepared = prepare(programs_, GetParam());
    RunOptions options;
    options.max_steps = most_steps;
    const Outcome alone = run(prepared.program, prepared.initial, prepared.memory, options);
    u64 events = 0;
    options.trace = [&events](const TraceEvent&) { ++events; };
    expect_same(alone, run(prepared.program, prepared.initial, prepared.memory, options));
    EXPECT_EQ(events, alone.steps);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, Fusion, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

// ---- programs written by hand, and expected values from C++ ----

Program program_of(std::vector<u32> words) {
  Program program;
  program.target = find_target("gfx900");
  program.code = {{loop_base, std::move(words)}};
  program.entry = loop_base;
  return program;
}

/// s0 += s1; s2 ^= s0; s3 = s2 << 5; s4 = s3 >> 7; s8 -= 1; until s8 is zero.
const std::vector<u32> counting_words = {
    0x80000100,  // s_add_u32 s0, s0, s1
    0x88020002,  // s_xor_b32 s2, s2, s0
    0x8e038502,  // s_lshl_b32 s3, s2, 5
    0x8f048703,  // s_lshr_b32 s4, s3, 7
    0x80888108,  // s_sub_u32 s8, s8, 1
    0xbf078008,  // s_cmp_lg_u32 s8, 0
    0xbf85fff9,  // s_cbranch_scc1 -7
    0xbf810000,  // s_endpgm
};

struct Counting {
  std::array<u32, 9> s{};
  bool scc = false;
  std::size_t at = 0;

  void step() {
    const u32 before = s[0];
    switch (at++) {
      case 0:
        s[0] += s[1];
        scc = s[0] < before;
        break;
      case 1:
        s[2] ^= s[0];
        scc = s[2] != 0;
        break;
      case 2:
        s[3] = s[2] << 5;
        scc = s[3] != 0;
        break;
      case 3:
        s[4] = s[3] >> 7;
        scc = s[4] != 0;
        break;
      case 4:
        scc = s[8] < 1;
        --s[8];
        break;
      case 5:
        scc = s[8] != 0;
        break;
      default:
        at = scc ? 0 : 7;
    }
  }
};

WaveState counting_state(u32 turns) {
  WaveState state = initial_state(Generation::gcn1_4);
  state.file[1] = 0x9e3779b9;
  state.file[8] = turns;
  state.pc = loop_base;
  return state;
}

void expect_counting(const Counting& expected, core::Machine& machine) {
  for (u32 i = 0; i < expected.s.size(); ++i) EXPECT_EQ(machine.wave().peek(i), expected.s[i]) << 's' << i;
  EXPECT_EQ(machine.wave().scc != 0, expected.scc);
  EXPECT_EQ(machine.pc(), loop_base + 4 * expected.at);
}

TEST(FusionByHand, EveryNumberOfStepsIsThatOfTheInstructions) {
  const Program program = program_of(counting_words);
  core::Machine machine(program, fusing);
  for (u64 limit = 0; limit < 300; ++limit) {
    Counting expected;
    expected.s[1] = 0x9e3779b9;
    expected.s[8] = 1000;
    for (u64 i = 0; i < limit; ++i) expected.step();
    machine.set_state(counting_state(1000));
    ASSERT_EQ(machine.run(limit), limit);
    expect_counting(expected, machine);
    if (HasFailure()) return;
  }
}

TEST(FusionByHand, EveryNumberOfStepsInLongCodeIsThatOfTheInstructions) {
  // s0 += 1 and s0 += 0x10001, of one dword and of two; s8 -= 1; until s8 is zero.
  constexpr u64 pairs = 700;
  constexpr u64 turn = 2 * pairs + 3;
  std::vector<u32> words;
  for (u64 i = 0; i < pairs; ++i) words.insert(words.end(), {0x80008100, 0x8000ff00, 0x10001});
  words.push_back(0x80888108);                                                          // s_sub_u32 s8, s8, 1
  words.push_back(0xbf078008);                                                          // s_cmp_lg_u32 s8, 0
  words.push_back(0xbf850000 | static_cast<u16>(-1 - static_cast<int>(words.size())));  // s_cbranch_scc1
  words.push_back(0xbf810000);                                                          // s_endpgm
  const Program program = program_of(words);
  const auto sum_after = [](u64 steps) {
    const u64 in_turn = std::min(steps % turn, 2 * pairs);
    return static_cast<u32>(steps / turn * pairs * 0x10002 + in_turn / 2 * 0x10002 + in_turn % 2);
  };
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    core::Machine machine(program, dispatch);
    for (u64 limit = 0; limit < 40 * turn; limit += limit % 512 < 3 || limit % 512 > 508 ? 1 : 101) {
      SCOPED_TRACE(limit);
      machine.set_state(counting_state(50));
      ASSERT_EQ(machine.run(limit), limit);
      ASSERT_EQ(machine.wave().peek(0), sum_after(limit));
      // Executed instructions are charged once, others are not.
      ASSERT_EQ(machine.run(turn), turn);
      ASSERT_EQ(machine.wave().peek(0), sum_after(limit + turn));
    }
    machine.set_state(counting_state(50));
    EXPECT_EQ(machine.run(1'000'000), 50 * turn + 1);
    EXPECT_EQ(machine.stop_reason(), StopReason::end_program);
  }
}

TEST(FusionByHand, AJumpGoesBetweenInstructionsThatRunAsOne) {
  // The loop, followed by a branch back to each of its instructions in turn.
  for (u32 target = 0; target < 7; ++target) {
    std::vector<u32> words = counting_words;
    words.pop_back();
    words.push_back(0xb0080001);                                    // s_movk_i32 s8, 1
    words.push_back(0x80098109);                                    // s_add_u32 s9, s9, 1
    words.push_back(0xbf068209);                                    // s_cmp_eq_u32 s9, 2
    words.push_back(0xbf850001);                                    // s_cbranch_scc1 +1
    words.push_back(0xbf820000 | (static_cast<u16>(target - 12)));  // s_branch to the target
    words.push_back(0xbf810000);                                    // s_endpgm
    const Program program = program_of(words);
    SCOPED_TRACE(target);
    Counting expected;
    expected.s[1] = 0x9e3779b9;
    expected.s[8] = 100;
    while (expected.at != 7) expected.step();
    expected.s[8] = 1;
    expected.scc = false;
    expected.at = target;
    // One more iteration, or more than that if S_SUB_U32 is jumped over.
    if (target > 4) expected.s[8] = 1;
    if (target == 6) expected.at = 7;  // SCC is 0: not taken
    while (expected.at != 7) expected.step();
    core::Machine machine(program, fusing);
    machine.set_state(counting_state(100));
    machine.run(10000);
    ASSERT_EQ(machine.stop_reason(), StopReason::end_program);
    for (const u32 i : {0U, 1U, 2U, 3U, 4U}) EXPECT_EQ(machine.wave().peek(i), expected.s[i]) << 's' << i;
  }
}

TEST(FusionByHand, OverwrittenCodeIsExecuted) {
  // Forty iterations of s0 += s1, s0 ^= s1; then the second instruction becomes s0 += s1 (its word is in s6), and forty
  // more.
  const std::vector<u32> words = {
      0xb0080028,              // s_movk_i32 s8, 40
      0x80000100,              // s_add_u32 s0, s0, s1
      0x88000100,              // s_xor_b32 s0, s0, s1: to be overwritten
      0x80888108,              // s_sub_u32 s8, s8, 1
      0xbf078008,              // s_cmp_lg_u32 s8, 0
      0xbf85fffb,              // s_cbranch_scc1 -5
      0xc0420182, 0x00000008,  // s_store_dword s6, s[4:5], 0x8
      0x80898109,              // s_sub_u32 s9, s9, 1
      0xbf078009,              // s_cmp_lg_u32 s9, 0
      0xbf85fff5,              // s_cbranch_scc1 -11
      0xbf810000,              // s_endpgm
  };
  const Program program = program_of(words);
  Memory memory;
  ASSERT_TRUE(place_code(program, memory));
  u32 expected = 5;
  for (int i = 0; i < 40; ++i) expected = (expected + 77) ^ 77;
  for (int i = 0; i < 80; ++i) expected += 77;
  core::Machine machine(program, fusing);
  machine.set_memory(memory);
  WaveState state = initial_state(Generation::gcn1_4);
  state.file[0] = 5;
  state.file[1] = 77;
  state.file[4] = loop_base;
  state.file[6] = words[1];
  state.file[9] = 2;
  state.pc = loop_base;
  machine.set_state(state);
  EXPECT_EQ(machine.run(10000), 2 * (1 + 40 * 5 + 4) + 1);
  EXPECT_EQ(machine.stop_reason(), StopReason::end_program);
  EXPECT_EQ(machine.wave().peek(0), expected);
}

}  // namespace
}  // namespace salu::test
