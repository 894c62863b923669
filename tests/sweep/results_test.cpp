#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cstring>
#include <random>

#include "batch/row_programs.hpp"
#include "repetitions.hpp"
#include "suite/work_pool.hpp"
#include "sweeps.hpp"

// The results of a sweep: as computed here by other means, and the same for both engines.
namespace salu::sweep_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// s1 = s0 * s0, except for some values of s0: a fault, an endless loop, a warning, a halt.
const std::string mixed =
    "s_mov_b64 s[4:5], 0\n"
    "s_cmp_eq_u32 s0, 3\ns_cbranch_scc1 fault\n"
    "s_cmp_eq_u32 s0, 5\ns_cbranch_scc1 forever\n"
    "s_cmp_eq_u32 s0, 7\ns_cbranch_scc1 warns\n"
    "s_cmp_eq_u32 s0, 9\ns_cbranch_scc1 halts\n"
    "s_mul_i32 s1, s0, s0\ns_endpgm\n"
    "fault:\ns_load_dword s1, s[4:5], 0x0\ns_endpgm\n"
    "forever:\ns_branch forever\n"
    "warns:\ns_mov_b32 s1, 254\ns_trap 1\ns_endpgm\n"
    "halts:\ns_sethalt 1\ns_endpgm\n";

Scenario mixed_program() {
  Scenario scenario = program(mixed);
  scenario.options.max_steps = 1000;
  return scenario;
}

/// The output of both engines, on one thread and on several, which must be identical.
std::string same_of_all(const Scenario& scenario, SweepOptions options) {
  std::string first;
  suite::WorkPool pool(3);
  for (const Engine engine : {Engine::scalar, Engine::batch}) {
    for (const bool several : {false, true}) {
      options.engine = engine;
      options.for_each = for_each_in_turn;
      if (several) options.for_each = [&pool](std::size_t count, const PartWork& work) { pool.for_each(count, work); };
      SweepOptions counted = options;
      counted.format.reset();
      counted.where.reset();
      counted.histogram = true;
      std::string text = options.where ? "" : sweep_json(report_of(scenario, counted), {true, true, true});
      text += rows_of(scenario, options, options.format.value_or(SweepFormat::csv));
      if (first.empty()) first = text;
      EXPECT_EQ(text, first);
    }
  }
  return first;
}

TEST(SweepResults, AnOutputThatIsNamedTwiceIsOneColumn) {
  SweepOptions options;
  options.vary = {"s0=3..4"};
  options.outputs = {"s1", "v0[1]", "s1", "scc", "s1:2"};
  EXPECT_EQ(rows_of(mixed_program(), options),
            "s0,expect.s1,expect.v0[1],expect.scc,expect.s1:2,expect.stop\n3,0,0,1,0,unmapped_memory\n"
            "4,16,0,0,0,end_program\n");
}

TEST(SweepResults, EveryRowHasTheEndOfItsRun) {
  SweepOptions options;
  options.vary = {"s0=0..10"};
  options.outputs = {"s1", "scc", "steps"};
  const std::string rows = rows_of(mixed_program(), options);
  EXPECT_EQ(rows,
            "s0,expect.s1,expect.scc,steps,expect.stop\n0,0,0,11,end_program\n1,1,0,11,end_program\n"
            "2,4,0,11,end_program\n3,0,1,4,unmapped_memory\n4,16,0,11,end_program\n5,0,1,1000,step_limit\n"
            "6,36,0,11,end_program\n7,254,1,10,end_program+warned\n8,64,0,11,end_program\n9,0,1,10,halt\n"
            "10,100,0,11,end_program\n");
  EXPECT_THAT(same_of_all(mixed_program(), options), HasSubstr(rows));
  const SweepReport report = report_of(mixed_program(), options);
  EXPECT_THAT(report.stops,
              ElementsAre(Pair("end_program", 8), Pair("halt", 1), Pair("step_limit", 1), Pair("unmapped_memory", 1)));
  EXPECT_EQ(report.warned, 1U);
  EXPECT_THAT(sweep_text(report), HasSubstr("11 states: end_program 8, halt 1, step_limit 1, unmapped_memory 1\n"
                                            "  with warnings  1\n"));
}

