#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "batch/role.hpp"
#include "batch/table_runs.hpp"
#include "core/repeated_run.hpp"
#include "generation_names.hpp"
#include "isa/decode.hpp"

/// Every row loop of every kind of processor, on edge values, against the scalar machine; and the operations on
/// whole rows.
namespace salu::test {
namespace {

constexpr std::array<u64, 17> edges = {0,
                                       1,
                                       2,
                                       31,
                                       32,
                                       63,
                                       64,
                                       0x7fffffff,
                                       0x80000000,
                                       0x80000001,
                                       0xffffffff,
                                       0xfffffffe,
                                       0x10000001f,
                                       u64{1} << 63,
                                       (u64{1} << 63) - 1,
                                       ~u64{0},
                                       0x0123456789abcdef};

/// SSRC1 as a register or as a constant, which may have its own row loop.
struct Form {
  u8 ssrc1;
  u32 literal;
};
constexpr std::array<Form, 4> forms = {{{2, 0}, {128 + 5, 0}, {193, 0}, {isa::literal_code, 0x00080011}}};

class RowLoops : public testing::TestWithParam<Generation> {};

TEST_P(RowLoops, ComputeWhatTheScalarMachineComputes) {
  const Generation generation = GetParam();
  for (std::size_t number = 0; number < isa::insn_count; ++number) {
    const auto insn = static_cast<isa::Insn>(number);
    const isa::InstructionInfo& info = isa::info(insn);
    if (info.opcode(generation) == isa::absent || batch::role_of(insn) != batch::Role::row_loop) continue;
    for (const Form& form : forms) {
      const bool has_ssrc1 = info.shape.find(isa::Field::ssrc1) != nullptr;
      if (!has_ssrc1 && &form != &forms[0]) continue;
      isa::Instruction instruction;
      instruction.encoding = isa::EncodingClass::scalar;
      instruction.insn = insn;
      instruction.sdst = 4;
      instruction.ssrc1 = has_ssrc1 ? form.ssrc1 : 0;
      instruction.simm16 = 0x8013;
      instruction.has_literal = instruction.ssrc1 == isa::literal_code;
      instruction.literal = form.literal;
      SCOPED_TRACE(std::string(info.mnemonic) + ", SSRC1 " + std::to_string(instruction.ssrc1));

      Program program;
      program.target = find_target(generation_name(generation));
      const isa::EncodedWords encoded = isa::encode(generation, instruction);
      program.code = {{0x1000, {encoded.span().begin(), encoded.span().end()}}};
      program.code[0].words.push_back(0xbf810000);  // s_endpgm
      WaveState initial = initial_state(generation);
      initial.pc = 0x1000;
      initial.write64(code::vcc, 0x00ff00ff0000ffff);
      const Memory memory;
      const std::vector<batch::Part> inputs = {{false, RegisterName::in_file(0, 2)},
                                               {false, RegisterName::in_file(2, 2)},
                                               {false, RegisterName::in_file(4, 2)},
                                               {false, {state_index::scc, 1}}};
      const std::vector<batch::Part> results = {{false, RegisterName::in_file(4, 2)},
                                                {false, RegisterName::in_file(code::exec, 2)},
                                                {false, {state_index::scc, 1}}};
      const auto prepared = batch::PreparedTable::make(program, initial, memory, OnVector::run, inputs, results);
      ASSERT_TRUE(prepared);
      core::RepeatedRun scalar(program, initial, memory, {});
      for (const batch::Width width : batch::widths()) {
        SCOPED_TRACE(batch::width_name(width));
        batch::TableRuns runs(*prepared, width);
        const std::size_t states = edges.size() * edges.size() * 2;
        runs.begin(states);
        const auto values = [](std::size_t state) {
          const std::size_t left = state / 2 % edges.size();
          return std::array<u64, 4>{edges[left], edges[state / 2 / edges.size()], edges[(left + 5) % edges.size()],
                                    state % 2};
        };
        for (std::size_t state = 0; state < states; ++state) {
          for (std::size_t input = 0; input < inputs.size(); ++input) runs.set(input, state, values(state)[input]);
        }
        runs.run(10);
        for (std::size_t state = 0; state < states; ++state) {
          scalar.reset();
          for (std::size_t input = 0; input < inputs.size(); ++input)
            scalar.set(inputs[input].name, values(state)[input]);
          scalar.run(10);
          // Exactly the states with a warning continue on the scalar machine.
          ASSERT_EQ(runs.ending(state) == batch::Ending::left, scalar.has_warnings()) << "state " << state;
          if (scalar.has_warnings()) continue;
          for (std::size_t result = 0; result < results.size(); ++result)
            ASSERT_EQ(runs.read(result, state), scalar.read(results[result].name)) << "state " << state;
        }
      }
    }
  }
}

/// Sums of numbers of up to 32 bits, compared with the sums of native code in this test.
TEST(Rows, AreSummedUpByEveryKindOfProcessor) {
  for (const batch::Width width : batch::widths()) {
    SCOPED_TRACE(batch::width_name(width));
    const batch::RowLoopTable& loops = batch::loops_for(width);
    for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{4099}}) {
      for (const u32 bits : {~0U, 0xffU, 1U}) {
        std::vector<u32> values;
        for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<u32>(0xfffffff7 - i * 0x9e3779b1));
        u32 least = ~0U;
        u32 greatest = 0;
        u64 sum = 0;
        u64 sum_by_number = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const u32 value = values[i] & bits;
          least = std::min(least, value);
          greatest = std::max(greatest, value);
          sum += value;
          sum_by_number += u64{value} * i;
        }
        const batch::RowSums sums = loops.sums(values.data(), bits, count);
        EXPECT_EQ(sums.least, least) << count;
        EXPECT_EQ(sums.greatest, greatest) << count;
        EXPECT_EQ(sums.sum, sum) << count;
        EXPECT_EQ(sums.sum_by_number, sum_by_number) << count;
      }
    }
  }
}

