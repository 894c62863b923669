#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/vector/lane_addresses.hpp"
#include "isa/operand.hpp"
#include "isa/vector/table.hpp"
#include "proof/few_values.hpp"
#include "proof/instruction_step.hpp"

/// Vector memory: lanes load and store at addresses that few bits of the inputs decide. Where each access goes is said
/// by what says it to the machine, for one value of the address after the other.
namespace salu::proof {
namespace {

namespace vector = isa::vector;

/// The addresses of one lane may be so many: each of 64 has its own.
constexpr u64 most_places_of_lane = 256;

class LaneMemory {
 public:
  LaneMemory(Terms& terms, SymbolicState& state, const core::Wave& wave, const vector::Instruction& instruction)
      : terms_(terms),
        state_(state),
        wave_(wave),
        instruction_(instruction),
        operands_(instruction.memory),
        row_(vector::row(instruction.insn)),
        access_(row_.access) {}

  NextStep run(NextStep next) {
    if (access_.bytes == 0) return next;
    if (operands_.gds) return NextStep::give_up("a vector instruction that is not executed");
    if (access_.element_bits != 0 && !terms_.is_constant(state_.pair(code::exec), ~u64{0}))
      return NextStep::give_up("a transposing load with lanes that are off");
    if (!know_scalars()) return NextStep::give_up("a base, descriptor or offset that the inputs decide");
    std::vector<Lane> lanes;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if (terms_.is_constant(is_on(lane), 0)) continue;
      lanes.push_back({lane, {}, {}});
      if (!find_places(lanes.back())) return NextStep::give_up(why_);
    }
    if (operands_.lds) find_places_in_lds(lanes);
    for (const Lane& lane : lanes) access_.is_store ? store(lane) : load(lane);
    if (operands_.lds) {
      store_to_lds();
    } else {
      if (access_.element_bits != 0) transpose();
      for (const auto& [vector, lane, dword] : loaded_) state_.write_lane(vector, lane, dword);
    }
    next.except = missing_;
    next.why = access_.is_store ? "a store that may fault" : "a load that may fault";
    return next;
  }

 private:
  using Pieces = std::vector<core::LanePiece>;
  struct Lane {
    u32 number = 0;
    std::optional<FewValues> address;
    std::vector<Pieces> places;  ///< by the choice
  };

  /// Whether a lane is on: 1 bit.
  [[nodiscard]] TermId is_on(u32 lane) const { return terms_.slice(exec_, lane, 1); }

  // ---- addresses ----

