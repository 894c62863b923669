#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "kernel_objects.hpp"

namespace salu {
namespace {

using test::buffer_address;
using test::kernarg_address;
using test::load_good;
using test::packet_address;
using test::run_llvm;
using test::TemporaryFolder;

/// Moves values from LLVM's registers to fixed SGPRs: LLVM chooses the registers, the launch determines the values.
constexpr std::string_view intrinsics_ir = R"(
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare i64 @llvm.amdgcn.dispatch.id()
declare ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

define amdgpu_kernel void @look(i8 %c, i16 %h, i32 %i, i64 %l, float %f, double %d, ptr addrspace(1) %out,
                                {i32, i64} %s, [3 x i32] %a) {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %z = call i32 @llvm.amdgcn.workgroup.id.z()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %id = call i64 @llvm.amdgcn.dispatch.id()
  %kernarg = call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %sizes.at = getelementptr i8, ptr addrspace(4) %packet, i64 4
  %sizes = load i32, ptr addrspace(4) %sizes.at
  %grid.at = getelementptr i8, ptr addrspace(4) %packet, i64 12
  %grid = load i32, ptr addrspace(4) %grid.at
  %kernarg.at = getelementptr i8, ptr addrspace(4) %packet, i64 40
  %kernarg.too = load i64, ptr addrspace(4) %kernarg.at
  %c32 = sext i8 %c to i32
  %h32 = zext i16 %h to i32
  %s0 = extractvalue {i32, i64} %s, 0
  %s1 = extractvalue {i32, i64} %s, 1
  %a2 = extractvalue [3 x i32] %a, 2
  call void asm sideeffect "s_mov_b32 s40, $0", "s,~{s40}"(i32 %x)
  call void asm sideeffect "s_mov_b32 s41, $0", "s,~{s41}"(i32 %y)
  call void asm sideeffect "s_mov_b32 s42, $0", "s,~{s42}"(i32 %z)
  call void asm sideeffect "s_mov_b32 s43, $0", "s,~{s43}"(i32 %sizes)
  call void asm sideeffect "s_mov_b32 s44, $0", "s,~{s44}"(i32 %grid)
  call void asm sideeffect "s_mov_b64 s[46:47], $0", "s,~{s46},~{s47}"(i64 %kernarg.too)
  call void asm sideeffect "s_mov_b64 s[48:49], $0", "s,~{s48},~{s49}"(ptr addrspace(4) %packet)
  call void asm sideeffect "s_mov_b64 s[50:51], $0", "s,~{s50},~{s51}"(ptr addrspace(4) %kernarg)
  call void asm sideeffect "s_mov_b64 s[52:53], $0", "s,~{s52},~{s53}"(i64 %id)
  call void asm sideeffect "s_mov_b64 s[54:55], $0", "s,~{s54},~{s55}"(ptr addrspace(4) %implicit)
  call void asm sideeffect "s_mov_b32 s56, $0", "s,~{s56}"(i32 %c32)
  call void asm sideeffect "s_mov_b32 s57, $0", "s,~{s57}"(i32 %h32)
  call void asm sideeffect "s_mov_b32 s58, $0", "s,~{s58}"(i32 %i)
  call void asm sideeffect "s_mov_b32 s59, $0", "s,~{s59}"(float %f)
  call void asm sideeffect "s_mov_b64 s[60:61], $0", "s,~{s60},~{s61}"(i64 %l)
  call void asm sideeffect "s_mov_b64 s[62:63], $0", "s,~{s62},~{s63}"(double %d)
  call void asm sideeffect "s_mov_b64 s[64:65], $0", "s,~{s64},~{s65}"(ptr addrspace(1) %out)
  call void asm sideeffect "s_mov_b32 s66, $0", "s,~{s66}"(i32 %s0)
  call void asm sideeffect "s_mov_b32 s67, $0", "s,~{s67}"(i32 %a2)
  call void asm sideeffect "s_mov_b64 s[68:69], $0", "s,~{s68},~{s69}"(i64 %s1)
  ret void
}
)";

constexpr std::string_view look_block = R"(
kernel:
  name: look
  args:
    c: -3
    h: 0xbeef
    i: 0x12345678
    l: 0x123456789abcdef0
    f: {f32: 1.5}
    d: {f64: -0.25}
    out: {buffer: 256}
    s: [7, 0, 0x55667788, 0x11223344]
    a: [10, 20, 30]
  workgroup_id: [3, 2, 1]
  workgroup_size: [16, 4, 1]
  grid_size: [100, 20, 10]
  dispatch_id: 0x1234567890
)";