TEST(Rows, DifferInTheBitsThatAnyValueHas) {
  for (const batch::Width width : batch::widths()) {
    const batch::RowLoopTable& loops = batch::loops_for(width);
    std::vector<u32> left(1003, 0xa5a5a5a5);
    std::vector<u32> right = left;
    EXPECT_EQ(loops.difference(left.data(), right.data(), left.size()), 0U);
    right[0] ^= 1;
    left[500] ^= 0x80000000;
    right[1002] ^= 0x10;
    EXPECT_EQ(loops.difference(left.data(), right.data(), left.size()), 0x80000011U);
    EXPECT_EQ(loops.difference(left.data(), right.data(), 1002), 0x80000001U);
  }
}

/// The definition of a range, value by value: steps from the first one, modulo its bits, starting again after the last
/// one.
TEST(Rows, HoldRangesFromAnyNumberOn) {
  const std::vector<support::ValueRange> ranges = {
      {5, 0, 1, 32},           {5, 63, 3, 32},        {250, 64, 1, 8}, {3, 999, 7, 16}, {0xffffff00, 300, 1, 32},
      {0, 99, 0x10000001, 32}, {7, 0xffffffff, 1, 32}};
  for (const batch::Width width : batch::widths()) {
    for (const support::ValueRange& range : ranges) {
      for (const u64 back : {u64{0}, u64{1}, u64{40}}) {
        if (back > range.last_index) continue;
        const u64 index = range.last_index - back;
        std::vector<u32> row(2500);
        batch::fill_row(row, range, index, batch::loops_for(width));
        for (std::size_t i = 0; i < row.size(); ++i) {
          const u64 number = (index + i) % (range.last_index + 1);
          const u64 value = (range.first + number * range.step) % (u64{1} << range.bits);
          ASSERT_EQ(row[i], value) << "range from " << range.first << ", value " << i;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, RowLoops, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
