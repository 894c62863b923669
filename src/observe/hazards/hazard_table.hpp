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

/// What an instruction does that one behind it may come too early for.
enum class HazardEvent : u8 {
  hwreg_write,          ///< S_SETREG of a hardware register
  trapsts_write,        ///< of TRAPSTS
  vskip_written,        ///< of MODE with VSKIP
  savectx_set,          ///< of TRAPSTS.SAVECTX to 1, as far as the words tell
  vskip_set,            ///< S_SETVSKIP
  m0_write,             ///< by the scalar ALU
  message_sent,         ///< S_SENDMSG
  icache_invalidation,  ///< S_ICACHE_INV
  half_vcc_write,       ///< VCC_LO or VCC_HI alone
  vccz_doubt,           ///< scalar memory that may spoil VCCZ when it returns
  scalar_load,          ///< scalar memory that will write SGPRs
  partly_awaited_load,  ///< the same behind a wait for LGKM_CNT that is no wait for it
  clause_load,          ///< the same, until something else than scalar memory comes
  clause_source,        ///< the same for what it reads
  clause_access,        ///< any scalar memory, until something else comes
  scalar_store,         ///< to memory, by way of the scalar data cache
  written_through,      ///< a scalar store with GLC, which goes through the cache
  salu_result,          ///< the scalar ALU writes registers
  valu_result,          ///< the vector ALU writes scalar registers
  replaced_result,      ///< the same after scalar instructions have overwritten them, which wait for it
  valu_vgpr_write,      ///< the vector ALU writes a VGPR
  transcendental,       ///< a transcendental instruction writes a VGPR
  moved_result,         ///< SDWA or OP_SEL place a result elsewhere than in the low bits of a VGPR
  wide_store,           ///< vector memory stores more than 64 bits from VGPRs
};
inline constexpr std::size_t hazard_event_count = 24;
/// True if the event is about one VGPR.
constexpr bool is_about_vgpr(HazardEvent event) {
  return event == HazardEvent::valu_vgpr_write || event == HazardEvent::transcendental ||
         event == HazardEvent::moved_result || event == HazardEvent::wide_store;
}
/// Whether it is remembered until something else than scalar memory comes.
constexpr bool is_in_clause(HazardEvent event) {
  return event == HazardEvent::clause_load || event == HazardEvent::clause_source ||
         event == HazardEvent::clause_access;
}

/// What an instruction does that may come too early.
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
  read,   ///< of scalar registers, by whatever instruction
  write,  ///< likewise
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
  vgpr_read_not_trans,  ///< likewise, by an instruction that is not transcendental
  vgpr_write,           ///< likewise
};
inline constexpr std::size_t hazard_use_count = 40;

/// What to put in front of the consumer.
enum class HazardRemedy : u8 { none, wait_states, lgkmcnt, vcc_copy, wait_and_vcc_copy, write_back, jump };

/// A row of hazards.def.
struct HazardInfo {
  std::string_view id;
  HazardEvent event{};
  HazardUse use{};
  /// Wait states that have to lie between, by generation; 0 where it is no hazard.
  std::array<u8, generation_count> waits{};
  bool is_info = false;
  HazardRemedy remedy{};
  std::string_view what;
};

/// No number of wait states is enough.
inline constexpr u8 until_undone = 255;

/// Every row.
std::span<const HazardInfo> hazards();
/// How many rows there are.
inline constexpr std::size_t hazard_count = 0
#define SALU_HAZARD(...) +1
#include "observe/hazards/hazards.def"
#undef SALU_HAZARD
    ;
/// Whether there is a hazard of that id.
bool is_hazard_id(std::string_view id);

/// The hazards of one processor, made ready to be asked for.
class TargetHazards {
 public:
  TargetHazards(const Target& target, bool xnack);

  struct HazardRow {
    const HazardInfo* info = nullptr;
    u8 needed = 0;
  };
  [[nodiscard]] Generation generation() const { return generation_; }
  /// Those that an event may lead to.
  [[nodiscard]] std::span<const HazardRow> rows_of(HazardEvent event) const {
    const auto i = static_cast<std::size_t>(event);
    return std::span(rows_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  /// Whether an event matters here.
  [[nodiscard]] bool matters(HazardEvent event) const { return !rows_of(event).empty(); }
  /// How many wait states it is to be remembered for.
  [[nodiscard]] u8 lifetime(HazardEvent event) const { return lifetimes_[static_cast<std::size_t>(event)]; }

 private:
  Generation generation_;
  std::array<HazardRow, hazard_count> rows_{};  ///< by event
  std::array<std::size_t, hazard_event_count + 1> first_{};
  std::array<u8, hazard_event_count> lifetimes_{};
};

/// Whether memory accesses may be replayed: as whoever runs says, else as the object says, else as LLVM takes it for
/// the processor.
bool has_xnack(const Program& program, std::optional<bool> chosen);

/// What to put in front of the consumer: `s_nop 1`.
std::string remedy_text(HazardRemedy remedy, u32 missing_wait_states);

}  // namespace salu::observe