// s1 of a skipped instruction is unknown; if s0 is 0, nothing depends on it.
TEST(SweepResults, DependenceOnSkippedInstructionsIsAWarning) {
  Scenario skipping = program(
      "v_mov_b32 v0, 3\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc1 end\nv_readfirstlane_b32 s1, v0\n"
      "s_cmp_eq_u32 s1, 3\ns_cbranch_scc1 end\nend: s_endpgm\n");
  skipping.options.on_vector = OnVector::skip;
  SweepOptions options;
  options.vary = {"s0=0..1"};
  options.outputs = {"s1"};
  EXPECT_EQ(rows_of(skipping, options),
            "s0,expect.s1,expect.stop\n0,0,end_program+skipped_vector\n1,0,end_program+warned+skipped_vector\n");
}

// A store of zeros changes nothing, but uses memory; the next state begins without it.
TEST(SweepResults, StatesDoNotDependOnThoseBefore) {
  const Scenario stores = scenario(
      "target: gfx900\nregisters: {s10: 0x100000, s11: 0}\nlimits: {memory: 8 KiB}\n"
      "memory: [{at: 0x100000, size: 0x40000}]\n"
      "code:\n  asm: |\n    s_lshl_b32 m0, s0, 12\n    s_store_dword s1, s[10:11], m0\n    s_endpgm\n");
  for (const Engine engine : {Engine::batch, Engine::scalar}) {
    SweepOptions options;
    options.engine = engine;
    options.vary = {"s0=0..63", "s1=0..1"};
    options.outputs = {"s0"};
    EXPECT_THAT(report_of(stores, options).stops, ElementsAre(Pair("end_program", 128)));
  }
}

TEST(SweepResults, RowsInEachFormat) {
  SweepOptions options;
  options.vary = {"s0=6..7"};
  options.outputs = {"s1", "scc"};
  EXPECT_EQ(rows_of(mixed_program(), options, SweepFormat::jsonl),
            "{\"s0\":6,\"expect.s1\":36,\"expect.scc\":0,\"expect.stop\":\"end_program\"}\n"
            "{\"s0\":7,\"expect.s1\":254,\"expect.scc\":1,\"expect.stop\":\"end_program+warned\"}\n");
  EXPECT_EQ(rows_of(mixed_program(), options, SweepFormat::json),
            "[\n{\"s0\":6,\"expect.s1\":36,\"expect.scc\":0,\"expect.stop\":\"end_program\"},\n"
            "{\"s0\":7,\"expect.s1\":254,\"expect.scc\":1,\"expect.stop\":\"end_program+warned\"}\n]\n");
  const std::string array = rows_of(mixed_program(), options, SweepFormat::npy);
  ASSERT_GT(array.size(), 20U);
  EXPECT_EQ(array.substr(0, 8), std::string("\x93NUMPY\x02\x00", 8));
  const std::size_t data = 12 + static_cast<std::size_t>(static_cast<u8>(array[8]) | static_cast<u8>(array[9]) << 8);
  EXPECT_EQ(data % 64, 0U);
  EXPECT_THAT(array, HasSubstr("{'descr': [('s0', '<u4'), ('expect.s1', '<u4'), ('expect.scc', '|u1'), "
                               "('expect.stop', '|u1')], 'fortran_order': False, 'shape': (2,), }"));
  EXPECT_EQ(array.substr(data),
            little_endian({6, 36}, 4) + std::string("\0\0", 2) + little_endian({7, 254}, 4) + std::string("\1\x80", 2));
}

