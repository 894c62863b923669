#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/tool.hpp"
#include "work_group_kernels.hpp"

// The command `salu equiv`.
namespace salu::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class EquivTool : public testing::Test {
 protected:
  EquivTool() {
    add_ = workspace_.write("add.s", "start:\n  s_add_u32 s0, s0, s1\n  s_endpgm\n");
    swapped_ = workspace_.write("swapped.s", "start:\n  s_add_u32 s0, s1, s0\n  s_endpgm\n");
    sub_ = workspace_.write("sub.s", "start:\n  s_sub_u32 s0, s0, s1\n  s_endpgm\n");
    output_ = workspace_.path("found.yaml");
  }

  [[nodiscard]] ToolRun equiv(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "equiv");
    return run_tool(arguments);
  }

  Workspace workspace_;
  std::string add_;
  std::string swapped_;
  std::string sub_;
  std::string output_;
};

TEST_F(EquivTool, EqualIs0) {
  const ToolRun run = equiv({add_, swapped_, "--mcpu", "gfx900", "--outputs", "s0"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, StartsWith("equal on 10000 states (seed 1)\n"));
  EXPECT_THAT(run.out, HasSubstr("  varied        s0, s1\n"));
  EXPECT_THAT(run.out, HasSubstr("  compared      s0, stop reason\n"));
  EXPECT_THAT(run.out, HasSubstr("  not compared  everything not named by --outputs\n"));
  EXPECT_THAT(run.out, HasSubstr("2 of 2 instructions executed, end_program 10000\n"));
}

TEST_F(EquivTool, ApproximationsAreThoseOfTheOption) {
  // A reciprocal, and the nearest float of 1/3.
  const std::string rcp = workspace_.write("rcp.s",
                                           "start:\n  v_rcp_f32 v0, 0x40400000\n  v_readfirstlane_b32 s0, v0\n"
                                           "  s_endpgm\n");
  const std::string third = workspace_.write("third.s", "start:\n  s_mov_b32 s0, 0x3eaaaaab\n  s_endpgm\n");
  const std::vector<std::string> arguments = {rcp, third, "--mcpu", "gfx900", "--outputs", "s0", "-o", output_};
  const auto with = [&](const std::string& approximations) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--approximations", approximations});
    return equiv(all);
  };
  EXPECT_EQ(equiv(arguments).exit_code, 0);
  EXPECT_EQ(with("high").exit_code, 0);
  EXPECT_EQ(with("up").exit_code, 2);
  const ToolRun low = with("low");
  EXPECT_EQ(low.exit_code, 1);
  EXPECT_THAT(low.out, HasSubstr("expected 0x3eaaaaaa (A), got 0x3eaaaaab (B)"));
  // The reproducer has the setting.
  EXPECT_THAT(read_text(output_), HasSubstr("\napproximations: low\n"));
  EXPECT_THAT(run_tool({"test", output_}).out, HasSubstr("1 passed, 1 failed"));
}

TEST_F(EquivTool, FloatsMayDiffer) {
  // 1/3 and the next float, also as the low half of a float of 64 bits in memory.
  const auto program = [&](const std::string& name, const std::string& value) {
    return workspace_.write(name, "target: gfx900\ncode:\n  asm: |\n    s_mov_b32 s0, " + value +
                                      "\n    s_mov_b32 s1, 0x3fd55555\n    s_mov_b32 s4, 0x10000\n"
                                      "    s_mov_b32 s5, 0\n    s_store_dwordx2 s[0:1], s[4:5], 0x0\n    s_endpgm\n"
                                      "memory: [{at: 0x10000, size: 16}]\n");
  };
  const std::string a = program("third.yaml", "0x3eaaaaab");
  const std::string b = program("more.yaml", "0x3eaaaaac");
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {a, b});
    return equiv(arguments);
  };
  EXPECT_EQ(with({"--outputs", "s0:f32~1"}).exit_code, 0);
  EXPECT_EQ(with({"--outputs", "s0:f32", "--ulps", "1"}).exit_code, 0);
  EXPECT_THAT(with({"--outputs", "s0:f32~1"}).out, HasSubstr("compared      s0 (f32, up to 1 ulp apart), stop reason"));
  EXPECT_EQ(with({"--outputs", "s[0:1]:f64~1"}).exit_code, 0);
  EXPECT_EQ(with({"--outputs", "memory:f64~1"}).exit_code, 0);
  EXPECT_EQ(with({"--outputs", "memory.0x10000:8:f64~1"}).exit_code, 0);
  const ToolRun different = with({"--outputs", "s0:f32"});
  EXPECT_EQ(different.exit_code, 1);
  EXPECT_THAT(different.out,
              HasSubstr("expected 0.33333334 (0x3eaaaaab) (A), got 0.33333337 (0x3eaaaaac), 1 ulp apart"));
  EXPECT_THAT(with({"--outputs", "memory:f64"}).out,
              HasSubstr("memory 0x10000 expected 0.333333312223355 (0x3fd555553eaaaaab) (A), got 0.33333331222335505 "
                        "(0x3fd555553eaaaaac), 1 ulp apart"));
  EXPECT_EQ(with({"--outputs", "memory"}).exit_code, 1);
  EXPECT_THAT(with({"--outputs", "s0:f64"}).err, HasSubstr("`s0` has 32 bits, and f64 has 64"));
  // The distance in `expect:` is that of the outputs.
  const std::string expects =
      workspace_.write("expects.yaml", read_text(a) + "expect: {registers: {s0: {f32: 0.33333334, ulps: 1}}}\n");
  EXPECT_EQ(equiv({expects, b}).exit_code, 0);
}

