#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <string>
#include <vector>

#include "equiv/side.hpp"
#include "isa/control_flow.hpp"
#include "observe/last_writers.hpp"

/// A run written down instruction by instruction.
namespace salu::equiv {

/// What an instruction left in a vector register, in the lanes that it wrote.
struct VectorResult {
  Location location;
  u64 lanes = 0;            ///< a bit a lane
  u64 digest = 0;           ///< of these lanes and what is in them
  std::vector<u32> values;  ///< what is in them, each once, ascending

  friend bool operator==(const VectorResult& left, const VectorResult& right) {
    return left.location == right.location && left.digest == right.digest && left.values == right.values;
  }
};

/// Lanes of a vector register that an instruction read.
struct VectorRead {
  Location location;
  u64 lanes = 0;  ///< a bit a lane
};

/// What `TraceEvent` says of an instruction, to keep.
struct TracedStep {
  u64 pc = 0;
  u64 next_pc = 0;
  isa::Flow flow = isa::Flow::next;
  std::string instruction;
  std::vector<LocationValue> read;
  std::vector<LocationValue> written;
  std::vector<VectorRead> vectors_read;
  std::vector<VectorResult> vectors_written;
  std::string effects;  ///< `s1=0x00000007 -> s0=0x00000008`

  /// Whether other values would have led elsewhere.
  [[nodiscard]] bool is_branch() const;
  /// Whether another step writes the same and goes on at the same place.
  [[nodiscard]] bool does_the_same_as(const TracedStep& other) const {
    return pc == other.pc && next_pc == other.next_pc && written == other.written &&
           vectors_written == other.vectors_written;
  }
  /// Whether it computes from something: else it writes a constant.
  [[nodiscard]] bool reads_anything() const { return !read.empty() || !vectors_read.empty(); }
};

/// The first steps of the run that the side made last, at most `most`. `writers` may look on.
std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most, observe::LastWriters* writers = nullptr);

}  // namespace salu::equiv
