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

// Plain instructions are processed in blocks. With a trace they are processed one by one; the results must be the same.
namespace salu::test {
namespace {

constexpr u64 steps_in_loops = 900;
constexpr u64 loop_base = 0x1000;

/// Scalar instructions of a random program without memory accesses, with branches among them, in an endless loop.
Program loop_of(const RandomRun& random_run, std::size_t instructions, std::mt19937_64& random) {
  constexpr u32 s_branch = 0xbf820000;
  constexpr u32 s_cbranch_scc0 = 0xbf840000;  // SCC1, VCCZ, VCCNZ, EXECZ and EXECNZ follow it.
  constexpr u32 conditions = 6;
  const Generation generation = random_run.program.generation();
  const std::vector<u32>& all = random_run.program.code.front().words;
  std::vector<u32> words;
  std::vector<std::size_t> beginnings;
  std::vector<std::size_t> branches;
  for (std::size_t at = 0; at < all.size() && instructions > 0;) {
    const isa::Instruction instruction = isa::decode(generation, std::span(all).subspan(at));
    const bool is_kept = instruction.encoding == isa::EncodingClass::scalar &&
                         isa::flow_of(instruction) == isa::Flow::next && !isa::is_scalar_memory(instruction.insn);
    if (is_kept) beginnings.push_back(words.size());
    for (u32 i = 0; i < instruction.dwords && at < all.size(); ++i, ++at) {
      if (is_kept) words.push_back(all[at]);
    }
    if (!is_kept) continue;
    --instructions;
    if (random() % 4 != 0) continue;
    branches.push_back(words.size());
    beginnings.push_back(words.size());
    words.push_back(s_cbranch_scc0 + static_cast<u32>(random() % conditions << 16));
  }
  const auto distance = [](std::size_t from, std::size_t to) {
    return static_cast<u32>(static_cast<i64>(to) - static_cast<i64>(from) - 1) & 0xffff;
  };
  for (const std::size_t branch : branches) words[branch] |= distance(branch, beginnings[random() % beginnings.size()]);
  words.push_back(s_branch | distance(words.size(), 0));
  Program program;
  program.target = random_run.program.target;
  program.code = {{loop_base, std::move(words)}};
  program.entry = loop_base;
  return program;
}

class UndefinedBlocks : public testing::TestWithParam<Generation> {};

TEST_P(UndefinedBlocks, EqualTheirInstructions) {
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
    const Program program = loop_of(random_run, 2 + random() % 12, random);
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

INSTANTIATE_TEST_SUITE_P(Generations, UndefinedBlocks,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
