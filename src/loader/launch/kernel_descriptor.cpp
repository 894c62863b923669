#include "loader/launch/kernel_descriptor.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "isa/hwreg.hpp"

namespace salu::loader {
namespace {

constexpr u32 most_user_sgprs = 16;
constexpr i64 preload_prologue_bytes = 256;

// Bits of COMPUTE_PGM_RSRC1 to COMPUTE_PGM_RSRC3.
constexpr u32 rsrc1_vgpr_blocks = 0;
constexpr u32 rsrc1_sgpr_blocks = 6;
constexpr u32 rsrc1_priority = 10;
constexpr u32 rsrc1_float_mode = 12;
constexpr u32 rsrc1_dx10_clamp = 21;
constexpr u32 rsrc1_ieee_mode = 23;
constexpr u32 rsrc1_cdbg_user = 25;
constexpr u32 rsrc1_fp16_overflow = 26;
constexpr u32 rsrc2_workgroup_id_x = 7;
constexpr u32 rsrc2_workgroup_info = 10;
constexpr u32 rsrc2_workitem_ids = 11;  // two bits: number of ids in addition to x
constexpr u32 rsrc2_exception_address_watch = 13;
constexpr u32 rsrc2_exceptions = 24;
constexpr u32 rsrc3_accum_offset = 0;

// Bit positions in MODE and STATUS (hwregs.tsv).
constexpr u32 mode_dx10_clamp = 8;
constexpr u32 mode_ieee = 9;
constexpr u32 mode_exceptions = 12;
constexpr u32 mode_memory_exceptions = 19;
constexpr u32 mode_fp16_overflow = 23;
constexpr u32 status_spi_prio = 1;

u32 field(u32 word, u32 lowest, u32 width) { return word >> lowest & ((1U << width) - 1); }

/// The bits of a hardware register that are defined on a generation.
u32 existing_bits(Generation generation, u32 reg) {
  u32 bits = 0;
  for (const isa::HwregField* each : isa::hwreg_fields(generation, reg)) bits |= each->mask();
  return bits;
}

u32 enabled_user_sgprs(const KernelDescriptor& descriptor, Generation generation) {
  u32 count = 0;
  if (descriptor.has(KernelDescriptor::private_segment_buffer)) count += 4;
  for (const u32 pointer :
       {KernelDescriptor::dispatch_ptr, KernelDescriptor::queue_ptr, KernelDescriptor::kernarg_segment_ptr,
        KernelDescriptor::dispatch_id, KernelDescriptor::flat_scratch_init}) {
    if (descriptor.has(pointer)) count += 2;
  }
  if (descriptor.has(KernelDescriptor::private_segment_size)) ++count;
  for (u32 axis = 0; axis < 3; ++axis) count += u32{descriptor.has(KernelDescriptor::grid_workgroup_count << axis)};
  return count + descriptor.preload_dwords(generation);
}

/// Allocates consecutive SGPRs and sets them.
class SgprWriter {
 public:
  SgprWriter(WaveState& state, Generation generation) : state_(state), generation_(generation) {}

  void set_limit(u32 end) { end_ = std::min(end, state_.sgprs); }
  void move_to(u32 sgpr) { next_ = sgpr; }

  void add(u32 value) {
    if (next_ < end_) {
      write_register(state_, generation_, RegisterName::in_file(next_), value);
    }
    ++next_;
  }
  void add64(u64 value) {
    add(static_cast<u32>(value));
    add(static_cast<u32>(value >> 32));
  }

