#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "conformance/llvm.hpp"
#include "isa/decode.hpp"

// The length of vector instructions, against LLVM's disassembler: random words that it can decode.
namespace salu::conformance {
namespace {

class VectorLength : public testing::TestWithParam<Processor> {};

TEST_P(VectorLength, RandomWords) {
  SALU_NEEDS_LLVM;
  std::mt19937 random(99);
  std::vector<Words> one;
  std::vector<Words> two;
  const auto add = [&](u32 first) {
    one.push_back({{first, 0}, 1});
    // Small fields make more words valid. LLVM's printer aborts on SDWA selectors that do not exist, so those are given
    // completely.
    u32 second = random() % 2 == 0 ? static_cast<u32>(random()) & 0x0f0f0f0fU : static_cast<u32>(random());
    constexpr u32 sdwa_code = 249;
    if ((first & 0x1ff) == sdwa_code) second = 0x06060600U | (second & 0xff);
    two.push_back({{first, second}, 2});
  };
  for (int i = 0; i < 8'000; ++i) {
    add(static_cast<u32>(random()) >> 1);
    add(0b11U << 30 | static_cast<u32>(random()) >> 2);
    add(0b110100U << 26 | (static_cast<u32>(random()) & 0x03ff00ffU));
  }
  // Few words of these formats are valid by chance.
  for (int i = 0; i < 500; ++i) {
    for (const u32 format : {0b110001U, 0b110101U, 0b110110U, 0b110111U, 0b111000U, 0b111010U, 0b111100U}) {
      add(format << 26 | (static_cast<u32>(random()) & 0x01ff0000));
    }
  }
  const auto as_one = llvm_disassemble(GetParam().name, one);
  const auto as_two = llvm_disassemble(GetParam().name, two);
  std::map<std::string, std::size_t> formats;
  std::size_t compared = 0;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < one.size() && shown < 20; ++i) {
    const isa::Instruction instruction = isa::decode(GetParam().generation(), two[i].span());
    constexpr u32 smem_prefix = 0b110000;
    if (instruction.encoding == isa::EncodingClass::scalar || one[i].words[0] >> 26 == smem_prefix) continue;
    // If both lengths are valid, the result is meaningless: LLVM then read beyond its input.
    if (as_one[i].has_value() == as_two[i].has_value()) continue;
    const u8 llvm = as_one[i] ? 1 : 2;
    ++compared;
    ++formats[std::string(isa::vector_format_name(instruction.vector))];
    if (instruction.encoding == isa::EncodingClass::vector && instruction.dwords == llvm) continue;
    ADD_FAILURE() << to_text(two[i]) << ": llvm-mc says " << int{llvm} << " dwords, "
                  << (as_one[i] ? *as_one[i] : *as_two[i]) << "; salu says "
                  << isa::vector_format_name(instruction.vector) << ", " << int{instruction.dwords};
    ++shown;
  }
  RecordProperty("compared", static_cast<int>(compared));
  EXPECT_GT(compared, 4'000U);
  for (const std::string format : {"VOP1", "VOP2", "VOPC", "VOP3", "DS", "FLAT", "MUBUF", "MTBUF"}) {
    EXPECT_GT(formats[format], 0U) << format;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Llvm, VectorLength,
    testing::ValuesIn(
        known_processors({{"gfx803"}, {"gfx900"}, {"gfx908"}, {"gfx90a"}, {"gfx942"}, {"gfx9-4-generic"}, {"gfx950"}})),
    [](const auto& each) { return test_name(each.param.name); });

}  // namespace
}  // namespace salu::conformance
