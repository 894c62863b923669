#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observe/accesses.hpp"
#include "semantics/code.hpp"

// The extent of a run: step limits, the end of a function, several pieces of code.
namespace salu::test {
namespace {

/// Calls, loops, literals, a skipped vector instruction, a fork: blocks of all lengths.
Code busy_program(Generation generation) {
  Code code(generation);
  code.sop1("s_mov_b32", s(40), number(3));
  const u64 loop = code.here();
  code.sop2("s_add_u32", s(41), s(41), literal(0x10001));
  code.sop1("s_getpc_b64", s(44), {});
  code.sop2("s_add_u32", s(44), s(44), number(8));
  code.sop1("s_swappc_b64", s(46), s(44));
  code.sop2("s_sub_u32", s(40), s(40), number(1));  // calls the next instruction
  code.sopc("s_cmp_lg_u32", s(40), number(0));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);
  code.aim(back, loop);
  code.sop1("s_mov_b64", s(48), number(15));
  code.sopk("s_cbranch_i_fork", s(48), 1);
  code.sop1("s_mov_b32", s(50), number(1));
  code.sop1("s_mov_b32", s(51), number(2));
  code.sop1("s_cbranch_join", {}, s(52));
  code.sopc("s_setvskip", number(1), number(0));
  code.word(0x7e000000);
  code.sop1("s_movreld_b32", s(60), s(41));
  code.sopk("s_addk_i32", s(41), -5);
  code.end();
  return code;
}

TEST(Traces, ContainReadsAndWrites) {
  Code code(Generation::gcn1_4);
  code.sop2("s_add_u32", s(0), s(1), s(2));
  code.sop1("s_mov_b64", s(4), s(6));
  code.end();
  const Program program = program_of({&code});
  WaveState initial = initial_state(Generation::gcn1_4);
  initial.pc = program.entry;
  initial.file[1] = 0xffffffff;
  initial.file[2] = 3;
  initial.file[6] = 0x11;
  initial.file[7] = 0x22;
  using Values = std::vector<LocationValue>;
  std::vector<Values> read;
  std::vector<Values> written;
  std::vector<u64> next;
  RunOptions options;
  options.trace = [&](const TraceEvent& event) {
    read.emplace_back(event.read.begin(), event.read.end());
    written.emplace_back(event.written.begin(), event.written.end());
    next.push_back(event.next_pc);
  };
  EXPECT_EQ(run(program, initial, Memory{}, options).steps, 3U);
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0], (Values{{{1}, {0xffffffff}}, {{2}, {3}}}));
  EXPECT_EQ(written[0], (Values{{{0}, {2}}, {{state_index::scc}, {1}}}));
  EXPECT_EQ(read[1], (Values{{{6, 2}, {0x11, 0x22}}}));
  EXPECT_EQ(written[1], (Values{{{4, 2}, {0x11, 0x22}}}));
  EXPECT_TRUE(read[2].empty());
  EXPECT_TRUE(written[2].empty());
  EXPECT_EQ(next, (std::vector<u64>{program.entry + 4, program.entry + 8, program.entry + 8}));
}

TEST(Locations, OverlapWhereTheyShareADword) {
  EXPECT_TRUE(overlap(Location{4, 4}, {7}));
  EXPECT_FALSE(overlap(Location{4, 4}, {8}));
  EXPECT_FALSE(overlap(Location{4, 4}, {state_index::scc}));
  EXPECT_TRUE(overlap(Location::in_memory(0x1000, 2), Location::in_memory(0x1004)));
  EXPECT_FALSE(overlap(Location::in_memory(0x1000, 2), Location::in_memory(0x1008)));
  EXPECT_TRUE(overlap(Location{state_index::mode}, {state_index::mode}));
  EXPECT_FALSE(overlap(Location{state_index::hwregs + 3}, {state_index::hwregs + 4}));
}

