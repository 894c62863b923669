#pragma once

#include <salu/vector_registers.hpp>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/vector/vector_op.hpp"
#include "core/wave.hpp"

namespace salu::batch {

/// A move of a dword between scalar and vector registers: results of functions, and spilled SGPRs.
struct LaneMove {
  enum class Kind : u8 {
    to_all,     ///< V_MOV_B32: to all active lanes
    to_lane,    ///< V_WRITELANE_B32
    from_lane,  ///< V_READLANE_B32, and V_READFIRSTLANE_B32 if EXEC is known
  };
  enum class Source : u8 { slot, literal, vector };
  Kind kind = Kind::to_all;
  u8 vgpr = 0;  ///< destination, or the source of `from_lane`
  u8 lane = 0;  ///< of `vgpr`
  u8 sdst = 0;  ///< destination SGPR
  Source source = Source::slot;
  u16 slot = 0;  ///< in core::Wave::slots
  u8 source_vgpr = 0;
  u32 literal = 0;

  /// The move that an instruction makes, or nothing for other instructions. `knows_exec`: EXEC is the same in all
  /// states throughout the run.
  static std::optional<LaneMove> of(const isa::vector::Instruction& instruction, const core::Wave& initial,
                                    bool knows_exec);
};

/// Tracks vector registers in which all active lanes have one value, except lanes that are accessed by number: the
/// initial values, and the lanes accessed by number.
class MovedVectors {
 public:
  explicit MovedVectors(const VectorRegisters& initial, u64 exec) : initial_(initial), exec_(exec) {}

  void add(const LaneMove& move);
  /// Must be called after all moves have been added.
  void settle();
  /// True if all active lanes of a register that are not accessed by number have one value.
  [[nodiscard]] bool is_uniform(u32 vgpr) const;
  [[nodiscard]] bool is_moved(u32 vgpr) const { return is_moved_[vgpr]; }
  [[nodiscard]] u64 exec() const { return exec_; }
  /// Lanes that have their own value.
  [[nodiscard]] u64 own_lanes(u32 vgpr) const { return own_lanes_[vgpr]; }
  [[nodiscard]] u32 initial(u32 vgpr, u32 lane) const { return initial_.lanes(vgpr)[lane]; }
  /// The initial value of the other lanes.
  [[nodiscard]] u32 initial(u32 vgpr) const;

 private:
  [[nodiscard]] u64 shared_lanes(u32 vgpr) const { return exec_ & ~own_lanes_[vgpr]; }

  const VectorRegisters& initial_;
  u64 exec_;
  std::array<u64, VectorRegisters::vgprs> own_lanes_{};
  std::array<bool, VectorRegisters::vgprs> is_moved_{};
  std::vector<std::pair<u8, u8>> copies_;  ///< from a register to another
};

}  // namespace salu::batch
