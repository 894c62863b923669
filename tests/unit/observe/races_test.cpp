#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"
#include "work_group_kernels.hpp"

// Data races of waves and lanes, and divergent barriers. Each wave of the kernels knows s3, its first work-item, and
// s2, its work-group.
namespace salu::test {
namespace {

using testing::HasSubstr;

constexpr const char* two_waves = "workgroup_size: 128, grid_size: 128, waves: all";
constexpr const char* two_groups = "workgroup_size: 64, grid_size: 128, waves: all";
constexpr const char* two_of_two = "workgroup_size: 128, grid_size: 256, waves: all";
constexpr const char* one_wave = "workgroup_size: 64, grid_size: 64, waves: all";

Outcome run_checked(const std::string& code, const std::string& launch, const std::string& more = {}) {
  return run_text(kernel(code, launch, "checks: [races]\nlimits: {max_steps: 200000}\n" + more));
}

/// The waves take both sides: the first one `first`, the others `others`.
std::string split(const std::string& first, const std::string& others, const std::string& rest = {}) {
  return "  s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 .Lothers\n" + first + "  s_branch .Lmet\n.Lothers:\n" + others +
         ".Lmet:\n" + rest + "  s_endpgm";
}
/// The same for work-groups.
std::string split_groups(const std::string& first, const std::string& others, const std::string& rest = {}) {
  return "  s_cmp_lg_u32 s2, 0\n  s_cbranch_scc1 .Lothers\n" + first + "  s_branch .Lmet\n.Lothers:\n" + others +
         ".Lmet:\n" + rest + "  s_endpgm";
}

// v5 is 0, v6 the number of the wave's first work-item.
const std::string zero = "  v_mov_b32_e32 v5, 0\n  v_mov_b32_e32 v6, s3\n";
const std::string one_lane = "  s_mov_b64 exec, 1\n";
const std::string barrier = "  s_waitcnt vmcnt(0) lgkmcnt(0)\n  s_barrier\n";
const std::string wait_lds = "  s_waitcnt lgkmcnt(0)\n";
const std::string wait_memory = "  s_waitcnt vmcnt(0)\n";
const std::string write_own = "  ds_write_b32 v1, v0\n";
const std::string read_mirror = "  v_sub_u32_e32 v2, 508, v1\n  ds_read_b32 v3, v2\n  s_waitcnt lgkmcnt(0)\n";
const std::string store_own = "  global_store_dword v1, v0, s[4:5]\n";
const std::string load_mirror =
    "  v_sub_u32_e32 v2, 508, v1\n  global_load_dword v3, v2, s[4:5]\n  s_waitcnt vmcnt(0)\n";
// The data is at out[0] to out[63], the flag at offset 0x1000, and a lock at 0x1004.
const std::string publish = "  s_mov_b32 s6, 1\n  s_atomic_add s6, s[4:5], 0x1000\n";
const std::string poll_by_atomic =
    ".Lpoll:\n  s_mov_b32 s6, 0\n  s_atomic_add s6, s[4:5], 0x1000 glc\n  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s6, 0\n"
    "  s_cbranch_scc1 .Lpoll\n";
const std::string poll_by_load =
    ".Lpoll:\n  s_load_dword s6, s[4:5], 0x1000 glc\n  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s6, 0\n"
    "  s_cbranch_scc1 .Lpoll\n";
const std::string poll_by_plain_load =
    ".Lpoll:\n  s_load_dword s6, s[4:5], 0x1000\n  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s6, 0\n  s_cbranch_scc1 "
    ".Lpoll\n";
const std::string load_data =
    "  v_and_b32_e32 v2, 0xfc, v1\n  global_load_dword v3, v2, s[4:5]\n  s_waitcnt vmcnt(0)\n";
const std::string lock =
    ".Llock:\n  s_mov_b32 s6, 1\n  s_mov_b32 s7, 0\n  s_atomic_cmpswap s[6:7], s[4:5], 0x1004 glc\n"
    "  s_waitcnt lgkmcnt(0)\n  s_cmp_lg_u32 s6, 0\n  s_cbranch_scc1 .Llock\n";
const std::string unlock = "  s_mov_b32 s6, 0\n  s_atomic_swap s6, s[4:5], 0x1004\n";
const std::string count_up =
    "  global_load_dword v3, v5, s[4:5]\n  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v3, 1, v3\n"
    "  global_store_dword v5, v3, s[4:5]\n";
const std::string ticket =
    "  s_mov_b32 s6, 1\n  s_atomic_add s6, s[4:5], 0x1008 glc\n  s_waitcnt lgkmcnt(0)\n  s_mov_b32 s8, s6\n.Lturn:\n"
    "  s_load_dword s7, s[4:5], 0x100c glc\n  s_waitcnt lgkmcnt(0)\n  s_cmp_lg_u32 s7, s8\n  s_cbranch_scc1 .Lturn\n";
const std::string next_ticket =
    "  s_add_u32 s7, s8, 1\n  v_mov_b32_e32 v7, s7\n  v_mov_b32_e32 v8, 0x100c\n"
    "  global_store_dword v8, v7, s[4:5]\n";
/// Each group stores a value to its own dword; the last one adds them.
std::string last_group(const std::string& before, const std::string& after = {}) {
  return zero + one_lane +
         "  s_lshl_b32 s7, s2, 2\n  v_mov_b32_e32 v7, s7\n  v_mov_b32_e32 v8, 5\n"
         "  global_store_dword v7, v8, s[4:5]\n" +
         before +
         "  s_movk_i32 s6, 0x100\n  s_atomic_inc s6, s[4:5], 0x1000 glc\n  s_waitcnt lgkmcnt(0)\n"
         "  s_cmp_lg_u32 s6, 1\n  s_cbranch_scc1 .Lend2\n"
         "  global_load_dwordx2 v[3:4], v5, s[4:5]\n  s_waitcnt vmcnt(0)\n" +
         after + ".Lend2:\n  s_endpgm";
}

struct Program {
  const char* name;
  std::string code;
  const char* launch = two_waves;
};

const std::vector<Program> racy = {
    {"LDS is read without a barrier", write_own + wait_lds + read_mirror + "  s_endpgm"},
    {"LDS is overwritten without a barrier", read_mirror + write_own + "  s_endpgm"},
    {"both waves store to a dword of LDS", zero + one_lane + "  ds_write_b32 v5, v6\n  s_endpgm"},
    {"both waves store to a byte of LDS", zero + one_lane + "  ds_write_b8 v5, v6 offset:3\n  s_endpgm"},
    {"a byte is stored, a dword is loaded",
     split(zero + one_lane + "  ds_write_b8 v5, v0 offset:1\n", zero + "  ds_read_b32 v3, v5\n")},
    {"the second address of a store", split(zero + one_lane + "  ds_write2_b32 v5, v0, v0 offset0:8 offset1:9\n",
                                            zero + "  ds_read_b32 v3, v5 offset:36\n")},
    {"the second address of a load", split(zero + one_lane + "  ds_write_b32 v5, v0 offset:36\n",
                                           zero + "  ds_read2_b32 v[3:4], v5 offset0:8 offset1:9\n")},
    {"the upper half of 64 bits",
     split(zero + one_lane + "  ds_write_b32 v5, v0 offset:12\n", zero + "  ds_read_b64 v[3:4], v5 offset:8\n")},
    {"the last dword of 128 bits",
     split(zero + one_lane + "  v_mov_b32_e32 v7, 7\n  global_store_dword v5, v7, s[4:5] offset:12\n",
           zero + "  global_load_dwordx4 v[8:11], v5, s[4:5]\n")},
    {"a loop without the second barrier",
     "  s_mov_b32 s6, 0\n.Lnext:\n" + write_own + barrier + read_mirror +
         "  v_add_u32_e32 v0, 1, v0\n  s_add_u32 s6, s6, 1\n  s_cmp_lg_u32 s6, 3\n  s_cbranch_scc1 .Lnext\n  s_endpgm"},
    {"the barrier is before the store", barrier + write_own + wait_lds + read_mirror + "  s_endpgm"},
    {"one wave reads before the barrier", split(write_own + barrier, read_mirror + barrier)},
    {"both waves store to a dword", zero + one_lane + "  global_store_dword v5, v6, s[4:5]\n  s_endpgm"},
    {"memory is read without a barrier", store_own + wait_memory + load_mirror + "  s_endpgm"},
    {"memory is overwritten without a barrier", load_mirror + store_own + "  s_endpgm"},
    {"groups store to a dword",
     zero + one_lane + "  v_mov_b32_e32 v6, s2\n  global_store_dword v5, v6, s[4:5]\n  s_endpgm", two_groups},
    {"a group reads what another one stores", split_groups(store_own, load_data), two_groups},
    {"a group overwrites what another one reads", split_groups(load_data, store_own), two_groups},
    {"barriers do not order groups",
     split_groups(zero + one_lane + "  v_mov_b32_e32 v6, 9\n  global_store_dword v5, v6, s[4:5]\n" + barrier,
                  barrier + zero + "  global_load_dword v3, v5, s[4:5]\n"),
     two_of_two},
    {"lanes store to a dword", zero + "  global_store_dword v5, v0, s[4:5]\n  s_endpgm", one_wave},
    {"lanes store to a dword of LDS",
     "  v_lshrrev_b32_e32 v2, 1, v0\n  v_lshlrev_b32_e32 v2, 2, v2\n  ds_write_b32 v2, v0\n  s_endpgm", one_wave},
    {"lanes store to a byte", zero + "  global_store_byte v5, v0, s[4:5] offset:5\n  s_endpgm", one_wave},
    {"lanes overlap",
     "  v_lshlrev_b32_e32 v2, 1, v0\n  v_add_u32_e32 v3, 0x10000, v0\n"
     "  v_lshlrev_b32_e32 v3, 3, v3\n  global_store_dword v2, v3, s[4:5]\n  s_endpgm",
     one_wave},
    {"lanes in descending order overlap",
     "  v_sub_u32_e32 v2, 63, v0\n  v_and_b32_e32 v2, 60, v2\n  global_store_dword v2, v0, s[4:5]\n  s_endpgm",
     one_wave},
    {"FLAT stores to LDS",
     split("  s_getreg_b32 s8, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\n  s_lshl_b32 s8, s8, 16\n  v_mov_b32_e32 v2, v1\n"
           "  v_mov_b32_e32 v3, s8\n  flat_store_dword v[2:3], v0\n",
           zero + "  ds_read_b32 v3, v5\n")},
    {"FLAT stores to memory",
     split("  v_mov_b32_e32 v3, s5\n  v_add_u32_e32 v2, s4, v1\n  flat_store_dword v[2:3], v0\n", load_data)},
    {"a scalar store", split("  s_movk_i32 s6, 7\n  s_store_dword s6, s[4:5], 0x8\n", load_data)},
    {"a scalar load", split(store_own, "  s_load_dword s6, s[4:5], 0x8\n  s_waitcnt lgkmcnt(0)\n")},
    {"a buffer", split("  s_mov_b64 s[8:9], s[4:5]\n  s_movk_i32 s10, 0x1000\n  s_mov_b32 s11, 0x27000\n"
                       "  buffer_store_dword v0, v1, s[8:11], 0 offen\n",
                       load_data)},
    {"an atomic and a plain store",
     split(publish, zero + "  v_mov_b32_e32 v7, 0x1000\n  global_store_dword v7, v5, s[4:5]\n")},
    {"an atomic and a plain load", split(publish, poll_by_plain_load)},
    {"a plain load and an atomic", split("  s_load_dword s6, s[4:5], 0x1000\n", publish)},
    {"vector atomics and a plain load",
     split(zero + "  global_atomic_add v5, v0, s[4:5]\n", zero + "  global_load_dword v3, v5, s[4:5]\n")},
    {"vector atomics and a plain load by groups",
     split_groups(zero + "  global_atomic_add v5, v0, s[4:5]\n", zero + "  global_load_dword v3, v5, s[4:5]\n"),
     two_groups},
    {"atomics of LDS and a plain load", split(zero + "  ds_add_u32 v5, v0\n", zero + "  ds_read_b32 v3, v5\n")},
    {"the producer does not wait for its stores", split(store_own + publish, poll_by_atomic + load_data)},
    {"the producer publishes first", split(wait_memory + publish + store_own, poll_by_atomic + load_data)},
    {"the consumer polls with a plain load", split(store_own + wait_memory + publish, poll_by_plain_load)},
    {"the flag is a store that does not wait",
     split(store_own + "  v_mov_b32_e32 v7, 0x1000\n" + one_lane + "  global_store_dword v7, v7, s[4:5]\n",
           poll_by_load)},
    {"the flag is read by a plain load", split(store_own + "  v_mov_b32_e32 v7, 0x1000\n" + wait_memory + one_lane +
                                                   "  global_store_dword v7, v7, s[4:5]\n",
                                               poll_by_plain_load)},
    {"an atomic without a result acquires nothing", split(store_own + wait_memory + publish,
                                                          "  s_mov_b32 s8, 0\n.Ldelay:\n  s_add_u32 s8, s8, 1\n"
                                                          "  s_cmp_lg_u32 s8, 9\n  s_cbranch_scc1 .Ldelay\n" +
                                                              publish + load_data)},
    {"another flag",
     split(store_own + wait_memory + publish,
           "  s_mov_b32 s6, 0\n  s_atomic_add s6, s[4:5], 0x1010 glc\n  s_waitcnt lgkmcnt(0)\n" + load_data)},
    {"the last group does not see the stores", last_group({}), two_groups},
    {"a counter without a lock", zero + one_lane + count_up + "  s_endpgm"},
    {"a wave ignores the lock", zero + one_lane + split(lock + count_up + wait_memory + unlock, count_up)},
    {"the lock is released too early", zero + one_lane + lock + count_up + unlock + "  s_endpgm"},
    {"a ticket is passed on too early",
     zero + one_lane + ticket + count_up + "  s_add_u32 s7, s8, 1\n  s_store_dword s7, s[4:5], 0x100c\n  s_endpgm"},
};

const std::vector<Program> race_free = {
    {"LDS with a barrier", write_own + barrier + read_mirror + "  s_endpgm"},
    {"LDS is overwritten after a barrier", read_mirror + barrier + write_own + "  s_endpgm"},
    {"each wave has its dwords of LDS", write_own + wait_lds + "  ds_read_b32 v3, v1\n  s_endpgm"},
    {"each wave has its bytes of a dword",
     split(zero + one_lane + "  ds_write_b8 v5, v6 offset:1\n", zero + one_lane + "  ds_write_b8 v5, v6 offset:2\n")},
    {"bytes and halves of a dword",
     split(zero + one_lane + "  global_store_short v5, v6, s[4:5] offset:2\n",
           zero + one_lane + "  global_store_byte v5, v6, s[4:5]\n  global_load_ubyte v3, v5, s[4:5] offset:1\n")},
    {"each work-item has its byte", "  global_store_byte v0, v0, s[4:5]\n  s_endpgm"},
    {"a loop with two barriers",
     "  s_mov_b32 s6, 0\n.Lnext:\n" + write_own + barrier + read_mirror + barrier +
         "  v_add_u32_e32 v0, 1, v0\n  s_add_u32 s6, s6, 1\n  s_cmp_lg_u32 s6, 3\n  s_cbranch_scc1 .Lnext\n  s_endpgm"},
    {"two buffers in turn",
     "  s_mov_b32 s6, 0\n.Lnext:\n" + write_own + barrier +
         "  v_and_b32_e32 v2, 0x3ff, v1\n  v_sub_u32_e32 v2, 508, v2\n  v_and_b32_e32 v4, 0x400, v1\n"
         "  v_add_u32_e32 v2, v2, v4\n  ds_read_b32 v3, v2\n  v_xor_b32_e32 v1, 0x400, v1\n"
         "  v_add_u32_e32 v0, 1, v0\n  s_add_u32 s6, s6, 1\n  s_cmp_lg_u32 s6, 4\n  s_cbranch_scc1 .Lnext\n"
         "  s_endpgm"},
    {"equal values in LDS", zero + "  ds_write_b32 v5, v5\n  v_mov_b32_e32 v6, 7\n  ds_write_b32 v5, v6 offset:8\n"
                                   "  s_endpgm"},
    {"equal values", zero + "  v_mov_b32_e32 v6, 7\n  global_store_dword v5, v6, s[4:5]\n  s_endpgm"},
    {"equal values of groups", zero + "  v_mov_b32_e32 v6, 7\n  global_store_dword v5, v6, s[4:5]\n  s_endpgm",
     two_groups},
    {"all waves read", load_data + "  s_endpgm", two_of_two},
    {"groups have their own memory",
     "  s_lshl_b32 s7, s2, 8\n  v_add_u32_e32 v2, s7, v1\n  global_store_dword v2, v0, s[4:5]\n  s_endpgm", two_groups},
    {"groups have their own LDS",
     zero + "  v_mov_b32_e32 v6, s2\n  ds_write_b32 v5, v6\n  ds_read_b32 v3, v5\n  s_endpgm", two_groups},
    {"a wave reads what it stored", store_own + "  global_load_dword v3, v1, s[4:5]\n  s_waitcnt vmcnt(0)\n" +
                                        "  global_store_dword v1, v3, s[4:5] offset:1024\n  s_endpgm"},
    {"memory with a barrier", store_own + barrier + load_mirror + "  s_endpgm"},
    {"memory is overwritten after a barrier", load_mirror + barrier + store_own + "  s_endpgm"},
    {"FLAT stores to LDS",
     split("  s_getreg_b32 s8, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\n  s_lshl_b32 s8, s8, 16\n  v_mov_b32_e32 v2, v1\n"
           "  v_mov_b32_e32 v3, s8\n  flat_store_dword v[2:3], v0\n",
           {}, barrier + zero + "  ds_read_b32 v3, v5\n")},
    {"a scalar store before a barrier",
     split("  s_movk_i32 s6, 7\n  s_store_dword s6, s[4:5], 0x8\n", {}, barrier + load_data)},
    {"atomics of all waves", publish + publish + "  s_endpgm", two_of_two},
    {"vector atomics of all waves",
     zero + "  global_atomic_add v5, v0, s[4:5]\n  global_atomic_umax v6, v5, v0, s[4:5] offset:4 glc\n  s_endpgm",
     two_of_two},
    {"a histogram",
     "  v_and_b32_e32 v2, 0x1c, v1\n  v_mov_b32_e32 v3, 1\n  ds_add_u32 v2, v3\n" + barrier +
         "  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  global_atomic_add v2, v4, s[4:5]\n  s_endpgm",
     two_of_two},
    {"lanes store equal values", zero + "  global_store_dword v5, v6, s[4:5]\n  s_endpgm", one_wave},
    {"lanes overlap with equal bytes",
     "  v_lshlrev_b32_e32 v2, 1, v0\n  v_mov_b32_e32 v3, 0x12341234\n"
     "  global_store_dword v2, v3, s[4:5]\n  s_endpgm",
     one_wave},
    {"lanes in descending order", "  v_sub_u32_e32 v2, 252, v1\n  global_store_dword v2, v0, s[4:5]\n  s_endpgm",
     one_wave},
    {"atomics of lanes", zero + "  global_atomic_swap v5, v0, s[4:5]\n  s_endpgm", one_wave},
    {"a producer and a consumer", split(store_own + wait_memory + publish, poll_by_atomic + load_data)},
    {"the consumer polls with coherent loads", split(store_own + wait_memory + publish, poll_by_load + load_data)},
    {"the flag is stored by one lane", split(store_own + "  v_mov_b32_e32 v7, 0x1000\n" + wait_memory + one_lane +
                                                 "  global_store_dword v7, v7, s[4:5]\n",
                                             poll_by_load + load_data)},
    {"the flag is a scalar store", split(store_own + wait_memory +
                                             "  s_movk_i32 s6, 1\n"
                                             "  s_store_dword s6, s[4:5], 0x1000 glc\n",
                                         poll_by_load + load_data)},
    {"the flag is stored again by the consumer",
     split(
         store_own + "  v_mov_b32_e32 v7, 0x1000\n" + wait_memory + one_lane + "  global_store_dword v7, v7, s[4:5]\n",
         poll_by_load + zero + one_lane +
             "  v_mov_b32_e32 v7, 0x1000\n  v_mov_b32_e32 v8, 2\n"
             "  v_mov_b32_e32 v9, v8\n  global_store_dwordx2 v7, v[8:9], s[4:5]\n")},
    {"a chain of three waves",
     "  s_lshr_b32 s9, s3, 6\n.Lwait:\n  s_load_dword s7, s[4:5], 0x1000 glc\n  s_waitcnt lgkmcnt(0)\n"
     "  s_cmp_lg_u32 s7, s9\n  s_cbranch_scc1 .Lwait\n" +
         zero + one_lane + count_up + wait_memory + publish + "  s_endpgm",
     "workgroup_size: 192, grid_size: 192, waves: all"},
    {"groups in a chain",
     ".Lwait:\n  s_load_dword s7, s[4:5], 0x1000 glc\n  s_waitcnt lgkmcnt(0)\n"
     "  s_cmp_lg_u32 s7, s2\n  s_cbranch_scc1 .Lwait\n" +
         zero + one_lane + count_up + wait_memory + publish + "  s_endpgm",
     two_groups},
    {"the last group adds", last_group(wait_memory), two_groups},
    {"the last group resets the counter",
     last_group(wait_memory, "  v_mov_b32_e32 v7, 0x1000\n  global_store_dword v7, v5, s[4:5]\n"), two_groups},
    {"a lock", zero + one_lane + lock + count_up + wait_memory + unlock + "  s_endpgm",
     "workgroup_size: 256, grid_size: 512, waves: all"},
    {"tickets", zero + one_lane + ticket + count_up + wait_memory + next_ticket + "  s_endpgm", two_of_two},
    {"a wave ends and publishes before the others meet",
     split(store_own + wait_memory + publish, poll_by_atomic + load_data + store_own)},
    {"LDS atomics order accesses of LDS",
     split("  ds_write_b32 v1, v0\n  v_mov_b32_e32 v7, 1\n  v_mov_b32_e32 v8, 0x800\n" + one_lane +
               "  ds_add_u32 v8, v7\n",
           "  v_mov_b32_e32 v8, 0x800\n  v_mov_b32_e32 v7, 0\n.Lpoll:\n  ds_add_rtn_u32 v9, v8, v7\n" + wait_lds +
               "  v_readfirstlane_b32 s6, v9\n  s_cmp_eq_u32 s6, 0\n  s_cbranch_scc1 .Lpoll\n  v_and_b32_e32 v2, 0xfc, "
               "v1\n"
               "  ds_read_b32 v3, v2\n")},
};

std::vector<Warning> races_of(const Outcome& outcome) {
  std::vector<Warning> races;
  std::ranges::copy_if(outcome.warnings, std::back_inserter(races),
                       [](const Warning& warning) { return warning.kind == WarningKind::data_race; });
  return races;
}

TEST(Races, AreFound) {
  for (const Program& program : racy) {
    const Outcome outcome = run_checked(program.code, program.launch);
    EXPECT_FALSE(races_of(outcome).empty()) << program.name << ": " << outcome.stop.detail;
  }
  EXPECT_GE(racy.size(), 30U);
}

TEST(Races, AreNotFoundWhereNoneExist) {
  for (const Program& program : race_free) {
    for (const char* const schedule :
         {"", "schedule: {seed: 1, slice: 5}\n", "schedule: {groups: concurrent, seed: 2, slice: 30}\n"}) {
      const Outcome outcome = run_checked(program.code, program.launch, schedule);
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << program.name << ": " << outcome.stop.detail;
      for (const Warning& warning : races_of(outcome)) ADD_FAILURE() << program.name << ": " << warning.detail;
    }
  }
  EXPECT_GE(race_free.size(), 30U);
}

TEST(Races, NameBothInstructions) {
  const Outcome outcome = run_checked(split(write_own, read_mirror), two_waves);
  ASSERT_EQ(races_of(outcome).size(), 1U);
  const Warning& warning = outcome.warnings[0];
  EXPECT_EQ(warning.instruction, "ds_read_b32 v3, v2");
  ASSERT_TRUE(warning.race && warning.race->place);
  EXPECT_EQ(warning.race->other_pc, warning.pc - 20);
  EXPECT_EQ(warning.race->wave, 1U);
  EXPECT_EQ(warning.race->other_wave, 0U);
  const Race::Place& place = *warning.race->place;
  EXPECT_EQ(place.space, Race::Space::lds);
  EXPECT_EQ(place.lane, 0U);
  EXPECT_EQ(place.other_lane, 63U);
  EXPECT_EQ(place.address, 252U);
  EXPECT_EQ(place.size_bytes, 4U);
  EXPECT_EQ(place.name, "");
  EXPECT_THAT(
      warning.detail,
      HasSubstr("lane 0 of wave 1 of work-group [0, 0, 0] loads 4 bytes at LDS 0xfc, which lane 63 of wave 0 of "
                "the same work-group stores by `ds_write_b32 v1, v0` at 0x"));
  EXPECT_THAT(warning.detail, HasSubstr("insert s_barrier"));
}

TEST(Races, NameArgumentsAndGroups) {
  const Outcome outcome =
      run_checked(split_groups("  v_mov_b32_e32 v2, 5\n  global_store_byte v2, v2, s[4:5] offset:4\n",
                               "  s_load_dwordx2 s[6:7], s[4:5], 0x8\n"),
                  two_groups);
  ASSERT_EQ(races_of(outcome).size(), 1U);
  const Race& race = *outcome.warnings[0].race;
  EXPECT_EQ(race.place->space, Race::Space::global);
  EXPECT_EQ(race.place->address, out + 9);
  EXPECT_EQ(race.place->size_bytes, 1U);
  EXPECT_EQ(race.place->name, "out+0x9");
  EXPECT_EQ(race.place->lane, std::nullopt);
  EXPECT_EQ(race.place->other_lane, 63U);
  EXPECT_THAT(
      outcome.warnings[0].detail,
      HasSubstr("wave 0 of work-group [1, 0, 0] loads 1 byte at 0x200000009 (out+0x9), which lane 63 of wave 0 of "
                "work-group [0, 0, 0] (another work-group) stores by `global_store_byte v2, v2, s[4:5] offset:4`"));
}

TEST(Races, AreReportedOncePerPair) {
  const Outcome outcome = run_checked(
      "  s_mov_b32 s8, 0\n.Lnext:\n" + write_own + read_mirror +
          "  v_add_u32_e32 v0, 1, v0\n  s_add_u32 s8, s8, 1\n  s_cmp_lg_u32 s8, 9\n  s_cbranch_scc1 .Lnext\n  s_endpgm",
      "workgroup_size: 128, grid_size: 640, waves: all");
  EXPECT_EQ(races_of(outcome).size(), 1U);
}

TEST(Races, OfLanesNameThem) {
  const std::string code = zero + "  v_lshrrev_b32_e32 v2, 5, v0\n  ds_write_b16 v5, v2 offset:6\n  s_endpgm";
  const Outcome outcome = run_checked(code, one_wave);
  ASSERT_EQ(outcome.warnings.size(), 1U);
  const Race& race = *outcome.warnings[0].race;
  EXPECT_EQ(race.other_pc, outcome.warnings[0].pc);
  EXPECT_EQ(race.place->lane, 31U);
  EXPECT_EQ(race.place->other_lane, 32U);
  EXPECT_EQ(race.place->address, 6U);
  EXPECT_EQ(race.place->size_bytes, 1U);
  EXPECT_THAT(
      outcome.warnings[0].detail,
      HasSubstr("lanes 31 and 32 of wave 0 of work-group [0, 0, 0] store different values to 1 byte at LDS 0x6"));
  // A wave that runs alone.
  const Outcome alone = run_checked(code, "workgroup_size: 64, grid_size: 64");
  ASSERT_EQ(alone.warnings.size(), 1U);
  EXPECT_THAT(alone.warnings[0].detail, HasSubstr("lanes 31 and 32 store different values"));
}

TEST(Races, StopAStrictRun) {
  const Scenario scenario = load_good(kernel(racy[0].code, two_waves, "checks: [races]\n"));
  RunOptions options = scenario.options;
  options.strict = true;
  const Outcome outcome = run(scenario, options);
  EXPECT_EQ(outcome.stop.reason, StopReason::warning);
  EXPECT_EQ(outcome.stop.reason_name(), "data_race");
}

TEST(Races, AreNotLookedForWithoutTheOption) {
  EXPECT_TRUE(run_text(kernel(racy[0].code, two_waves)).warnings.empty());
}

TEST(Races, FailATestThatDoesNotExpectThem) {
  const auto mismatches = [](const std::string& expect) {
    const Scenario scenario = load_good(kernel(racy[0].code, two_waves, "checks: [races]\n" + expect));
    return check(*scenario.expect, run(scenario, scenario.options));
  };
  const std::vector<Mismatch> failed = mismatches("expect: {stop: end_program}\n");
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_THAT(failed[0].text(), HasSubstr("data_race: expected none, got lane 0 of wave 1"));
  EXPECT_TRUE(mismatches("expect: {warnings: [data_race]}\n").empty());
}

TEST(BarrierDivergence, OfDifferentBarriers) {
  const Outcome outcome = run_checked(split("  s_barrier\n", "  s_nop 0\n  s_barrier\n", "  s_barrier\n"),
                                      "workgroup_size: 256, grid_size: 256, waves: all");
  ASSERT_EQ(outcome.warnings.size(), 1U);
  const Warning& warning = outcome.warnings[0];
  EXPECT_EQ(warning.kind, WarningKind::barrier_divergence);
  ASSERT_TRUE(warning.race);
  EXPECT_EQ(warning.race->other_pc, warning.pc + 12);
  EXPECT_EQ(warning.race->wave, 0U);
  EXPECT_EQ(warning.race->other_wave, 1U);
  EXPECT_FALSE(warning.race->place);
  EXPECT_THAT(warning.detail, HasSubstr("wave 0 of work-group [0, 0, 0] passes this barrier, but wave 1 passes "
                                        "`s_barrier` at 0x"));
}

TEST(BarrierDivergence, OfAnEndedWave) {
  const Outcome outcome = run_checked(split("  s_endpgm\n", "  s_barrier\n  s_barrier\n"), two_waves);
  ASSERT_EQ(outcome.warnings.size(), 2U);
  EXPECT_THAT(outcome.warnings[0].detail,
              HasSubstr("wave 1 of work-group [0, 0, 0] passes this barrier, but wave 0 has "
                        "ended at `s_endpgm` at 0x"));
}

TEST(BarrierDivergence, StopsAStrictRun) {
  const Scenario scenario =
      load_good(kernel(split("  s_endpgm\n", "  s_barrier\n  s_nop 0\n"), two_waves, "checks: [races]\n"));
  RunOptions options = scenario.options;
  options.strict = true;
  EXPECT_EQ(run(scenario, options).stop.reason_name(), "barrier_divergence");
}

}  // namespace
}  // namespace salu::test
