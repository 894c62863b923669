#include "assembler/kernel_header.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "support/names.hpp"
#include "support/nearest.hpp"

namespace salu::assembler {
namespace {

/// Bits of the header, counted from its first byte.
struct Field {
  std::string_view name;
  u32 bit;
  u32 bits;
};

// COMPUTE_PGM_RSRC1 is in the dword at byte 48, COMPUTE_PGM_RSRC2 at 52, the properties of the code at 56.
constexpr u32 rsrc1_bit = 48 * 8;
constexpr u32 rsrc2_bit = 52 * 8;
constexpr u32 properties_bit = 56 * 8;

constexpr auto fields = std::to_array<Field>({
    {"amd_code_version_major", 0, 32},
    {"amd_code_version_minor", 32, 32},
    {"amd_machine_kind", 64, 16},
    {"amd_machine_version_major", 80, 16},
    {"amd_machine_version_minor", 96, 16},
    {"amd_machine_version_stepping", 112, 16},
    {"kernel_code_entry_byte_offset", 128, 64},
    {"kernel_code_prefetch_byte_size", 256, 64},
    {"granulated_workitem_vgpr_count", rsrc1_bit, 6},
    {"granulated_wavefront_sgpr_count", rsrc1_bit + 6, 4},
    {"priority", rsrc1_bit + 10, 2},
    {"float_mode", rsrc1_bit + 12, 8},
    {"priv", rsrc1_bit + 20, 1},
    {"enable_dx10_clamp", rsrc1_bit + 21, 1},
    {"debug_mode", rsrc1_bit + 22, 1},
    {"enable_ieee_mode", rsrc1_bit + 23, 1},
    {"enable_sgpr_private_segment_wave_byte_offset", rsrc2_bit, 1},
    {"user_sgpr_count", rsrc2_bit + 1, 5},
    {"enable_trap_handler", rsrc2_bit + 6, 1},
    {"enable_sgpr_workgroup_id_x", rsrc2_bit + 7, 1},
    {"enable_sgpr_workgroup_id_y", rsrc2_bit + 8, 1},
    {"enable_sgpr_workgroup_id_z", rsrc2_bit + 9, 1},
    {"enable_sgpr_workgroup_info", rsrc2_bit + 10, 1},
    {"enable_vgpr_workitem_id", rsrc2_bit + 11, 2},
    {"enable_exception_msb", rsrc2_bit + 13, 2},
    {"granulated_lds_size", rsrc2_bit + 15, 9},
    {"enable_exception", rsrc2_bit + 24, 7},
    {"enable_sgpr_private_segment_buffer", properties_bit, 1},
    {"enable_sgpr_dispatch_ptr", properties_bit + 1, 1},
    {"enable_sgpr_queue_ptr", properties_bit + 2, 1},
    {"enable_sgpr_kernarg_segment_ptr", properties_bit + 3, 1},
    {"enable_sgpr_dispatch_id", properties_bit + 4, 1},
    {"enable_sgpr_flat_scratch_init", properties_bit + 5, 1},
    {"enable_sgpr_private_segment_size", properties_bit + 6, 1},
    {"enable_sgpr_grid_workgroup_count_x", properties_bit + 7, 1},
    {"enable_sgpr_grid_workgroup_count_y", properties_bit + 8, 1},
    {"enable_sgpr_grid_workgroup_count_z", properties_bit + 9, 1},
    {"enable_ordered_append_gds", properties_bit + 16, 1},
    {"private_element_size", properties_bit + 17, 2},
    {"is_ptr64", properties_bit + 19, 1},
    {"is_dynamic_callstack", properties_bit + 20, 1},
    {"is_debug_enabled", properties_bit + 21, 1},
    {"is_xnack_enabled", properties_bit + 22, 1},
    {"workitem_private_segment_byte_size", 480, 32},
    {"workgroup_group_segment_byte_size", 512, 32},
    {"gds_segment_byte_size", 544, 32},
    {"kernarg_segment_byte_size", 576, 64},
    {"workgroup_fbarrier_count", 640, 32},
    {"wavefront_sgpr_count", 672, 16},
    {"workitem_vgpr_count", 688, 16},
    {"reserved_vgpr_first", 704, 16},
    {"reserved_vgpr_count", 720, 16},
    {"reserved_sgpr_first", 736, 16},
    {"reserved_sgpr_count", 752, 16},
    {"debug_wavefront_private_segment_offset_sgpr", 768, 16},
    {"debug_private_segment_buffer_sgpr", 784, 16},
    {"kernarg_segment_alignment", 800, 8},
    {"group_segment_alignment", 808, 8},
    {"private_segment_alignment", 816, 8},
    {"wavefront_size", 824, 8},
    {"call_convention", 832, 32},
    {"runtime_loader_kernel_symbol", 960, 64},
});

/// Fields that only GFX10 and later have; they are 0 for every other processor.
constexpr std::array<std::string_view, 4> later_fields = {"enable_wgp_mode", "enable_mem_ordered",
                                                          "enable_fwd_progress", "enable_wavefront_size32"};

}  // namespace

KernelHeader::KernelHeader(const Target& target) {
  const ProcessorVersion version = processor_version(target);
  set("amd_code_version_major", 1);
  set("amd_code_version_minor", 2);
  set("amd_machine_kind", 1);
  set("amd_machine_version_major", version.major);
  set("amd_machine_version_minor", version.minor);
  set("amd_machine_version_stepping", version.stepping);
  set("kernel_code_entry_byte_offset", size_bytes);
  constexpr i64 power_of_16 = 4;
  for (const std::string_view alignment :
       {"kernarg_segment_alignment", "group_segment_alignment", "private_segment_alignment"})
    set(alignment, power_of_16);
  constexpr i64 power_of_64 = 6;
  set("wavefront_size", power_of_64);
  set("call_convention", -1);
}

std::string KernelHeader::set(std::string_view field, i64 value) {
  if (std::ranges::count(later_fields, field) != 0)
    return value == 0 ? std::string() : fmt::format("{} is 0 before GFX10", field);
  const auto* const found = std::ranges::find(fields, field, &Field::name);
  if (found == fields.end()) {
    std::vector<std::string_view> names;
    for (const Field& each : fields) names.push_back(each.name);
    return fmt::format("unknown field '{}' of amd_kernel_code_t{}", support::beginning(field, 60),
                       support::did_you_mean(field, names, support::NameStyle::bare));
  }
  put(found->bit, found->bits, static_cast<u64>(value));
  return {};
}

void KernelHeader::put(u32 bit, u32 bits, u64 value) {
  for (u32 i = 0; i < bits; ++i) {
    u8& byte = bytes_[(bit + i) / 8];
    const u32 mask = 1U << ((bit + i) % 8);
    byte = static_cast<u8>((value >> i & 1) != 0 ? byte | mask : byte & ~mask);
  }
}

}  // namespace salu::assembler
