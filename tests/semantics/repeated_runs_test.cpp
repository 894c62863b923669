#include <gtest/gtest.h>

#include "core/repeated_run.hpp"
#include "observe/last_writers.hpp"
#include "semantics/code.hpp"

// A program that runs repeatedly, and the last writers in one of its runs.
namespace salu::test {
namespace {

constexpr RegisterName s0{0};
constexpr RegisterName s1{1};
constexpr RegisterName s2_and_s3{2, 64};
constexpr RegisterName scc{state_index::scc, 1};

TEST(RepeatedRuns, KeepSetValuesUntilReset) {
  Code code(Generation::gcn1_4);
  code.sop2("s_add_u32", s(0), s(0), s(1));
  code.end();
  const Program program = program_of({&code});
  WaveState initial = initial_state(Generation::gcn1_4);
  initial.pc = program.entry;
  initial.file[0] = 5;
  const Memory memory;
  core::RepeatedRun runs(program, initial, memory, {});
  EXPECT_EQ(runs.run(10), 2U);
  EXPECT_EQ(runs.reason(), StopReason::end_program);
  EXPECT_EQ(runs.read(s0), 5U);
  runs.set(s1, 0xfffffffe);
  runs.run(10);
  EXPECT_EQ(runs.read(s0), 3U);
  EXPECT_EQ(runs.read(scc), 1U);
  runs.set(s0, 1);
  runs.run(10);
  EXPECT_EQ(runs.read(s0), 0xffffffffU);
  EXPECT_EQ(runs.start().file[1], 0xfffffffeU);
  runs.reset();
  runs.run(10);
  EXPECT_EQ(runs.read(s0), 5U);
  // The result is the same in two halves.
  EXPECT_EQ(runs.run(1), 1U);
  EXPECT_EQ(runs.reason(), StopReason::step_limit);
  EXPECT_EQ(runs.stop().pc, program.entry + 4);
  EXPECT_EQ(runs.go_on(10), 1U);
  EXPECT_EQ(runs.reason(), StopReason::end_program);
}

TEST(RepeatedRuns, EachHasTheMemoryThatWasSet) {
  // s_load_dword s0, s[2:3], 0x0; s_store_dword s1, s[2:3], 0x0; s_endpgm
  Code code(Generation::gcn1_4);
  for (const u32 word : {0xc0020001U, 0U, 0xc0420041U, 0U}) code.word(word);
  code.end();
  const Program program = program_of({&code});
  WaveState initial = initial_state(Generation::gcn1_4);
  initial.pc = program.entry;
  Memory memory;
  ASSERT_TRUE(memory.add_region({0x10000, 64}));
  memory.write_dword(0x10000, 7);
  core::RepeatedRun runs(program, initial, memory, {});
  runs.set(s2_and_s3, 0x10000);
  runs.set(s1, 99);
  const auto read_and_left = [&] {
    runs.run(10);
    return std::pair{runs.read(s0), runs.memory_after().read_dword(0x10000)};
  };
  using Pair = std::pair<u64, u32>;
  // The writes of a run are undone in the next one.
  EXPECT_EQ(read_and_left(), Pair(7, 99));
  EXPECT_EQ(read_and_left(), Pair(7, 99));
  runs.set_memory(0x10000, 0xaabb, 2);
  EXPECT_EQ(read_and_left(), Pair(0xaabb, 99));
  EXPECT_EQ(read_and_left(), Pair(0xaabb, 99));
  EXPECT_EQ(runs.memory_before().read_dword(0x10000), 0xaabbU);
  runs.reset();
  runs.set(s2_and_s3, 0x10000);
  EXPECT_EQ(read_and_left(), Pair(7, 0));
}

TEST(LastWriters, AreThoseOfAnyPartOfAPlace) {
  Code code(Generation::gcn1_4);
  code.sop1("s_mov_b32", s(0), number(1));
  code.sop1("s_mov_b64", s(2), number(2));
  code.sop1("s_mov_b32", s(0), number(3));
  code.sop1("s_mov_b32", s(3), number(4));
  code.end();
  const Program program = program_of({&code});
  WaveState initial = initial_state(Generation::gcn1_4);
  initial.pc = program.entry;
  observe::LastWriters writers({{0}, {2, 2}, {2}, {state_index::scc}});
  RunOptions options;
  options.trace = [&](const TraceEvent& event) { writers.see(event); };
  (void)run(program, initial, Memory{}, options);
  ASSERT_TRUE(writers.of(0) && writers.of(1) && writers.of(2));
  EXPECT_EQ(writers.of(0)->step, 3U);
  EXPECT_EQ(writers.of(0)->pc, program.entry + 8);
  EXPECT_EQ(writers.of(0)->instruction, "s_mov_b32 s0, 3");
  EXPECT_EQ(writers.of(1)->step, 4U);
  EXPECT_EQ(writers.of(2)->step, 2U);
  EXPECT_FALSE(writers.of(3));
}

}  // namespace
}  // namespace salu::test
