#include <gtest/gtest.h>

#include <salu/run.hpp>

#include <optional>

#include "property/outcomes.hpp"

// However a program is run, it comes to the same: by any dispatch loop, watched or not, at once or in pieces, again.
namespace salu::test {
namespace {

constexpr u64 max_steps = 300;

class RunsAgree : public testing::TestWithParam<Generation> {
 protected:
  RandomRuns runs{0x77 + static_cast<u64>(GetParam())};
};

Outcome run_once(const RandomRun& random_run, RunOptions options = {}) {
  options.max_steps = max_steps;
  options.on_vector = random_run.on_vector;
  return run(random_run.program, random_run.initial, Memory{}, options);
}

TEST_P(RunsAgree, ByEveryDispatchLoop) {
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = i % 4 == 0 ? runs.make_garbage(GetParam()) : runs.make(GetParam());
    RunOptions options;
    options.strict = i % 7 == 0;
    options.dispatch = Dispatch::switched;
    const Outcome reference = run_once(random_run, options);
    for (const Dispatch dispatch : {Dispatch::direct_goto, Dispatch::tail_calls, Dispatch::best}) {
      if (!has_dispatch(dispatch)) continue;
      options.dispatch = dispatch;
      expect_same(reference, run_once(random_run, options));
      if (HasFailure()) return;
    }
  }
}

TEST_P(RunsAgree, WatchedOrNot) {
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    RunOptions options;
    options.strict = i % 7 == 0;
    const Outcome alone = run_once(random_run, options);
    u64 events = 0;
    options.trace = [&](const TraceEvent& event) {
      EXPECT_EQ(event.step, ++events);
      EXPECT_FALSE(event.instruction.empty());
    };
    const Outcome traced = run_once(random_run, options);
    expect_same(alone, traced);
    EXPECT_EQ(events, traced.steps);

    // Undefined reads add warnings and change nothing else, unless warnings stop the run.
    options = {};
    const Outcome lenient = run_once(random_run, options);
    options.check_undefined = true;
    Outcome checked = run_once(random_run, options);
    std::erase_if(checked.warnings, [](const Warning& each) { return each.kind == WarningKind::undefined_read; });
    expect_same(lenient, checked);
    if (HasFailure()) return;
  }
}

TEST_P(RunsAgree, InPieces) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    Outcome whole = run_once(random_run);
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
      core::Machine machine(random_run.program, dispatch);
      machine.set_on_vector(random_run.on_vector);
      machine.set_state(random_run.initial);
      u64 steps = 0;
      while (steps < max_steps && !machine.stopped()) {
        const u64 piece = std::min<u64>(1 + random() % (i % 2 == 0 ? 4 : 60), max_steps - steps);
        const u64 executed = random() % 3 == 0 ? machine.run_exactly(piece) : machine.run(piece);
        EXPECT_TRUE(executed == piece || machine.stopped());
        steps += executed;
      }
      Outcome pieced = outcome_of(machine, steps);
      // The sentence about the limit is the caller's.
      if (!machine.stopped()) pieced.stop.detail = whole.stop.detail;
      expect_same(whole, pieced);
      if (HasFailure()) return;
    }
  }
}

TEST_P(RunsAgree, FromAnyStateInBetween) {
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    const Outcome whole = run_once(random_run);
    RunOptions options;
    options.on_vector = random_run.on_vector;
    options.max_steps = whole.steps / 2;
    const Outcome half = run(random_run.program, random_run.initial, Memory{}, options);
    EXPECT_EQ(half.steps, whole.steps / 2);
    if (half.stop.reason != StopReason::step_limit) continue;
    options.max_steps = max_steps - half.steps;
    const Outcome other_half = run(random_run.program, half.state, Memory{}, options);
    EXPECT_EQ(half.steps + other_half.steps, whole.steps);
    EXPECT_EQ(other_half.stop.reason_name(), whole.stop.reason_name());
    EXPECT_TRUE(other_half.state == whole.state);
    if (HasFailure()) return;
  }
}

TEST_P(RunsAgree, AgainAndInAUsedMachine) {
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    const WaveState other = runs.make(GetParam()).initial;
    const Outcome first = run_once(random_run);
    expect_same(first, run_once(random_run));
    core::Machine machine(random_run.program);
    machine.set_on_vector(random_run.on_vector);
    machine.set_state(other);
    machine.run(max_steps);
    machine.set_state(random_run.initial);
    Outcome again = outcome_of(machine, machine.run(max_steps));
    again.state = machine.state();
    again.stop = machine.stopped() ? machine.stop() : first.stop;
    again.skipped_vector = machine.skipped_vector();
    again.warnings = machine.warnings();
    expect_same(first, again);
    if (HasFailure()) return;
  }
}

// Random words in every mode: what they come to is for other tests, here they have to come to something.
TEST_P(RunsAgree, OnGarbageThatEndsProperly) {
  for (int i = 0; i < 1500; ++i) {
    const RandomRun random_run = runs.make_garbage(GetParam());
    RunOptions options;
    options.strict = i % 3 == 0;
    options.check_undefined = i % 4 == 0;
    if (i % 5 == 0) options.trace = [](const TraceEvent& event) { EXPECT_FALSE(event.instruction.empty()); };
    const Outcome outcome = run_once(random_run, options);
    EXPECT_LE(outcome.steps, max_steps);
    if (outcome.stop.reason == StopReason::step_limit) {
      EXPECT_EQ(outcome.steps, max_steps);
    } else {
      // Nothing asked for a breakpoint, and a warning stops a strict run only.
      EXPECT_NE(outcome.stop.reason, StopReason::breakpoint);
      EXPECT_EQ(outcome.stop.reason == StopReason::warning, outcome.stop.warning.has_value());
      EXPECT_TRUE(options.strict || outcome.stop.reason != StopReason::warning);
    }
    EXPECT_EQ(outcome.stop.pc, outcome.state.pc);
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, RunsAgree, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
