#pragma once

#include <salu/target.hpp>

#include <string_view>
#include <vector>

namespace salu::isa::vector {

/// True if a generation has a vector, memory or export instruction of this name (without suffix, in lower case) that
/// salu neither executes nor encodes.
bool is_unsupported(Generation generation, std::string_view name);

/// The names of all such instructions of a generation.
std::vector<std::string_view> unsupported_names(Generation generation);

}  // namespace salu::isa::vector
