#pragma once

#include "isa/semantics/values.hpp"

/// Bitwise logic, and the forms of it that change EXEC (semantics.md 2, 3).
namespace salu::isa::semantics {

template <class T>
constexpr WithScc<T> nonzero(T result) {
  return {result, result != 0};
}

constexpr WithScc<u32> s_and_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 & ssrc1); }
constexpr WithScc<u64> s_and_b64(u64 ssrc0, u64 ssrc1) { return nonzero(ssrc0 & ssrc1); }
constexpr WithScc<u32> s_or_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 | ssrc1); }
constexpr WithScc<u64> s_or_b64(u64 ssrc0, u64 ssrc1) { return nonzero(ssrc0 | ssrc1); }
constexpr WithScc<u32> s_xor_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 ^ ssrc1); }
constexpr WithScc<u64> s_xor_b64(u64 ssrc0, u64 ssrc1) { return nonzero(ssrc0 ^ ssrc1); }
constexpr WithScc<u32> s_andn2_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 & ~ssrc1); }
constexpr WithScc<u64> s_andn2_b64(u64 ssrc0, u64 ssrc1) { return nonzero(ssrc0 & ~ssrc1); }
constexpr WithScc<u32> s_orn2_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 | ~ssrc1); }
constexpr WithScc<u64> s_orn2_b64(u64 ssrc0, u64 ssrc1) { return nonzero(ssrc0 | ~ssrc1); }
constexpr WithScc<u32> s_nand_b32(u32 ssrc0, u32 ssrc1) { return nonzero(~(ssrc0 & ssrc1)); }
constexpr WithScc<u64> s_nand_b64(u64 ssrc0, u64 ssrc1) { return nonzero(~(ssrc0 & ssrc1)); }
constexpr WithScc<u32> s_nor_b32(u32 ssrc0, u32 ssrc1) { return nonzero(~(ssrc0 | ssrc1)); }
constexpr WithScc<u64> s_nor_b64(u64 ssrc0, u64 ssrc1) { return nonzero(~(ssrc0 | ssrc1)); }
constexpr WithScc<u32> s_xnor_b32(u32 ssrc0, u32 ssrc1) { return nonzero(~(ssrc0 ^ ssrc1)); }
constexpr WithScc<u64> s_xnor_b64(u64 ssrc0, u64 ssrc1) { return nonzero(~(ssrc0 ^ ssrc1)); }

constexpr WithScc<u32> s_not_b32(u32 ssrc0) { return nonzero(~ssrc0); }
constexpr WithScc<u64> s_not_b64(u64 ssrc0) { return nonzero(~ssrc0); }

/// EXEC becomes `result`, SDST what EXEC was.
constexpr ExecUpdate save_exec(u64 result, Exec exec) { return {exec.value, result, result != 0}; }
/// EXEC and SDST both become `result`.
constexpr ExecUpdate write_exec(u64 result) { return {result, result, result != 0}; }

constexpr ExecUpdate s_and_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(ssrc0 & exec.value, exec); }
constexpr ExecUpdate s_or_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(ssrc0 | exec.value, exec); }
constexpr ExecUpdate s_xor_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(ssrc0 ^ exec.value, exec); }
constexpr ExecUpdate s_andn2_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(ssrc0 & ~exec.value, exec); }
constexpr ExecUpdate s_orn2_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(ssrc0 | ~exec.value, exec); }
constexpr ExecUpdate s_nand_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(~(ssrc0 & exec.value), exec); }
constexpr ExecUpdate s_nor_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(~(ssrc0 | exec.value), exec); }
constexpr ExecUpdate s_xnor_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(~(ssrc0 ^ exec.value), exec); }
constexpr ExecUpdate s_andn1_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(~ssrc0 & exec.value, exec); }
constexpr ExecUpdate s_orn1_saveexec_b64(u64 ssrc0, Exec exec) { return save_exec(~ssrc0 | exec.value, exec); }
constexpr ExecUpdate s_andn1_wrexec_b64(u64 ssrc0, Exec exec) { return write_exec(~ssrc0 & exec.value); }
constexpr ExecUpdate s_andn2_wrexec_b64(u64 ssrc0, Exec exec) { return write_exec(ssrc0 & ~exec.value); }

}  // namespace salu::isa::semantics
