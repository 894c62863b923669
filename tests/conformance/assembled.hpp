#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>

#include "conformance/llvm.hpp"

/// The output of salu's assembler for single lines.
namespace salu::conformance {

/// The words of a line with one instruction; nothing for an error.
std::optional<Words> assemble_line(Generation generation, const std::string& line);

bool same(const Words& a, const Words& b);
/// False if one of them is nothing.
bool same(const std::optional<Words>& a, const std::optional<Words>& b);

/// The words, or `an error`.
std::string show(const std::optional<Words>& words);

}  // namespace salu::conformance
