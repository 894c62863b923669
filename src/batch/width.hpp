#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "batch/row_loop.hpp"

namespace salu::batch {

/// The instructions of the host that row loops are compiled for.
enum class Width : u8 {
  baseline,  ///< of every processor of its kind: SSE2
  avx2,      ///< x86-64-v3
  avx512,    ///< x86-64-v4
};

/// `baseline`, `avx2`, `avx512`.
std::string_view width_name(Width width);

/// Those that this build has and this processor can execute, the widest last.
const std::vector<Width>& widths();

/// The row loops of one of these.
const RowLoopTable& loops_for(Width width);

}  // namespace salu::batch
