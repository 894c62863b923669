#include "core/vector/lane_addresses.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "isa/hwreg.hpp"
#include "isa/vector/table.hpp"

namespace salu::core {

namespace vector = isa::vector;
using vector::Format;

LaneAddresses::LaneAddresses(const Wave& wave, const VectorFile& file, const vector::Instruction& instruction,
                             u64 scalar)
    : wave_(wave),
      file_(file),
      operands_(instruction.memory),
      format_(vector::row(instruction.insn).format),
      is_buffer_(vector::row(instruction.insn).is_buffer()),
      access_(vector::row(instruction.insn).access),
      scalar_(scalar),
      scratch_(scratch_base()),
      lds_mask_(alignment_in_lds() - 1),
      limits_lds_(vector::semantics::m0_limits_lds(wave.generation) && access_.address == vector::SharedAddress::vgpr) {
  if (!is_buffer_) return;
  std::array<u32, 4> words{};
  for (u32 i = 0; i < words.size(); ++i) words[i] = wave.source_dword(operands_.descriptor, 4, i);
  buffer_ = vector::semantics::buffer_resource(wave.generation, words);
  if (access_.is_typed()) find_format(words[3]);
}

void LaneAddresses::find_format(u32 last_dword) {
  const GenerationInfo& info = generation_info(wave_.generation);
  buffer_format_ =
      format_ == Format::mtbuf ? vector::instruction_format(operands_.format) : vector::descriptor_format(last_dword);
  if (format_ == Format::mubuf && info.data_format_extends_stride && buffer_.adds_lane) buffer_format_.data_format = 0;
  // An invalid format does not have a size. Accesses that an unbound buffer drops count as a dword.
  const u8 bytes = vector::element_layout(buffer_format_.data_format).bytes();
  access_.bytes = bytes == 0 ? u8{4} : bytes;
}

u64 LaneAddresses::address_pair(u32 lane) const {
  return file_.lanes(operands_.address)[lane] | u64{file_.lanes(operands_.address + 1U)[lane]} << 32;
}

u64 LaneAddresses::scratch_base() const {
  const GenerationInfo& info = generation_info(wave_.generation);
  if (!info.has_flat) return 0;
  const u64 flat_scratch = wave_.pair(info.flat_scratch);
  // If FLAT_SCRATCH is not an address, its upper half is an offset, in units of 256 bytes, from the base of the
  // hardware's private memory.
  return info.flat_scratch_init_is_address ? flat_scratch : hidden_private_base + (flat_scratch >> 32) * 256;
}

/// The upper half of the addresses in the private or shared aperture.
u32 LaneAddresses::aperture(bool is_private) const {
  const GenerationInfo& info = generation_info(wave_.generation);
  if (!info.has_aperture_operands) return is_private ? info.private_aperture : info.shared_aperture;
  const u32 bases = wave_.hwregs[isa::hwreg_id::sh_mem_bases];
  return is_private ? bases << 16 : bases & 0xffff0000;
}

u64 LaneAddresses::private_bytes() const {
  const GenerationInfo& info = generation_info(wave_.generation);
  // FLAT_SCRATCH_LO is the private memory size of a lane if FLAT_SCRATCH is not an address (LLVM AMDGPUUsage, "Flat
  // Scratch").
  return info.has_flat && !info.flat_scratch_init_is_address ? wave_.slots[info.flat_scratch] : u64{1} << 32;
}

LanePiece LaneAddresses::piece(u32 lane, u32 number) const {
  LanePiece piece = locate(lane, number, 0, piece_bytes());
  if (pieces_of_place() == 1) return piece;
  if (access_.is_typed()) {
    for (u32 i = 0; piece.is_there && i < pieces_of_place(); ++i) {
      const LanePiece other = locate(lane, i, 0, piece_bytes());
      piece.is_there = other.is_there;
      piece.dropped = other.dropped;
    }
    return piece;
  }
  if (!access_.is_atomic()) return piece;
  const LanePiece other = locate(lane, number ^ 1U, 0, piece_bytes());
  piece.least_m0 = std::max(piece.least_m0, other.least_m0);
  if (other.is_there || !piece.is_there) return piece;
  piece.is_there = false;
  piece.dropped = other.dropped;
  return piece;
}

LanePiece LaneAddresses::locate(u32 lane, u32 number, u32 first, u8 bytes) const {
  LanePiece piece;
  piece.bytes = bytes;
  const u32 behind = 4 * (number % pieces_of_place()) + first;
  switch (format_) {
    case Format::mubuf:
    case Format::mtbuf:
      find_in_buffer(piece, lane, behind);
      break;
    case Format::ds: {
      const u64 place = base_in_lds(lane) + offset_in_lds(number);
      // A negative offset wraps to 32 bits, except on GCN 1.0 (LLVM's isDSOffsetLegal).
      find_in_lds(piece, wave_.generation == Generation::gcn1_0 ? place : static_cast<u32>(place), behind);
      if (access_.is_store && number >= pieces_of_place() && operands_.offset == operands_.second_offset) {
        piece.is_there = false;
        piece.dropped = Dropped::same_place;
        piece.least_m0 = 0;
      }
      return piece;
    }
    case Format::scratch: {
      u32 offset = static_cast<u32>(operands_.offset) + static_cast<u32>(scalar_) + behind;
      if (operands_.has_address) offset += file_.lanes(operands_.address)[lane];
      find_in_scratch(piece, lane, offset);
      break;
    }
    case Format::global:
      piece.address = operands_.has_scalar ? scalar_ + file_.lanes(operands_.address)[lane] : address_pair(lane);
      piece.address += static_cast<u64>(i64{operands_.offset});
      align_atomic(piece);
      piece.address += behind;
      break;
    default:
      find_by_flat(piece, lane, behind);
      if (piece.address >= shared_memory_base) return piece;
      break;
  }
  piece.address &= wave_.address_mask | 3;
  return piece;
}

/// Aligns the start of an atomic.
void LaneAddresses::align_atomic(LanePiece& piece) const {
  if (!access_.is_atomic()) return;
  const u64 ignored = access_.bytes - 1U;
  piece.is_aligned_down = (piece.address & ignored) != 0;
  piece.address &= ~ignored;
}

u64 LaneAddresses::base_in_lds(u32 lane) const {
  const u32 m0 = wave_.slots[state_index::m0] & vector::semantics::ds_base_bits;
  switch (access_.address) {
    case vector::SharedAddress::lane:
      return m0 + 4 * lane;
    case vector::SharedAddress::wave:
      return m0;
    default:
      return file_.lanes(operands_.address)[lane];
  }
}

std::optional<SharedPlace> LaneAddresses::find_shared_place(u64 exec) const {
  struct Place {
    u64 address;
    u32 lane;
  };
  std::array<Place, std::size_t{2} * state_index::lanes> places;
  std::size_t count = 0;
  bool ascends = true;
  for (u64 left = exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    for (u32 number = 0; number < pieces(); number += pieces_of_place()) {
      const LanePiece piece = this->piece(lane, number);
      if (!piece.is_there) continue;
      ascends = ascends && (count == 0 || places[count - 1].address < piece.address);
      places[count++] = {piece.address, lane};
    }
  }
  if (ascends) return std::nullopt;
  const auto all = std::span(places).first(count);
  std::ranges::sort(all, {}, [](const Place& place) { return std::pair(place.address, place.lane); });
  const auto same = std::ranges::adjacent_find(all, {}, &Place::address);
  if (same == all.end()) return std::nullopt;
  return SharedPlace{same[0].address, same[0].lane, same[1].lane};
}

LanePiece LaneAddresses::lds_piece(u32 lane, u32 number) const {
  const u32 bits = vector::semantics::lds_base_bits(wave_.generation, format_ == Format::mubuf);
  const u32 place = (wave_.slots[state_index::m0] & bits) + static_cast<u32>(operands_.offset) +
                    lane * vector::semantics::lds_lane_stride(access_.bytes) + 4 * number;
  LanePiece piece;
  piece.address = shared_memory_base + (place & ~3U);
  piece.is_aligned_down = place % 4 != 0;
  return piece;
}

/// Atomics and transposing loads require addresses that are multiples of their size (11.4 of the CDNA 4 ISA manual).
u32 LaneAddresses::alignment_in_lds() const {
  if (access_.is_atomic()) return access_.bytes;
  const bool allows_unaligned = wave_.allows_unaligned && access_.element_bits == 0;
  return vector::semantics::lds_alignment(wave_.generation, allows_unaligned, access_.bytes);
}

u64 LaneAddresses::offset_in_lds(u32 number) const {
  const u32 unit = !access_.is_double ? 1 : access_.bytes * (access_.is_far ? 64U : 1U);
  const u32 offset = number < pieces_of_place() ? static_cast<u32>(operands_.offset) : operands_.second_offset;
  return u64{offset} * unit;
}

void LaneAddresses::find_by_flat(LanePiece& piece, u32 lane, u32 behind) const {
  piece.address = address_pair(lane) + static_cast<u64>(i64{operands_.offset});
  const u64 first = piece.address;
  align_atomic(piece);
  piece.address += behind;
  const u64 upper_half = piece.address >> 32;
  if (upper_half == aperture(false)) return find_in_lds(piece, static_cast<u32>(first), behind);
  if (upper_half != aperture(true)) {
    piece.address &= wave_.address_mask | 3;
    return;
  }
  const auto offset = static_cast<u32>(piece.address);
  find_in_scratch(piece, lane, offset);
  if (u64{offset} + piece.bytes <= private_bytes()) return;
  piece.is_there = false;
  piece.dropped = Dropped::beyond_private;
}

void LaneAddresses::find_in_lds(LanePiece& piece, u64 place, u32 behind) const {
  piece.is_aligned_down = (place & lds_mask_) != 0;
  u64 byte = (place & ~lds_mask_) + behind;
  if (wave_.generation != Generation::gcn1_0) byte = static_cast<u32>(byte);
  piece.address = shared_memory_base + byte;
  if (!limits_lds_) return;
  piece.least_m0 = byte + piece.bytes;
  if (piece.least_m0 <= wave_.slots[state_index::m0]) return;
  piece.is_there = false;
  piece.dropped = Dropped::beyond_m0;
}

void LaneAddresses::find_in_buffer(LanePiece& piece, u32 lane, u32 behind) const {
  if (buffer_.is_unbound) {
    piece.is_there = false;
    piece.dropped = Dropped::unbound_buffer;
    return;
  }
  const bool aligns = aligns_buffer_dwords();
  // The dwords of an atomic of 64 bits are separate in a swizzled buffer.
  const u64 ignored = access_.is_atomic() && !buffer_.swizzles ? access_.bytes - 1U : 3U;
  const auto align = [&] {
    if (!aligns) return;
    piece.address -= behind;
    piece.is_aligned_down = (piece.address & ignored) != 0;
    piece.address = (piece.address & ~ignored) + behind;
    piece.is_parted = false;
  };
  if (operands_.addr64) {
    piece.address = buffer_.base + address_pair(lane) + scalar_ + static_cast<u64>(i64{operands_.offset}) + behind;
    return align();
  }
  const u32 index = operands_.idxen ? file_.lanes(operands_.address)[lane] : 0;
  const u32 offset = operands_.offen ? file_.lanes(operands_.address + u32{operands_.idxen})[lane] : 0;
  const vector::semantics::BufferPlace place = place_in_buffer(index, offset);
  piece.is_parted = vector::semantics::parts_bytes(buffer_, place, behind, piece.bytes);
  piece.is_there = vector::semantics::is_in_buffer(buffer_, place, lane, behind, piece.bytes);
  if (!piece.is_there) piece.dropped = Dropped::out_of_buffer;
  piece.address = vector::semantics::buffer_address(buffer_, place, lane, behind);
  align();
}

void LaneAddresses::find_in_scratch(LanePiece& piece, u32 lane, u32 offset) const {
  piece.address = vector::semantics::scratch_address(scratch_, offset, lane);
  piece.is_parted = vector::semantics::parts_scratch_bytes(offset, piece.bytes);
  piece.is_private = true;
}

vector::semantics::BufferPlace LaneAddresses::place_in_buffer(u32 index, u32 offset) const {
  vector::semantics::BufferPlace place;
  place.index = index;
  place.has_index = operands_.idxen;
  place.scalar_offset = static_cast<u32>(scalar_);
  place.offset = vector::semantics::buffer_offset(wave_.generation, offset, static_cast<u32>(operands_.offset));
  return place;
}

// ---- rows ----

std::optional<u64> LaneAddresses::row(u32 number) const {
  if (access_.is_typed()) return std::nullopt;
  const u32 behind = 4 * (number % pieces_of_place());
  switch (format_) {
    case Format::mubuf:
      return row_in_buffer(behind);
    case Format::scratch: {
      const std::optional<u32> vector = operands_.has_address ? common_value(operands_.address) : 0;
      if (!vector) return std::nullopt;
      return row_in_scratch(static_cast<u32>(operands_.offset) + static_cast<u32>(scalar_) + *vector + behind);
    }
    case Format::flat: {
      const std::optional<u32> high = common_value(operands_.address + 1U);
      const std::optional<u32> low = high ? common_value(operands_.address) : high;
      if (!low) return std::nullopt;
      const u64 address = (*low | u64{*high} << 32) + static_cast<u64>(i64{operands_.offset}) + behind;
      if (address >> 32 != aperture(true)) return std::nullopt;
      if (static_cast<u32>(address) + u64{piece_bytes()} > private_bytes()) return std::nullopt;
      return row_in_scratch(static_cast<u32>(address));
    }
    case Format::global:
      return row_in_global();
    default:
      return row_in_lds(number);
  }
}

std::optional<u64> LaneAddresses::row_in_global() const {
  if (pieces_of_place() != 1) return std::nullopt;
  const std::optional<u32> high = operands_.has_scalar ? 0 : common_value(operands_.address + 1U);
  const std::optional<u32> low = high ? ascending_value(operands_.address) : high;
  if (!low) return std::nullopt;
  const u64 address = (operands_.has_scalar ? scalar_ : 0) + (*low | u64{*high} << 32);
  return (address + static_cast<u64>(i64{operands_.offset})) & (wave_.address_mask | 3);
}

std::optional<u64> LaneAddresses::row_in_lds(u32 number) const {
  // The rows of the two addresses of a store may overlap.
  if (pieces_of_place() != 1 || (access_.is_double && access_.is_store)) return std::nullopt;
  std::optional<u64> first;
  if (access_.address == vector::SharedAddress::lane)
    first = base_in_lds(0);
  else if (access_.address == vector::SharedAddress::vgpr)
    first = ascending_value(operands_.address);
  if (!first) return std::nullopt;
  const u64 place = *first + offset_in_lds(number);
  const u64 end = place + row_bytes;
  const bool is_limited = limits_lds_ && end > wave_.slots[state_index::m0];
  if ((place & lds_mask_) != 0 || end > u64{1} << 32 || is_limited) return std::nullopt;
  return shared_memory_base + place;
}

std::optional<u64> LaneAddresses::row_in_buffer(u32 behind) const {
  const bool is_private = buffer_.swizzles && buffer_.adds_lane && buffer_.stride == 0 && buffer_.element_bits == 2 &&
                          buffer_.index_bits == 6 && !operands_.idxen && !operands_.addr64;
  if (!is_private || buffer_.is_unbound) return std::nullopt;
  const std::optional<u32> offset = operands_.offen ? common_value(operands_.address) : 0;
  if (!offset) return std::nullopt;
  const vector::semantics::BufferPlace place = place_in_buffer(0, *offset);
  if (vector::semantics::parts_bytes(buffer_, place, behind, piece_bytes()) ||
      !vector::semantics::is_in_buffer(buffer_, place, 0, behind, piece_bytes()))
    return std::nullopt;
  const u64 address = vector::semantics::buffer_address(buffer_, place, 0, behind);
  if (aligns_buffer_dwords() && address % 4 != 0) return std::nullopt;
  return address & (wave_.address_mask | 3);
}

std::optional<u64> LaneAddresses::row_in_scratch(u32 offset) const {
  if (vector::semantics::parts_scratch_bytes(offset, piece_bytes())) return std::nullopt;
  return vector::semantics::scratch_address(scratch_, offset, 0) & (wave_.address_mask | 3);
}

std::optional<u32> LaneAddresses::common_value(u32 number) const {
  const u32* const lanes = file_.lanes(number);
  const u64 exec = wave_.pair(state_index::exec);
  const u32 first = lanes[std::countr_zero(exec)];
  u32 different = 0;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) different |= lanes[lane] ^ first;
  if (different == 0) return first;
  // Values in inactive lanes are ignored.
  for (u64 left = exec; left != 0; left &= left - 1) {
    if (lanes[std::countr_zero(left)] != first) return std::nullopt;
  }
  return first;
}

