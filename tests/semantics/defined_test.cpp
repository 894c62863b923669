#include <gtest/gtest.h>

#include <set>

#include "generation_names.hpp"
#include "semantics/code.hpp"

// WaveState::defined after a run: the registers that the program wrote, whether its last block ran to the end or not.
namespace salu::test {
namespace {

using Indices = std::set<u32>;

/// The registers that became defined; EXEC is defined from the start.
Indices newly_defined(const Outcome& outcome) {
  Indices result;
  for (u32 i = 0; i < state_index::defined_count; ++i) {
    if (outcome.state.defined.test(i) && i != code::exec && i != code::exec + 1) result.insert(i);
  }
  return result;
}

Outcome run_limited(const Code& code, u64 max_steps, Dispatch dispatch = Dispatch::best) {
  RunOptions options;
  options.max_steps = max_steps;
  options.dispatch = dispatch;
  return run_code(code, initial_state(code.generation()), options);
}

constexpr u32 scc = state_index::scc;

class Defined : public testing::TestWithParam<Generation> {};

TEST_P(Defined, FollowsTheStepsWithinABlock) {
  Code code(GetParam());
  code.sop1("s_mov_b32", s(2), number(1));
  code.sop2("s_add_u32", s(3), s(2), literal(0x12345));
  code.sop1("s_mov_b64", s(4), number(1));
  code.sop1("s_mov_b32", m0, number(1));
  code.sop1("s_mov_b32", {107}, number(1));
  code.end();
  const Indices all[] = {{},
                         {2},
                         {2, 3, scc},
                         {2, 3, 4, 5, scc},
                         {2, 3, 4, 5, 124, scc},
                         {2, 3, 4, 5, 107, 124, scc},
                         {2, 3, 4, 5, 107, 124, scc}};
  for (u64 steps = 0; steps < std::size(all); ++steps) {
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
      EXPECT_EQ(newly_defined(run_limited(code, steps, dispatch)), all[steps]) << steps;
    }
  }
}

TEST_P(Defined, StopsWhereTheRunDoes) {
  using Stopper = void (*)(Code&);
  for (const Stopper stop : std::initializer_list<Stopper>{
           [](Code& c) { c.word(0xbfff0000); },                // unused opcode
           [](Code& c) { c.sop1("s_mov_b64", s(20), s(3)); },  // odd
           [](Code& c) { c.sop1("s_mov_b32", s(20), {209}); },
           [](Code& c) { c.word(generation_info(c.generation()).gfx <= 7 ? 0x7e008200 : 0x7e006a00); },  // v_clrexcp
           [](Code& c) { c.sop1("s_mov_regrd_b32", s(20), s(2)); }, [](Code& c) { c.sopp("s_sethalt", 1); },
           [](Code& c) { c.word(0xc0000000).word(0); }}) {
    Code code(GetParam());
    code.sop1("s_mov_b32", s(2), number(1));
    stop(code);
    code.sop1("s_mov_b32", s(8), number(1));
    code.end();
    const Outcome outcome = run_limited(code, 100);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(newly_defined(outcome), (Indices{2})) << stop_reason_name(outcome.stop.reason);
  }
}

TEST_P(Defined, FollowsBlocksAndLoops) {
  Code code(GetParam());
  code.sop1("s_mov_b32", s(2), number(3));  // 1
  const u64 loop = code.here();
  code.sop2("s_sub_u32", s(2), s(2), number(1));  // 2, 6, 10
  code.sop1("s_mov_b32", s(3), number(1));        // 3, 7, 11
  code.sopc("s_cmp_lg_u32", s(2), number(0));     // 4, 8, 12
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);  // 5, 9, 13
  code.aim(back, loop);
  code.sop1("s_mov_b32", s(4), number(1));  // 14
  code.sop1("s_mov_b32", s(5), number(1));  // 15
  code.end();
  for (u64 steps = 0; steps <= 16; ++steps) {
    Indices expected;
    if (steps >= 1) expected.insert(2);
    if (steps >= 2) expected.insert(scc);
    if (steps >= 3) expected.insert(3);
    if (steps >= 14) expected.insert(4);
    if (steps >= 15) expected.insert(5);
    EXPECT_EQ(newly_defined(run_limited(code, steps)), expected) << steps;
  }
}

