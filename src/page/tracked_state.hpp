#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/state.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

/// What a page shows of a run, gathered while it goes on.
namespace salu::page {

/// One dword that an instruction wrote.
struct TrackedWrite {
  u32 index = 0;  ///< `state_index`
  u32 value = 0;
};

/// The scalar state as the trace tells of it, by `state_index`: what each instruction found, and what it left. STATUS
/// is without the bits that follow SCC, EXEC and VCC.
class TrackedState {
 public:
  explicit TrackedState(const WaveState& initial);

  /// Takes over what an instruction wrote. The registers that it wrote, valid until the next call.
  std::span<const TrackedWrite> apply(const TraceEvent& event);

  [[nodiscard]] u32 value(u32 index) const { return values_[index]; }
  [[nodiscard]] u64 pair(u32 index) const { return values_[index] | u64{values_[index + 1]} << 32; }
  [[nodiscard]] u64 exec() const { return pair(state_index::exec); }
  [[nodiscard]] u32 csp() const { return gcn::mode.csp.of(values_[state_index::mode]); }

 private:
  std::array<u32, state_index::scalar_count> values_{};
  std::vector<TrackedWrite> writes_;
};

/// `s4`, `vcc_lo`, `scc`, `mode`, ...
std::string tracked_name(Generation generation, u32 index);

/// Whether something had written the register before the run.
bool is_defined_at_start(const WaveState& initial, u32 index);

}  // namespace salu::page
