#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "batch/batch.hpp"
#include "batch/row_programs.hpp"
#include "batch/width.hpp"
#include "core/repeated_run.hpp"
#include "generation_names.hpp"
#include "repetitions.hpp"

/// A batch gives the same results as the scalar machine: registers, SCC, steps and the end of the run, without
/// warnings.
namespace salu::test {
namespace {

using batch::Batch;
using batch::Chunk;
using batch::Ending;
using batch::Plan;
using batch::VariedDword;

constexpr std::array<std::size_t, 7> batch_sizes = {1, 2, 63, 64, 65, 300, 1025};

/// Inputs and results of many states, by dword.
struct Table {
  std::vector<VariedDword> inputs;
  std::vector<VariedDword> results;
  std::vector<std::vector<u32>> values;  ///< by input
  std::vector<std::vector<u32>> found;   ///< by result
  std::vector<u32> steps;
  std::vector<Ending> endings;

  Chunk chunk() {
    Chunk chunk;
    chunk.states = endings.size();
    for (const auto& each : values) chunk.inputs.push_back(each.data());
    for (auto& each : found) chunk.results.push_back(each.data());
    chunk.steps = steps.data();
    chunk.endings = endings.data();
    return chunk;
  }
};

Table make_table(RowPrograms& random, std::size_t states) {
  Table table;
  const auto add_input = [&](VariedDword::Kind kind, u64 place) {
    table.inputs.push_back({kind, place});
    std::vector<u32>& values = table.values.emplace_back(states);
    for (u32& each : values) each = static_cast<u32>(kind == VariedDword::Kind::scc ? random.below(2) : random.value());
  };
  for (u64 code = 0; code < RowPrograms::registers; ++code) {
    if (random.chance(40)) add_input(VariedDword::Kind::file, code);
  }
  if (random.chance(30)) add_input(VariedDword::Kind::file, code::vcc);
  if (random.chance(30)) add_input(VariedDword::Kind::file, code::exec + 1);
  if (random.chance(20)) add_input(VariedDword::Kind::scc, 0);
  if (random.chance(30)) add_input(VariedDword::Kind::memory, RowPrograms::data_base + random.below(64) * 4);
  // An offset that is sometimes outside of the memory.
  if (random.chance(30)) {
    add_input(VariedDword::Kind::file, 20);
    for (u32& each : table.values.back())
      each =
          static_cast<u32>((random.chance(90) ? RowPrograms::data_base : RowPrograms::far_page) + random.below(0x1900));
  }
  for (u64 code = 0; code < 30; ++code) {
    if (random.chance(60)) table.results.push_back({VariedDword::Kind::file, code});
  }
  for (const u32 code : {code::vcc, code::vcc + 1, code::m0, code::exec, code::exec + 1}) {
    if (random.chance(60)) table.results.push_back({VariedDword::Kind::file, code});
  }
  if (random.chance(60)) table.results.push_back({VariedDword::Kind::scc, 0});
  for (u32 i = 0; i < 6; ++i) {
    const auto number = static_cast<u32>(random.below(RowPrograms::vectors + 1));
    const auto lane = static_cast<u32>(random.chance(60) ? random.below(3) : random.below(64));
    table.results.push_back({VariedDword::Kind::lane, RegisterName::in_lane(number, lane).index});
  }
  table.found.assign(table.results.size(), std::vector<u32>(states));
  table.steps.resize(states);
  table.endings.resize(states);
  return table;
}

/// Runs a state on the scalar machine.
u64 run_scalar(core::RepeatedRun& run, const Table& table, std::size_t state, u64 max_steps) {
  run.reset();
  for (std::size_t i = 0; i < table.inputs.size(); ++i) {
    const VariedDword& input = table.inputs[i];
    const u32 value = table.values[i][state];
    if (input.kind == VariedDword::Kind::memory) {
      run.set_memory(input.place, value, 4);
    } else {
      const bool is_scc = input.kind == VariedDword::Kind::scc;
      run.set(is_scc ? RegisterName{state_index::scc, 1} : RegisterName::in_file(static_cast<u32>(input.place)), value);
    }
  }
  return run.run(max_steps);
}

StopReason reason_of(Ending ending) {
  return ending == Ending::returned ? StopReason::returned : StopReason::end_program;
}

/// Returns the number of states that the batch has completed, and compares each of them with the scalar machine.
std::size_t compare(const RowProgram& program, Table& table, u64 max_steps) {
  core::RepeatedRun scalar(program.program, program.initial, program.memory, {});
  std::size_t answered = 0;
  for (std::size_t state = 0; state < table.endings.size(); ++state) {
    if (table.endings[state] == Ending::left) continue;
    ++answered;
    const u64 steps = run_scalar(scalar, table, state, max_steps);
    EXPECT_EQ(scalar.reason(), reason_of(table.endings[state])) << "state " << state;
    EXPECT_EQ(steps, table.steps[state]) << "state " << state;
    EXPECT_FALSE(scalar.has_warnings()) << "state " << state;
    for (std::size_t i = 0; i < table.results.size(); ++i) {
      const VariedDword& result = table.results[i];
      RegisterName name{static_cast<u32>(result.place)};
      if (result.kind == VariedDword::Kind::scc) name = {state_index::scc, 1};
      EXPECT_EQ(scalar.read(name), table.found[i][state]) << "state " << state << ", place " << result.place;
    }
    if (testing::Test::HasFailure()) break;
  }
  return answered;
}

class Batches : public testing::TestWithParam<Generation> {};

TEST_P(Batches, AnswerAsTheScalarMachineDoes) {
  std::size_t states_run = 0;
  std::size_t states_answered = 0;
  const u64 programs = static_cast<u64>(repetitions(400));
  for (u64 seed = 0; seed < programs && !HasFailure(); ++seed) {
    RowPrograms random(seed * 8 + static_cast<u64>(GetParam()));
    const RowProgram program = random.make(GetParam());
    const std::size_t states = batch_sizes[seed % batch_sizes.size()];
    Table table = make_table(random, states);
    const auto plan =
        Plan::make(program.program, program.initial, program.memory, OnVector::run, table.inputs, table.results);
    if (!plan) continue;
    const u64 max_steps = random.chance(50) ? 1 + random.below(60) : 2000;
    for (const batch::Width width : batch::widths()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(batch::width_name(width)));
      std::ranges::fill(table.endings, Ending::left);
      Batch(*plan, batch::loops_for(width), program.memory).run(table.chunk(), max_steps);
      states_run += states;
      states_answered += compare(program, table, max_steps);
      if (HasFailure()) break;
    }
  }
  // The states that continue on the scalar machine are not compared, so most states must not do so.
  if (programs >= 400) {
    EXPECT_GE(states_answered * 100, states_run * 15) << states_answered << " of " << states_run;
  }
  RecordProperty("answered", std::to_string(states_answered));
}

INSTANTIATE_TEST_SUITE_P(Generations, Batches, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
