#pragma once

#include <salu/program.hpp>

#include <string>

#include "debug/session.hpp"

/// Text of addresses and instructions, for all front ends.
namespace salu::debug {

/// `0x1008 <start+0x8>`.
std::string address_text(const Program& program, u64 address);
/// `0x1018 <loop>: s_sub_u32 s0, s0, s1`.
std::string instruction_text(const Session& session, u64 address);
/// `step 9`: the instruction that leads from position 8 to position 9, by the number that traces give it.
std::string step_text(u64 position_before);
/// The time of a change: `step 9` for an instruction, `position 8` for an edit between two instructions.
std::string moment_text(u64 position, bool is_edit);
/// `    // gcd.s:12`: the comment after an instruction; empty if its source line is unknown.
std::string source_note(const Program& program, u64 address);
/// `s0: 0x00000001 -> 0x00000002 by 0x1018 <loop>: s_sub_u32 s0, s0, s1`.
std::string watch_text(const Session& session, const Breakpoint& breakpoint, const WatchHit& hit);

}  // namespace salu::debug
