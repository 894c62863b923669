#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/differences.hpp"
#include "conformance/llvm.hpp"
#include "conformance/samples.hpp"
#include "isa/disassemble.hpp"

// Words to text and back against llvm-mc, for every generation that LLVM can disassemble: the same text, and the same
// words rejected, except for the differences that are listed by name.
namespace salu::conformance {
namespace {

class Disassembly : public testing::TestWithParam<Processor> {
 protected:
  /// Compares all inputs; fails on the first few disagreements that no difference explains.
  void compare(const std::vector<Words>& inputs) {
    const Generation generation = GetParam().generation();
    const auto llvm = llvm_disassemble(GetParam().name, inputs);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const isa::Instruction instruction = isa::decode(generation, inputs[i].span());
      std::string salu = isa::disassemble(generation, instruction);
      if (instruction.dwords != inputs[i].count || instruction.encoding != isa::EncodingClass::scalar)
        salu = "<invalid>";
      (llvm[i] ? accepted_ : rejected_) += 1;
      if (salu == llvm[i].value_or("<invalid>")) continue;
      const Disagreement disagreement{generation, inputs[i], instruction, llvm[i], salu};
      if (const Difference* difference = find_difference(disagreement)) {
        ++seen_[difference->name];
        continue;
      }
      ADD_FAILURE() << to_text(inputs[i]) << ": llvm-mc says " << llvm[i].value_or("<invalid>") << ", salu says "
                    << salu;
      if (++shown == 20) return;
    }
  }

  void compare(const std::vector<Sample>& samples) {
    std::vector<Words> inputs;
    for (const Sample& sample : samples) inputs.push_back(sample.words);
    compare(inputs);
  }

  /// Every difference of this processor in `expected` must have occurred: unused exceptions are stale.
  void expect_seen(const std::set<std::string_view>& expected) const {
    for (const Difference& difference : disassembly_differences()) {
      const bool wanted = difference.is_of(GetParam().generation()) && expected.contains(difference.name);
      EXPECT_EQ(seen_.contains(difference.name), wanted) << difference.name;
    }
  }

  void report(std::string_view what) const {
    std::ostringstream text;
    text << accepted_ << " valid and " << rejected_ << " invalid according to llvm-mc";
    RecordProperty(std::string(what), text.str());
  }

  std::size_t accepted_ = 0;
  std::size_t rejected_ = 0;
  std::map<std::string_view, std::size_t> seen_;
};

TEST_P(Disassembly, EveryOperandCode) {
  SALU_NEEDS_LLVM;
  compare(operand_samples(GetParam().generation()));
  report("encodings");
  EXPECT_GT(accepted_, 60'000U);
  EXPECT_GT(rejected_, 4'000U);
  expect_seen({"null-register", "odd-pair", "misaligned-run", "run-past-the-registers", "aperture-before-gfx9",
               "swappc-source", "rfe-restore-source", "g-fork-literal", "special-source-as-register", "mov-fed",
               "regrd", "valu-coexec-mode", "literal-of-an-inline-constant", "flat-scratch-base"});
}

TEST_P(Disassembly, Immediates) {
  SALU_NEEDS_LLVM;
  compare(immediate_samples(GetParam().generation(), GetParam().thorough));
  report("encodings");
  EXPECT_GT(accepted_, GetParam().thorough ? 250'000U : 1'400U);
  expect_seen({"regrd", "valu-coexec-mode"});
}

TEST_P(Disassembly, MemoryOffsetsAndModifiers) {
  SALU_NEEDS_LLVM;
  compare(memory_samples(GetParam().generation()));
  report("encodings");
  EXPECT_GT(accepted_, 2'000U);
  expect_seen({"null-register"});
}

/// Any first word of a scalar format, with any second word: most are invalid on some generation.
TEST_P(Disassembly, RandomWords) {
  SALU_NEEDS_LLVM;
  std::mt19937 random(20240607);
  std::vector<Words> inputs;
  const auto add = [&](u32 first) {
    const Words two{{first, static_cast<u32>(random())}, 2};
    const isa::Instruction instruction = isa::decode(GetParam().generation(), two.span());
    // An additional or missing word would only test the harness.
    inputs.push_back(instruction.dwords == 2 ? two : Words{{first, 0}, 1});
  };
  for (int i = 0; i < 8'000; ++i) {
    add(0b10U << 30 | static_cast<u32>(random()) >> 2);
    add(0b101111101U << 23 | static_cast<u32>(random()) >> 9);
    add(0b101111110U << 23 | static_cast<u32>(random()) >> 9);
    add(0b110000U << 26 | static_cast<u32>(random()) >> 6);
  }
  // Opcodes with their other fields at zero: covers every number of every format.
  for (u32 opcode = 0; opcode < 256; ++opcode) {
    for (const u32 first : {0b10U << 30 | (opcode & 127) << 23, 0b101111101U << 23 | opcode << 8,
                            0b101111110U << 23 | (opcode & 127) << 16, 0b1011U << 28 | (opcode & 31) << 23,
                            0b101111111U << 23 | (opcode & 127) << 16, 0b110000U << 26 | opcode << 18}) {
      add(first);
    }
  }
  compare(inputs);
  report("words");
  EXPECT_GT(accepted_, 2'000U);
  EXPECT_GT(rejected_, 12'000U);
  expect_seen({"null-register", "odd-pair", "misaligned-run", "run-past-the-registers", "aperture-before-gfx9",
               "swappc-source", "rfe-restore-source", "g-fork-literal", "special-source-as-register",
               "dropped-by-cdna3", "mov-fed", "regrd", "valu-coexec-mode", "unused-bits", "flat-scratch-base"});
}

INSTANTIATE_TEST_SUITE_P(Llvm, Disassembly,
                         testing::ValuesIn(known_processors({{"gfx803", true},
                                                             {"gfx810"},
                                                             {"gfx900", true},
                                                             {"gfx906"},
                                                             {"gfx908"},
                                                             {"gfx90a"},
                                                             {"gfx942", true},
                                                             {"gfx9-4-generic"},
                                                             {"gfx950"}})),
                         [](const auto& each) { return test_name(each.param.name); });

}  // namespace
}  // namespace salu::conformance
