#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <string>
#include <vector>

#include "equiv/side.hpp"
#include "isa/control_flow.hpp"
#include "observe/last_writers.hpp"

/// The trace of a run.
namespace salu::equiv {

/// The values that an instruction wrote to lanes of a vector register.
struct VectorResult {
  Location location;
  u64 lanes = 0;            ///< one bit per lane
  u64 digest = 0;           ///< of these lanes and their values
  std::vector<u32> values;  ///< their values, each once, ascending

  friend bool operator==(const VectorResult& left, const VectorResult& right) {
    return left.location == right.location && left.digest == right.digest && left.values == right.values;
  }
};

/// Lanes of a vector register that an instruction read.
struct VectorRead {
  Location location;
  u64 lanes = 0;  ///< one bit per lane
};

/// A copy of the parts of `TraceEvent` that are needed.
struct TracedStep {
  u64 wave = 0;  ///< its number, if several waves run
  u64 pc = 0;
  u64 next_pc = 0;
  isa::Flow flow = isa::Flow::next;
  std::string instruction;
  std::vector<LocationValue> read;
  std::vector<LocationValue> written;
  std::vector<VectorRead> vectors_read;
  std::vector<VectorResult> vectors_written;
  std::string effects;  ///< `s1=0x00000007 -> s0=0x00000008`

  /// True if the next address depends on values.
  [[nodiscard]] bool is_branch() const;
  /// True if another step writes the same values and continues at the same address.
  [[nodiscard]] bool does_the_same_as(const TracedStep& other) const {
    return wave == other.wave && pc == other.pc && next_pc == other.next_pc && written == other.written &&
           vectors_written == other.vectors_written;
  }
  /// True if it reads anything; otherwise it writes a constant.
  [[nodiscard]] bool reads_anything() const { return !read.empty() || !vectors_read.empty(); }
};

/// Traces the last run of a side, at most `most` steps. `writers` may observe it.
std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most, observe::LastWriters* writers = nullptr);

}  // namespace salu::equiv
