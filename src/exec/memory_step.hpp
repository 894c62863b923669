#pragma once

#include <salu/state.hpp>

#include <array>

#include "isa/vector/decode.hpp"
#include "isa/vector/semantics/address.hpp"
#include "isa/vector/table.hpp"

/// The adapter between memory instructions and a state: the order of the operations and the layout of the bits. A
/// domain is a kind of state, as in exec/step.inc: the machine, a shadow with undefined bits, or terms. It supplies the
/// primitives that are called here, and the type of words; a missing primitive is a compile error.
namespace salu::exec {

/// Executes vector memory instructions.
///
/// `Dword` is the type of one lane of a register. A piece is a dword, or less, of a lane's access (core::LanePiece). A
/// primitive that returns false ends the instruction, like a fault: nothing has been written.
template <class Domain>
class LaneMemoryStep {
  using SharedAddress = isa::vector::SharedAddress;
  using LaneMove = isa::vector::LaneMove;

 public:
  using Dword = typename Domain::Dword;
  using Pieces = std::array<Dword, 4>;  ///< of one lane
  using Lanes = std::array<Dword, state_index::lanes>;

  static bool execute(Domain& domain) {
    const isa::vector::Access& access = domain.access();
    if (access.moves_lanes()) return move_lanes(domain);
    if (access.is_atomic()) return access.address == SharedAddress::wave ? modify_once(domain) : modify(domain);
    if (access.is_typed()) return access.is_store ? store(domain) : load_typed(domain);
    if (domain.move_rows()) return true;
    return access.is_store ? store(domain) : load(domain);
  }

  /// The register of a piece of the data. Instructions that write to two addresses have separate data registers for the
  /// second one.
  static u32 data_register(const Domain& domain, u32 number) {
    const isa::vector::MemoryOperands& operands = domain.instruction().memory;
    const u32 of_place = domain.pieces_of_place();
    const bool is_second = domain.access().is_double && domain.access().writes_memory() && number >= of_place;
    return bank(domain) + (is_second ? u32{operands.second_data} + number - of_place : u32{operands.data} + number);
  }
  /// The register of a piece of an atomic's second operand.
  static u32 second_operand_register(const Domain& domain, u32 number) {
    const isa::vector::MemoryOperands& operands = domain.instruction().memory;
    const u32 after_first = u32{operands.data} + domain.pieces_of_place();
    return bank(domain) + number + (domain.access().pairs_operands() ? after_first : u32{operands.second_data});
  }
  /// The data of a piece that a lane stores, in the low bits.
  static Dword stored(Domain& domain, u32 lane, u32 number) {
    if (domain.access().is_typed()) {
      Pieces registers;
      registers.fill(domain.zero());
      for (u32 i = 0; i < domain.access().data_dwords(); ++i)
        registers[i] = domain.data(data_register(domain, i), lane);
      return domain.element_of_registers(registers)[number];
    }
    const Dword dword = domain.data(data_register(domain, number), lane);
    return domain.access().is_high_half ? domain.slice(dword, half_bits, half_bits) : dword;
  }

 private:
  static constexpr u32 half_bits = 16;
  static constexpr u32 most_pieces = 4;
  using Values = std::array<Lanes, most_pieces>;

  static u32 bank(const Domain& domain) {
    return domain.instruction().memory.is_accumulator ? VectorRegisters::vgprs : 0;
  }

  static bool load(Domain& domain) {
    const isa::vector::Access& access = domain.access();
    alignas(64) Values values;
    for (u32 number = 0; number < domain.pieces(); ++number) {
      values[number].fill(domain.zero());
      if (domain.load_row(number, values[number])) continue;
      const bool are_loaded = domain.for_lanes([&](u32 lane) {
        Dword& value = values[number][lane];
        if (!domain.load_piece(lane, number, value)) return false;
        if (access.bytes < 4) value = domain.extended(value);
        return true;
      });
      if (!are_loaded) return false;
    }
    if (domain.instruction().memory.lds) return store_to_lds(domain, values);
    if (access.element_bits != 0) transpose(domain, values);
    write_loaded(domain, values, domain.pieces());
    return true;
  }
  /// Loads elements whose format decides their size.
  static bool load_typed(Domain& domain) {
    alignas(64) Values values;
    for (Lanes& lanes : values) lanes.fill(domain.zero());
    const bool are_loaded = domain.for_lanes([&](u32 lane) {
      Pieces element;
      element.fill(domain.zero());
      for (u32 number = 0; number < domain.pieces(); ++number) {
        if (!domain.load_piece(lane, number, element[number])) return false;
      }
      const Pieces registers = domain.registers_of_element(lane, element);
      for (u32 number = 0; number < most_pieces; ++number) values[number][lane] = registers[number];
      return true;
    });
    if (are_loaded) write_loaded(domain, values, domain.access().result_dwords());
    return are_loaded;
  }
  /// Writes `count` loaded registers and the residency status.
  static void write_loaded(Domain& domain, Values& values, u32 count) {
    const isa::vector::Access& access = domain.access();
    for (u32 number = 0; number < count; ++number) {
      const u32 to = data_register(domain, number);
      if (access.keeps_half) {
        domain.for_lanes([&](u32 lane) {
          Dword& value = values[number][lane];
          const Dword old = domain.keeps_half() ? domain.data(to, lane) : domain.zero();
          value = domain.with_half(old, value, access.is_high_half ? half_bits : 0);
          return true;
        });
      }
      domain.write(to, values[number]);
    }
    // The residency status, a whole dword even if the data are a half: all pages are resident.
    if (domain.instruction().memory.tfe) {
      values[0].fill(domain.zero());
      domain.write(data_register(domain, count), values[0]);
    }
  }

