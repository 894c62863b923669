#include "debug/timeline.hpp"

#include <gtest/gtest.h>

#include <random>

#include "debug/programs.hpp"
#include "property/outcomes.hpp"
#include "property/random_programs.hpp"
#include "repetitions.hpp"
#include "unit/loader_helpers.hpp"

// Going anywhere in a run comes to the state that a run of so many instructions leaves.
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

/// What `salu::run` says of the first `steps` instructions.
Outcome run_steps(const Scenario& scenario, u64 steps) {
  RunOptions options = scenario.options;
  options.max_steps = steps;
  return run(scenario.program, scenario.initial, scenario.memory, options);
}

void expect_at(Timeline& timeline, const Outcome& expected) {
  EXPECT_EQ(timeline.position(), expected.steps);
  EXPECT_EQ(timeline.ended(), expected.stop.reason != StopReason::step_limit);
  EXPECT_EQ(timeline.ended() ? timeline.machine().stop().detail : "", timeline.ended() ? expected.stop.detail : "");
  EXPECT_EQ(timeline.missing(), expected.lost);
  WaveState state = timeline.machine().state();
  for (u32 code = 0; code < code::count; ++code) {
    if (expected.lost.test(code)) state.file[code] = 0;
  }
  if (expected.lost.test(defined_index::scc)) state.scc = false;
  state.defined &= ~expected.lost;
  EXPECT_TRUE(state == expected.state);
  EXPECT_TRUE(timeline.machine().memory_now() == expected.memory);
  EXPECT_EQ(test::list_warnings(timeline.machine().warnings()), test::list_warnings(expected.warnings));
}

class TimelineProperty : public testing::TestWithParam<Generation> {
 protected:
  test::RandomRuns runs_{0x99 + static_cast<u64>(GetParam())};
  std::mt19937_64 random_{11};
};

TEST_P(TimelineProperty, GoesAnywhere) {
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const Scenario scenario = as_scenario(i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam()));
    TimelineOptions options;
    options.checkpoint_interval = 1 + random_() % 50;
    // Sometimes there is room for next to none.
    if (i % 3 == 0) options.history_bytes = 1;
    Timeline timeline(scenario, options);
    expect_at(timeline, run_steps(scenario, 0));
    timeline.go_to(max_steps);
    expect_at(timeline, run_steps(scenario, max_steps));
    const u64 end = timeline.position();
    for (int k = 0; k < 8; ++k) {
      const u64 target = random_() % (end + 1);
      timeline.go_to(target);
      // In the middle of the instructions that belong to one, there is no other state to compare with.
      expect_at(timeline, run_steps(scenario, target));
      if (k % 2 == 0) continue;
      timeline.step();
      expect_at(timeline, run_steps(scenario, std::min(target + 1, end)));
    }
    if (HasFailure()) return;
  }
}

// What is picked stops a run in front of it each time, and changes nothing.
TEST_P(TimelineProperty, StopsInFrontOfWhatIsPicked) {
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
    Timeline timeline(scenario, {.checkpoint_interval = 1 + random_() % 50});
    timeline.set_filter([picked](u64 address) { return address == picked; });
    std::vector<u64> found;
    while (timeline.position() < addresses.size()) {
      const Timeline::Arrival arrival = timeline.advance(addresses.size());
      if (arrival != Timeline::Arrival::picked) break;
      EXPECT_EQ(timeline.machine().pc(), picked);
      found.push_back(timeline.position());
      timeline.step();
    }
    EXPECT_EQ(found, expected);
    stops += found.size();
    if (timeline.position() == addresses.size()) expect_at(timeline, run_steps(scenario, addresses.size()));
    if (HasFailure()) return;
  }
  EXPECT_GT(stops, static_cast<u64>(repetitions(20)));
}