  /// Copies what addresses are made of beside the lanes' registers.
  bool know_scalars() {
    const u32 dwords = core::scalar_dwords(instruction_);
    if (dwords != 0) {
      const TermId scalar = read_operand(terms_, state_, wave_, operands_.scalar, dwords, 0);
      if (!terms_.is_constant(scalar)) return false;
      scalar_ = terms_.value(scalar);
    }
    if (row_.format == vector::Format::mubuf) {
      const u32 first = wave_.is_beyond_allocation(operands_.descriptor, 4) ? 0 : operands_.descriptor;
      if (!know(first, 4)) return false;
    }
    if (operands_.lds && !know(code::m0, 1)) return false;
    if (!operands_.lds) know_m0();
    const bool is_scratch = row_.format == vector::Format::scratch;
    if (is_scratch || row_.format == vector::Format::flat)
      knows_flat_scratch_ = know(generation_info(wave_.generation).flat_scratch, 2);
    // FLAT reads FLAT_SCRATCH for private memory alone.
    return knows_flat_scratch_ || !is_scratch;
  }
  /// The limit of LDS may be any term: loaded and stored terms depend on it.
  void know_m0() {
    if (!vector::semantics::m0_limits_lds(wave_.generation)) return;
    m0_ = state_.read(code::m0);
    wave_.slots[code::m0] = ~0U;
  }
  /// True for the states in which hardware accesses a piece that it would access with the greatest M0.
  TermId is_within_m0(const core::LanePiece& piece) {
    if (piece.least_m0 == 0) return terms_.yes();
    return terms_.bit_not(terms_.below(m0_, terms_.constant(32, piece.least_m0)));
  }
  bool know(u32 code, u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) {
      const TermId dword = state_.read(register_index(wave_.generation, code + i));
      if (!terms_.is_constant(dword)) return false;
      wave_.slots[code + i] = static_cast<u32>(terms_.value(dword));
    }
    return true;
  }
  bool find_places(Lane& lane) {
    const u32 registers = core::address_registers(instruction_);
    TermId address = terms_.constant(64, 0);
    if (registers != 0) address = terms_.zero_extend(state_.lane(operands_.address, lane.number), 64);
    if (registers == 2)
      address =
          terms_.join(state_.lane(operands_.address + 1U, lane.number), state_.lane(operands_.address, lane.number));
    lane.address = FewValues::of(terms_, address, state_.path, most_places_of_lane);
    if (!lane.address) return fail("an address that the inputs decide");
    for (u64 choice = 0; choice < lane.address->count(); ++choice) {
      if (registers != 0) set_address(lane.number, lane.address->value(terms_, choice), registers);
      const core::LaneAddresses addresses(wave_, file_, instruction_, scalar_);
      lane.places.emplace_back();
      const bool is_possible = lane.address->is_possible(choice);
      TermId faults = terms_.no();
      for (u32 number = 0; number < addresses.pieces(); ++number) {
        core::LanePiece piece = addresses.piece(lane.number, number);
        if (piece.is_private && !knows_flat_scratch_)
          return fail("private memory at an address that the inputs decide");
        if (!piece.is_there || !is_possible) {
          lane.places.back().push_back(piece);
          continue;
        }
        if (piece.is_parted) return fail("an access that swizzling takes apart");
        const Memory& memory = *state_.start().memory;
        piece.is_there = access_.is_store ? memory.is_writable(piece.address, piece.bytes)
                                          : memory.is_mapped(piece.address, piece.bytes);
        if (!piece.is_there) faults = terms_.bit_or(faults, is_within_m0(piece));
        if (access_.is_store && holds_code(piece)) return fail("a store to code");
        lane.places.back().push_back(piece);
      }
      const TermId goes_there = terms_.bit_and(is_on(lane.number), lane.address->condition(terms_, choice));
      missing_ = terms_.bit_or(missing_, terms_.bit_and(goes_there, faults));
    }
    return true;
  }
  /// It may begin in front of the code, or end behind it.
  [[nodiscard]] bool holds_code(const core::LanePiece& piece) const {
    const Program& program = *state_.start().program;
    return program.find_block(piece.address) != nullptr ||
           program.find_block(piece.address + piece.bytes - 1) != nullptr;
  }
  void set_address(u32 lane, u64 value, u32 registers) {
    file_.own_lanes(operands_.address)[lane] = static_cast<u32>(value);
    if (registers == 2) file_.own_lanes(operands_.address + 1U)[lane] = static_cast<u32>(value >> 32);
  }

  // ---- what is moved ----

  [[nodiscard]] u32 data_register(u32 number, u32 pieces) const {
    const u32 base = operands_.is_accumulator ? VectorRegisters::vgprs : 0;
    const u32 of_place = access_.is_double ? pieces / 2 : pieces;
    const bool is_second = access_.is_store && number >= of_place;
    return base + (is_second ? u32{operands_.second_data} + number - of_place : u32{operands_.data} + number);
  }

  void load(const Lane& lane) {
    const auto pieces = static_cast<u32>(lane.places[0].size());
    for (u32 number = 0; number < pieces; ++number) {
      const u32 bits = 8 * std::min<u32>(access_.bytes, 4);
      TermId word = lane.address->choose(terms_, [&](u64 choice) {
        const core::LanePiece& piece = lane.places[static_cast<std::size_t>(choice)][number];
        const TermId nothing = terms_.constant(bits, 0);
        if (!piece.is_there) return nothing;
        return terms_.select(is_within_m0(piece), state_.read_bytes(piece.address, piece.bytes), nothing);
      });
      word = access_.is_signed ? terms_.sign_extend(word, 32) : terms_.zero_extend(word, 32);
      if (operands_.lds) {
        to_lds_.push_back({lds_address(lane.number, number), lane.number, word});
        continue;
      }
      const u32 vector = data_register(number, pieces);
      if (access_.keeps_half) {
        const TermId old = wave_.has_sramecc ? terms_.constant(32, 0) : state_.lane(vector, lane.number);
        const TermId half = terms_.slice(word, 0, 16);
        word = access_.is_high_half ? terms_.join(half, terms_.slice(old, 0, 16))
                                    : terms_.join(terms_.slice(old, 16, 16), half);
      }
      write(vector, lane.number, word);
    }
    // What would say whether the pages were resident.
    if (operands_.tfe) write(data_register(pieces, pieces), lane.number, terms_.constant(32, 0));
  }
  /// Transposes the loaded matrices; `loaded_` has all lanes in order.
  void transpose() {
    const std::vector<Loaded> loaded = loaded_;
    const auto pieces = static_cast<u32>(loaded.size() / state_index::lanes);
    const u32 unit = vector::semantics::transposed_unit(access_.element_bits);
    for (u32 i = 0; i < loaded.size(); ++i) {
      std::optional<TermId> dword;
      for (u32 bit = 0; bit < 32; bit += unit) {
        const auto from =
            vector::semantics::transposed_bits(i / pieces, i % pieces * 32 + bit, access_.element_bits, access_.bytes);
        const TermId part = terms_.slice(loaded[from.lane * pieces + from.first / 32].dword, from.first % 32, unit);
        dword = dword ? terms_.join(part, *dword) : part;
      }
      loaded_[i].dword = *dword;
    }
  }

