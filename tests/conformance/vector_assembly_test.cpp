#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/assembled.hpp"
#include "conformance/llvm.hpp"
#include "conformance/vector_differences.hpp"
#include "conformance/vector_samples.hpp"
#include "isa/operand.hpp"
#include "isa/vector/disassemble.hpp"
#include "isa/vector/encode.hpp"
#include "repetitions.hpp"

// Vector instructions from text to words against llvm-mc: the decoder's text assembles to the original words, with
// llvm-mc and with salu, and both reject the same lines. For GCN 1.0 and 1.1, which LLVM can assemble but not
// disassemble, this also tests the decoder: LLVM's words for a later generation's text must decode to that text.
namespace salu::conformance::vector {
namespace {

using isa::vector::Instruction;

class VectorAssembly : public testing::TestWithParam<Generation> {};

/// Scalar registers and literals that are read; LLVM's assembler allows at most one of them.
std::size_t scalars_read(Generation generation, const Instruction& instruction) {
  const isa::vector::InstructionInfo& row = isa::vector::info(instruction.insn);
  // A pair is different from its first half.
  constexpr u32 pair = 1000;
  std::set<u32> codes;
  for (std::size_t i = 0; i < row.shape.source_count(); ++i) {
    const isa::vector::Source& source = instruction.sources[i];
    const isa::vector::OperandKind kind = row.shape.sources[i].kind;
    if (kind == isa::vector::OperandKind::constant) codes.insert(isa::literal_code);
    if (source.is_vgpr() || kind == isa::vector::OperandKind::constant) continue;
    if (isa::is_inline_constant(isa::operand_class(generation, static_cast<u8>(source.code)))) continue;
    const bool is_pair = row.shape.sources[i].bits == 64 && source.code != isa::literal_code;
    codes.insert(source.code + (is_pair ? pair : 0));
  }
  if (row.shape.reads_mask) codes.insert(pair + instruction.mask_source);
  constexpr u32 m0_code = 124;
  if (instruction.insn == isa::vector::Insn::v_movreld_b32) codes.insert(m0_code);
  return codes.size();
}

/// Floating-point inline constants: for a half they are printed as half-precision bits, which assemble to a literal if
/// the form allows one, and otherwise do not assemble. A literal with the bits of such a constant is printed as the
/// number, and assembles to the constant.
bool has_half_constant(Generation generation, const Instruction& instruction) {
  const isa::vector::InstructionInfo& row = isa::vector::info(instruction.insn);
  for (std::size_t i = 0; i < row.shape.source_count(); ++i) {
    const isa::vector::Source& source = instruction.sources[i];
    const bool is_constant = row.shape.sources[i].kind == isa::vector::OperandKind::constant;
    if (row.shape.sources[i].bits != 16 || source.is_vgpr()) continue;
    // Only the lower half of the constant of V_MADMK_F16 is a part of the text that LLVM accepts.
    if (is_constant && instruction.literal > 0xffff) return true;
    if (isa::operand_class(generation, static_cast<u8>(source.code)) == isa::OperandClass::floating) return true;
    if (source.code != isa::literal_code) continue;
    if (isa::inline_constant_code(generation, instruction.literal, 1)) return true;
    const auto half = static_cast<u16>(instruction.literal);
    if (row.is_half_float(row.shape.sources[i]) && isa::inline_half_code(generation, half)) return true;
  }
  return false;
}

/// LLVM rejects these operands on GCN 1.0 and 1.1 (docs/reference/llvm-differences.md, "Constants of v_cvt_f32_f16 in
/// VOP3").
bool is_old_half_constant(Generation generation, const std::string& text) {
  return generation_info(generation).gfx <= 7 && text.starts_with("v_cvt_f32_f16_e64 ") &&
         text.find(", v") == std::string::npos;
}

/// Several patterns have this text: a bit of a lane number that is set to 0 or 1 may be preserved first.
bool is_mask_of_swizzle(const std::string& text) { return text.find("swizzle(BITMASK_PERM,") != std::string::npos; }

/// A literal of a 64-bit float, which is its high half, has the text of an integer inline constant
/// (docs/reference/llvm-differences.md, "Small literals of 64-bit floats").
bool is_small_literal(const std::string& text) {
  if (name_of(text).find("f64") == std::string::npos) return false;
  return std::ranges::any_of(std::array{" 0x1", " 0x40"}, [&](const std::string& literal) {
    const std::size_t found = text.find(literal);
    if (found == std::string::npos) return false;
    const std::size_t end = found + literal.size();
    return end == text.size() || text[end] == ',';
  });
}

TEST_P(VectorAssembly, TextOfEveryEncoding) {
  SALU_NEEDS_LLVM;
  const Generation generation = GetParam();
  std::vector<Words> inputs;
  std::vector<std::string> lines;
  std::vector<Words> tried = samples(generation, {false, true, test::repetitions(10)});
  for (const Words& words : random_words(generation, test::repetitions(1'000))) tried.push_back(words);
  for (const Words& words : tried) {
    const auto instruction = isa::vector::decode(generation, words.span());
    if (!instruction) continue;
    ASSERT_EQ(instruction->dwords, words.count) << to_text(words);
    const Words encoded = isa::vector::encode(generation, *instruction);
    ASSERT_EQ(isa::vector::decode(generation, encoded.span()), instruction) << to_text(words);
    inputs.push_back(words);
    lines.push_back(isa::vector::disassemble(generation, *instruction));
  }
  for (const EncodedForm& form : all_forms(generation)) {
    const auto instruction = isa::vector::decode(generation, plain_words(generation, form).span());
    if (isa::vector::is_extended(form.form) && !instruction) continue;
    EXPECT_TRUE(instruction && instruction->insn == form.insn && instruction->form == form.form)
        << isa::vector::info(form.insn).name(generation);
  }
  // The main processor of GCN 1.4 does not have the instructions of gfx906.
  const std::string_view processor = generation == Generation::gcn1_4 ? "gfx906" : main_processor(generation);
  const auto llvm = llvm_assemble(processor, lines);
  std::size_t compared = 0;
  std::size_t shown = 0;
  std::size_t rejected = 0;
  std::size_t with_exec = 0;
  for (std::size_t i = 0; i < inputs.size() && shown < 20; ++i) {
    // docs/reference/llvm-differences.md, exec-as-base.
    if (since_22.has(conformance::llvm().version) && !llvm[i] && lines[i].starts_with("global_") &&
        lines[i].find(", exec") != std::string::npos) {
      ++with_exec;
      continue;
    }
    if (!llvm[i] && is_old_half_constant(generation, lines[i])) continue;
    // The main processor of GCN 1.2, gfx810, packs D16 data; salu has the layout of the others.
    if (!llvm[i] && generation == Generation::gcn1_2 && lines[i].find("_format_d16_") != std::string::npos) continue;
    // docs/reference/llvm-differences.md, scc-of-float-atomics and sc1-of-float-atomics.
    const bool drops_scc = generation == Generation::cdna2 && lines[i].ends_with(" scc");
    const bool drops_sc1 =
        since_22.has(conformance::llvm().version) && generation >= Generation::cdna3 && lines[i].ends_with(" sc1");
    if ((drops_scc || drops_sc1) && is_float_atomic(name_of(lines[i]))) continue;
    // docs/reference/llvm-differences.md, accumulators-of-float-sums.
    if (!llvm[i] && since_22.has(conformance::llvm().version) && generation >= Generation::cdna3 &&
        is_float_sum_in_accumulators(lines[i]))
      continue;
    const std::optional<Words> salu = assemble_line(generation, lines[i]);
    if (llvm[i] ? !same(salu, llvm[i]) : salu.has_value()) {
      ADD_FAILURE() << to_text(inputs[i]) << " " << lines[i] << ": llvm-mc makes " << show(llvm[i]) << ", salu makes "
                    << show(salu);
      ++shown;
    }
    if (llvm[i] && same(*llvm[i], inputs[i])) {
      ++compared;
      continue;
    }
    // Different words with the same text: a literal with the value of an inline constant, a bit that does not belong to
    // a field.
    if (llvm[i] && (text_of(generation, *llvm[i]) == lines[i] || is_small_literal(lines[i]))) continue;
    const auto instruction = isa::vector::decode(generation, inputs[i].span());
    if (has_half_constant(generation, *instruction) || (llvm[i] && is_mask_of_swizzle(lines[i]))) continue;
    if (!llvm[i] && scalars_read(generation, *instruction) > 1) {
      ++rejected;
      continue;
    }
    ADD_FAILURE() << to_text(inputs[i]) << " " << lines[i] << ": llvm-mc makes " << show(llvm[i]);
    ++shown;
  }
  RecordProperty("lines", static_cast<int>(compared));
  EXPECT_GT(compared, 40'000U);
  EXPECT_GT(rejected, 100U);
  EXPECT_EQ(with_exec != 0, since_22.has(conformance::llvm().version) && is_gfx9(generation));
}

/// Whether an instruction has two forms, and so a suffix, depends on the generation.
std::string without_suffix(const std::string& text) {
  return name_of(text) + text.substr(std::min(text.find(' '), text.size()));
}

/// Instructions that LLVM has on these generations, which the rows may lack.
TEST_P(VectorAssembly, TextOfLaterGenerations) {
  SALU_NEEDS_LLVM;
  if (GetParam() > Generation::gcn1_1) return;
  const Generation generation = GetParam();
  std::vector<std::string> lines;
  for (const Generation later : {Generation::gcn1_2, Generation::gcn1_4, Generation::cdna2, Generation::cdna3}) {
    for (const Words& words : samples(later, {false, false, 1})) {
      const auto instruction = isa::vector::decode(later, words.span());
      if (!instruction || isa::vector::is_extended(instruction->form)) continue;
      const isa::vector::InstructionInfo& row = isa::vector::info(instruction->insn);
      const std::string text = isa::vector::disassemble(later, *instruction);
      // 1/(2*PI) is not a constant yet.
      if (text.find("0.15915494") != std::string::npos) continue;
      lines.push_back(std::string(row.name(generation)) + text.substr(row.name(later).size()));
    }
  }
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  const auto llvm = llvm_assemble(main_processor(generation), lines);
  std::size_t accepted = 0;
  std::size_t of_gcn1_1 = 0;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < lines.size() && shown < 20; ++i) {
    if (!llvm[i]) continue;
    ++accepted;
    const std::optional<std::string> salu = text_of(generation, *llvm[i]);
    if (salu && without_suffix(*salu) == without_suffix(lines[i])) continue;
    if (is_mask_of_swizzle(lines[i]) || is_small_literal(lines[i])) continue;
    // LLVM drops the modifier (modifier-without-meaning).
    if (lines[i].starts_with("v_div_scale_") && lines[i].ends_with(" clamp")) continue;
    // LLVM has them from GCN 1.0 on (docs/reference/llvm-differences.md, "Rows of GCN 1.0").
    if (generation == Generation::gcn1_0 && name_of(lines[i]).ends_with("_dwordx3")) {
      ++of_gcn1_1;
      continue;
    }
    ADD_FAILURE() << lines[i] << ": llvm-mc makes " << to_text(*llvm[i]) << ", salu says " << salu.value_or("no row");
    ++shown;
  }
  RecordProperty("lines", static_cast<int>(accepted));
  EXPECT_GT(accepted, 5'000U);
  EXPECT_EQ(of_gcn1_1 != 0, generation == Generation::gcn1_0);
}

INSTANTIATE_TEST_SUITE_P(Llvm, VectorAssembly, testing::ValuesIn(selected(generations())),
                         [](const auto& each) { return test_name(generation_name(each.param)); });

}  // namespace
}  // namespace salu::conformance::vector
