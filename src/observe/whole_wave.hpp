#pragma once

#include <salu/integer.hpp>

#include <functional>
#include <optional>

#include "isa/decode.hpp"

namespace salu::observe {

/// A section of straight-line code in which compiled code activates all lanes to save and restore registers of the
/// whole wave: `s_or_saveexec_b64 s[16:17], -1` up to `s_mov_b64 exec, s[16:17]`.
struct WholeWaveSection {
  u32 pair = 0;          ///< the first SGPR of the pair with the saved EXEC
  u64 first_pc = 0;      ///< the instruction that saves EXEC
  u64 restoring_pc = 0;  ///< the instruction that restores it
};

/// Returns the instruction at an address, or nothing.
using InstructionAt = std::function<std::optional<isa::Instruction>(u64 address)>;

/// Returns the whole-wave section that begins with the instruction at an address. It ends with the instruction that
/// restores EXEC from the saved pair; returns nothing if a branch, another write to EXEC or a write to the pair comes
/// first. Recognises the forms that LLVM emits: a saveexec instruction with the source -1, and `s_mov_b64 sX, exec`
/// directly followed by `s_mov_b64 exec, -1` or `s_not_b64 exec, exec`.
std::optional<WholeWaveSection> find_whole_wave_section(Generation generation, u64 address,
                                                        const InstructionAt& instruction_at);

}  // namespace salu::observe
