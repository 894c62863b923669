#include "observe/vector_accesses.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "core/vector/allocated.hpp"
#include "core/vector/lane_addresses.hpp"
#include "core/vector/lane_registers.hpp"
#include "isa/operand.hpp"
#include "isa/vector/semantics/move.hpp"
#include "isa/vector/table.hpp"
#include "observe/static_accesses.hpp"

namespace salu::observe {
namespace {

namespace vector = isa::vector;
using vector::Format;
using vector::LaneWork;

class VectorAccesses {
 public:
  VectorAccesses(const core::Machine& machine, const vector::Instruction& instruction, bool in_rows, Accesses& result)
      : machine_(machine),
        wave_(machine.wave()),
        instruction_(instruction),
        row_(vector::row(instruction.insn)),
        codes_(operand_codes(wave_.generation)),
        exec_(wave_.pair(state_index::exec)),
        in_rows_(in_rows),
        result_(result) {}

  void find() {
    if (row_.work == LaneWork::no_effect) return;
    if (row_.is_memory()) {
      find_memory();
    } else {
      find_alu();
    }
  }

 private:
  void read_scalar(u32 code, u32 dwords) { add_source(result_.reads, machine_, static_cast<u8>(code), dwords); }
  void write_scalar(u32 code, u32 dwords) {
    if (is_writable(machine_, static_cast<u8>(code), dwords))
      result_.writes.push_back({register_index(wave_.generation, code), dwords});
  }
  using Lanes = Accesses::Lanes;
  static void add_vectors(std::vector<Lanes>& list, u32 first, u32 count, u64 lanes) {
    for (u32 i = 0; i < count && first + i < VectorRegisters::count && lanes != 0; ++i)
      list.push_back({first + i, lanes});
  }
  void read_vectors(u32 first, u32 count) { read_vectors(first, count, lanes_read()); }
  void read_vectors(u32 first, u32 count, u64 lanes) { add_vectors(result_.vectors_read, first, count, lanes); }
  void write_vectors(u32 first, u32 count) { add_vectors(result_.vectors_written, first, count, lanes_written()); }

  /// The lane that V_READLANE and V_WRITELANE select, as a mask.
  [[nodiscard]] u64 chosen_lane() const {
    return u64{1} << (wave_.source(static_cast<u8>(instruction_.sources[1].code), 1, 0) & 63);
  }
  [[nodiscard]] u64 lanes_read() const {
    if (row_.work == LaneWork::read_lane) return chosen_lane();
    if (row_.work == LaneWork::read_first_lane) return exec_ == 0 ? 1 : exec_ & (~exec_ + 1);
    return exec_;
  }
  [[nodiscard]] u64 lanes_written() const { return row_.work == LaneWork::write_lane ? chosen_lane() : exec_; }

  // ---- ALU ----

  /// Lanes of both registers: destination lanes and their source lanes.
  void find_exchange() {
    const vector::Exchange exchange{row_.exchange_distance};
    const vector::semantics::ExchangedLanes lanes =
        vector::semantics::exchanged_lanes(exchange, exec_, instruction_.op_sel);
    const u32 source = core::source_register(wave_, instruction_, 0, 1);
    const u32 destination = core::destination_register(wave_, instruction_, 1);
    add_vectors(result_.vectors_read, source < wave_.vgprs ? source : 0, 1,
                (lanes.to_destination & ~lanes.zeroed) >> exchange.distance);
    add_vectors(result_.vectors_read, destination % VectorRegisters::count, 1,
                (lanes.to_source & ~lanes.zeroed) << exchange.distance);
    add_vectors(result_.vectors_written, destination, 1, lanes.to_destination);
    add_vectors(result_.vectors_written, source, 1, lanes.to_source);
  }

  void find_alu() {
    if (row_.work == LaneWork::exchange) {
      read_scalar(codes_.exec, 2);
      if (wave_.gpr_idx_on()) read_scalar(codes_.m0, 1);
      return find_exchange();
    }
    if (instruction_.form == vector::Form::dpp) select_lanes();
    const u32 distance = wave_.slots[state_index::m0];
    for (u32 i = 0; i < row_.shape.source_count(); ++i) find_source(i, row_.moves_source ? distance : 0);
    if (row_.shape.reads_mask) read_scalar(instruction_.mask_source, 2);
    if (!row_.selects_lane()) read_scalar(codes_.exec, 2);
    if (is_relative_move() || wave_.gpr_idx_on()) read_scalar(codes_.m0, 1);
    find_destination(row_.moves_destination ? distance : 0);
    if (row_.shape.writes_mask) write_scalar(instruction_.mask_destination, 2);
    if (row_.shape.writes_exec) write_scalar(codes_.exec, 2);
  }

