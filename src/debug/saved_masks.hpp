#pragma once

#include <salu/integer.hpp>

#include <vector>

#include "debug/session.hpp"

namespace salu::debug {

/// Lanes that wait in a pair of SGPRs, as in compiled code.
struct SavedMask {
  u32 first_sgpr = 0;
  u64 lanes = 0;     ///< in the pair; not in EXEC, in another listed pair or on the control stack
  u64 position = 0;  ///< instructions executed before the one that wrote the pair
  u64 pc = 0;        ///< of that instruction
};

/// The pairs of SGPRs in which lanes wait, last written first: pairs that hold a mask derived from EXEC (`s_mov_b64
/// s[2:3], exec`, `s_and_saveexec_b64`) or from such a pair (`s_xor_b64 s[2:3], exec, s[2:3]`, `s_or_b64 s[4:5],
/// s[2:3], s[4:5]`). A lane in several pairs counts for the last written. The session returns to its position.
std::vector<SavedMask> list_saved_masks(Session& session);

}  // namespace salu::debug
