#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "core/vector/lane_frame.hpp"
#include "isa/hwreg.hpp"
#include "isa/vector/semantics/address.hpp"
#include "isa/vector/table.hpp"
#include "support/numbers.hpp"

/// The vector instructions of memory: where each lane's access goes, and what it moves.
namespace salu::core {
namespace {

namespace vector = isa::vector;
using vector::Format;

/// A dword, or less, of what a lane moves.
struct Piece {
  u64 address = 0;
  u8 bytes = 4;
  bool is_there = true;  ///< what is not reads as 0 and is not written
};

/// Calls `visit(lane)` for the lanes of a mask until it returns false, and says whether it never did.
template <class Visit>
bool for_lanes(u64 mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) {
    if (!visit(static_cast<u32>(std::countr_zero(mask)))) return false;
  }
  return true;
}

/// One such instruction for all lanes that are on.
class LaneAccess {
 public:
  LaneAccess(Engine& engine, const MicroOp* op, const VectorOp& vector, u32 scc)
      : engine_(engine),
        file_(engine.vector_file()),
        op_(op),
        // A store may change the code that it is in.
        instruction_(vector.instruction),
        operands_(instruction_.memory),
        row_(vector::row(instruction_.insn)),
        access_(row_.access),
        exec_(engine.wave.pair(code::exec)),
        scc_(scc) {}

  const MicroOp* run() {
    if (access_.bytes != 0 && exec_ != 0) {
      find_base();
      const bool is_done = access_.is_store ? store() : load();
      if (!is_done) return engine_.after_warning(op_, stopped_);
    }
    return engine_.after_warning(op_, op_ + instruction_.dwords);
  }

 private:
  /// How many pieces a place consists of, and the access.
  [[nodiscard]] u32 pieces_of_place() const { return (access_.bytes + 3U) / 4; }
  [[nodiscard]] u32 pieces() const { return access_.is_double ? 2 * pieces_of_place() : pieces_of_place(); }
  [[nodiscard]] u32 data_register(u8 number) const {
    return number + (operands_.is_accumulator ? VectorRegisters::vgprs : 0);
  }
  [[nodiscard]] u64 address_pair(u32 lane) const {
    return file_.lanes(operands_.address)[lane] | u64{file_.lanes(operands_.address + 1U)[lane]} << 32;
  }
  u32 scalar32(u32 code) { return engine_.read_general32(op_, code, scc_); }
  u64 scalar64(u32 code) { return engine_.read_general64(op_, code, scc_); }

  /// What all lanes have in common.
  void find_base() {
    const Generation generation = engine_.wave.generation;
    switch (row_.format) {
      case Format::mubuf: {
        std::array<u32, 4> words{};
        for (u32 i = 0; i < words.size(); ++i) words[i] = engine_.wave.source_dword(operands_.descriptor, 4, i);
        buffer_ = vector::semantics::buffer_resource(generation, words);
        scalar_ = scalar32(operands_.scalar);
        break;
      }
      case Format::global:
        if (operands_.has_scalar) scalar_ = scalar64(operands_.scalar);
        break;
      case Format::scratch:
        if (operands_.has_scalar) scalar_ = scalar32(operands_.scalar);
        scratch_ = scratch_base();
        break;
      case Format::flat:
        scratch_ = scratch_base();
        break;
      default:
        break;
    }
  }

  /// Where the wave's private memory begins.
  [[nodiscard]] u64 scratch_base() const {
    const GenerationInfo& info = generation_info(engine_.wave.generation);
    const u64 flat_scratch = engine_.wave.pair(info.flat_scratch);
    // Where it is no address, its upper half counts units of 256 bytes from where hardware has all private memory.
    return info.flat_scratch_init_is_address ? flat_scratch : hidden_private_base + (flat_scratch >> 32) * 256;
  }

  /// The upper half of the addresses that stand for private or shared memory.
  [[nodiscard]] u32 aperture(bool is_private) const {
    const GenerationInfo& info = generation_info(engine_.wave.generation);
    if (!info.has_aperture_operands) return is_private ? info.private_aperture : info.shared_aperture;
    const u32 bases = engine_.wave.hwregs[isa::hwreg_id::sh_mem_bases];
    return is_private ? bases << 16 : bases & 0xffff0000;
  }

