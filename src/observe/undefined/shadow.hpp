#pragma once

#include <salu/location.hpp>
#include <salu/memory.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>
#include <salu/vector_registers.hpp>

#include <array>
#include <bit>
#include <bitset>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/vector/vector_file.hpp"
#include "observe/undefined/origins.hpp"

namespace salu::observe::undefined {

/// Dwords of the scalar part of a wave's state, by `state_index`.
using ScalarSet = std::bitset<state_index::scalar_count>;

/// The undefined bits of a dword, or of several dwords together, and their origin.
struct Mask {
  u64 bits = 0;
  OriginId origin = 0;

  /// Adds the mask of an adjacent part.
  void add(const Mask& other, u32 shift = 0) {
    if (bits == 0) origin = 0;
    if (other.bits != 0) origin = decisive(origin, other.origin);
    bits |= other.bits << shift;
  }
};

/// Calls `visit(lane)` for each lane of a mask.
template <class Visit>
void for_lanes(u64 lanes, const Visit& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<u32>(std::countr_zero(lanes)));
}

/// Calls `visit(index)` for each dword of a set.
template <class Visit>
void for_dwords(const ScalarSet& set, const Visit& visit) {
  constexpr u32 part = 64;
  for (u32 first = 0; first < state_index::scalar_count; first += part)
    for_lanes(((set >> first) & ScalarSet(~u64{0})).to_ullong(), [&](u32 bit) { visit(first + bit); });
}

/// The undefined bits of 64 dwords: the lanes of a vector register, or consecutive memory with one dword per lane.
struct ShadowRow {
  std::array<u32, state_index::lanes> masks{};
  std::array<OriginId, state_index::lanes> origins{};  ///< valid for lanes with an undefined bit
  u64 undefined = 0;                                   ///< lanes with an undefined bit
  OriginId common = 0;                                 ///< the value of all `origins`, if known

  [[nodiscard]] Mask operator[](u32 lane) const { return {masks[lane], origins[lane]}; }
  void set(u32 lane, const Mask& mask) {
    masks[lane] = static_cast<u32>(mask.bits);
    origins[lane] = mask.origin;
    if (mask.origin != common) common = 0;
    undefined = (undefined & ~(u64{1} << lane)) | u64{masks[lane] != 0} << lane;
  }
  /// Copies the written lanes from another row. `other_common`: the origin of all lanes, instead of `other_origins`; 0:
  /// unused.
  void copy(u64 written, const std::array<u32, state_index::lanes>& other_masks,
            const std::array<OriginId, state_index::lanes>& other_origins, OriginId other_common) {
    if (written == ~u64{0}) {
      if (other_common == 0)
        origins = other_origins;
      else if (other_common != common)
        origins.fill(other_common);
      common = other_common;
      u32 defined = 0;
      for (u32 lane = 0; lane < state_index::lanes; ++lane) {
        masks[lane] = other_masks[lane];
        defined += u32{other_masks[lane] == 0};
      }
      if (defined == 0 || defined == state_index::lanes) {
        undefined = defined == 0 ? written : 0;
        return;
      }
    } else {
      common = 0;
      for_lanes(written, [&](u32 lane) {
        masks[lane] = other_masks[lane];
        origins[lane] = other_origins[lane];
      });
    }
    undefined &= ~written;
    for_lanes(written, [&](u32 lane) { undefined |= u64{masks[lane] != 0} << lane; });
  }
  void define(u64 lanes) {
    for_lanes(undefined & lanes, [this](u32 lane) { masks[lane] = 0; });
    undefined &= ~lanes;
  }
};

/// The shadow of a wave and of memory: the undefined bits during a run.
class Shadow {
 public:
  /// The shadow at the start of a run: unwritten state is undefined.
  Shadow(const WaveState& initial, Origins& origins);

  // ---- the scalar state ----

  [[nodiscard]] const ScalarSet& touched() const { return touched_; }
  [[nodiscard]] Mask scalar(u32 index) const {
    return touched_.test(index) ? Mask{masks_[index], origins_[index]} : Mask{};
  }
  /// The mask of up to two dwords.
  [[nodiscard]] Mask scalars(u32 index, u32 dwords) const {
    Mask mask = scalar(index);
    if (dwords == 2) mask.add(scalar(index + 1), 32);
    return mask;
  }
  void set_scalar(u32 index, const Mask& mask) {
    auto bits = static_cast<u32>(mask.bits);
    if (index == state_index::scc) bits &= 1;
    touched_.set(index, bits != 0);
    if (bits == 0) return;
    masks_[index] = bits;
    origins_[index] = mask.origin;
  }
  void define(const ScalarSet& indices) { touched_ &= ~indices; }
  /// True if a dword with undefined bits has exactly these bits, with the same origin.
  [[nodiscard]] bool has(u32 index, const Mask& mask) const {
    return masks_[index] == mask.bits && origins_[index] == mask.origin;
  }
  /// Marks all of `written` as defined except `undefined`, whose masks `set_mask` must set afterwards.
  void define_but(const ScalarSet& written, const ScalarSet& undefined) {
    touched_ = (touched_ & ~written) | undefined;
  }
  void set_mask(u32 index, const Mask& mask) {
    masks_[index] = static_cast<u32>(mask.bits);
    origins_[index] = mask.origin;
  }