// One index for all state: everything with a number has a name, including lanes of vector registers.
TEST(Locations, AreNamedByOneIndex) {
  using observe::location_name;
  using state_index::lanes;
  const auto name = [](const Location& location, Generation generation = Generation::cdna3) {
    return location_name(generation, location);
  };
  EXPECT_EQ(name({4, 4}), "s[4:7]");
  EXPECT_EQ(name({code::vcc + 1}), "vcc_hi");
  EXPECT_EQ(name({state_index::scc}), "scc");
  EXPECT_EQ(name({state_index::tba, 2}), "tba");
  EXPECT_EQ(name({state_index::tma + 1}), "tma_hi");
  EXPECT_EQ(name({state_index::hwregs + 3}), "TRAPSTS");
  EXPECT_EQ(name({state_index::vgprs + 3 * lanes + 7}), "v3[7]");
  EXPECT_EQ(name({state_index::vgprs + 3 * lanes, lanes}), "v3");
  EXPECT_EQ(name({state_index::vgprs + 254 * lanes, 2 * lanes}), "v[254:255]");
  EXPECT_EQ(name({state_index::agprs + 63}), "a0[63]");
  EXPECT_EQ(name(Location::in_memory(0x1234)), "[0x1234]");
  // On generations where TBA and TMA are operands, operands and names refer to the same places.
  EXPECT_EQ(parse_register_name(Generation::gcn1_2, "tma_lo")->location(),
            (Location{register_index(Generation::gcn1_2, 110)}));
  EXPECT_EQ(register_index(Generation::gcn1_4, 110), 110U);
}

TEST(Locations, HaveACellForEachDword) {
  EXPECT_EQ(cell_of({4, 4}, 3), cell_of({7}, 0));
  EXPECT_EQ(cell_of(Location::in_memory(0x1000, 2), 1), cell_of(Location::in_memory(0x1004), 0));
  EXPECT_NE(cell_of({state_index::memory - 1}, 0), cell_of(Location::in_memory(0), 0));
  EXPECT_NE(cell_of(Location::in_memory(0xffff'ffff'fffc), 0), cell_of(Location::in_memory(0), 0));
}

TEST(StepLimit, IsExact) {
  for (const Generation generation : all_generations()) {
    const Code code = busy_program(generation);
    const Program program = program_of({&code});
    WaveState initial = initial_state(generation);
    initial.pc = program.entry;
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      RunOptions options;
      options.dispatch = dispatch;
      const Outcome whole = run(program, initial, Memory{}, options);
      ASSERT_EQ(whole.stop.reason, StopReason::end_program) << whole.stop.detail;
      ASSERT_GT(whole.steps, 30U);
      WaveState stepped = initial;
      for (u64 limit = 0; limit <= whole.steps + 1; ++limit) {
        options.max_steps = limit;
        const Outcome outcome = run(program, initial, Memory{}, options);
        const bool ended = limit >= whole.steps;
        EXPECT_EQ(outcome.steps, ended ? whole.steps : limit);
        EXPECT_EQ(outcome.stop.reason, ended ? StopReason::end_program : StopReason::step_limit);
        EXPECT_EQ(outcome.stop.pc, stepped.pc);
        EXPECT_EQ(difference(stepped, outcome.state), "") << "after " << limit << " steps";
        if (ended) continue;
        options.max_steps = 1;
        stepped = run(program, stepped, Memory{}, options).state;
      }
    }
  }
}

TEST(StepLimit, EndsAnEndlessLoop) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_branch", -1);
    for (const u64 limit : {0ULL, 1ULL, 2ULL, 12345ULL}) {
      RunOptions options;
      options.max_steps = limit;
      const Outcome outcome = run_code(code, initial_state(generation), options);
      EXPECT_EQ(outcome.stop.reason, StopReason::step_limit);
      EXPECT_EQ(outcome.steps, limit);
      EXPECT_EQ(outcome.stop.pc, code.base());
    }
  }
}

TEST(StepLimit, CanBeAnyNumber) {
  Code code(Generation::gcn1_4);
  code.nops(3).end();
  RunOptions options;
  options.max_steps = ~u64{0};
  const Outcome outcome = run_code(code, initial_state(Generation::gcn1_4), options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 4U);
}

struct FunctionRun {
  StopReason reason;
  u64 pc;
  u64 steps;
  WaveState state;
};

FunctionRun run_function(const Code& code, const WaveState& initial, u64 max_steps = 100, bool trace = false) {
  Program program = program_of({&code});
  program.function_end = code.base() + 12;
  program.return_address = 0xabcd00;
  WaveState state = initial;
  state.pc = program.entry;
  RunOptions options;
  options.max_steps = max_steps;
  if (trace) options.trace = [](const TraceEvent&) {};
  const Outcome outcome = run(program, state, Memory{}, options);
  return {outcome.stop.reason, outcome.stop.pc, outcome.steps, outcome.state};
}