  // ---- loads to LDS ----

  [[nodiscard]] u64 lds_address(u32 lane, u32 number) const {
    return core::LaneAddresses(wave_, file_, instruction_, scalar_).lds_piece(lane, number).address;
  }
  void find_places_in_lds(const std::vector<Lane>& lanes) {
    for (const Lane& lane : lanes) {
      for (u32 number = 0; number < lane.places[0].size(); ++number) {
        if (!is_in_lds(lds_address(lane.number, number))) missing_ = terms_.bit_or(missing_, is_on(lane.number));
      }
    }
  }
  [[nodiscard]] bool is_in_lds(u64 address) const { return state_.start().memory->is_writable(address, 4); }
  void store_to_lds() {
    for (const auto& [address, lane, dword] : to_lds_) {
      if (!is_in_lds(address)) continue;
      const TermId on = is_on(lane);
      const TermId old = terms_.is_constant(on, 1) ? dword : state_.read_bytes(address, 4);
      state_.write_bytes(address, terms_.select(on, dword, old));
    }
  }

  /// Not before all have been loaded: the address may be in the registers that are loaded.
  void write(u32 vector, u32 lane, TermId dword) {
    const TermId on = is_on(lane);
    const TermId result = terms_.is_constant(on, 1) ? dword : terms_.select(on, dword, state_.lane(vector, lane));
    loaded_.push_back({vector, lane, result});
  }

  void store(const Lane& lane) {
    const TermId on = is_on(lane.number);
    for (u64 choice = 0; choice < lane.address->count(); ++choice) {
      if (!lane.address->is_possible(choice)) continue;
      const Pieces& pieces = lane.places[static_cast<std::size_t>(choice)];
      const TermId goes_there = terms_.bit_and(on, lane.address->condition(terms_, choice));
      for (u32 number = 0; number < pieces.size(); ++number) {
        const core::LanePiece& piece = pieces[number];
        if (!piece.is_there) continue;
        const TermId dword = state_.lane(data_register(number, static_cast<u32>(pieces.size())), lane.number);
        const TermId data = terms_.slice(dword, access_.is_high_half ? 16 : 0, 8 * u32{piece.bytes});
        const TermId is_written = terms_.bit_and(goes_there, is_within_m0(piece));
        const TermId old = terms_.is_constant(is_written, 1) ? data : state_.read_bytes(piece.address, piece.bytes);
        state_.write_bytes(piece.address, terms_.select(is_written, data, old));
      }
    }
  }

  bool fail(const char* why) {
    why_ = why;
    return false;
  }

  struct Loaded {
    u32 vector;
    u32 lane;
    TermId dword;
  };
  struct ToLds {
    u64 address;
    u32 lane;
    TermId dword;
  };
  Terms& terms_;
  SymbolicState& state_;
  core::Wave wave_;  ///< with what is known of the registers
  bool knows_flat_scratch_ = true;
  core::VectorFile file_{VectorRegisters()};
  const vector::Instruction& instruction_;
  const vector::MemoryOperands& operands_;
  const vector::InstructionInfo& row_;
  const vector::Access& access_;
  const TermId exec_ = state_.pair(code::exec);
  u64 scalar_ = 0;
  TermId m0_ = terms_.constant(32, 0);
  TermId missing_ = terms_.no();
  std::vector<Loaded> loaded_;
  std::vector<ToLds> to_lds_;
  const char* why_ = "";
};

}  // namespace

NextStep step_lane_memory(Terms& terms, SymbolicState& state, const core::Wave& wave,
                          const vector::Instruction& instruction, NextStep next) {
  return LaneMemory(terms, state, wave, instruction).run(std::move(next));
}

}  // namespace salu::proof
