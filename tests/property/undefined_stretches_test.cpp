#include <gtest/gtest.h>

#include <salu/run.hpp>

#include <random>
#include <utility>
#include <vector>

#include "generation_names.hpp"
#include "isa/control_flow.hpp"
#include "isa/decode.hpp"
#include "isa/memory_table.hpp"
#include "property/outcomes.hpp"
#include "repetitions.hpp"

// What instructions made of undefined bits is taken for what they make of them again. Whoever asks for a trace has them
// looked at one by one, and both come to the same.
namespace salu::test {
namespace {

constexpr u64 steps_in_loops = 900;
constexpr u64 loop_base = 0x1000;

/// Scalar instructions of a random program that go on to the next one and access no memory, in a loop without an end.
Program loop_of(const RandomRun& random_run, std::size_t instructions) {
  const Generation generation = random_run.program.generation();
  const std::vector<u32>& all = random_run.program.code.front().words;
  std::vector<u32> words;
  for (std::size_t at = 0; at < all.size() && instructions > 0;) {
    const isa::Instruction instruction = isa::decode(generation, std::span(all).subspan(at));
    const bool is_kept = instruction.encoding == isa::EncodingClass::scalar &&
                         isa::flow_of(instruction) == isa::Flow::next && !isa::is_scalar_memory(instruction.insn);
    for (u32 i = 0; i < instruction.dwords && at < all.size(); ++i, ++at) {
      if (is_kept) words.push_back(all[at]);
    }
    if (is_kept) --instructions;
  }
  constexpr u32 s_branch = 0xbf820000;
  words.push_back(s_branch | (static_cast<u32>(-static_cast<i32>(words.size()) - 1) & 0xffff));
  Program program;
  program.target = random_run.program.target;
  program.code = {{loop_base, std::move(words)}};
  program.entry = loop_base;
  return program;
}

class UndefinedStretches : public testing::TestWithParam<Generation> {};

TEST_P(UndefinedStretches, AreWhatTheirInstructionsAre) {
  RandomRuns runs(0x57 + static_cast<u64>(GetParam()));
  std::mt19937_64 random(7 + static_cast<u64>(GetParam()));
  int with_undefined_bits = 0;
  for (int i = 0; i < repetitions(600); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    WaveState initial = random_run.initial;
    initial.pc = loop_base;
    initial.status &= ~(1U << status_bit::halt);
    if (i % 2 == 0) {
      initial.defined.set();
      for (u64 k = random() % 8; k > 0; --k) {
        initial.undefined_bits.push_back(
            {static_cast<u32>(random() % code::tba), static_cast<u32>(random() | random())});
      }
    }
    const Program program = loop_of(random_run, 2 + random() % 12);
    RunOptions options;
    options.max_steps = steps_in_loops - random() % 20;
    options.check_undefined = CheckUndefined::bits;
    options.check_hazards = random() % 3 == 0;
    options.strict = random() % 8 == 0;
    const Outcome outcome = run(program, initial, {}, options);
    options.trace = [](const TraceEvent&) {};
    const Outcome one_by_one = run(program, initial, {}, options);
    expect_same(outcome, one_by_one);
    EXPECT_EQ(outcome.undefined_bits, one_by_one.undefined_bits);
    with_undefined_bits += outcome.undefined_bits.empty() ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(with_undefined_bits, repetitions(600) / 10);
}

INSTANTIATE_TEST_SUITE_P(Generations, UndefinedStretches,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
