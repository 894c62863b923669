#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "generation_names.hpp"
#include "repetitions.hpp"
#include "semantics/code.hpp"
#include "semantics/vector_cases.hpp"
#include "semantics/vector_reference.hpp"
#include "semantics/vector_reference_wave.hpp"

// Every instruction of the vector ALU on every generation and in every form, with random and edge-case operands in all
// 64 lanes, against the independent model; the whole wave is compared.
namespace salu::test {
namespace {

namespace vec = isa::vector;
using vec::Form;

constexpr std::array<const char*, 4> form_names = {"e32", "e64", "sdwa", "dpp"};

/// True if the highest dword of a float is that of a quiet NaN.
bool is_quiet_nan(u32 bits, u32 dwords) {
  const u32 set = dwords == 2 ? 0x7ff80000 : 0x7fc00000;
  return (bits & set) == set;
}

/// The words, with the generation and the instruction.
std::string describe(Generation generation, const vec::Instruction& instruction, const std::vector<u32>& words) {
  std::ostringstream text;
  text << vec::info(instruction.insn).name(generation) << ' ' << form_names[static_cast<std::size_t>(instruction.form)]
       << " of " << generation_name(generation) << ", words" << std::hex;
  for (const u32 word : words) text << " 0x" << word;
  text << "\n  d " << std::dec << u32{instruction.destination} << ", masks " << u32{instruction.mask_destination} << ' '
       << u32{instruction.mask_source} << ", clamp " << instruction.clamp << ", omod "
       << u32{instruction.output_modifier} << ", op_sel " << u32{instruction.op_sel} << ' '
       << u32{instruction.op_sel_hi} << ", selects " << static_cast<u32>(instruction.destination_select) << ' '
       << static_cast<u32>(instruction.destination_unused) << ", lanes " << instruction.dpp.control << ' '
       << u32{instruction.dpp.row_mask} << ' ' << u32{instruction.dpp.bank_mask} << ' ' << instruction.dpp.bound_ctrl;
  for (const vec::Source& source : instruction.sources) {
    text << ", s " << source.code << " (" << source.negate << source.absolute << source.sign_extend
         << static_cast<u32>(source.select) << ')';
  }
  return text.str();
}

/// The lanes of the sources and of the old destination, for messages.
std::string operands(const vec::Instruction& instruction, const WaveState& before, u32 lane) {
  std::ostringstream text;
  text << "  lane " << lane << std::hex << ": mode 0x" << before.mode << " m0 0x" << before.file[code::m0] << " old 0x"
       << before.vectors.lanes(instruction.destination)[lane];
  for (const vec::Source& source : instruction.sources) {
    text << ", 0x"
         << (source.is_vgpr()    ? before.vectors.lanes(source.code - 256U)[lane]
             : source.code < 128 ? before.file[source.code]
                                 : instruction.literal);
  }
  return text.str();
}

/// Runs an instruction from a state and compares the whole state; returns the difference, or nothing.
std::string run_instruction(Generation generation, const vec::Instruction& instruction, const WaveState& before,
                            u32 plain_bits = 0) {
  std::vector<u32> words = encode_vector(generation, instruction);
  words.back() |= plain_bits;
  const auto decoded = vec::decode(generation, words);
  if (!decoded) return "  is not decoded";
  if (*decoded != instruction) return "  is decoded as another one";
  Code code(generation);
  for (const u32 word : words) code.word(word);
  const u64 end = code.here();
  code.end();
  RunOptions options;
  options.on_vector = OnVector::run;
  const Outcome outcome = run_code(code, before, options);
  if (outcome.stop.reason != StopReason::end_program) return "  stops: " + outcome.stop.detail;
  WaveState expected = before;
  const std::vector<AnyNan> nans = execute_vector(instruction, expected);
  expected.pc = outcome.state.pc;
  std::string problem;
  if (outcome.stop.pc != end) problem = "  ends elsewhere\n";
  for (const AnyNan& nan : nans) {
    const auto actual = [&](u32 i) { return outcome.state.vectors.lanes(nan.number + i)[nan.lane]; };
    if (!is_quiet_nan(actual(nan.dwords - 1), nan.dwords)) continue;
    for (u32 i = 0; i < nan.dwords; ++i) expected.vectors.write(nan.number + i, nan.lane, actual(i));
  }
  // Exceptions have separate tests; integer instructions raise none.
  constexpr u32 trapsts = 3;
  const std::string_view name = vec::info(instruction.insn).names[2];
  const bool is_float = std::ranges::any_of(
      std::array{"f16", "f32", "f64"}, [&](const char* format) { return name.find(format) != std::string_view::npos; });
  if (is_float) expected.hwregs[trapsts] = outcome.state.hwregs[trapsts];
  if (expected == outcome.state) return problem;
  problem += difference(expected, outcome.state) + vector_difference(expected, outcome.state);
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    for (u32 number = 0; number < VectorRegisters::count; ++number) {
      if (expected.vectors.lanes(number)[lane] == outcome.state.vectors.lanes(number)[lane]) continue;
      return problem + operands(instruction, before, lane);
    }
  }
  return problem + operands(instruction, before, 0);
}

/// Instructions without a model, which have separate tests; all others have a model.
bool moves_between_lanes_or_registers(const vec::InstructionInfo& row) {
  const std::string_view name = row.names[2];
  return name == "v_nop" || name.starts_with("v_read") || name.starts_with("v_writelane") ||
         name.starts_with("v_movrel") || name == "v_swap_b32" || name == "v_pk_mov_b32" ||
         row.work == vec::LaneWork::exchange;
}

class VectorAlu : public testing::TestWithParam<Generation> {
 protected:
  /// Seeds are row numbers, so that a failing row can be reproduced alone.
  static Random random_for(vec::Insn insn) { return Random(static_cast<u64>(insn)); }