/// Compiles IR to objects, and links them to shared objects.
class Compiled {
 public:
  explicit Compiled(std::string_view ir) { source_ = folder_.write("k.ll", ir); }

  [[nodiscard]] std::string object(const std::string& processor, int version, bool linked) const {
    const std::string path = folder_.path(processor + "_" + std::to_string(version));
    run_llvm(std::string(SALU_LLC) + " -mcpu=" + processor + " --amdhsa-code-object-version=" +
             std::to_string(version) + " -O2 -filetype=obj " + source_ + " -o " + path + ".o");
    if (linked) run_llvm(std::string(SALU_LLD) + " -flavor gnu -shared " + path + ".o -o " + path + ".so");
    return path + (linked ? ".so" : ".o");
  }

 private:
  TemporaryFolder folder_;
  std::string source_;
};

const std::vector<std::string> processors = {"gfx803", "gfx900", "gfx906", "gfx90a", "gfx942"};

TEST(KernelCompiled, EveryValueArrives) {
  SALU_NEEDS(SALU_LLC, "llc-19");
  const Compiled compiled(intrinsics_ir);
  for (const std::string& processor : processors) {
    for (const int version : {4, 5, 6}) {
      for (const bool linked : {false, true}) {
        if (linked && std::string_view(SALU_LLD).empty()) continue;
        const std::string path = compiled.object(processor, version, linked);
        SCOPED_TRACE(path);
        const Scenario scenario = load_good("code: {file: " + path + "}" + std::string(look_block));
        const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, scenario.options);
        EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
        EXPECT_TRUE(outcome.warnings.empty());
        const auto sgpr = [&](u32 number) { return outcome.state.file[number]; };
        const auto pair = [&](u32 number) { return outcome.state.read64(number); };
        EXPECT_EQ(sgpr(40), 3U);
        EXPECT_EQ(sgpr(41), 2U);
        EXPECT_EQ(sgpr(42), 1U);
        EXPECT_EQ(sgpr(43), 4U << 16 | 16U);
        EXPECT_EQ(sgpr(44), 100U);
        EXPECT_EQ(pair(46), kernarg_address);
        EXPECT_EQ(pair(48), packet_address);
        EXPECT_EQ(pair(50), kernarg_address);
        EXPECT_EQ(pair(52), 0x1234567890U);
        EXPECT_EQ(sgpr(56), 0xfffffffdU);
        EXPECT_EQ(sgpr(57), 0xbeefU);
        EXPECT_EQ(sgpr(58), 0x12345678U);
        EXPECT_EQ(sgpr(59), std::bit_cast<u32>(1.5F));
        EXPECT_EQ(pair(60), 0x123456789abcdef0U);
        EXPECT_EQ(pair(62), std::bit_cast<u64>(-0.25));
        EXPECT_EQ(pair(64), buffer_address);
        EXPECT_EQ(sgpr(66), 7U);
        EXPECT_EQ(sgpr(67), 30U);
        EXPECT_EQ(pair(68), 0x1122334455667788U);
        // The hidden arguments begin after the last explicit one (12 bytes at 56), at a multiple of 8.
        EXPECT_EQ(pair(54), kernarg_address + 72);
        if (version >= 5) {
          EXPECT_EQ(outcome.memory.read_dword(pair(54)), 6U);                   // block count x
          EXPECT_EQ(outcome.memory.read_dword(pair(54) + 12), 4U << 16 | 16U);  // group size x, y
          EXPECT_EQ(outcome.memory.read_dword(pair(54) + 16), 4U << 16 | 1U);   // group size z, remainder x
          EXPECT_EQ(outcome.memory.read_dword(pair(54) + 64) & 0xffff, 3U);     // dimensions
        }
      }
    }
  }
}