TEST(Returned, IsTheEndOfTheFunction) {
  for (const Generation generation : all_generations()) {
    for (const bool trace : {false, true}) {
      const WaveState initial = initial_state(generation);
      // Falls through to the end, which is in the middle of the code and would be an instruction.
      Code falls(generation);
      falls.sop1("s_mov_b32", s(2), number(1)).nops(2).sop1("s_mov_b32", s(2), number(2)).end();
      FunctionRun result = run_function(falls, initial, 100, trace);
      EXPECT_EQ(result.reason, StopReason::returned);
      EXPECT_EQ(result.pc, falls.base() + 12);
      EXPECT_EQ(result.state.pc, falls.base() + 12);
      EXPECT_EQ(result.steps, 3U);
      EXPECT_EQ(result.state.file[2], 1U);
      // The end is also reported if the steps are used up.
      EXPECT_EQ(run_function(falls, initial, 3, trace).reason, StopReason::returned);
      EXPECT_EQ(run_function(falls, initial, 2, trace).reason, StopReason::step_limit);

      // The function ends with the code.
      Code exact(generation);
      exact.nops(3);
      result = run_function(exact, initial, 100, trace);
      EXPECT_EQ(result.reason, StopReason::returned);
      EXPECT_EQ(result.steps, 3U);

      // Branches to the end early.
      Code early(generation);
      early.sopp("s_branch", 2).nops(2).end();
      result = run_function(early, initial, 100, trace);
      EXPECT_EQ(result.reason, StopReason::returned);
      EXPECT_EQ(result.pc, early.base() + 12);
      EXPECT_EQ(result.steps, 1U);
      Code early_out(generation);
      early_out.sopp("s_branch", 2).nops(2);
      EXPECT_EQ(run_function(early_out, initial, 100, trace).reason, StopReason::returned);

      // Returns to the return address.
      Code returns(generation);
      returns.sop1("s_setpc_b64", {}, s(30)).nops(4);
      WaveState called = initial;
      called.write64(30, 0xabcd00);
      result = run_function(returns, called, 100, trace);
      EXPECT_EQ(result.reason, StopReason::returned);
      EXPECT_EQ(result.pc, 0xabcd00U);
      EXPECT_EQ(result.steps, 1U);
    }
  }
}

TEST(PastKernelEnd, IsAFaultWhereTheCodeOfTheKernelEnds) {
  for (const Generation generation : all_generations()) {
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      for (const bool trace : {false, true}) {
        // Falls through to the code after it, leaves the code, or branches there.
        Code falls(generation);
        falls.sop1("s_mov_b32", s(2), number(1)).nops(2).sop1("s_mov_b32", s(2), number(2)).end();
        Code exact(generation);
        exact.sop1("s_mov_b32", s(2), number(1)).nops(2);
        Code branches(generation);
        branches.sop1("s_mov_b32", s(2), number(1)).sopp("s_branch", 1).nops(1).end();
        for (const Code* const code : {&falls, &exact, &branches}) {
          Program program = program_of({code});
          program.kernel_end = KernelEnd{"k", code->base() + 12};
          WaveState state = initial_state(generation);
          state.pc = program.entry;
          RunOptions options;
          options.dispatch = dispatch;
          if (trace) options.trace = [](const TraceEvent&) {};
          const Outcome outcome = run(program, state, Memory{}, options);
          EXPECT_EQ(outcome.stop.reason, StopReason::past_kernel_end);
          EXPECT_TRUE(is_fault(outcome.stop.reason));
          EXPECT_EQ(outcome.stop.pc, code->base() + 12);
          EXPECT_EQ(outcome.state.pc, code->base() + 12);
          EXPECT_EQ(outcome.steps, code == &branches ? 2U : 3U);
          EXPECT_EQ(outcome.state.file[2], 1U);
          EXPECT_TRUE(outcome.state.defined[2]);
          EXPECT_THAT(outcome.stop.detail, testing::HasSubstr("the kernel `k` ends at 0x"));
        }
      }
    }
  }
}

TEST(PastKernelEnd, IsNotReachedByAKernelThatEnds) {
  Code code(Generation::gcn1_4);
  code.nops(2).end().end();
  Program program = program_of({&code});
  program.kernel_end = KernelEnd{"k", code.base() + 12};
  WaveState state = initial_state(Generation::gcn1_4);
  state.pc = program.entry;
  EXPECT_EQ(run(program, state, Memory{}).stop.reason, StopReason::end_program);
}