  void select_lanes() {
    const vector::DppLanes lanes = vector::select_lanes(instruction_.dpp, exec_);
    moved_lanes_ = lanes.read();
    exec_ = lanes.written;
  }

  /// These instructions have their own distance.
  [[nodiscard]] bool is_relative_move() const { return row_.work == LaneWork::relative; }

  void find_source(u32 i, u32 distance) {
    const vector::Operand& operand = row_.shape.sources[i];
    const vector::Source& source = instruction_.sources[i];
    if (operand.kind == vector::OperandKind::constant) return;
    if (operand.kind == vector::OperandKind::agpr) {
      const u32 number = core::source_register(wave_, instruction_, i, 1);
      read_vectors(number == core::no_register ? 0 : number, 1);
    } else if (source.is_vgpr()) {
      const u64 number =
          distance + (is_relative_move() ? u64{source.code} - vector::first_vgpr
                                         : core::source_register(wave_, instruction_, i, operand.dwords()));
      const bool is_moved = i == 0 && instruction_.form == vector::Form::dpp;
      read_vectors(number < wave_.vgprs ? static_cast<u32>(number) : 0, operand.dwords(),
                   is_moved ? moved_lanes_ : lanes_read());
    } else {
      read_scalar(source.code, operand.dwords());
    }
  }

  void find_destination(u32 distance) {
    const vector::Operand& operand = row_.shape.destination;
    if (!operand.is_there()) return;
    if (operand.kind == vector::OperandKind::scalar) return write_scalar(instruction_.destination, operand.dwords());
    const u64 number =
        distance + u64{is_relative_move() ? instruction_.destination
                                          : core::destination_register(wave_, instruction_, operand.dwords())};
    const u32 end = operand.kind == vector::OperandKind::agpr ? VectorRegisters::count : wave_.vgprs;
    if (number < end) write_vectors(static_cast<u32>(number), operand.dwords());
    if (number < end && row_.shape.accumulates) read_vectors(static_cast<u32>(number), operand.dwords());
    if (row_.shape.is_swap) write_vectors(core::source_register(wave_, instruction_, 0, 1), 1);
  }

  // ---- memory ----

  void find_memory() {
    if (row_.access.bytes == 0) return;
    const vector::MemoryOperands& operands = instruction_.memory;
    read_scalar(codes_.exec, 2);
    if (row_.is_buffer()) read_scalar(operands.descriptor, 4);
    const u32 dwords = core::scalar_dwords(instruction_);
    if (dwords != 0) read_scalar(operands.scalar, dwords);
    if (row_.format == Format::scratch || row_.format == Format::flat)
      read_scalar(generation_info(wave_.generation).flat_scratch, 2);
    read_vectors(operands.address, core::address_registers(instruction_));
    const core::VectorFile none{VectorRegisters()};
    const core::VectorFile& file = machine_.vectors() == nullptr ? none : *machine_.vectors();
    const u64 scalar = dwords == 0 ? 0 : wave_.source(operands.scalar, dwords, 0);
    const core::LaneAddresses addresses(wave_, file, instruction_, scalar);
    if (operands.lds || depends_on_m0(addresses)) read_scalar(codes_.m0, 1);
    const u32 bank = operands.is_accumulator ? VectorRegisters::vgprs : 0;
    if (row_.access.takes_data()) read_vectors(bank + operands.data, row_.access.data_dwords());
    if (row_.access.takes_second_data()) read_vectors(bank + operands.second_data, row_.access.data_dwords());
    if (vector::has_result(instruction_) && !operands.lds) {
      write_vectors(bank + vector::result_register(instruction_), row_.access.result_dwords() + u32{operands.tfe});
    }
    if (operands.lds) find_written_lds(addresses);
    if (!in_rows_ || !find_rows(addresses)) find_dwords(addresses);
  }

  /// True if M0 is part of the address, or limits accesses of the instruction: DS, and FLAT in the shared aperture.
  [[nodiscard]] bool depends_on_m0(const core::LaneAddresses& addresses) const {
    if (row_.access.address != vector::SharedAddress::vgpr) return true;
    if (row_.access.moves_lanes()) return false;
    if (!vector::semantics::m0_limits_lds(wave_.generation)) return false;
    if (row_.format == Format::ds) return true;
    if (row_.format != Format::flat) return false;
    for (u64 left = exec_; left != 0; left &= left - 1) {
      if (addresses.piece(static_cast<u32>(std::countr_zero(left)), 0).least_m0 != 0) return true;
    }
    return false;
  }

