#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu::isa {

/// Checks a pattern for mnemonics. If neither a scalar instruction of a generation nor one of `others` matches it,
/// returns a message that suggests similar names. `kind`: the name of this group of instructions in the message.
std::optional<std::string> mnemonic_pattern_problem(std::string_view pattern, Generation generation,
                                                    std::span<const std::string_view> others = {},
                                                    std::string_view kind = "scalar instruction");

/// The mnemonics of a generation's vector instructions; those of the ALU also with the suffixes of their encodings.
std::vector<std::string> vector_mnemonics(Generation generation);

}  // namespace salu::isa
