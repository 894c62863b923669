#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "core/vector/lane_addresses.hpp"
#include "core/vector/lane_registers.hpp"
#include "exec/memory_step.hpp"
#include "isa/hwreg.hpp"
#include "isa/semantics/atomics.hpp"
#include "isa/vector/selection.hpp"
#include "isa/vector/semantics/float_atomics.hpp"
#include "isa/vector/semantics/move.hpp"
#include "isa/vector/table.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/lane_words.hpp"
#include "observe/undefined/semantics.hpp"
#include "observe/undefined/shadow_step.hpp"

/// Propagates undefined bits through vector instructions, lane by lane. Instructions that copy values also copy the
/// masks. Integer instructions are computed over words with undefined bits. The result of a floating-point instruction
/// is completely undefined if any bit of the lane's operands is undefined.
namespace salu::observe::undefined {
namespace {

namespace vector = isa::vector;
using vector::LaneWork;

constexpr u32 lane_count = state_index::lanes;
constexpr u32 most_pieces = 4;  ///< limit for the dwords of a lane's access

class Lanes {
 public:
  Lanes(ShadowStep& step, const vector::Instruction& instruction, const Accesses& accesses)
      : step_(step),
        instruction_(instruction),
        row_(vector::row(instruction.insn)),
        accesses_(accesses),
        file_(step.machine().vectors()),
        exec_(step.wave().pair(code::exec)) {
    if (!is_dpp()) return;
    dpp_lanes_ = vector::select_lanes(instruction.dpp, exec_);
    exec_ = dpp_lanes_.written;
  }

  void run() {
    if (row_.work == LaneWork::no_effect) return;
    check_mode();
    row_.selects_lane() ? check_lane_number() : check_exec();
    if (row_.work == LaneWork::read_lane) return to_scalar(chosen_lane());
    if (row_.work == LaneWork::read_first_lane)
      return to_scalar(exec_ == 0 ? 0 : static_cast<u32>(std::countr_zero(exec_)));
    if (row_.work == LaneWork::write_lane) return to_lane(chosen_lane());
    if (row_.work == LaneWork::exchange) return exchange();
    if (row_.copies && !vector::is_extended(instruction_.form)) return copy();
    compute();
  }

 protected:
  [[nodiscard]] bool is_dpp() const { return instruction_.form == vector::Form::dpp; }

  // ---- uses that must not depend on undefined bits ----

  void check_exec() { step_.report({code::exec, 2}, step_.shadow().scalars(code::exec, 2), {"which lanes are on"}); }
  void check_mode() {
    Mask mode = step_.shadow().scalar(state_index::mode);
    mode.bits &= 1U << mode_bit::vskip | (is_gcn1_2_or_later(step_.generation()) ? 1U << mode_bit::gpr_idx_en : 0);
    step_.report({state_index::mode}, mode, {"what the vector instruction does"});
    const bool is_relative = row_.work == LaneWork::relative;
    if (!is_relative && (!step_.wave().gpr_idx_on() || row_.is_memory())) return;
    Mask m0 = step_.shadow().scalar(code::m0);
    if (!is_relative) {
      // GPR index mode reads M0[15:12], which select the moved operands, and M0[7:0], the distance, if any of the
      // former may be set.
      constexpr u32 operand_bits = 0xf000;
      constexpr u32 distance_bits = 0xff;
      const u64 can_be_one = step_.wave().slots[code::m0] | m0.bits;
      m0.bits &= (can_be_one & operand_bits) != 0 ? operand_bits | distance_bits : operand_bits;
    }
    step_.report({code::m0}, m0, {"which register M0 selects", Use::Kind::address});
  }
  void check_lane_number() {
    Mask number = step_.source(static_cast<u8>(instruction_.sources[1].code), 1);
    number.bits &= lane_count - 1;
    step_.report({register_index(step_.generation(), instruction_.sources[1].code)}, number,
                 {"the number of the lane", Use::Kind::address});
  }

  // ---- between lanes and scalar registers ----

