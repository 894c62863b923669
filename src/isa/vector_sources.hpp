#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <bitset>
#include <span>

#include "isa/register_set.hpp"

namespace salu::isa {

/// The use of scalar registers and hazard-relevant properties of a vector instruction, except its scalar results
/// (`vector_scalar_results`). Complete for instructions with a row (isa/vector/); for others only the facts in the
/// encoding: scalar operands, and only the first register of a pair.
struct VectorSources {
  RegisterSet constants;  ///< operands: SGPRs, VCC, EXEC, M0
  RegisterSet masks;      ///< a carry or a mask, of which one bit per lane is read
  RegisterSet lane;       ///< the lane number of V_READLANE and V_WRITELANE
  RegisterSet memory;     ///< descriptors, addresses and offsets of memory instructions
  bool reads_vccz = false;
  bool reads_execz = false;
  bool is_lane_access = false;  ///< V_READLANE, V_READFIRSTLANE, V_WRITELANE
  bool is_div_fmas = false;     ///< reads VCC implicitly
  bool has_dpp = false;
  bool reads_m0_for_lds = false;   ///< interpolation, LDS_DIRECT, FLAT loads to LDS, stores from LDS, DS_*_ADDTID
  bool loads_lds_by_m0 = false;    ///< MUBUF: a load to LDS
  bool is_gds = false;             ///< DS access to global shared memory
  u8 vgpr = 0;                     ///< the first VGPR that the vector ALU writes
  u8 vgprs_written = 0;            ///< number of VGPRs written; at most one for instructions without a row
  u8 lane_source = 0;              ///< the VGPR that V_READLANE or V_READFIRSTLANE reads
  bool reads_lane = false;         ///< `lane_source` is valid
  std::bitset<256> vgprs_read;     ///< operands of the vector ALU; without a row only the first register of a pair
  u8 dpp_source = 0;               ///< with `has_dpp`: the VGPR whose lanes are moved
  bool is_permlane = false;        ///< V_PERMLANE16_SWAP, V_PERMLANE32_SWAP
  bool is_transcendental = false;  ///< table 12 of the CDNA 3 manual: V_EXP, V_LOG, V_RCP, V_RSQ, V_SQRT, V_SIN, V_COS
  bool moves_result_bits = false;  ///< SDWA or OP_SEL writes the result to other bits than the low ones
  u8 stored_vgpr = 0;              ///< the first VGPR of the data of a store of more than 64 bits
  u8 stored_vgprs = 0;             ///< number of data VGPRs; 0 if hardware protects them, and for other instructions
};

/// Decodes the vector instruction that starts at `words[0]`; all of its dwords must be present.
VectorSources vector_sources(Generation generation, std::span<const u32> words);

}  // namespace salu::isa
