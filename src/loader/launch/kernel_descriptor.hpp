#pragma once

#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loader/objects/kernel_code_header.hpp"

/// The 64 bytes from which the command processor starts a kernel, and the registers that it initialises from them (LLVM
/// AMDGPUUsage, kernel descriptor V3 and initial kernel execution state).
namespace salu::loader {

struct KernelDescriptor {
  static constexpr u64 size_bytes = 64;

  u32 group_segment_bytes = 0;    ///< GROUP_SEGMENT_FIXED_SIZE
  u32 private_segment_bytes = 0;  ///< PRIVATE_SEGMENT_FIXED_SIZE
  i64 entry_offset = 0;           ///< KERNEL_CODE_ENTRY_BYTE_OFFSET, from the descriptor's own address
  u32 rsrc1 = 0;                  ///< COMPUTE_PGM_RSRC1
  u32 rsrc2 = 0;                  ///< COMPUTE_PGM_RSRC2
  u32 rsrc3 = 0;                  ///< COMPUTE_PGM_RSRC3
  u32 properties = 0;             ///< ENABLE_SGPR_* and the bits after them
  u32 scratch_element_bytes = 4;  ///< element size of the private segment buffer; only headers can specify others
  bool has_accum_offset = true;   ///< `rsrc3` is valid; headers do not have it
  u16 preload = 0;                ///< KERNARG_PRELOAD_SPEC_LENGTH and _OFFSET

  /// Bits of `properties`.
  static constexpr u32 private_segment_buffer = 1U << 0;
  static constexpr u32 dispatch_ptr = 1U << 1;
  static constexpr u32 queue_ptr = 1U << 2;
  static constexpr u32 kernarg_segment_ptr = 1U << 3;
  static constexpr u32 dispatch_id = 1U << 4;
  static constexpr u32 flat_scratch_init = 1U << 5;
  static constexpr u32 private_segment_size = 1U << 6;
  static constexpr u32 grid_workgroup_count = 1U << 7;  ///< along x; the next two bits along y and z; only in headers
  static constexpr u32 uses_dynamic_stack = 1U << 11;

  [[nodiscard]] bool has(u32 property) const { return (properties & property) != 0; }
  [[nodiscard]] bool enables_private_segment() const { return (rsrc2 & 1) != 0; }
  /// The number of user SGPRs, which precede the system SGPRs.
  [[nodiscard]] u32 user_sgpr_count() const { return rsrc2 >> 1 & 31; }
  /// The number of dwords of kernel arguments that are preloaded into user SGPRs.
  [[nodiscard]] u32 preload_dwords(Generation generation) const;
  [[nodiscard]] u32 preload_offset_dwords() const { return preload >> 7U; }
  /// The offset in bytes from the descriptor to the first instruction. If arguments are preloaded, it is 256 larger: it
  /// skips the code for firmware that does not support preloading.
  [[nodiscard]] i64 start_offset(Generation generation) const;
};

/// Parses a descriptor of `KernelDescriptor::size_bytes`, or with `is_header` a header of
/// `KernelCodeHeader::size_bytes`, which is converted to a descriptor.
KernelDescriptor parse_start_of_kernel(std::span<const u8> bytes, bool is_header);

/// Returns an error in a descriptor for this generation; empty if it is valid.
std::string check_kernel_descriptor(const KernelDescriptor& descriptor, Generation generation);

/// Returns the number of SGPRs that a wave of the kernel can name: GRANULATED_WAVEFRONT_SGPR_COUNT in blocks of 8 or
/// 16, limited by the operand encoding. On hardware VCC, FLAT_SCRATCH and XNACK_MASK are the highest of them.
u32 allocated_sgprs(const KernelDescriptor& descriptor, Generation generation);

/// The vector registers that a wave of the kernel has.
struct VectorAllocation {
  u32 vgprs = 0;
  u32 agprs = 0;
};

/// Returns the VGPRs and AGPRs of GRANULATED_WORKITEM_VGPR_COUNT, in blocks of 4, or of 8 from CDNA 2 on. There both
/// share one file, which ACCUM_OFFSET divides; CDNA 1 has as many AGPRs as VGPRs.
VectorAllocation allocated_vectors(const KernelDescriptor& descriptor, Generation generation);

/// Returns GPR_ALLOC of a wave whose registers begin at 0 (CDNA 3 ISA manual, table 21; Linux, context save handler).
u32 gpr_alloc(const KernelDescriptor& descriptor, Generation generation);

/// Returns LDS_ALLOC of a work-group whose LDS begins at 0 and has `bytes` bytes, in units of 64 dwords.
u32 lds_alloc(u64 bytes, Generation generation);

/// Returns the initial MODE: rounding, denormals, clamping, IEEE and exceptions as set in the descriptor.
u32 initial_mode(const KernelDescriptor& descriptor, Generation generation);

/// The values for the registers that the descriptor enables.
struct LaunchRegisters {
  std::array<u32, 4> private_segment_buffer{};
  u64 dispatch_ptr = 0;
  u64 queue_ptr = 0;
  u64 kernarg_ptr = 0;
  u64 dispatch_id = 0;
  u64 flat_scratch_init = 0;
  u32 private_segment_size = 0;
  std::array<u32, 3> workgroup_counts{};  ///< of the grid, incomplete work-groups included
  std::vector<u32> preloaded;             ///< `KernelDescriptor::preload_dwords` dwords
  std::array<u32, 3> workgroup_id{};
  u32 workgroup_info = 0;
  u32 scratch_wave_offset = 0;
  u64 group_bytes = 0;   ///< of shared memory, for LDS_ALLOC
  u64 flat_scratch = 0;  ///< if the hardware sets it
  u64 exec = 0;
  std::vector<std::array<u32, 3>> work_items;  ///< ids within the work-group, by lane
  bool several_waves = false;                  ///< the work-group has several waves
};

/// Sets user and system SGPRs, work-item ids, FLAT_SCRATCH, EXEC, MODE, STATUS and the number of SGPRs. M0 stays
/// undefined: the kernel's own prologue sets it.
void set_launch_registers(const KernelDescriptor& descriptor, const LaunchRegisters& values, Generation generation,
                          WaveState& state);

}  // namespace salu::loader
