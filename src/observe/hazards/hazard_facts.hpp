#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <bitset>
#include <optional>
#include <span>

#include "exec/cfg.hpp"
#include "isa/decode.hpp"
#include "isa/register_set.hpp"
#include "observe/hazards/hazard_table.hpp"

namespace salu::observe {

/// The hazard-relevant properties of one instruction, derived from its words. A caller that has the state replaces
/// the state-dependent ones.
struct HazardFacts {
  using RegisterSet = isa::RegisterSet;

  /// Decodes the instruction at `words[0]`. State-dependent accesses are approximated: a conditional move writes, and
  /// relative addressing only accesses M0.
  static HazardFacts of(Generation generation, std::span<const u32> words);

  enum class Class : u8 { other, salu, scalar_memory, valu, vector_memory, ds };
  Class unit = Class::other;  ///< the unit that executes it; export and interpolation are `other` vector instructions
  bool is_vector = false;
  isa::Flow flow = isa::Flow::next;
  u8 dwords = 1;

  // ---- registers ----
  RegisterSet reads;          ///< scalar registers, for any purpose
  RegisterSet writes;         ///< immediate writes, without loads of scalar memory
  RegisterSet loads;          ///< scalar memory: registers that it will write
  RegisterSet constants;      ///< of the vector ALU: operands
  RegisterSet masks;          ///< of the vector ALU: one bit per lane
  RegisterSet lane_select;    ///< of the vector ALU
  RegisterSet memory;         ///< of vector memory: descriptor, address, offset
  RegisterSet descriptor;     ///< of scalar memory: buffer descriptor
  RegisterSet buffer_offset;  ///< of scalar memory: offset, with a descriptor
  RegisterSet zero_flags;     ///< of the vector ALU: the registers of VCCZ and EXECZ operands
  /// True if registers are always written: false for a conditional move.
  bool is_certain = true;
  /// The accessed registers depend on the state.
  bool depends_on_state = false;

  // ---- other properties ----
  u8 vgpr = 0;  ///< the first VGPR that the vector ALU writes
  u8 vgprs_written = 0;
  u8 lane_source = 0;           ///< the VGPR from which V_READLANE and V_READFIRSTLANE read a lane
  u8 dpp_source = 0;            ///< the VGPR whose lanes DPP moves
  u8 stored_vgpr = 0;           ///< the first data VGPR of a wide store
  u8 stored_vgprs = 0;          ///< their number; 0 if it is not a wide store
  std::bitset<256> vgprs_read;  ///< by the vector ALU
  u64 hwregs_read = 0;          ///< one bit per id
  u64 hwregs_written = 0;       ///< one bit per id
  std::bitset<hazard_event_count> events;
  std::bitset<hazard_use_count> uses;
  u8 wait_states = 1;
  bool is_nop = false;
  bool waits_for_lgkm = false;         ///< for all operations
  bool waits_for_lgkm_partly = false;  ///< until a number of them is left
  bool writes_scalar_cache_back = false;
  bool writes_memory = false;  ///< scalar memory

  [[nodiscard]] bool uses_it(HazardUse use) const { return uses.test(static_cast<std::size_t>(use)); }
  [[nodiscard]] bool does(HazardEvent event) const { return events.test(static_cast<std::size_t>(event)); }

  /// Recomputes events and uses after the registers have been changed.
  void settle();

 private:
  void find_scalar(Generation generation, const isa::Instruction& instruction);
  void find_scalar_memory(Generation generation, const isa::Instruction& instruction);
  void find_vector(Generation generation, std::span<const u32> words);
  void add_source(u8 code, u32 count);
  void set(HazardEvent event, bool is_so = true) { events.set(static_cast<std::size_t>(event), is_so); }
  void set(HazardUse use, bool is_so = true) { uses.set(static_cast<std::size_t>(use), is_so); }
};

/// An instruction with its address and its successor.
struct PlacedFacts {
  /// `words`: the code from the instruction to the end of the block.
  static PlacedFacts at(Generation generation, u64 pc, std::span<const u32> words);

  HazardFacts facts;
  exec::CfgNode node;
};

/// The registers that matter to a use; all registers if the use is not about registers.
isa::RegisterSet registers_of(HazardUse use, const HazardFacts& facts);

/// True if a use involves this VGPR.
bool touches_vgpr(HazardUse use, const HazardFacts& facts, u8 vgpr);

}  // namespace salu::observe
