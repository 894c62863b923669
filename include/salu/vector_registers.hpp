#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>

#include <array>
#include <memory>

namespace salu {

namespace core {
struct VectorBlocks;
class VectorFile;
}  // namespace core

/// The VGPRs of a wave, followed by its accumulation registers: 64 lanes of a dword each, zero and undefined until they
/// are written. Unwritten registers cost nothing, and copies share their contents until one of them is written. Copies
/// may be used from different threads.
class VectorRegisters {
 public:
  static constexpr u32 vgprs = 256;
  static constexpr u32 count = 2 * vgprs;  ///< a0 is number 256
  static_assert(state_index::vgprs + count * state_index::lanes == state_index::memory);
  using Lanes = std::array<u32, state_index::lanes>;

  /// True if a register may have been written; false if all are zero and undefined.
  [[nodiscard]] bool has_any() const { return blocks_ != nullptr; }
  /// True if a lane of a register has been written.
  [[nodiscard]] bool is_touched(u32 number) const { return defined(number) != 0; }
  /// All lanes of a register. Valid until this object is written or destroyed.
  [[nodiscard]] const Lanes& lanes(u32 number) const;
  /// The lanes that have been written, one bit each.
  [[nodiscard]] u64 defined(u32 number) const;
  /// Sets a lane and marks it defined.
  void write(u32 number, u32 lane, u32 value);
  /// Marks lanes (one bit each) as undefined.
  void undefine(u32 number, u64 lanes);

  /// True if all lanes have the same values and the same lanes are defined.
  friend bool operator==(const VectorRegisters& left, const VectorRegisters& right);

 private:
  friend class core::VectorFile;
  std::shared_ptr<core::VectorBlocks> blocks_;
};

}  // namespace salu
