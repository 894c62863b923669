#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/instruction.hpp"
#include "isa/vector/instruction.hpp"

/// Properties of rows that are found by calling their functions at compile time. The lists are from the instruction
/// descriptions of AMD's manuals.
namespace salu::isa {
namespace {

using testing::UnorderedElementsAre;
using vector::LaneWork;

template <class Predicate>
std::vector<std::string> scalar_with(const Predicate& has) {
  std::vector<std::string> names;
  for (const InstructionInfo& row : all_instructions()) {
    if (has(row)) names.emplace_back(row.mnemonic);
  }
  return names;
}

template <class Predicate>
std::vector<std::string> vector_with(const Predicate& has) {
  std::vector<std::string> names;
  for (const vector::InstructionInfo& row : vector::all_instructions()) {
    if (has(row)) names.emplace_back(row.names[2]);
  }
  return names;
}

std::vector<std::string> vector_with(LaneWork work) {
  return vector_with([work](const vector::InstructionInfo& row) { return row.work == work; });
}

TEST(InstructionTraits, ScalarCopies) {
  EXPECT_THAT(scalar_with([](const InstructionInfo& row) { return row.copies; }),
              UnorderedElementsAre("s_mov_b32", "s_mov_b64", "s_cmov_b32", "s_cmov_b64"));
}

TEST(InstructionTraits, MasksOfLanes) {
  const auto is_other = [](const InstructionInfo& row) {
    return row.combines_masks && !row.mnemonic.ends_with("exec_b64");
  };
  EXPECT_THAT(scalar_with(is_other),
              UnorderedElementsAre("s_mov_b64", "s_cmov_b64", "s_cselect_b64", "s_not_b64", "s_wqm_b64", "s_and_b64",
                                   "s_or_b64", "s_xor_b64", "s_andn2_b64", "s_orn2_b64", "s_nand_b64", "s_nor_b64",
                                   "s_xnor_b64"));
  for (const InstructionInfo& row : all_instructions()) {
    EXPECT_EQ(row.saves_exec, row.mnemonic.ends_with("_saveexec_b64")) << row.mnemonic;
    EXPECT_TRUE(row.combines_masks || !row.mnemonic.ends_with("exec_b64")) << row.mnemonic;
  }
}

TEST(InstructionTraits, ExecAfterASourceOfOnes) {
  const auto names = [](u8 exec) {
    return scalar_with([exec](const InstructionInfo& row) { return row.combines_masks && row.exec_by_ones == exec; });
  };
  EXPECT_THAT(names(0b01), UnorderedElementsAre("s_xor_saveexec_b64", "s_andn2_saveexec_b64", "s_nand_saveexec_b64",
                                                "s_andn2_wrexec_b64"));
  EXPECT_THAT(names(0b10), UnorderedElementsAre("s_and_saveexec_b64", "s_xnor_saveexec_b64", "s_orn1_saveexec_b64"));
  EXPECT_THAT(names(0b11), UnorderedElementsAre("s_or_saveexec_b64", "s_orn2_saveexec_b64"));
}

TEST(InstructionTraits, RelativeOperands) {
  const auto is_relative = [](const InstructionInfo& row, Field field) {
    const OperandSpec* const operand = row.shape.find(field);
    return operand != nullptr && operand->is_relative;
  };
  EXPECT_THAT(scalar_with([&](const InstructionInfo& row) { return is_relative(row, Field::ssrc0); }),
              UnorderedElementsAre("s_movrels_b32", "s_movrels_b64"));
  EXPECT_THAT(scalar_with([&](const InstructionInfo& row) { return is_relative(row, Field::sdst); }),
              UnorderedElementsAre("s_movreld_b32", "s_movreld_b64"));
}

TEST(InstructionTraits, WorkOnLanes) {
  EXPECT_THAT(vector_with(LaneWork::no_effect), UnorderedElementsAre("v_nop"));
  EXPECT_THAT(vector_with(LaneWork::read_lane), UnorderedElementsAre("v_readlane_b32"));
  EXPECT_THAT(vector_with(LaneWork::read_first_lane), UnorderedElementsAre("v_readfirstlane_b32"));
  EXPECT_THAT(vector_with(LaneWork::write_lane), UnorderedElementsAre("v_writelane_b32"));
  EXPECT_THAT(vector_with(LaneWork::swap), UnorderedElementsAre("v_swap_b32"));
  EXPECT_THAT(vector_with(LaneWork::exchange), UnorderedElementsAre("v_permlane16_swap_b32", "v_permlane32_swap_b32"));
  EXPECT_THAT(vector_with(LaneWork::relative),
              UnorderedElementsAre("v_movreld_b32", "v_movrels_b32", "v_movrelsd_b32"));
  EXPECT_THAT(vector_with([](const vector::InstructionInfo& row) { return row.moves_source; }),
              UnorderedElementsAre("v_movrels_b32", "v_movrelsd_b32"));
  EXPECT_THAT(vector_with([](const vector::InstructionInfo& row) { return row.moves_destination; }),
              UnorderedElementsAre("v_movreld_b32", "v_movrelsd_b32"));
  EXPECT_THAT(
      vector_with([](const vector::InstructionInfo& row) { return row.copies; }),
      UnorderedElementsAre("v_mov_b32", "v_mov_b64", "v_accvgpr_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32",
                           "v_swap_b32", "v_movreld_b32", "v_movrels_b32", "v_movrelsd_b32"));
  for (const vector::InstructionInfo& row : vector::all_instructions())
    EXPECT_EQ((row.modifiers & vector::modifier::exchange) != 0, row.work == LaneWork::exchange) << row.names[2];
}

TEST(InstructionTraits, MasksAndDestinationsOfVectorInstructions) {
  EXPECT_THAT(vector_with([](const vector::InstructionInfo& row) { return row.shape.accumulates; }),
              UnorderedElementsAre("v_mac_f16", "v_mac_f32", "v_mac_legacy_f32", "v_fmac_f32", "v_fmac_f64",
                                   "v_dot2c_i32_i16", "v_dot4c_i32_i8", "v_dot8c_i32_i4"));
  for (const vector::InstructionInfo& row : vector::all_instructions()) {
    const std::string_view name = row.names[2];
    const bool has_carry =
        name.find("_co_") != std::string_view::npos || name.starts_with("v_mad_u64") || name.starts_with("v_mad_i64");
    const bool takes_carry = name.find("c_co_") != std::string_view::npos || name.starts_with("v_subbrev_co");
    const bool scales = name.starts_with("v_div_scale");
    EXPECT_EQ(row.shape.writes_mask, has_carry || scales || name.starts_with("v_cmp")) << name;
    EXPECT_EQ(row.shape.writes_exec, name.starts_with("v_cmpx")) << name;
    const bool is_scaled = name.starts_with("v_div_fmas");
    EXPECT_EQ(row.shape.reads_mask, takes_carry || is_scaled || name == "v_subb_co_u32" || name == "v_cndmask_b32")
        << name;
    EXPECT_EQ(row.shape.names_source_mask(), row.shape.reads_mask && !is_scaled) << name;
  }
}

}  // namespace
}  // namespace salu::isa
