#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <span>

#include "isa/register_set.hpp"

namespace salu::isa {

/// What a vector instruction has to do with the scalar unit beside its scalar results (`vector_scalar_results`). Of one
/// that has a row (isa/vector/) all of it is known; of any other what its encoding alone says: operands that are scalar
/// registers, of pairs the first register.
struct VectorSources {
  RegisterSet constants;  ///< operands: SGPRs, VCC, EXEC, M0
  RegisterSet masks;      ///< a carry or a mask that is read a bit a lane
  RegisterSet lane;       ///< the number of a lane, of V_READLANE and V_WRITELANE
  RegisterSet memory;     ///< descriptors, addresses and offsets of memory instructions
  bool reads_vccz = false;
  bool reads_execz = false;
  bool is_lane_access = false;  ///< V_READLANE, V_READFIRSTLANE, V_WRITELANE
  bool is_div_fmas = false;     ///< reads VCC unnamed
  bool has_dpp = false;
  bool reads_m0_for_lds = false;  ///< interpolation, LDS_DIRECT, loads that go to LDS, DS with the thread's address
  bool is_gds = false;            ///< DS of global shared memory
  u8 vgpr = 0;                    ///< the first one that the vector ALU writes
  u8 vgprs_written = 0;           ///< how many; of what has no row no more than one
  u8 lane_source = 0;             ///< the VGPR that V_READLANE or V_READFIRSTLANE reads
  bool reads_lane = false;        ///< it is one of them
};

/// For the vector instruction that starts at `words[0]`, all of whose dwords are there.
VectorSources vector_sources(Generation generation, std::span<const u32> words);

}  // namespace salu::isa
