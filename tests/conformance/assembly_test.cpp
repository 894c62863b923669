#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/assembled.hpp"
#include "conformance/llvm.hpp"
#include "conformance/samples.hpp"
#include "isa/disassemble.hpp"
#include "isa/symbolic.hpp"

// Text to words against llvm-mc, for all generations: salu's text assembles to the same words with llvm-mc and with
// salu, and to the original words.
namespace salu::conformance {
namespace {

struct Item {
  Sample sample;
  std::string text;
  std::optional<Words> salu;
};

/// True for text that assembles to other words than the original ones, as LLVM's text does.
bool loses_bits(Generation generation, const Sample& sample) {
  const isa::Instruction& instruction = sample.instruction;
  if (instruction.memory.nv) return true;
  // A small dword offset fits without a literal.
  if (instruction.memory.has_literal && instruction.literal <= 255) return true;
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  const isa::OperandSpec* memory_data = shape.find(isa::Field::sdata);
  const bool shows_glc = memory_data != nullptr && memory_data->kind == isa::OperandKind::memory_data;
  if (instruction.memory.glc && !shows_glc) return true;
  const isa::OperandSpec* simm16 = shape.find(isa::Field::simm16);
  if (simm16 != nullptr && simm16->kind == isa::OperandKind::sendmsg) {
    const isa::Message message = isa::decode_message(instruction.simm16);
    return isa::is_named_message(generation, message) && isa::encode_message(message) != instruction.simm16;
  }
  if (simm16 != nullptr && simm16->kind == isa::OperandKind::waitcnt) {
    const isa::WaitCounters counters = isa::decode_waitcnt(generation, instruction.simm16);
    return isa::encode_waitcnt(generation, counters) != instruction.simm16;
  }
  // A literal with the value of an inline constant is printed as that constant.
  const bool has_source = shape.find(isa::Field::ssrc0) != nullptr && instruction.has_literal;
  return has_source && isa::disassemble(generation, instruction).find("0x") == std::string::npos;
}

/// Text that salu prints like LLVM and that LLVM does not assemble, or not to the same words.
std::string_view not_assembled_by_llvm(Generation generation, const Sample& sample) {
  const isa::Instruction& instruction = sample.instruction;
  const std::string_view mnemonic = isa::info(instruction.insn).mnemonic;
  if (mnemonic == "s_mov_fed_b32") return "mov-fed";
  if (mnemonic.find("regrd") != std::string_view::npos) return "regrd";
  if (mnemonic == "s_set_valu_coexec_mode") return "valu-coexec-mode";
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  const isa::OperandSpec* base = shape.find(isa::Field::sbase);
  if (base != nullptr && base->dwords == 4 && instruction.memory.offset < 0) return "negative-buffer-offset";
  for (const isa::OperandSpec& operand : shape.span()) {
    if (operand.kind != isa::OperandKind::gpr_idx) continue;
    if ((operand.field == isa::Field::ssrc1 ? instruction.ssrc1 : instruction.simm16) > 15) return "gpr-idx-bits";
  }
  // LLVM prints these literals as floats and then assembles the low half of a double.
  const bool is_setreg = shape.find(isa::Field::literal) != nullptr;
  if (is_setreg && isa::disassemble(generation, instruction).find('.') != std::string::npos) return "setreg-float";
  return {};
}

class Assembly : public testing::TestWithParam<Generation> {};

TEST_P(Assembly, TextOfEveryEncoding) {
  SALU_NEEDS_LLVM;
  const Generation generation = GetParam();
  std::vector<Sample> samples = operand_samples(generation);
  for (const auto& more : {immediate_samples(generation, false), memory_samples(generation)}) {
    samples.insert(samples.end(), more.begin(), more.end());
  }
  std::vector<Item> items;
  std::vector<std::string> lines;
  for (const Sample& sample : samples) {
    const isa::Instruction decoded = isa::decode(generation, sample.words.span());
    ASSERT_EQ(decoded.dwords, sample.words.count) << to_text(sample.words);
    ASSERT_TRUE(same(isa::encode(generation, decoded), sample.words)) << to_text(sample.words);
    ASSERT_EQ(decoded, isa::decode(generation, isa::encode(generation, decoded).span())) << to_text(sample.words);
    if (isa::find_operand_fault(generation, decoded)) continue;
    Sample valid{decoded, sample.words};
    lines.push_back(isa::disassemble(generation, decoded));
    items.push_back({valid, lines.back(), assemble_line(generation, lines.back())});
  }
  EXPECT_GT(items.size(), is_gfx9(generation) ? 60'000U : 50'000U);

  const auto llvm = llvm_assemble(main_processor(generation), lines);
  std::map<std::string_view, std::size_t> unassembled;
  std::size_t compared = 0;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < items.size() && shown < 20; ++i) {
    const Item& item = items[i];
    const std::string_view reason = not_assembled_by_llvm(generation, item.sample);
    if (!reason.empty()) {
      ++unassembled[reason];
      EXPECT_FALSE(same(llvm[i], item.sample.words)) << item.text << ": " << reason << " is no reason";
    } else if (!same(item.salu, llvm[i])) {
      ADD_FAILURE() << item.text << ": llvm-mc makes " << show(llvm[i]) << ", salu makes " << show(item.salu);
      ++shown;
    }
    compared += reason.empty() ? 1 : 0;
    // Buffers with a negative offset are the only case that salu prints and, like LLVM, does not assemble.
    if (loses_bits(generation, item.sample) || reason == "negative-buffer-offset") continue;
    if (!same(item.salu, item.sample.words)) {
      ADD_FAILURE() << item.text << " came from " << to_text(item.sample.words) << ", salu makes " << show(item.salu);
      ++shown;
    }
  }
  RecordProperty("compared", static_cast<int>(compared));
  EXPECT_GT(compared, is_gfx9(generation) ? 60'000U : 50'000U);