// Computed by native code.
TEST(SweepResults, CountsAreThoseOfNativeCode) {
  SweepOptions options;
  options.vary = {"s0=0..511", "s1=0xfffffff0..0xffffffff:3"};
  options.outputs = {"s2", "s[4:5]"};
  options.histogram = true;
  const Scenario both = program("s_mul_i32 s2, s0, s1\ns_mov_b32 s4, s1\ns_mov_b32 s5, s0\ns_endpgm\n");
  u64 number = 0;
  u64 checksum = 0;
  u64 wide_checksum = 0;
  u64 least = ~u64{0};
  u64 least_state = 0;
  u64 greatest = 0;
  u64 greatest_state = 0;
  std::map<u64, u64> counts;
  for (u32 s0 = 0; s0 <= 511; ++s0) {
    for (u64 s1 = 0xfffffff0; s1 <= 0xffffffff; s1 += 3, ++number) {
      const u64 value = s0 * static_cast<u32>(s1);
      checksum += value * (2 * number + 1);
      wide_checksum += (u64{s0} << 32 | s1) * (2 * number + 1);
      ++counts[value];
      if (value < least) least_state = number;
      least = std::min(least, value);
      if (value > greatest) greatest_state = number;
      greatest = std::max(greatest, value);
    }
  }
  const SweepReport report = report_of(both, options);
  ASSERT_EQ(report.statistics.size(), 2U);
  EXPECT_EQ(report.states, number);
  const SweepStatistics& product = report.statistics[0];
  EXPECT_EQ(product.checksum, checksum);
  EXPECT_EQ(product.minimum, least);
  EXPECT_EQ(product.minimum_state, least_state);
  EXPECT_EQ(product.maximum, greatest);
  EXPECT_EQ(product.maximum_state, greatest_state);
  EXPECT_EQ(product.histogram, (std::vector<std::pair<u64, u64>>(counts.begin(), counts.end())));
  EXPECT_EQ(report.statistics[1].checksum, wide_checksum);
  EXPECT_THAT(same_of_all(both, options), HasSubstr(std::to_string(checksum)));
}

TEST(LargeHistograms, TooManyValuesAreNotCounted) {
  SweepOptions options;
  options.vary = {"s0=0..65535"};
  options.outputs = {"s0"};
  options.histogram = true;
  const Scenario nothing = program("s_endpgm\n");
  EXPECT_EQ(report_of(nothing, options).statistics[0].histogram.size(), most_histogram_values);
  options.vary = {"s0=0xffff..0x1ffff"};
  const SweepReport report = report_of(nothing, options);
  EXPECT_TRUE(report.statistics[0].has_too_many_values);
  EXPECT_TRUE(report.statistics[0].histogram.empty());
  EXPECT_THAT(sweep_text(report, {false, false, true}), HasSubstr("more than 65536 different values"));
  EXPECT_THAT(sweep_json(report, {false, false, true}), HasSubstr("\"histogram\":null"));
}

TEST(SweepResults, TheFirstRowsForWhichAnExpressionHolds) {
  SweepOptions options;
  options.vary = {"s0=0..0xffff"};
  options.outputs = {"s1"};
  options.where = "s1 > 100 && (s0 & 1) == 0";
  options.first = 3;
  EXPECT_EQ(same_of_all(mixed_program(), options),
            "s0,expect.s1,expect.stop\n12,144,end_program\n14,196,end_program\n16,256,end_program\n");
  options.format = SweepFormat::csv;
  const SweepReport report = report_of(mixed_program(), options);
  // Data after the last row is not read.
  EXPECT_EQ(report.states, 17U);
  EXPECT_EQ(report.rows, 3U);
  EXPECT_THAT(report.stops,
              ElementsAre(Pair("end_program", 14), Pair("halt", 1), Pair("step_limit", 1), Pair("unmapped_memory", 1)));
  options.where = "s0 == 70000";
  EXPECT_EQ(same_of_all(mixed_program(), options), "s0,expect.s1,expect.stop\n");
  options.where = "s1 >";
  EXPECT_THAT(rows_of(mixed_program(), options), HasSubstr("--where:1:5: error: expected a register"));
  options.where = "nothing == 1";
  EXPECT_THAT(rows_of(mixed_program(), options), HasSubstr("`nothing` is not a register"));
}

TEST(SweepResults, AnExpressionSeesMemory) {
  const Scenario stores = scenario(
      "target: gfx900\ncode:\n  asm: |\n    s_cmp_eq_u32 s0, 300\n    s_cbranch_scc0 end\n"
      "    s_store_dword s0, s[4:5], 0x4\n    end:\n    s_endpgm\n"
      "registers: {'s[4:5]': 0x10000}\nmemory:\n  - {at: 0x10000, size: 64, access: rw}\n");
  SweepOptions options;
  options.vary = {"s0=0..1000"};
  options.outputs = {"scc"};
  options.where = "[0x10004] == 300";
  EXPECT_EQ(same_of_all(stores, options), "s0,expect.scc,expect.stop\n300,1,end_program\n");
  options.vary = {"s0=0..1", "memory.0x10000=0..3000:1000"};
  options.where = "[0x10000] >= 2000";
  EXPECT_EQ(same_of_all(stores, options),
            "s0,memory.0x10000,expect.scc,expect.stop\n0,2000,0,end_program\n0,3000,0,end_program\n"
            "1,2000,0,end_program\n1,3000,0,end_program\n");
}