std::optional<u32> LaneAddresses::ascending_value(u32 number) const {
  const u32* const lanes = file_.lanes(number);
  const u64 exec = wave_.pair(state_index::exec);
  const auto lane_on = static_cast<u32>(std::countr_zero(exec));
  const u32 first = lanes[lane_on] - 4 * lane_on;
  if (first > ~u32{0} - (row_bytes - 4)) return std::nullopt;
  u32 different = 0;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) different |= (lanes[lane] - 4 * lane) ^ first;
  if (different == 0) return first;
  for (u64 left = exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    if (lanes[lane] != first + 4 * lane) return std::nullopt;
  }
  return first;
}

u32 address_registers(const vector::Instruction& instruction) {
  const vector::MemoryOperands& operands = instruction.memory;
  switch (vector::row(instruction.insn).format) {
    case Format::mubuf:
    case Format::mtbuf:
      return operands.addr64 ? 2 : u32{operands.offen} + u32{operands.idxen};
    case Format::flat:
      return 2;
    case Format::global:
      return operands.has_scalar ? 1 : 2;
    default:
      return operands.has_address ? 1 : 0;
  }
}

u32 scalar_dwords(const vector::Instruction& instruction) {
  switch (vector::row(instruction.insn).format) {
    case Format::mubuf:
    case Format::mtbuf:
      return 1;
    case Format::global:
      return instruction.memory.has_scalar ? 2 : 0;
    case Format::scratch:
      return instruction.memory.has_scalar ? 1 : 0;
    default:
      return 0;
  }
}

}  // namespace salu::core
