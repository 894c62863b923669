#pragma once

#include <salu/scenario.hpp>

#include "loader/objects/built_program.hpp"

namespace salu::loader {

/// The private memory of a work-item if there is no kernel descriptor.
inline constexpr u32 entered_item_bytes = 0x4000;
/// The address of the description of private memory for shaders of mesa3d and amdpal, within the 4 GiB of their code.
inline constexpr u32 shader_table_start = 0xfff0'0000;

/// Maps private memory for an object that uses it and is entered without `kernel:`, and passes its address as on the
/// object's operating system: for mesa3d in memory at s[0:1]; for amdpal in memory at s0, in the 4 GiB of the code;
/// without a system by symbols, which are already resolved; on CDNA 3 and later in FLAT_SCRATCH. A function that
/// returns is entered according to LLVM's calling convention: the descriptor in s[0:3], FLAT_SCRATCH, and an empty
/// stack at s32. The wave uses the first part of the memory. The SGPRs must be allocated before.
void provide_private_memory(const BuiltProgram& built, Scenario& scenario);

}  // namespace salu::loader
