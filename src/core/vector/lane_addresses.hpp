#pragma once

#include <algorithm>
#include <optional>

#include "core/vector/vector_file.hpp"
#include "core/wave.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/semantics/address.hpp"

namespace salu::core {

/// A dword, or less, of what a lane moves.
struct LanePiece {
  u64 address = 0;
  u8 bytes = 4;
  bool is_there = true;  ///< what is not reads as 0 and is not written
  /// Swizzling puts its bytes at different places: `LaneAddresses::for_parts`.
  bool is_parted = false;
};

/// Where each lane's access of an instruction of memory goes.
class LaneAddresses {
 public:
  /// `scalar`: what SOFFSET or SADDR holds, where the instruction has one.
  LaneAddresses(const Wave& wave, const VectorFile& file, const isa::vector::Instruction& instruction, u64 scalar);

  /// How many pieces each lane moves: those of the first place, then those of the second.
  [[nodiscard]] u32 pieces() const { return access_.is_double ? 2 * pieces_of_place() : pieces_of_place(); }
  [[nodiscard]] u32 pieces_of_place() const { return (access_.bytes + 3U) / 4; }
  [[nodiscard]] LanePiece piece(u32 lane, u32 number) const { return locate(lane, number, 0, piece_bytes()); }
  /// Where the first lane's piece is, when those of the others follow it, each a dword behind the one before, and all
  /// are there, as compilers lay out private memory. Nothing where that is not so for the lanes that are on, or not
  /// known.
  [[nodiscard]] std::optional<u64> row(u32 number) const;

  /// Calls `visit(part, first)`, where its first byte is that of the piece, for what of a piece lies together, until it
  /// returns false, and says whether it never did.
  template <class Visit>
  bool for_parts(u32 lane, u32 number, const LanePiece& piece, const Visit& visit) const {
    if (!piece.is_parted) return visit(piece, 0U);
    for (u32 i = 0; i < piece.bytes; ++i) {
      if (!visit(locate(lane, number, i, 1), i)) return false;
    }
    return true;
  }

 private:
  /// Bytes of a piece, from `first` on.
  [[nodiscard]] LanePiece locate(u32 lane, u32 number, u32 first, u8 bytes) const;
  void find_in_buffer(LanePiece& piece, u32 lane, u32 behind) const;
  void find_in_scratch(LanePiece& piece, u32 lane, u32 offset) const;
  [[nodiscard]] std::optional<u64> row_in_buffer(u32 behind) const;
  [[nodiscard]] std::optional<u64> row_in_scratch(u32 offset) const;
  [[nodiscard]] isa::vector::semantics::BufferPlace place_in_buffer(u32 index, u32 offset) const;
  /// What a VGPR holds in all lanes that are on, if it is the same.
  [[nodiscard]] std::optional<u32> common_value(u32 number) const;
  [[nodiscard]] u8 piece_bytes() const { return std::min<u8>(access_.bytes, 4); }
  [[nodiscard]] u64 address_pair(u32 lane) const;
  [[nodiscard]] u64 scratch_base() const;
  [[nodiscard]] u32 aperture(bool is_private) const;

  const Wave& wave_;
  const VectorFile& file_;
  const isa::vector::MemoryOperands& operands_;
  isa::vector::Format format_;
  const isa::vector::Access& access_;
  u64 scalar_;
  isa::vector::semantics::BufferResource buffer_{};
  u64 scratch_;  ///< where the wave's private memory begins
};

/// Returns how many VGPRs the address of an instruction takes.
u32 address_registers(const isa::vector::Instruction& instruction);

/// How many dwords of scalar registers SOFFSET or SADDR are: 0 where the instruction has none.
u32 scalar_dwords(const isa::vector::Instruction& instruction);

}  // namespace salu::core
