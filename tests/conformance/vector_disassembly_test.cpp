#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/llvm.hpp"
#include "conformance/vector_differences.hpp"
#include "conformance/vector_samples.hpp"
#include "isa/vector/disassemble.hpp"
#include "repetitions.hpp"

// Words of vector instructions to text against llvm-mc, for every generation that LLVM can disassemble: the same text
// if LLVM's name is a row, and nothing if it is not, except for the differences that are listed by name.
// SALU_VECTOR_SAMPLES in the environment multiplies the number of samples.
namespace salu::conformance::vector {
namespace {

int times() {
  const char* const text = std::getenv("SALU_VECTOR_SAMPLES");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

class VectorDisassembly : public testing::TestWithParam<Processor> {
 protected:
  [[nodiscard]] Generation generation() const { return GetParam().generation(); }

  /// Compares all inputs; fails on the first few disagreements that no difference explains.
  void compare(const std::vector<Words>& inputs) {
    const auto llvm = llvm_disassemble(GetParam().name, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::optional<std::string> expected = llvm[i];
      const bool is_row = expected && is_row_name(name_of(*expected));
      (is_row ? rows_ : expected ? others_ : rejected_) += 1;
      if (!is_row) expected.reset();
      if (is_row) names_.insert(expected->substr(0, expected->find(' ')));
      const std::optional<std::string> salu = text_of(generation(), inputs[i]);
      if (salu == expected) continue;
      const Disagreement disagreement{GetParam().name, generation(), inputs[i], expected, salu};
      if (const Difference* difference = find_difference(disagreement)) {
        ++seen_[difference->name];
      } else {
        unexplained_.push_back(disagreement);
      }
    }
    explain_by_bits();
  }

  /// Words that only LLVM prints: each word without one of its bits in turn, to find the bits that LLVM ignores.
  void explain_by_bits() {
    std::vector<Words> variants;
    const auto without = [](Words words, u32 bit) {
      words.words[bit / 32] &= ~(1U << bit % 32);
      return words;
    };
    const auto for_each_bit = [](const Disagreement& each, auto visit) {
      // Excludes the bits of the format and those of a source that can mean SDWA: LLVM's printer fails for words that
      // were not meant for it.
      constexpr u32 sdwa_code = 249;
      const u32 first = each.words.words[0];
      const bool is_short = first >> 31 == 0;
      for (u32 bit = 0; bit < 32U * each.words.count; ++bit) {
        const bool is_format = bit >= 25 && bit < 32;
        const bool makes_sdwa = is_short && bit < 9 && ((first & ~(1U << bit)) & 0x1ff) == sdwa_code;
        if ((each.words.words[bit / 32] >> bit % 32 & 1) != 0 && !is_format && !makes_sdwa) visit(bit);
      }
    };
    for (const Disagreement& each : unexplained_) {
      for_each_bit(each, [&](u32 bit) { variants.push_back(without(each.words, bit)); });
    }
    const auto texts = llvm_disassemble(GetParam().name, variants);
    std::size_t index = 0;
    std::size_t shown = 0;
    for (const Disagreement& each : unexplained_) {
      Words cleaned = each.words;
      for_each_bit(each, [&](u32 bit) {
        if (each.llvm && texts[index] == each.llvm) cleaned = without(cleaned, bit);
        ++index;
      });
      if (each.llvm && !each.salu && text_of(generation(), cleaned) == each.llvm) {
        ++seen_[bits_that_llvm_ignores];
      } else if (++shown <= 20) {
        ADD_FAILURE() << to_text(each.words) << ": llvm-mc says " << each.llvm.value_or("no row") << ", salu says "
                      << each.salu.value_or("no row");
      }
    }
    unexplained_.clear();
  }

  /// Every expected difference of this processor must have occurred: unused exceptions are stale.
  void expect_seen(bool (*is_looked_for)(std::string_view)) const {
    for (const Difference& difference : all_differences()) {
      if (!is_looked_for(difference.name)) continue;
      EXPECT_EQ(seen_.contains(difference.name), is_of(difference, GetParam().name, generation())) << difference.name;
    }
  }

  void report(std::string_view what) const {
    std::ostringstream text;
    text << rows_ << " of rows, " << others_ << " of other instructions and " << rejected_
         << " invalid according to llvm-mc";
    RecordProperty(std::string(what), text.str());
  }

  std::size_t rows_ = 0;
  std::size_t others_ = 0;
  std::size_t rejected_ = 0;
  std::set<std::string> names_;
  std::map<std::string_view, std::size_t> seen_;
  std::vector<Disagreement> unexplained_;
};

/// Every form of every row, with the decoder's row and LLVM's text.
TEST_P(VectorDisassembly, EveryForm) {
  SALU_NEEDS_LLVM;
  const std::vector<EncodedForm> forms = all_forms(generation());
  std::vector<Words> inputs;
  for (const EncodedForm& form : forms) inputs.push_back(plain_words(generation(), form));
  const auto llvm = llvm_disassemble(GetParam().name, inputs);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const isa::vector::InstructionInfo& row = isa::vector::info(forms[i].insn);
    const auto instruction = isa::vector::decode(generation(), inputs[i].span());
    if (!instruction) {
      // The form does not exist, for LLVM either, or it is a difference.
      const Disagreement disagreement{GetParam().name, generation(), inputs[i], llvm[i], std::nullopt};
      EXPECT_TRUE(!llvm[i] || find_difference(disagreement) || forms[i].insn == isa::vector::Insn::v_nop)
          << to_text(inputs[i]) << " " << *llvm[i];
      EXPECT_TRUE(isa::vector::is_extended(forms[i].form)) << row.name(generation());
      continue;
    }
    EXPECT_EQ(instruction->insn, forms[i].insn) << row.name(generation());
    EXPECT_EQ(instruction->form, forms[i].form) << row.name(generation());
    if (!llvm[i]) {
      const Disagreement disagreement{GetParam().name, generation(), inputs[i], llvm[i],
                                      text_of(generation(), inputs[i])};
      EXPECT_TRUE(find_difference(disagreement)) << row.name(generation());
      continue;
    }
    EXPECT_EQ(name_of(*llvm[i]), row.name(generation())) << to_text(inputs[i]);
    ++compared;
  }
  RecordProperty("forms", static_cast<int>(compared));
  EXPECT_GT(compared, is_gfx9(generation()) ? 600U : 400U);
}

TEST_P(VectorDisassembly, EveryOpcode) {
  SALU_NEEDS_LLVM;
  compare(opcode_words(generation()));
  report("words");
  EXPECT_GT(rows_, 2'500U);
  EXPECT_GT(others_, 100U);
  expect_seen([](std::string_view name) { return name == "dropped-by-cdna3" || name == "fma-mix"; });
  // LLVM has named every row, so no row has the opcode of another instruction.
  for (const isa::vector::InstructionInfo& row : isa::vector::all_instructions()) {
    if (row.opcode(generation()) == isa::absent && row.vop3_opcode(generation()) == isa::absent) continue;
    const std::string name(row.name(generation()));
    const bool is_difference = GetParam().name == "gfx900" && starts_with_gfx906(name);
    const bool is_named = names_.contains(name) || names_.contains(name + "_e32") || names_.contains(name + "_e64");
    EXPECT_EQ(is_named, !is_difference) << name;
  }
}

TEST_P(VectorDisassembly, EveryField) {
  SALU_NEEDS_LLVM;
  const bool is_full = times() > 1;
  const bool is_thorough = GetParam().thorough || is_full;
  const Density density{is_full, is_thorough, is_thorough ? test::repetitions(5 * times()) : 1};
  compare(samples(generation(), density));
  report("encodings");
  EXPECT_GT(rows_, is_thorough ? 60'000U : 20'000U);
  EXPECT_GT(rejected_, 15'000U);
  // Only the samples of gfx900, or of gfx942, are dense enough for two of them; the fields are those of the rows that
  // the generation has.
  expect_seen([](std::string_view name) {
    return name != "dropped-by-cdna3" && name != "unused-bit-of-load-to-lds" && name != "sc1-of-float-atomics" &&
           name != "fma-mix";
  });
  EXPECT_TRUE(seen_.contains(bits_that_llvm_ignores));
}

/// Most words are invalid on some generation.
TEST_P(VectorDisassembly, RandomWords) {
  SALU_NEEDS_LLVM;
  compare(random_words(generation(), test::repetitions((GetParam().thorough ? 3'000 : 1'000) * times())));
  report("words");
  EXPECT_GT(rows_, static_cast<std::size_t>(test::repetitions(1'000)));
  EXPECT_GT(rejected_, static_cast<std::size_t>(test::repetitions(4'000)));
}

INSTANTIATE_TEST_SUITE_P(Llvm, VectorDisassembly,
                         testing::ValuesIn(known_processors({{"gfx803", true},
                                                             {"gfx900", true},
                                                             {"gfx906"},
                                                             {"gfx908"},
                                                             {"gfx90a", true},
                                                             {"gfx942", true},
                                                             {"gfx9-4-generic"},
                                                             {"gfx950"}})),
                         [](const auto& each) { return test_name(each.param.name); });

}  // namespace
}  // namespace salu::conformance::vector
