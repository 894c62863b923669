#pragma once

#include "dap/arguments.hpp"

namespace salu::dap {

/// The properties and capabilities of the client.
struct ClientTraits {
  bool lines_start_at_1 = true;
  bool columns_start_at_1 = true;
  bool takes_invalidated = false;
  bool takes_memory = false;
  bool takes_progress = false;

  /// Converts a line number of the client to one from 1.
  [[nodiscard]] u32 line_from(u64 line) const;
  [[nodiscard]] u64 line_to(u32 line) const { return lines_start_at_1 ? line : line - 1; }
  /// Converts the lines of an answer from 1-based to those of the client.
  void adjust_lines(Json& json) const;
};

}  // namespace salu::dap