  [[nodiscard]] u32 chosen_lane() const {
    return static_cast<u32>(step_.wave().source(static_cast<u8>(instruction_.sources[1].code), 1, 0)) &
           (lane_count - 1);
  }
  void to_scalar(u32 lane) {
    const Mask mask = accesses_.vectors_read.empty()
                          ? step_.source(static_cast<u8>(instruction_.sources[0].code), 1)
                          : step_.shadow().lanes(file_, accesses_.vectors_read.front().number)[lane];
    step_.write(instruction_.destination, 1, mask);
  }
  void to_lane(u32 lane) {
    const Mask mask = step_.source(static_cast<u8>(instruction_.sources[0].code), 1);
    for (const Accesses::Lanes& written : accesses_.vectors_written) set(written.number, lane, mask);
  }
  void set(u32 number, u32 lane, const Mask& mask) {
    const bool was_undefined = (step_.shadow().undefined_lanes(file_, number) >> lane & 1) != 0;
    if (mask.bits == 0 && !was_undefined) return;
    step_.shadow().own_lanes(file_, number).set(lane, step_.made_here(mask));
  }
  /// Replaces the origins of lanes by origins that this instruction derives from them. Usually, all lanes have the same
  /// origin.
  void make_here(u64 lanes, std::array<OriginId, lane_count>& origins) {
    if (lanes == ~u64{0}) {
      OriginId differ = 0;
      for (const OriginId origin : origins) differ |= origin ^ origins[0];
      if (differ == 0) return origins.fill(origins[0] == 0 ? 0 : step_.made_here(origins[0]));
    }
    OriginId last = 0;
    OriginId last_made = 0;
    for_lanes(lanes, [&](u32 lane) {
      if (origins[lane] != last) {
        last = origins[lane];
        last_made = last == 0 ? 0 : step_.made_here(last);
      }
      origins[lane] = last_made;
    });
  }
  /// Sets the masks of lanes of a register, with origins that this instruction has already derived; the other lanes of
  /// `written` become defined. `common`: the origin of all 64 lanes, instead of `origins`; 0: unused.
  void write_lanes(const Accesses::Lanes& written, u64 lanes, const std::array<u32, lane_count>& masks,
                   const std::array<OriginId, lane_count>& origins, OriginId common = 0) {
    // For all lanes, writing is as fast as this test.
    u32 undefined = u32{lanes == ~u64{0}};
    if (undefined == 0) for_lanes(lanes, [&](u32 lane) { undefined |= masks[lane]; });
    if (undefined == 0) return step_.shadow().define_lanes(written.number, written.lanes);
    ShadowRow& to = step_.shadow().own_lanes(file_, written.number);
    to.define(written.lanes & ~lanes);
    to.copy(lanes, masks, origins, common);
  }

  // ---- lane by lane ----

  /// Copies the masks of active lanes from another row.
  void copy_row(const ShadowRow& from, ShadowRow& to) {
    const u64 lanes = from.undefined & exec_;
    to.define(exec_ & ~lanes);
    if (lanes == ~u64{0} && from.common != 0)
      return to.copy(lanes, from.masks, from.origins, step_.made_here(from.common));
    std::array<OriginId, lane_count> origins = from.origins;
    make_here(lanes, origins);
    to.copy(lanes, from.masks, origins, 0);
  }
  void copy_row(const ShadowRow& from, u32 number) {
    if ((from.undefined & exec_) == 0) return step_.shadow().define_lanes(number, exec_);
    copy_row(from, step_.shadow().own_lanes(file_, number));
  }
  void copy() {
    const std::size_t count = accesses_.vectors_written.size();
    // A swap with a register that does not exist only writes the other register.
    const bool is_swap = row_.work == LaneWork::swap && count == 2;
    if (count == 1 && !accesses_.vectors_read.empty()) {
      const ShadowRow& only = step_.shadow().lanes(file_, accesses_.vectors_read.front().number);
      return copy_row(only, accesses_.vectors_written.front().number);
    }
    std::vector<ShadowRow> from;
    for (std::size_t i = 0; i < count; ++i) {
      // The registers written by V_SWAP are its destination and its source; its list of registers read contains only
      // the source.
      if (is_swap)
        from.push_back(step_.shadow().lanes(file_, accesses_.vectors_written[count - 1 - i].number));
      else if (accesses_.vectors_read.empty())
        from.push_back(scalar_source(static_cast<u32>(i), count));
      else
        from.push_back(i < accesses_.vectors_read.size() ? step_.shadow().lanes(file_, accesses_.vectors_read[i].number)
                                                         : ShadowRow{});
    }
    for (std::size_t i = 0; i < count; ++i) {
      const u64 lanes = from[i].undefined & exec_;
      make_here(lanes, from[i].origins);
      write_lanes(accesses_.vectors_written[i], lanes, from[i].masks, from[i].origins);
    }
  }
  void exchange() {
    const vector::Exchange exchange{row_.exchange_distance};
    const vector::semantics::ExchangedLanes lanes =
        vector::semantics::exchanged_lanes(exchange, exec_, instruction_.op_sel);
    u32 source = core::source_register(step_.wave(), instruction_, 0, 1);
    const u32 destination = core::destination_register(step_.wave(), instruction_, 1);
    const bool writes_source = source < VectorRegisters::count;
    if (!writes_source) source = 0;
    const ShadowRow from_source = step_.shadow().lanes(file_, source);
    const ShadowRow from_destination = step_.shadow().lanes(file_, destination % VectorRegisters::count);
    const auto write = [&](u32 number, u64 written, const ShadowRow& from) {
      for_lanes(written, [&](u32 lane) {
        const bool is_zero = (lanes.zeroed >> lane & 1) != 0;
        set(number, lane, is_zero ? Mask{} : from[lane ^ exchange.distance]);
      });
    };
    if (destination < VectorRegisters::count) write(destination, lanes.to_destination, from_source);
    if (writes_source) write(source, lanes.to_source, from_destination);
  }
  [[nodiscard]] ShadowRow scalar_source(u32 i, std::size_t dwords) {
    const Mask mask = step_.source(static_cast<u8>(instruction_.sources[0].code), static_cast<u32>(dwords));
    ShadowRow lanes;
    lanes.masks.fill(static_cast<u32>(mask.bits >> (32 * i)));
    lanes.origins.fill(mask.origin);
    lanes.undefined = lanes.masks[0] != 0 ? ~u64{0} : 0;
    return lanes;
  }

