#include <gtest/gtest.h>

#include <salu/run.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/executed.hpp"
#include "generation_names.hpp"
#include "property/outcomes.hpp"
#include "repetitions.hpp"

// All ways to run a program have the same result: by any dispatch loop, observed or not, at once or in pieces,
// repeatedly.
namespace salu::test {
namespace {

constexpr u64 max_steps = 300;

class RunsAgree : public testing::TestWithParam<Generation> {
 protected:
  RandomRuns runs_{0x77 + static_cast<u64>(GetParam())};
};

Outcome run_once(const RandomRun& random_run, RunOptions options = {}) {
  options.max_steps = max_steps;
  options.on_vector = random_run.on_vector;
  return run(random_run.program, random_run.initial, random_run.memory, options);
}

/// The same in a machine and in one piece. Unlike `run`, it does not track the undefined results of skipped vector
/// instructions.
Outcome run_in_machine(const RandomRun& random_run, Dispatch dispatch = Dispatch::best, const Clock& clock = {}) {
  core::Machine machine(random_run.program, dispatch);
  machine.set_on_vector(random_run.on_vector);
  machine.set_clock(clock);
  machine.set_memory(random_run.memory);
  machine.set_state(random_run.initial);
  return outcome_of(machine, machine.run(max_steps));
}

void erase_undefined(Outcome& outcome) {
  std::erase_if(outcome.warnings, [](const Warning& each) {
    return each.kind == WarningKind::undefined_read || each.kind == WarningKind::undefined_output;
  });
}

TEST_P(RunsAgree, ByEveryDispatchLoop) {
  for (int i = 0; i < repetitions(1500); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam());
    RunOptions options;
    options.strict = i % 7 == 0;
    options.dispatch = Dispatch::switched;
    const Outcome reference = run_once(random_run, options);
    for (const Dispatch dispatch : {Dispatch::direct_goto, Dispatch::best}) {
      options.dispatch = dispatch;
      expect_same(reference, run_once(random_run, options));
      if (HasFailure()) return;
    }
  }
}

TEST_P(RunsAgree, WatchedOrNot) {
  for (int i = 0; i < repetitions(400); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs_.make(GetParam());
    RunOptions options;
    options.strict = i % 7 == 0;
    Outcome alone = run_once(random_run, options);
    u64 events = 0;
    options.trace = [&](const TraceEvent& event) {
      EXPECT_EQ(event.step, ++events);
      EXPECT_FALSE(instruction_text(event).empty());
    };
    const Outcome traced = run_once(random_run, options);
    expect_same(alone, traced);
    EXPECT_EQ(events, traced.steps);

    // Undefined reads add warnings and change nothing else, unless warnings stop the run.
    options = {};
    const Outcome lenient = run_once(random_run, options);
    options.check_undefined = CheckUndefined::bits;
    Outcome checked = run_once(random_run, options);
    Outcome without = lenient;
    erase_undefined(without);
    erase_undefined(checked);
    expect_same(without, checked);
    if (HasFailure()) return;
  }
}

// With a trace, checks observe each instruction; without one, they skip most of them.
TEST_P(RunsAgree, CheckedStepByStepOrNot) {
  u64 warnings = 0;
  for (int i = 0; i < repetitions(1200); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    RandomRun random_run = i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam());
    if (i % 3 == 0) random_run.on_vector = OnVector::run;
    RunOptions options;
    options.strict = i % 11 == 0;
    options.check_hazards = i % 2 == 0;
    options.xnack = i % 5 == 0;
    options.check_undefined = i % 8 < 2   ? CheckUndefined::off
                              : i % 8 < 5 ? CheckUndefined::bits
                                          : CheckUndefined::reads;
    options.fidelity = i % 7 == 0 ? FidelityReport::followed : FidelityReport::always;
    const Outcome alone = run_once(random_run, options);
    warnings += alone.warnings.size();
    options.trace = [](const TraceEvent&) {};
    const Outcome traced = run_once(random_run, options);
    expect_same(alone, traced);
    EXPECT_EQ(alone.fidelity->exact, traced.fidelity->exact);
    EXPECT_EQ(alone.fidelity->approximate, traced.fidelity->approximate);
    if (const auto& affected = alone.fidelity->affected) {
      EXPECT_EQ(affected->control_flow, traced.fidelity->affected->control_flow);
      EXPECT_EQ(affected->address, traced.fidelity->affected->address);
      EXPECT_TRUE(affected->results == traced.fidelity->affected->results);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(warnings, 2U * repetitions(1200));
}

TEST_P(RunsAgree, InPieces) {
  std::mt19937_64 random(5);
  for (int i = 0; i < repetitions(1000); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs_.make(GetParam());
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
      const Outcome whole = run_in_machine(random_run, dispatch);
      core::Machine machine(random_run.program, dispatch);
      machine.set_on_vector(random_run.on_vector);
      machine.set_memory(random_run.memory);
      machine.set_state(random_run.initial);
      u64 steps = 0;
      while (steps < max_steps && !machine.stopped()) {
        const u64 piece = std::min<u64>(1 + random() % (i % 2 == 0 ? 4 : 60), max_steps - steps);
        const u64 executed = random() % 3 == 0 ? machine.run_exactly(piece) : machine.run(piece);
        EXPECT_TRUE(executed == piece || machine.stopped());
        steps += executed;
      }
      expect_same(whole, outcome_of(machine, steps));
      if (HasFailure()) return;
    }
  }
}

// The run pauses before some instructions, each time it reaches them; the result is the same.
TEST_P(RunsAgree, WithPauses) {
  std::mt19937_64 random(6);
  constexpr std::array dispatches = {Dispatch::best, Dispatch::switched, Dispatch::direct_goto};
  std::array<u64, dispatches.size()> pauses{};
  for (int i = 0; i < repetitions(600); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam());
    const Outcome whole = run_in_machine(random_run);
    const std::size_t loop = static_cast<std::size_t>(i) % dispatches.size();
    core::Machine machine(random_run.program, dispatches[loop]);
    machine.set_on_vector(random_run.on_vector);
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    const u64 salt = random();
    const auto is_picked = [salt](u64 address) { return (address / 4 * 0x9e3779b97f4a7c15 ^ salt) >> 62 == 0; };
    machine.set_pause_filter(is_picked);
    u64 steps = 0;
    while (steps < max_steps && !machine.stopped()) {
      const u64 pc = machine.pc();
      const u64 executed = machine.run(max_steps - steps);
      steps += executed;
      EXPECT_EQ(machine.steps(), steps);
      if (machine.stopped() || steps == max_steps) break;
      // The run must not have stopped without a reason.
      pauses[loop] += is_picked(machine.pc()) ? 1 : 0;
      // With MODE.DEBUG_EN every instruction is executed separately.
      const bool is_alone = machine.wave().traps_each();
      EXPECT_TRUE(executed == 0 || is_alone || is_picked(machine.pc()) || max_steps - steps < 40) << pc;
      const u64 one = machine.run_exactly(1);
      EXPECT_TRUE(one == 1 || machine.stopped());
      steps += one;
    }
    // A run that has used its limit may have reached the end of the code.
    machine.run_exactly(0);
    expect_same(whole, outcome_of(machine, steps));
    if (HasFailure()) return;
  }
  for (const u64 count : pauses) EXPECT_GT(count, static_cast<u64>(repetitions(600)) / 30);
}

