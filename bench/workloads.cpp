#include "workloads.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>

#include "assembler/assembler.hpp"

namespace salu::bench {
namespace {

// Thirteen instructions per iteration, each of which depends on others.
constexpr std::string_view alu_loop_text = R"(
loop:
  s_add_u32 s0, s0, s1
  s_xor_b32 s2, s2, s0
  s_lshl_b32 s3, s0, 5
  s_lshr_b32 s4, s2, 7
  s_and_b32 s5, s3, s4
  s_add_u32 s1, s1, s5
  s_or_b32 s6, s2, s3
  s_sub_u32 s7, s6, s4
  s_cmp_lt_u32 s7, s0
  s_addc_u32 s2, s2, 0
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 loop
  s_endpgm
)";

u32 alu_loop(const Inputs& s) {
  u32 a = s[0];
  u32 b = s[1];
  u32 c = s[2];
  u32 count = s[8];
  do {
    a += b;
    c ^= a;
    const u32 left = a << 5;
    const u32 right = c >> 7;
    b += left & right;
    const u32 difference = (c | left) - right;
    c += difference < a ? 1 : 0;
  } while (--count != 0);
  return c;
}

// Steps to 1 for all numbers up to s1: branches that are hard to predict.
constexpr std::string_view collatz_text = R"(
next:
  s_mov_b32 s2, s0
step:
  s_cmp_eq_u32 s2, 1
  s_cbranch_scc1 done
  s_and_b32 s4, s2, 1
  s_cbranch_scc0 even
  s_mul_i32 s2, s2, 3
  s_add_u32 s2, s2, 1
  s_branch count
even:
  s_lshr_b32 s2, s2, 1
count:
  s_add_u32 s3, s3, 1
  s_branch step
done:
  s_add_u32 s0, s0, 1
  s_cmp_le_u32 s0, s1
  s_cbranch_scc1 next
  s_endpgm
)";

u32 collatz(const Inputs& s) {
  u32 steps = s[3];
  for (u32 first = s[0]; first <= s[1]; ++first) {
    for (u32 x = first; x != 1; ++steps) x = (x & 1) != 0 ? x * 3 + 1 : x >> 1;
  }
  return steps;
}

// Fibonacci numbers by double recursion. The stack is in s[16:101], four SGPRs a frame, and m0 points into it.
constexpr std::string_view calls_text = R"(
  s_mov_b32 m0, 0
again:
  s_mov_b32 s0, s6
  s_call_b64 s[2:3], fibonacci
  s_add_u32 s7, s7, s1
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 again
  s_endpgm

fibonacci:                          // s1 = fibonacci(s0), return address in s[2:3]
  s_cmp_lt_u32 s0, 2
  s_cbranch_scc1 leaf
  s_movreld_b64 s[16:17], s[2:3]
  s_movreld_b32 s18, s0
  s_add_u32 m0, m0, 4
  s_sub_u32 s0, s0, 1
  s_call_b64 s[2:3], fibonacci
  s_movrels_b32 s0, s14             // s18 of the current frame
  s_movreld_b32 s15, s1             // s19 of the current frame
  s_sub_u32 s0, s0, 2
  s_call_b64 s[2:3], fibonacci
  s_movrels_b32 s4, s15
  s_sub_u32 m0, m0, 4
  s_add_u32 s1, s1, s4
  s_movrels_b64 s[2:3], s[16:17]
  s_setpc_b64 s[2:3]
leaf:
  s_mov_b32 s1, s0
  s_setpc_b64 s[2:3]
)";

[[gnu::noinline]] u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

u32 calls(const Inputs& s) {
  u32 sum = s[7];
  for (u32 count = s[8]; count != 0; --count) sum += fibonacci(s[6]);
  return sum;
}

// A 64-bit random number generator whose values are counted, scanned, extracted and selected.
constexpr std::string_view bit_tricks_text = R"(
loop:
  s_lshl_b64 s[10:11], s[0:1], 13
  s_xor_b64 s[0:1], s[0:1], s[10:11]
  s_lshr_b64 s[10:11], s[0:1], 7
  s_xor_b64 s[0:1], s[0:1], s[10:11]
  s_lshl_b64 s[10:11], s[0:1], 17
  s_xor_b64 s[0:1], s[0:1], s[10:11]
  s_bcnt1_i32_b64 s4, s[0:1]
  s_ff1_i32_b64 s5, s[0:1]
  s_flbit_i32_b64 s6, s[0:1]
  s_andn2_b64 s[10:11], s[0:1], s[2:3]
  s_bfe_u64 s[12:13], s[0:1], 0x140009    // 20 bits from bit 9 on
  s_or_b64 s[2:3], s[10:11], s[12:13]
  s_add_u32 s7, s7, s4
  s_cmp_gt_u32 s5, s6
  s_cselect_b32 s4, s5, s6
  s_xor_b32 s7, s7, s4
  s_add_u32 s7, s7, s2
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 loop
  s_endpgm
)";

