#pragma once

#include <salu/scenario.hpp>

#include "loader/objects/built_program.hpp"

namespace salu::loader {

/// What a work-item has where no kernel descriptor says.
inline constexpr u32 entered_item_bytes = 0x4000;
/// Where shaders for mesa3d and amdpal find what describes private memory: in the 4 GiB of their code.
inline constexpr u32 shader_table_start = 0xfff0'0000;

/// Maps private memory for an object that is entered without `kernel:` and uses some, and says where it is in the way
/// of the operating system that the object is for: mesa3d in memory at s[0:1], amdpal at s0 in the 4 GiB of the code,
/// none by symbols, which are filled in already; on CDNA 3 and later FLAT_SCRATCH says it. A function that returns gets
/// what LLVM's calling convention says: the descriptor in s[0:3], FLAT_SCRATCH, and an empty stack at s32. The wave's
/// own part is the first. The SGPRs are allocated already.
void provide_private_memory(const BuiltProgram& built, Scenario& scenario);

}  // namespace salu::loader