  /// Computes the undefined bits of the results of all lanes.
  void compute() {
    Mask everywhere;
    for (std::size_t i = 0; i < row_.shape.source_count(); ++i) {
      const vector::Source& source = instruction_.sources[i];
      const vector::Operand& operand = row_.shape.sources[i];
      if (operand.kind == vector::OperandKind::agpr || operand.kind == vector::OperandKind::constant) continue;
      if (source.is_vgpr()) continue;
      Mask mask = step_.source(static_cast<u8>(source.code), operand.dwords());
      mask.bits &= bits_of_source(i);
      everywhere.add(mask);
    }
    const Mask selects = row_.shape.reads_mask ? step_.source(instruction_.mask_source, 2) : Mask{};
    u64 undefined = everywhere.bits != 0 ? ~u64{0} : selects.bits;
    for (const Accesses::Lanes& read : accesses_.vectors_read) {
      const u64 lanes = step_.shadow().undefined_lanes(file_, read.number);
      // The lanes move.
      undefined |= is_dpp() && (lanes & read.lanes) != 0 ? ~u64{0} : lanes;
    }
    // A preserved part of the destination may be undefined.
    const bool keeps = instruction_.form == vector::Form::sdwa || row_.shape.destination.bits == 16;
    if (keeps) {
      for (const Accesses::Lanes& written : accesses_.vectors_written)
        undefined |= step_.shadow().undefined_lanes(file_, written.number);
    }
    undefined &= exec_;
    if (undefined == 0) {
      for (const Accesses::Lanes& written : accesses_.vectors_written)
        step_.shadow().define_lanes(written.number, written.lanes);
      return write_scalars({});
    }
    LaneResults results;
    if (!compute_lanes(step_, instruction_, undefined, results))
      forget_results(everywhere, selects, undefined, results);
    if (!accesses_.vectors_written.empty()) place(undefined, results);
    write_results(undefined, results);
  }
  /// The bits of a source that the instruction reads: with SDWA the selected part, of 16-bit floats the selected half.
  [[nodiscard]] u64 bits_of_source(std::size_t i) const {
    const vector::Source& source = instruction_.sources[i];
    if (instruction_.form == vector::Form::sdwa) return vector::mask_of(vector::part_of(source.select));
    const bool is_mixed = (row_.modifiers & vector::modifier::mixed) != 0;
    const bool is_half = is_mixed ? vector::is_mixed_half(instruction_, i) : row_.shape.sources[i].bits == 16;
    if (!is_half) return ~u64{0};
    return vector::selects_high(instruction_, i) ? 0xffff'0000 : 0xffff;
  }
  /// The bits of a vector register that the sources of an instruction read.
  [[nodiscard]] u32 bits_read(u32 number) const {
    u32 bits = 0;
    for (std::size_t i = 0; i < row_.shape.source_count(); ++i) {
      const vector::Source& source = instruction_.sources[i];
      const u32 dwords = row_.shape.sources[i].dwords();
      if (!source.is_vgpr()) continue;
      const u32 first = core::source_register(step_.wave(), instruction_, i, dwords);
      if (first <= number && number < first + dwords) bits |= static_cast<u32>(bits_of_source(i));
    }
    return bits == 0 || row_.shape.accumulates ? ~u32{0} : bits;
  }
  /// The undefined bits of the sources of one half of a packed result, in a lane.
  [[nodiscard]] Mask sources_of_half(u32 lane, bool upper) const {
    Mask mask;
    const u32 width = row_.float_bits(row_.shape.destination);
    for (std::size_t i = 0; i < row_.shape.source_count(); ++i) {
      const vector::Source& source = instruction_.sources[i];
      const u32 dwords = row_.shape.sources[i].dwords();
      Mask whole;
      if (source.is_vgpr()) {
        const u32 first = core::source_register(step_.wave(), instruction_, i, dwords);
        for (u32 number = 0; number < dwords && first + number < VectorRegisters::count; ++number)
          whole.add(step_.shadow().lanes(file_, first + number)[lane], 32 * number);
      } else {
        whole = step_.source(static_cast<u8>(source.code), dwords);
      }
      const u32 shift = vector::selects_high(instruction_, i, upper) ? width : 0;
      whole.bits = whole.bits >> shift & low_bits(width);
      if (whole.bits != 0) mask.add(whole);
    }
    return mask;
  }
  /// Sets the results of a packed floating-point instruction: a half is undefined if any bit of its sources is.
  void forget_halves(u64 lanes, LaneResults& results) {
    const u32 width = row_.float_bits(row_.shape.destination);
    results.width = 2 * width;
    for_lanes(lanes, [&](u32 lane) {
      const Mask low = sources_of_half(lane, false);
      const Mask high = sources_of_half(lane, true);
      const u64 all = low_bits(width);
      results.set_value(lane, (low.bits != 0 ? all : 0) | (high.bits != 0 ? all << width : 0));
      results.origins[lane] = low.bits != 0 ? low.origin : high.origin;
    });
  }
  /// The lane of a register that a lane reads. With DPP, the first registers of `vectors_read` are those of the first
  /// source.
  [[nodiscard]] std::optional<u32> lane_read(std::size_t index, u32 lane) const {
    const bool is_moved = is_dpp() && dpp_lanes_.read() != 0 && index < row_.shape.sources[0].dwords();
    if (!is_moved) return lane;
    return (dpp_lanes_.moved >> lane & 1) != 0 ? std::optional<u32>(dpp_lanes_.source[lane]) : std::nullopt;
  }
  /// Sets the results of a floating-point instruction: a result is completely undefined if any bit of the lane's
  /// operands is undefined.
  void forget_results(const Mask& everywhere, const Mask& selects, u64 lanes, LaneResults& results) {
    u64 found = 0;
    if ((row_.modifiers & vector::modifier::packed) != 0) {
      forget_halves(lanes, results);
    } else {
      forget_lanes(everywhere, selects, lanes, results);
    }
    for_lanes(lanes, [&](u32 lane) { found |= u64{results.value(lane) != 0} << lane; });
    found |= results.mask;
    if (found != 0 && step_.follows_undefined())
      forget_exceptions(results.origins[static_cast<std::size_t>(std::countr_zero(found))]);
  }
  void forget_lanes(const Mask& everywhere, const Mask& selects, u64 lanes, LaneResults& results) {
    results.width = row_.shape.destination.bits;
    for_lanes(lanes, [&](u32 lane) {
      Mask mask = everywhere;
      if ((selects.bits >> lane & 1) != 0) mask.add({1, selects.origin});
      for (std::size_t i = 0; i < accesses_.vectors_read.size(); ++i) {
        const u32 number = accesses_.vectors_read[i].number;
        const std::optional<u32> from = lane_read(i, lane);
        Mask source = from ? step_.shadow().lanes(file_, number)[*from] : Mask{};
        source.bits &= bits_read(number);
        if (source.bits != 0) mask.add(source);
      }
      if (mask.bits != 0) results.mask |= u64{1} << lane;
      results.set_value(lane, mask.bits != 0 ? ~u64{0} : 0);
      results.origins[lane] = mask.bits != 0 ? mask.origin : 0;
    });
  }
  /// Undefined floats may raise any exception that has not been raised before.
  void forget_exceptions(OriginId origin) {
    constexpr u32 of_floats = 0x7f;
    constexpr u32 trapsts = state_index::hwregs + isa::hwreg_id::trapsts;
    const core::Wave& wave = step_.wave();
    const Mask raised{of_floats & ~wave.hwregs[isa::hwreg_id::trapsts], origin};
    Mask sticky = step_.shadow().scalar(trapsts);
    sticky.add(raised);
    step_.shadow().set_scalar(trapsts, step_.made_here(sticky));
    const u32 enabled = wave.takes_traps() ? wave.mode >> mode_bit::excp_en & of_floats : 0;
    step_.report({trapsts}, {raised.bits & enabled, origin}, {"whether an exception leads to the trap handler"});
  }
  /// Converts results to the contents of the destination register, of which a part may be preserved.
  void place(u64 lanes, LaneResults& results) {
    const vector::ResultHalf half = vector::result_half(instruction_, row_.modifiers);
    const bool keeps = results.width == 16 && half != vector::ResultHalf::low_and_zero;
    const bool is_whole = instruction_.destination_select == vector::Select::dword;
    const bool is_part = results.width != 64 && (keeps || !is_whole);
    if (!is_part && results.width != 16) return;
    const ShadowRow& old = step_.shadow().lanes(file_, accesses_.vectors_written.front().number);
    results.spell_out();
    for_lanes(lanes, [&](u32 lane) {
      if (results.width == 16) results.dwords[0][lane] &= 0xffff;
      if (!is_part) return;
      const u32 before = old.masks[lane];
      u32 bits = results.dwords[0][lane];
      if (keeps) bits = vector::place_half(half, bits, before);
      results.dwords[0][lane] = vector::place(instruction_, bits, before);
      if (results.origins[lane] == 0) results.origins[lane] = old.origins[lane];
    });
  }
  void write_results(u64 lanes, LaneResults& results) {
    if (lanes != ~u64{0}) results.spell_out();
    if (results.common != 0)
      results.common = step_.made_here(results.common);
    else
      make_here(lanes, results.origins);
    for (std::size_t i = 0; i < accesses_.vectors_written.size(); ++i)
      write_lanes(accesses_.vectors_written[i], lanes, results.dwords[i], results.origins, results.common);
    if (results.mask == 0) return write_scalars({});
    write_scalars({results.mask, results.origin_of(static_cast<u32>(std::countr_zero(results.mask)))});
  }
  /// Sets the undefined bits of the destination mask. V_CMPX also writes EXEC.
  void write_scalars(const Mask& undefined) {
    if (row_.shape.writes_mask) step_.write(instruction_.mask_destination, 2, undefined);
    if (row_.shape.writes_exec) step_.write(code::exec, 2, undefined);
  }

