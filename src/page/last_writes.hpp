#pragma once

#include <salu/event.hpp>
#include <salu/integer.hpp>
#include <salu/location.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace salu::page {

/// The last write of a place.
struct LastWrite {
  u64 step = 0;  ///< 0: never written, or not recorded
  u64 pc = 0;
  std::optional<u64> wave{};  ///< the wave that wrote, if memory is that of several
};

/// Records the last write of every dword of the state, and of memory up to a limit.
class LastWrites {
 public:
  static constexpr std::size_t most_memory_dwords = std::size_t{1} << 16;

  void see(const TraceEvent& event);
  /// Notes only writes to memory, and the wave.
  void see_memory(const TraceEvent& event);

  /// The last write to any dword of a place.
  [[nodiscard]] LastWrite of(const Location& place) const;

 private:
  void see_memory(const Location& place, LastWrite write);

  std::array<LastWrite, state_index::scalar_count> scalars_{};
  std::vector<LastWrite> lanes_;  ///< of vector registers, from `state_index::vgprs` on; empty until one is written
  std::unordered_map<u64, LastWrite> memory_;  ///< by address / 4
};

}  // namespace salu::page
