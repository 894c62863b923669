#include "assembler/kernel_block.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assembler/functions.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"

namespace salu::assembler {
namespace {

/// Dwords of the descriptor.
constexpr u8 group_segment = 0;
constexpr u8 private_segment = 1;
constexpr u8 kernarg_size = 2;
constexpr u8 rsrc3 = 11;
constexpr u8 rsrc1 = 12;
constexpr u8 rsrc2 = 13;
constexpr u8 properties = 14;

/// The processors for which a directive is valid.
enum class Where : u8 {
  everywhere,
  from_gfx7,
  from_gfx8,
  from_gfx9,
  with_accumulators_apart,   ///< GFX90A and later: AGPRs follow VGPRs in one register file
  with_architected_scratch,  ///< the hardware sets FLAT_SCRATCH
  without_architected_scratch,
};

/// A directive whose value is stored in one field unchanged.
struct FieldRow {
  std::string_view name;  ///< without `.amdhsa_`
  u8 dword;
  u8 lowest;
  u8 bits;
  Where where = Where::everywhere;
};

constexpr auto field_rows = std::to_array<FieldRow>({
    {"group_segment_fixed_size", group_segment, 0, 32},
    {"private_segment_fixed_size", private_segment, 0, 32},
    {"kernarg_size", kernarg_size, 0, 32},
    {"user_sgpr_private_segment_buffer", properties, 0, 1, Where::without_architected_scratch},
    {"user_sgpr_dispatch_ptr", properties, 1, 1},
    {"user_sgpr_queue_ptr", properties, 2, 1},
    {"user_sgpr_kernarg_segment_ptr", properties, 3, 1},
    {"user_sgpr_dispatch_id", properties, 4, 1},
    {"user_sgpr_flat_scratch_init", properties, 5, 1, Where::without_architected_scratch},
    {"user_sgpr_private_segment_size", properties, 6, 1},
    {"uses_dynamic_stack", properties, 11, 1},
    {"user_sgpr_kernarg_preload_length", properties, 16, 7, Where::with_accumulators_apart},
    {"user_sgpr_kernarg_preload_offset", properties, 23, 9, Where::with_accumulators_apart},
    {"system_sgpr_private_segment_wavefront_offset", rsrc2, 0, 1, Where::without_architected_scratch},
    {"enable_private_segment", rsrc2, 0, 1, Where::with_architected_scratch},
    {"system_sgpr_workgroup_id_x", rsrc2, 7, 1},
    {"system_sgpr_workgroup_id_y", rsrc2, 8, 1},
    {"system_sgpr_workgroup_id_z", rsrc2, 9, 1},
    {"system_sgpr_workgroup_info", rsrc2, 10, 1},
    {"system_vgpr_workitem_id", rsrc2, 11, 2},
    {"exception_fp_ieee_invalid_op", rsrc2, 24, 1},
    {"exception_fp_denorm_src", rsrc2, 25, 1},
    {"exception_fp_ieee_div_zero", rsrc2, 26, 1},
    {"exception_fp_ieee_overflow", rsrc2, 27, 1},
    {"exception_fp_ieee_underflow", rsrc2, 28, 1},
    {"exception_fp_ieee_inexact", rsrc2, 29, 1},
    {"exception_int_div_zero", rsrc2, 30, 1},
    {"float_round_mode_32", rsrc1, 12, 2},
    {"float_round_mode_16_64", rsrc1, 14, 2},
    {"float_denorm_mode_32", rsrc1, 16, 2},
    {"float_denorm_mode_16_64", rsrc1, 18, 2},
    {"dx10_clamp", rsrc1, 21, 1},
    {"ieee_mode", rsrc1, 23, 1},
    {"fp16_overflow", rsrc1, 26, 1, Where::from_gfx9},
    {"tg_split", rsrc3, 16, 1, Where::with_accumulators_apart},
});

/// Directives whose values are combined with others before they are stored.
struct CountRow {
  std::string_view name;
  Where where = Where::everywhere;
};
constexpr auto count_rows = std::to_array<CountRow>({
    {"next_free_vgpr"},
    {"next_free_sgpr"},
    {"user_sgpr_count"},
    {"accum_offset", Where::with_accumulators_apart},
    {"reserve_vcc"},
    {"reserve_flat_scratch", Where::from_gfx7},
    {"reserve_xnack_mask", Where::from_gfx8},
});

bool is_available(Where where, const GenerationInfo& info) {
  switch (where) {
    case Where::everywhere:
      return true;
    case Where::from_gfx7:
      return info.gfx >= 7 && !info.has_architected_flat_scratch;
    case Where::from_gfx8:
      return info.gfx >= 8;
    case Where::from_gfx9:
      return info.gfx >= 9;
    case Where::with_accumulators_apart:
      return info.packs_work_item_ids;
    case Where::with_architected_scratch:
      return info.has_architected_flat_scratch;
    case Where::without_architected_scratch:
      return !info.has_architected_flat_scratch;
  }
  return false;
}

constexpr u32 blocks_of(u32 count, u32 granule) { return (std::max(count, 1U) + granule - 1) / granule - 1; }

constexpr u32 sgpr_granule = 8;  // granule of the encoding, independent of the allocation
constexpr u32 vgpr_granule = 4;
constexpr u32 unified_vgpr_granule = 8;
constexpr u32 most_vgprs = 256;
constexpr u32 most_unified_vgprs = 512;
constexpr u32 most_user_sgprs = 16;

/// Processors that initialise SGPRs incorrectly unless all are requested (LLVM: FeatureSGPRInitBug).
bool has_sgpr_init_bug(const Target& target) { return target.processor == "gfx802" || target.processor == "gfx805"; }
constexpr u32 sgprs_with_init_bug = 96;

std::string_view name_of(std::string_view directive) {
  directive.remove_prefix(std::string_view(".amdhsa_").size());
  return directive;
}

}  // namespace

KernelBlock::KernelBlock(const Target& target, bool is_xnack_off)
    : target_(target),
      info_(generation_info(target.generation)),
      reserves_flat_scratch_(!info_.has_architected_flat_scratch),
      reserves_xnack_mask_(target.has_xnack && info_.gfx >= 8 && !is_xnack_off) {
  constexpr u32 denormals_of_doubles = 3U << 18;
  constexpr u32 dx10_clamp = 1U << 21;
  constexpr u32 ieee = 1U << 23;
  dwords_[rsrc1] = denormals_of_doubles | dx10_clamp | ieee;
  constexpr u32 workgroup_id_x = 1U << 7;
  dwords_[rsrc2] = workgroup_id_x;
}

std::string KernelBlock::unavailable(std::string_view directive) const {
  return fmt::format("{} is not for {}", directive, generation_name(target_.generation));
}

std::string KernelBlock::set(std::string_view directive, i64 value) {
  const std::string_view name = directive.starts_with(".amdhsa_") ? name_of(directive) : std::string_view();
  const auto* const field = std::ranges::find(field_rows, name, &FieldRow::name);
  const auto* const count = std::ranges::find(count_rows, name, &CountRow::name);
  if (field == field_rows.end() && count == count_rows.end()) {
    std::vector<std::string_view> names;
    for (const FieldRow& row : field_rows) names.push_back(row.name);
    for (const CountRow& row : count_rows) names.push_back(row.name);
    return fmt::format("unknown directive '{}' in .amdhsa_kernel{}", support::beginning(directive, 60),
                       support::did_you_mean(name, names, support::NameStyle::bare));
  }
  if (!is_available(field != field_rows.end() ? field->where : count->where, info_)) return unavailable(directive);
  if (std::ranges::find(said_, name) != said_.end()) return fmt::format("{} is given twice", directive);
  const u32 bits = field == field_rows.end() ? 32 : field->bits;
  const bool is_flag = name.starts_with("reserve_");
  if (value < 0 || value > (is_flag ? 1 : static_cast<i64>((u64{1} << bits) - 1)))
    return fmt::format("{} cannot be {}", directive, value);
  const auto number = static_cast<u32>(value);
  if (field != field_rows.end()) {
    const u32 mask = static_cast<u32>(((u64{1} << bits) - 1) << field->lowest);
    dwords_[field->dword] = (dwords_[field->dword] & ~mask) | number << field->lowest;
    said_.push_back(field->name);
    return {};
  }
  said_.push_back(count->name);
  if (name == "next_free_vgpr") next_free_vgpr_ = number;
  if (name == "next_free_sgpr") next_free_sgpr_ = number;
  if (name == "user_sgpr_count") user_sgpr_count_ = number;
  if (name == "accum_offset") accum_offset_ = number;
  if (name == "reserve_vcc") reserves_vcc_ = number != 0;
  if (name == "reserve_flat_scratch") reserves_flat_scratch_ = number != 0;
  if (name == "reserve_xnack_mask") reserves_xnack_mask_ = number != 0;
  return {};
}

/// LLVM: calculateGPRBlocks.
std::optional<u32> KernelBlock::sgpr_blocks(std::string& problem) const {
  if (!next_free_sgpr_) {
    problem = ".amdhsa_next_free_sgpr is missing";
    return std::nullopt;
  }
  const u32 extra = extra_sgprs(info_, reserves_vcc_, reserves_flat_scratch_, reserves_xnack_mask_);
  const bool has_bug = has_sgpr_init_bug(target_);
  const u32 count = *next_free_sgpr_ + (info_.gfx < 8 || has_bug ? extra : 0);
  const u32 most = has_bug ? sgprs_with_init_bug : sgpr_limit(target_.generation);
  if (*next_free_sgpr_ > most || count > most) {
    problem = fmt::format(".amdhsa_next_free_sgpr: a kernel has at most {} SGPRs", most);
    return std::nullopt;
  }
  return blocks_of(has_bug ? sgprs_with_init_bug : *next_free_sgpr_ + extra, sgpr_granule);
}

std::optional<u32> KernelBlock::vgpr_blocks(std::string& problem) const {
  const bool is_unified = info_.packs_work_item_ids;
  const u32 most = is_unified ? most_unified_vgprs : most_vgprs;
  if (!next_free_vgpr_) {
    problem = ".amdhsa_next_free_vgpr is missing";
  } else if (*next_free_vgpr_ > most) {
    problem = fmt::format(".amdhsa_next_free_vgpr: a kernel has at most {} VGPRs", most);
  } else if (is_unified && !accum_offset_) {
    problem = ".amdhsa_accum_offset is missing";
  } else if (is_unified && (*accum_offset_ < 4 || *accum_offset_ > most_vgprs || *accum_offset_ % 4 != 0)) {
    problem = ".amdhsa_accum_offset is a multiple of 4, from 4 to 256";
  } else if (is_unified && *accum_offset_ > (std::max(1U, *next_free_vgpr_) + 3) / 4 * 4) {
    problem = ".amdhsa_accum_offset exceeds the VGPRs of .amdhsa_next_free_vgpr";
  } else {
    return blocks_of(*next_free_vgpr_, is_unified ? unified_vgpr_granule : vgpr_granule);
  }
  return std::nullopt;
}

std::optional<u32> KernelBlock::user_sgprs(std::string& problem) const {
  constexpr std::array<u8, 7> sizes = {4, 2, 2, 2, 2, 2, 1};  // by bit of the properties
  u32 count = dwords_[properties] >> 16 & 0x7f;
  for (u32 bit = 0; bit < sizes.size(); ++bit) {
    if ((dwords_[properties] >> bit & 1) != 0) count += sizes[bit];
  }
  if (user_sgpr_count_ && *user_sgpr_count_ < count) {
    problem = fmt::format(".amdhsa_user_sgpr_count is {}, but {} are enabled", *user_sgpr_count_, count);
    return std::nullopt;
  }
  count = user_sgpr_count_.value_or(count);
  if (count <= most_user_sgprs) return count;
  problem = fmt::format("{} user SGPRs are enabled; the limit is {}", count, most_user_sgprs);
  return std::nullopt;
}

std::optional<std::array<u8, KernelBlock::descriptor_bytes>> KernelBlock::descriptor(std::string& problem) const {
  const auto vgprs = vgpr_blocks(problem);
  if (!vgprs) return std::nullopt;
  const auto sgprs = sgpr_blocks(problem);
  if (!sgprs) return std::nullopt;
  const auto users = user_sgprs(problem);
  if (!users) return std::nullopt;
  auto dwords = dwords_;
  dwords[rsrc1] |= *vgprs | *sgprs << 6;
  dwords[rsrc2] |= *users << 1;
  if (accum_offset_) dwords[rsrc3] |= *accum_offset_ / 4 - 1;
  std::array<u8, descriptor_bytes> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(dwords[i / 4] >> (8 * (i % 4)));
  return bytes;
}

}  // namespace salu::assembler
