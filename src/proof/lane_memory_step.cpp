#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "core/vector/lane_addresses.hpp"
#include "exec/memory_step.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/atomics.hpp"
#include "isa/vector/table.hpp"
#include "proof/explore.hpp"
#include "proof/few_values.hpp"
#include "proof/instruction_step.hpp"
#include "proof/semantics.hpp"

/// The domain of `LaneMemoryStep` for terms: loads and stores at addresses that depend on few bits of the inputs. The
/// machine's `LaneAddresses` locates the accesses for each possible value of an address.
namespace salu::proof {
namespace {

namespace vector = isa::vector;

/// Limit for the possible addresses of one lane; lower than `most_places`, because there are 64 lanes.
constexpr u64 most_places_of_lane = 256;

class LaneMemory {
 public:
  LaneMemory(Terms& terms, SymbolicState& state, const core::Wave& wave, const vector::Instruction& instruction)
      : making_(terms),
        terms_(terms),
        state_(state),
        wave_(wave),
        instruction_(instruction),
        operands_(instruction.memory),
        row_(vector::row(instruction.insn)),
        access_(row_.access) {}

  NextStep run(NextStep next) {
    if (access_.bytes == 0) return next;
    if (operands_.gds) return NextStep::give_up("an unsupported vector instruction");
    if (isa::traits_of(access_.atomic).is_float) return NextStep::give_up("an atomic on floats");
    if (access_.is_typed()) return NextStep::give_up("a typed access of a buffer");
    if (access_.element_bits != 0 && !terms_.is_constant(exec_, ~u64{0}))
      return NextStep::give_up("a transposing load with inactive lanes");
    if (access_.address == vector::SharedAddress::wave && !terms_.is_constant(exec_))
      return NextStep::give_up("a count of lanes that depends on the inputs");
    if (access_.moves_lanes()) return move_lanes(next);
    if (!know_scalars()) return NextStep::give_up("a base, descriptor or offset that depends on the inputs");
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if (!terms_.is_constant(is_on(lane), 0) && !find_places(lane)) return NextStep::give_up(why_);
    }
    Step::execute(*this);
    next.except = missing_;
    next.why = access_.is_atomic() ? "an atomic that may fault"
               : access_.is_store  ? "a store that may fault"
                                   : "a load that may fault";
    return next;
  }

  // ---- primitives of `LaneMemoryStep` ----

  using Dword = TermId;
  using Step = exec::LaneMemoryStep<LaneMemory>;

  [[nodiscard]] Generation generation() const { return wave_.generation; }
  [[nodiscard]] const vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const vector::Access& access() const { return access_; }
  [[nodiscard]] u32 pieces() const { return access_.is_double ? 2 * pieces_of_place() : pieces_of_place(); }
  [[nodiscard]] u32 pieces_of_place() const { return (access_.bytes + 3U) / 4; }
  [[nodiscard]] bool keeps_half() const { return !wave_.has_sramecc; }
  /// Visits the lanes that may be active.
  template <class Visit>
  bool for_lanes(const Visit& visit) const {
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if (!terms_.is_constant(is_on(lane), 0)) visit(lane);
    }
    return true;
  }

  [[nodiscard]] TermId zero() const { return terms_.constant(32, 0); }
  [[nodiscard]] TermId slice(TermId dword, u32 first, u32 bits) const { return terms_.slice(dword, first, bits); }
  [[nodiscard]] TermId join(TermId high, TermId low, u32 /*low_bits*/) const { return terms_.join(high, low); }
  [[nodiscard]] TermId with_half(TermId old, TermId half, u32 shift) const {
    const TermId low = slice(half, 0, 16);
    return shift != 0 ? terms_.join(low, slice(old, 0, 16)) : terms_.join(slice(old, 16, 16), low);
  }
  [[nodiscard]] TermId extended(TermId piece) const {
    return access_.is_signed ? terms_.sign_extend(piece, 32) : terms_.zero_extend(piece, 32);
  }

