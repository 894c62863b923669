#include "observe/hazards/hazard_table.hpp"

#include <algorithm>

#include "isa/generations.hpp"

namespace salu::observe {
namespace {

using isa::GenerationSet;

/// The vocabulary of the rows.
namespace words {
using enum Generation;
using Waits = std::array<u8, generation_count>;

inline constexpr GenerationSet all = isa::generations::all;
inline constexpr GenerationSet up_to_gcn1_1 = isa::generations::up_to(gcn1_1);
inline constexpr GenerationSet up_to_gcn1_4 = isa::generations::up_to(gcn1_4);
inline constexpr GenerationSet from_gcn1_2 = isa::generations::from(gcn1_2);
inline constexpr GenerationSet from_gcn1_4 = isa::generations::from(gcn1_4);
inline constexpr GenerationSet gcn1_1_to_cdna2 = isa::generations::between(gcn1_1, cdna2);
inline constexpr GenerationSet only_gcn1_0 = isa::generations::only(gcn1_0);
inline constexpr GenerationSet only_cdna3 = isa::generations::only(cdna3);

constexpr Waits counts(GenerationSet set, u8 count) {
  Waits waits{};
  for (std::size_t i = 0; i < generation_count; ++i)
    waits[i] = set.contains(static_cast<Generation>(i)) ? count : u8{0};
  return waits;
}
constexpr Waits until_undone(GenerationSet set) { return counts(set, observe::until_undone); }
constexpr Waits operator|(const Waits& a, const Waits& b) {
  Waits waits{};
  for (std::size_t i = 0; i < generation_count; ++i) waits[i] = std::max(a[i], b[i]);
  return waits;
}

constexpr std::array<HazardInfo, hazard_count> table() {
  constexpr bool warning = false;
  constexpr bool info = true;
  return {{
#define SALU_HAZARD(name, id, event, use, waits, severity, remedy, what) \
  {id, HazardEvent::event, HazardUse::use, waits, severity, HazardRemedy::remedy, what},
#include "observe/hazards/hazards.def"
#undef SALU_HAZARD
  }};
}
}  // namespace words

constexpr std::array<HazardInfo, hazard_count> hazard_table = words::table();

}  // namespace

std::span<const HazardInfo> hazards() { return hazard_table; }

bool is_hazard_id(std::string_view id) {
  return std::ranges::find(hazard_table, id, &HazardInfo::id) != hazard_table.end();
}

TargetHazards::TargetHazards(const Target& target, bool xnack) : generation_(target.generation) {
  std::size_t count = 0;
  for (std::size_t event = 0; event < hazard_event_count; ++event) {
    first_[event] = count;
    for (const HazardInfo& info : hazard_table) {
      const u8 needed = info.waits[static_cast<std::size_t>(generation_)];
      if (static_cast<std::size_t>(info.event) != event || needed == 0) continue;
      if ((info.use == HazardUse::clause_read || info.use == HazardUse::clause_write) && !xnack) continue;
      rows_[count++] = {&info, needed};
      lifetimes_[event] = std::max(lifetimes_[event], needed);
    }
  }
  first_[hazard_event_count] = count;
}

bool has_xnack(const Program& program, std::optional<bool> chosen) {
  if (chosen) return *chosen;
  if (program.xnack) return *program.xnack;
  return program.target->has_xnack && is_gfx9(program.generation());
}

std::string remedy_text(HazardRemedy remedy, u32 missing_wait_states) {
  switch (remedy) {
    case HazardRemedy::none:
      return {};
    case HazardRemedy::wait_states:
      return "s_nop " + std::to_string(missing_wait_states - 1);
    case HazardRemedy::lgkmcnt:
      return "s_waitcnt lgkmcnt(0)";
    case HazardRemedy::vcc_copy:
      return "s_mov_b64 vcc, vcc";
    case HazardRemedy::wait_and_vcc_copy:
      return "s_waitcnt lgkmcnt(0); s_mov_b64 vcc, vcc";
    case HazardRemedy::write_back:
      return "s_dcache_wb";
    case HazardRemedy::jump:
      return "s_branch to the next instruction, or 16 times s_nop 0";
  }
  return {};
}

}  // namespace salu::observe
