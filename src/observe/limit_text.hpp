#pragma once

#include <salu/integer.hpp>

#include <string>

namespace salu::observe {

/// What a stop by `step_limit` says.
inline std::string step_limit_text(u64 steps) { return "the limit of " + std::to_string(steps) + " steps is reached"; }

}  // namespace salu::observe
