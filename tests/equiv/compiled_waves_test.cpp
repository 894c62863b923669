#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "programs.hpp"
#include "unit/llvm_tools.hpp"

// Kernels of tests/kernels, whose waves meet at barriers or use atomics, compiled at several levels and with both
// instruction selectors.
namespace salu::equiv_test {
namespace {

using test::LlvmTools;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

struct Build {
  const char* level;
  bool is_global_isel;
};

constexpr Build sdag_O0{"-O0", false};
constexpr Build sdag_O3{"-O3", false};
constexpr Build gisel_O0{"-O0", true};
constexpr Build gisel_O3{"-O3", true};

class CompiledWaves : public testing::Test {
 protected:
  void SetUp() override { SALU_NEEDS(SALU_CLANG, "clang-19"); }

  /// Returns the source of one kernel of a file.
  static std::string source_of(const std::string& file, const std::string& kernel) {
    std::ifstream stream(std::string(SALU_SOURCE_DIR) + "/tests/kernels/" + file);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const std::size_t start = text.find("GROUP_KERNEL(" + kernel + ",");
    EXPECT_NE(start, std::string::npos) << kernel;
    const std::size_t end = text.find("\n}\n", start);
    return text.substr(0, text.find("GROUP_KERNEL(")) + text.substr(start, end + 3 - start);
  }

  static std::string mutated(std::string text_of_kernel, const std::string& old, const std::string& with) {
    const std::size_t at = text_of_kernel.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text_of_kernel : text_of_kernel.replace(at, old.size(), with);
  }

  /// Compiles OpenCL C and returns the object's path.
  [[nodiscard]] std::string compile(const std::string& text_of_kernel, const Build& build,
                                    const std::string& processor = "gfx900") {
    const std::string name = "part" + std::to_string(count_++);
    (void)llvm_.folder().write(name + ".cl", text_of_kernel);
    const std::string selector =
        build.is_global_isel ? " -mllvm -global-isel -mllvm -global-isel-abort=2" : std::string();
    (void)llvm_.run(std::string(SALU_CLANG) +
                    " -x cl -cl-std=CL1.2 -cl-kernel-arg-info --target=amdgcn-amd-amdhsa -nogpulib -w "
                    "-fno-discard-value-names -mcode-object-version=4 -I '" SALU_SOURCE_DIR "/tests/kernels' -mcpu=" +
                    processor + " " + build.level + selector + " -c " + name + ".cl -o " + name + ".o");
    return llvm_.folder().path(name + ".o");
  }

  /// A launch of all waves, with buffers of the sizes in tests/kernels.
  struct Launch {
    std::string kernel;
    std::string workgroup_size;
    std::string grid_size;
  };
  static Scenario launch(const std::string& object, const Launch& launch) {
    const std::string text =
        "code: {file: '" + object + "'}\nkernel: {name: " + launch.kernel +
        ", args: {out: {buffer: 16384}, in: {buffer: 16384}, n: 7}, workgroup_size: " + launch.workgroup_size +
        ", grid_size: " + launch.grid_size + ", waves: all}\n";
    return test::load_good(text);
  }

  static EquivalenceOptions options_of(const std::string& inputs, u64 states) {
    EquivalenceOptions options;
    options.inputs = {"args.n", inputs};
    options.states = states;
    return options;
  }

  static ProgramPair load_objects(const std::string& a, const std::string& b, const std::string& kernel) {
    LoadOptions load;
    load.symbol = kernel;
    Result<ProgramPair> pair = load_pair(a, b, load, load);
    EXPECT_TRUE(pair.has_value()) << (pair ? "" : pair.error().to_string());
    return pair ? *std::move(pair) : ProgramPair{};
  }