TEST_F(EquivTool, ADifferenceIs1AndIsWrittenDown) {
  const ToolRun run = equiv({add_, sub_, "--mcpu", "gfx900", "--outputs", "s0", "-o", output_});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("  inputs        s1 = 0x1, all others 0\n"));
  EXPECT_THAT(run.out, HasSubstr("  s0            expected 0x00000001 (A), got 0xffffffff (B)\n"));
  EXPECT_THAT(run.out, HasSubstr("  A 0x1000 (start, " + add_ + ":2): s_add_u32 s0, s0, s1"));
  EXPECT_THAT(run.out, HasSubstr("salu run --check " + output_));
  // It does not depend on the two files: A passes, B fails.
  std::filesystem::remove(add_);
  std::filesystem::remove(sub_);
  const ToolRun check = run_tool({"run", "--check", "--format", "json", output_});
  EXPECT_EQ(check.exit_code, 1);
  const std::size_t line = check.out.find('\n') + 1;
  const auto a = nlohmann::json::parse(check.out.substr(0, line));
  const auto b = nlohmann::json::parse(check.out.substr(line));
  EXPECT_EQ(a["mismatches"].size(), 0U);
  EXPECT_EQ(a["registers"]["s0"], "0x00000001");
  ASSERT_EQ(b["mismatches"].size(), 1U);
  EXPECT_EQ(b["mismatches"][0]["expected"], "0x00000001");
  EXPECT_EQ(b["mismatches"][0]["actual"], "0xffffffff");
}

TEST_F(EquivTool, ScenariosAreWrittenOnRequestOnly) {
  const std::string folder = workspace_.path("");
  const std::string line = "salu equiv --mcpu gfx900 --outputs s0 add.s sub.s ";
  const std::string file = workspace_.path("difference.yaml");
  EXPECT_EQ(run_shell(line + "-q", folder).out, "");
  const auto count_files = [&] { return std::distance(std::filesystem::directory_iterator(folder), {}); };
  const auto files_before = count_files();
  const ToolRun without = run_shell(line, folder);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_THAT(without.out, HasSubstr("-o FILE writes two scenarios"));
  EXPECT_EQ(count_files(), files_before);
  const ToolRun to_stdout = run_shell(line + "-q -o - ", folder);
  EXPECT_EQ(to_stdout.exit_code, 1);
  EXPECT_THAT(to_stdout.out, StartsWith("# Written by salu equiv"));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(run_shell(line + "-o difference.yaml", folder).exit_code, 1);
  EXPECT_EQ(read_text(file), to_stdout.out);
  const ToolRun nowhere = run_shell(line + "-o no/such/folder.yaml", folder);
  EXPECT_EQ(nowhere.exit_code, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("no/such/folder.yaml: error: cannot write the file"));
}

