#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <vector>

/// An independent model of the lanes of DPP, written from the tables of AMD's manuals (GCN3 ISA manual, VOP_DPP; CDNA 2
/// ISA manual for ROW_NEWBCAST): the wave is a list of lane numbers that is moved.
namespace salu::test {

/// The source lane of each lane; nothing if it is out of range.
using DppSources = std::array<std::optional<u32>, 64>;

/// The source lanes of a control.
DppSources dpp_sources(u32 control);

/// The lanes that the masks of rows and banks enable.
u64 dpp_enabled_lanes(u32 row_mask, u32 bank_mask);

/// All controls of a generation except the permutations of quads, of which four are included; with `is_wide` those of
/// 64-bit operands.
std::vector<u32> dpp_controls(Generation generation, bool is_wide);

}  // namespace salu::test
