#include "debug/run_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "debug/programs.hpp"
#include "generation_names.hpp"
#include "property/outcomes.hpp"
#include "property/random_programs.hpp"
#include "repetitions.hpp"
#include "unit/loader_helpers.hpp"

// Moves to any position give the state of a run of as many instructions.
namespace salu::debug {
namespace {

using test::RandomRun;
using test::repetitions;

constexpr u64 max_steps = 300;

Scenario as_scenario(const RandomRun& random_run) {
  Scenario scenario;
  scenario.program = random_run.program;
  scenario.initial = random_run.initial;
  scenario.memory = random_run.memory;
  scenario.options.on_vector = random_run.on_vector;
  scenario.options.clock = {5, 6, 7};
  return scenario;
}

/// The outcome of `salu::run` after `steps` instructions.
Outcome run_steps(const Scenario& scenario, u64 steps) {
  RunOptions options = scenario.options;
  options.max_steps = steps;
  return run(scenario.program, scenario.initial, scenario.memory, options);
}

void expect_at(RunHistory& history, const Outcome& expected) {
  EXPECT_EQ(history.position(), expected.steps);
  EXPECT_EQ(history.ended(), expected.stop.reason != StopReason::step_limit);
  EXPECT_EQ(history.ended() ? history.machine().stop().detail : "", history.ended() ? expected.stop.detail : "");
  EXPECT_EQ(history.missing(), expected.lost);
  WaveState state = history.machine().state();
  for (u32 code = 0; code < code::count; ++code) {
    if (expected.lost.test(code)) state.file[code] = 0;
  }
  if (expected.lost.test(state_index::scc)) state.scc = false;
  state.defined &= ~expected.lost;
  EXPECT_TRUE(state == expected.state);
  EXPECT_TRUE(history.machine().memory_now() == expected.memory);
  EXPECT_EQ(test::list_warnings(history.machine().warnings()), test::list_warnings(expected.warnings));
}

class RunHistoryProperty : public testing::TestWithParam<Generation> {
 protected:
  test::RandomRuns runs_{0x99 + static_cast<u64>(GetParam())};
  std::mt19937_64 random_{11};
};

TEST_P(RunHistoryProperty, GoesAnywhere) {
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Scenario scenario = as_scenario(i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam()));
    HistoryOptions options;
    options.checkpoint_interval = 1 + random_() % 50;
    // Sometimes almost no memory is available.
    if (i % 3 == 0) options.history_bytes = 1;
    RunHistory history(scenario, options);
    expect_at(history, run_steps(scenario, 0));
    history.go_to(max_steps);
    expect_at(history, run_steps(scenario, max_steps));
    const u64 end = history.position();
    for (int k = 0; k < 8; ++k) {
      const u64 target = random_() % (end + 1);
      history.go_to(target);
      // Within a group of instructions there is no reference state.
      expect_at(history, run_steps(scenario, target));
      if (k % 2 == 0) continue;
      history.step();
      expect_at(history, run_steps(scenario, std::min(target + 1, end)));
    }
    if (HasFailure()) return;
  }
}

// A selected instruction stops the run before it each time, without other effects.
TEST_P(RunHistoryProperty, StopsInFrontOfWhatIsPicked) {
  u64 stops = 0;
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Scenario scenario = as_scenario(runs_.make(GetParam()));
    // The addresses of all instructions, one by one, from the trace of a run.
    std::vector<u64> addresses;
    RunOptions traced = scenario.options;
    traced.max_steps = max_steps;
    traced.trace = [&](const TraceEvent& event) { addresses.push_back(event.pc); };
    (void)run(scenario.program, scenario.initial, scenario.memory, traced);
    if (addresses.empty()) continue;
    const u64 picked = addresses[random_() % addresses.size()];
    std::vector<u64> expected;
    for (u64 k = 0; k < addresses.size(); ++k) {
      if (addresses[k] == picked) expected.push_back(k);
    }
    RunHistory history(scenario, {.checkpoint_interval = 1 + random_() % 50});
    history.set_filter([picked](u64 address) { return address == picked; });
    std::vector<u64> found;
    while (history.position() < addresses.size()) {
      const RunHistory::Arrival arrival = history.advance(addresses.size());
      if (arrival != RunHistory::Arrival::picked) break;
      EXPECT_EQ(history.machine().pc(), picked);
      found.push_back(history.position());
      history.step();
    }
    EXPECT_EQ(found, expected);
    stops += found.size();
    if (history.position() == addresses.size()) expect_at(history, run_steps(scenario, addresses.size()));
    if (HasFailure()) return;
  }
  EXPECT_GT(stops, static_cast<u64>(repetitions(20)));
}

