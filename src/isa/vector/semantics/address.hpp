#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <bit>

#include "isa/generations.hpp"
#include "isa/vector/swizzle.hpp"

/// The addresses of a lane's memory accesses.
namespace salu::isa::vector::semantics {

// ---- buffers ----

/// How the size of a buffer is checked.
enum class RangeCheck : u8 {
  gfx6,  ///< NUM_RECORDS counts records if there is a stride (Sea Islands ISA manual; Mesa)
  gfx8,  ///< NUM_RECORDS counts records if there is a stride and the buffer is swizzled (Mesa)
  /// NUM_RECORDS counts records if there is a stride and the instruction has an index; then only the index is checked.
  /// SOFFSET is not part of the check, private buffers are not checked (8.1.5 of the Vega ISA manual, 9.1.5 of those
  /// for CDNA).
  gfx9,
};

/// The fields of a buffer resource (V#).
struct BufferResource {
  u64 base = 0;
  u32 stride = 0;        ///< bytes of a record
  u32 plain_stride = 0;  ///< without the bits in DATA_FORMAT
  u32 records = 0;       ///< or bytes, see `counts_records`
  bool swizzles = false;
  bool adds_lane = false;  ///< the lane number is added to the index
  u32 element_bits = 2;    ///< swizzling keeps this many bytes together, as a power of two
  u32 index_bits = 3;      ///< and interleaves this many records, as a power of two
  RangeCheck check = RangeCheck::gfx6;
  /// DATA_FORMAT is INVALID: loads return 0, and stores are dropped (8.1.4 of the Vega ISA manual, 9.1.4 of CDNA's).
  bool is_unbound = false;
  /// Without swizzling, IDXEN disables the lane number and the extended stride (measured on gfx950).
  bool index_replaces_lane = false;
};

constexpr RangeCheck range_check(Generation generation) {
  const u32 level = generation_info(generation).gfx;
  return level >= 9 ? RangeCheck::gfx9 : level == 8 ? RangeCheck::gfx8 : RangeCheck::gfx6;
}

constexpr BufferResource buffer_resource(Generation generation, const std::array<u32, 4>& words) {
  constexpr u64 base_bits = (u64{1} << 48) - 1;
  BufferResource buffer;
  buffer.base = (words[0] | u64{words[1]} << 32) & base_bits;
  buffer.plain_stride = words[1] >> 16 & 0x3fff;
  buffer.stride = buffer.plain_stride;
  buffer.swizzles = words[1] >> 31 != 0;
  buffer.records = words[2];
  buffer.adds_lane = (words[3] >> 23 & 1) != 0;
  buffer.index_bits = 3 + (words[3] >> 21 & 3);
  buffer.check = range_check(generation);
  buffer.index_replaces_lane = generation >= Generation::cdna1;
  const GenerationInfo& info = generation_info(generation);
  if (info.buffer_has_element_size) buffer.element_bits = 1 + (words[3] >> 19 & 3);
  const u32 data_format = words[3] >> 15 & 15;
  if (info.data_format_extends_stride && buffer.adds_lane) {
    buffer.stride |= data_format << 14;
  } else {
    buffer.is_unbound = data_format == 0;
  }
  return buffer;
}

/// The position in a buffer that a lane accesses.
struct BufferPlace {
  u32 index = 0;  ///< of the record, without the lane number
  bool has_index = false;
  u64 offset = 0;         ///< bytes in the record: sum of the offsets in the VGPR and the instruction
  u32 scalar_offset = 0;  ///< SOFFSET
};

/// The sum of the offsets in a VGPR and an instruction. A negative one wraps to 32 bits on GCN 1.4 and CDNA; earlier
/// generations check the size of the buffer first (LLVM's privateMemoryResourceIsRangeChecked).
constexpr u64 buffer_offset(Generation generation, u32 of_register, u32 of_instruction) {
  const u64 sum = u64{of_register} + of_instruction;
  return generation_info(generation).gfx >= 9 ? static_cast<u32>(sum) : sum;
}

/// True if the resource adds the lane to the index, but hardware does not.
constexpr bool ignores_lane(const BufferResource& buffer, const BufferPlace& place) {
  return buffer.adds_lane && buffer.index_replaces_lane && place.has_index && !buffer.swizzles;
}

constexpr u64 buffer_index(const BufferResource& buffer, const BufferPlace& place, u32 lane) {
  return u64{place.index} + (buffer.adds_lane && !ignores_lane(buffer, place) ? lane : 0);
}

constexpr u32 buffer_stride(const BufferResource& buffer, const BufferPlace& place) {
  return ignores_lane(buffer, place) ? buffer.plain_stride : buffer.stride;
}

/// The address of the byte at distance `behind` from the position.
constexpr u64 buffer_address(const BufferResource& buffer, const BufferPlace& place, u32 lane, u32 behind) {
  const u64 index = buffer_index(buffer, place, lane);
  const u64 offset = place.offset + behind;
  const u64 start = buffer.base + place.scalar_offset;
  if (!buffer.swizzles) return start + index * buffer_stride(buffer, place) + offset;
  const u64 in_element = offset & ((u64{1} << buffer.element_bits) - 1);
  const u64 group = index >> buffer.index_bits;
  const u64 within = index & ((u64{1} << buffer.index_bits) - 1);
  const u64 element = group * buffer.stride + (offset - in_element);
  return start + (element << buffer.index_bits) + (within << buffer.element_bits) + in_element;
}

/// True if swizzling separates the `bytes` bytes from `behind` on.
constexpr bool parts_bytes(const BufferResource& buffer, const BufferPlace& place, u32 behind, u32 bytes) {
  const u64 element_bytes = u64{1} << buffer.element_bits;
  return buffer.swizzles && ((place.offset + behind) & (element_bytes - 1)) + bytes > element_bytes;
}

/// True if the size of the buffer is a number of records.
constexpr bool counts_records(const BufferResource& buffer, const BufferPlace& place) {
  if (buffer_stride(buffer, place) == 0) return false;
  if (buffer.check == RangeCheck::gfx8) return buffer.swizzles;
  return buffer.check == RangeCheck::gfx6 || place.has_index;
}

/// True if the bytes from `behind` on pass the check of GCN 1.4 and CDNA.
constexpr bool is_in_buffer_of_gfx9(const BufferResource& buffer, const BufferPlace& place, u64 index, u64 end) {
  const bool is_private = buffer.adds_lane && !place.has_index;
  if (is_private) return true;
  return counts_records(buffer, place) ? index < buffer.records : end <= buffer.records;
}

/// True if the `bytes` bytes from `behind` on are in the buffer: outside of it, loads return 0 and stores are dropped.
constexpr bool is_in_buffer(const BufferResource& buffer, const BufferPlace& place, u32 lane, u32 behind, u32 bytes) {
  const u64 offset = place.offset + behind;
  const u64 index = buffer_index(buffer, place, lane);
  if (buffer.check == RangeCheck::gfx9) return is_in_buffer_of_gfx9(buffer, place, index, offset + bytes);
  if (!counts_records(buffer, place)) {
    // Swizzling spreads the records over all counted bytes.
    const u64 from_start = offset + (buffer.swizzles ? 0 : index * buffer.stride);
    return place.scalar_offset <= buffer.records && from_start + bytes <= buffer.records - place.scalar_offset;
  }
  if (index >= buffer.records) return false;
  const bool is_checked = place.has_index || buffer.adds_lane;
  return !is_checked || offset + bytes <= buffer.stride;
}

/// True if the two low bits of a dword's address are ignored. They are not if the system sets the unaligned access
/// mode, which GCN 1.0 does not have (8.1.7 of the Vega ISA manual, 9.1.7 of those for CDNA; LLVM's
/// unaligned-access-mode).
constexpr bool aligns_buffer_dwords(Generation generation, bool allows_unaligned) {
  return generation == Generation::gcn1_0 || !allows_unaligned;
}

// ---- LDS ----

/// True if M0 limits the LDS accesses of DS, and of FLAT in the shared aperture: before GCN 1.4 (LLVM AMDGPUUsage,
/// "Kernel Prolog", M0; the ISA manuals from GCN 1.4 on still name M0).
constexpr bool m0_limits_lds(Generation generation) { return generation_info(generation).gfx < 9; }

/// Returns the required alignment in bytes of an LDS address for an access of `bytes` bytes. LLVM emits no other
/// accesses before GCN 1.4, and later ones only if the system sets the unaligned access mode.
constexpr u32 lds_alignment(Generation generation, bool allows_unaligned, u32 bytes) {
  return generation_info(generation).gfx >= 9 && allows_unaligned ? 1 : std::bit_ceil(bytes);
}

/// The granule in bytes of LDS allocation: 3.6.5 of the ISA manuals; LLVM's value before GCN 1.4.
constexpr u32 lds_block_bytes(Generation generation) {
  if (generation == Generation::gcn1_0) return 256;
  return generation == Generation::cdna4 ? 1280 : 512;
}

/// The bits of M0 that are the base of loads to LDS: 9.1.9 of the ISA manuals (8.1.9 of the Vega one), and 10.3 of
/// those for CDNA 3 and 4 for GLOBAL and SCRATCH.
constexpr u32 lds_base_bits(Generation generation, bool is_buffer) {
  if (generation == Generation::cdna4 && is_buffer) return 0x3ffff;
  return generation_info(generation).column >= Generation::cdna3 && !is_buffer ? 0x3fffc : 0xffff;
}

/// The bits of M0 that DS adds to an address without a VGPR.
inline constexpr u32 ds_base_bits = 0xffff;

/// Returns the distance between the LDS addresses of two lanes for a load of `bytes` bytes each: bytes and halves
/// become dwords, and three dwords leave a fourth unused (9.1.9 of the CDNA 4 ISA manual).
constexpr u32 lds_lane_stride(u32 bytes) { return bytes > 4 ? 16 : 4; }

/// The lane that DS_PERMUTE_B32 and DS_BPERMUTE_B32 select by an index in bytes.
constexpr u32 selected_lane(u32 index, u32 offset) { return (index + offset) / 4 % 64; }

/// The lane whose data DS_SWIZZLE_B32 moves to a lane (12.12 of the CDNA 4 ISA manual). Earlier generations than
/// GCN 1.4 do not have the last two modes.
constexpr u32 swizzled_lane(Generation generation, u32 pattern, u32 lane) {
  const u32 half = lane & 32;
  const u32 number = lane & SwizzleMasks::all;
  const u32 kept = pattern & SwizzleMasks::all;
  const bool has_all_modes = generation_info(generation).gfx >= 9;
  if (has_all_modes && pattern >= swizzle_mode::fft) {
    u32 reversed = 0;
    for (u32 bit = 0; bit < 5; ++bit) reversed |= (number >> bit & 1) << (4 - bit);
    return half | reversed >> std::popcount(kept) | (number & kept);
  }
  if (has_all_modes && pattern >= swizzle_mode::rotate) {
    const u32 distance = pattern >> 5 & SwizzleMasks::all;
    const u32 turned = (pattern >> 10 & 1) != 0 ? number - distance : number + distance;
    return half | (number & kept) | (turned & ~kept & SwizzleMasks::all);
  }
  if (pattern >= swizzle_mode::quad_perm) return (lane & ~3U) | (pattern >> (2 * (lane & 3)) & 3);
  const SwizzleMasks masks = SwizzleMasks::of(pattern);
  return half | (((number & masks.keep) | masks.set) ^ masks.flip);
}

/// Bits of a lane.
struct LaneBits {
  u32 lane = 0;
  u32 first = 0;
};

/// The number of lanes that transpose a matrix together.
inline constexpr u32 transposing_lanes = 16;

/// Returns the source of one bit of a lane's result of a transposing load. The data of 16 lanes are a matrix with rows
/// of 16 elements, in row order; each lane gets a column (11.4 of the CDNA 4 ISA manual, which does not specify the
/// order of the lanes; the tests of AMD's rocRoller measure it on gfx950).
constexpr LaneBits transposed_bits(u32 lane, u32 bit, u32 element_bits, u32 bytes) {
  const u32 elements_of_lane = bytes * 8 / element_bits;
  const u32 column = lane % transposing_lanes;
  const u32 element = bit / element_bits * transposing_lanes + column;
  return {lane - column + element / elements_of_lane, element % elements_of_lane * element_bits + bit % element_bits};
}

/// The number of bits of a dword, from a multiple of it on, that belong to one element.
constexpr u32 transposed_unit(u32 element_bits) { return element_bits == 6 ? 2 : element_bits; }

// ---- scratch ----

/// The address of a byte of a wave's private memory: the dwords of a lane are interleaved with those of all other
/// lanes.
constexpr u64 scratch_address(u64 base, u32 offset, u32 lane) {
  constexpr u32 lanes = 64;
  return base + u64{offset / 4} * 4 * lanes + u64{lane} * 4 + offset % 4;
}

/// True if the bytes span two of these dwords.
constexpr bool parts_scratch_bytes(u32 offset, u32 bytes) { return offset % 4 + bytes > 4; }

}  // namespace salu::isa::vector::semantics