u32 bit_tricks(const Inputs& s) {
  u64 x = s[0] | u64{s[1]} << 32;
  u64 y = s[2] | u64{s[3]} << 32;
  u32 sum = s[7];
  u32 count = s[8];
  do {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    y = (x & ~y) | (x >> 9 & 0xfffff);
    const int first = std::countr_zero(x);
    const int leading = std::countl_zero(x);
    sum += static_cast<u32>(std::popcount(x));
    sum ^= static_cast<u32>(first > leading ? first : leading);
    sum += static_cast<u32>(y);
  } while (--count != 0);
  return sum;
}

// Four nested forks on masks that change in every iteration, joined at the end: up to sixteen paths through the same
// code.
constexpr std::string_view fork_join_text = R"(
  s_mov_b32 s40, 0                  // the depth of the control stack to join at
  s_mov_b32 s32, s8
  s_mov_b64 s[24:25], s[0:1]
  s_mov_b32 s33, s2
turn:
  s_lshl_b64 s[26:27], s[24:25], 13
  s_xor_b64 s[24:25], s[24:25], s[26:27]
  s_lshr_b64 s[26:27], s[24:25], 7
  s_xor_b64 s[24:25], s[24:25], s[26:27]
  s_lshl_b64 s[26:27], s[24:25], 17
  s_xor_b64 s[24:25], s[24:25], s[26:27]
  s_lshr_b64 s[26:27], s[24:25], 29
  s_lshr_b64 s[28:29], s[24:25], 11
  s_xor_b64 s[28:29], s[28:29], s[24:25]
  s_lshl_b64 s[30:31], s[24:25], 23
  s_mov_b64 exec, -1
  s_cbranch_i_fork s[24:25], pass1
  s_add_u32 s33, s33, exec_lo
  s_branch fork2
pass1:
  s_xor_b32 s33, s33, exec_hi
fork2:
  s_cbranch_i_fork s[28:29], pass2
  s_add_u32 s33, s33, exec_hi
  s_branch fork3
pass2:
  s_xor_b32 s33, s33, exec_lo
fork3:
  s_cbranch_i_fork s[30:31], pass3
  s_mul_i32 s33, s33, 5
  s_branch fork4
pass3:
  s_add_u32 s33, s33, 7
fork4:
  s_cbranch_i_fork s[26:27], pass4
  s_sub_u32 s33, s33, exec_lo
  s_branch end
pass4:
  s_xor_b32 s33, s33, exec_lo
end:
  s_cbranch_join s40
  s_sub_u32 s32, s32, 1
  s_cmp_lg_u32 s32, 0
  s_cbranch_scc1 turn
  s_mov_b32 s34, s33
  s_endpgm
)";

// Sums of 64 lanes: v0 = v0 + v1, v1 = v0 + v1. The words are v_mbcnt_lo_u32_b32 v0, -1, 0 and v_mbcnt_hi_u32_b32 v0,
// -1, v0, which set v0 to the lane number, eight times v_add_u32_e32 v1, v0, v1 and v_add_u32_e32 v0, v1, v0, and
// v_readlane_b32 s3, v0, 63.
constexpr std::string_view vector_sums_text = R"(
  v_mbcnt_lo_u32_b32 v0, -1, 0
  v_mbcnt_hi_u32_b32 v0, -1, v0
loop:
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  v_add_u32_e32 v1, v0, v1
  v_add_u32_e32 v0, v1, v0
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 loop
  v_readlane_b32 s3, v0, 63
  s_endpgm
)";

u32 vector_sums(const Inputs& s) {
  constexpr u32 lanes = 64;
  std::array<u32, lanes> v0{};
  std::array<u32, lanes> v1{};
  for (u32 lane = 0; lane < lanes; ++lane) v0[lane] = lane;
  for (u32 count = s[8]; count != 0; --count) {
    for (u32 i = 0; i < 8; ++i) {
      for (u32 lane = 0; lane < lanes; ++lane) v1[lane] += v0[lane];
      for (u32 lane = 0; lane < lanes; ++lane) v0[lane] += v1[lane];
    }
  }
  return v0[lanes - 1];
}

// The sum of the dwords of a buffer, s8 times: one load with its address arithmetic in six instructions.
constexpr std::string_view loads_text = R"(
turn:
  s_mov_b32 s4, s10
  s_mov_b32 s5, s11
next:
  s_load_dword s7, s[4:5], 0x0
  s_add_u32 s4, s4, 4
  s_addc_u32 s5, s5, 0
  s_add_u32 s0, s0, s7
  s_cmp_lg_u32 s4, s6
  s_cbranch_scc1 next
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 turn
  s_endpgm
)";

u32 loads(const Inputs& s) {
  u32 sum = s[0];
  for (u32 count = s[8]; count != 0; --count) {
    // One dword at a time, as the guest loads them.
    for (const volatile u32& dword : workload_data()) sum += dword;
  }
  return sum;
}

