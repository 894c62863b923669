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

/// Data of a page about a run, collected during the run.
namespace salu::page {

/// A dword written by an instruction.
struct TrackedWrite {
  u32 index = 0;  ///< `state_index`
  u32 value = 0;
};

/// The scalar state from the trace, by `state_index`: the inputs and results of each instruction. STATUS excludes the
/// bits that mirror SCC, EXEC and VCC.
class TrackedState {
 public:
  explicit TrackedState(const WaveState& initial);

  /// Applies the writes of an instruction. Returns them, valid until the next call.
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

/// True if the register was defined before the run.
bool is_defined_at_start(const WaveState& initial, u32 index);

}  // namespace salu::page
