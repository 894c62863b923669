#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>

#include "conformance/llvm.hpp"

/// What salu's assembler makes of single lines, to compare.
namespace salu::conformance {

/// The words of a line that is one instruction; nothing where it is an error.
std::optional<Words> assemble_line(Generation generation, const std::string& line);

bool same(const Words& a, const Words& b);
/// False where one of them is nothing.
bool same(const std::optional<Words>& a, const std::optional<Words>& b);

/// The words, or `an error`.
std::string show(const std::optional<Words>& words);

}  // namespace salu::conformance
