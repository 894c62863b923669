#pragma once

#include <array>
#include <cstddef>
#include <tuple>

#include "core/vector/vector_file.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/table.hpp"
#include "observe/undefined/shadow_step.hpp"
#include "observe/undefined/word.hpp"

namespace salu::observe::undefined {

/// What of the results of lanes is undefined.
struct LaneResults {
  std::array<std::array<u32, state_index::lanes>, 2> dwords;  ///< of what goes to the destination
  std::array<OriginId, state_index::lanes> origins;           ///< 0 where all that the lane read is defined
  OriginId common = 0;                                        ///< of all lanes, in the place of `origins`; 0 is none
  bool has_origins = false;                                   ///< whether one of these says anything
  u32 width = 0;                                              ///< of the destination: 16, 32 or 64 bits, or none
  u64 mask = 0;                                               ///< the lanes' bits of the mask that is written

  [[nodiscard]] u64 value(u32 lane) const { return dwords[0][lane] | u64{dwords[1][lane]} << 32; }
  void set_value(u32 lane, u64 undefined) {
    dwords[0][lane] = static_cast<u32>(undefined);
    dwords[1][lane] = static_cast<u32>(undefined >> 32);
  }
  template <u32 n, bool s>
  void set(u32 lane, const Word<n, s>& word) {
    set_value(lane, word.undefined);
    width = n;
  }
  void set_bit(u32 lane, const Bit& bit) { mask |= u64{bit.undefined} << lane; }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return common != 0 ? common : origins[lane]; }
  /// Says lane by lane where they come from.
  void spell_out() {
    if (common != 0) origins.fill(common);
    common = 0;
  }
};

/// A dword of all lanes: its bits, and what of them is undefined.
struct LaneColumn {
  const u32* bits = nullptr;
  const u32* undefined = nullptr;
  const OriginId* origins = nullptr;  ///< of lanes that have an undefined bit
  OriginId common = 0;                ///< where all lanes have one, and all from one origin: this
  bool is_defined = false;            ///< where no lane has one
  u32 shift = 0;                      ///< of the half that is read as a word of 16 bits

  template <class T>
  [[nodiscard]] T word(u32 lane) const {
    if constexpr (WordTraits<T>::bits == 16)
      return T::of(bits[lane] >> shift, undefined[lane] >> shift);
    else
      return T::of(bits[lane], undefined[lane]);
  }
  /// 0 where all of the lane is defined.
  [[nodiscard]] OriginId origin_of(u32 lane) const { return undefined[lane] != 0 ? origins[lane] : 0; }
  /// Lanes of results that come from nowhere yet come from where this does, where it is undefined.
  void add_origins(LaneResults& results) const;
};
/// Two dwords.
struct LanePair {
  LaneColumn low;
  LaneColumn high;

  template <class T>
  [[nodiscard]] T word(u32 lane) const {
    return T::of(low.bits[lane] | u64{high.bits[lane]} << 32, low.undefined[lane] | u64{high.undefined[lane]} << 32);
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const {
    const OriginId origin = low.origin_of(lane);
    return origin != 0 ? origin : high.origin_of(lane);
  }
  void add_origins(LaneResults& results) const {
    low.add_origins(results);
    high.add_origins(results);
  }
};
/// The mask that is read.
struct LaneMask {
  u64 bits = 0;
  Mask undefined;

  [[nodiscard]] Bit bit(u32 lane) const { return {(bits >> lane & 1) != 0, (undefined.bits >> lane & 1) != 0}; }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return (undefined.bits >> lane & 1) != 0 ? undefined.origin : 0; }
  void add_origins(LaneResults& results) const;
};

/// The domain of `LaneStep` whose lanes have undefined bits.
class LaneDomain {
 public:
  /// `lanes`: for which `results` are computed.
  LaneDomain(ShadowStep& step, const isa::vector::Instruction& instruction, u64 lanes, LaneResults& results);

  [[nodiscard]] const isa::vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] bool is_packed() const { return row_.format == isa::vector::Format::vop3p; }
  LaneColumn dword(std::size_t i);
  LaneColumn half(std::size_t i, bool is_high) {
    LaneColumn column = dword(i);
    column.shift = is_high ? 16 : 0;
    return column;
  }
  LanePair pair(std::size_t i, bool extends_sign);
  LaneMask mask_source() {
    return {step_.wave().source(instruction_.mask_source, 2, 0), step_.source(instruction_.mask_source, 2)};
  }
  LaneColumn destination();
  template <auto function, class... Argument>
  void evaluate(const std::tuple<Argument...>& arguments, bool upper);
  void write_halves();
  template <class R>
  void write() {}

 private:
  /// What is not there as a column yet: a scalar, and what modifiers have made.
  struct Storage {
    std::array<u32, state_index::lanes> bits;
    std::array<u32, state_index::lanes> undefined;
    std::array<OriginId, state_index::lanes> origins;
  };
  static LaneColumn uniform(Storage& storage, u32 bits, const Mask& mask);
  LaneColumn vgpr(u32 number);
  LaneColumn modified(std::size_t i, const LaneColumn& column);

  ShadowStep& step_;
  const isa::vector::Instruction& instruction_;
  const isa::vector::InstructionInfo& row_;
  const core::VectorFile* file_;
  u64 lanes_;
  LaneResults& results_;
  LaneResults upper_;
  std::array<std::array<Storage, 2>, 3> storage_;
};

/// Computes lanes of an instruction.
using LaneFunction = void (*)(LaneDomain& domain);
/// The function of an instruction that computes with integers; null for all others.
LaneFunction lane_function(isa::vector::Insn insn);

}  // namespace salu::observe::undefined
