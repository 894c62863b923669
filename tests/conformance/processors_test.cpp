#include <gtest/gtest.h>

#include <salu/target.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <unistd.h>

#include "conformance/llvm.hpp"

// The target names against the processors that LLVM supports, and the e_flags of objects assembled for them.
namespace salu::conformance {
namespace {

/// Names that `llc -mcpu=help` lists.
std::set<std::string> llvm_processors() {
  const CommandOutput output = run_command({llvm().llc, "-mtriple=amdgcn", "-mcpu=help"}, "");
  std::set<std::string> names;
  std::istringstream stream(output.out + output.err);
  bool processors = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("Available CPUs")) processors = true;
    if (line.starts_with("Available features")) processors = false;
    std::istringstream words(line);
    std::string name;
    std::string dash;
    if (processors && words >> name >> dash && dash == "-") names.insert(name);
  }
  return names;
}

/// `e_flags` of an object for a processor, and LLVM's name for them.
struct Flags {
  u32 value = 0;
  std::string processor;
};

Flags flags_of(const std::string& processor) {
  const auto object = std::filesystem::temp_directory_path() / ("salu_flags_" + std::to_string(::getpid()) + ".o");
  run_command({llvm().mc, "-triple=amdgcn", "-mcpu=" + processor, "-filetype=obj", "-o", object.string()}, "");
  const CommandOutput output = run_command({llvm().readelf, "-h", object.string()}, "");
  std::filesystem::remove(object);
  Flags flags;
  const std::size_t at = output.out.find("Flags:");
  if (at == std::string::npos) return flags;
  std::istringstream line(output.out.substr(at + 6, output.out.find('\n', at) - at - 6));
  std::string number;
  line >> number >> flags.processor;
  flags.value = static_cast<u32>(std::stoul(number, nullptr, 16));
  if (!flags.processor.empty() && flags.processor.back() == ',') flags.processor.pop_back();
  return flags;
}

bool is_gfx6_to_gfx9(const std::string& processor) {
  const bool three =
      processor.size() == 6 && processor.starts_with("gfx") && processor[3] >= '6' && processor[3] <= '9';
  return three || processor == "gfx9-generic" || processor == "gfx9-4-generic";
}

TEST(Processors, AllOfLlvm) {
  SALU_NEEDS_LLVM;
  std::set<std::string> generation_names;
  for (const Generation generation : all_generations()) generation_names.emplace(generation_name(generation));

  std::set<std::string> expected;
  std::size_t others = 0;
  for (const std::string& name : llvm_processors()) {
    const Flags flags = flags_of(name);
    const Target* target = find_target(name);
    if (!is_gfx6_to_gfx9(flags.processor)) {
      ++others;
      EXPECT_EQ(target, nullptr) << name;
      EXPECT_EQ(find_target_by_elf_flags(flags.value), nullptr) << name;
      continue;
    }
    expected.insert(name);
    ASSERT_NE(target, nullptr) << name;
    EXPECT_EQ(target->processor, flags.processor) << name;
    EXPECT_EQ(u32{target->elf_machine}, flags.value & 0xff) << name;
    const Target* by_flags = find_target_by_elf_flags(flags.value);
    ASSERT_NE(by_flags, nullptr) << name;
    EXPECT_EQ(by_flags->name, flags.processor) << name;
    // EF_AMDGPU_FEATURE_XNACK_V3: set if the processor has XNACK and the target does not specify it.
    EXPECT_EQ(target->has_xnack, (flags.value & 0x100) != 0) << name;
    // The first digit is the major version of the GFX level.
    const int major = flags.processor[3] - '0';
    EXPECT_EQ(target->generation == Generation::gcn1_0, major == 6) << name;
    EXPECT_EQ(target->generation == Generation::gcn1_1, major == 7) << name;
    EXPECT_EQ(target->generation == Generation::gcn1_2, major == 8) << name;
    EXPECT_EQ(target->generation == Generation::cdna1, flags.processor == "gfx908") << name;
    EXPECT_EQ(target->generation == Generation::cdna2, flags.processor == "gfx90a") << name;
    EXPECT_EQ(target->generation == Generation::cdna3,
              flags.processor.starts_with("gfx94") || flags.processor == "gfx9-4-generic")
        << name;
    EXPECT_EQ(target->generation == Generation::cdna4, flags.processor == "gfx950") << name;
  }
  EXPECT_GE(expected.size(), 44U);
  EXPECT_GT(others, 10U);

  std::set<std::string> actual;
  for (const Target& target : targets()) {
    if (!generation_names.contains(std::string(target.name))) actual.emplace(target.name);
  }
  // LLVM 20 has new processors, and has dropped two.
  if (llvm().version < 20)
    expected.insert({"gfx950", "gfx9-4-generic"});
  else
    expected.insert({"gfx940", "gfx941"});
  EXPECT_EQ(actual, expected);
}

}  // namespace
}  // namespace salu::conformance
