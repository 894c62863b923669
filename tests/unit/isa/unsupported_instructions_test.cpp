#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "assembler/mnemonics.hpp"
#include "isa/vector/unsupported.hpp"
#include "unit/llvm_tools.hpp"

namespace salu::assembler {
namespace {

TEST(UnsupportedInstructions, NoneOfThemIsEncoded) {
  for (const Generation generation : all_generations()) {
    std::set<std::string_view> seen;
    for (const std::string_view name : isa::vector::unsupported_names(generation)) {
      EXPECT_TRUE(seen.insert(name).second) << name << " is listed twice for " << generation_name(generation);
      EXPECT_FALSE(find_vector_instruction(generation, name)) << name << " on " << generation_name(generation);
      EXPECT_TRUE(is_unsupported_instruction(generation, name)) << name;
    }
    EXPECT_GT(seen.size(), 50U) << generation_name(generation);
  }
}

TEST(UnsupportedInstructions, FormsAndOtherNames) {
  EXPECT_TRUE(is_unsupported_instruction(Generation::gcn1_4, "v_exp_legacy_f32"));
  EXPECT_TRUE(is_unsupported_instruction(Generation::gcn1_4, "V_EXP_LEGACY_F32_E32"));
  EXPECT_TRUE(is_unsupported_instruction(Generation::gcn1_4, "v_exp_legacy_f32_sdwa"));
  EXPECT_TRUE(is_unsupported_instruction(Generation::gcn1_4, "v_nop_dpp")) << "a form that salu does not have";
  EXPECT_FALSE(is_unsupported_instruction(Generation::gcn1_1, "v_nop_dpp")) << "DPP is new in GCN 1.2";
  EXPECT_FALSE(is_unsupported_instruction(Generation::gcn1_4, "v_mov_b32_e32"));
  EXPECT_FALSE(is_unsupported_instruction(Generation::gcn1_4, "v_adc_f64")) << "not an instruction of any generation";
  EXPECT_FALSE(is_unsupported_instruction(Generation::gcn1_4, "v_mfma_f32_16x16x4f32")) << "new in CDNA 1";
  EXPECT_TRUE(is_unsupported_instruction(Generation::cdna1, "v_mfma_f32_16x16x4f32"));
  EXPECT_FALSE(is_unsupported_instruction(Generation::gcn1_4, "s_add_u32"));
}

// Without operands, LLVM's assembler reports an error for every line: the error for a mnemonic of the processor differs
// from that for an unknown mnemonic.
TEST(UnsupportedInstructions, LlvmHasThem) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  struct Asked {
    Generation generation;
    std::vector<std::string> processors;
  };
  const test::LlvmTools tools;
  for (const Asked& each : {Asked{Generation::gcn1_0, {"tahiti"}},
                            {Generation::gcn1_1, {"bonaire"}},
                            {Generation::gcn1_2, {"fiji"}},
                            {Generation::gcn1_4, {"gfx900", "gfx906"}},
                            {Generation::cdna1, {"gfx908"}},
                            {Generation::cdna2, {"gfx90a"}},
                            {Generation::cdna3, {"gfx942"}}}) {
    std::set<std::string> left;
    std::string text;
    for (const std::string_view name : isa::vector::unsupported_names(each.generation)) {
      left.insert(std::string(name));
      text += fmt::format("{}\n", name);
    }
    for (const std::string& processor : each.processors) {
      (void)tools.folder().write("names.s", text);
      const std::string errors = tools.run(
          fmt::format("{{ {} -triple=amdgcn -mcpu={} names.s -o none.txt 2>&1; true; }}", SALU_LLVM_MC, processor));
      EXPECT_GT(std::ranges::count(errors, '^'), 50) << processor;
      for (auto name = left.begin(); name != left.end();) {
        // The line after an error is the statement. An instruction without operands has no error.
        const std::size_t found = errors.find("\n" + *name + "\n");
        const std::size_t start = found == std::string::npos ? found : errors.rfind("error: ", found);
        const std::string message = start == std::string::npos ? "" : errors.substr(start, found - start);
        const bool is_known = message.find("not supported on this GPU") == std::string::npos &&
                              message.find("invalid instruction") == std::string::npos;
        name = is_known ? left.erase(name) : std::next(name);
      }
    }
    for (const std::string& name : left) ADD_FAILURE() << name << " on " << generation_name(each.generation);
  }
}

}  // namespace
}  // namespace salu::assembler
