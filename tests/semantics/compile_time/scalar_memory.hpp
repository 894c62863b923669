#pragma once

#include "isa/semantics/scalar_memory.hpp"
#include "semantics/compile_time/results.hpp"

// semantics.md 9: addresses, buffers, atomics.
namespace salu::isa::semantics {

static_assert(dword_aligned(0) == 0);
static_assert(dword_aligned(3) == 0);
static_assert(dword_aligned(0xffffffffffff) == 0xfffffffffffc);

// The low bits of each component are dropped before the addition.
static_assert(byte_offset({.immediate = 7}) == 4);
static_assert(byte_offset({.immediate = 2, .offset_register = 2, .has_register = true}) == 0);
static_assert(byte_offset({.immediate = 0x40, .offset_register = 0xffffffff, .has_register = true}) == 0x10000003c);
static_assert(byte_offset({.immediate = -4}) == -4);
static_assert(byte_offset({.immediate = -3}) == -4);
static_assert(byte_offset({.immediate = -0x100000, .offset_register = 0x100000, .has_register = true}) == 0);
static_assert(byte_offset({.immediate = -8, .offset_register = 4, .has_register = true}) == -4);
static_assert(byte_offset({.immediate = 0x3fffffffc}) == 0x3fffffffc);
static_assert(scratch_offset({.immediate = 7}) == 4);
static_assert(scratch_offset({.immediate = 8, .offset_register = 3, .has_register = true}) == 200);
static_assert(scratch_offset({.offset_register = 0xffffffff, .has_register = true}) == 0x3fffffffc0);
static_assert(scratch_offset({.immediate = -128, .offset_register = 1, .has_register = true}) == -64);

static_assert(buffer({0x12345678, 0x0000abcd, 5, 0}).base == 0xabcd12345678);
static_assert(buffer({0x12345678, 0x0001abcd, 5, 0}).base == 0xabcd12345678);
static_assert(buffer({0, 0, 5, 0}).size_bytes == 5);
static_assert(buffer({0, 0x00100000, 5, 0}).size_bytes == 80);
static_assert(buffer({0, 0xc0010000, 5, ones32}).size_bytes == 5);
static_assert(buffer({0, 0x00100000, 5, 0}).base == 0);
static_assert(buffer({0, 0x3fff0000, ones32, 0}).size_bytes == 0x3fffu * u64{ones32});

static_assert(dwords_in_buffer({0, 16}, 0, 4) == 4);
static_assert(dwords_in_buffer({0, 16}, 0, 16) == 4);
static_assert(dwords_in_buffer({0, 15}, 0, 4) == 4);
static_assert(dwords_in_buffer({0, 13}, 0, 4) == 4);
static_assert(dwords_in_buffer({0, 12}, 0, 4) == 3);
static_assert(dwords_in_buffer({0, 16}, 12, 4) == 1);
static_assert(dwords_in_buffer({0, 16}, 16, 4) == 0);
static_assert(dwords_in_buffer({0, 17}, 16, 1) == 1);
static_assert(dwords_in_buffer({0, 0}, 0, 1) == 0);
static_assert(dwords_in_buffer({0, 16}, 0x100000000, 1) == 0);
static_assert(dwords_in_buffer({0, 0x200000000}, 0x100000000, 16) == 16);
static_assert(dwords_in_buffer({0, 16}, ones64 - 3, 1) == 0);
static_assert(dwords_in_buffer({0, 0x400000000}, 0, 4) == 4);

// Old value, SDATA, and the value to compare with.
static_assert(atomic_swap<u32>(7, 5, 0) == 5);
static_assert(atomic_swap<u64>(7, 0x500000000, 0) == 0x500000000);
static_assert(atomic_cmpswap<u32>(7, 5, 7) == 5);
static_assert(atomic_cmpswap<u32>(7, 5, 6) == 7);
static_assert(atomic_cmpswap<u64>(0x700000001, 5, 0x700000001) == 5);
static_assert(atomic_cmpswap<u64>(0x700000001, 5, 1) == 0x700000001);
static_assert(atomic_add<u32>(ones32, 2, 0) == 1);
static_assert(atomic_add<u64>(ones32, 2, 0) == 0x100000001);
static_assert(atomic_sub<u32>(1, 2, 0) == ones32);
static_assert(atomic_sub<u64>(0x100000001, 2, 0) == ones32);
static_assert(atomic_smin<u32>(int_max, int_min, 0) == int_min);
static_assert(atomic_smin<u32>(int_min, int_max, 0) == int_min);
static_assert(atomic_smin<u64>(long_max, long_min, 0) == long_min);
static_assert(atomic_smin<u64>(int_max, int_min, 0) == int_max);
static_assert(atomic_umin<u32>(int_max, int_min, 0) == int_max);
static_assert(atomic_umin<u32>(5, 4, 0) == 4);
static_assert(atomic_umin<u64>(long_max, long_min, 0) == long_max);
static_assert(atomic_umin<u64>(0x100000000, ones32, 0) == ones32);
static_assert(atomic_smax<u32>(int_max, int_min, 0) == int_max);
static_assert(atomic_smax<u32>(int_min, int_max, 0) == int_max);
static_assert(atomic_smax<u64>(long_min, long_max, 0) == long_max);
static_assert(atomic_smax<u64>(int_max, int_min, 0) == int_min);
static_assert(atomic_umax<u32>(int_max, int_min, 0) == int_min);
static_assert(atomic_umax<u32>(5, 4, 0) == 5);
static_assert(atomic_umax<u64>(long_max, long_min, 0) == long_min);
static_assert(atomic_umax<u64>(0x100000000, ones32, 0) == 0x100000000);
static_assert(atomic_and<u32>(0xff00ff00, 0x0ff00ff0, 0) == 0x0f000f00);
static_assert(atomic_and<u64>(ones64, long_min, 0) == long_min);
static_assert(atomic_or<u32>(0xff00ff00, 0x0ff00ff0, 0) == 0xfff0fff0);
static_assert(atomic_or<u64>(1, long_min, 0) == 0x8000000000000001);
static_assert(atomic_xor<u32>(0xff00ff00, 0x0ff00ff0, 0) == 0xf0f0f0f0);
static_assert(atomic_xor<u64>(ones64, long_min, 0) == long_max);
static_assert(atomic_inc<u32>(5, 7, 0) == 6);
static_assert(atomic_inc<u32>(7, 7, 0) == 0);
static_assert(atomic_inc<u32>(8, 7, 0) == 0);
static_assert(atomic_inc<u32>(ones32, ones32, 0) == 0);
static_assert(atomic_inc<u64>(ones32, ones64, 0) == 0x100000000);
static_assert(atomic_inc<u64>(0x100000000, 5, 0) == 0);
static_assert(atomic_dec<u32>(5, 7, 0) == 4);
static_assert(atomic_dec<u32>(7, 7, 0) == 6);
static_assert(atomic_dec<u32>(8, 7, 0) == 7);
static_assert(atomic_dec<u32>(0, 7, 0) == 7);
static_assert(atomic_dec<u64>(0x100000000, ones64, 0) == ones32);
static_assert(atomic_dec<u64>(0, 0x100000000, 0) == 0x100000000);
static_assert(atomic_dec<u64>(0x200000000, 0x100000000, 0) == 0x100000000);
// Vector memory only: the pseudo-code in 12.12 of the CDNA 4 ISA manual.
static_assert(atomic_rsub<u32>(5, 7, 0) == 2);
static_assert(atomic_rsub<u64>(1, 0, 0) == ones64);
static_assert(atomic_mskor<u32>(0xff00ff00, 0x0ff00ff0, 0x00000f0f) == 0xf000ff0f);
static_assert(atomic_mskor<u64>(ones64, long_min, 0) == long_max);
static_assert(atomic_cmpst<u32>(5, 5, 7) == 7);
static_assert(atomic_cmpst<u32>(7, 5, 7) == 7);
static_assert(atomic_cmpst<u32>(6, 5, 7) == 6);
static_assert(atomic_cmpst<u64>(0x100000000, 0x100000000, 1) == 1);
static_assert(atomic_cmpst<u64>(0x100000000, 0, 1) == 0x100000000);
static_assert(atomic_wrap<u32>(7, 7, 9) == 0);
static_assert(atomic_wrap<u32>(8, 7, 9) == 1);
static_assert(atomic_wrap<u32>(6, 7, 9) == 15);
static_assert(atomic_wrap<u64>(0x100000000, 1, 9) == ones32);
static_assert(atomic_condxchg32(u32{5}, u32{0x80000007}, 0) == 7);
static_assert(atomic_condxchg32(u32{5}, u32{0x00000007}, 0) == 5);
static_assert(atomic_condxchg32(u64{0x0000000500000006}, u64{0x8000000700000008}, 0) == 0x0000000700000006);
static_assert(atomic_condxchg32(u64{0x0000000500000006}, u64{0x0000000780000008}, 0) == 0x0000000500000008);
static_assert(atomic_result(AtomicOperation::atomic_cmpswap, 5U, 7U, 5U) == 7);
static_assert(atomic_result(AtomicOperation::none, 5U, 7U, 5U) == 5);

}  // namespace salu::isa::semantics

namespace salu::isa::memory_operations {

// The properties of an atomic besides its function.
constexpr bool is_plain_atomic(const MemoryOperation& operation) {
  return operation.kind == MemoryOperation::Kind::atomic && !operation.scratch && !operation.compares;
}
static_assert(is_plain_atomic(atomic_swap) && is_plain_atomic(atomic_dec));
static_assert(atomic_cmpswap.compares && !atomic_cmpswap.scratch);

}  // namespace salu::isa::memory_operations
