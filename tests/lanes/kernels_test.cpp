#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/repeated_run.hpp"
#include "generation_names.hpp"
#include "isa/decode.hpp"
#include "lanes/table_runs.hpp"
#include "lanes/traits.hpp"

/// Every kernel of every kind of processor, on edge values, against the scalar machine.
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

/// SSRC1 as a register or as a constant, which may have a kernel of its own.
struct Form {
  u8 ssrc1;
  u32 literal;
};
constexpr std::array<Form, 4> forms = {{{2, 0}, {128 + 5, 0}, {193, 0}, {isa::literal_code, 0x00080011}}};

class Kernels : public testing::TestWithParam<Generation> {};

TEST_P(Kernels, ComputeWhatTheScalarMachineComputes) {
  const Generation generation = GetParam();
  for (std::size_t number = 0; number < isa::insn_count; ++number) {
    const auto insn = static_cast<isa::Insn>(number);
    const isa::InstructionInfo& info = isa::info(insn);
    if (info.opcode(generation) == isa::absent || lanes::traits_of(insn).role != lanes::Role::kernel) continue;
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
      const std::vector<lanes::Part> inputs = {{false, RegisterName::in_file(0, 2)},
                                               {false, RegisterName::in_file(2, 2)},
                                               {false, RegisterName::in_file(4, 2)},
                                               {false, {state_index::scc, 1}}};
      const std::vector<lanes::Part> results = {{false, RegisterName::in_file(4, 2)},
                                                {false, RegisterName::in_file(code::exec, 2)},
                                                {false, {state_index::scc, 1}}};
      const auto prepared = lanes::PreparedTable::make(program, initial, memory, OnVector::run, inputs, results);
      ASSERT_TRUE(prepared);
      core::RepeatedRun scalar(program, initial, memory, {});
      for (const lanes::Width width : lanes::widths()) {
        SCOPED_TRACE(lanes::width_name(width));
        lanes::TableRuns runs(*prepared, width);
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
          // What gives a warning is the scalar machine's, and nothing else is.
          ASSERT_EQ(runs.ending(state) == lanes::Ending::left, scalar.has_warnings()) << "state " << state;
          if (scalar.has_warnings()) continue;
          for (std::size_t result = 0; result < results.size(); ++result)
            ASSERT_EQ(runs.read(result, state), scalar.read(results[result].name)) << "state " << state;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, Kernels, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
