#pragma once

#include "isa/semantics/all.hpp"

/// Abbreviations for the results of semantic functions.
namespace salu::isa::semantics {

constexpr WithScc<u32> w32(u32 value, bool scc) { return {value, scc}; }
constexpr WithScc<u64> w64(u64 value, bool scc) { return {value, scc}; }
/// Signed results are written as bit patterns.
constexpr WithScc<i32> wi32(u32 value, bool scc) { return {static_cast<i32>(value), scc}; }
constexpr WithScc<i64> wi64(u64 value, bool scc) { return {static_cast<i64>(value), scc}; }
constexpr i32 s32(u32 bits) { return static_cast<i32>(bits); }
constexpr i64 s64(u64 bits) { return static_cast<i64>(bits); }

inline constexpr u32 int_min = 0x80000000;
inline constexpr u32 int_max = 0x7fffffff;
inline constexpr u32 ones32 = 0xffffffff;
inline constexpr u64 ones64 = 0xffffffffffffffff;
inline constexpr u64 long_min = 0x8000000000000000;
inline constexpr u64 long_max = 0x7fffffffffffffff;

}  // namespace salu::isa::semantics
