#include <gtest/gtest.h>

#include <array>
#include <random>

#include "generation_names.hpp"
#include "semantics/placements.hpp"

// Random and edge-case operands for every instruction that only computes, against the independent model.
namespace salu::test {
namespace {

constexpr std::array<u64, 22> edges = {0,
                                       1,
                                       2,
                                       31,
                                       32,
                                       33,
                                       63,
                                       64,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x10000,
                                       0x7fffffff,
                                       0x80000000,
                                       0x80000001,
                                       0xfffffffe,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffff00000000,
                                       0xffffffffffffffff};

/// In half of the cases an edge case, few bits, few zeros, or an inline constant; otherwise arbitrary.
u64 random_operand(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
    case 1:
      return edges[random() % edges.size()];
    case 2:
      return (u64{1} << random() % 64) | (u64{1} << random() % 64);
    case 3:
      return ~(u64{1} << random() % 64);
    case 4:
      return random() % 65 - random() % 17;
    case 5:
      return random() % 2 == 0 ? inline_constant(240 + static_cast<u32>(random() % 8), 2)
                               : inline_constant(240 + static_cast<u32>(random() % 8), 1);
    default:
      return random();
  }
}

AluCase make_case(Generation generation, const OpcodeRow& row, const AluModel& model, AluInputs in) {
  const auto cut = [](u64 value, u32 dwords) { return dwords == 1 ? value & 0xffffffff : value; };
  const bool sopk = row.format == "SOPK";
  in.s0 = cut(in.s0, row.src0_dwords);
  in.s1 = sopk ? in.s1 & 0xffff : cut(in.s1, row.src1_dwords);
  in.old = cut(in.old, sopk ? 1 : row.dst_dwords);
  return {generation, row.mnemonic, in, model(in)};
}

class RandomAlu : public testing::TestWithParam<Generation> {};

TEST_P(RandomAlu, AgreesWithTheReferenceModel) {
  const Generation generation = GetParam();
  std::mt19937_64 random(0x5a10 + static_cast<u64>(generation));
  for (const OpcodeRow& row : opcode_rows()) {
    if (!row.exists_on(generation)) continue;
    const AluModel* const model = find_alu_model(generation, row.mnemonic);
    if (model == nullptr) continue;
    for (int i = 0; i < 250; ++i) {
      AluInputs in{random_operand(random), random_operand(random), random_operand(random), random() % 2 == 0,
                   random_operand(random)};
      if (i % 8 == 0) in.s1 = in.s0;
      if (i % 8 == 1) in.old = in.s1;
      const AluCase alu_case = make_case(generation, row, *model, in);
      const Placement placement = i % 2 == 0 ? plain_placement(alu_case) : random_placement(alu_case, random);
      const std::string problem = run_placement(alu_case, placement);
      ASSERT_EQ(problem, "") << std::hex << "s0 0x" << alu_case.in.s0 << " s1 0x" << alu_case.in.s1 << " old 0x"
                             << alu_case.in.old << " scc " << alu_case.in.scc << " exec 0x" << alu_case.in.exec;
    }
  }
}

TEST_P(RandomAlu, AgreesWithTheReferenceModelOnAllPairsOfEdges) {
  const Generation generation = GetParam();
  for (const OpcodeRow& row : opcode_rows()) {
    if (!row.exists_on(generation)) continue;
    const AluModel* const model = find_alu_model(generation, row.mnemonic);
    if (model == nullptr) continue;
    const bool one_source = row.format == "SOP1";
    for (const u64 first : edges) {
      for (const u64 second : edges) {
        const bool scc = (first ^ second) % 2 == 1;
        const AluInputs in{first, one_source ? 0 : second, row.format == "SOPK" ? first : second, scc, second};
        const AluCase alu_case = make_case(generation, row, *model, in);
        ASSERT_EQ(run_placement(alu_case, plain_placement(alu_case)), "")
            << std::hex << "0x" << first << ", 0x" << second << ", scc " << scc;
      }
    }
  }
}

// The rows without a model are those of tests/data/vectors/state.txt.
TEST(ReferenceModel, CoversEveryInstructionWithASimpleResult) {
  for (const OpcodeRow& row : opcode_rows()) {
    for (const Generation generation : all_generations()) {
      if (!row.exists_on(generation) || row.is_memory() || row.format == "SOPP") continue;
      const bool computes = row.mnemonic.find("pc_b64") == std::string::npos && !row.mnemonic.starts_with("s_rfe") &&
                            !row.mnemonic.starts_with("s_movrel") && !row.mnemonic.starts_with("s_cbranch") &&
                            !row.mnemonic.starts_with("s_set") && !row.mnemonic.starts_with("s_getreg") &&
                            row.mnemonic != "s_call_b64" && row.mnemonic != "s_mov_regrd_b32";
      EXPECT_EQ(find_alu_model(generation, row.mnemonic) != nullptr, computes) << row.mnemonic;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, RandomAlu, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