constexpr u32 lo(u64 value) { return static_cast<u32>(value); }
constexpr u32 hi(u64 value) { return static_cast<u32>(value >> 32); }

/// One side of a fork, up to the next fork.
u32 fork_side(u32 level, bool pass, u64 exec, u32 sum) {
  switch (level) {
    case 0:
      return pass ? sum ^ hi(exec) : sum + lo(exec);
    case 1:
      return pass ? sum ^ lo(exec) : sum + hi(exec);
    case 2:
      return pass ? sum + 7 : sum * 5;
    default:
      return pass ? sum ^ lo(exec) : sum - lo(exec);
  }
}

/// Both sides of a fork: the side with fewer lanes first; on a tie the passing side.
u32 fork(u32 level, const std::array<u64, 4>& masks, u64 exec, u32 sum) {
  if (level == masks.size()) return sum;
  const auto run = [&](bool pass, u64 lanes) {
    sum = fork(level + 1, masks, lanes, fork_side(level, pass, lanes, sum));
  };
  const u64 pass = exec & masks[level];
  const u64 fail = exec & ~masks[level];
  const bool pass_first = std::popcount(pass) <= std::popcount(fail);
  if (pass == exec) {
    run(true, pass);
  } else if (fail == exec) {
    run(false, fail);
  } else {
    run(pass_first, pass_first ? pass : fail);
    run(!pass_first, pass_first ? fail : pass);
  }
  return sum;
}

u32 fork_join(const Inputs& s) {
  u64 x = s[0] | u64{s[1]} << 32;
  u32 sum = s[2];
  u32 count = s[8];
  do {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    sum = fork(0, {x, x ^ x >> 11, x << 23, x >> 29}, ~u64{0}, sum);
  } while (--count != 0);
  return sum;
}

constexpr std::array<Workload, 7> all = {{
    {.name = "alu_loop",
     .assembly = alu_loop_text,
     .inputs = {1, 0x9e3779b9, 7, 0, 0, 0, 0, 0, 200'000},
     .result = 2,
     .native = alu_loop,
     .yardstick = true},
    {.name = "collatz",
     .assembly = collatz_text,
     .inputs = {1, 5'000},
     .result = 3,
     .native = collatz,
     .yardstick = true},
    {.name = "recursive_calls",
     .assembly = calls_text,
     .inputs = {0, 0, 0, 0, 0, 0, 20, 0, 10},
     .result = 7,
     .native = calls,
     .yardstick = false},
    {.name = "bit_tricks_64",
     .assembly = bit_tricks_text,
     .inputs = {0x12345679, 0x9e3779b9, 0, 0, 0, 0, 0, 0, 150'000},
     .result = 7,
     .native = bit_tricks,
     .yardstick = false},
    {.name = "fork_join",
     .assembly = fork_join_text,
     .inputs = {0x12345679, 0x9e3779b9, 7, 0, 0, 0, 0, 0, 20'000},
     .result = 34,
     .native = fork_join,
     .yardstick = false},
    {.name = "loads",
     .assembly = loads_text,
     .inputs = {0, 0, 0, 0, 0, 0, data_address + data_bytes, 0, 20, 0, data_address, 0},
     .result = 0,
     .native = loads,
     .yardstick = true},
    {.name = "vector_sums",
     .assembly = vector_sums_text,
     .inputs = {0, 0, 0, 0, 0, 0, 0, 0, 20'000},
     .result = 3,
     .native = vector_sums,
     .yardstick = false},
}};

}  // namespace

std::span<const Workload> workloads() { return all; }

Program make_program(std::vector<u32> words) {
  constexpr u64 base = 0x1000;
  Program program;
  program.target = find_target("gfx900");
  program.code.push_back({base, std::move(words)});
  program.entry = base;
  return program;
}

Program assemble_program(std::string_view assembly) {
  assembler::Options options;
  options.file = "benchmark";
  assembler::Assembly result = assembler::assemble(assembly, options);
  if (!result.errors.empty()) {
    std::fprintf(stderr, "%s\n", result.errors.front().to_string().c_str());
    std::exit(1);
  }
  return make_program(std::move(result.words));
}

std::span<const u32> workload_data() {
  static const std::vector<u32> data = [] {
    std::vector<u32> dwords(data_bytes / 4);
    u32 value = 1;
    for (u32& dword : dwords) dword = value = value * 1664525 + 1013904223;
    return dwords;
  }();
  return data;
}

Memory make_memory(const Program& program) {
  Memory memory;
  if (!memory.add_region({data_address, data_bytes}) || !place_code(program, memory)) std::abort();
  const std::span<const u32> data = workload_data();
  memory.write(data_address, {reinterpret_cast<const u8*>(data.data()), data.size_bytes()});
  return memory;
}

WaveState make_state(const Program& program, const Inputs& inputs) {
  WaveState state = initial_state(program.generation());
  std::copy(inputs.begin(), inputs.end(), state.file.begin());
  state.pc = program.entry;
  return state;
}

}  // namespace salu::bench