TEST(Returned, NeedsNoStep) {
  Code code(Generation::gcn1_4);
  code.nops(4).end();
  Program program = program_of({&code});
  program.function_end = code.base();
  WaveState state = initial_state(Generation::gcn1_4);
  state.pc = code.base();
  const Outcome outcome = run(program, state, Memory{});
  EXPECT_EQ(outcome.stop.reason, StopReason::returned);
  EXPECT_EQ(outcome.steps, 0U);
}

TEST(SeveralBlocks, AreOneProgram) {
  for (const Generation generation : all_generations()) {
    Code first(generation, 0x1000);
    Code second(generation, 0x2000);
    Code third(generation, 0x1014);  // begins where the first block ends
    first.sop1("s_mov_b64", s(4), literal(0x2000));
    first.sop1("s_swappc_b64", s(6), s(4));
    first.sop1("s_mov_b32", s(2), number(1));
    first.nops(1);
    ASSERT_EQ(first.here(), third.base());
    second.sop1("s_mov_b32", s(8), number(5));
    second.sop1("s_setpc_b64", {}, s(6));
    third.sop1("s_mov_b32", s(3), number(2));
    third.sopp("s_branch", 0);
    third.end();
    const u64 far_branch = third.base() + 4;
    third.aim(far_branch, second.base() + 12);
    second.nops(1).sop1("s_mov_b32", s(9), number(7)).end();
    const Outcome outcome = run_code({&first, &second, &third}, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.pc, second.base() + 16);
    EXPECT_EQ(outcome.steps, 10U);
    EXPECT_EQ(outcome.state.read64(6), 0x100cU);
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.file[3], 2U);
    EXPECT_EQ(outcome.state.file[8], 5U);
    EXPECT_EQ(outcome.state.file[9], 7U);
  }
}

// The PC has as many bits as addresses, and wraps to 0.
TEST(SeveralBlocks, GoOnFromTheTopOfTheAddressSpaceAtItsBottom) {
  for (const Generation generation : all_generations()) {
    Code top(generation, pc_mask(generation) - 4);
    Code bottom(generation, 0);
    top.sop1("s_mov_b32", s(2), number(1));
    top.sop1("s_getpc_b64", s(4), {});
    bottom.sop1("s_mov_b32", s(3), number(2)).end();
    const Outcome outcome = run_code({&top, &bottom}, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.pc, 4U);
    EXPECT_EQ(outcome.state.file[2], 1U);
    EXPECT_EQ(outcome.state.file[3], 2U);
    EXPECT_EQ(outcome.state.read64(4), 0U);
    RunOptions options;
    options.max_steps = 2;
    EXPECT_EQ(run_code({&top, &bottom}, initial_state(generation), options).state.pc, 0U);
    const Outcome without_code = run_code(top, initial_state(generation));
    EXPECT_EQ(without_code.stop.reason, StopReason::pc_outside_code);
    EXPECT_EQ(without_code.stop.pc, 0U);
    EXPECT_EQ(without_code.state.pc, 0U);
  }
}

TEST(Calls, FromTheTopOfTheAddressSpaceReturnToItsBottom) {
  for (const Generation generation : all_generations()) {
    Code top(generation, pc_mask(generation));
    Code called(generation, 0x1000);
    top.sop1("s_swappc_b64", s(4), s(6));
    called.end();
    WaveState state = initial_state(generation);
    state.write64(6, called.base());
    const Outcome outcome = run_code({&top, &called}, state);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.read64(4), 0U);
  }
}

// A jump into an instruction with a literal: its second dword is then an instruction.
TEST(Jumps, MayGoAnywhere) {
  for (const Generation generation : all_generations()) {
    Code code(generation);
    code.sopp("s_cbranch_scc1", 1);
    code.sop1("s_mov_b32", s(2), literal(0xbf810000));  // the literal is s_endpgm
    code.sopc("s_cmp_eq_u32", number(0), number(0));
    code.sopp("s_branch", -5);
    const Outcome outcome = run_code(code, initial_state(generation));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    EXPECT_EQ(outcome.stop.pc, code.base() + 8);
    EXPECT_EQ(outcome.state.file[2], 0xbf810000U);
    EXPECT_EQ(outcome.steps, 6U);
  }
}

}  // namespace
}  // namespace salu::test
