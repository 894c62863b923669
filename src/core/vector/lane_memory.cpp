#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include "core/vector/lane_addresses.hpp"
#include "core/vector/lane_frame.hpp"
#include "exec/memory_step.hpp"
#include "isa/semantics/atomics.hpp"
#include "isa/vector/semantics/conversions.hpp"
#include "isa/vector/semantics/float_atomics.hpp"
#include "isa/vector/table.hpp"
#include "support/numbers.hpp"

/// The memory accesses of vector instructions.
namespace salu::core {
namespace {

namespace vector = isa::vector;

using LaneValues = std::array<u32, lane_count>;

/// The machine's domain of `LaneMemoryStep`: one instruction for all active lanes.
class LaneAccess {
 public:
  LaneAccess(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc)
      : interpreter_(interpreter),
        file_(interpreter.vector_file()),
        op_(op),
        // A store can change the code of the instruction itself.
        instruction_(vector.instruction),
        operands_(instruction_.memory),
        row_(vector::row(instruction_.insn)),
        access_(row_.access),
        exec_(interpreter.wave.pair(state_index::exec)),
        addresses_(interpreter.wave, file_, instruction_, scalar(scc)) {}

  const MicroOp* run() {
    if (access_.bytes != 0 && exec_ != 0) {
      if (addresses_.ignores_lane()) warn_of_ignored_lane();
      if (access_.is_typed() && !may_convert()) return interpreter_.after_warning(op_, stopped_);
      if (!Step::execute(*this)) return interpreter_.after_warning(op_, stopped_);
      if (access_.element_bits != 0 && exec_ != ~u64{0}) warn_of_inactive_lanes();
      if (access_.is_atomic()) note_unspecified_atomic();
    }
    return interpreter_.after_warning(op_, op_ + instruction_.dwords);
  }

  static constexpr u32 row_bytes = LaneAddresses::row_bytes;

  // ---- primitives of `LaneMemoryStep` ----

  using Dword = u32;
  using Step = exec::LaneMemoryStep<LaneAccess>;

  [[nodiscard]] Generation generation() const { return interpreter_.wave.generation; }
  [[nodiscard]] const vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const vector::Access& access() const { return access_; }
  [[nodiscard]] u32 pieces() const { return addresses_.pieces(); }
  [[nodiscard]] u32 pieces_of_place() const { return addresses_.pieces_of_place(); }
  [[nodiscard]] bool keeps_half() const { return addresses_.keeps_half(); }
  template <class Visit>
  bool for_lanes(const Visit& visit) const {
    for (u64 lanes = exec_; lanes != 0; lanes &= lanes - 1) {
      if (!visit(static_cast<u32>(std::countr_zero(lanes)))) return false;
    }
    return true;
  }

  static u32 zero() { return 0; }
  static u32 slice(u32 dword, u32 first, u32 bits) { return dword >> first & ((1U << bits) - 1); }
  static u32 join(u32 high, u32 low, u32 low_bits) { return high << low_bits | low; }
  static u32 with_half(u32 old, u32 half, u32 shift) { return (old & ~(0xffffU << shift)) | (half & 0xffff) << shift; }
  [[nodiscard]] u32 extended(u32 raw) const {
    if (!access_.is_signed) return raw;
    const u32 unused = 32 - 8U * access_.bytes;
    return static_cast<u32>(static_cast<i32>(raw << unused) >> unused);
  }

  [[nodiscard]] u32 data(u32 number, u32 lane) const { return file_.lanes(number)[lane]; }
  void write(u32 number, const LaneValues& values) {
    u32* const to = file_.own_lanes(number);
    if (exec_ == ~u64{0}) {
      std::ranges::copy(values, to);
    } else {
      for_lanes([&](u32 lane) {
        to[lane] = values[lane];
        return true;
      });
    }
    file_.define(number, exec_);
  }
  /// Loads for all lanes at once if their pieces are contiguous in one page. The values of inactive lanes are not used.
  bool load_row(u32 number, LaneValues& into) {
    const std::optional<u64> row = addresses_.row(number);
    const u8* const host = row ? readable(*row, row_bytes) : nullptr;
    if (host == nullptr) return false;
    std::memcpy(into.data(), host, row_bytes);
    if (access_.bytes >= 4) return true;
    const u32 unused = 32 - 8U * access_.bytes;
    for (u32& value : into) value = extended(value << unused >> unused);
    return true;
  }