  ShadowStep& step_;
  const vector::Instruction& instruction_;
  const vector::InstructionInfo& row_;
  const Accesses& accesses_;
  const core::VectorFile* file_;
  u64 exec_;                      ///< with DPP only the lanes that are written
  vector::DppLanes dpp_lanes_{};  ///< with DPP
};

/// The shadow's domain of `LaneMemoryStep`.
class LaneMemory : Lanes {
 public:
  LaneMemory(ShadowStep& step, const vector::Instruction& instruction, const Accesses& accesses)
      : Lanes(step, instruction, accesses), addresses_(step.wave(), existing_file(), instruction, scalar_address()) {}

  void run() {
    check_mode();
    if (row_.access.bytes == 0) return;
    check_exec();
    check_scalar_address();
    check_address_lanes();
    check_lds_limit();
    if (!step_.follows_undefined() && vector::depends_on_order(instruction_) && addresses_.find_shared_place(exec_))
      unspecified_ = step_.unspecified({state_index::vgprs + instruction_.memory.result * lane_count, lane_count});
    Step::execute(*this);
  }

  // ---- primitives of `LaneMemoryStep` ----

  using Dword = Mask;
  using Step = exec::LaneMemoryStep<LaneMemory>;

  [[nodiscard]] Generation generation() const { return step_.generation(); }
  [[nodiscard]] const vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const vector::Access& access() const { return row_.access; }
  [[nodiscard]] u32 pieces() const { return addresses_.pieces(); }
  [[nodiscard]] u32 pieces_of_place() const { return addresses_.pieces_of_place(); }
  [[nodiscard]] bool keeps_half() const { return addresses_.keeps_half(); }
  template <class Visit>
  bool for_lanes(const Visit& visit) const {
    undefined::for_lanes(exec_, visit);
    return true;
  }