// From a snapshot, everything is repeated, including warnings, whatever the machine did in between.
TEST_P(RunsAgree, FromSnapshots) {
  std::mt19937_64 random(7);
  for (int i = 0; i < repetitions(400); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam());
    // The behaviour of a program may depend on the clock.
    constexpr Clock clock{7, 9, 3};
    const Outcome whole = run_in_machine(random_run, Dispatch::best, clock);
    core::Machine machine(random_run.program);
    machine.set_on_vector(random_run.on_vector);
    machine.set_clock(clock);
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    std::vector<core::Machine::Snapshot> snapshots;
    while (!machine.stopped() && machine.steps() < max_steps) {
      snapshots.push_back(machine.snapshot());
      machine.run(std::min<u64>(1 + random() % 40, max_steps - machine.steps()));
    }
    const Outcome first = outcome_of(machine, machine.steps());
    expect_same(whole, first);
    for (int k = 0; k < 4 && !snapshots.empty(); ++k) {
      const core::Machine::Snapshot& snapshot = snapshots[random() % snapshots.size()];
      machine.restore(snapshot);
      EXPECT_EQ(machine.steps(), snapshot.steps);
      EXPECT_TRUE(machine.state() == snapshot.state);
      EXPECT_TRUE(machine.memory() == snapshot.memory);
      machine.run(max_steps - snapshot.steps);
      expect_same(first, outcome_of(machine, machine.steps()));
    }
    if (HasFailure()) return;
  }
}

