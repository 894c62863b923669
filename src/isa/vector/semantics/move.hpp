#pragma once

#include "isa/vector/semantics/values.hpp"

/// Moves and choices.
namespace salu::isa::vector::semantics {

constexpr u32 v_mov_b32(u32 src0) { return src0; }
constexpr u64 v_mov_b64(u64 src0) { return src0; }
constexpr u32 v_accvgpr_mov_b32(u32 src0) { return src0; }
constexpr u32 v_accvgpr_read_b32(u32 src0) { return src0; }
constexpr u32 v_accvgpr_write_b32(u32 src0) { return src0; }
constexpr u32 v_cndmask_b32(u32 src0, u32 src1, MaskBit mask) { return mask.value ? src1 : src0; }

}  // namespace salu::isa::vector::semantics