TEST_P(Defined, DependsOnValuesWhereTheWriteDoes) {
  const Generation generation = GetParam();
  Code code(generation);
  code.sopc("s_cmp_eq_u32", number(0), number(1));
  code.sop1("s_cmov_b32", s(2), number(1));                // not moved
  code.sop1("s_mov_b32", ttmp(generation, 0), number(1));  // dropped
  code.sop1("s_mov_b32", s(50), number(1));                // beyond the allocation
  code.sopc("s_cmp_eq_u32", number(1), number(1));
  code.sop1("s_cmov_b64", s(4), number(1));
  code.sop1("s_mov_b32", m0, number(2));
  code.sop1("s_movreld_b32", s(6), number(1));  // writes s8
  code.sop1("s_movrels_b32", s(10), s(6));
  code.sopk("s_setreg_imm32_b32", {}, hwreg(1, 0, 4), 3);
  code.sopk("s_getreg_b32", s(12), hwreg(1, 0, 4));
  code.end();
  WaveState state = initial_state(generation);
  state.sgprs = 48;
  EXPECT_EQ(newly_defined(run_code(code, state)), (Indices{4, 5, 8, 10, 12, 124, scc}));
}

TEST_P(Defined, IncludesTheStackTheTrapRegistersAndCalls) {
  const Generation generation = GetParam();
  Code code(generation);
  code.sopk("s_cbranch_i_fork", s(0), 0);  // no lane passes: nothing is pushed
  code.sop1("s_mov_b32", s(6), number(1));
  code.sopk("s_cbranch_i_fork", s(6), 0);  // one lane passes
  code.sop1("s_getpc_b64", s(8), {});
  code.sop2("s_add_u32", s(8), s(8), number(8));
  code.sop1("s_swappc_b64", s(10), s(8));
  code.sopp("s_trap", 1);
  Code handler(generation, 0x8000);
  handler.end();
  WaveState state = initial_state(generation);
  state.status = 1U << status_bit::trap_en;
  state.tba = handler.base();
  const u32 ttmp0 = ttmp(generation, 0).code;
  const Outcome outcome = run_code({&code, &handler}, state);
  EXPECT_EQ(outcome.steps, 8U);
  EXPECT_EQ(newly_defined(outcome), (Indices{0, 1, 2, 3, 6, 8, 9, 10, 11, ttmp0, ttmp0 + 1, scc}));
}

TEST(DefinedSpecials, IncludeTheTrapAddressesBeforeGfx9) {
  for (const Generation generation : generations(Generation::gcn1_0, Generation::gcn1_2)) {
    Code code(generation);
    code.sop1("s_mov_b32", {109}, number(1));
    code.sop1("s_mov_b64", tma, number(1));
    code.end();
    WaveState state = initial_state(generation);
    state.status = 1U << status_bit::priv;
    EXPECT_EQ(newly_defined(run_code(code, state)),
              (Indices{state_index::tba + 1, state_index::tma, state_index::tma + 1}));
  }
}

TEST_P(Defined, KeepsInitialValues) {
  Code code(GetParam());
  code.sop1("s_mov_b32", s(2), number(1)).end();
  WaveState state = initial_state(GetParam());
  state.defined.set(70).set(scc);
  EXPECT_EQ(newly_defined(run_code(code, state)), (Indices{2, 70, scc}));
}

TEST(DefinedSpecials, IncludeM0AfterGprIndexInstructions) {
  const auto m0_after = [](const Code& code) { return newly_defined(run_limited(code, 100)).contains(124); };
  for (const Generation generation : generations(Generation::gcn1_2)) {
    EXPECT_TRUE(m0_after(Code(generation).sop1("s_set_gpr_idx_idx", {}, number(1)).end()));
    EXPECT_TRUE(m0_after(Code(generation).sopc("s_set_gpr_idx_on", number(1), {1}).end()));
    EXPECT_TRUE(m0_after(Code(generation).sopp("s_set_gpr_idx_mode", 1).end()));
    EXPECT_FALSE(m0_after(Code(generation).sopp("s_set_gpr_idx_off").end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, Defined, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