// What is set somewhere is part of the run: going back and forth comes by it again.
TEST_P(TimelineProperty, RemembersWhatWasSet) {
  for (int i = 0; i < repetitions(150); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    Scenario scenario = as_scenario(runs_.make(GetParam()));
    // What is compared with knows nothing of what is missing.
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

    Timeline timeline(scenario, {.checkpoint_interval = 1 + random_() % 50});
    timeline.go_to(here + random_() % (whole.steps - here));
    timeline.go_to(here);
    timeline.edit({s3, 0x1234, 0, {}});
    EXPECT_EQ(timeline.furthest(), here);
    for (int k = 0; k < 3; ++k) {
      timeline.go_to(here + max_steps);
      EXPECT_EQ(timeline.position(), here + expected.steps);
      EXPECT_TRUE(timeline.machine().state() == expected.state);
      EXPECT_TRUE(timeline.machine().memory_now() == expected.memory);
      timeline.go_to(random_() % (here + 1));
    }
    timeline.go_to(here);
    EXPECT_EQ(timeline.machine().peek(3), 0x1234U);
    if (here != 0) {
      timeline.go_to(here - 1);
      expect_at(timeline, run_steps(scenario, here - 1));
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, TimelineProperty, testing::ValuesIn(all_generations()), test::test_name);

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
TEST(Timeline, HistoryIsBounded) {
  const Scenario scenario =
      test::load_good(std::string(long_loop) + "registers: {s1: 400000}\nlimits: {steps: 10000000}\n");
  TimelineOptions options;
  options.checkpoint_interval = 1000;
  options.history_bytes = u64{4} << 20;
  Timeline timeline(scenario, options);
  timeline.go_to(1'800'002);
  EXPECT_EQ(timeline.machine().peek(0), 360'000U);
  EXPECT_LE(timeline.history_bytes(), options.history_bytes);
  EXPECT_GT(timeline.checkpoint_count(), 1U);
  for (const u64 round : {359'999U, 1U, 100'000U, 200'000U, 17U}) {
    timeline.go_to(2 + 5 * round);
    EXPECT_EQ(timeline.machine().peek(0), round);
    EXPECT_EQ(timeline.machine().peek_memory(0x100000 + (round & 0xffffc)), round);
  }
  EXPECT_EQ(timeline.furthest(), 1'800'002U);
}

TEST(Timeline, CanBeInterrupted) {
  const Scenario scenario = test::load_good(std::string(long_loop) + "registers: {s1: 400000}\n");
  Timeline timeline(scenario);
  timeline.interrupt();
  EXPECT_FALSE(timeline.go_to(1'000'000));
  EXPECT_LT(timeline.position(), 1'000'000U);
  EXPECT_TRUE(timeline.go_to(1'000'000));
}

// A recursion of ten thousand calls: the frames are there at any position, and gone without a recursion of our own.
TEST(Timeline, KnowsTheCalls) {
  const Scenario scenario = test::load_good(test::recursion(100'000));
  Timeline timeline(scenario, {.checkpoint_interval = 10'000});
  // 2 instructions to the first call, 6 for each further one.
  timeline.go_to(2);
  EXPECT_EQ(timeline.calls().depth(), 1U);
  timeline.go_to(2 + 6 * 50'000);
  EXPECT_EQ(timeline.calls().depth(), 50'001U);
  EXPECT_EQ(timeline.calls().top()->position, 2 + 6 * 50'000U - 1);
  EXPECT_EQ(timeline.calls().top()->call_pc, timeline.calls().top()->return_address - 4);
  timeline.go_to(1);
  EXPECT_EQ(timeline.calls().depth(), 0U);
  timeline.go_to(10'000'000);
  EXPECT_TRUE(timeline.ended());
  EXPECT_EQ(timeline.calls().depth(), 0U);
  timeline.go_to(2 + 6 * 99'999);
  EXPECT_EQ(timeline.calls().depth(), 100'000U);
}

}  // namespace
}  // namespace salu::debug