  static Mask zero() { return {}; }
  static Mask slice(const Mask& dword, u32 first, u32 bits) {
    return {dword.bits >> first & low_bits(bits), dword.origin};
  }
  static Mask join(const Mask& high, Mask low, u32 low_bits) {
    low.add(high, low_bits);
    return low;
  }
  static Mask with_half(Mask old, const Mask& half, u32 shift) {
    old.bits &= ~(u64{0xffff} << shift);
    old.add({half.bits & 0xffff, half.origin}, shift);
    if (half.bits != 0) old.origin = half.origin;
    return old;
  }
  [[nodiscard]] Mask extended(Mask piece) const {
    const u32 bits = 8U * access().bytes;
    if (access().is_signed && piece.bits >> (bits - 1) != 0) piece.bits |= ~u32{0} << bits;
    return piece;
  }

  [[nodiscard]] Mask data(u32 number, u32 lane) const { return step_.shadow().lanes(file_, number)[lane]; }
  void write(u32 number, const Step::Lanes& values) {
    if (number >= VectorRegisters::count) return;
    undefined::for_lanes(exec_, [&](u32 lane) { set(number, lane, values[lane]); });
  }
  template <class Values>
  static bool modify_directly(const Values& /*results*/) {
    return false;
  }
  /// Processes all lanes at once if their dwords are contiguous; otherwise returns false. Rows do not overlap.
  bool move_rows() {
    if (instruction_.memory.lds || instruction_.memory.tfe || access().element_bits != 0) return false;
    std::array<u64, most_pieces> rows{};
    for (u32 number = 0; number < pieces(); ++number) {
      const std::optional<u64> row = shadow_row(number);
      if (!row) return false;
      rows[number] = *row;
    }
    for (u32 number = 0; number < pieces(); ++number) {
      const u32 vector = Step::data_register(*this, number);
      if (access().is_store)
        store_row(rows[number], vector);
      else if (vector < VectorRegisters::count)
        load_row(rows[number], vector);
    }
    return true;
  }
  static bool load_row(u32 /*number*/, const Step::Lanes& /*values*/) { return false; }
  bool load_piece(u32 lane, u32 number, Mask& value) const {
    const core::LanePiece piece = addresses_.piece(lane, number);
    if (!piece.is_there) return true;
    if (unspecified_.bits != 0) {
      value = {0xffffffff, unspecified_.origin};
      return true;
    }
    return addresses_.for_parts(lane, number, piece, [&](const core::LanePiece& part, u32 first) {
      value.add(load(part.address, part.bytes), 8 * first);
      return true;
    });
  }
  /// A register with a component that depends on an undefined bit is undefined as a whole, and so are the others.
  [[nodiscard]] static Step::Pieces registers_of_element(u32 /*lane*/, const Step::Pieces& element) {
    return all_or_none(element);
  }
  [[nodiscard]] static Step::Pieces element_of_registers(const Step::Pieces& registers) {
    return all_or_none(registers);
  }
  static bool may_store_to_lds() { return true; }
  void store_to_lds(u32 lane, u32 number, const Mask& value) {
    store(addresses_.lds_piece(lane, number).address, 4, value);
  }
  static bool may_store() { return true; }
  void store_piece(u32 lane, u32 number, const Mask& data) {
    const core::LanePiece piece = addresses_.piece(lane, number);
    if (!piece.is_there) return;
    addresses_.for_parts(lane, number, piece, [&](const core::LanePiece& part, u32 first) {
      store(part.address, part.bytes, {data.bits >> (8 * first), data.origin});
      return true;
    });
  }
  void modify_place(u32 lane, u32 first, Step::Pieces& pieces) {
    if (pieces_of_place() == 1)
      modify<text::u32>(lane, first, pieces);
    else
      modify<text::u64>(lane, first, pieces);
  }
  [[nodiscard]] u32 index(u32 lane) const { return value_of(instruction_.memory.address, lane); }
  [[nodiscard]] Mask if_active(u32 lane, const Mask& value, const Mask& otherwise) const {
    return (exec_ >> lane & 1) != 0 ? value : otherwise;
  }