TEST(SweepResults, AreTheSameByBothEnginesForRandomPrograms) {
  test::RowPrograms programs(19);
  for (int i = 0; i < test::repetitions(20); ++i) {
    const Generation generation = all_generations()[static_cast<std::size_t>(programs.below(all_generations().size()))];
    test::RowProgram made = programs.make(generation);
    Scenario scenario;
    scenario.name = "random";
    scenario.program = std::move(made.program);
    scenario.initial = std::move(made.initial);
    scenario.memory = std::move(made.memory);
    scenario.options.max_steps = 300;
    SweepOptions options;
    const u64 first = programs.value() & 0xffffff00;
    options.vary = {"s0=" + std::to_string(first) + ".." + std::to_string(first + 96), "s3=0..2"};
    options.outputs = {"s0", "s1", "s2", "s[6:7]", "vcc", "scc", "steps"};
    same_of_all(scenario, options);
  }
}

TEST(SweepResults, OutputsHaveDefaults) {
  SweepOptions options;
  options.vary = {"s0=0..100"};
  const SweepReport report = report_of(program("s_add_u32 s7, s0, 1\ns_mov_b32 vcc_lo, s0\ns_endpgm\n"), options);
  EXPECT_THAT(report.outputs, ElementsAre("s7", "vcc_lo", "scc"));
  EXPECT_FALSE(report.outputs_are_named);
}

TEST(SweepResults, ACancelledSweepReportsFinishedStates) {
  const Scenario squares = program("s_mul_i32 s1, s0, s0\ns_endpgm\n");
  for (const Engine engine : {Engine::batch, Engine::scalar}) {
    SweepOptions options;
    options.vary = {"s0=0..0xffffffff"};
    options.outputs = {"s1"};
    options.engine = engine;
    std::atomic<u64> asked = 0;
    options.is_cancelled = [&asked] { return ++asked > 700; };
    const SweepReport report = report_of(squares, options);
    EXPECT_TRUE(report.cancelled);
    EXPECT_EQ(report.count, u64{1} << 32);
    ASSERT_GT(report.states, 0U);
    ASSERT_LT(report.states, report.count);
    u64 checksum = 0;
    for (u64 state = 0; state < report.states; ++state) checksum += (state * state & 0xffffffff) * (2 * state + 1);
    EXPECT_EQ(report.statistics[0].checksum, checksum);
    EXPECT_THAT(sweep_text(report),
                testing::StartsWith("cancelled after " + std::to_string(report.states) + " of 4294967296"));
  }
}

// A single run with checks may take long, and can be cancelled like others.
TEST(SweepResults, ARunWithChecksIsCancelledInItsMiddle) {
  Scenario endless = program("loop: s_branch loop\n");
  endless.options.check_hazards = true;
  endless.options.max_steps = ~u64{0};
  SweepOptions options;
  options.vary = {"s0=0..1"};
  options.outputs = {"s1"};
  std::atomic<u64> asked = 0;
  options.is_cancelled = [&asked] { return ++asked > 20; };
  const SweepReport report = report_of(endless, options);
  EXPECT_TRUE(report.cancelled);
  EXPECT_EQ(report.states, 0U);
  // An existing file is unchanged.
  for (const SweepFormat format : {SweepFormat::csv, SweepFormat::json, SweepFormat::jsonl, SweepFormat::npy}) {
    asked = 0;
    EXPECT_EQ(rows_of(endless, options, format), "");
  }
}

