#pragma once

#include <algorithm>
#include <optional>

#include "core/vector/vector_file.hpp"
#include "core/wave.hpp"
#include "isa/vector/buffer_format.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/semantics/address.hpp"

namespace salu::core {

/// Why hardware does not access a piece of memory.
enum class Dropped : u8 {
  no,
  same_place,      ///< the second store of DS_WRITE2 with equal offsets (10.3.3 of the Vega ISA manual, 11.3 of CDNA's)
  out_of_buffer,   ///< the range check of a buffer
  unbound_buffer,  ///< DATA_FORMAT of a buffer descriptor is INVALID
  beyond_m0,       ///< LDS beyond the limit in M0
  beyond_private,  ///< private memory beyond the size in FLAT_SCRATCH_LO
};

/// A dword, or less, of a lane's access.
struct LanePiece {
  u64 address = 0;
  u8 bytes = 4;
  bool is_there = true;  ///< otherwise loads return 0 and stores are dropped
  /// Swizzling separates its bytes; see `LaneAddresses::for_parts`.
  bool is_parted = false;
  Dropped dropped = Dropped::no;  ///< why, unless `is_there`
  /// The smallest M0 with which hardware accesses an LDS piece; 0 for a piece that M0 does not limit.
  u64 least_m0 = 0;
  bool is_private = false;       ///< FLAT in the private aperture
  bool is_aligned_down = false;  ///< hardware ignores low bits of the address, some of which are set
};

/// An address that an instruction accesses twice.
struct SharedPlace {
  u64 address = 0;
  u32 first_lane = 0;
  u32 second_lane = 0;  ///< may be the same, for an instruction with two addresses
};

/// The addresses of each lane's accesses for a memory instruction.
class LaneAddresses {
 public:
  /// The bytes of a row: one dword per lane, of which an access may use less.
  static constexpr u32 row_bytes = 4 * state_index::lanes;

  /// `scalar`: the value of SOFFSET or SADDR, if the instruction has one.
  LaneAddresses(const Wave& wave, const VectorFile& file, const isa::vector::Instruction& instruction, u64 scalar);

  /// The number of pieces of each lane: those of the first address, then those of the second. None if memory is not
  /// accessed.
  [[nodiscard]] u32 pieces() const { return access_.is_double ? 2 * pieces_of_place() : pieces_of_place(); }
  [[nodiscard]] u32 pieces_of_place() const { return access_.moves_lanes() ? 0 : (access_.bytes + 3U) / 4; }
  /// A piece of an atomic exists only if both dwords of its 64 bits do, and one of a typed access if all of its element
  /// does.
  [[nodiscard]] LanePiece piece(u32 lane, u32 number) const;
  /// The dword of LDS to which a load to LDS writes a piece.
  [[nodiscard]] LanePiece lds_piece(u32 lane, u32 number) const;
  /// The address of the first lane's piece if the pieces of all lanes exist and are consecutive dwords, as in the
  /// private memory layout of compilers. Nothing if this does not hold for all active lanes or is not known.
  [[nodiscard]] std::optional<u64> row(u32 number) const;
  /// The first address that two of the `exec` lanes access, for an atomic.
  [[nodiscard]] std::optional<SharedPlace> find_shared_place(u64 exec) const;
  /// True if the buffer adds the lane number to the index, but hardware does not.
  [[nodiscard]] bool ignores_lane() const {
    return is_buffer_ && !operands_.addr64 && isa::vector::semantics::ignores_lane(buffer_, place_in_buffer(0, 0));
  }

  /// The format of a typed access.
  [[nodiscard]] const isa::vector::BufferFormat& buffer_format() const { return buffer_format_; }
  /// True if DATA_FORMAT of the descriptor is INVALID.
  [[nodiscard]] bool is_unbound() const { return buffer_.is_unbound; }