/// User SGPRs, as the assembler's directives set them in the descriptor.
TEST(KernelCompiled, DirectivesDetermineSgprs) {
  SALU_NEEDS(SALU_LLC, "llc-19");
  const TemporaryFolder folder;
  const std::string source = folder.write("k.ll", intrinsics_ir);
  const Compiled compiled(intrinsics_ir);
  for (const std::string& processor : processors) {
    SCOPED_TRACE(processor);
    const std::string assembly = run_llvm(std::string(SALU_LLC) + " -mcpu=" + processor + " -O2 " + source + " -o -");
    const auto directive = [&](const std::string& name) {
      const std::string key = ".amdhsa_" + name + " ";
      const std::size_t at = assembly.find(key);
      return at == std::string::npos ? 0U : static_cast<u32>(std::stoul(assembly.substr(at + key.size())));
    };
    const Scenario scenario =
        load_good("code: {file: " + compiled.object(processor, 5, false) + "}" + std::string(look_block));
    const WaveState& state = scenario.initial;
    u32 next = 4 * directive("user_sgpr_private_segment_buffer");
    ASSERT_EQ(directive("user_sgpr_dispatch_ptr"), 1U);
    EXPECT_EQ(state.read64(next), packet_address);
    next += 2 + 2 * directive("user_sgpr_queue_ptr");
    ASSERT_EQ(directive("user_sgpr_kernarg_segment_ptr"), 1U);
    EXPECT_EQ(state.read64(next), kernarg_address);
    next += 2;
    ASSERT_EQ(directive("user_sgpr_dispatch_id"), 1U);
    EXPECT_EQ(state.read64(next), 0x1234567890U);
    const u32 first_system = directive("user_sgpr_count");
    EXPECT_EQ(state.file[first_system], 3U);
    EXPECT_EQ(state.file[first_system + 1], 2U);
    EXPECT_EQ(state.file[first_system + 2], 1U);
    EXPECT_FALSE(state.defined[first_system + 3 + directive("system_sgpr_private_segment_wavefront_offset")]);
    const u32 mode = directive("float_denorm_mode_32") << 4 | directive("float_denorm_mode_16_64") << 6 |
                     directive("dx10_clamp") << 8 | directive("ieee_mode") << 9;
    EXPECT_EQ(state.mode, mode);
    EXPECT_GE(state.sgprs, directive("next_free_sgpr"));
    EXPECT_LE(state.sgprs, directive("next_free_sgpr") + 6 + 16);
  }
}

TEST(KernelCompiled, ArgumentsInSgprs) {
  SALU_NEEDS(SALU_LLC, "llc-19");
  const Compiled compiled(R"(
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @preloaded(i32 inreg %n, ptr addrspace(1) inreg %out, i32 inreg %m) {
  call void asm sideeffect "s_mov_b32 s40, $0", "s,~{s40}"(i32 %n)
  call void asm sideeffect "s_mov_b64 s[42:43], $0", "s,~{s42},~{s43}"(ptr addrspace(1) %out)
  call void asm sideeffect "s_mov_b32 s44, $0", "s,~{s44}"(i32 %m)
  ret void
}
)");
  for (const std::string processor : {"gfx900", "gfx90a", "gfx942"}) {
    SCOPED_TRACE(processor);
    const std::string path = compiled.object(processor, 5, false);
    const Scenario scenario =
        load_good("code: {file: " + path + "}\nkernel: {args: {n: 5, out: {buffer: 4}, m: 0x77}}\n");
    EXPECT_EQ(scenario.program.entry, processor == "gfx900" ? 0x1000U : 0x1100U);
    const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, scenario.options);
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[40], 5U);
    EXPECT_EQ(outcome.state.read64(42), buffer_address);
    EXPECT_EQ(outcome.state.file[44], 0x77U);
    // A table cannot change an argument that is in SGPRs.
    const std::string row = "code: {file: " + path +
                            "}\nkernel: {args: {n: 5, out: {buffer: 4}, m: 0x77}}\n"
                            "cases: {columns: [args.n, expect.s40], rows: [[7, 7]]}\n";
    if (processor == "gfx900") {
      EXPECT_FALSE(load_good(row).arguments.front().is_preloaded);
    } else {
      EXPECT_TRUE(scenario.arguments.front().is_preloaded);
      EXPECT_THAT(test::load_bad(row).message, testing::HasSubstr("`args.n`: the argument is preloaded into SGPRs"));
    }
  }
}

