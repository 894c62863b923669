#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <string>
#include <vector>

#include "equiv/place.hpp"
#include "equiv/side.hpp"

/// A run written down instruction by instruction.
namespace salu::equiv {

/// A dword that instructions read and write, as a number: registers by operand code, then SCC and the rest, memory.
using Cell = u64;
inline constexpr Cell scc_cell = 200;
inline constexpr Cell memory_cells = u64{1} << 60;  ///< the first; a dword each
constexpr Cell memory_cell(u64 address) { return memory_cells + address / 4; }

/// A place that an instruction touched, with its value before it (read) or after it (written).
struct TracedValue {
  Location location;
  std::vector<u32> dwords;  ///< lowest first

  [[nodiscard]] Cell cell(std::size_t dword) const;
};

struct TracedStep {
  u64 pc = 0;
  std::string instruction;
  std::string reads;   ///< as in a trace of `salu run`
  std::string writes;  ///< the same; with `pc=` where it went elsewhere than on
  std::vector<TracedValue> read;
  std::vector<TracedValue> written;
  [[nodiscard]] bool is_branch() const;
};

/// The first steps of the run that the side made last, at most `most`.
std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most);

}  // namespace salu::equiv
