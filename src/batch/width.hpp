#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "batch/row_loop.hpp"

namespace salu::batch {

/// The host instruction sets for which row loops are compiled.
enum class Width : u8 {
  baseline,  ///< available on all processors: SSE2
  avx2,      ///< x86-64-v3
  avx512,    ///< x86-64-v4
};

/// `baseline`, `avx2`, `avx512`.
std::string_view width_name(Width width);

/// Those that this build contains and this processor can execute, the widest last.
const std::vector<Width>& widths();

/// The row loops for an instruction set.
const RowLoopTable& loops_for(Width width);

}  // namespace salu::batch