TEST(KernelCompiled, OpenClMetadataHasNamesTypesAndSizes) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  const TemporaryFolder folder;
  const std::string source = folder.write("k.cl", R"(
__attribute__((reqd_work_group_size(8, 4, 2)))
kernel void fill(constant int* table, global int* out, local int* tile, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += table[i];
  __asm volatile("s_mov_b32 s40, %0" : : "s"(__builtin_amdgcn_readfirstlane(sum)) : "s40");
  __asm volatile("s_mov_b32 s41, %0" : : "s"(__builtin_amdgcn_readfirstlane((int)tile)) : "s41");
}
)");
  const std::string object = folder.path("k.o");
  run_llvm(std::string(SALU_CLANG) +
           " -x cl -cl-kernel-arg-info -Xclang -finclude-default-header --target=amdgcn-amd-amdhsa"
           " -mcpu=gfx900 -nogpulib -O2 -c " +
           source + " -o " + object);
  const Scenario scenario = load_good("code: {file: " + object +
                                      "}\nkernel: {name: fill, args: {table: {words: [1, 2, "
                                      "39]}, out: {buffer: 64}, tile: {buffer: 128}, n: 3}}\n");
  EXPECT_EQ(scenario.initial.exec(), ~u64{0});
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
  EXPECT_EQ(outcome.state.file[40], 42U);
  EXPECT_EQ(outcome.state.file[41], 0U);
  const Error error = test::load_bad("code: {file: " + object + "}\nkernel: {args: {n: {buffer: 1}}}\n");
  EXPECT_THAT(error.message, testing::StartsWith("argument `n` (`int`, by_value, 4 bytes): expected an integer"));
}

constexpr std::string_view trapping_c = R"(
kernel void bad(global int* out, int n) {
  if (n) __asm volatile("s_mov_b32 s40, 7" : : : "s40");
  __builtin_trap();
}
kernel void next(global int* out, int n) { __asm volatile("s_mov_b32 s41, 8" : : : "s41"); }
)";
const std::vector<std::string> trapping_processors = {"gfx803", "gfx900", "gfx90a", "gfx942"};

std::string compile_trapping(const TemporaryFolder& folder, const std::string& processor) {
  const std::string object = folder.path(processor + ".o");
  run_llvm(std::string(SALU_CLANG) + " -x cl -cl-std=CL2.0 -cl-kernel-arg-info --target=amdgcn-amd-amdhsa -mcpu=" +
           processor + " -nogpulib -O1 -c " + folder.write("trap.cl", trapping_c) + " -o " + object);
  return object;
}

Outcome run_loaded(const Scenario& scenario) {
  return run(scenario.program, scenario.initial, scenario.memory, scenario.options);
}

