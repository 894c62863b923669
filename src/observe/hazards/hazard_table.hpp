#pragma once

#include <salu/integer.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/target.hpp>

#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace salu::observe {

/// An effect of an instruction that can cause a hazard for a later one (the producer's part of a hazard).
enum class HazardEvent : u8 {
  hwreg_write,          ///< S_SETREG of a hardware register
  trapsts_write,        ///< S_SETREG of TRAPSTS
  vskip_written,        ///< S_SETREG of MODE that includes VSKIP
  savectx_set,          ///< S_SETREG of TRAPSTS.SAVECTX to 1, as far as the words determine it
  vskip_set,            ///< S_SETVSKIP
  m0_write,             ///< by the scalar ALU
  message_sent,         ///< S_SENDMSG
  icache_invalidation,  ///< S_ICACHE_INV
  half_vcc_write,       ///< of only VCC_LO or VCC_HI
  vccz_doubt,           ///< scalar memory that may corrupt VCCZ when it returns
  scalar_load,          ///< scalar memory that will write SGPRs
  partly_awaited_load,  ///< the same after a wait for LGKM_CNT that is not sufficient
  clause_load,          ///< the same, until an instruction other than scalar memory
  clause_source,        ///< registers read by a scalar memory instruction of the clause
  clause_access,        ///< any scalar memory instruction, until another kind of instruction
  scalar_store,         ///< to memory, through the scalar data cache
  written_through,      ///< a scalar store with GLC, which writes through the cache
  salu_result,          ///< the scalar ALU writes registers
  valu_result,          ///< the vector ALU writes scalar registers
  replaced_result,      ///< the same after scalar instructions, which wait for it, have overwritten them
  valu_vgpr_write,      ///< the vector ALU writes a VGPR
  transcendental,       ///< a transcendental instruction writes a VGPR
  moved_result,         ///< SDWA or OP_SEL write a result to other bits than the low ones of a VGPR
  wide_store,           ///< vector memory stores more than 64 bits from VGPRs
};
inline constexpr std::size_t hazard_event_count = 24;
/// True if the event involves one VGPR.
constexpr bool is_about_vgpr(HazardEvent event) {
  return event == HazardEvent::valu_vgpr_write || event == HazardEvent::transcendental ||
         event == HazardEvent::moved_result || event == HazardEvent::wide_store;
}
/// True if it is pending until an instruction other than scalar memory.
constexpr bool is_in_clause(HazardEvent event) {
  return event == HazardEvent::clause_load || event == HazardEvent::clause_source ||
         event == HazardEvent::clause_access;
}

/// The consumer's part of a hazard.
enum class HazardUse : u8 {
  hwreg_read,
  hwreg_write,
  mode_read,
  vector,
  trap_return,
  relative_move,
  message,
  gds,
  m0_for_lds,
  m0_for_lds_load,  ///< MUBUF
  m0_write,
  no_nop,  ///< anything but S_NOP and branches
  vccz_read,
  read,   ///< of scalar registers, by any instruction
  write,  ///< of scalar registers, by any instruction
  clause_read,
  clause_write,
  clause_store,
  scalar_memory_read,
  descriptor_read,
  descriptor_dword_2,
  buffer_offset,
  end,
  vector_memory_read,
  lane_select,
  div_fmas,
  dpp,
  zero_flag_operand,
  valu_constant,
  valu_mask,
  exec_as_constant,
  lane_access,
  lane_source,
  dpp_source,   ///< the VGPR whose lanes DPP moves
  dpp_operand,  ///< any other VGPR that an instruction with DPP reads
  permlane,     ///< V_PERMLANE16_SWAP, V_PERMLANE32_SWAP
  permlane_source,
  vgpr_read,            ///< by the vector ALU
  vgpr_read_not_trans,  ///< by the vector ALU, by an instruction that is not transcendental
  vgpr_write,           ///< by the vector ALU
};
inline constexpr std::size_t hazard_use_count = 40;

/// The instructions to insert before the consumer.
enum class HazardRemedy : u8 { none, wait_states, lgkmcnt, vcc_copy, wait_and_vcc_copy, write_back, jump };

/// A row of hazards.def.
struct HazardInfo {
  std::string_view id;
  HazardEvent event{};
  HazardUse use{};
  /// Required wait states between them, by generation; 0 if it is not a hazard.
  std::array<u8, generation_count> waits{};
  bool is_info = false;
  HazardRemedy remedy{};
  std::string_view what;
};

/// No number of wait states is sufficient.
inline constexpr u8 until_undone = 255;

/// Every row.
std::span<const HazardInfo> hazards();
/// The number of rows.
inline constexpr std::size_t hazard_count = 0
#define SALU_HAZARD(...) +1
#include "observe/hazards/hazards.def"
#undef SALU_HAZARD
    ;
/// True if a hazard with this id exists.
bool is_hazard_id(std::string_view id);

/// The hazards of one processor, indexed for lookup.
class TargetHazards {
 public:
  TargetHazards(const Target& target, bool xnack);

  struct HazardRow {
    const HazardInfo* info = nullptr;
    u8 needed = 0;
  };
  [[nodiscard]] Generation generation() const { return generation_; }
  /// The hazards that an event can lead to.
  [[nodiscard]] std::span<const HazardRow> rows_of(HazardEvent event) const {
    const auto i = static_cast<std::size_t>(event);
    return std::span(rows_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  /// True if the processor has a hazard with this event.
  [[nodiscard]] bool matters(HazardEvent event) const { return !rows_of(event).empty(); }
  /// The number of wait states during which an event is pending.
  [[nodiscard]] u8 lifetime(HazardEvent event) const { return lifetimes_[static_cast<std::size_t>(event)]; }

 private:
  Generation generation_;
  std::array<HazardRow, hazard_count> rows_{};  ///< by event
  std::array<std::size_t, hazard_event_count + 1> first_{};
  std::array<u8, hazard_event_count> lifetimes_{};
};

/// True if memory accesses may be replayed: `chosen` if given, otherwise from the object, otherwise LLVM's default for
/// the processor.
bool has_xnack(const Program& program, std::optional<bool> chosen);

/// The instructions to insert before the consumer: `s_nop 1`.
std::string remedy_text(HazardRemedy remedy, u32 missing_wait_states);

}  // namespace salu::observe
