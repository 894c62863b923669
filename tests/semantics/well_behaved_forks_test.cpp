#include <gtest/gtest.h>

#include <random>

#include "generation_names.hpp"
#include "property/outcomes.hpp"
#include "repetitions.hpp"
#include "semantics/code.hpp"

// Random programs with correctly nested forks and joins, as from a compiler: no warnings are expected.
namespace salu::test {
namespace {

class WellBehavedForks : public testing::TestWithParam<Generation> {
 protected:
  /// Some instructions, including nested forks. s[32:55]: masks; s64 on: CSP before the fork at each depth.
  void add_block(Code& code, u32 depth) {
    for (u64 count = 1 + random_() % 3; count > 0; --count) {
      if (depth < 5 && random_() % 2 == 0) {
        add_fork(code, depth);
      } else {
        const u32 sgpr = 70 + static_cast<u32>(random_() % 8);
        code.sop2("s_add_u32", s(sgpr), s(sgpr), number(1));
      }
    }
  }

  void add_fork(Code& code, u32 depth) {
    const u32 mask = 32 + 2 * static_cast<u32>(random_() % 12);
    code.sopk("s_getreg_b32", s(64 + depth), hwreg(1, 29, 3));
    const u64 fork = code.here();
    code.sopk("s_cbranch_i_fork", s(mask), 0);
    add_block(code, depth + 1);
    const u64 branch = code.here();
    code.sopp("s_branch", 0);
    code.aim(fork, code.here());
    add_block(code, depth + 1);
    code.aim(branch, code.here());
    code.sop1("s_cbranch_join", {}, s(64 + depth));
  }

  std::mt19937_64 random_{0x50f7 + static_cast<u64>(GetParam())};
};

TEST_P(WellBehavedForks, HaveNoWarnings) {
  u64 steps = 0;
  for (int i = 0; i < repetitions(300); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    Code code(GetParam());
    add_block(code, 0);
    code.end();
    WaveState state = initial_state(GetParam());
    state.write64(code::exec, random_());
    for (u32 mask = 32; mask < 56; mask += 2) state.write64(mask, random_());
    RunOptions options;
    options.dispatch = i % 2 == 0 ? Dispatch::best : Dispatch::switched;
    const Outcome outcome = run_code(code, state, options);
    steps += outcome.steps;
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.csp(), 0U);
    EXPECT_EQ(list_warnings(outcome.warnings), "");
    if (HasFailure()) return;
  }
  EXPECT_GT(steps, static_cast<u64>(repetitions(300)) * 10);
}

INSTANTIATE_TEST_SUITE_P(Generations, WellBehavedForks,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
