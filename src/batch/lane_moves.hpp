#pragma once

#include <salu/vector_registers.hpp>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/vector/vector_op.hpp"
#include "core/wave.hpp"

namespace salu::batch {

/// What moves a dword between scalar registers and vector registers: the results of functions, and spilled SGPRs.
struct LaneMove {
  enum class Kind : u8 {
    to_all,     ///< V_MOV_B32: into the lanes that are on
    to_lane,    ///< V_WRITELANE_B32
    from_lane,  ///< V_READLANE_B32, and V_READFIRSTLANE_B32 where it is known which lanes are on
  };
  enum class Source : u8 { slot, literal, vector };
  Kind kind = Kind::to_all;
  u8 vgpr = 0;  ///< that is written, or read by `from_lane`
  u8 lane = 0;  ///< of it
  u8 sdst = 0;  ///< SGPR that is written
  Source source = Source::slot;
  u16 slot = 0;  ///< of core::Wave::slots
  u8 source_vgpr = 0;
  u32 literal = 0;

  /// Of an instruction that is no more than that. `knows_exec`: EXEC is the same in all states, from first to last.
  static std::optional<LaneMove> of(const isa::vector::Instruction& instruction, const core::Wave& initial,
                                    bool knows_exec);
};

/// Vector registers of which all lanes that are on hold one value, but for those that are written and read by number:
/// what each of these is at first, and which lanes those are.
class MovedVectors {
 public:
  explicit MovedVectors(const VectorRegisters& initial, u64 exec) : initial_(initial), exec_(exec) {}

  void add(const LaneMove& move);
  /// Call it when all are added.
  void settle();
  /// Whether a register has one value in the lanes that are on and not looked at by number.
  [[nodiscard]] bool is_uniform(u32 vgpr) const;
  [[nodiscard]] bool is_moved(u32 vgpr) const { return is_moved_[vgpr]; }
  [[nodiscard]] u64 exec() const { return exec_; }
  /// Lanes that have a value of their own.
  [[nodiscard]] u64 own_lanes(u32 vgpr) const { return own_lanes_[vgpr]; }
  [[nodiscard]] u32 initial(u32 vgpr, u32 lane) const { return initial_.lanes(vgpr)[lane]; }
  /// Of the lanes that have none.
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
