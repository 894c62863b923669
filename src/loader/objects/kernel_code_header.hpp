#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "loader/objects/elf_image.hpp"

/// amd_kernel_code_t: the 256 bytes before a kernel's code in objects without kernel descriptors: code object version
/// 2, and Mesa (LLVM, AMDKernelCodeT.h).
namespace salu::loader {

struct KernelCodeHeader {
  static constexpr u64 size_bytes = 256;

  u32 version_major = 0;          ///< amd_kernel_code_version_major
  u16 machine_kind = 0;           ///< amd_machine_kind: 1 for AMDGPU
  u16 machine_major = 0;          ///< of the processor: 8, 0, 3 for gfx803
  u16 machine_minor = 0;          ///< amd_machine_version_minor
  u16 machine_stepping = 0;       ///< amd_machine_version_stepping
  i64 entry_offset = 0;           ///< kernel_code_entry_byte_offset, from the header's own address
  u32 rsrc1 = 0;                  ///< COMPUTE_PGM_RSRC1
  u32 rsrc2 = 0;                  ///< COMPUTE_PGM_RSRC2
  u32 properties = 0;             ///< code_properties
  u32 private_segment_bytes = 0;  ///< workitem_private_segment_byte_size
  u32 group_segment_bytes = 0;    ///< workgroup_group_segment_byte_size
  u64 kernarg_size_bytes = 0;     ///< kernarg_segment_byte_size
  u16 sgpr_count = 0;             ///< wavefront_sgpr_count
  u16 vgpr_count = 0;             ///< workitem_vgpr_count
  u8 kernarg_alignment = 0;       ///< kernarg_segment_alignment, as a power of two
  u8 wavefront_size = 0;          ///< wavefront_size, as a power of two: 6 for 64 work-items
};

/// Parses a header. `bytes` has at least `KernelCodeHeader::size_bytes`.
KernelCodeHeader parse_kernel_code_header(std::string_view bytes);

/// Returns the header that a symbol names; nothing for other symbols. Rejects a kernel symbol whose bytes are not a
/// header. `file` is for messages.
std::optional<KernelCodeHeader> find_kernel_code_header(const ElfImage& image, const ElfSymbol& symbol,
                                                        const std::string& file);

}  // namespace salu::loader
