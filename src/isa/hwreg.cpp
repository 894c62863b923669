#include "isa/hwreg.hpp"

#include <algorithm>
#include <array>

namespace salu::isa {
namespace {

using namespace generations;

constexpr GenerationSet from_gcn1_1 = from(Generation::gcn1_1);
constexpr GenerationSet from_gcn1_2 = from(Generation::gcn1_2);
constexpr GenerationSet from_gcn1_4 = from(Generation::gcn1_4);
constexpr GenerationSet from_cdna2 = from(Generation::cdna2);
constexpr GenerationSet from_cdna3 = from(Generation::cdna3);
constexpr GenerationSet gcn1_0 = only(Generation::gcn1_0);
constexpr GenerationSet gcn1_2 = only(Generation::gcn1_2);
constexpr GenerationSet up_to_gcn1_1 = up_to(Generation::gcn1_1);
constexpr GenerationSet up_to_gcn1_2 = up_to(Generation::gcn1_2);
constexpr GenerationSet up_to_cdna1 = up_to(Generation::cdna1);
constexpr GenerationSet gcn1_4_to_cdna2 = between(Generation::gcn1_4, Generation::cdna2);
constexpr GenerationSet but_cdna2 = all - only(Generation::cdna2);

constexpr std::array<HwregInfo, 24> registers = {{
    {"MODE", 1, all, HwregAccess::read_write, true},
    {"STATUS", 2, all, HwregAccess::read_only, true},
    {"TRAPSTS", 3, all, HwregAccess::read_write, true},
    {"HW_ID", 4, all, HwregAccess::read_only, true},
    {"GPR_ALLOC", 5, all, HwregAccess::read_only, true},
    {"LDS_ALLOC", 6, all, HwregAccess::read_only, true},
    {"IB_STS", 7, all, HwregAccess::read_only, true},
    {"PC_LO", 8, all, HwregAccess::read_only, false},
    {"PC_HI", 9, all, HwregAccess::read_only, false},
    {"INST_DW0", 10, all, HwregAccess::read_only, false},
    {"INST_DW1", 11, all, HwregAccess::read_only, false},
    {"IB_DBG0", 12, all, HwregAccess::read_only, false},
    {"IB_DBG1", 13, from_gcn1_2, HwregAccess::read_only, false},
    {"FLUSH_IB", 14, from_gcn1_4, HwregAccess::write_only, false},
    {"SH_MEM_BASES", 15, from_gcn1_4, HwregAccess::read_only, true},
    {"TBA_LO", 16, from_gcn1_4, HwregAccess::read_only, true},
    {"TBA_HI", 17, from_gcn1_4, HwregAccess::read_only, true},
    {"TMA_LO", 18, from_gcn1_4, HwregAccess::read_only, true},
    {"TMA_HI", 19, from_gcn1_4, HwregAccess::read_only, true},
    {"XCC_ID", 20, from_cdna3, HwregAccess::read_only, true},
    {"SQ_PERF_SNAPSHOT_DATA", 21, from_cdna3, HwregAccess::read_only, true},
    {"SQ_PERF_SNAPSHOT_DATA1", 22, from_cdna3, HwregAccess::read_only, true},
    {"SQ_PERF_SNAPSHOT_PC_LO", 23, from_cdna3, HwregAccess::read_only, true},
    {"SQ_PERF_SNAPSHOT_PC_HI", 24, from_cdna3, HwregAccess::read_only, true},
}};

constexpr std::array<HwregField, 87> all_fields = {{
    {"FP_ROUND", 1, 0, 3, all},
    {"FP_DENORM", 1, 4, 7, all},
    {"DX10_CLAMP", 1, 8, 8, all},
    {"IEEE", 1, 9, 9, all},
    {"LOD_CLAMPED", 1, 10, 10, all},
    {"DEBUG_EN", 1, 11, 11, all},
    {"EXCP_EN", 1, 12, 18, gcn1_0},
    {"EXCP_EN", 1, 12, 20, from_gcn1_1},
    {"FP16_OVFL", 1, 23, 23, from_gcn1_4},
    {"POPS_PACKER0", 1, 24, 24, gcn1_4_to_cdna2},
    {"POPS_PACKER1", 1, 25, 25, gcn1_4_to_cdna2},
    {"DISABLE_PERF", 1, 26, 26, from_gcn1_4},
    {"GPR_IDX_EN", 1, 27, 27, from_gcn1_2},
    {"VSKIP", 1, 28, 28, all},
    {"CSP", 1, 29, 31, all},
    {"SCC", 2, 0, 0, all},
    {"SPI_PRIO", 2, 1, 2, all},
    {"USER_PRIO", 2, 3, 4, all},
    {"PRIV", 2, 5, 5, all},
    {"TRAP_EN", 2, 6, 6, all},
    {"TTRACE_EN", 2, 7, 7, all},
    {"EXPORT_RDY", 2, 8, 8, all},
    {"EXECZ", 2, 9, 9, all},
    {"VCCZ", 2, 10, 10, all},
    {"IN_TG", 2, 11, 11, all},
    {"IN_BARRIER", 2, 12, 12, all},
    {"HALT", 2, 13, 13, all},
    {"TRAP", 2, 14, 14, all},
    {"TTRACE_CU_EN", 2, 15, 15, all},
    {"VALID", 2, 16, 16, all},
    {"ECC_ERR", 2, 17, 17, all},
    {"SKIP_EXPORT", 2, 18, 18, all},
    {"PERF_EN", 2, 19, 19, all},
    {"COND_DBG_USER", 2, 20, 20, but_cdna2},
    {"COND_DBG_SYS", 2, 21, 21, but_cdna2},
    {"DATA_ATC", 2, 22, 22, up_to_gcn1_1},
    {"ALLOW_REPLAY", 2, 22, 22, from_gcn1_2},
    {"INST_ATC", 2, 23, 23, up_to_gcn1_2},
    {"FATAL_HALT", 2, 23, 23, from_gcn1_4},
    {"DISPATCH_CACHE_CTRL", 2, 24, 26, up_to_gcn1_1},
    {"MUST_EXPORT", 2, 27, 27, all},
    {"EXCP", 3, 0, 6, gcn1_0},
    {"EXCP", 3, 0, 8, from_gcn1_1},
    {"SAVECTX", 3, 10, 10, from_gcn1_2},
    {"ILLEGAL_INST", 3, 11, 11, from_gcn1_4},
    {"EXCP_HI", 3, 12, 14, from_gcn1_4},
    {"EXCP_CYCLE", 3, 16, 21, all},
    {"HOST_TRAP", 3, 22, 22, from_cdna3},
    {"WAVE_BEGIN", 3, 23, 23, from_cdna3},
    {"WAVE_END", 3, 24, 24, from_cdna3},
    {"TRAP_AFTER_INST", 3, 25, 25, from_cdna3},
    {"PERF_SNAPSHOT", 3, 26, 26, from_cdna3},
    {"XNACK_ERROR", 3, 28, 28, from_gcn1_4},
    {"DP_RATE", 3, 29, 31, all},
    {"WAVE_ID", 4, 0, 3, all},
    {"SIMD_ID", 4, 4, 5, all},
    {"PIPE_ID", 4, 6, 7, all},
    {"CU_ID", 4, 8, 11, all},
    {"SH_ID", 4, 12, 12, all},
    {"SE_ID", 4, 13, 14, up_to_cdna1},
    {"SE_ID", 4, 13, 15, from_cdna2},
    {"TG_ID", 4, 16, 19, all},
    {"VM_ID", 4, 20, 23, all},
    {"QUEUE_ID", 4, 24, 26, all},
    {"STATE_ID", 4, 27, 29, all},
    {"ME_ID", 4, 30, 31, all},
    {"VGPR_BASE", 5, 0, 5, up_to_cdna1},
    {"VGPR_SIZE", 5, 8, 13, up_to_cdna1},
    {"SGPR_BASE", 5, 16, 21, up_to_cdna1},
    {"SGPR_SIZE", 5, 24, 27, up_to_cdna1},
    {"VGPR_BASE", 5, 0, 5, from_cdna2},
    {"VGPR_SIZE", 5, 6, 11, from_cdna2},
    {"ACCV_OFFSET", 5, 12, 17, from_cdna2},
    {"SGPR_BASE", 5, 18, 23, from_cdna2},
    {"SGPR_SIZE", 5, 24, 27, from_cdna2},
    {"LDS_BASE", 6, 0, 7, all},
    {"LDS_SIZE", 6, 12, 20, all},
    {"VM_CNT", 7, 0, 3, all},
    {"EXP_CNT", 7, 4, 6, all},
    {"LGKM_CNT", 7, 8, 11, all},
    {"VALU_CNT", 7, 12, 14, all},
    {"FIRST_REPLAY", 7, 15, 15, from_gcn1_2},
    {"RCNT", 7, 16, 19, gcn1_2},
    {"RCNT", 7, 16, 20, from_gcn1_4},
    {"VM_CNT_HI", 7, 22, 23, from_gcn1_4},
    {"PC_HI", 9, 0, 7, up_to_gcn1_2},
    {"PC_HI", 9, 0, 15, from_gcn1_4},
}};

/// True if, on every generation that the table describes, the layouts of MODE or STATUS have a field at the position in
/// the table.
template <class Layout>
constexpr bool agrees(const Layout GenerationInfo::* layout, u32 id, BitField Layout::* field, std::string_view name) {
  return std::ranges::all_of(generation_table, [&](const GenerationInfo& info) {
    const auto generation = static_cast<Generation>(&info - generation_table.data());
    BitField found;
    bool is_described = false;
    for (const HwregField& each : all_fields) {
      if (each.id != id || !contains(each.generations, generation)) continue;
      is_described = true;
      if (each.name == name) found = {each.low_bit, each.width()};
    }
    return !is_described || found == info.*layout.*field;
  });
}
constexpr bool mode_agrees(BitField ModeLayout::* field, std::string_view name) {
  return agrees(&GenerationInfo::mode, hwreg_id::mode, field, name);
}
constexpr bool status_agrees(BitField StatusLayout::* field, std::string_view name) {
  return agrees(&GenerationInfo::status, hwreg_id::status, field, name);
}
static_assert(mode_agrees(&ModeLayout::fp_round, "FP_ROUND"));
static_assert(mode_agrees(&ModeLayout::fp_denorm, "FP_DENORM"));
static_assert(mode_agrees(&ModeLayout::dx10_clamp, "DX10_CLAMP"));
static_assert(mode_agrees(&ModeLayout::ieee, "IEEE"));
static_assert(mode_agrees(&ModeLayout::debug_en, "DEBUG_EN"));
static_assert(mode_agrees(&ModeLayout::excp_en, "EXCP_EN"));
static_assert(mode_agrees(&ModeLayout::gpr_idx_en, "GPR_IDX_EN"));
static_assert(mode_agrees(&ModeLayout::vskip, "VSKIP"));
static_assert(mode_agrees(&ModeLayout::csp, "CSP"));
static_assert(status_agrees(&StatusLayout::scc, "SCC"));
static_assert(status_agrees(&StatusLayout::user_prio, "USER_PRIO"));
static_assert(status_agrees(&StatusLayout::priv, "PRIV"));
static_assert(status_agrees(&StatusLayout::trap_en, "TRAP_EN"));
static_assert(status_agrees(&StatusLayout::execz, "EXECZ"));
static_assert(status_agrees(&StatusLayout::vccz, "VCCZ"));
static_assert(status_agrees(&StatusLayout::in_tg, "IN_TG"));
static_assert(status_agrees(&StatusLayout::halt, "HALT"));
static_assert(status_agrees(&StatusLayout::cond_dbg_user, "COND_DBG_USER"));
static_assert(status_agrees(&StatusLayout::cond_dbg_sys, "COND_DBG_SYS"));
static_assert(status_agrees(&StatusLayout::inst_atc, "INST_ATC"));

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Compares without regard to case; `canonical` is in upper case.
bool same_name(std::string_view name, std::string_view canonical) {
  return std::ranges::equal(name, canonical, {}, upper);
}

}  // namespace

std::span<const HwregInfo> hwregs() { return registers; }
std::span<const HwregField> hwreg_fields() { return all_fields; }

const HwregInfo* find_hwreg(Generation generation, u32 id) {
  const auto found = std::ranges::find_if(
      registers, [&](const HwregInfo& info) { return info.id == id && contains(info.generations, generation); });
  return found == registers.end() ? nullptr : &*found;
}

const HwregInfo* find_hwreg(Generation generation, std::string_view name) {
  constexpr std::string_view prefix = "HW_REG_";
  if (same_name(name.substr(0, prefix.size()), prefix)) name.remove_prefix(prefix.size());
  const auto found = std::ranges::find_if(registers, [&](const HwregInfo& info) {
    return contains(info.generations, generation) && same_name(name, info.name);
  });
  return found == registers.end() ? nullptr : &*found;
}

const HwregField* find_hwreg_field(Generation generation, u32 id, std::string_view name) {
  const auto found = std::ranges::find_if(all_fields, [&](const HwregField& field) {
    return field.id == id && contains(field.generations, generation) && same_name(name, field.name);
  });
  return found == all_fields.end() ? nullptr : &*found;
}

std::vector<const HwregField*> hwreg_fields(Generation generation, u32 id) {
  std::vector<const HwregField*> found;
  for (const HwregField& field : all_fields) {
    if (field.id == id && contains(field.generations, generation)) found.push_back(&field);
  }
  return found;
}

}  // namespace salu::isa
