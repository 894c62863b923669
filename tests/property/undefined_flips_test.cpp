#include <gtest/gtest.h>

#include <salu/event.hpp>
#include <salu/run.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "generation_names.hpp"
#include "property/outcomes.hpp"
#include "repetitions.hpp"

// The bits that --check-undefined calls defined at the end of a program are the same for all values of the undefined
// bits at its start, as long as it has not warned. If it warns about a branch, an address or a lane, there is a reason.
namespace salu::test {
namespace {

constexpr u64 longest_run = 300;

Outcome run_from(const RandomRun& random_run, const WaveState& initial, CheckUndefined check) {
  RunOptions options;
  options.max_steps = longest_run;
  options.on_vector = random_run.on_vector;
  options.check_undefined = check;
  return run(random_run.program, initial, random_run.memory, options);
}

bool has_warned(const Outcome& outcome) {
  return std::ranges::any_of(outcome.warnings,
                             [](const Warning& each) { return each.kind == WarningKind::undefined_read; });
}

bool has_done_all(StopReason reason) {
  return is_regular_end(reason) || reason == StopReason::step_limit || reason == StopReason::halt;
}

u32 dword_of(const WaveState& state, u32 index) {
  if (index < code::count) return state.file[index];
  if (index == state_index::scc) return state.scc ? 1 : 0;
  return index == state_index::mode ? state.mode : state.status;
}

/// Compares the scalar state of both, except bits that are called undefined.
void expect_same_where_defined(const Outcome& checked, const Outcome& flipped) {
  std::map<u32, u32> undefined;
  for (const UndefinedBits& bits : checked.undefined_bits) undefined[bits.index] = bits.mask;
  for (u32 index = 0; index <= state_index::status; ++index) {
    const bool is_other = index >= code::count && index < state_index::scc;
    if (is_other) continue;
    // Without the check, the results of skipped vector instructions are tracked by whole registers, and zeroed at the
    // end.
    const bool can_be_lost = index < state_index::defined_count;
    if (can_be_lost && (!checked.state.defined.test(index) || flipped.lost.test(index))) continue;
    const u32 differs = dword_of(checked.state, index) ^ dword_of(flipped.state, index);
    EXPECT_EQ(differs & ~undefined[index], 0U) << "index of state " << index << ", undefined " << undefined[index];
  }
  EXPECT_EQ(checked.state.pc, flipped.state.pc);
  std::map<u64, u32> undefined_memory;
  for (const UndefinedMemory& memory : checked.undefined_memory) undefined_memory[memory.address] = memory.mask;
  for (const u64 page : Memory::differing_pages(checked.memory, flipped.memory)) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      const u32 differs = checked.memory.read_dword(address) ^ flipped.memory.read_dword(address);
      EXPECT_EQ(differs & ~undefined_memory[address], 0U) << "memory at " << address;
    }
  }
}

/// The executed instructions, for the analysis of a failure.
std::string listing(const RandomRun& random_run, const WaveState& initial) {
  std::string text = "undefined:";
  for (const UndefinedBits& bits : initial.undefined_bits)
    text += " " + std::to_string(bits.index) + "?" + std::to_string(bits.mask);
  RunOptions options;
  options.max_steps = longest_run;
  options.on_vector = random_run.on_vector;
  options.trace = [&text](const TraceEvent& event) {
    text += "\n  " + std::string(instruction_text(event)) + "    " + reads_text(event) + " -> " + writes_text(event);
  };
  run(random_run.program, initial, random_run.memory, options);
  return text;
}

class UndefinedFlips : public testing::TestWithParam<Generation> {};

TEST_P(UndefinedFlips, ChangeNothingThatIsCalledDefined) {
  RandomRuns runs(0x1234 + static_cast<u64>(GetParam()));
  std::mt19937_64 random(99 + static_cast<u64>(GetParam()));
  int compared = 0;
  int with_undefined_results = 0;
  for (int i = 0; i < repetitions(1200); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    const RandomRun random_run = runs.make(GetParam());
    WaveState initial = random_run.initial;
    initial.defined.set();
    const u64 count = 1 + random() % 5;
    for (u64 k = 0; k < count; ++k) {
      const u32 place = random() % 8 == 0 ? state_index::scc : static_cast<u32>(random() % code::tba);
      const auto mask = static_cast<u32>(random() % 3 == 0 ? ~u64{0} : random() & random());
      initial.undefined_bits.push_back({place, place == state_index::scc ? 1 : mask});
    }
    const Outcome checked = run_from(random_run, initial, CheckUndefined::bits);
    if (random_run.on_vector != OnVector::skip) {
      ASSERT_EQ(checked.state, run_from(random_run, initial, CheckUndefined::off).state);
    }
    // An instruction that ends a run before its effect counts as executed for undefined bits.
    if (has_warned(checked) || !has_done_all(checked.stop.reason)) continue;
    ++compared;
    with_undefined_results += checked.undefined_bits.empty() ? 0 : 1;
    for (int flip = 0; flip < 3; ++flip) {
      WaveState other = initial;
      for (const UndefinedBits& bits : initial.undefined_bits) {
        const u32 flipped = flip == 0 ? bits.mask : bits.mask & static_cast<u32>(random());
        if (bits.index == state_index::scc) {
          other.scc = other.scc != (flipped != 0);
        } else {
          other.file[bits.index] ^= flipped;
        }
      }
      const Outcome after = run_from(random_run, other, CheckUndefined::off);
      EXPECT_EQ(checked.steps, after.steps);
      EXPECT_EQ(checked.stop.reason, after.stop.reason);
      expect_same_where_defined(checked, after);
    }
    if (HasFailure()) {
      ADD_FAILURE() << listing(random_run, initial);
      return;
    }
  }
  // The test is only meaningful if enough programs of this kind are generated.
  EXPECT_GT(compared, repetitions(1200) / 20);
  EXPECT_GT(with_undefined_results, compared / 20);
}

INSTANTIATE_TEST_SUITE_P(Generations, UndefinedFlips,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
