#pragma once

#include "dap/arguments.hpp"

namespace salu::dap {

/// What the client is like, and wants to be told.
struct ClientTraits {
  bool lines_start_at_1 = true;
  bool columns_start_at_1 = true;
  bool takes_invalidated = false;
  bool takes_memory = false;
  bool takes_progress = false;

  /// A line of the client as one from 1.
  [[nodiscard]] u32 line_from(u64 line) const;
  [[nodiscard]] u64 line_to(u32 line) const { return lines_start_at_1 ? line : line - 1; }
  /// Lines in an object that was made for lines from 1.
  void adjust_lines(Json& json) const;
};

}  // namespace salu::dap