  [[nodiscard]] TermId data(u32 number, u32 lane) const { return state_.lane(number, lane); }
  void write(u32 number, const Step::Lanes& values) {
    for_lanes([&](u32 lane) {
      const TermId on = is_on(lane);
      const TermId value = values[lane];
      state_.write_lane(number, lane,
                        terms_.is_constant(on, 1) ? value : terms_.select(on, value, state_.lane(number, lane)));
    });
  }
  static bool move_rows() { return false; }
  template <class Values>
  static bool modify_directly(const Values& /*results*/) {
    return false;
  }
  static bool load_row(u32 /*number*/, const Step::Lanes& /*values*/) { return false; }
  bool load_piece(u32 lane, u32 number, TermId& value) {
    const TermId nothing = terms_.constant(8 * std::min<u32>(access_.bytes, 4), 0);
    value = lanes_[lane].address->choose(terms_, [&](u64 choice) {
      const core::LanePiece& piece = lanes_[lane].places[static_cast<std::size_t>(choice)][number];
      if (!piece.is_there) return nothing;
      return terms_.select(is_within_m0(piece), state_.read_bytes(piece.address, piece.bytes), nothing);
    });
    return true;
  }
  bool may_store_to_lds() {
    for_lanes([&](u32 lane) {
      for (u32 number = 0; number < pieces(); ++number) {
        if (!is_in_lds(lds_address(lane, number))) missing_ = terms_.bit_or(missing_, is_on(lane));
      }
    });
    return true;
  }
  void store_to_lds(u32 lane, u32 number, TermId dword) {
    const u64 address = lds_address(lane, number);
    if (is_in_lds(address)) write_memory(address, 4, is_on(lane), dword);
  }
  /// `run` refuses typed accesses.
  static Step::Pieces registers_of_element(u32 /*lane*/, const Step::Pieces& element) { return element; }
  static Step::Pieces element_of_registers(const Step::Pieces& registers) { return registers; }
  static bool may_store() { return true; }
  void store_piece(u32 lane, u32 number, TermId value) {
    const FewValues& address = *lanes_[lane].address;
    for (u64 choice = 0; choice < address.count(); ++choice) {
      if (!address.is_possible(choice)) continue;
      const core::LanePiece& piece = lanes_[lane].places[static_cast<std::size_t>(choice)][number];
      if (!piece.is_there) continue;
      const TermId goes_there = terms_.bit_and(is_on(lane), address.condition(terms_, choice));
      const TermId data = terms_.slice(value, 0, 8 * u32{piece.bytes});
      write_memory(piece.address, piece.bytes, terms_.bit_and(goes_there, is_within_m0(piece)), data);
    }
  }
  /// Replaces the old dwords of a place by the new ones.
  void modify_place(u32 lane, u32 first, Step::Pieces& pieces) {
    if (pieces_of_place() == 1) {
      pieces[first] = modified<text::u32>(lane, first, pieces[first]);
      return;
    }
    const TermId result = modified<text::u64>(lane, first, terms_.join(pieces[first + 1], pieces[first]));
    pieces[first] = terms_.slice(result, 0, 32);
    pieces[first + 1] = terms_.slice(result, 32, 32);
  }
  /// The index with which a lane selects another one: a constant.
  [[nodiscard]] u32 index(u32 lane) const {
    return static_cast<u32>(terms_.value(state_.lane(operands_.address, lane)));
  }
  [[nodiscard]] TermId if_active(u32 lane, TermId value, TermId otherwise) const {
    return terms_.select(is_on(lane), value, otherwise);
  }

 private:
  /// The possible addresses of a lane, and the pieces for each of them. An inactive lane has no address.
  struct Lane {
    std::optional<FewValues> address;
    std::vector<std::vector<core::LanePiece>> places;  ///< indexed by choice
  };
  NextStep move_lanes(NextStep next) {
    bool is_known = true;
    if (access_.takes_data()) {
      for_lanes([&](u32 lane) { is_known = is_known && terms_.is_constant(state_.lane(operands_.address, lane)); });
    }
    if (!is_known) return NextStep::give_up("a permutation of lanes that depends on the inputs");
    Step::execute(*this);
    return next;
  }

  // ---- atomics ----

  /// One or two registers of a lane.
  [[nodiscard]] TermId operand(u32 number, u32 lane) const {
    const TermId low = state_.lane(number, lane);
    return pieces_of_place() == 1 ? low : terms_.join(state_.lane(number + 1, lane), low);
  }
  template <class T>
  [[nodiscard]] TermId modified(u32 lane, u32 first, TermId old) {
    const u32 bits = 32 * pieces_of_place();
    const bool counts = access_.address == vector::SharedAddress::wave;
    const TermId data = counts ? terms_.constant(bits, static_cast<u64>(std::popcount(terms_.value(exec_))))
                               : operand(Step::data_register(*this, first), lane);
    const TermId second = access_.has_second_operand() ? operand(Step::second_operand_register(*this, 0), lane)
                                                       : terms_.constant(bits, 0);
    return explore(
               making_,
               [&] { return text::semantics::atomic_result(access_.atomic, T::of(old), T::of(data), T::of(second)); })
        .as_term();
  }

  /// A term of 1 bit that is true if a lane is active.
  [[nodiscard]] TermId is_on(u32 lane) const { return terms_.slice(exec_, lane, 1); }

  // ---- addresses ----

