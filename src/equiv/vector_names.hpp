#pragma once

#include <string>
#include <vector>

namespace salu::equiv {

/// Names of registers, with `v0` in place of `v0[0]` to `v0[63]`, one after the other.
std::vector<std::string> with_whole_vectors(const std::vector<std::string>& names);

}  // namespace salu::equiv