  /// A wave for the next case: keeps the registers, and changes the small state.
  static void refresh(WaveState& state, Random& random) {
    state.mode = static_cast<u32>(random() % 0x400);
    if (is_gfx9(GetParam())) state.mode |= static_cast<u32>(random() % 2 << 23);
    state.write64(code::exec, random_mask(random));
    state.write64(code::vcc, random_mask(random));
    state.file[code::m0] = random_dword(random);
    state.scc = random() % 2 == 0;
  }
};

TEST_P(VectorAlu, AgreesWithTheReferenceModel) {
  const Generation generation = GetParam();
  Random state_random(7);
  WaveState state = random_wave(generation, state_random);
  for (const vec::Insn insn : all_vector_insns()) {
    Random random = random_for(insn);
    u32 failures = 0;
    for (const Form form : vector_forms(generation, insn)) {
      for (int i = 0; i < repetitions(60) && failures < 3; ++i) {
        refresh(state, random);
        const vec::Instruction instruction = random_vector_instruction(generation, insn, form, random);
        // OP_SEL_HI is ignored for copies of accumulation registers.
        const vec::InstructionInfo& row = vec::info(insn);
        const bool is_copy = row.format == vec::Format::vop3p && row.modifiers == vec::modifier::plain;
        const u32 plain_bits = is_copy && random() % 2 == 0 ? 3U << 27 : 0;
        const std::string problem = run_instruction(generation, instruction, state, plain_bits);
        if (problem.empty()) continue;
        ++failures;
        ADD_FAILURE() << describe(generation, instruction, encode_vector(generation, instruction)) << '\n' << problem;
      }
    }
  }
}

// Index mode moves the VGPRs of sources and destinations; beyond the last one, sources read v0 and destinations are not
// written.
TEST_P(VectorAlu, AgreesWithTheReferenceModelInIndexMode) {
  const Generation generation = GetParam();
  if (!is_gcn1_2_or_later(generation)) return;
  Random state_random(8);
  WaveState state = random_wave(generation, state_random);
  for (const vec::Insn insn : all_vector_insns()) {
    const vec::InstructionInfo& row = vec::info(insn);
    if (moves_between_lanes_or_registers(row) || row.format == vec::Format::vop3p) continue;
    if (row.shape.destination.kind == vec::OperandKind::agpr) continue;
    Random random = random_for(insn);
    u32 failures = 0;
    for (const Form form : vector_forms(generation, insn)) {
      if (form == Form::sdwa) continue;
      for (int i = 0; i < repetitions(20) && failures < 2; ++i) {
        refresh(state, random);
        state.mode |= 1U << mode_bit::gpr_idx_en;
        state.file[code::m0] = static_cast<u32>(random() % 16 << 12 | (random() % 64 * 2));
        const vec::Instruction instruction = random_vector_instruction(generation, insn, form, random);
        const std::string problem = run_instruction(generation, instruction, state);
        if (problem.empty()) continue;
        ++failures;
        ADD_FAILURE() << describe(generation, instruction, encode_vector(generation, instruction)) << '\n' << problem;
      }
    }
  }
}

TEST_P(VectorAlu, MovesRelativeToM0) {
  const Generation generation = GetParam();
  Random random(9);
  WaveState state = random_wave(generation, random);
  for (const vec::Insn insn : all_vector_insns()) {
    if (!vec::info(insn).names[0].starts_with("v_movrel")) continue;
    for (const Form form : vector_forms(generation, insn)) {
      for (int i = 0; i < repetitions(200); ++i) {
        refresh(state, random);
        state.file[code::m0] = static_cast<u32>(random() % 8 == 0 ? 0 : random() % 280);
        const vec::Instruction instruction = random_vector_instruction(generation, insn, form, random);
        ASSERT_EQ(run_instruction(generation, instruction, state), "")
            << describe(generation, instruction, encode_vector(generation, instruction));
      }
    }
  }
}

// All truth tables, in both widths.
TEST(VectorBitop3, HasEveryTruthTable) {
  const Generation generation = Generation::cdna4;
  Random random(10);
  WaveState state = random_wave(generation, random);
  for (const vec::Insn insn : {vec::Insn::v_bitop3_b32, vec::Insn::v_bitop3_b16}) {
    for (u32 table = 0; table < 256; ++table) {
      state.write64(code::exec, random_mask(random));
      vec::Instruction instruction = random_vector_instruction(generation, insn, Form::e64, random);
      instruction.truth_table = static_cast<u8>(table);
      EXPECT_EQ(run_instruction(generation, instruction, state), "")
          << describe(generation, instruction, encode_vector(generation, instruction));
    }
  }
}

// A row without a model would not be compared.
TEST(VectorModel, CoversEveryInstructionThatComputes) {
  for (const vec::Insn insn : all_vector_insns()) {
    const vec::InstructionInfo& row = vec::info(insn);
    if (row.is_memory()) continue;
    // Rows with other names in assembly are listed by the name of the latest generations.
    EXPECT_EQ(find_lane_model(row.names[2]) != nullptr, !moves_between_lanes_or_registers(row)) << row.names[2];
  }
}

// Every row has a case on every generation that has an opcode for it.
TEST(VectorModel, HasCasesOfEveryRowOnEveryGeneration) {
  for (const vec::Insn insn : all_vector_insns()) {
    const vec::InstructionInfo& row = vec::info(insn);
    if (row.is_memory()) continue;
    bool is_anywhere = false;
    for (const Generation generation : all_generations()) {
      const bool is_there = row.opcode(generation) != isa::absent || row.vop3_opcode(generation) != isa::absent;
      EXPECT_EQ(!vector_forms(generation, insn).empty(), is_there) << row.names[2];
      is_anywhere |= is_there;
    }
    EXPECT_TRUE(is_anywhere) << row.names[2];
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, VectorAlu, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
