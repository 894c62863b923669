#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "kernel_objects.hpp"
#include "loader/launch/bare_kernel.hpp"
#include "loader/objects/kernel_metadata.hpp"
#include "loader/objects/metadata_yaml.hpp"
#include "loader/rejection.hpp"
#include "repetitions.hpp"

namespace salu::loader {
namespace {

using nlohmann::json;
using test::kernel_metadata;
using test::metadata_bytes;
using testing::ElementsAre;
using testing::HasSubstr;

std::string failure(const std::string& bytes) {
  try {
    (void)parse_kernel_metadata({{"AMDGPU", 32, std::string(bytes)}}, "test.o");
  } catch (Rejection& rejection) {
    const Error error = std::move(rejection).take();
    EXPECT_EQ(error.code, ErrorCode::elf);
    EXPECT_EQ(error.where.file, "test.o");
    return error.message;
  }
  return "none";
}

json argument(u64 offset, u64 size, const std::string& kind) {
  return {{".offset", offset}, {".size", size}, {".value_kind", kind}};
}

TEST(KernelMetadata, ReadsEveryField) {
  json first = argument(0, 4, "by_value");
  first[".name"] = "n";
  first[".type_name"] = "int";
  json second = argument(8, 4, "dynamic_shared_pointer");
  second[".pointee_align"] = 16;
  json kernel = kernel_metadata(json::array({first, second, argument(16, 4, "hidden_block_count_x")}), 24);
  kernel[".kernarg_segment_align"] = 32;
  kernel[".group_segment_fixed_size"] = 100;
  kernel[".private_segment_fixed_size"] = 12;
  kernel[".reqd_workgroup_size"] = json::array({8, 4, 2});
  kernel[".uniform_work_group_size"] = 1;
  kernel[".max_flat_workgroup_size"] = 64;
  json other = kernel_metadata();
  other[".name"] = "other";
  const auto kernels = parse_kernel_metadata({{"AMDGPU", 32, metadata_bytes({kernel, other})}}, "test.o");
  ASSERT_EQ(kernels.size(), 2U);
  const KernelMetadata& read = kernels[0];
  EXPECT_EQ(read.name, "k");
  EXPECT_EQ(read.descriptor_symbol, "k.kd");
  EXPECT_EQ(read.kernarg_size_bytes, 24U);
  EXPECT_EQ(read.kernarg_alignment, 32U);
  EXPECT_EQ(read.group_segment_bytes, 100U);
  EXPECT_EQ(read.private_segment_bytes, 12U);
  EXPECT_EQ(read.max_workgroup_size, 64U);
  EXPECT_THAT(read.required_workgroup_size, ElementsAre(8, 4, 2));
  EXPECT_TRUE(read.uniform_workgroups);
  ASSERT_EQ(read.arguments.size(), 3U);
  EXPECT_EQ(read.arguments[0].name, "n");
  EXPECT_EQ(read.arguments[0].type_name, "int");
  EXPECT_EQ(read.arguments[0].size_bytes, 4U);
  EXPECT_FALSE(read.arguments[0].is_hidden());
  EXPECT_EQ(read.arguments[1].offset, 8U);
  EXPECT_EQ(read.arguments[1].value_kind, "dynamic_shared_pointer");
  EXPECT_EQ(read.arguments[1].pointee_align, 16U);
  EXPECT_TRUE(read.arguments[2].is_hidden());
  EXPECT_EQ(kernels[1].name, "other");
}

TEST(KernelMetadata, MissingKeys) {
  json kernel = kernel_metadata();
  kernel.erase(".args");
  kernel.erase(".max_flat_workgroup_size");
  const auto kernels = parse_kernel_metadata({{"AMDGPU", 32, metadata_bytes({kernel})}}, "test.o");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_TRUE(kernels[0].arguments.empty());
  EXPECT_EQ(kernels[0].max_workgroup_size, 1024U);
  EXPECT_THAT(kernels[0].required_workgroup_size, ElementsAre(0, 0, 0));
  EXPECT_FALSE(kernels[0].uniform_workgroups);
  EXPECT_TRUE(parse_kernel_metadata({{"AMDGPU", 32, "\x80"}}, "test.o").empty());  // an empty map
}

TEST(KernelMetadata, Contradictions) {
  const auto changed = [](const char* key, const json& value) {
    json kernel = kernel_metadata(json::array({argument(0, 4, "by_value")}));
    kernel[key] = value;
    return failure(metadata_bytes({kernel}));
  };
  EXPECT_THAT(changed(".name", 5), HasSubstr("`.name` of a kernel is missing or not a string"));
  EXPECT_THAT(changed(".symbol", nullptr), HasSubstr("`.symbol` of the kernel `k` is missing or not a string"));
  EXPECT_THAT(changed(".kernarg_segment_size", -1), HasSubstr("is missing or not an unsigned integer"));
  EXPECT_THAT(changed(".kernarg_segment_size", u64{1} << 40),
              HasSubstr("`.kernarg_segment_size` of the kernel `k` is"));
  EXPECT_THAT(changed(".kernarg_segment_size", 3), HasSubstr("extends beyond the kernarg segment of 3 bytes"));
  EXPECT_THAT(changed(".kernarg_segment_align", 12), HasSubstr("not a power of two"));
  EXPECT_THAT(changed(".wavefront_size", 32), HasSubstr("not for wavefronts of 64"));
  EXPECT_THAT(changed(".reqd_workgroup_size", json::array({1, 2})), HasSubstr("not a list of three sizes"));
  EXPECT_THAT(changed(".reqd_workgroup_size", json::array({1, 0, 2})), HasSubstr("contains a zero"));
  EXPECT_THAT(changed(".args", "none"), HasSubstr("`.args` of the kernel `k` is not a list"));
  EXPECT_THAT(changed(".args", json::array({7})), HasSubstr("argument 0 of the kernel `k` is not a map"));
  EXPECT_THAT(changed(".args", json::array({{{".offset", 0}, {".size", 4}}})),
              HasSubstr("`.value_kind` of argument 0"));
  EXPECT_THAT(changed(".args", json::array({argument(~u64{0}, 4, "by_value")})), HasSubstr("`.offset` of argument 0"));
}

TEST(KernelMetadata, EveryPrefixIsAnError) {
  const std::string whole = metadata_bytes({kernel_metadata(json::array({argument(0, 4, "by_value")}))});
  ASSERT_EQ(failure(whole), "none");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(failure(whole.substr(0, size)), HasSubstr("truncated")) << size;
}

TEST(KernelMetadata, DamageIsAnErrorOrHarmless) {
  const std::string whole =
      metadata_bytes({kernel_metadata(json::array({argument(0, 4, "by_value"), argument(8, 8, "hidden_none")}))});
  std::mt19937 random(7);
  int errors = 0;
  for (int i = 0; i < test::repetitions(20000); ++i) {
    std::string bytes = whole;
    for (auto k = random() % 4; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    errors += failure(bytes) != "none" ? 1 : 0;
  }
  EXPECT_GT(errors, test::repetitions(1000));
}

TEST(KernelMetadata, NestingAndSizeAreBounded) {
  const auto beyond = HasSubstr("it has more than 1000000 values, or more than 32 levels");
  EXPECT_THAT(failure(std::string(10'000'000, '\x91')), beyond);
  EXPECT_THAT(failure("\x81\xa1k" + std::string("\xdd\xff\xff\xff\xff", 5) + std::string(3'000'000, '\0')), beyond);
}

// An alias counts with the size of its target: a million elements and more here, and 40 nested lists.
TEST(KernelMetadata, NestingAndSizeOfTextAreBounded) {
  std::string text = "a0: &a0 [x]\n";
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string begin = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    chain += begin + "]\n";
    if (i > 6) continue;
    text += begin;
    for (int k = 1; k < 10; ++k) text.append(", ").append(before);
    text += "]\n";
  }
  for (const std::string& yaml : {text, chain}) {
    const auto read = parse_metadata_yaml(yaml, "k.s");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().message, "it has more than 1000000 values, or more than 32 levels");
  }
  EXPECT_TRUE(parse_metadata_yaml(chain.substr(0, chain.find("a30:")), "k.s").has_value());
}

// Only pointers can have a buffer as their argument.
TEST(KernelMetadata, PlaceholdersOfArguments) {
  const auto placeholder = [](const std::string& kind, u64 size_bytes) {
    KernelArgument each;
    each.name = "x";
    each.value_kind = kind;
    each.size_bytes = size_bytes;
    const std::string line = argument_for_yaml(each);
    EXPECT_TRUE(line.starts_with("    x: "));
    return line.substr(std::min<std::size_t>(line.size(), 7));
  };
  for (const char* const kind : {"global_buffer", "image", "sampler", "pipe", "queue"})
    EXPECT_EQ(placeholder(kind, 8), "{buffer: 4096}");
  EXPECT_EQ(placeholder("dynamic_shared_pointer", 4), "{buffer: 1024}");
  for (const char* const kind : {"by_value", "of_the_future"}) {
    EXPECT_EQ(placeholder(kind, 8), "0x0");
    EXPECT_EQ(placeholder(kind, 9), "{bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0]}");
  }
  // YAML requires a mark before keys of more than 1,024 characters.
  KernelArgument named;
  named.value_kind = "by_value";
  named.size_bytes = 4;
  named.name = std::string(1024, 'x');
  EXPECT_EQ(argument_for_yaml(named), "    " + named.name + ": 0x0");
  named.name += 'x';
  EXPECT_EQ(argument_for_yaml(named), "    ? " + named.name + "\n    : 0x0");
}

// A linker keeps a note for each of its objects.
TEST(KernelMetadata, AllNotesAreRead) {
  nlohmann::json other = kernel_metadata();
  other[".name"] = "other";
  const std::vector<ElfNote> notes = {{"AMDGPU", 32, metadata_bytes({kernel_metadata()})},
                                      {"GNU", 32, "x"},
                                      {"AMDGPU", 32, metadata_bytes({other, kernel_metadata()})}};
  const auto kernels = parse_kernel_metadata(notes, "test.o");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].name, "k");
  EXPECT_EQ(kernels[1].name, "other");
}

TEST(KernelMetadata, FindsItsNote) {
  const std::vector<ElfNote> notes = {{"GNU", 32, "a"}, {"AMDGPU", 33, "b"}, {"AMDGPU", 32, "c"}};
  ASSERT_NE(find_metadata_note(notes), nullptr);
  EXPECT_EQ(find_metadata_note(notes)->bytes, "c");
  EXPECT_EQ(find_metadata_note({{"AMD", 32, "a"}}), nullptr);
}

}  // namespace
}  // namespace salu::loader
