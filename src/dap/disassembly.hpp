#pragma once

#include "dap/arguments.hpp"
#include "dap/launch.hpp"

namespace salu::dap {

inline constexpr u64 most_disassembled = 16'384;

/// `count` instructions for `disassemble`, the first of them so many instructions behind an address, or in front of it.
/// What is no instruction counts as one of four bytes.
Json disassemble(const Debuggee& debuggee, u64 address, i64 offset, u64 count);

}  // namespace salu::dap
