#pragma once

#include <salu/integer.hpp>

#include <vector>

#include "debug/session.hpp"

namespace salu::debug {

/// Lanes that wait in a pair of SGPRs, as compiled code has it.
struct SavedMask {
  u32 first_sgpr = 0;
  u64 lanes = 0;     ///< in the pair, not in EXEC, and in no other that is listed here or waits on the control stack
  u64 position = 0;  ///< instructions executed before the one that wrote the pair
  u64 pc = 0;        ///< of that instruction
};

/// The pairs of SGPRs in which lanes wait, the one written last first: those that hold what an instruction made of EXEC
/// (`s_mov_b64 s[2:3], exec`, `s_and_saveexec_b64`), or of such a pair (`s_xor_b64 s[2:3], exec, s[2:3]`,
/// `s_or_b64 s[4:5], s[2:3], s[4:5]`). A lane that is in several counts for the one written last. The session is where
/// it was afterwards.
std::vector<SavedMask> list_saved_masks(Session& session);

}  // namespace salu::debug