  LlvmTools llvm_;
  int count_ = 0;
};

TEST_F(CompiledWaves, LevelsAndSelectorsAgree) {
  const std::vector<std::pair<std::string, Launch>> kernels = {
      {"groups_reductions.cl", {"tree_reduction", "256", "700"}},
      {"groups_reductions.cl", {"reduction_with_early_exit", "256", "768"}},
      {"groups_reductions.cl", {"sums_of_64_bits", "128", "450"}},
      {"atomics_shared.cl", {"shared_histogram", "512", "1024"}},
      {"atomics_global.cl", {"last_group", "128", "700"}},
  };
  for (const auto& [file, how] : kernels) {
    const std::string text_of_kernel = source_of(file, how.kernel);
    const Scenario a = launch(compile(text_of_kernel, sdag_O0), how);
    for (const Build& build : {sdag_O3, gisel_O3, gisel_O0}) {
      const EquivalenceReport report =
          compare(a, launch(compile(text_of_kernel, build), how), options_of("*args.in:1024", 20));
      EXPECT_EQ(report.verdict, Verdict::equal) << how.kernel << " " << build.level << equivalence_text(report);
      EXPECT_EQ(report.compared, 20U) << how.kernel;
      EXPECT_GT(report.programs[0].waves, 4U) << how.kernel;
      EXPECT_THAT(report.outputs, Contains("all memory that either program wrote")) << how.kernel;
    }
  }
}

TEST_F(CompiledWaves, ProcessorsAgree) {
  const std::string text_of_kernel = source_of("groups_reductions.cl", "tree_reduction");
  const Launch tree{"tree_reduction", "256", "700"};
  const Scenario a = launch(compile(text_of_kernel, sdag_O0, "gfx803"), tree);
  for (const std::string processor : {"gfx700", "gfx90a", "gfx942"}) {
    const Scenario b = launch(compile(text_of_kernel, sdag_O3, processor), tree);
    EXPECT_EQ(compare(a, b, options_of("*args.in:1024", 20)).verdict, Verdict::equal) << processor;
  }
}

// Objects without a scenario: a work-group of the size for which they were compiled.
TEST_F(CompiledWaves, KernelsWithBarriersAreStartedAsAWorkGroup) {
  const std::string text_of_kernel = source_of("groups_reductions.cl", "tree_reduction");
  const std::string slow = compile(text_of_kernel, sdag_O0);
  const ProgramPair pair = load_objects(slow, compile(text_of_kernel, sdag_O3), "tree_reduction");
  ASSERT_EQ(pair.a.remarks.size(), 1U);
  EXPECT_THAT(pair.a.remarks[0].message, HasSubstr("starting a work-group of 4 waves"));
  EXPECT_THAT(pair.kernel_scenario, HasSubstr("  workgroup_size: [256, 1, 1]\n  waves: all\n"));
  EquivalenceOptions options;
  options.states = 50;
  options.vary_buffers = true;
  const EquivalenceReport report = compare(pair.a, pair.b, options);
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_EQ(report.programs[1].waves, 4U);
  EXPECT_THAT(report.varied, Contains("*args.in (1024 bytes)"));
  // One side is enough: the other kernel has lost all of its barriers.
  std::string without = text_of_kernel;
  for (std::size_t at = 0; (at = without.find("group_barrier();")) != std::string::npos;) without.replace(at, 16, ";");
  const ProgramPair other = load_objects(slow, compile(without, sdag_O3), "tree_reduction");
  EXPECT_EQ(compare(other.a, other.b, options).verdict, Verdict::different);
  // Proofs start one wave.
  LoadOptions load;
  load.symbol = "tree_reduction";
  const Result<ProgramPair> one = load_pair(slow, slow, load, load, {}, {}, KernelLaunch::one_wave);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->a.waves, nullptr);
}

TEST_F(CompiledWaves, WorkGroupsOfDifferentSizesAreRefused) {
  const std::string of_128 = "__attribute__((reqd_work_group_size(128, 1, 1))) ";
  const std::string kernel =
      "__kernel void k(__global uint* out) {\n  __local uint x[256];\n  uint i = __builtin_amdgcn_workitem_id_x();\n"
      "  x[i] = i;\n  __builtin_amdgcn_s_barrier();\n  out[i] = x[i ^ 64];\n}\n";
  const std::string of_256 = "__attribute__((reqd_work_group_size(256, 1, 1))) ";
  const Result<ProgramPair> pair = load_pair(compile(of_128 + kernel, sdag_O3), compile(of_256 + kernel, sdag_O3));
  ASSERT_FALSE(pair.has_value());
  EXPECT_THAT(pair.error().message,
              StartsWith("`k` was compiled for work-groups of [256, 1, 1], and `k` for [128, 1, 1]"));
}

struct Mutation {
  std::string file;
  std::string kernel;
  std::string workgroup_size;
  std::string grid_size;
  std::string old;
  std::string with;
};

void PrintTo(const Mutation& mutation, std::ostream* stream) { *stream << mutation.kernel << ": " << mutation.with; }

class MutatedWaves : public CompiledWaves, public testing::WithParamInterface<Mutation> {};

TEST_P(MutatedWaves, AreFound) {
  const Mutation& mutation = GetParam();
  const std::string text_of_kernel = source_of(mutation.file, mutation.kernel);
  const Launch how{mutation.kernel, mutation.workgroup_size, mutation.grid_size};
  const Scenario a = launch(compile(text_of_kernel, sdag_O0), how);
  const std::string changed = mutated(text_of_kernel, mutation.old, mutation.with);
  for (const Build& build : {sdag_O3, gisel_O3}) {
    const Scenario b = launch(compile(changed, build), how);
    const EquivalenceReport report = compare(a, b, options_of("*args.in:1024", 200));
    ASSERT_EQ(report.verdict, Verdict::different) << equivalence_text(report);
    const Difference& difference = *report.difference;
    EXPECT_THAT(difference.outputs.at(0).object, StartsWith("out"));
    // Few words of the input remain.
    const auto is_set = [](const InputValue& input) { return input.value != 0; };
    EXPECT_LE(std::ranges::count_if(difference.shrunk, is_set), 4);
    EXPECT_THAT(difference.parting.at(0).what, StartsWith("the last write of memory 0x2000"));
    EXPECT_THAT(difference.parting[0].lines.at(0).wave, StartsWith("wave "));
    EXPECT_EQ(difference.reproducer_problem, "");
    EXPECT_EQ(mismatches_of_reproducer(report)[0], 0U);
    EXPECT_NE(mismatches_of_reproducer(report)[1], 0U);
    // The same seed finds the same difference.
    const EquivalenceReport again = compare(a, b, options_of("*args.in:1024", 200));
    EXPECT_EQ(again.difference->state, difference.state);
    EXPECT_EQ(again.difference->shrink_runs, difference.shrink_runs);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, MutatedWaves,
    testing::Values(
        Mutation{"groups_reductions.cl", "tree_reduction", "256", "700", "* n;\n  group_barrier();", "* n;"},
        Mutation{"groups_reductions.cl", "tree_reduction", "256", "700", "middle = 128", "middle = 64"},
        Mutation{"groups_reductions.cl", "tree_reduction", "256", "700", "sums[id] +=", "sums[id] -="},
        Mutation{"groups_reductions.cl", "reduction_with_early_exit", "256", "768", "* 31", "* 33"},
        Mutation{"groups_reductions.cl", "sums_of_64_bits", "128", "450", "group_barrier();", ";"},
        Mutation{"atomics_shared.cl", "shared_histogram", "512", "1024", "fetch_add", "fetch_or"},
        Mutation{"atomics_global.cl", "last_group", "128", "700", "in[item]);\n  group_barrier();", "in[item]);"}));

}  // namespace
}  // namespace salu::equiv_test