  bool load_piece(u32 lane, u32 number, u32& value) {
    const LanePiece piece = addresses_.piece(lane, number);
    if (!piece.is_there) {
      note_dropped(lane, piece);
      return true;
    }
    note_alignment(lane, piece);
    std::array<u8, 4> bytes{};
    const bool is_read = addresses_.for_parts(lane, number, piece, [&](const LanePiece& part, u32 first) {
      return read_bytes(lane, part, std::span(bytes).subspan(first, part.bytes));
    });
    if (!is_read) return false;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return true;
  }
  [[nodiscard]] Step::Pieces registers_of_element(u32 lane, const Step::Pieces& element) const {
    if (!addresses_.piece(lane, 0).is_there) return {};
    return vector::loaded_registers(access_, addresses_.buffer_format(), element);
  }
  [[nodiscard]] Step::Pieces element_of_registers(const Step::Pieces& registers) const {
    return vector::element_of_registers(access_, addresses_.buffer_format(), registers);
  }
  [[nodiscard]] bool may_store_to_lds() {
    for (u32 number = 0; number < pieces(); ++number) {
      if (!for_lanes([&](u32 lane) { return may_store(lane, addresses_.lds_piece(lane, number)); })) return false;
    }
    return true;
  }
  void store_to_lds(u32 lane, u32 number, u32 value) {
    const LanePiece piece = addresses_.lds_piece(lane, number);
    note_lds_alignment(lane, piece);
    write_bytes(piece.address, bytes_of(value));
  }
  /// Stores for all lanes at once if their pieces are contiguous in pages that may be written directly; otherwise
  /// returns false.
  bool move_rows() {
    if (!access_.is_store) return false;
    std::array<u8*, 4> rows{};
    for (u32 number = 0; number < pieces(); ++number) {
      const std::optional<u64> row = addresses_.row(number);
      rows[number] = row ? writable(*row, row_bytes) : nullptr;
      if (rows[number] == nullptr) return false;
    }
    for (u32 number = 0; number < pieces(); ++number) {
      const u32* const from = file_.lanes(Step::data_register(*this, number));
      if (exec_ == ~u64{0} && access_.bytes >= 4) {
        std::memcpy(rows[number], from, row_bytes);
        continue;
      }
      for_lanes([&](u32 lane) {
        const u32 value = access_.is_high_half ? from[lane] >> 16 : from[lane];
        std::memcpy(rows[number] + std::size_t{4} * lane, &value, std::min<std::size_t>(access_.bytes, 4));
        return true;
      });
    }
    return true;
  }
  bool may_store() {
    for (u32 number = 0; number < pieces(); ++number) {
      if (!for_lanes([&](u32 lane) { return may_store_piece(lane, number); })) return false;
    }
    return true;
  }
  void store_piece(u32 lane, u32 number, u32 value) {
    const LanePiece piece = addresses_.piece(lane, number);
    if (!piece.is_there) return note_dropped(lane, piece);
    note_alignment(lane, piece);
    const std::array<u8, 4> bytes = bytes_of(value);
    addresses_.for_parts(lane, number, piece, [&](const LanePiece& part, u32 first) {
      write_bytes(part.address, std::span(bytes).subspan(first, part.bytes));
      return true;
    });
  }
  /// Performs the atomic for all lanes if their places are in pages that may be written directly. `results` receives
  /// the old values. Otherwise returns false and changes nothing.
  template <class Values>
  bool modify_directly(Values& results) {
    if (access_.is_double) return false;
    std::array<u8*, lane_count> places;
    const bool are_open = for_lanes([&](u32 lane) {
      const LanePiece piece = addresses_.piece(lane, 0);
      if (!piece.is_there || piece.is_parted || piece.is_aligned_down) return false;
      if (pieces() == 2 && addresses_.piece(lane, 1).address != piece.address + 4) return false;
      places[lane] = writable(piece.address, access_.bytes);
      return places[lane] != nullptr;
    });
    if (!are_open) return false;
    const bool is_wide = pieces() == 2;
    const auto copy = [is_wide](void* to, const void* from) {
      is_wide ? std::memcpy(to, from, 8) : std::memcpy(to, from, 4);
    };
    for_lanes([&](u32 lane) {
      Step::Pieces dwords{};
      copy(dwords.data(), places[lane]);
      results[0][lane] = dwords[0];
      if (is_wide) results[1][lane] = dwords[1];
      modify_place(lane, 0, dwords);
      copy(places[lane], dwords.data());
      return true;
    });
    return true;
  }
  /// Replaces the old dwords of a place by the new ones.
  void modify_place(u32 lane, u32 first, Step::Pieces& pieces) {
    const bool has_second = access_.has_second_operand();
    if (pieces_of_place() == 1) {
      pieces[first] =
          modified(lane, first, pieces[first], operand(lane, first), has_second ? second_operand(lane, 0) : 0);
      return;
    }
    const u64 old = pieces[first] | u64{pieces[first + 1]} << 32;
    const u64 data = operand(lane, first) | u64{operand(lane, first + 1)} << 32;
    const u64 second = has_second ? second_operand(lane, 0) | u64{second_operand(lane, 1)} << 32 : 0;
    const u64 result = modified(lane, first, old, data, second);
    pieces[first] = static_cast<u32>(result);
    pieces[first + 1] = static_cast<u32>(result >> 32);
  }
  /// The index with which a lane selects another one.
  [[nodiscard]] u32 index(u32 lane) const { return data(operands_.address, lane); }
  [[nodiscard]] u32 if_active(u32 lane, u32 value, u32 otherwise) const {
    return (exec_ >> lane & 1) != 0 ? value : otherwise;
  }