  /// Copies the scalar parts of addresses to `wave_`. Returns false if one of them depends on the inputs.
  bool know_scalars() {
    const u32 dwords = core::scalar_dwords(instruction_);
    if (dwords != 0) {
      const TermId scalar = read_operand(terms_, state_, wave_, operands_.scalar, dwords, 0);
      if (!terms_.is_constant(scalar)) return false;
      scalar_ = terms_.value(scalar);
    }
    if (row_.is_buffer()) {
      const u32 first = wave_.is_beyond_allocation(operands_.descriptor, 4) ? 0 : operands_.descriptor;
      if (!know(first, 4)) return false;
    }
    const bool is_at_m0 = operands_.lds || access_.address != vector::SharedAddress::vgpr;
    if (is_at_m0 && !know(code::m0, 1)) return false;
    if (!is_at_m0) know_m0();
    const bool is_scratch = row_.format == vector::Format::scratch;
    if (is_scratch || row_.format == vector::Format::flat)
      knows_flat_scratch_ = know(generation_info(wave_.generation).flat_scratch, 2);
    // FLAT uses FLAT_SCRATCH only for private memory.
    return knows_flat_scratch_ || !is_scratch;
  }
  /// Reads the limit of LDS from M0. It may be any term: loads and stores are conditional on it.
  void know_m0() {
    if (!vector::semantics::m0_limits_lds(wave_.generation)) return;
    m0_ = state_.read(code::m0);
    wave_.slots[code::m0] = ~0U;
  }
  /// A term that is true if M0 is large enough for hardware to access a piece.
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
  bool find_places(u32 lane_number) {
    Lane& lane = lanes_[lane_number];
    const u32 registers = core::address_registers(instruction_);
    TermId address = terms_.constant(64, 0);
    if (registers != 0) address = terms_.zero_extend(state_.lane(operands_.address, lane_number), 64);
    if (registers == 2)
      address =
          terms_.join(state_.lane(operands_.address + 1U, lane_number), state_.lane(operands_.address, lane_number));
    lane.address = FewValues::of(terms_, address, state_.path, most_places_of_lane);
    if (!lane.address) return fail("an address that depends on the inputs");
    for (u64 choice = 0; choice < lane.address->count(); ++choice) {
      if (registers != 0) set_address(lane_number, lane.address->value(terms_, choice), registers);
      const core::LaneAddresses addresses(wave_, file_, instruction_, scalar_);
      lane.places.emplace_back();
      const bool is_possible = lane.address->is_possible(choice);
      TermId faults = terms_.no();
      for (u32 number = 0; number < addresses.pieces(); ++number) {
        core::LanePiece piece = addresses.piece(lane_number, number);
        if (piece.is_private && !knows_flat_scratch_)
          return fail("private memory at an address that depends on the inputs");
        if (!piece.is_there || !is_possible) {
          lane.places.back().push_back(piece);
          continue;
        }
        if (piece.is_parted) return fail("an access that swizzling splits");
        const Memory& memory = *state_.start().memory;
        piece.is_there = access_.writes_memory() ? memory.is_writable(piece.address, piece.bytes)
                                                 : memory.is_mapped(piece.address, piece.bytes);
        if (!piece.is_there) faults = terms_.bit_or(faults, is_within_m0(piece));
        if (access_.writes_memory() && holds_code(piece)) return fail("a store to code");
        lane.places.back().push_back(piece);
      }
      const TermId goes_there = terms_.bit_and(is_on(lane_number), lane.address->condition(terms_, choice));
      missing_ = terms_.bit_or(missing_, terms_.bit_and(goes_there, faults));
    }
    return true;
  }
  /// True if a piece overlaps code; the piece may begin before the code or end after it.
  [[nodiscard]] bool holds_code(const core::LanePiece& piece) const {
    const Program& program = *state_.start().program;
    return program.find_block(piece.address) != nullptr ||
           program.find_block(piece.address + piece.bytes - 1) != nullptr;
  }
  void set_address(u32 lane, u64 value, u32 registers) {
    file_.own_lanes(operands_.address)[lane] = static_cast<u32>(value);
    if (registers == 2) file_.own_lanes(operands_.address + 1U)[lane] = static_cast<u32>(value >> 32);
  }

  [[nodiscard]] u64 lds_address(u32 lane, u32 number) const {
    return core::LaneAddresses(wave_, file_, instruction_, scalar_).lds_piece(lane, number).address;
  }
  [[nodiscard]] bool is_in_lds(u64 address) const { return state_.start().memory->is_writable(address, 4); }
  void write_memory(u64 address, u32 bytes, TermId is_written, TermId data) {
    const TermId old = terms_.is_constant(is_written, 1) ? data : state_.read_bytes(address, bytes);
    state_.write_bytes(address, terms_.select(is_written, data, old));
  }

  bool fail(const char* why) {
    why_ = why;
    return false;
  }

  Making making_;
  Terms& terms_;
  SymbolicState& state_;
  core::Wave wave_;  ///< contains the known scalar registers
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
  std::array<Lane, state_index::lanes> lanes_;
  const char* why_ = "";
};

}  // namespace

NextStep step_lane_memory(Terms& terms, SymbolicState& state, const core::Wave& wave,
                          const vector::Instruction& instruction, NextStep next) {
  return LaneMemory(terms, state, wave, instruction).run(std::move(next));
}

}  // namespace salu::proof
