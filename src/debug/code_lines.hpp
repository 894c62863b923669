#pragma once

#include <salu/program.hpp>

#include <span>
#include <vector>

namespace salu::debug {

/// A source line that has code.
struct CodeLine {
  u32 line = 0;
  std::vector<u64> addresses;  ///< the first address of each contiguous range
};

/// The lines of some files (indices in `Program::files`) from `first` to `last` that have code, in order.
std::vector<CodeLine> code_lines(const Program& program, std::span<const u32> files, u32 first, u32 last);

}  // namespace salu::debug
