#include <gtest/gtest.h>

#include <salu/target.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "isa/target_id.hpp"

namespace salu {
namespace {

using Names = std::vector<std::string_view>;

TEST(Targets, ProcessorsAliasesAndGenerations) {
  const Target* tahiti = find_target("tahiti");
  ASSERT_NE(tahiti, nullptr);
  EXPECT_EQ(tahiti->processor, "gfx600");
  EXPECT_EQ(tahiti->generation, Generation::gcn1_0);
  EXPECT_EQ(tahiti->elf_machine, 0x20);
  EXPECT_FALSE(tahiti->has_xnack);

  const Target* carrizo = find_target("carrizo");
  ASSERT_NE(carrizo, nullptr);
  EXPECT_EQ(carrizo->processor, "gfx801");
  EXPECT_EQ(carrizo->generation, Generation::gcn1_2);
  EXPECT_TRUE(carrizo->has_xnack);

  const Target* vega = find_target("gcn1.4");
  ASSERT_NE(vega, nullptr);
  EXPECT_EQ(vega->processor, "gfx900");

  EXPECT_EQ(find_target("gfx1010"), nullptr);
  EXPECT_EQ(find_target(""), nullptr);
  EXPECT_EQ(find_target("GFX900"), nullptr) << "LLVM's names are lower case";
}

// LLVM AMDGPUUsage, target features of each processor.
TEST(Targets, TargetIds) {
  EXPECT_EQ(find_target("gfx90a:sramecc+:xnack-"), find_target("gfx90a"));
  EXPECT_EQ(target_features("gfx90a:sramecc+:xnack-"), "+sramecc,-xnack");
  EXPECT_EQ(target_features("gfx900:xnack+"), "+xnack");
  EXPECT_EQ(target_features("gfx900"), "");
  EXPECT_EQ(target_features("gfx1010"), std::nullopt);
  for (const std::string_view wrong :
       {"gfx900:sramecc+", "gfx803:xnack-", "gfx900:", "gfx900:xnack", "gfx900:xnack+:xnack-",
        "gfx900:xnack+:", "gfx900::xnack+", "gfx900:wave32+", "tahiti:xnack+"}) {
    EXPECT_EQ(find_target(wrong), nullptr) << wrong;
    EXPECT_EQ(target_features(wrong), std::nullopt) << wrong;
  }
}

// As llc-19, llc-22 and llc-23 write them for different triples.
TEST(Targets, TargetIdentifiers) {
  const auto parts = [](std::string_view text) {
    const auto id = isa::parse_target_id(text);
    if (!id) return Names{};
    return Names{id->triple, id->system, id->processor, id->features};
  };
  EXPECT_EQ(parts("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
            (Names{"amdgcn-amd-amdhsa", "amdhsa", "gfx90a", ":sramecc+:xnack-"}));
  EXPECT_EQ(parts("amdgcn-amd-amdhsa-unknown-gfx942"), (Names{"amdgcn-amd-amdhsa-unknown", "amdhsa", "gfx942", ""}));
  EXPECT_EQ(parts("amdgpu9.4-amd-amdhsa-unknown-gfx9-4-generic:xnack+"),
            (Names{"amdgpu9.4-amd-amdhsa-unknown", "amdhsa", "gfx9-4-generic", ":xnack+"}));
  EXPECT_EQ(parts("amdgcn-amd-amdhsa--gfx9-generic"), (Names{"amdgcn-amd-amdhsa", "amdhsa", "gfx9-generic", ""}));
  EXPECT_EQ(parts("amdgcn-unknown-amdpal-unknown-gfx600"),
            (Names{"amdgcn-unknown-amdpal-unknown", "amdpal", "gfx600", ""}));
  EXPECT_EQ(parts("amdgcn----gfx600"), (Names{"amdgcn--", "", "gfx600", ""}));
  for (const std::string_view wrong :
       {"", "gfx900", "amdgcn-amd-amdhsa", "amdgcn-amd-amdhsa-gfx900", "a-b-c-d-", "----"})
    EXPECT_EQ(parts(wrong), Names{}) << wrong;
}

TEST(Targets, EveryGenerationHasItsNameAndProcessor) {
  std::set<std::string_view> names;
  for (const Generation generation : all_generations()) {
    const Target* target = find_target(generation_name(generation));
    ASSERT_NE(target, nullptr) << generation_name(generation);
    EXPECT_EQ(target->generation, generation);
    const Target* processor = find_target(target->processor);
    ASSERT_NE(processor, nullptr);
    EXPECT_EQ(processor->generation, generation);
    EXPECT_EQ(processor->elf_machine, target->elf_machine);
    names.insert(generation_name(generation));
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"gcn1.0", "gcn1.1", "gcn1.2", "gcn1.4", "cdna1", "cdna2", "cdna3", "cdna4"}));
}

TEST(Targets, NamesAreDistinctAndAliasesFollowTheirProcessor) {
  std::set<std::string_view> names;
  std::string_view last_processor;
  for (const Target& target : targets()) {
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
    const bool is_generation = std::ranges::any_of(
        all_generations(), [&](Generation generation) { return generation_name(generation) == target.name; });
    if (target.name == target.processor) last_processor = target.processor;
    EXPECT_TRUE(is_generation || target.processor == last_processor) << target.name;
  }
}

TEST(Targets, ByElfFlags) {
  const Target* target = find_target_by_elf_flags(0x12c);  // gfx900 with XNACK
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->name, "gfx900");
  target = find_target_by_elf_flags(0x54c);  // gfx942 with XNACK and SRAMECC
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->name, "gfx942");
  target = find_target_by_elf_flags(0x54f);
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->name, "gfx950");
  EXPECT_EQ(target->generation, Generation::cdna4);
  target = find_target_by_elf_flags(0x100'055f);  // the version of a generic processor is in the highest byte
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->name, "gfx9-4-generic");
  EXPECT_EQ(target->generation, Generation::cdna3);
  EXPECT_TRUE(target->has_xnack);
  EXPECT_EQ(find_target_by_elf_flags(0), nullptr);
  EXPECT_EQ(find_target_by_elf_flags(0x33), nullptr) << "gfx1010";
}

