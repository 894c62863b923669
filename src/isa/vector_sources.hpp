#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <bitset>
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
  bool reads_m0_for_lds = false;   ///< interpolation, LDS_DIRECT, FLAT loads to LDS, stores from LDS, DS_*_ADDTID
  bool loads_lds_by_m0 = false;    ///< MUBUF: a load to LDS
  bool is_gds = false;             ///< DS of global shared memory
  u8 vgpr = 0;                     ///< the first one that the vector ALU writes
  u8 vgprs_written = 0;            ///< their number; at most one without a row
  u8 lane_source = 0;              ///< the VGPR that V_READLANE or V_READFIRSTLANE reads
  bool reads_lane = false;         ///< it is one of them
  std::bitset<256> vgprs_read;     ///< operands of the vector ALU; without a row the first register of a pair
  u8 dpp_source = 0;               ///< with `has_dpp`: the VGPR whose lanes are moved
  bool is_permlane = false;        ///< V_PERMLANE16_SWAP, V_PERMLANE32_SWAP
  bool is_transcendental = false;  ///< table 12 of the CDNA 3 manual: V_EXP, V_LOG, V_RCP, V_RSQ, V_SQRT, V_SIN, V_COS
  bool moves_result_bits = false;  ///< SDWA or OP_SEL places the result elsewhere than in the low bits
  u8 stored_vgpr = 0;              ///< of a store of more than 64 bits: the first VGPR of its data
  u8 stored_vgprs = 0;             ///< their number; 0 where hardware protects them and for other instructions
};

/// For the vector instruction that starts at `words[0]`, all of whose dwords are there.
VectorSources vector_sources(Generation generation, std::span<const u32> words);

}  // namespace salu::isa
