#pragma once

#include <array>
#include <concepts>
#include <cstring>
#include <string>

#include "core/interpreter.hpp"
#include "core/vector/lane_registers.hpp"
#include "core/vector/vector_file.hpp"
#include "core/vector/vector_op.hpp"
#include "isa/vector/semantics/half_floats.hpp"
#include "isa/vector/semantics/move.hpp"
#include "isa/vector/semantics/soft_float.hpp"
#include "isa/vector/semantics/values.hpp"
#include "isa/vector/table.hpp"
#include "support/compiler.hpp"

namespace salu::core {

inline constexpr u32 lane_count = state_index::lanes;

/// A dword for each lane.
struct alignas(64) LaneDwords {
  std::array<u32, lane_count> values;
  [[nodiscard]] u32* data() { return values.data(); }
};

/// A dword of each lane of a source, or its half in the low 16 bits.
struct LaneColumn {
  const u32* lanes;
  template <class T>
  [[nodiscard]] SALU_INLINE T word(u32 lane) const {
    if constexpr (std::same_as<T, isa::vector::F32>)
      return {lanes[lane]};
    else if constexpr (std::same_as<T, isa::vector::F16>)
      return {static_cast<u16>(lanes[lane])};
    else
      return static_cast<T>(lanes[lane]);
  }
};
/// The low and high dwords of a 64-bit source.
struct LanePair {
  const u32* low;
  const u32* high;
  template <class T>
  [[nodiscard]] SALU_INLINE T word(u32 lane) const {
    const u64 value = low[lane] | u64{high[lane]} << 32;
    if constexpr (std::same_as<T, isa::vector::F64> || std::same_as<T, isa::vector::WideDestination>)
      return {value};
    else
      return static_cast<T>(value);
  }
};
/// A source of a mixed instruction: a 32-bit float, or a half of a register.
struct LaneMixed {
  const u32* lanes;
  u32 shift;  ///< of a half
  bool is_half;
  bool negate;
  bool absolute;
  template <class T>
  [[nodiscard]] SALU_INLINE T word(u32 lane) const {
    return {is_half ? lanes[lane] >> shift & 0xffff : lanes[lane], is_half, negate, absolute};
  }
};
/// The two 16-bit floats of a source.
struct LaneHalves {
  const u32* low;   ///< in the low bits
  const u32* high;  ///< in the low bits
  template <class T>
  [[nodiscard]] SALU_INLINE T word(u32 lane) const {
    return {{static_cast<u16>(low[lane])}, {static_cast<u16>(high[lane])}};
  }
};
/// One bit per lane.
struct LaneMask {
  u64 mask;
  [[nodiscard]] SALU_INLINE bool bit(u32 lane) const { return (mask >> lane & 1) != 0; }
};

/// The operands and destinations of a vector ALU instruction: everything except the computation.
class LaneFrame {
 public:
  SALU_INLINE LaneFrame(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc)
      : interpreter_(interpreter),
        file_(interpreter.vector_file()),
        op_(op),
        instruction_(vector.instruction),
        row_(isa::vector::row(vector.instruction.insn)),
        exec_(interpreter.wave.pair(state_index::exec)),
        scc_(scc),
        is_plain_(vector.is_plain && !interpreter.wave.gpr_idx_on()) {
    if (instruction_.form == isa::vector::Form::dpp) [[unlikely]]
      select_lanes();
  }

  [[nodiscard]] const isa::vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const isa::vector::InstructionInfo& row() const { return row_; }
  /// The lanes that are written: EXEC, with DPP some of its lanes.
  [[nodiscard]] u64 exec() const { return exec_; }
  [[nodiscard]] u32 m0() const;
  /// MODE for 32-bit floats; exceptions of a lane are recorded in the frame.
  [[nodiscard]] isa::vector::FloatMode float_mode();
  /// MODE for 16-bit and 64-bit floats.
  [[nodiscard]] isa::vector::WideFloatMode wide_float_mode();

  // ---- sources ----

  /// Source `i` in all lanes, with its modifiers applied. Valid for the lifetime of the frame.
  SALU_INLINE LaneColumn dword(std::size_t i) {
    const isa::vector::Source& source = instruction_.sources[i];
    return {is_plain_ && source.is_vgpr() ? file_.lanes(source.code - isa::vector::first_vgpr) : any_dword(i)};
  }
  /// True if a function computes a half of the result.
  [[nodiscard]] bool is_packed() const { return (row_.modifiers & isa::vector::modifier::packed) != 0; }
  /// A half of source `i`, in the low bits. `upper`: for the upper half of a packed result.
  LaneColumn half(std::size_t i, bool upper);
  /// A dword of source `i` of a packed instruction on 32-bit floats; for other instructions the source.
  LaneColumn half_of_pair(std::size_t i, bool upper);
  LaneMixed mixed(std::size_t i);
  LaneHalves halves(std::size_t i);
  LanePair pair(std::size_t i, bool extends_sign);
  /// A source with one value for all lanes: a scalar register or a constant, or lane 0 of a VGPR.
  u32 scalar_source(std::size_t i);
  /// The mask source: VCC or an SGPR pair.
  LaneMask mask_source();
  /// The old values of the destination.
  [[nodiscard]] LaneColumn destination() const;
  [[nodiscard]] LanePair wide_destination() const;