  // ---- vector registers ----

  /// The shadow of a vector register. `file` determines which lanes have been written. The reference is valid until
  /// lanes of the register are written.
  [[nodiscard]] const ShadowRow& lanes(const core::VectorFile* file, u32 number);
  /// The shadow of a vector register, for writing.
  [[nodiscard]] ShadowRow& own_lanes(const core::VectorFile* file, u32 number);
  /// Lanes of a register with an undefined bit.
  [[nodiscard]] u64 undefined_lanes(const core::VectorFile* file, u32 number) const {
    const ShadowRow* const lanes = find_lanes(number);
    return lanes != nullptr ? lanes->undefined : unwritten_lanes(file, number);
  }
  /// Treats unwritten lanes as defined.
  void take_unwritten_lanes_for_defined() { has_unwritten_lanes_ = false; }
  /// Marks lanes as written with defined values.
  void define_lanes(u32 number, u64 lanes);

  // ---- memory ----

  /// Makes a range undefined until it is written.
  void forget_memory(u64 base, u64 size_bytes, OriginId origin);
  [[nodiscard]] Mask dword(u64 address) const;
  /// Replaces the mask for the bits in `written`.
  void set_dword(u64 address, const Mask& mask, u32 written = ~u32{0});
  /// Returns which of the 64 dwords at an address have an undefined bit, as a mask; only dwords in `lanes` are tested.
  [[nodiscard]] u64 undefined_dwords(u64 address, u64 lanes) const;
  /// Marks the dwords in `lanes`, of the 64 dwords at an address, as written with defined values.
  void define_dwords(u64 address, u64 lanes);
  /// True if the 64 dwords at an address are a row of the shadow.
  [[nodiscard]] static bool is_row(u64 address) { return address % row_bytes == 0; }
  /// A row of memory, for writing.
  ShadowRow& own_row(u64 address);
  /// A row of memory, for reading; null if all of it is defined.
  [[nodiscard]] const ShadowRow* undefined_row(u64 address);
  /// A dword of memory that has undefined bits.
  struct Dword {
    u64 address = 0;
    Mask mask;
  };
  /// The dwords to which the program stored undefined bits, by address.
  [[nodiscard]] std::vector<Dword> undefined_dwords() const;
  /// True for memory with undefined initial contents.
  [[nodiscard]] bool began_undefined(u64 address) const { return range_of(address) != nullptr; }
  /// Exchanges the shadow of memory with that of another wave.
  void exchange_memory(Shadow& other) {
    std::swap(memory_, other.memory_);
    std::swap(ranges_, other.ranges_);
  }
  [[nodiscard]] bool is_memory_defined() const { return memory_.empty() && ranges_.empty(); }

 private:
  static constexpr u64 row_bytes = u64{4} * state_index::lanes;
  struct Range {
    u64 base = 0;
    u64 size_bytes = 0;
    OriginId origin = 0;
  };
  /// Lanes of a register that have not been written, if that makes them undefined.
  [[nodiscard]] u64 unwritten_lanes(const core::VectorFile* file, u32 number) const {
    if (!has_unwritten_lanes_) return 0;
    return file == nullptr ? ~u64{0} : ~file->defined(number);
  }
  /// Null if only unwritten lanes of the register are undefined.
  [[nodiscard]] const ShadowRow* find_lanes(u32 number) const {
    return entries_[number] == 0 ? nullptr : &vectors_[entries_[number] - 1U];
  }
  [[nodiscard]] const Range* range_of(u64 address) const;
  [[nodiscard]] bool is_in_range(u64 row) const;
  /// Null if only the ranges of undefined memory apply to the row.
  [[nodiscard]] const ShadowRow* find_row(u64 address) const;
  /// Drops a row that is completely defined.
  void tidy_row(u64 address);

  ScalarSet touched_;
  std::array<u32, state_index::scalar_count> masks_{};
  std::array<OriginId, state_index::scalar_count> origins_{};
  std::deque<ShadowRow> vectors_;                      ///< registers with more information than unwritten lanes
  std::array<u16, VectorRegisters::count> entries_{};  ///< index in `vectors_`, counted from 1, or 0
  ShadowRow all_unwritten_;
  bool has_unwritten_lanes_ = true;
  std::unordered_map<u64, ShadowRow> memory_;  ///< by address, if it differs from the ranges
  std::vector<Range> ranges_;
};

}  // namespace salu::observe::undefined
