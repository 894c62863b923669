#pragma once

#include "isa/vector/semantics/values.hpp"

/// Comparisons of integers. V_CMPX compares as V_CMP does, and writes EXEC, too.
namespace salu::isa::vector::semantics {

#define SALU_COMPARISONS(prefix, suffix, Type)                                       \
  constexpr bool prefix##_f_##suffix(Type /*src0*/, Type /*src1*/) { return false; } \
  constexpr bool prefix##_lt_##suffix(Type src0, Type src1) { return src0 < src1; }  \
  constexpr bool prefix##_eq_##suffix(Type src0, Type src1) { return src0 == src1; } \
  constexpr bool prefix##_le_##suffix(Type src0, Type src1) { return src0 <= src1; } \
  constexpr bool prefix##_gt_##suffix(Type src0, Type src1) { return src0 > src1; }  \
  constexpr bool prefix##_ne_##suffix(Type src0, Type src1) { return src0 != src1; } \
  constexpr bool prefix##_ge_##suffix(Type src0, Type src1) { return src0 >= src1; } \
  constexpr bool prefix##_t_##suffix(Type /*src0*/, Type /*src1*/) { return true; }

SALU_COMPARISONS(v_cmp, i16, i16)
SALU_COMPARISONS(v_cmp, u16, u16)
SALU_COMPARISONS(v_cmp, i32, i32)
SALU_COMPARISONS(v_cmp, u32, u32)
SALU_COMPARISONS(v_cmp, i64, i64)
SALU_COMPARISONS(v_cmp, u64, u64)
SALU_COMPARISONS(v_cmpx, i16, i16)
SALU_COMPARISONS(v_cmpx, u16, u16)
SALU_COMPARISONS(v_cmpx, i32, i32)
SALU_COMPARISONS(v_cmpx, u32, u32)
SALU_COMPARISONS(v_cmpx, i64, i64)
SALU_COMPARISONS(v_cmpx, u64, u64)
#undef SALU_COMPARISONS

}  // namespace salu::isa::vector::semantics
