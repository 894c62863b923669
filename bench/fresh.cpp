#include <string>

#include "benchmarks.hpp"
#include "core/machine.hpp"
#include "workloads.hpp"
#include "yardstick.hpp"

namespace salu::bench {
namespace {

/// A short program whose first input differs from run to run.
struct ShortProgram {
  std::string_view name;
  std::string_view assembly;
  u32 result;
  u32 (*native)(u32 first);
  u64 steps;
};

constexpr std::string_view straight_text = R"(
  s_add_u32 s4, s0, 9
  s_xor_b32 s5, s4, s1
  s_lshl_b32 s6, s5, 3
  s_lshr_b32 s7, s5, 11
  s_or_b32 s8, s6, s7
  s_and_b32 s9, s8, s4
  s_add_u32 s10, s9, s8
  s_sub_u32 s11, s10, s5
  s_mul_i32 s12, s11, 13
  s_xor_b32 s13, s12, s10
  s_add_u32 s14, s13, s4
  s_addc_u32 s15, s14, s12
  s_lshl_b32 s16, s15, 7
  s_lshr_b32 s17, s15, 25
  s_or_b32 s18, s16, s17
  s_and_b32 s19, s18, s14
  s_cmp_lt_u32 s19, s18
  s_addc_u32 s20, s19, s18
  s_xor_b32 s21, s20, s17
  s_add_u32 s22, s21, s13
  s_sub_u32 s23, s22, s9
  s_mul_i32 s24, s23, 11
  s_lshl_b32 s25, s24, 1
  s_or_b32 s26, s25, s23
  s_and_b32 s27, s26, s20
  s_xor_b32 s28, s27, s22
  s_add_u32 s29, s28, s24
  s_mov_b32 s30, s29
  s_xor_b32 s3, s30, s15
  s_endpgm
)";

u32 straight(u32 s0) {
  const u32 s4 = s0 + 9;
  const u32 s5 = s4;  // s1 is zero
  const u32 s8 = s5 << 3 | s5 >> 11;
  const u32 s9 = s8 & s4;
  const u32 s10 = s9 + s8;
  const u32 s12 = (s10 - s5) * 13;
  const u32 s13 = s12 ^ s10;
  const u32 s14 = s13 + s4;
  const u32 s15 = s14 + s12 + (s14 < s13 ? 1 : 0);
  const u32 s17 = s15 >> 25;
  const u32 s18 = s15 << 7 | s17;
  const u32 s19 = s18 & s14;
  const u32 s20 = s19 + s18 + (s19 < s18 ? 1 : 0);
  const u32 s22 = (s20 ^ s17) + s13;
  const u32 s23 = s22 - s9;
  const u32 s24 = s23 * 11;
  const u32 s27 = (s24 << 1 | s23) & s20;
  return ((s27 ^ s22) + s24) ^ s15;
}

constexpr std::string_view loop_text = R"(
  s_mov_b32 s3, s0
  s_mov_b32 s1, 2
  s_mov_b32 s8, 4
loop:
  s_add_u32 s3, s3, s1
  s_xor_b32 s1, s1, s3
  s_lshl_b32 s2, s3, 3
  s_and_b32 s4, s2, s1
  s_add_u32 s3, s3, s4
  s_sub_u32 s8, s8, 2
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 loop
  s_endpgm
)";

u32 loop(u32 first) {
  u32 a = first;
  u32 b = 2;
  for (u32 count = 4; count != 0; count -= 2) {
    a += b;
    b ^= a;
    a += a << 3 & b;
  }
  return a;
}

/// Decodes and runs the same program repeatedly. Only the storage of the machine is kept between runs.
void fresh(benchmark::State& state, const ShortProgram& work, Dispatch dispatch) {
  const Program program = assemble_program(work.assembly);
  WaveState initial = make_state(program, {});
  core::Machine machine(program, dispatch);
  u32 first = 0;
  for ([[maybe_unused]] const auto round : state) {
    initial.file[0] = ++first;
    machine.set_state(initial);
    u64 steps = machine.run(1000);
    benchmark::DoNotOptimize(steps);
    if (steps != work.steps) return fail(state, "unexpected number of steps");
  }
  if (machine.wave().peek(work.result) != work.native(first)) fail(state, "salu and native code disagree");
  state.SetItemsProcessed(state.iterations());
}

/// The same through the public interface: a new machine each time, and its final state as a value.
void fresh_run(benchmark::State& state, const ShortProgram& work) {
  const Program program = assemble_program(work.assembly);
  WaveState initial = make_state(program, {});
  const Memory memory;
  u32 first = 0;
  u32 result = 0;
  for ([[maybe_unused]] const auto round : state) {
    initial.file[0] = ++first;
    const Outcome outcome = run(program, initial, memory);
    result = outcome.state.file[work.result];
    benchmark::DoNotOptimize(result);
  }
  if (result != work.native(first)) fail(state, "salu and native code disagree");
  state.SetItemsProcessed(state.iterations());
}

void fresh_yardstick(benchmark::State& state, const ShortProgram& work, YardstickLoop loop) {
  const Program program = assemble_program(work.assembly);
  const std::vector<u32>& words = program.code.front().words;
  Yardstick yardstick(loop);
  u32 first = 0;
  for ([[maybe_unused]] const auto round : state) {
    ++first;
    yardstick.set_registers({&first, 1});
    if (!yardstick.decode(words)) return fail(state, "the yardstick does not know an instruction");
    yardstick.run();
  }
  if (yardstick.read(work.result) != work.native(first)) fail(state, "the yardstick and native code disagree");
  state.SetItemsProcessed(state.iterations());
}

constexpr std::array<ShortProgram, 2> programs = {{
    {"fresh_straight_30", straight_text, 3, straight, 30},
    {"fresh_loop_12", loop_text, 3, loop, 20},
}};

}  // namespace

void register_fresh() {
  for (const ShortProgram& work : programs) {
    const std::string prefix = std::string(work.name) + '/';
    for (const auto& [dispatch, name] : dispatches) {
      benchmark::RegisterBenchmark((prefix + std::string(name)).c_str(), fresh, std::cref(work), dispatch);
    }
    benchmark::RegisterBenchmark((prefix + "public_run").c_str(), fresh_run, std::cref(work));
    benchmark::RegisterBenchmark((prefix + "yardstick_goto").c_str(), fresh_yardstick, std::cref(work),
                                 YardstickLoop::direct_goto);
    if (!has_yardstick(YardstickLoop::tail_calls)) continue;
    benchmark::RegisterBenchmark((prefix + "yardstick_tail").c_str(), fresh_yardstick, std::cref(work),
                                 YardstickLoop::tail_calls);
  }
}

}  // namespace salu::bench