TEST(Targets, NearNames) {
  EXPECT_EQ(nearest_target_names("tahitti"), Names{"tahiti"});
  EXPECT_EQ(nearest_target_names("Hawai"), Names{"hawaii"});
  EXPECT_EQ(nearest_target_names("gcn1.3"), (Names{"gcn1.0", "gcn1.1", "gcn1.2"}));
  EXPECT_EQ(nearest_target_names("gfx9o0"), (Names{"gfx900", "gfx940", "gfx950"}));
  EXPECT_EQ(nearest_target_names("gfx90", 2), (Names{"gfx900", "gfx902"}));
  EXPECT_EQ(nearest_target_names("bonarie"), Names{"bonaire"}) << "two letters swapped";
  EXPECT_TRUE(nearest_target_names("").empty());
  EXPECT_TRUE(nearest_target_names("pentium").empty());
  EXPECT_TRUE(nearest_target_names(std::string(1'000'000, 'x')).empty());
}

TEST(Targets, WidthsOfTheGenerations) {
  EXPECT_EQ(sgpr_limit(Generation::gcn1_1), 104U);
  EXPECT_EQ(sgpr_limit(Generation::gcn1_2), 102U);
  EXPECT_EQ(pc_mask(Generation::gcn1_2), 0xfffffffffcU);
  EXPECT_EQ(pc_mask(Generation::cdna3), 0xfffffffffffcU);
  EXPECT_EQ(pc_mask(Generation::cdna4), 0xfffffffffffcU);
}

}  // namespace
}  // namespace salu