TEST(SweepArrays, ValuesAreReadFromMemoryAndLeftThere) {
  const Scenario scenario = mixed_program();
  constexpr std::size_t count = 12;
  // Two adjacent columns: s0 in, s1 out.
  std::array<std::array<u32, 2>, count> rows{};
  for (u32 i = 0; i < count; ++i) rows[i] = {i, 77};
  std::array<u8, count> stops{};
  for (const Engine engine : {Engine::scalar, Engine::batch}) {
    SweepOptions options;
    options.engine = engine;
    options.inputs = {{"s0", &rows[0][0], {4, false, 8}}};
    options.input_rows = count;
    options.results = {{"s1", &rows[0][1], {4, false, 8}}, {"stop", stops.data(), {1, false, 1}}};
    const SweepReport report = report_of(scenario, options);
    EXPECT_EQ(report.states, count);
    EXPECT_THAT(report.stops, testing::Contains(Pair("end_program", count - 3)));
    for (u32 i = 0; i < count; ++i) {
      EXPECT_EQ(rows[i][0], i);
      const bool ends_early = i == 3 || i == 5 || i == 7 || i == 9;
      if (!ends_early) {
        EXPECT_EQ(rows[i][1], i * i);
        EXPECT_EQ(stops[i], static_cast<u8>(StopReason::end_program));
      }
    }
    EXPECT_EQ(stops[3], static_cast<u8>(StopReason::unmapped_memory));
    EXPECT_EQ(stops[5], static_cast<u8>(StopReason::step_limit));
    EXPECT_EQ(rows[7][1], 254U);
    EXPECT_EQ(stops[7], 128 + static_cast<u8>(StopReason::end_program));
    EXPECT_EQ(stops[9], static_cast<u8>(StopReason::halt));
  }
}

TEST(SweepArrays, OverlappingArraysAreRejected) {
  const Scenario scenario = mixed_program();
  std::array<u32, 12> numbers{};
  const auto problem = [&](SweepInput input, std::vector<SweepResult> results) {
    SweepOptions options;
    options.inputs = {std::move(input)};
    options.input_rows = 4;
    options.results = std::move(results);
    const Result<SweepReport> report = sweep(scenario, options);
    return report ? std::string() : report.error().to_string();
  };
  u32* const at = numbers.data();
  const SweepInput input = {"s0", at + 2, {4, false, 8}};  // numbers 2, 4, 6, 8
  const auto one = [&](u32 first, u32 size, i64 stride) {
    return problem(input, {{"scc", at + first, {size, false, stride}}});
  };
  for (const auto& [first, size, stride] : std::vector<std::tuple<u32, u32, i64>>{
           {2, 4, 8}, {8, 4, -8}, {0, 8, 8}, {5, 4, 4}, {8, 4, 4}, {1, 8, 8}, {2, 1, 1}, {11, 4, -12}})
    EXPECT_EQ(one(first, size, stride), "scc: error: its numbers overlap those of `s0`") << first << stride;
  for (const auto& [first, size, stride] :
       std::vector<std::tuple<u32, u32, i64>>{{1, 4, 8}, {3, 4, 8}, {9, 4, -8}, {9, 2, 2}, {0, 1, 1}, {5, 4, 8}})
    EXPECT_EQ(one(first, size, stride), "") << first << stride;
  for (const i64 stride : {0, 1, 2, -3})
    EXPECT_EQ(one(9, 4, stride), "scc: error: its numbers overlap each other") << stride;
  EXPECT_EQ(problem(input, {{"scc", at + 1, {4, false, 8}}, {"s1", at + 3, {4, false, 8}}}),
            "s1: error: its numbers overlap those of `scc`");
}

TEST(SweepArrays, IncompatibleArraysAreRejected) {
  const Scenario scenario = mixed_program();
  std::array<u32, 4> numbers{};
  SweepOptions options;
  options.inputs = {{"s0", numbers.data(), {}}};
  const auto problem = [&] {
    const Result<SweepReport> report = sweep(scenario, options);
    return report ? std::string() : report.error().to_string();
  };
  EXPECT_THAT(problem(), HasSubstr("the table is empty"));
  options.input_rows = numbers.size();
  EXPECT_EQ(problem(), "");
  options.rows = {"rows.csv"};
  EXPECT_THAT(problem(), HasSubstr("not both"));
  options.rows.clear();
  options.results = {{"s1", numbers.data(), {}}};
  options.where = "s1 == 0";
  options.format = SweepFormat::csv;
  EXPECT_THAT(problem(), HasSubstr("arrays contain all states"));
}

}  // namespace
}  // namespace salu::sweep_test