  [[nodiscard]] Piece piece(u32 lane, u32 number) const {
    Piece piece;
    piece.bytes = std::min<u8>(access_.bytes, 4);
    const u32 behind = 4 * (number % pieces_of_place());
    switch (row_.format) {
      case Format::mubuf:
        find_in_buffer(piece, lane, behind);
        break;
      case Format::ds: {
        const u32 unit = !access_.is_double ? 1 : access_.bytes * (access_.is_far ? 64U : 1U);
        const u32 offset = number < pieces_of_place() ? static_cast<u32>(operands_.offset) : operands_.second_offset;
        // Shared memory lies where flat addresses reach it.
        const u64 in_shared = u64{file_.lanes(operands_.address)[lane]} + u64{offset} * unit + behind;
        piece.address = (u64{aperture(false)} << 32) + in_shared;
        return piece;
      }
      case Format::scratch: {
        u32 offset = static_cast<u32>(operands_.offset) + static_cast<u32>(scalar_) + behind;
        if (operands_.has_address) offset += file_.lanes(operands_.address)[lane];
        piece.address = vector::semantics::scratch_address(scratch_, offset, lane);
        break;
      }
      case Format::global:
        piece.address = operands_.has_scalar ? scalar_ + file_.lanes(operands_.address)[lane] : address_pair(lane);
        piece.address += static_cast<u64>(i64{operands_.offset}) + behind;
        break;
      default:
        find_flat(piece, lane, behind);
        break;
    }
    if (!is_shared(piece.address)) piece.address &= engine_.wave.address_mask | 3;
    return piece;
  }

  void find_in_buffer(Piece& piece, u32 lane, u32 behind) const {
    if (operands_.addr64) {
      piece.address = buffer_.base + address_pair(lane) + scalar_ + static_cast<u64>(i64{operands_.offset}) + behind;
      return;
    }
    vector::semantics::BufferPlace place;
    place.has_index = operands_.idxen;
    place.scalar_offset = static_cast<u32>(scalar_);
    place.offset = static_cast<u32>(operands_.offset);
    if (operands_.idxen) place.index = file_.lanes(operands_.address)[lane];
    if (operands_.offen) place.offset += file_.lanes(operands_.address + u32{operands_.idxen})[lane];
    piece.is_there = vector::semantics::is_in_buffer(buffer_, place, lane, behind, piece.bytes);
    piece.address = vector::semantics::buffer_address(buffer_, place, lane, behind);
  }

  void find_flat(Piece& piece, u32 lane, u32 behind) const {
    piece.address = address_pair(lane) + static_cast<u64>(i64{operands_.offset}) + behind;
    if (piece.address >> 32 == aperture(true))
      piece.address = vector::semantics::scratch_address(scratch_, static_cast<u32>(piece.address), lane);
  }
  [[nodiscard]] bool is_shared(u64 address) const { return address >> 32 == aperture(false); }

  /// Stops the run at a byte that is not mapped or may not be written.
  bool refuse(u32 lane, const Piece& piece) {
    const Memory& memory = engine_.port.memory();
    u64 byte = piece.address;
    const MemoryRegion* region = memory.find_region(byte);
    while (region != nullptr && (!access_.is_store || region->access == Access::read_write))
      region = memory.find_region(++byte);
    stopped_ = engine_.stop_at_barred(op_, byte, "lane " + std::to_string(lane) + ": " + support::hex(byte));
    return false;
  }

  // ---- loads ----

  bool load() {
    std::array<LaneDwords, 4> values;
    for (u32 number = 0; number < pieces(); ++number) {
      LaneDwords& into = values[number];
      into.values.fill(0);
      const bool all =
          for_lanes(exec_, [&](u32 lane) { return load_piece(lane, piece(lane, number), into.values[lane]); });
      if (!all) return false;
    }
    for (u32 number = 0; number < pieces(); ++number) write(operands_.data + number, values[number]);
    // What would say whether the pages were resident.
    if (operands_.tfe) write(operands_.data + pieces(), LaneDwords{});
    return true;
  }