TEST_P(RunsAgree, FromAnyStateInBetween) {
  for (int i = 0; i < repetitions(300); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs_.make(GetParam());
    const Outcome whole = run_in_machine(random_run);
    core::Machine first(random_run.program);
    first.set_on_vector(random_run.on_vector);
    first.set_memory(random_run.memory);
    first.set_state(random_run.initial);
    const u64 half = whole.steps / 2;
    EXPECT_EQ(first.run(half), half);
    if (first.stopped()) continue;
    core::Machine second(random_run.program);
    second.set_on_vector(random_run.on_vector);
    second.set_memory(first.memory());
    second.set_state(first.state());
    second.set_clock({half, half});
    const Outcome rest = outcome_of(second, second.run(max_steps - half));
    EXPECT_EQ(half + rest.steps, whole.steps);
    EXPECT_EQ(rest.stop.reason_name(), whole.stop.reason_name());
    EXPECT_TRUE(rest.state == whole.state);
    EXPECT_TRUE(rest.memory == whole.memory);
    if (HasFailure()) return;
  }
}

TEST_P(RunsAgree, AgainAndInAUsedMachine) {
  for (int i = 0; i < repetitions(300); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs_.make(GetParam());
    const WaveState other = runs_.make(GetParam()).initial;
    expect_same(run_once(random_run), run_once(random_run));
    const Outcome first = run_in_machine(random_run);
    core::Machine machine(random_run.program);
    machine.set_on_vector(random_run.on_vector);
    machine.set_memory(random_run.memory);
    machine.set_state(other);
    machine.run(max_steps);
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    const Outcome again = outcome_of(machine, machine.run(max_steps));
    expect_same(first, again);
    if (HasFailure()) return;
  }
}

// Code decoded by earlier runs is used again, but only this run counts as having executed and written.
TEST_P(RunsAgree, OfAnyPartOfTheCodeInAUsedMachine) {
  std::mt19937_64 random(8);
  for (int i = 0; i < repetitions(300); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    RandomRun random_run = i % 4 == 0 ? runs_.make_garbage(GetParam()) : runs_.make(GetParam());
    core::Machine used(random_run.program, i % 2 == 0 ? Dispatch::best : Dispatch::switched);
    used.set_on_vector(random_run.on_vector);
    for (int k = 0; k < 6; ++k) {
      // From the start of the previous run, or into the middle of decoded code, and sometimes with another allocation.
      const u64 words = random_run.program.code[0].words.size();
      if (k != 0 && random() % 2 == 0) random_run.initial.pc = random_run.program.code[0].base + 4 * (random() % words);
      if (random() % 4 == 0) random_run.initial.sgprs = static_cast<u32>(16 + random() % 80);
      core::Machine unused(random_run.program);
      unused.set_on_vector(random_run.on_vector);
      for (core::Machine* const machine : {&used, &unused}) {
        machine->set_memory(random_run.memory);
        machine->set_state(random_run.initial);
      }
      const u64 limit = random() % max_steps;
      const Outcome expected = outcome_of(unused, unused.run(limit));
      const u64 steps = random() % 3 == 0 ? used.run_exactly(limit) : used.run(limit);
      expect_same(expected, outcome_of(used, steps));
      std::vector<u64> executed;
      std::vector<u64> executed_unused;
      core::list_executed(used, executed);
      core::list_executed(unused, executed_unused);
      EXPECT_EQ(executed, executed_unused);
      if (HasFailure()) return;
    }
  }
}

