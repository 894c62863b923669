#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu::isa {

/// What is wrong with a pattern for mnemonics when no scalar instruction of a generation, and none of the `others`, is
/// like it: a message that names those that may be meant. `kind`: what all of these are called.
std::optional<std::string> mnemonic_pattern_problem(std::string_view pattern, Generation generation,
                                                    std::span<const std::string_view> others = {},
                                                    std::string_view kind = "scalar instruction");

/// The mnemonics of a generation's vector instructions, those of the ALU also with the suffixes of their encodings.
std::vector<std::string> vector_mnemonics(Generation generation);

}  // namespace salu::isa