  bool load_piece(u32 lane, const Piece& piece, u32& value) {
    if (!piece.is_there) return true;
    std::array<u8, 4> bytes{};
    const std::span<u8> part = std::span(bytes).first(piece.bytes);
    if (const u8* const host = engine_.port.reading(piece.address, piece.bytes)) {
      std::memcpy(bytes.data(), host, piece.bytes);
    } else if (engine_.port.memory().is_mapped(piece.address, piece.bytes)) {
      engine_.port.memory().read(piece.address, part);
    } else {
      return refuse(lane, piece);
    }
    u32 raw = 0;
    std::memcpy(&raw, bytes.data(), sizeof(raw));
    value = extend(raw);
    return true;
  }

  [[nodiscard]] u32 extend(u32 raw) const {
    if (!access_.is_signed) return raw;
    const u32 unused = 32 - 8U * access_.bytes;
    return static_cast<u32>(static_cast<i32>(raw << unused) >> unused);
  }

  void write(u32 number, const LaneDwords& values) {
    u32* const to = file_.own_lanes(data_register(static_cast<u8>(number)));
    for_lanes(exec_, [&](u32 lane) {
      const u32 value = values.values[lane];
      if (!access_.keeps_half) {
        to[lane] = value;
      } else if (access_.is_high_half) {
        to[lane] = (to[lane] & 0xffff) | value << 16;
      } else {
        to[lane] = (to[lane] & 0xffff0000) | (value & 0xffff);
      }
      return true;
    });
    file_.define(data_register(static_cast<u8>(number)), exec_);
  }

  // ---- stores ----

  bool store() {
    // Nothing is written where a lane cannot.
    for (u32 number = 0; number < pieces(); ++number) {
      if (!for_lanes(exec_, [&](u32 lane) { return may_store(lane, piece(lane, number)); })) return false;
    }
    for_lanes(exec_, [&](u32 lane) {
      for (u32 number = 0; number < pieces(); ++number) store_piece(piece(lane, number), data(lane, number));
      return true;
    });
    return true;
  }

  [[nodiscard]] u32 data(u32 lane, u32 number) const {
    const bool is_second = number >= pieces_of_place();
    const u32 dword = (is_second ? operands_.second_data : operands_.data) + number % pieces_of_place();
    const u32 value = file_.lanes(data_register(static_cast<u8>(dword)))[lane];
    return access_.is_high_half ? value >> 16 : value;
  }

  bool may_store(u32 lane, const Piece& piece) {
    if (!piece.is_there || engine_.port.writing(piece.address, piece.bytes) != nullptr) return true;
    if (!engine_.port.memory().is_writable(piece.address, piece.bytes)) return refuse(lane, piece);
    stopped_ = engine_.check_room(op_, piece.address, piece.bytes);
    return stopped_ == nullptr;
  }

  void store_piece(const Piece& piece, u32 value) {
    if (!piece.is_there) return;
    std::array<u8, 4> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    if (u8* const host = engine_.port.writing(piece.address, piece.bytes)) {
      std::memcpy(host, bytes.data(), piece.bytes);
    } else {
      store_slowly(piece, bytes);
    }
  }

  /// By the dwords that the bytes are in, any of which may be code.
  void store_slowly(const Piece& piece, const std::array<u8, 4>& bytes) {
    for (u32 i = 0; i < piece.bytes; ++i) {
      const u64 address = piece.address + i;
      const u32 shift = static_cast<u32>(address % 4) * 8;
      const u64 dword = address - address % 4;
      const u32 old = engine_.port.memory().read_dword(dword);
      engine_.store_dword(dword, (old & ~(0xffU << shift)) | u32{bytes[i]} << shift);
    }
  }

  Engine& engine_;
  VectorFile& file_;
  const MicroOp* op_;
  vector::Instruction instruction_;
  const vector::MemoryOperands& operands_;
  const vector::InstructionInfo& row_;
  const vector::Access& access_;
  u64 exec_;
  u32 scc_;
  vector::semantics::BufferResource buffer_{};
  u64 scalar_ = 0;   ///< SOFFSET or SADDR
  u64 scratch_ = 0;  ///< where the wave's private memory begins
  const MicroOp* stopped_ = nullptr;
};

}  // namespace

const MicroOp* access_lanes(Engine& engine, const MicroOp* op, const VectorOp& vector, u32 scc) {
  return LaneAccess(engine, op, vector, scc).run();
}

}  // namespace salu::core
