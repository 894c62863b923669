#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>

#include "isa/generations.hpp"

/// Where a lane's access to memory goes.
namespace salu::isa::vector::semantics {

// ---- buffers ----

/// What a buffer resource (V#) says.
struct BufferResource {
  u64 base = 0;
  u32 stride = 0;   ///< bytes of a record
  u32 records = 0;  ///< or bytes: `counts_records`
  bool swizzles = false;
  bool adds_lane = false;  ///< the number of the lane is part of the index
  u32 element_bits = 2;    ///< swizzling keeps so many bytes together, as a power of two
  u32 index_bits = 3;      ///< and puts so many records side by side
  /// When the size is a number of records, beside that there is a stride.
  bool counts_if_swizzled = false;
  bool counts_if_indexed = false;
};

constexpr BufferResource buffer_resource(Generation generation, const std::array<u32, 4>& words) {
  constexpr u64 base_bits = (u64{1} << 48) - 1;
  BufferResource buffer;
  buffer.base = (words[0] | u64{words[1]} << 32) & base_bits;
  buffer.stride = words[1] >> 16 & 0x3fff;
  buffer.swizzles = words[1] >> 31 != 0;
  buffer.records = words[2];
  buffer.adds_lane = (words[3] >> 23 & 1) != 0;
  buffer.index_bits = 3 + (words[3] >> 21 & 3);
  const u32 level = generation_info(generation).gfx;
  buffer.counts_if_swizzled = level == 8;
  buffer.counts_if_indexed = level == 9;
  // From GCN 1.4 on the field is something else.
  if (level < 9) buffer.element_bits = 1 + (words[3] >> 19 & 3);
  // The field of the format has no other use there.
  if (level >= 8 && buffer.adds_lane) buffer.stride |= (words[3] >> 15 & 15) << 14;
  return buffer;
}

/// Which place of a buffer a lane asks for.
struct BufferPlace {
  u32 index = 0;  ///< of the record; without that of the lane
  bool has_index = false;
  u64 offset = 0;         ///< bytes in the record: the VGPR's and the instruction's
  u32 scalar_offset = 0;  ///< SOFFSET
};

/// The offset of a VGPR and an instruction: from below 0 it leads back into the buffer on GCN 1.4 and CDNA, where
/// before the buffer's size was checked first (LLVM's privateMemoryResourceIsRangeChecked).
constexpr u64 buffer_offset(Generation generation, u32 of_register, u32 of_instruction) {
  const u64 sum = u64{of_register} + of_instruction;
  return generation_info(generation).gfx >= 9 ? static_cast<u32>(sum) : sum;
}

constexpr u64 buffer_index(const BufferResource& buffer, const BufferPlace& place, u32 lane) {
  return u64{place.index} + (buffer.adds_lane ? lane : 0);
}

/// The address of a byte that lies so far behind the place.
constexpr u64 buffer_address(const BufferResource& buffer, const BufferPlace& place, u32 lane, u32 behind) {
  const u64 index = buffer_index(buffer, place, lane);
  const u64 offset = place.offset + behind;
  const u64 start = buffer.base + place.scalar_offset;
  if (!buffer.swizzles) return start + index * buffer.stride + offset;
  const u64 in_element = offset & ((u64{1} << buffer.element_bits) - 1);
  const u64 group = index >> buffer.index_bits;
  const u64 within = index & ((u64{1} << buffer.index_bits) - 1);
  const u64 element = group * buffer.stride + (offset - in_element);
  return start + (element << buffer.index_bits) + (within << buffer.element_bits) + in_element;
}

/// Whether swizzling parts so many bytes from `behind` on.
constexpr bool parts_bytes(const BufferResource& buffer, const BufferPlace& place, u32 behind, u32 bytes) {
  const u64 element_bytes = u64{1} << buffer.element_bits;
  return buffer.swizzles && ((place.offset + behind) & (element_bytes - 1)) + bytes > element_bytes;
}

/// Whether the size of the buffer is a number of records.
constexpr bool counts_records(const BufferResource& buffer, const BufferPlace& place) {
  if (buffer.stride == 0) return false;
  return (buffer.swizzles || !buffer.counts_if_swizzled) && (place.has_index || !buffer.counts_if_indexed);
}

/// Whether so many bytes from `behind` on are in the buffer: what is not reads as 0 and is not written.
constexpr bool is_in_buffer(const BufferResource& buffer, const BufferPlace& place, u32 lane, u32 behind, u32 bytes) {
  const u64 offset = place.offset + behind;
  const u64 index = buffer_index(buffer, place, lane);
  if (!counts_records(buffer, place)) {
    // Swizzling spreads the records over what is counted.
    const u64 from_start = offset + (buffer.swizzles ? 0 : index * buffer.stride);
    return place.scalar_offset <= buffer.records && from_start + bytes <= buffer.records - place.scalar_offset;
  }
  if (index >= buffer.records) return false;
  const bool is_checked = place.has_index || buffer.adds_lane;
  return !is_checked || offset + bytes <= buffer.stride;
}

// ---- LDS ----

/// True where DS, and FLAT in the shared aperture, access LDS below M0 alone: before GCN 1.4 (LLVM AMDGPUUsage, "Kernel
/// Prolog", M0; the ISA manuals from GCN 1.4 on still name M0).
constexpr bool m0_limits_lds(Generation generation) { return generation_info(generation).gfx < 9; }

/// The unit in bytes in which LDS is allocated: 3.6.5 of the ISA manuals; before GCN 1.4 LLVM's.
constexpr u32 lds_block_bytes(Generation generation) {
  if (generation == Generation::gcn1_0) return 256;
  return generation == Generation::cdna4 ? 1280 : 512;
}

// ---- scratch ----

/// The address of a byte of a wave's private memory: each lane's dwords lie apart by the number of lanes.
constexpr u64 scratch_address(u64 base, u32 offset, u32 lane) {
  constexpr u32 lanes = 64;
  return base + u64{offset / 4} * 4 * lanes + u64{lane} * 4 + offset % 4;
}

/// Whether so many bytes lie in two of those dwords.
constexpr bool parts_scratch_bytes(u32 offset, u32 bytes) { return offset % 4 + bytes > 4; }

}  // namespace salu::isa::vector::semantics
