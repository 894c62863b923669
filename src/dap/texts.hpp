#pragma once

#include <salu/program.hpp>

#include <string>
#include <string_view>

#include "core/machine.hpp"
#include "debug/breakpoint.hpp"
#include "debug/expression.hpp"

/// How values and places read.
namespace salu::dap {

/// `0x0000042f`, `-3`, `1` for a field: a value of so many bits.
std::string value_text(const debug::Value& value, u32 width);
/// The same with what a reader may want to know beside it: `0x0000042f (1071)`, `0x0000000000001014 <then>`.
std::string explained(const debug::Expression& expression, const debug::Value& value, const Program& program);
/// `0x1008 <start+0x8>`.
std::string address_text(const Program& program, u64 address);
/// `8 lanes (0x0000000000005555)`.
std::string lanes_text(u64 mask);
/// Lane 0 at the left, in groups of eight: `1111.... ........ ...`.
std::string lanes_picture(u64 mask);
/// `s0: 0x00000001 -> 0x00000002 by 0x1018 <loop>: s_sub_u32 s0, s0, s1`.
std::string watch_text(const debug::Breakpoint& breakpoint, const debug::WatchHit& hit, const core::Machine& machine,
                       const Program& program);
/// `end_program at 0x1038 <outer_join+0x8> after 17 instructions`.
std::string stop_text(const Stop& stop, u64 position, const Program& program);

/// The address of an instruction or of memory as a client writes it: hexadecimal with `0x`, or decimal.
std::optional<u64> parse_reference(std::string_view text);
/// Whether a text is blank.
bool is_blank(std::string_view text);

}  // namespace salu::dap