  /// False if the dwords of the lanes are not contiguous.
  bool find_rows(const core::LaneAddresses& addresses) {
    if (exec_ == 0 || row_.access.bytes < 4 || row_.access.is_atomic()) return false;
    std::vector<Accesses::MemoryRow>& rows = row_.access.is_store ? result_.rows_written : result_.rows_read;
    for (u32 number = 0; number < addresses.pieces(); ++number) {
      const std::optional<u64> row = addresses.row(number);
      if (!row || *row % 4 != 0) {
        rows.clear();
        return false;
      }
      rows.push_back({*row, exec_});
    }
    return true;
  }

  /// The dwords of LDS that a load to LDS writes, without duplicates: lanes do not overlap.
  void find_written_lds(const core::LaneAddresses& addresses) {
    for (u64 left = exec_; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      for (u32 number = 0; number < addresses.pieces(); ++number)
        result_.writes.push_back(Location::in_memory(addresses.lds_piece(lane, number).address));
    }
  }

  /// The dwords of memory that active lanes access, without duplicates.
  void find_dwords(const core::LaneAddresses& addresses) {
    std::vector<u64> dwords;
    for (u64 left = exec_; left != 0; left &= left - 1) {
      for (u32 number = 0; number < addresses.pieces(); ++number) {
        const auto lane = static_cast<u32>(std::countr_zero(left));
        const core::LanePiece piece = addresses.piece(lane, number);
        if (!piece.is_there) continue;
        addresses.for_parts(lane, number, piece, [&](const core::LanePiece& part, u32) {
          for (u64 dword = part.address / 4; dword <= (part.address + part.bytes - 1) / 4; ++dword)
            dwords.push_back(dword * 4);
          return true;
        });
      }
    }
    std::ranges::sort(dwords);
    const auto repeated = std::ranges::unique(dwords);
    dwords.erase(repeated.begin(), repeated.end());
    for (const u64 dword : dwords) {
      if (row_.access.reads_memory()) result_.reads.push_back(Location::in_memory(dword));
      if (row_.access.writes_memory()) result_.writes.push_back(Location::in_memory(dword));
    }
  }

  const core::Machine& machine_;
  const core::Wave& wave_;
  const vector::Instruction& instruction_;
  const vector::InstructionInfo& row_;
  const OperandCodes& codes_;
  u64 exec_;             ///< with DPP only the lanes that are written
  u64 moved_lanes_ = 0;  ///< with DPP: the lanes of the first source
  bool in_rows_;
  Accesses& result_;
};

}  // namespace

void find_accesses(const core::Machine& machine, const vector::Instruction& instruction, Accesses& result) {
  VectorAccesses(machine, instruction, false, result).find();
}

void find_accesses_in_rows(const core::Machine& machine, const vector::Instruction& instruction, Accesses& result) {
  VectorAccesses(machine, instruction, true, result).find();
}

bool may_write(Generation generation, const vector::Instruction& instruction, const Location& place, bool moves) {
  const StaticAccesses accesses =
      static_accesses({.generation = generation, .moves_vectors = moves, .skips_vectors = false}, instruction);
  if (place.is_memory()) return accesses.writes_memory;
  if (state_index::is_lane(place.index)) return accesses.writes.vectors.test(state_index::vector_of(place.index));
  for (u32 i = 0; i < place.dwords; ++i) {
    if (accesses.writes.scalars.test(place.index + i)) return true;
  }
  return false;
}

bool may_move_vectors(const core::Machine& machine, const WaveState& start) {
  if (mode_layout(machine.generation()).gpr_idx_en.of(start.mode) != 0 || machine.wave().gpr_idx_on()) return true;
  for (const CodeBlock& block : machine.code().program().code) {
    for (std::size_t i = 0; i < block.words.size(); ++i) {
      const auto instruction = machine.code().instruction_at(block.base + i * 4);
      if (!instruction || instruction->encoding != isa::EncodingClass::scalar) continue;
      constexpr isa::EffectSet sets_mode = isa::effect::gpr_idx_en | isa::effect::hwreg;
      if (isa::info(instruction->insn).writes_any(sets_mode)) return true;
    }
  }
  return false;
}

Accesses find_next_accesses(const core::Machine& machine) {
  const auto instruction = machine.code().instruction_at(machine.pc());
  Accesses accesses;
  if (!instruction) return accesses;
  if (instruction->encoding != isa::EncodingClass::vector) {
    find_accesses(machine, *instruction, accesses);
  } else if (machine.executes_vectors()) {
    const auto decoded = core::decode_allocated(machine.wave(), machine.code().words_at(machine.pc()));
    if (decoded) find_accesses(machine, *decoded, accesses);
  }
  return accesses;
}

bool has_settled_accesses(const isa::vector::Instruction& instruction) {
  const vector::InstructionInfo& row = vector::row(instruction.insn);
  return !row.is_memory() && !row.selects_lane() && row.work != LaneWork::relative;
}

}  // namespace salu::observe