 private:
  /// The host address of a range in one page, if it can be accessed directly.
  [[nodiscard]] const u8* readable(u64 address, u32 size_bytes) const {
    const u8* const host = interpreter_.port->reading(address, size_bytes);
    return host != nullptr ? host : interpreter_.port->in_part(address, size_bytes);
  }
  [[nodiscard]] u8* writable(u64 address, u32 size_bytes) const {
    u8* const host = interpreter_.port->writing(address, size_bytes);
    return host != nullptr ? host : interpreter_.port->in_part(address, size_bytes);
  }

  /// The new value of a place.
  template <class T>
  [[nodiscard]] T modified(u32 lane, u32 first, T old, T data, T second) {
    if (!isa::traits_of(access_.atomic).is_float)
      return isa::semantics::atomic_result(access_.atomic, old, data, second);
    const vector::FloatMode mode = vector::float_atomic_mode(access_, interpreter_.wave.mode);
    const T result = vector::float_atomic_result(access_.atomic, old, data, second, mode);
    const bool has_denormal = std::ranges::any_of(std::array{old, data, second, result},
                                                  [&](T word) { return vector::has_denormal(access_.atomic, word); });
    if (has_denormal) [[unlikely]]
      note_denormal(lane, first, mode);
    return result;
  }
  /// Warns about a denormal number whose effect the manuals do not specify.
  void note_denormal(u32 lane, u32 first, vector::FloatMode mode) {
    const bool is_in_lds = addresses_.piece(lane, first).address >= shared_memory_base;
    if (!vector::leaves_denormals_open(row_, mode, is_in_lds)) return;
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      return "lane " + std::to_string(lane) + ": the manuals do not specify the effect of denormal numbers on " +
             std::string(row_.name(interpreter_.wave.generation)) + " here: they are " +
             (mode.keeps_denormal_inputs ? "kept" : "zeros");
    });
  }

  [[nodiscard]] u32 operand(u32 lane, u32 number) const {
    if (access_.address == vector::SharedAddress::wave) return static_cast<u32>(std::popcount(exec_));
    return data(Step::data_register(*this, number), lane);
  }
  [[nodiscard]] u32 second_operand(u32 lane, u32 number) const {
    return data(Step::second_operand_register(*this, number), lane);
  }

  u64 scalar(u32 scc) {
    const u32 dwords = scalar_dwords(instruction_);
    if (dwords == 0 || exec_ == 0) return 0;
    return dwords == 1 ? interpreter_.read_general32(op_, operands_.scalar, scc)
                       : interpreter_.read_general64(op_, operands_.scalar, scc);
  }
  /// Stops the run at a byte that is not mapped or may not be written.
  bool refuse(u32 lane, const LanePiece& piece, bool is_written) {
    const Memory& memory = interpreter_.port->memory();
    u64 byte = piece.address;
    const MemoryRegion* region = memory.find_region(byte);
    while (region != nullptr && (!is_written || region->access == Access::read_write))
      region = memory.find_region(++byte);
    stopped_ = interpreter_.stop_at_barred(op_, byte, "lane " + std::to_string(lane) + ": " + support::hex(byte));
    return false;
  }

