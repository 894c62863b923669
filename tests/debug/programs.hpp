#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>

// Programs that were worked out by hand.
namespace salu::test {

/// The greatest common divisor of 1071 and 462 by subtraction: eleven rounds of six instructions, in which s0 is 1071,
/// 609, 147, 147, 147, 147, 126, 105, 84, 63, 42 and s1 462, 462, 462, 315, 168, 21, 21 ... at the top; the third to
/// the fifth subtract from s1. Then three more instructions.
constexpr std::string_view gcd =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    loop:\n"
    "    s_cmp_eq_u32 s0, s1\n"
    "    s_cbranch_scc1 done\n"
    "    s_cmp_gt_u32 s0, s1\n"
    "    s_cbranch_scc1 first_is_larger\n"
    "    s_sub_u32 s1, s1, s0\n"
    "    s_branch loop\n"
    "    first_is_larger:\n"
    "    s_sub_u32 s0, s0, s1\n"
    "    s_branch loop\n"
    "    done:\n"
    "    s_endpgm\n"
    "registers: {s0: 1071, s1: 462}\n"
    "name: gcd\n";
constexpr u64 gcd_steps = 69;
constexpr u64 first_is_larger = 0x1018;

/// A function that is called `calls` times, by itself except for the first. With three calls the positions are: 1 call,
/// 2 to 6 body, 7 call, 8 to 12 body, 13 call, 14 to 18 body, then three times the three instructions from `done` on:
/// 19 to 21, 22 to 24, 25 to 27; 28 ends the program.
inline std::string recursion(u64 calls) {
  return "target: gfx900\n"
         "code:\n"
         "  asm: |\n"
         "    s_mov_b64 s[4:5], 0x100000\n"
         "    s_call_b64 s[30:31], count\n"
         "    s_endpgm\n"
         "    count:\n"
         "    s_store_dwordx2 s[30:31], s[4:5], 0x0\n"
         "    s_add_u32 s4, s4, 8\n"
         "    s_sub_u32 s0, s0, 1\n"
         "    s_cmp_eq_u32 s0, 0\n"
         "    s_cbranch_scc1 done\n"
         "    s_call_b64 s[30:31], count\n"
         "    done:\n"
         "    s_sub_u32 s4, s4, 8\n"
         "    s_load_dwordx2 s[30:31], s[4:5], 0x0\n"
         "    s_setpc_b64 s[30:31]\n"
         "registers: {s0: " +
         std::to_string(calls) +
         "}\n"
         "memory: [{at: 0x100000, size: 0x100000}]\n";
}

}  // namespace salu::test
