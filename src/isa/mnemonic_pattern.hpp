#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace salu::isa {

/// What is wrong with a pattern for mnemonics when no scalar instruction of a generation, and none of the `others`, is
/// like it: a message that names those that may be meant.
std::optional<std::string> mnemonic_pattern_problem(std::string_view pattern, Generation generation,
                                                    std::span<const std::string_view> others = {});

}  // namespace salu::isa
