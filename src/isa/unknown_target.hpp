#pragma once

#include <string>
#include <string_view>

namespace salu::isa {

/// The error message for a name that `find_target` does not accept: a processor that salu does not support, or a
/// misspelt name with the nearest names.
std::string unknown_target(std::string_view name);

}  // namespace salu::isa
