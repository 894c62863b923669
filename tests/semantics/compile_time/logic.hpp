#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 2 and 3. 0xc and 0xa contain every combination of two bits; with complemented sources, the upper bits of
// the 32- and 64-bit forms are tested as well.
namespace salu::isa::semantics {

static_assert(s_and_b32(0xc, 0xa) == w32(0x8, true));
static_assert(s_and_b32(0xf0f0f0f0, 0x0f0f0f0f) == w32(0, false));
static_assert(s_and_b32(int_min, ones32) == w32(int_min, true));
static_assert(s_and_b64(0xc, 0xa) == w64(0x8, true));
static_assert(s_and_b64(0xffffffff00000000, 0x00000000ffffffff) == w64(0, false));
static_assert(s_and_b64(long_min, ones64) == w64(long_min, true));

static_assert(s_or_b32(0xc, 0xa) == w32(0xe, true));
static_assert(s_or_b32(0, 0) == w32(0, false));
static_assert(s_or_b64(0xc, 0xa) == w64(0xe, true));
static_assert(s_or_b64(0, 0) == w64(0, false));
static_assert(s_or_b64(long_min, 0) == w64(long_min, true));

static_assert(s_xor_b32(0xc, 0xa) == w32(0x6, true));
static_assert(s_xor_b32(ones32, ones32) == w32(0, false));
static_assert(s_xor_b64(0xc, 0xa) == w64(0x6, true));
static_assert(s_xor_b64(ones64, ones64) == w64(0, false));
static_assert(s_xor_b64(ones64, long_max) == w64(long_min, true));

static_assert(s_andn2_b32(0xc, 0xa) == w32(0x4, true));
static_assert(s_andn2_b32(0xa, 0xc) == w32(0x2, true));
static_assert(s_andn2_b32(0x1234, ones32) == w32(0, false));
static_assert(s_andn2_b64(0xc, 0xa) == w64(0x4, true));
static_assert(s_andn2_b64(0xa, 0xc) == w64(0x2, true));
static_assert(s_andn2_b64(ones64, 0xffffffff) == w64(0xffffffff00000000, true));
static_assert(s_andn2_b64(0x1234, ones64) == w64(0, false));

static_assert(s_orn2_b32(0xc, 0xa) == w32(0xfffffffd, true));
static_assert(s_orn2_b32(0xa, 0xc) == w32(0xfffffffb, true));
static_assert(s_orn2_b32(0, ones32) == w32(0, false));
static_assert(s_orn2_b64(0xc, 0xa) == w64(0xfffffffffffffffd, true));
static_assert(s_orn2_b64(0xa, 0xc) == w64(0xfffffffffffffffb, true));
static_assert(s_orn2_b64(0, ones64) == w64(0, false));

static_assert(s_nand_b32(0xc, 0xa) == w32(0xfffffff7, true));
static_assert(s_nand_b32(ones32, ones32) == w32(0, false));
static_assert(s_nand_b64(0xc, 0xa) == w64(0xfffffffffffffff7, true));
static_assert(s_nand_b64(ones64, ones64) == w64(0, false));

static_assert(s_nor_b32(0xc, 0xa) == w32(0xfffffff1, true));
static_assert(s_nor_b32(0xffff0000, 0x0000ffff) == w32(0, false));
static_assert(s_nor_b64(0xc, 0xa) == w64(0xfffffffffffffff1, true));
static_assert(s_nor_b64(0xffffffff00000000, 0xffffffff) == w64(0, false));

static_assert(s_xnor_b32(0xc, 0xa) == w32(0xfffffff9, true));
static_assert(s_xnor_b32(0xff, 0xffffff00) == w32(0, false));
static_assert(s_xnor_b64(0xc, 0xa) == w64(0xfffffffffffffff9, true));
static_assert(s_xnor_b64(0xff, 0xffffffffffffff00) == w64(0, false));

static_assert(s_not_b32(0) == w32(ones32, true));
static_assert(s_not_b32(ones32) == w32(0, false));
static_assert(s_not_b32(0x0000ffff) == w32(0xffff0000, true));
static_assert(s_not_b64(0) == w64(ones64, true));
static_assert(s_not_b64(ones64) == w64(0, false));
static_assert(s_not_b64(0x00000000ffffffff) == w64(0xffffffff00000000, true));

// {SDST, EXEC, SCC}; SSRC0 = 0xc, EXEC = 0xa.
static_assert(s_and_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0x8, true});
static_assert(s_or_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0xe, true});
static_assert(s_xor_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0x6, true});
static_assert(s_andn2_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0x4, true});
static_assert(s_orn2_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0xfffffffffffffffd, true});
static_assert(s_nand_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0xfffffffffffffff7, true});
static_assert(s_nor_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0xfffffffffffffff1, true});
static_assert(s_xnor_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0xfffffffffffffff9, true});
static_assert(s_andn1_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0x2, true});
static_assert(s_orn1_saveexec_b64(0xc, {0xa}) == ExecUpdate{0xa, 0xfffffffffffffffb, true});
static_assert(s_andn1_wrexec_b64(0xc, {0xa}) == ExecUpdate{0x2, 0x2, true});
static_assert(s_andn2_wrexec_b64(0xc, {0xa}) == ExecUpdate{0x4, 0x4, true});
// SCC depends on the new EXEC, which is 0 here, not on the old one.
static_assert(s_and_saveexec_b64(0xf0, {0x0f}) == ExecUpdate{0x0f, 0, false});
static_assert(s_or_saveexec_b64(0, {0}) == ExecUpdate{0, 0, false});
static_assert(s_or_saveexec_b64(1, {0}) == ExecUpdate{0, 1, true});
static_assert(s_xor_saveexec_b64(0xf, {0xf}) == ExecUpdate{0xf, 0, false});
static_assert(s_andn2_saveexec_b64(0xf, {0xff}) == ExecUpdate{0xff, 0, false});
static_assert(s_orn2_saveexec_b64(0, {ones64}) == ExecUpdate{ones64, 0, false});
static_assert(s_nand_saveexec_b64(ones64, {ones64}) == ExecUpdate{ones64, 0, false});
static_assert(s_nor_saveexec_b64(ones64, {0}) == ExecUpdate{0, 0, false});
static_assert(s_xnor_saveexec_b64(0, {ones64}) == ExecUpdate{ones64, 0, false});
static_assert(s_andn1_saveexec_b64(ones64, {0xff}) == ExecUpdate{0xff, 0, false});
static_assert(s_orn1_saveexec_b64(ones64, {0}) == ExecUpdate{0, 0, false});
static_assert(s_andn1_wrexec_b64(0xff, {0x0f}) == ExecUpdate{0, 0, false});
static_assert(s_andn2_wrexec_b64(0x0f, {0xff}) == ExecUpdate{0, 0, false});
static_assert(s_andn2_wrexec_b64(long_min, {0xff}) == ExecUpdate{long_min, long_min, true});

}  // namespace salu::isa::semantics