  /// Stops the run at a typed access whose format does not exist.
  bool may_convert() {
    const vector::BufferFormat& format = addresses_.buffer_format();
    const bool is_dropped = addresses_.is_unbound() && row_.format == vector::Format::mubuf;
    if (!operands_.lds && (is_dropped || vector::is_legal(format))) {
      note_missing_components();
      return true;
    }
    const Generation generation = interpreter_.wave.generation;
    const std::string detail =
        operands_.lds ? "loads to LDS are not supported"
                      : "invalid format " + std::string(vector::data_format_name(format.data_format)) + ", " +
                            std::string(vector::number_format_name(generation, static_cast<u32>(format.number_format)));
    stopped_ =
        interpreter_.stop_at(op_, StopReason::vector_instruction, std::string(row_.name(generation)) + ": " + detail);
    return false;
  }
  /// Warns about a store of fewer components than the format has.
  void note_missing_components() {
    if (!access_.is_store || access_.components >= vector::element_layout(addresses_.buffer_format().data_format).count)
      return;
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      return std::string(row_.name(interpreter_.wave.generation)) +
             " stores fewer components than the format has: the others become 0, which the manuals do not specify";
    });
  }
  /// Warns about an access that hardware drops, except for the range check of a buffer, which programs rely on.
  void note_dropped(u32 lane, const LanePiece& piece) {
    if (piece.dropped <= Dropped::out_of_buffer) return;
    interpreter_.warn(WarningKind::dropped_access, op_, [&] {
      switch (piece.dropped) {
        case Dropped::unbound_buffer:
          return unbound_text();
        case Dropped::beyond_private:
          return beyond_private_text(lane);
        default:
          return beyond_m0_text(lane, piece);
      }
    });
  }
  void note_alignment(u32 lane, const LanePiece& piece) {
    if (!piece.is_aligned_down) return;
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      const std::string access = "lane " + std::to_string(lane) + " accesses a misaligned address in ";
      if (access_.is_atomic())
        return access + "an atomic, which hardware does not support: the low bits of the address are ignored";
      if (row_.is_buffer())
        return access + "a buffer: its two low bits are ignored, as by hardware without the unaligned access mode";
      return access + "LDS, which hardware does not support here: its low bits are ignored";
    });
  }
  void note_lds_alignment(u32 lane, const LanePiece& piece) {
    if (!piece.is_aligned_down) return;
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      return "lane " + std::to_string(lane) +
             " writes to a misaligned address in LDS: its two low bits are ignored; M0 and the offset must be "
             "multiples of 4";
    });
  }
  void note_unspecified_atomic() {
    if (vector::depends_on_order(instruction_) &&
        !interpreter_.control.warnings.has(WarningKind::unspecified_result, interpreter_.cache.address_of(op_)))
      note_order();
    const bool has_base = (interpreter_.wave.slots[state_index::m0] & vector::semantics::ds_base_bits) != 0;
    if (access_.address == vector::SharedAddress::wave && has_base) warn_of_base_in_m0();
  }
  void warn_of_base_in_m0() {
    interpreter_.warn(WarningKind::unspecified_result, op_, [] {
      return std::string(
          "M0 is the LDS address to which the offset is added, as LLVM uses the instruction; the ISA manual of CDNA 4 "
          "does not add M0");
    });
  }
  /// Warns if two lanes access one address: the order in which hardware serves lanes is not specified.
  void note_order() {
    const std::optional<SharedPlace> place = addresses_.find_shared_place(exec_);
    if (!place) return;
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      return "lanes " + std::to_string(place->first_lane) + " and " + std::to_string(place->second_lane) + " access " +
             support::hex(place->address) +
             ", and the order decides the result: lanes are served in ascending order, which hardware does not "
             "guarantee";
    });
  }
  [[nodiscard]] std::string beyond_private_text(u32 lane) const {
    const GenerationInfo& info = generation_info(interpreter_.wave.generation);
    return "lane " + std::to_string(lane) + ": the private address is beyond FLAT_SCRATCH_LO (" +
           support::hex(interpreter_.wave.slots[info.flat_scratch]) +
           "), the size of a lane's private memory: " + dropped_text() + "; set FLAT_SCRATCH_LO to that size";
  }
  [[nodiscard]] std::string unbound_text() const {
    const u32 first = operands_.descriptor;
    return "the buffer descriptor in s[" + std::to_string(first) + ":" + std::to_string(first + 3) +
           "] is unbound, since DATA_FORMAT (bits 18:15 of its last dword) is 0: " + dropped_text() +
           "; give it a format, as in 0x00027000";
  }
  void warn_of_inactive_lanes() {
    interpreter_.warn(WarningKind::unspecified_result, op_, [&] {
      return std::string(row_.name(interpreter_.wave.generation)) +
             " with inactive lanes, which the ISA manual does not "
             "allow: their elements are 0; set EXEC to all ones before it";
    });
  }
  void warn_of_ignored_lane() {
    interpreter_.warn(WarningKind::unspecified_result, op_, [] {
      return std::string(
          "ADD_TID_ENABLE and IDXEN without swizzling: the manuals add the lane to the index, but gfx950 does not "
          "(measured); the lane is not added");
    });
  }
  [[nodiscard]] std::string beyond_m0_text(u32 lane, const LanePiece& piece) const {
    const std::string place = support::hex(piece.address - shared_memory_base);
    return "lane " + std::to_string(lane) + ": LDS address " + place + " is beyond M0 (" +
           support::hex(interpreter_.wave.slots[state_index::m0]) + "), which limits LDS: " + dropped_text() +
           "; set M0 to the size of LDS or more (s_mov_b32 m0, -1)";
  }
  [[nodiscard]] const char* dropped_text() const {
    if (access_.is_atomic()) return "nothing is written, and the result is 0";
    return access_.is_store ? "nothing is written" : "the load returns 0";
  }

  bool read_bytes(u32 lane, const LanePiece& piece, std::span<u8> into) {
    if (const u8* const host = readable(piece.address, piece.bytes)) {
      std::memcpy(into.data(), host, into.size());
    } else if (interpreter_.port->memory().is_mapped(piece.address, piece.bytes)) {
      interpreter_.port->memory().read(piece.address, into);
    } else {
      return refuse(lane, piece, false);
    }
    return true;
  }

  bool may_store_piece(u32 lane, u32 number) {
    const LanePiece piece = addresses_.piece(lane, number);
    if (!piece.is_there) return true;
    return addresses_.for_parts(lane, number, piece, [&](const LanePiece& part, u32) { return may_store(lane, part); });
  }

  bool may_store(u32 lane, const LanePiece& piece) {
    if (writable(piece.address, piece.bytes) != nullptr) return true;
    if (!interpreter_.port->memory().is_writable(piece.address, piece.bytes)) return refuse(lane, piece, true);
    stopped_ = interpreter_.check_room(op_, piece.address, piece.bytes);
    return stopped_ == nullptr;
  }

  static std::array<u8, 4> bytes_of(u32 value) {
    std::array<u8, 4> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
  }
  void write_bytes(u64 address, std::span<const u8> bytes) {
    if (u8* const host = writable(address, static_cast<u32>(bytes.size()))) {
      std::memcpy(host, bytes.data(), bytes.size());
    } else {
      write_bytes_slowly(address, bytes);
    }
  }

  /// Writes whole dwords around the bytes, any of which may be code.
  void write_bytes_slowly(u64 first, std::span<const u8> bytes) {
    for (u32 i = 0; i < bytes.size(); ++i) {
      const u64 address = first + i;
      const u32 shift = static_cast<u32>(address % 4) * 8;
      const u64 dword = address - address % 4;
      const u32 old = interpreter_.port->memory().read_dword(dword);
      interpreter_.store_dword(dword, (old & ~(0xffU << shift)) | u32{bytes[i]} << shift);
    }
  }

  Interpreter& interpreter_;
  VectorFile& file_;
  const MicroOp* op_;
  vector::Instruction instruction_;
  const vector::MemoryOperands& operands_;
  const vector::InstructionInfo& row_;
  const vector::Access& access_;
  u64 exec_;
  LaneAddresses addresses_;
  const MicroOp* stopped_ = nullptr;
};

}  // namespace

const MicroOp* access_lanes(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc) {
  return LaneAccess(interpreter, op, vector, scc).run();
}

}  // namespace salu::core