  /// True if a load preserves the other half of its register. With SRAM-ECC it becomes 0.
  [[nodiscard]] bool keeps_half() const { return access_.keeps_half && !wave_.has_sramecc; }

  /// Calls `visit(part, first)` for each contiguous part of a piece (`first`: offset of the part in the piece) until it
  /// returns false. Returns true if it never did.
  template <class Visit>
  bool for_parts(u32 lane, u32 number, const LanePiece& piece, const Visit& visit) const {
    if (!piece.is_parted) return visit(piece, 0U);
    for (u32 i = 0; i < piece.bytes; ++i) {
      if (!visit(locate(lane, number, i, 1), i)) return false;
    }
    return true;
  }

 private:
  /// The address of bytes of a piece, from `first` on.
  [[nodiscard]] LanePiece locate(u32 lane, u32 number, u32 first, u8 bytes) const;
  void find_format(u32 last_dword);
  void find_in_lds(LanePiece& piece, u64 place, u32 behind) const;
  void find_by_flat(LanePiece& piece, u32 lane, u32 behind) const;
  [[nodiscard]] bool aligns_buffer_dwords() const {
    return access_.is_atomic() || (access_.bytes >= 4 && isa::vector::semantics::aligns_buffer_dwords(
                                                             wave_.generation, wave_.allows_unaligned));
  }
  void find_in_buffer(LanePiece& piece, u32 lane, u32 behind) const;
  void find_in_scratch(LanePiece& piece, u32 lane, u32 offset) const;
  [[nodiscard]] std::optional<u64> row_in_buffer(u32 behind) const;
  [[nodiscard]] std::optional<u64> row_in_scratch(u32 offset) const;
  [[nodiscard]] std::optional<u64> row_in_global() const;
  [[nodiscard]] std::optional<u64> row_in_lds(u32 number) const;
  [[nodiscard]] u32 alignment_in_lds() const;
  void align_atomic(LanePiece& piece) const;
  /// The LDS address without the offset of the instruction.
  [[nodiscard]] u64 base_in_lds(u32 lane) const;
  /// Distance from the address of a lane to a piece of DS, in bytes.
  [[nodiscard]] u64 offset_in_lds(u32 number) const;
  [[nodiscard]] isa::vector::semantics::BufferPlace place_in_buffer(u32 index, u32 offset) const;
  /// The value of a VGPR if it is the same in all active lanes.
  [[nodiscard]] std::optional<u32> common_value(u32 number) const;
  /// The value of a VGPR in lane 0 if each active lane has 4 more than the lane before it, without wrapping around.
  [[nodiscard]] std::optional<u32> ascending_value(u32 number) const;
  [[nodiscard]] u8 piece_bytes() const { return std::min<u8>(access_.bytes, 4); }
  [[nodiscard]] u64 address_pair(u32 lane) const;
  [[nodiscard]] u64 scratch_base() const;
  /// The size of the private memory of each lane that FLAT can access.
  [[nodiscard]] u64 private_bytes() const;
  [[nodiscard]] u32 aperture(bool is_private) const;

  const Wave& wave_;
  const VectorFile& file_;
  const isa::vector::MemoryOperands& operands_;
  isa::vector::Format format_;
  bool is_buffer_;
  isa::vector::Access access_;  ///< of a typed access: with the size of an element
  u64 scalar_;
  isa::vector::semantics::BufferResource buffer_{};
  isa::vector::BufferFormat buffer_format_{};
  u64 scratch_;      ///< start of the wave's private memory
  u64 lds_mask_;     ///< bits of an LDS address that hardware ignores
  bool limits_lds_;  ///< M0 limits LDS
};

/// Returns the number of VGPRs of the address of an instruction.
u32 address_registers(const isa::vector::Instruction& instruction);

/// The number of dwords of SOFFSET or SADDR: 0 if it does not exist.
u32 scalar_dwords(const isa::vector::Instruction& instruction);

}  // namespace salu::core