  // ---- results ----

  /// The lanes of the destination if all of them are written unchanged; null otherwise.
  SALU_INLINE u32* whole_destination() {
    if (!is_plain_ || ~exec_ != 0) return nullptr;
    return file_.own_whole(instruction_.destination);
  }
  SALU_INLINE void write32(const u32* values) {
    if (u32* const lanes = whole_destination()) {
      std::memcpy(lanes, values, sizeof(VectorRegisters::Lanes));
    } else {
      write_any32(values);
    }
  }
  /// Writes floats, after the output modifiers.
  void write_floats(LaneDwords& values);
  void write_floats(LaneDwords& low, LaneDwords& high);
  void write_half_floats(LaneDwords& values);
  void write_packed_floats(LaneDwords& low, LaneDwords& high);
  void write_packed_half_floats(LaneDwords& low, LaneDwords& high);
  /// Writes 16-bit results to halves of the destination (`isa::vector::result_half`).
  void write16(const u32* values);
  /// Writes two halves that were computed separately.
  void write_halves(const u32* low, const u32* high);
  void write64(const u32* low, const u32* high);
  /// Writes the destination mask; inactive lanes are 0. V_CMPX also writes EXEC.
  void write_mask(u64 mask);
  void write_scalar(u32 value);
  void write_lane(u32 lane, u32 value);
  void write_source(const u32* values);
  /// Copies between two registers, at these distances from the encoded ones.
  void move_relative(u32 source_distance, u32 destination_distance);
  /// Exchanges lanes of the destination and the first source.
  void exchange_lanes(isa::vector::Exchange exchange);

  // ---- exceptions ----

  /// Records the exceptions that a lane has raised, if it is active.
  SALU_INLINE void end_lane(u32 lane) {
    exceptions_ |= (exec_ >> lane & 1) != 0 ? lane_exceptions_ : 0;
    lane_exceptions_ = 0;
  }
  /// Raises the exceptions of all lanes.
  void raise() { interpreter_.raise(exceptions_); }

  /// The op to continue with.
  const MicroOp* next() { return interpreter_.after_warning(op_, op_ + instruction_.dwords); }

 private:
  /// MODE for floats, with the fields FP_ROUND and FP_DENORM that begin at these bits.
  [[nodiscard]] isa::vector::FloatMode float_mode(u32 round_bit, u32 denormal_bit);
  void select_lanes();
  /// A dword of the source lanes of DPP.
  [[nodiscard]] const u32* moved(const u32* lanes, LaneDwords& buffer) const;
  const u32* any_dword(std::size_t i);
  const u32* half_constant(std::size_t i);
  [[nodiscard]] u32 packed_scalar(std::size_t i, u32 number);
  /// Applies the output modifiers to floats of format `F`.
  template <class F>
  void modify(LaneDwords& values, const isa::vector::FloatMode& mode);
  void write_any32(const u32* values);
  [[nodiscard]] std::string last_vgpr() const;
  /// Returns v0, with a warning, for `no_register`.
  [[nodiscard]] u32 existing_source(u32 number) const;
  /// Warns about `no_register`.
  [[nodiscard]] u32 existing_destination(u32 number) const;
  [[nodiscard]] u32 aligned_pair(u32 number) const;
  [[nodiscard]] u32 vgpr_of_source(std::size_t i, u32 dwords) const;
  [[nodiscard]] u32 destination_number(u32 dwords) const;
  const u32* broadcast(std::size_t buffer, u32 value);
  u64 scalar_value(std::size_t i, u32 dwords, bool extends_sign);
  void store(u32 number, const u32* values, u64 lanes);

  Interpreter& interpreter_;
  VectorFile& file_;
  const MicroOp* op_;
  const isa::vector::Instruction& instruction_;
  const isa::vector::InstructionInfo& row_;
  u64 exec_;
  u32 scc_;
  u32 lane_exceptions_ = 0;
  u32 exceptions_ = 0;                 ///< exceptions of all active lanes
  bool is_plain_;                      ///< the instruction is plain, and M0 does not move its registers
  isa::vector::DppLanes dpp_lanes_;    ///< not initialised without DPP
  std::array<LaneDwords, 6> buffers_;  ///< two per source; not initialised until used
  std::array<LaneDwords, 3> halves_;   ///< upper halves of sources; likewise
};

}  // namespace salu::core
