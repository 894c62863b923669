#pragma once

#include <salu/program.hpp>

#include <string>

#include "core/machine.hpp"
#include "debug/breakpoint.hpp"
#include "debug/expression.hpp"

/// How values and places read, for every front end.
namespace salu::debug {

/// `0x0000042f`, `-3`, `1` for a field: a value of so many bits; 0 bits: as many digits as it needs.
std::string value_text(const Value& value, u32 width);
/// `0x1008 <start+0x8>`.
std::string address_text(const Program& program, u64 address);
/// `8 lanes (0x0000000000005555)`.
std::string lanes_text(u64 mask);
/// `1 lane (0x0000000000000001) goes`: lanes that do something. `verb`: `go`, `have` or one that takes an s.
std::string lanes_do(u64 mask, std::string_view verb);
/// Lane 0 at the left, in groups of eight: `1111.... ........ ...`.
std::string lanes_picture(u64 mask);
/// `s0: 0x00000001 -> 0x00000002 by 0x1018 <loop>: s_sub_u32 s0, s0, s1`.
std::string watch_text(const Breakpoint& breakpoint, const WatchHit& hit, const core::Machine& machine,
                       const Program& program);

}  // namespace salu::debug
