#include <gtest/gtest.h>

#include "semantics/memory_vectors.hpp"

// tests/data/vectors/memory.txt: one scalar memory instruction from a described state and memory to the expected state
// and memory, in every addressing mode, by every dispatch loop, with an exact or larger step limit, observed or not.
namespace salu::test {
namespace {

void check(const StateVector& vector, const MemoryCase& each, RunOptions options) {
  const bool goes_on = vector.stop == "step_limit";
  for (const u64 max_steps : {u64{1}, u64{100}}) {
    options.max_steps = max_steps;
    const Outcome outcome = run(program_of({&each.code}), each.initial, each.memory, options);
    const std::string stop = goes_on && max_steps != 1 ? "end_program" : vector.stop;
    EXPECT_EQ(difference(each.expected, outcome.state), "") << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.reason_name(), stop) << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.pc, each.expected.pc);
    EXPECT_EQ(outcome.steps, goes_on && max_steps != 1 ? 2U : 1U);
    EXPECT_EQ(warning_names(outcome), vector.warnings);
    EXPECT_TRUE(outcome.memory == each.expected_memory) << "memory is not as expected";
  }
}

TEST(MemoryVectors, Hold) {
  std::size_t cases = 0;
  for (const StateVector& vector : read_state_vectors(memory_vector_file)) {
    for (const Generation generation : vector.generations) {
      for (const bool holes : {false, true}) {
        for (const MemoryCase& each : memory_cases(vector, generation, holes)) {
          SCOPED_TRACE(vector.where + ": " + vector.mnemonic + " on " + std::string(generation_name(generation)) +
                       ", mode " + each.mode + (holes ? ", pages with holes" : ""));
          ++cases;
          RunOptions options;
          for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
            options.dispatch = dispatch;
            check(vector, each, options);
          }
          options.trace = [](const TraceEvent& event) { EXPECT_FALSE(instruction_text(event).empty()); };
          check(vector, each, options);
          if (HasFailure()) return;
        }
      }
    }
  }
  RecordProperty("cases", static_cast<int>(cases));
}

}  // namespace
}  // namespace salu::test