TEST_F(EquivTool, JsonIsOneLine) {
  const ToolRun run = equiv({add_, sub_, "--mcpu", "gfx900", "--outputs", "s0", "-o", output_, "--format", "json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out.find('\n'), run.out.size() - 1);
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["schema"], "salu-equiv-v1");
  EXPECT_EQ(json["verdict"], "different");
  EXPECT_EQ(json["difference"]["inputs"]["s1"], "0x00000001");
  EXPECT_EQ(json["difference"]["outputs"][0]["b"], "0xffffffff");
  EXPECT_EQ(json["a"]["executed"], 2);
  EXPECT_TRUE(std::filesystem::exists(output_));
}

TEST_F(EquivTool, NothingComparedIs3) {
  const std::string end = workspace_.write("end.s", "s_endpgm\n");
  const ToolRun run = equiv({end, end, "--mcpu", "gfx900"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, StartsWith("nothing could be compared in "));
  EXPECT_THAT(run.err, HasSubstr("error: nothing was compared; name the inputs and outputs"));
  EXPECT_EQ(equiv({end, end, "--mcpu", "gfx900", "-q"}).exit_code, 3);
}

TEST_F(EquivTool, CombinationsThatCouldNotBeComparedAre3) {
  const std::string load = workspace_.write("load.s",
                                            "s_cmp_lg_u32 s0, 0\ns_cbranch_scc1 end\ns_load_dword s4, s[2:3], 0x0\n"
                                            "end: s_endpgm\n");
  const ToolRun run = equiv({load, load, "--mcpu", "gfx900", "--outputs", "s4", "--exhaustive", "s0=0..3"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, StartsWith("not known to be equal: 1 of 4 combinations could not be compared"));
  EXPECT_THAT(run.out, HasSubstr("  skipped       1 state: both faulted\n"));
  EXPECT_THAT(run.err, HasSubstr("1 of 4 combinations were not compared; remove them from --exhaustive, or compare "
                                 "the faults (--faults compare)"));
  EXPECT_EQ(equiv({load, load, "--mcpu", "gfx900", "--outputs", "s4", "--exhaustive", "s0=1..3"}).exit_code, 0);
}

TEST_F(EquivTool, TwoTargets) {
  EXPECT_EQ(equiv({add_, swapped_, "--mcpu-a", "tahiti", "--mcpu-b", "gfx942", "--outputs", "s0"}).exit_code, 0);
  EXPECT_EQ(equiv({add_, sub_, "--mcpu", "tahiti", "--mcpu-b", "gfx942", "-q"}).exit_code, 1);
}

TEST_F(EquivTool, CodeTakesTheScenariosPlace) {
  const std::string scenario = workspace_.write("base.yaml", R"(
target: gfx900
code:
  base: 0x4000
  asm: |
    start:
      s_load_dword s4, s[2:3], 0x0
      s_add_u32 s0, s0, s4
      s_endpgm
registers: {"s[2:3]": 0x10000}
memory: [{at: 0x10000, words: [5, 6]}]
expect: {registers: {s0: 0}}
)");
  const std::string five = workspace_.write("five.s", "s_add_u32 s0, s0, 5\ns_endpgm\n");
  const std::string next = workspace_.write("next.s", "s_load_dword s4, s[2:3], 0x4\ns_add_u32 s0, s0, s4\ns_endpgm\n");
  EXPECT_EQ(equiv({scenario, five, "-q"}).exit_code, 0);
  EXPECT_EQ(equiv({five, scenario, "-q"}).exit_code, 0);
  const ToolRun run = equiv({scenario, next, "-o", output_});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("  s0            expected 0x00000005 (A), got 0x00000006 (B)\n"));
  EXPECT_THAT(run.out, HasSubstr("B 0x400"));
  // A generation different from the scenario's, with its own words.
  const std::string old = workspace_.write("old.s", "s_load_dword s4, s[2:3], 0x0\ns_add_u32 s0, s0, s4\ns_endpgm\n");
  EXPECT_EQ(equiv({scenario, old, "--mcpu-b", "tahiti", "-q"}).exit_code, 0);
}

TEST_F(EquivTool, KernelsVaryTheirArguments) {
  const std::string programs = SALU_PROGRAMS_DIR;
  const std::string scenario = programs + "/kernel_dot_product.yaml";
  const std::string object = programs + "/compiled/dot_product.o";
  // The vectors have three elements; the scenario expects to end at the first vector instruction.
  const ToolRun equal = equiv({scenario, object, "--inputs", "args.n=0..3"});
  EXPECT_EQ(equal.exit_code, 0) << equal.out << equal.err;
  EXPECT_THAT(equal.out, HasSubstr("  varied        args.n from 0x0 to 0x3\n"));
  // s_mul_i32 s9, s10, s9 becomes s_add_u32 s9, s10, s9: 1 * 10 of the first row and column and so on.
  std::string bytes = read_text(object);
  const std::size_t at = bytes.find("\x0a\x09\x09\x92");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 3] = '\x80';
  const std::string patched = workspace_.write("patched.o", bytes);
  const ToolRun different = equiv({scenario, patched, "--inputs", "args.n=0..3", "-o", output_});
  EXPECT_EQ(different.exit_code, 1) << different.out << different.err;
  EXPECT_THAT(different.out, HasSubstr("  inputs        args.n = 0x1\n"));
  // Work-group 2 reads row 2 of a matrix with one column: 3 * 10 and 3 + 10.
  EXPECT_THAT(different.out, HasSubstr("  s8            expected 0x0000001e (A), got 0x0000000d (B)\n"));
  const ToolRun check = run_tool({"run", "--check", output_});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr("expectations hold"));
  EXPECT_THAT(check.out, HasSubstr("expectation failed: s8: expected 0x0000001e, got 0x0000000d"));
}