 private:
  static Step::Pieces all_or_none(const Step::Pieces& masks) {
    Mask any;
    for (const Mask& mask : masks) any.add(mask);
    if (any.bits != 0) any.bits = ~u32{0};
    Step::Pieces result;
    result.fill(any);
    return result;
  }
  /// A dword of an operand: its undefined bits, and its value.
  struct Operand {
    Mask mask;
    u32 value = 0;
  };
  using Operands = std::array<Operand, 2>;

  [[nodiscard]] u32 value_of(u32 number, u32 lane) const { return file_ == nullptr ? 0 : file_->lanes(number)[lane]; }
  [[nodiscard]] Operand operand_in(u32 number, u32 lane) const { return {data(number, lane), value_of(number, lane)}; }
  /// The value that a lane finds in memory: of an earlier lane, or of the machine, which has not executed the
  /// instruction yet. Atomics access whole dwords.
  [[nodiscard]] u32 value_in_memory(u32 lane, u32 number) const {
    const core::LanePiece piece = addresses_.piece(lane, number);
    if (!piece.is_there) return 0;
    for (const auto& [address, value] : modified_ | std::views::reverse) {
      if (address == piece.address) return value;
    }
    const Memory& memory = step_.machine().memory_now();
    return memory.is_mapped(piece.address, 4) ? memory.read_dword(piece.address) : 0;
  }
  template <class T>
  [[nodiscard]] static T word(const Operands& operands) {
    return T::of(operands[0].value | u64{operands[1].value} << 32, operands[0].mask.bits | operands[1].mask.bits << 32);
  }
  /// A float that depends on an undefined bit is undefined as a whole.
  template <class T>
  [[nodiscard]] T float_result(const T& old, const T& data, const T& second) const {
    const vector::FloatMode mode = vector::float_atomic_mode(access(), step_.wave().mode);
    using Plain = std::conditional_t<WordTraits<T>::bits == 64, u64, u32>;
    const Plain value =
        vector::float_atomic_result(access().atomic, static_cast<Plain>(old.value), static_cast<Plain>(data.value),
                                    static_cast<Plain>(second.value), mode);
    const bool is_defined = (old.undefined | data.undefined | second.undefined) == 0;
    return T::of(value, is_defined ? 0 : T::all);
  }
  /// Replaces the old masks of a place by those of the new value.
  template <class T>
  void modify(u32 lane, u32 first, Step::Pieces& pieces) {
    Operands old;
    Operands given;
    Operands second;
    Mask cause;
    for (u32 i = 0; i < pieces_of_place(); ++i) {
      old[i] = {pieces[first + i], value_in_memory(lane, first + i)};
      if (access().address == vector::SharedAddress::wave)
        given[i].value = static_cast<u32>(std::popcount(exec_));
      else
        given[i] = operand_in(Step::data_register(*this, first + i), lane);
      if (access().has_second_operand()) second[i] = operand_in(Step::second_operand_register(*this, i), lane);
      for (const Operands* operands : {&old, &given, &second}) cause.add((*operands)[i].mask);
    }
    const T result =
        isa::traits_of(access().atomic).is_float
            ? float_result(word<T>(old), word<T>(given), word<T>(second))
            : explore([&] {
                return text::semantics::atomic_result(access().atomic, word<T>(old), word<T>(given), word<T>(second));
              });
    for (u32 i = 0; i < pieces_of_place(); ++i) {
      pieces[first + i] = {result.undefined >> (32 * i) & 0xffffffff, cause.origin};
      const core::LanePiece piece = addresses_.piece(lane, first + i);
      if (piece.is_there) modified_.emplace_back(piece.address, static_cast<u32>(result.value >> (32 * i)));
    }
  }