  /// Writes the loaded data to LDS.
  static bool store_to_lds(Domain& domain, const Values& values) {
    if (!domain.may_store_to_lds()) return false;
    return domain.for_lanes([&](u32 lane) {
      for (u32 number = 0; number < domain.pieces(); ++number) domain.store_to_lds(lane, number, values[number][lane]);
      return true;
    });
  }

  /// Transposes the loaded matrices.
  static void transpose(Domain& domain, Values& values) {
    const isa::vector::Access& access = domain.access();
    const u32 unit = isa::vector::semantics::transposed_unit(access.element_bits);
    const Values loaded = values;
    const auto part = [&](u32 lane, u32 bit) {
      const auto from = isa::vector::semantics::transposed_bits(lane, bit, access.element_bits, access.bytes);
      return domain.slice(loaded[from.first / 32][from.lane], from.first % 32, unit);
    };
    for (u32 number = 0; number < domain.pieces(); ++number) {
      domain.for_lanes([&](u32 lane) {
        Dword result = part(lane, 32 * number);
        for (u32 bit = unit; bit < 32; bit += unit) result = domain.join(part(lane, 32 * number + bit), result, bit);
        values[number][lane] = result;
        return true;
      });
    }
  }

  // ---- atomics ----

  /// Serves the lanes in ascending order: each one finds the memory as the lane before it left it.
  static bool modify(Domain& domain) {
    alignas(64) Values results;
    for (u32 number = 0; number < domain.pieces(); ++number) results[number].fill(domain.zero());
    if (domain.modify_directly(results)) {
      write_results(domain, results);
      return true;
    }
    if (!domain.may_store()) return false;
    domain.for_lanes([&](u32 lane) {
      const Pieces old = modify_lane(domain, lane);
      for (u32 number = 0; number < domain.pieces(); ++number) results[number][lane] = old[number];
      return true;
    });
    write_results(domain, results);
    return true;
  }
  /// Counts the active lanes in one access of the first of them. All get the old value.
  static bool modify_once(Domain& domain) {
    if (!domain.may_store()) return false;
    alignas(64) Values results;
    results[0].fill(domain.zero());
    bool is_first = true;
    Dword old = domain.zero();
    domain.for_lanes([&](u32 lane) {
      if (is_first) old = modify_lane(domain, lane)[0];
      is_first = false;
      results[0][lane] = old;
      return true;
    });
    write_results(domain, results);
    return true;
  }
  /// Returns the old values. All addresses of a lane are read before one of them is written.
  static Pieces modify_lane(Domain& domain, u32 lane) {
    Pieces old;
    old.fill(domain.zero());
    const u32 of_place = domain.pieces_of_place();
    for (u32 number = 0; number < domain.pieces(); ++number) domain.load_piece(lane, number, old[number]);
    Pieces changed = old;
    for (u32 first = 0; first < domain.pieces(); first += of_place) domain.modify_place(lane, first, changed);
    for (u32 number = 0; number < domain.pieces(); ++number) domain.store_piece(lane, number, changed[number]);
    return old;
  }
  static void write_results(Domain& domain, const Values& results) {
    if (!isa::vector::has_result(domain.instruction())) return;
    const u32 first = bank(domain) + isa::vector::result_register(domain.instruction());
    for (u32 number = 0; number < domain.pieces(); ++number) domain.write(first + number, results[number]);
  }

  // ---- moves between lanes ----

  /// An inactive source counts as 0.
  static bool move_lanes(Domain& domain) {
    const isa::vector::Instruction& instruction = domain.instruction();
    const auto offset = static_cast<u32>(instruction.memory.offset);
    const LaneMove move = domain.access().move;
    // The data of a swizzle are in the register of addresses.
    const u32 from = move == LaneMove::swizzle ? instruction.memory.address : data_register(domain, 0);
    alignas(64) Lanes moved;
    moved.fill(domain.zero());
    domain.for_lanes([&](u32 lane) {
      if (move == LaneMove::permute) {
        Dword& to = moved[isa::vector::semantics::selected_lane(domain.index(lane), offset)];
        to = domain.if_active(lane, domain.data(from, lane), to);
        return true;
      }
      const u32 source = move == LaneMove::swizzle
                             ? isa::vector::semantics::swizzled_lane(domain.generation(), offset, lane)
                             : isa::vector::semantics::selected_lane(domain.index(lane), offset);
      moved[lane] = domain.if_active(source, domain.data(from, source), domain.zero());
      return true;
    });
    domain.write(bank(domain) + isa::vector::result_register(instruction), moved);
    return true;
  }

  /// Stores all pieces of a lane before those of the next lane: if lanes overlap, the last one wins.
  static bool store(Domain& domain) {
    if (!domain.may_store()) return false;
    domain.for_lanes([&](u32 lane) {
      for (u32 number = 0; number < domain.pieces(); ++number)
        domain.store_piece(lane, number, stored(domain, lane, number));
      return true;
    });
    return true;
  }
};

}  // namespace salu::exec
