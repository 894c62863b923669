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

/// What hazards see of one instruction. All of it comes from its words; what depends on the state is what a caller puts
/// in the place of it.
struct HazardFacts {
  using RegisterSet = isa::RegisterSet;

  /// Decodes what stands at `words[0]`. Where the state decides, it is what may be: a conditional move writes, and
  /// relative addressing touches no register but M0.
  static HazardFacts of(Generation generation, std::span<const u32> words);

  enum class Class : u8 { other, salu, scalar_memory, valu, vector_memory, ds };
  Class unit = Class::other;  ///< what executes it; export and interpolation are `other` vector instructions
  bool is_vector = false;
  isa::Flow flow = isa::Flow::next;
  u8 dwords = 1;

  // ---- registers ----
  RegisterSet reads;          ///< scalar registers, whatever for
  RegisterSet writes;         ///< at once; not what scalar memory loads
  RegisterSet loads;          ///< scalar memory: what it will write
  RegisterSet constants;      ///< of the vector ALU: operands
  RegisterSet masks;          ///< of the vector ALU: a bit a lane
  RegisterSet lane_select;    ///< of the vector ALU
  RegisterSet memory;         ///< of vector memory: descriptor, address, offset
  RegisterSet descriptor;     ///< of scalar memory: a buffer's
  RegisterSet buffer_offset;  ///< likewise, where it has a descriptor
  RegisterSet zero_flags;     ///< of the vector ALU: what VCCZ and EXECZ as operands are about
  /// Whether a register is written for sure: not by a conditional move.
  bool is_certain = true;
  /// Which registers it touches depends on the state.
  bool depends_on_state = false;

  // ---- the rest ----
  u8 vgpr = 0;  ///< the first one that the vector ALU writes
  u8 vgprs_written = 0;
  u8 lane_source = 0;           ///< the VGPR of which V_READLANE and V_READFIRSTLANE read a lane
  u8 dpp_source = 0;            ///< the VGPR whose lanes DPP moves
  u8 stored_vgpr = 0;           ///< the first VGPR of the data of a wide store
  u8 stored_vgprs = 0;          ///< how many; 0: it is not a wide store
  std::bitset<256> vgprs_read;  ///< by the vector ALU
  u64 hwregs_read = 0;          ///< a bit an id
  u64 hwregs_written = 0;       ///< likewise
  std::bitset<hazard_event_count> events;
  std::bitset<hazard_use_count> uses;
  u8 wait_states = 1;
  bool is_nop = false;
  bool waits_for_lgkm = false;         ///< for all of it
  bool waits_for_lgkm_partly = false;  ///< until a number is left
  bool writes_scalar_cache_back = false;
  bool writes_memory = false;  ///< scalar memory

  [[nodiscard]] bool uses_it(HazardUse use) const { return uses.test(static_cast<std::size_t>(use)); }
  [[nodiscard]] bool does(HazardEvent event) const { return events.test(static_cast<std::size_t>(event)); }

  /// Makes events and uses follow from the registers, after those have been changed.
  void settle();

 private:
  void find_scalar(Generation generation, const isa::Instruction& instruction);
  void find_scalar_memory(Generation generation, const isa::Instruction& instruction);
  void find_vector(Generation generation, std::span<const u32> words);
  void add_source(u8 code, u32 count);
  void set(HazardEvent event, bool is_so = true) { events.set(static_cast<std::size_t>(event), is_so); }
  void set(HazardUse use, bool is_so = true) { uses.set(static_cast<std::size_t>(use), is_so); }
};

/// An instruction where it stands, and where it may go on.
struct PlacedFacts {
  /// `words`: what stands there, up to the end of the code.
  static PlacedFacts at(Generation generation, u64 pc, std::span<const u32> words);

  HazardFacts facts;
  exec::CfgNode node;
};

/// The registers that matter to a use; all of them where it is not about registers.
isa::RegisterSet registers_of(HazardUse use, const HazardFacts& facts);

/// True if a use is about this VGPR.
bool touches_vgpr(HazardUse use, const HazardFacts& facts, u8 vgpr);

}  // namespace salu::observe
