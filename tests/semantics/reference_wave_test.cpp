#include <gtest/gtest.h>

#include <map>

#include "generation_names.hpp"
#include "property/random_programs.hpp"
#include "semantics/code.hpp"
#include "semantics/reference_wave.hpp"

// Random programs, run by the machine and by the second interpreter: steps, stop, warnings and final state must agree.
namespace salu::test {
namespace {

constexpr u64 compared_steps = 400;

std::string list(const std::vector<std::pair<std::string, u64>>& warnings) {
  std::string text;
  for (const auto& [kind, pc] : warnings) text += kind + "@" + std::to_string(pc) + " ";
  return text;
}

std::string list(const std::vector<Warning>& warnings) {
  std::string text;
  for (const Warning& each : warnings) {
    text += std::string(warning_kind_name(each.kind)) + "@" + std::to_string(each.pc) + " ";
  }
  return text;
}

/// Results of skipped vector instructions, and values computed from them, are undefined zeros; the reference does not
/// model this. Such registers are made equal.
void forget_what_is_missing(const Outcome& outcome, WaveState& expected) {
  if (outcome.skipped_vector == 0) return;
  for (u32 i = 0; i < code::count; ++i) {
    if (outcome.state.defined[i] || outcome.state.file[i] != 0) continue;
    expected.file[i] = 0;
    expected.defined.reset(i);
  }
  if (outcome.state.defined[state_index::scc]) return;
  expected.scc = outcome.state.scc;
  expected.defined.reset(state_index::scc);
}

void compare(const RandomRun& random_run, std::map<std::string, u64>& stops) {
  RunOptions options;
  options.max_steps = compared_steps;
  options.on_vector = random_run.on_vector;
  Outcome outcome = run(random_run.program, random_run.initial, random_run.memory, options);
  ReferenceWave reference(random_run.program, random_run.initial, random_run.memory,
                          random_run.on_vector == OnVector::skip);
  reference.run(compared_steps);
  ++stops[reference.stop];
  forget_what_is_missing(outcome, reference.state);
  std::erase_if(outcome.warnings, [](const Warning& each) { return each.kind == WarningKind::undefined_read; });
  ASSERT_EQ(outcome.stop.reason_name(), reference.stop) << outcome.stop.detail;
  ASSERT_EQ(outcome.steps, reference.steps) << outcome.stop.reason_name() << ": " << outcome.stop.detail;
  ASSERT_EQ(difference(reference.state, outcome.state), "") << outcome.stop.reason_name() << outcome.stop.detail;
  ASSERT_EQ(outcome.skipped_vector, reference.skipped_vector);
  ASSERT_EQ(list(outcome.warnings), list(reference.warnings));
  ASSERT_TRUE(reference.memory.equals(outcome.memory)) << "memory";
}

class RandomPrograms : public testing::TestWithParam<Generation> {};

TEST_P(RandomPrograms, AgreeWithTheReference) {
  RandomRuns runs(0x9a10 + static_cast<u64>(GetParam()));
  std::map<std::string, u64> stops;
  for (int i = 0; i < 3000; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    compare(random_run, stops);
    if (HasFatalFailure()) return;
  }
  // The programs are only useful if they end in many ways, and many run for long.
  EXPECT_GT(stops["step_limit"], 100U);
  for (const char* stop :
       {"end_program", "halt", "trap", "vector_instruction", "unmapped_memory", "illegal_instruction",
        "illegal_operand", "misaligned_register", "pc_outside_code", "past_kernel_end", "returned"}) {
    EXPECT_GT(stops[stop], 0U) << stop;
  }
  if (is_gcn1_2_or_later(GetParam())) {
    EXPECT_GT(stops["write_protected"], 0U);
  }
}

TEST_P(RandomPrograms, OfRandomWordsAgreeWithTheReference) {
  RandomRuns runs(0x9b10 + static_cast<u64>(GetParam()));
  std::map<std::string, u64> stops;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make_garbage(GetParam());
    compare(random_run, stops);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, RandomPrograms,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
