#pragma once

#include <string>
#include <vector>

namespace salu::equiv {

/// Replaces consecutive names `v0[0]` to `v0[63]` by `v0`.
std::vector<std::string> with_whole_vectors(const std::vector<std::string>& names);

}  // namespace salu::equiv
