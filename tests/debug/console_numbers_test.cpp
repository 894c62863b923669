#include <gmock/gmock.h>
#include <salu/run.hpp>

#include <string>
#include <vector>

#include "debug/consoles.hpp"

// Steps are numbered from 1, as in traces; positions, from 0, are between them.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ConsoleNumbers : public ConsoleTest {
 protected:
  /// The trace of an instruction.
  struct NumberedStep {
    u64 number = 0;
    std::string instruction;
    std::string written;  ///< the first SGPR that it wrote; empty for none
  };
  std::vector<NumberedStep> trace() {
    std::vector<NumberedStep> steps;
    RunOptions options;
    options.trace = [&steps](const TraceEvent& event) {
      NumberedStep step{event.step, std::string(instruction_text(event)), {}};
      for (const LocationValue& each : event.written) {
        if (step.written.empty() && each.location.is_in_file())
          step.written = "s" + std::to_string(each.location.index);
      }
      steps.push_back(std::move(step));
    };
    (void)salu::run(scenario_->program, scenario_->initial, scenario_->memory, options);
    return steps;
  }
};

TEST_F(ConsoleNumbers, WhoWroteIsNumberedAsInATrace) {
  std::size_t writes = 0;
  for (const NumberedStep& each : trace()) {
    if (each.written.empty()) continue;
    // Step n leads from position n - 1 to position n.
    (void)run("goto " + std::to_string(each.number));
    const std::string step = "step " + std::to_string(each.number) + ": ";
    EXPECT_THAT(run("who " + each.written), StartsWith(step));
    EXPECT_THAT(run("changed " + each.written), StartsWith(step));
    EXPECT_THAT(run("history " + each.written), HasSubstr("\n" + step));
    EXPECT_THAT(run("reverse-stepi"), HasSubstr("[" + std::to_string(each.number - 1) + "] "));
    ++writes;
  }
  EXPECT_EQ(writes, 11U);  // one subtraction a round
}

TEST_F(ConsoleNumbers, WhatIsSetIsSetAtAPosition) {
  (void)run("goto 4");
  (void)run("set s0 = 924");
  EXPECT_EQ(run("who s0"), "position 4: set from outside the program: 0x0000042f -> 0x0000039c\n");
  EXPECT_EQ(run("history s0"), "position 0: 0x0000042f\nposition 4: 0x0000039c  set from outside the program\n");
  (void)run("stepi");
  EXPECT_THAT(run("who s0"), StartsWith("step 5: 0x1018 "));
}

TEST_F(ConsoleNumbers, CallsForksAndJoinsAreSteps) {
  start(test::recursion(2));
  (void)run("goto 8");
  EXPECT_THAT(run("backtrace"), HasSubstr(", called by step 8"));
  EXPECT_THAT(run("backtrace"), HasSubstr(", called by step 2"));
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_nop 0\n"
      "    s_cbranch_i_fork s[32:33], join\n"
      "    join: s_cbranch_join s40\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0}\n");
  (void)run("goto end");
  std::vector<u64> steps;
  for (const NumberedStep& each : trace()) {
    if (each.instruction.starts_with("s_cbranch_")) steps.push_back(each.number);
  }
  ASSERT_EQ(steps, (std::vector<u64>{2, 3, 4}));
  const std::string forks = run("forks");
  EXPECT_THAT(forks, StartsWith("step 2: 0x1004: fork: "));
  EXPECT_THAT(forks, HasSubstr("; join at 0x1008 <join>: step 3 and step 4\n"));
  EXPECT_THAT(forks, HasSubstr("\nstep 4: 0x1008 <join>: join: both sides have arrived"));
  (void)run("goto 2");
  EXPECT_THAT(run("info stack"), HasSubstr(", pushed by step 2: 0x1004\n"));
}

}  // namespace
}  // namespace salu::debug