  std::set<std::string_view> expected = {"mov-fed", "regrd", "setreg-float"};
  if (is_gcn1_2_or_later(generation)) expected.insert("gpr-idx-bits");
  if (is_gfx9(generation)) expected.insert("negative-buffer-offset");
  if (generation >= Generation::cdna3) expected.insert("valu-coexec-mode");
  std::set<std::string_view> seen;
  for (const auto& [reason, count] : unassembled) seen.insert(reason);
  EXPECT_EQ(seen, expected);
}

/// Instructions that LLVM assembles for a generation that does not have them.
TEST_P(Assembly, RowsThatOnlyLlvmHas) {
  SALU_NEEDS_LLVM;
  std::map<Generation, std::vector<std::string>> extra = {
      {Generation::gcn1_0,
       {"s_setkill 1", "s_cbranch_cdbgsys 1", "s_cbranch_cdbguser 1", "s_cbranch_cdbgsys_or_user 1",
        "s_cbranch_cdbgsys_and_user 1"}},
      {Generation::cdna3,
       {"s_rfe_restore_b64 s[4:5], s2", "s_atc_probe 1, s[4:5], 0x4", "s_atc_probe_buffer 1, s[4:7], 0x4",
        "s_endpgm_ordered_ps_done"}}};
  for (const Generation each : all_generations()) {
    if (each > Generation::cdna3) extra[each] = extra[Generation::cdna3];
  }
  // Every mnemonic of every generation with its operands: only the ones above are accepted by LLVM alone.
  std::set<std::string> lines;
  for (const Generation other : all_generations()) {
    for (const isa::Insn insn : instructions_of(other)) {
      const std::string line = isa::disassemble(other, plain_instruction(other, insn));
      if (!assemble_line(GetParam(), line)) lines.insert(line);
    }
  }
  for (const auto& [generation, own] : extra) lines.insert(own.begin(), own.end());
  const std::vector<std::string> all(lines.begin(), lines.end());
  const auto llvm = llvm_assemble(main_processor(GetParam()), all);
  std::set<std::string> mnemonics;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (llvm[i] && !assemble_line(GetParam(), all[i])) mnemonics.insert(all[i].substr(0, all[i].find(' ')));
  }
  std::set<std::string> expected;
  if (const auto found = extra.find(GetParam()); found != extra.end()) {
    for (const std::string& line : found->second) expected.insert(line.substr(0, line.find(' ')));
  }
  EXPECT_EQ(mnemonics, expected);
}

INSTANTIATE_TEST_SUITE_P(Llvm, Assembly, testing::ValuesIn(selected(generations())),
                         [](const auto& each) { return test_name(generation_name(each.param)); });

}  // namespace
}  // namespace salu::conformance