// Random words in every mode: the run must end; other tests check the results.
TEST_P(RunsAgree, OnGarbageThatEndsProperly) {
  for (int i = 0; i < repetitions(1500); ++i) {
    const RandomRun random_run = runs_.make_garbage(GetParam());
    RunOptions options;
    options.strict = i % 3 == 0;
    options.check_undefined = i % 4 == 0   ? CheckUndefined::bits
                              : i % 4 == 1 ? CheckUndefined::reads
                                           : CheckUndefined::off;
    if (i % 5 == 0) options.trace = [](const TraceEvent& event) { EXPECT_FALSE(instruction_text(event).empty()); };
    const Outcome outcome = run_once(random_run, options);
    EXPECT_LE(outcome.steps, max_steps);
    if (outcome.stop.reason == StopReason::step_limit) {
      EXPECT_EQ(outcome.steps, max_steps);
    } else {
      // No breakpoint was set, and a warning stops only a strict run.
      EXPECT_NE(outcome.stop.reason, StopReason::breakpoint);
      EXPECT_EQ(outcome.stop.reason == StopReason::warning, outcome.stop.warning.has_value());
      EXPECT_TRUE(options.strict || outcome.stop.reason != StopReason::warning);
    }
    EXPECT_EQ(outcome.stop.pc, outcome.state.pc);
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, RunsAgree, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

// Code that one run leaves decoded does not count as executed or written by the next one.
TEST(UsedMachine, ListsExecutionSinceItsState) {
  constexpr u64 first = 0x1000;
  Program program;
  program.target = find_target("gfx900");
  // s_add_u32 s4, s0, s1; s_xor_b32 s5, s0, s1; s_endpgm
  program.code = {{first, {0x80040100, 0x88050100, 0xbf810000}}};
  program.entry = first;
  WaveState initial = initial_state(Generation::gcn1_4);
  initial.pc = first;
  core::Machine machine(program);
  using Addresses = std::vector<u64>;
  const auto executed = [&machine] {
    Addresses addresses;
    machine.visit_executed([&addresses](u64 address) { addresses.push_back(address); });
    return addresses;
  };
  const auto writes = [&machine](u32 code) { return machine.state().defined.test(code); };
  const auto begin = [&](u64 limit) {
    machine.set_state(initial);
    return machine.run(limit);
  };
  EXPECT_EQ(begin(10), 3U);
  EXPECT_EQ(executed(), (Addresses{first, first + 4, first + 8}));
  EXPECT_TRUE(writes(4) && writes(5));

  EXPECT_EQ(begin(0), 0U);
  EXPECT_EQ(executed(), Addresses{});
  EXPECT_FALSE(writes(4));

  EXPECT_EQ(begin(1), 1U);
  EXPECT_EQ(executed(), Addresses{first});
  EXPECT_TRUE(writes(4));
  EXPECT_FALSE(writes(5));

  // After going back to this snapshot, the steps up to it count as executed.
  const core::Machine::Snapshot snapshot = machine.snapshot();
  EXPECT_EQ(machine.run(10), 2U);
  machine.restore_registers(snapshot);
  EXPECT_EQ(machine.steps(), 1U);
  EXPECT_EQ(executed(), Addresses{});
  EXPECT_FALSE(writes(5));
  EXPECT_EQ(machine.run(10), 2U);
  EXPECT_EQ(executed(), (Addresses{first + 4, first + 8}));

  EXPECT_EQ(begin(10), 3U);
  core::Machine::Snapshot at_100;
  at_100.state = initial;
  at_100.steps = 100;
  at_100.warnings = machine.snapshot().warnings;
  machine.restore_registers(at_100);
  EXPECT_EQ(executed(), Addresses{});
  EXPECT_FALSE(writes(4));

  EXPECT_EQ(begin(10), 3U);
  initial.status |= 1U << status_bit::halt;
  initial.status &= ~(1U << status_bit::priv);
  EXPECT_EQ(begin(10), 0U);
  EXPECT_EQ(machine.stop_reason(), StopReason::halt);
  EXPECT_EQ(executed(), Addresses{});
  EXPECT_FALSE(writes(4));
}

}  // namespace
}  // namespace salu::test