TEST_F(EquivTool, KernelsWithoutAScenarioAreStartedByTheirMetadata) {
  if (std::string(SALU_LLVM_MC).empty()) GTEST_SKIP() << "needs llvm-mc";
  const auto kernel = [&](const std::string& name, const std::string& instruction, const std::string& argument) {
    const std::string source = workspace_.write(name + ".s", R"(.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
.amdhsa_code_object_version 5
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[2:3], 0x0
  s_load_dword s6, s[2:3], 0x8
  s_load_dword s7, s[0:1], 0x8
  )" + instruction + R"(
  s_store_dword s7, s[0:1], 0x4
  s_dcache_wb
  v_mov_b32 v0, 1
  s_endpgm
.Lend: .size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 1
    .max_flat_workgroup_size: 256
    .args:
      - { .name: out, .size: 8, .offset: 0, .value_kind: global_buffer }
      - { .name: )" + argument + R"(, .size: 4, .offset: 8, .value_kind: by_value }
...
.end_amdgpu_metadata
)");
    const std::string object = workspace_.path(name + ".o");
    const std::string command = std::string(SALU_LLVM_MC) +
                                " -triple amdgcn-amd-amdhsa -mcpu=gfx803 -filetype=obj -o '" + object + "' '" + source +
                                "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return object;
  };
  const std::string add = kernel("add", "s_add_u32 s7, s7, s6", "count");
  const std::string swapped = kernel("swapped", "s_add_u32 s7, s6, s7", "count");
  const std::string sub = kernel("sub", "s_sub_u32 s7, s7, s6", "count");
  const ToolRun equal = equiv({add, swapped, "--states", "1000"});
  EXPECT_EQ(equal.exit_code, 0) << equal.out << equal.err;
  EXPECT_THAT(equal.err, HasSubstr("`k` is a kernel without a scenario: starting one wave of it"));
  EXPECT_THAT(equal.out, HasSubstr("  varied        *args.out (64 bytes), args.count\n"));
  EXPECT_THAT(equal.out, HasSubstr("  compared      all memory that either program wrote, stop reason\n"));
  const ToolRun different = equiv({add, sub, "-o", output_});
  EXPECT_EQ(different.exit_code, 1) << different.out << different.err;
  EXPECT_THAT(different.out, HasSubstr("  inputs        args.count = 0x1, all others 0\n"));
  EXPECT_THAT(different.out, HasSubstr("expected 0x00000001 (A), got 0xffffffff (B)\n"));
  EXPECT_EQ(run_tool({"run", "--check", output_}).exit_code, 1);
  // Kernels with different parameters cannot be compared.
  const ToolRun other = equiv({add, kernel("other", "s_nop 0", "number")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err,
              HasSubstr("they cannot be started with the same arguments; write a scenario with `kernel:` for each"));
}

TEST_F(EquivTool, StoresOfVectorInstructionsAreCompared) {
  const std::string object = std::string(SALU_PROGRAMS_DIR) + "/compiled/dot_product.o";
  const ToolRun same = equiv({object, object, "--states", "100"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("  compared      all memory that either program wrote, stop reason\n"));
  // v_mov_b32_e32 v1, s8, the stored value, becomes v_mov_b32_e32 v1, s9.
  std::string bytes = read_text(object);
  const std::size_t at = bytes.find(std::string("\x08\x02\x02\x7e", 4));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '\x09';
  const ToolRun different = equiv({object, workspace_.write("patched.o", bytes), "--states", "100", "-o", output_});
  EXPECT_EQ(different.exit_code, 1) << different.out << different.err;
  EXPECT_THAT(different.out, HasSubstr("v_mov_b32_e32 v1, s9"));
  EXPECT_EQ(run_tool({"run", "--check", output_}).exit_code, 1);
}

TEST_F(EquivTool, KernelsWithoutResultsGetAHint) {
  const std::string object = std::string(SALU_PROGRAMS_DIR) + "/compiled/dot_product.o";
  const ToolRun run = equiv({object, object, "--states", "1", "--outputs", "s0", "--max-steps", "1"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("start the kernels with other arguments or more work-items"));
  const std::size_t start = run.err.find("code: {file:");
  ASSERT_NE(start, std::string::npos) << run.err;
  // The scenario that it prints is valid.
  const std::string scenario = workspace_.write("kernel.yaml", run.err.substr(start));
  const ToolRun with = equiv({scenario, object, "--inputs", "args.n=0..3,memory.0x200000000:16,memory.0x200010000:16"});
  EXPECT_EQ(with.exit_code, 0) << with.out << with.err;
  EXPECT_THAT(with.out, HasSubstr("  compared      all memory that either program wrote, stop reason\n"));
}

TEST_F(EquivTool, RowsSetVectorRegisters) {
  const std::string add = workspace_.write("vectors.yaml", R"(
target: gfx900
code: {words: [0x68040300, 0xbf810000]}
cases:
  - {v0: [1, 2], v1: 0x10, expect: {v2: [0x11, 0x12]}}
  - {v0: {lane_ids: true}, v1: [0, 0, 5], expect: {v2: 3}}
)");
  const ToolRun equal = equiv({add, add});
  EXPECT_EQ(equal.exit_code, 0) << equal.out << equal.err;
  EXPECT_THAT(equal.out, StartsWith("equal on 10002 states, 2 of them rows of `cases:` (seed 1)\n"));
  EXPECT_THAT(equal.out, HasSubstr("  varied        v0, v1\n"));
  EXPECT_THAT(equal.out, HasSubstr("  compared      v2, stop reason\n"));
  // v_add_u32 v2, v1, v1
  std::string other = read_text(add);
  other.replace(other.find("0x68040300"), 10, "0x68040301");
  const ToolRun run = equiv({add, workspace_.write("other.yaml", other), "-o", output_, "--format", "json"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  const auto report = nlohmann::json::parse(run.out);
  const auto& found = report["difference"]["found_inputs"];
  EXPECT_EQ(found["v0[1]"], "0x00000002") << found;
  EXPECT_EQ(found["v1[63]"], "0x00000010") << found;
}

TEST_F(EquivTool, RowsOfCasesComeFirst) {
  const std::string scenario = workspace_.write("rows.yaml", R"(
target: gfx900
code: {file: add.s}
cases:
  - {s0: 1, s1: 2, expect.s0: 3}
  - {name: big, s0: 0x7fffffff, s1: 0x70000000, expect.s0: 0xefffffff}
)");
  const ToolRun equal = equiv({scenario, swapped_});
  EXPECT_EQ(equal.exit_code, 0) << equal.out << equal.err;
  EXPECT_THAT(equal.out, StartsWith("equal on 10002 states, 2 of them rows of `cases:` (seed 1)\n"));
  EXPECT_THAT(equal.out, Not(HasSubstr("the rows of A are used")));
  const std::string other = workspace_.write("other.yaml", read_text(scenario));
  EXPECT_THAT(equiv({scenario, other}).out, HasSubstr("rows of `cases:` of B: the rows of A are used\n"));
  const std::string wrong =
      workspace_.write("wrong.s",
                       "s_cmp_eq_u32 s0, 0x7fffffff\ns_add_u32 s0, s0, s1\ns_cmp_eq_u32 s1, 0x70000000\n"
                       "s_cselect_b32 s0, 0, s0\ns_endpgm\n");
  const ToolRun run = equiv({scenario, wrong, "-o", output_, "--format", "json"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["difference"]["row"], "row 2 (" + scenario + ":6, big)");
  EXPECT_EQ(json["difference"]["inputs"]["s1"], "0x70000000");
}

TEST_F(EquivTool, WrongUsageIs2) {
  const auto expect_usage = [&](std::vector<std::string> arguments, const std::string& message) {
    arguments.insert(arguments.begin(), {add_, sub_, "--mcpu", "gfx900"});
    const ToolRun run = equiv(std::move(arguments));
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr(message));
  };
  expect_usage({"--inputs", "s0,s999"}, "--inputs s999: error: A: unknown register `s999`");
  expect_usage({"--outputs", "nothing"}, "unknown register `nothing`");
  expect_usage({"--exhaustive", "s0"}, "expected a range of one register or argument, as in s0=0..65535");
  expect_usage({"--exhaustive", "s0=0..65535", "--exhaustive", "s1=0..65536"}, "more than 2^32 combinations");
  expect_usage({"--states", "many"}, "--states many: expected a number");
  expect_usage({"--states", "0"}, "--states 0: expected at least 1 input");
  for (const char* seconds : {"-1", "0", "nan", "inf"}) {
    expect_usage({"--seconds", seconds}, "--seconds: expected a number above 0");
  }
  expect_usage({"--set", "s1=0", "--inputs", "s0,s1"}, "`s1` is also set by --set s1=0");
  expect_usage({"--set", "s1=0", "--exhaustive", "s1=0..3"}, "`s1` is also set by --set s1=0");
  expect_usage({"--max-steps", "-5"}, "--max-steps -5: expected a number of instructions, 0 to 2^63 - 1");
  expect_usage({"--format", "xml"}, "unknown value `xml`; expected `text` or `json`");
  expect_usage({"--mcpu-b", "gfx9000"}, "--mcpu-b: unknown target `gfx9000`; did you mean");
  for (const char* const twice : {"s0,s0", "s0:8,s0", "s0:8,s0:16", "s[0:1],s1", "scc,scc"})
    expect_usage({"--outputs", twice}, "is already compared");
  expect_usage({"--input", "s0"}, "unknown option `--input`; did you mean `--inputs`");
  EXPECT_EQ(run_tool({"equiv", add_}).exit_code, 2);
  EXPECT_EQ(run_tool({"equiv", "-", "-"}).exit_code, 2);
  const std::string two = workspace_.write("two.yaml",
                                           "target: gfx900\ncode: {words: [0xbf810000]}\n---\n"
                                           "target: gfx900\ncode: {words: [0xbf810000]}\n");
  const ToolRun run = equiv({two, add_});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("the file contains 2 scenarios"));
}

TEST_F(EquivTool, KernelsWithBarriersRunAllWaves) {
  const std::string file = workspace_.write("mirror.yaml", kernel(mirror, "workgroup_size: 256, wave: 1"));
  const ToolRun run = equiv({file, file});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("on gfx900: 4 waves, 13 of 13 instructions executed"));
  EXPECT_THAT(run.out, Not(HasSubstr("salu prove")));
  EXPECT_EQ(run_tool({"prove", file, file}).exit_code, 2);
  EXPECT_EQ(run_tool({"sweep", file, "--vary", "s20=0..3"}).exit_code, 2);
}

TEST_F(EquivTool, DocumentsOfAFileAreComparedWithEachOther) {
  const std::string both = workspace_.write("both.yaml",
                                            "name: sum\ntarget: gfx900\ncode: {file: add.s}\n---\n"
                                            "name: reversed\ntarget: gfx900\ncode: {file: swapped.s}\n---\n"
                                            "name: difference\ntarget: gfx900\ncode: {file: sub.s}\n");
  EXPECT_EQ(equiv({both, both, "--outputs", "s0", "--document-a", "sum", "--document-b", "2"}).exit_code, 0);
  EXPECT_EQ(equiv({both, both, "--outputs", "s0", "--document", "1", "--document-b", "difference"}).exit_code, 1);
  EXPECT_EQ(equiv({both, sub_, "--outputs", "s0", "--document-a", "3"}).exit_code, 0);
  const ToolRun none = equiv({both, both, "--document", "4"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--document 4: the file has 3 scenarios"));
}

// Its query files have the name of a file that is read.
TEST_F(EquivTool, QuestionsTakeThePlaceOfNothingThatIsRead) {
  (void)workspace_.write("question001.smt2", "1234");
  const std::string first = workspace_.write(
      "first.yaml",
      "target: gfx900\nmemory: [{at: 0x10000, file: question001.smt2}]\n"
      "code: {asm: \"s_mul_i32 s2, s0, s1\\ns_xor_b32 s2, s2, s1\\ns_mul_i32 s2, s2, s2\\ns_endpgm\"}\n");
  const std::string second =
      workspace_.write("second.s",
                       "s_mul_i32 s2, s1, s0\ns_or_b32 s4, s2, s1\ns_and_b32 s5, s2, s1\ns_andn2_b32 s2, s4, s5\n"
                       "s_mul_i32 s2, s2, s2\ns_endpgm\n");
  const ToolRun run = run_tool({"prove", first, second, "--outputs", "s2", "--smt2", workspace_.path("")});
  EXPECT_EQ(run.exit_code, 2) << run.out;
  EXPECT_THAT(run.err, HasSubstr("the output would overwrite the input"));
  EXPECT_EQ(read_text(workspace_.path("question001.smt2")), "1234");
}

// Batches that would take minutes to end.
TEST_F(EquivTool, SecondsAreHeededByEndlessPrograms) {
  const std::string endless = workspace_.write("endless.s", "l: s_branch l\n");
  const auto start = std::chrono::steady_clock::now();
  const ToolRun none = run_tool({"equiv", "--seconds", "0.5", "--max-steps", "100000000000", "--mcpu", "gfx900",
                                 "--inputs", "s0", endless, endless});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("--max-time was reached before the first state"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(1));
}

TEST_F(EquivTool, ATableWithoutRowsIsNotWritten) {
  const std::string endless =
      workspace_.write("endless.s", ".type f,@function\nf:\ns_branch f\ns_setpc_b64 s[30:31]\n.size f, .-f\n");
  const std::string table = workspace_.path("table.yaml");
  const ToolRun none = run_tool({"prove", endless, "--mcpu", "gfx900", "--seconds", "2", "--cover", table});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr(table + ": error: not written: no run of A can be a row"));
  EXPECT_FALSE(std::filesystem::exists(table));
  const std::string plain = workspace_.write("plain.s", "s_mov_b32 s0, 1\ns_endpgm\n");
  EXPECT_EQ(run_tool({"prove", plain, "--mcpu", "gfx900", "--cover", table}).exit_code, 0);
  EXPECT_THAT(run_tool({"test", table}).out, HasSubstr("1 passed"));
}

TEST_F(EquivTool, BadInputIs3) {
  const ToolRun none = equiv({add_, workspace_.path("none.s"), "--mcpu", "gfx900"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("none.s: error: cannot read the file"));
  const std::string broken = workspace_.write("broken.s", "s_add_u32 s0\n");
  const ToolRun run = equiv({add_, broken, "--mcpu", "gfx900"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("broken.s:1:"));
}

TEST_F(EquivTool, HelpHasExamplesAndExitCodes) {
  const ToolRun run = run_tool({"equiv", "--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("salu equiv f_O0.o f_O2.o --symbol f"));
  EXPECT_THAT(run.out, HasSubstr("  0  equal on all inputs that were tried"));
}

TEST_F(EquivTool, VerboseListsUnexecutedCode) {
  const std::string text = "s_cmp_eq_u32 s0, 0x4711\ns_cbranch_scc0 end\ns_mov_b32 s1, 1\nend: s_endpgm\n";
  const std::string file = workspace_.write("rare.s", text);
  const std::vector<std::string> arguments = {file, file, "--mcpu", "gfx900", "--inputs", "s0=0..9", "--outputs", "s1"};
  EXPECT_THAT(equiv(arguments).out, Not(HasSubstr("never executed")));
  std::vector<std::string> verbose = arguments;
  verbose.emplace_back("--verbose");
  EXPECT_THAT(equiv(verbose).out, HasSubstr("never executed: 0x100c to 0x100f\n"));
}

}  // namespace
}  // namespace salu::test
