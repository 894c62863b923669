#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <string>
#include <vector>

#include "equiv/place.hpp"
#include "equiv/side.hpp"
#include "observe/last_writers.hpp"

/// A run written down instruction by instruction.
namespace salu::equiv {

/// A dword that instructions read and write, as a number: registers by operand code, then SCC and the rest, memory.
using Cell = u64;
inline constexpr Cell scc_cell = 200;
inline constexpr Cell memory_cells = u64{1} << 60;  ///< the first; a dword each
constexpr Cell memory_cell(u64 address) { return memory_cells + address / 4; }

/// The cell of a dword of a place.
Cell cell(const Location& location, std::size_t dword);

/// What `TraceEvent` says of an instruction, to keep.
struct TracedStep {
  u64 pc = 0;
  std::string instruction;
  std::string reads;
  std::string writes;
  std::vector<LocationValue> read;
  std::vector<LocationValue> written;
  [[nodiscard]] bool is_branch() const;
};

/// The first steps of the run that the side made last, at most `most`. `writers` may look on.
std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most, observe::LastWriters* writers = nullptr);

}  // namespace salu::equiv