// An edit is part of the run: moves back and forth apply it again.
TEST_P(RunHistoryProperty, RemembersWhatWasSet) {
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    Scenario scenario = as_scenario(runs_.make(GetParam()));
    // The reference run does not track undefined state.
    scenario.options.on_vector = OnVector::stop;
    const Outcome whole = run_steps(scenario, max_steps);
    if (whole.steps < 2) continue;
    const u64 here = random_() % (whole.steps - 1);
    const Outcome before = run_steps(scenario, here);
    if (before.stop.reason != StopReason::step_limit) continue;
    Scenario changed = scenario;
    changed.initial = before.state;
    changed.memory = before.memory;
    changed.options.clock = {5 + 7 * here, 6 + 7 * here, 7};
    const RegisterName s3 = *parse_register_name(GetParam(), "s3");
    write_register(changed.initial, GetParam(), s3, 0x1234);
    const Outcome expected = run_steps(changed, max_steps);

    RunHistory history(scenario, {.checkpoint_interval = 1 + random_() % 50});
    history.go_to(here + random_() % (whole.steps - here));
    history.go_to(here);
    history.edit({s3, 0x1234, 0, {}});
    EXPECT_EQ(history.furthest(), here);
    for (int k = 0; k < 3; ++k) {
      history.go_to(here + max_steps);
      EXPECT_EQ(history.position(), here + expected.steps);
      EXPECT_TRUE(history.machine().state() == expected.state);
      EXPECT_TRUE(history.machine().memory_now() == expected.memory);
      history.go_to(random_() % (here + 1));
    }
    history.go_to(here);
    EXPECT_EQ(history.machine().wave().peek(3), 0x1234U);
    if (here != 0) {
      history.go_to(here - 1);
      expect_at(history, run_steps(scenario, here - 1));
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, RunHistoryProperty, testing::ValuesIn(all_generations()), test::test_name);

constexpr std::string_view long_loop =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 0\n"
    "    s_mov_b64 s[4:5], 0x100000\n"
    "    loop:\n"
    "    s_add_u32 s0, s0, 1\n"
    "    s_and_b32 s6, s0, 0xffffc\n"
    "    s_store_dword s0, s[4:5], s6\n"
    "    s_cmp_lt_u32 s0, s1\n"
    "    s_cbranch_scc1 loop\n"
    "    s_endpgm\n"
    "memory: [{at: 0x100000, size: 0x100000}]\n";

// After the two moves every fifth instruction is at the top of the loop, with the number of rounds in s0.
TEST(RunHistory, HistoryIsBounded) {
  const Scenario scenario =
      test::load_good(std::string(long_loop) + "registers: {s1: 400000}\nlimits: {steps: 10000000}\n");
  HistoryOptions options;
  options.checkpoint_interval = 1000;
  options.history_bytes = u64{4} << 20;
  RunHistory history(scenario, options);
  history.go_to(1'800'002);
  EXPECT_EQ(history.machine().wave().peek(0), 360'000U);
  EXPECT_LE(history.history_bytes(), options.history_bytes);
  EXPECT_GT(history.checkpoint_count(), 1U);
  for (const u64 round : {359'999U, 1U, 100'000U, 200'000U, 17U}) {
    history.go_to(2 + 5 * round);
    EXPECT_EQ(history.machine().wave().peek(0), round);
    EXPECT_EQ(history.machine().memory_now().read_dword(0x100000 + (round & 0xffffc)), round);
  }
  EXPECT_EQ(history.furthest(), 1'800'002U);
}

// With scattered writes, checkpoints are large and few. Temporary ones near the current position make a step back
// cheap.
TEST(RunHistory, StepsBackAreShort) {
  const Scenario scenario = test::load_good(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    loop:\n"
      "    s_mul_i32 s0, s0, 1664525\n"
      "    s_add_u32 s0, s0, 1013904223\n"
      "    s_lshr_b32 s6, s0, 8\n"
      "    s_and_b32 s6, s6, 0xfffffc\n"
      "    s_store_dword s0, s[4:5], s6\n"
      "    s_branch loop\n"
      "registers: {\"s[4:5]\": 0x1000000}\n"
      "memory: [{at: 0x1000000, size: 0x1000000}]\n");
  RunHistory history(scenario, {.history_bytes = u64{64} << 20});
  history.go_to(2'000'000);
  EXPECT_LE(history.history_bytes(), u64{64} << 20);
  u64 most = 0;
  u64 sum = 0;
  for (u64 back = 1; back <= 2000; ++back) {
    const u64 target = 2'000'000 - back;
    const u64 distance = target - history.checkpoint_before(target);
    most = std::max(most, distance);
    sum += distance;
    history.go_to(target);
  }
  EXPECT_LT(most, 300'000U);
  EXPECT_LT(sum / 2000, 4000U);
  EXPECT_LE(history.history_bytes(), u64{64} << 20);
}

TEST(RunHistory, CanBeInterrupted) {
  const Scenario scenario = test::load_good(std::string(long_loop) + "registers: {s1: 400000}\n");
  RunHistory history(scenario);
  history.interrupt();
  EXPECT_FALSE(history.go_to(1'000'000));
  EXPECT_LT(history.position(), 1'000'000U);
  EXPECT_TRUE(history.go_to(1'000'000));
}

// A recursion of ten thousand calls: the frames exist at any position, and are released without recursion.
TEST(RunHistory, KnowsTheCalls) {
  const Scenario scenario = test::load_good(test::recursion(100'000));
  RunHistory history(scenario, {.checkpoint_interval = 10'000});
  // 2 instructions to the first call, 6 for each further one.
  history.go_to(2);
  EXPECT_EQ(history.calls(history.wave().number).depth(), 1U);
  history.go_to(2 + 6 * 50'000);
  EXPECT_EQ(history.calls(history.wave().number).depth(), 50'001U);
  EXPECT_EQ(history.calls(history.wave().number).top()->position, 2 + 6 * 50'000U - 1);
  EXPECT_EQ(history.calls(history.wave().number).top()->call_pc,
            history.calls(history.wave().number).top()->return_address - 4);
  history.go_to(1);
  EXPECT_EQ(history.calls(history.wave().number).depth(), 0U);
  history.go_to(10'000'000);
  EXPECT_TRUE(history.ended());
  EXPECT_EQ(history.calls(history.wave().number).depth(), 0U);
  history.go_to(2 + 6 * 99'999);
  EXPECT_EQ(history.calls(history.wave().number).depth(), 100'000U);
}

}  // namespace
}  // namespace salu::debug