TEST(KernelCompiled, ATrapIsNotPassedOver) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  const TemporaryFolder folder;
  for (const std::string& processor : trapping_processors) {
    SCOPED_TRACE(processor);
    const std::string code = "code: {file: " + compile_trapping(folder, processor) + "}\n";
    const std::string kernel = "kernel: {name: bad, args: {out: {buffer: 64}, n: 1}}\n";
    const Outcome trapped = run_loaded(load_good(code + kernel));
    EXPECT_EQ(trapped.stop.reason, StopReason::trap);
    EXPECT_THAT(trapped.stop.detail, testing::StartsWith("trap 2: no code at TBA"));
    EXPECT_EQ(trapped.stop.instruction, "s_trap 2");
    EXPECT_EQ(trapped.state.file[40], 7U);
    EXPECT_TRUE(trapped.warnings.empty());

    // Without a handler, hardware continues and runs off the kernel.
    for (const char* const registers : {"registers: {trap_en: 0}\n", "registers: {status: 0}\n"}) {
      const Scenario scenario = load_good(code + kernel + registers);
      const Symbol& bad = *scenario.program.find_symbol("bad");
      const Outcome ran_off = run_loaded(scenario);
      EXPECT_EQ(ran_off.stop.reason, StopReason::past_kernel_end);
      EXPECT_EQ(ran_off.stop.pc, bad.address + bad.size_bytes);
      EXPECT_THAT(ran_off.stop.detail, testing::HasSubstr("the kernel `bad` ends at 0x10"));
      EXPECT_FALSE(ran_off.state.defined[41]);
    }
    const Outcome ended = run_loaded(load_good(code + "kernel: {name: next, args: {out: {buffer: 64}, n: 1}}\n"));
    EXPECT_EQ(ended.stop.reason, StopReason::end_program);
    EXPECT_EQ(ended.state.file[41], 8U);
  }
}

TEST(KernelCompiled, ABareKernelHasTrapsToo) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  const TemporaryFolder folder;
  const std::string object = compile_trapping(folder, "gfx900");
  const auto load_bare = [&](std::vector<std::string> set, const std::string& symbol = "bad") {
    LoadOptions options;
    options.symbol = symbol;
    options.set = std::move(set);
    std::vector<Result<Scenario>> loaded = load_file(object, options);
    EXPECT_EQ(loaded.size(), 1U);
    EXPECT_TRUE(loaded.front()) << loaded.front().error().message;
    Scenario scenario = std::move(*loaded.front());
    // Its argument is read at 0x1000 + 8, which contains code.
    scenario.initial.write64(4, 0x1000);
    return scenario;
  };
  EXPECT_EQ(run_loaded(load_bare({})).stop.reason, StopReason::trap);
  EXPECT_EQ(run_loaded(load_bare({"trap_en=0"})).stop.reason, StopReason::past_kernel_end);
  EXPECT_EQ(run_loaded(load_bare({"pc=bad+8", "trap_en=0"}, "next")).stop.reason, StopReason::past_kernel_end);
  EXPECT_EQ(run_loaded(load_bare({}, "next")).stop.reason, StopReason::end_program);
}

TEST(KernelCompiled, AFunctionDirectlyAfterAKernelCanBeCalled) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const TemporaryFolder folder;
  const auto load_text = [&](std::string_view behind) {
    const std::string source = folder.write("k.s",
                                            ".globl k\n.type k,@function\nk:\n  s_getpc_b64 s[0:1]\n"
                                            "  s_add_u32 s0, s0, 16\n  s_swappc_b64 s[30:31], s[0:1]\n"
                                            "  s_nop 0\n  s_trap 2\nk_end:\n.size k, k_end-k\n" +
                                                std::string(behind) +
                                                ".rodata\n.globl k.kd\n.type k.kd,@object\nk.kd:\n"
                                                "  .zero 64\n.size k.kd, 64\n");
    const std::string object = folder.path("k.o");
    run_llvm(std::string(SALU_LLVM_MC) + " -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj " + source + " -o " +
             object);
    return load_good("code: {file: " + object + ", symbol: k}\nregisters: {trap_en: 0}\n");
  };
  const Scenario called =
      load_text(".globl f\n.type f,@function\nf:\n  s_mov_b32 s2, 5\n  s_endpgm\nf_end:\n.size f, f_end-f\n");
  EXPECT_FALSE(called.program.kernel_end);
  const Outcome outcome = run_loaded(called);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.state.file[2], 5U);
  const Scenario alone = load_text("  s_endpgm\n");
  ASSERT_TRUE(alone.program.kernel_end);
  EXPECT_EQ(alone.program.kernel_end->kernel, "k");
  EXPECT_EQ(alone.program.kernel_end->address, 0x1014U);
  EXPECT_EQ(run_loaded(alone).stop.reason, StopReason::past_kernel_end);
}

}  // namespace
}  // namespace salu
