#pragma once

#include "dap/arguments.hpp"
#include "dap/launch.hpp"

namespace salu::dap {

inline constexpr u64 most_disassembled = 16'384;

/// The rows of `disassemble`: `count` instructions, starting `offset` instructions after an address, or before it.
/// Bytes outside of code count as instructions of four bytes.
Json disassemble(const Debuggee& debuggee, u64 address, i64 offset, u64 count);

}  // namespace salu::dap