  [[nodiscard]] const core::VectorFile& existing_file() {
    return file_ == nullptr ? no_file_.emplace(VectorRegisters()) : *file_;
  }
  [[nodiscard]] u64 scalar_address() const {
    const u32 dwords = core::scalar_dwords(instruction_);
    return dwords == 0 ? 0 : step_.wave().source(instruction_.memory.scalar, dwords, 0);
  }
  /// Reports undefined bits of the scalar part of an address. FLAT uses FLAT_SCRATCH only for private memory, and code
  /// without private memory does not initialise it.
  void check_scalar_address() {
    for (const Location& location : accesses_.reads) {
      if (location.is_memory() || location.index == code::exec || is_limit(location)) continue;
      const bool is_flat_scratch =
          row_.format == vector::Format::flat && location.index == generation_info(step_.generation()).flat_scratch;
      for (u32 i = 0; i < location.dwords; ++i) {
        Mask mask = step_.shadow().scalar(location.index + i);
        if (location.index == code::m0 && is_base_of_lds())
          mask.bits &= vector::semantics::lds_base_bits(step_.generation(), row_.format == vector::Format::mubuf);
        if (location.index == code::m0 && is_at_m0()) mask.bits &= vector::semantics::ds_base_bits;
        if (mask.bits == 0 || (is_flat_scratch && !reaches_private_memory())) continue;
        step_.report({location.index + i}, mask, {"the address", Use::Kind::address});
      }
    }
  }
  /// True if M0 is the base of an address in LDS.
  [[nodiscard]] bool is_at_m0() const { return access().address != vector::SharedAddress::vgpr; }
  /// True if M0 is used only as the base of a load to LDS.
  [[nodiscard]] bool is_base_of_lds() const {
    return instruction_.memory.lds && instruction_.memory.scalar != code::m0;
  }
  /// True if the location is M0 and is read only as the limit of LDS.
  [[nodiscard]] bool is_limit(const Location& location) const {
    const bool has_limit = row_.format == vector::Format::ds || row_.format == vector::Format::flat;
    return has_limit && !is_at_m0() && location.index == code::m0;
  }
  /// Reports M0 if its undefined bits determine which LDS accesses hardware performs.
  void check_lds_limit() {
    const Mask m0 = step_.shadow().scalar(code::m0);
    if (m0.bits == 0 || !vector::semantics::m0_limits_lds(step_.generation())) return;
    const u64 most = step_.wave().slots[code::m0] | m0.bits;
    const u64 least = most ^ m0.bits;
    bool decides = false;
    undefined::for_lanes(exec_, [&](u32 lane) {
      for (u32 number = 0; number < addresses_.pieces(); ++number) {
        const u64 needed = addresses_.piece(lane, number).least_m0;
        decides = decides || (least < needed && needed <= most);
      }
    });
    if (decides) step_.report({code::m0}, m0, {"the limit of LDS", Use::Kind::address});
  }
  [[nodiscard]] bool reaches_private_memory() const {
    bool result = false;
    undefined::for_lanes(exec_, [&](u32 lane) {
      for (u32 number = 0; number < addresses_.pieces(); ++number)
        result = result || addresses_.piece(lane, number).is_private;
    });
    return result;
  }
  /// Reports undefined bits of vector registers that are read for the address, not only as data.
  void check_address_lanes() {
    // The address register of a swizzle has the data.
    if (access().move == vector::LaneMove::swizzle) return;
    const u32 base = instruction_.memory.is_accumulator ? VectorRegisters::vgprs : 0;
    for (const Accesses::Lanes& read : accesses_.vectors_read) {
      const auto holds = [&](u32 first) { return read.number - (base + first) < access().data_dwords(); };
      const vector::MemoryOperands& operands = instruction_.memory;
      const bool is_data = (access().takes_data() && holds(operands.data)) ||
                           (access().takes_second_data() && holds(operands.second_data));
      const bool is_address = read.number - operands.address < core::address_registers(instruction_);
      const ShadowRow& row = step_.shadow().lanes(file_, read.number);
      u64 undefined = row.undefined & read.lanes;
      if (is_data && !is_address) continue;
      while (undefined != 0 && (row[first_lane(undefined)].bits & address_bits()) == 0) undefined &= undefined - 1;
      if (undefined == 0) continue;
      Mask mask = row[first_lane(undefined)];
      mask.bits &= address_bits();
      step_.report({state_index::vgprs + read.number * lane_count + first_lane(undefined)}, mask,
                   {"the address", Use::Kind::address});
    }
  }
  static u32 first_lane(u64 lanes) { return static_cast<u32>(std::countr_zero(lanes)); }
  /// The bits of an address register that have an effect. A permutation uses bits 7:2, and the lower ones if they can
  /// carry.
  [[nodiscard]] u32 address_bits() const {
    if (!access().moves_lanes()) return ~u32{0};
    return instruction_.memory.offset % 4 == 0 ? 0xfc : 0xff;
  }
  /// The address of the first dword if the dwords of all lanes are contiguous.
  [[nodiscard]] std::optional<u64> shadow_row(u32 number) const {
    if (exec_ == 0 || row_.access.bytes < 4) return std::nullopt;
    const std::optional<u64> row = addresses_.row(number);
    return row && Shadow::is_row(*row) ? row : std::nullopt;
  }
  void load_row(u64 row, u32 vector) {
    if (const ShadowRow* const data = step_.shadow().undefined_row(row))
      copy_row(*data, vector);
    else
      step_.shadow().define_lanes(vector, exec_);
  }
  void store_row(u64 row, u32 vector) {
    Shadow& shadow = step_.shadow();
    const ShadowRow& data = shadow.lanes(file_, vector);
    if ((data.undefined & exec_) == 0)
      shadow.define_dwords(row, exec_);
    else
      copy_row(data, shadow.own_row(row));
  }
  [[nodiscard]] Mask load(u64 address, u32 bytes) const {
    Mask mask;
    for (u32 i = 0; i < bytes; ++i) {
      const u64 at = address + i;
      const Mask dword = step_.shadow().dword(at & ~u64{3});
      mask.add({dword.bits >> (at % 4 * 8) & 0xff, dword.origin}, 8 * i);
    }
    return mask;
  }
  void store(u64 address, u32 bytes, const Mask& data) {
    for (u32 i = 0; i < bytes;) {
      const u64 at = address + i;
      const auto first = static_cast<u32>(at % 4);
      const u32 count = std::min(4 - first, bytes - i);
      const u32 written = (count == 4 ? ~u32{0} : (1U << (8 * count)) - 1) << (8 * first);
      const u64 dword = at - first;
      const Mask mask{data.bits >> (8 * i) << (8 * first) & written, data.origin};
      step_.shadow().set_dword(dword, step_.made_here(mask), written);
      i += count;
    }
  }

  std::optional<core::VectorFile> no_file_;    ///< for a wave without vector registers
  Mask unspecified_;                           ///< the memory that lanes of an atomic find, if their order decides it
  std::vector<std::pair<u64, u32>> modified_;  ///< addresses and new values of dwords, in the order of the lanes
  core::LaneAddresses addresses_;
};

}  // namespace

void propagate_lanes(ShadowStep& step, const vector::Instruction& instruction, const Accesses& accesses) {
  if (vector::row(instruction.insn).is_memory())
    LaneMemory(step, instruction, accesses).run();
  else
    Lanes(step, instruction, accesses).run();
}

}  // namespace salu::observe::undefined
