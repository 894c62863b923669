#pragma once

#include <salu/run.hpp>

#include <gtest/gtest.h>

#include <string>

#include "core/machine.hpp"
#include "property/random_programs.hpp"

/// Comparison of two runs.
namespace salu::test {

inline std::string list_warnings(const std::vector<Warning>& warnings) {
  std::string text;
  for (const Warning& each : warnings) {
    text += std::string(warning_kind_name(each.kind)) + " at " + std::to_string(each.pc) + ": " + each.instruction +
            ": " + each.detail + '\n';
  }
  return text;
}

/// Fails the test for every difference between two runs.
inline void expect_same(const Outcome& left, const Outcome& right) {
  EXPECT_EQ(left.stop.reason_name(), right.stop.reason_name());
  EXPECT_EQ(left.stop.pc, right.stop.pc);
  EXPECT_EQ(left.stop.instruction, right.stop.instruction);
  EXPECT_EQ(left.stop.detail, right.stop.detail);
  EXPECT_EQ(left.steps, right.steps);
  EXPECT_EQ(left.skipped_vector, right.skipped_vector);
  EXPECT_EQ(list_warnings(left.warnings), list_warnings(right.warnings));
  EXPECT_TRUE(left.state == right.state);
  EXPECT_TRUE(left.memory == right.memory);
}

/// The state of a machine as the outcome of a run of `steps`.
inline Outcome outcome_of(core::Machine& machine, u64 steps) {
  Outcome outcome;
  if (machine.stopped()) {
    outcome.stop = machine.stop();
  } else {
    outcome.stop.pc = machine.pc();
    outcome.stop.instruction = machine.code().text_at(machine.pc());
  }
  outcome.steps = steps;
  outcome.skipped_vector = machine.skipped_vector();
  outcome.warnings = machine.warnings();
  outcome.state = machine.state();
  outcome.memory = machine.memory();
  return outcome;
}

}  // namespace salu::test