 private:
  WaveState& state_;
  Generation generation_;
  u32 next_ = 0;
  u32 end_ = 0;
};

void set_user_sgprs(const KernelDescriptor& descriptor, const LaunchRegisters& values, SgprWriter& sgprs) {
  if (descriptor.has(KernelDescriptor::private_segment_buffer)) {
    for (const u32 word : values.private_segment_buffer) sgprs.add(word);
  }
  if (descriptor.has(KernelDescriptor::dispatch_ptr)) sgprs.add64(values.dispatch_ptr);
  if (descriptor.has(KernelDescriptor::queue_ptr)) sgprs.add64(values.queue_ptr);
  if (descriptor.has(KernelDescriptor::kernarg_segment_ptr)) sgprs.add64(values.kernarg_ptr);
  if (descriptor.has(KernelDescriptor::dispatch_id)) sgprs.add64(values.dispatch_id);
  if (descriptor.has(KernelDescriptor::flat_scratch_init)) sgprs.add64(values.flat_scratch_init);
  if (descriptor.has(KernelDescriptor::private_segment_size)) sgprs.add(values.private_segment_size);
  for (u32 axis = 0; axis < 3; ++axis) {
    if (descriptor.has(KernelDescriptor::grid_workgroup_count << axis)) sgprs.add(values.workgroup_counts[axis]);
  }
  for (const u32 word : values.preloaded) sgprs.add(word);
}

void set_system_sgprs(const KernelDescriptor& descriptor, const LaunchRegisters& values, Generation generation,
                      SgprWriter& sgprs) {
  for (u32 i = 0; i < 3; ++i) {
    if (field(descriptor.rsrc2, rsrc2_workgroup_id_x + i, 1) != 0) sgprs.add(values.workgroup_id[i]);
  }
  if (field(descriptor.rsrc2, rsrc2_workgroup_info, 1) != 0) sgprs.add(values.workgroup_info);
  if (descriptor.enables_private_segment() && !generation_info(generation).has_architected_flat_scratch)
    sgprs.add(values.scratch_wave_offset);
}

void set_work_item_ids(const KernelDescriptor& descriptor, const LaunchRegisters& values, Generation generation,
                       WaveState& state) {
  constexpr u32 bits = 10;
  const u32 last_axis = std::min(field(descriptor.rsrc2, rsrc2_workitem_ids, 2), 2U);
  for (u32 lane = 0; lane < values.work_items.size(); ++lane) {
    u32 packed = 0;
    for (u32 axis = 0; axis <= last_axis; ++axis) {
      const u32 id = values.work_items[lane][axis];
      packed |= id << (bits * axis);
      if (!generation_info(generation).packs_work_item_ids) state.vectors.write(axis, lane, id);
    }
    if (generation_info(generation).packs_work_item_ids) state.vectors.write(0, lane, packed);
  }
}

u64 read_le(std::span<const u8> bytes, std::size_t offset, std::size_t size) {
  u64 value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= u64{bytes[offset + i]} << (8 * i);
  return value;
}

KernelDescriptor parse_descriptor(std::span<const u8> bytes) {
  KernelDescriptor descriptor;
  descriptor.group_segment_bytes = static_cast<u32>(read_le(bytes, 0, 4));
  descriptor.private_segment_bytes = static_cast<u32>(read_le(bytes, 4, 4));
  descriptor.entry_offset = static_cast<i64>(read_le(bytes, 16, 8));
  descriptor.rsrc3 = static_cast<u32>(read_le(bytes, 44, 4));
  descriptor.rsrc1 = static_cast<u32>(read_le(bytes, 48, 4));
  descriptor.rsrc2 = static_cast<u32>(read_le(bytes, 52, 4));
  constexpr u32 reserved = 7 * KernelDescriptor::grid_workgroup_count;
  descriptor.properties = static_cast<u32>(read_le(bytes, 56, 2)) & ~reserved;
  descriptor.preload = static_cast<u16>(read_le(bytes, 58, 2));
  return descriptor;
}

KernelDescriptor descriptor_of(const KernelCodeHeader& header) {
  constexpr u32 common = 0x7ff;     // bits that descriptors also have, and the counts of work-groups
  constexpr u32 element_size = 17;  // two bits: 2, 4, 8 or 16 bytes
  constexpr u32 is_dynamic_callstack = 1U << 20;
  KernelDescriptor descriptor;
  descriptor.group_segment_bytes = header.group_segment_bytes;
  descriptor.private_segment_bytes = header.private_segment_bytes;
  descriptor.entry_offset = header.entry_offset;
  descriptor.rsrc1 = header.rsrc1;
  descriptor.rsrc2 = header.rsrc2;
  descriptor.properties = header.properties & common;
  descriptor.has_accum_offset = false;
  descriptor.scratch_element_bytes = 2U << field(header.properties, element_size, 2);
  if ((header.properties & is_dynamic_callstack) != 0) descriptor.properties |= KernelDescriptor::uses_dynamic_stack;
  return descriptor;
}

}  // namespace

u32 KernelDescriptor::preload_dwords(Generation generation) const {
  return generation_info(generation).preloads_arguments ? preload & 127U : 0;
}

i64 KernelDescriptor::start_offset(Generation generation) const {
  // The sum wraps for a damaged descriptor; the caller checks the resulting address.
  const u64 prologue = preload_dwords(generation) == 0 ? 0 : u64{preload_prologue_bytes};
  return static_cast<i64>(static_cast<u64>(entry_offset) + prologue);
}

KernelDescriptor parse_start_of_kernel(std::span<const u8> bytes, bool is_header) {
  if (!is_header) return parse_descriptor(bytes);
  return descriptor_of(parse_kernel_code_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

std::string check_kernel_descriptor(const KernelDescriptor& descriptor, Generation generation) {
  constexpr u32 wavefront_size32 = 1U << 10;
  if (descriptor.has(wavefront_size32))
    return "it requires wavefronts of 32 work-items, which gfx6 to gfx9 do not support";
  if (descriptor.private_segment_bytes != 0 && descriptor.scratch_element_bytes != 4) {
    return fmt::format("it requires scratch memory with elements of {} bytes; only 4 bytes are supported",
                       descriptor.scratch_element_bytes);
  }
  const u32 enabled = enabled_user_sgprs(descriptor, generation);
  if (enabled > descriptor.user_sgpr_count()) {
    return fmt::format("it enables {} user SGPRs, but USER_SGPR_COUNT is {}", enabled, descriptor.user_sgpr_count());
  }
  return {};
}

u32 allocated_sgprs(const KernelDescriptor& descriptor, Generation generation) {
  // The field is the number of blocks of 8 minus one, even if the real blocks are larger and its lowest bits are
  // ignored.
  const u32 block = generation_info(generation).sgpr_block;
  const u32 blocks = field(descriptor.rsrc1, rsrc1_sgpr_blocks, 4) / (block / 8);
  return std::min((blocks + 1) * block, sgpr_limit(generation));
}

VectorAllocation allocated_vectors(const KernelDescriptor& descriptor, Generation generation) {
  constexpr u32 most = VectorRegisters::vgprs;
  const GenerationInfo& info = generation_info(generation);
  const bool is_unified = info.column >= Generation::cdna2;
  const u32 total = (field(descriptor.rsrc1, rsrc1_vgpr_blocks, 6) + 1) * (is_unified ? 8 : 4);
  if (!is_unified) return {std::min(total, most), info.has_accumulators ? std::min(total, most) : most};
  if (!descriptor.has_accum_offset) return {std::min(total, most), most};
  const u32 offset = (field(descriptor.rsrc3, rsrc3_accum_offset, 6) + 1) * 4;
  const u32 vgprs = std::min(total, offset);
  return {std::min(vgprs, most), std::min(total - vgprs, most)};
}

u32 gpr_alloc(const KernelDescriptor& descriptor, Generation generation) {
  const GenerationInfo& info = generation_info(generation);
  // From GCN 1.2 on hardware uses blocks of 16 SGPRs, and ignores the lowest bit of the descriptor's number of blocks
  // of 8.
  const u32 sgpr_blocks = field(descriptor.rsrc1, rsrc1_sgpr_blocks, 4) / (info.gfx >= 8 ? 2 : 1);
  const u32 vgpr_blocks = field(descriptor.rsrc1, rsrc1_vgpr_blocks, 6);
  if (info.column < Generation::cdna2) return vgpr_blocks << 8 | sgpr_blocks << 24;
  const u32 offset = descriptor.has_accum_offset ? field(descriptor.rsrc3, rsrc3_accum_offset, 6) : 0;
  return vgpr_blocks << 6 | offset << 12 | sgpr_blocks << 24;
}

u32 lds_alloc(u64 bytes, Generation generation) {
  // AMDGPUUsage, GRANULATED_LDS_SIZE: blocks of 64, 128 or 320 dwords.
  const u64 block = generation == Generation::gcn1_0 ? 256 : generation == Generation::cdna4 ? 1280 : 512;
  constexpr u64 unit = 256;
  return static_cast<u32>((bytes + block - 1) / block * (block / unit)) << 12;
}

u32 initial_mode(const KernelDescriptor& descriptor, Generation generation) {
  u32 mode = field(descriptor.rsrc1, rsrc1_float_mode, 8);
  mode |= field(descriptor.rsrc1, rsrc1_dx10_clamp, 1) << mode_dx10_clamp;
  mode |= field(descriptor.rsrc1, rsrc1_ieee_mode, 1) << mode_ieee;
  mode |= field(descriptor.rsrc2, rsrc2_exceptions, 7) << mode_exceptions;
  mode |= field(descriptor.rsrc2, rsrc2_exception_address_watch, 2) << mode_memory_exceptions;
  mode |= field(descriptor.rsrc1, rsrc1_fp16_overflow, 1) << mode_fp16_overflow;
  return mode & existing_bits(generation, isa::hwreg_id::mode);
}

void set_launch_registers(const KernelDescriptor& descriptor, const LaunchRegisters& values, Generation generation,
                          WaveState& state) {
  state.sgprs = allocated_sgprs(descriptor, generation);
  const VectorAllocation vectors = allocated_vectors(descriptor, generation);
  state.vgprs = vectors.vgprs;
  state.agprs = vectors.agprs;
  state.hwregs[isa::hwreg_id::gpr_alloc] = gpr_alloc(descriptor, generation);
  state.hwregs[isa::hwreg_id::lds_alloc] = lds_alloc(values.group_bytes, generation);
  SgprWriter sgprs(state, generation);
  // A descriptor may enable more than 16, but the hardware initialises at most 16.
  sgprs.set_limit(most_user_sgprs);
  set_user_sgprs(descriptor, values, sgprs);
  sgprs.set_limit(state.sgprs);
  sgprs.move_to(descriptor.user_sgpr_count());
  set_system_sgprs(descriptor, values, generation, sgprs);
  set_work_item_ids(descriptor, values, generation, state);

  const auto write_pair = [&](u32 code, u64 value) {
    write_register(state, generation, RegisterName::in_file(code, 2), value);
  };
  write_pair(state_index::exec, values.exec);
  const GenerationInfo& info = generation_info(generation);
  if (info.has_architected_flat_scratch && descriptor.enables_private_segment())
    write_pair(info.flat_scratch, values.flat_scratch);
  state.mode = initial_mode(descriptor, generation);
  state.status |= field(descriptor.rsrc1, rsrc1_priority, 2) << status_spi_prio;
  // ENABLE_TRAP_HANDLER is 0 in the descriptor, but a runtime that installs a handler sets it for every kernel.
  const StatusLayout& status = status_layout(generation);
  state.status |= status.trap_en.mask() | status.in_tg.place(values.several_waves ? 1 : 0) |
                  status.cond_dbg_user.place(field(descriptor.rsrc1, rsrc1_cdbg_user, 1));
}

}  // namespace salu::loader
