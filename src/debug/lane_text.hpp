#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>

/// Text of lane masks, for all front ends.
namespace salu::debug {

/// `8 lanes (0x0000000000005555)`.
std::string lanes_text(u64 mask);
/// `1 lane (0x0000000000000001) goes`. `verb`: `go`, `have` or a verb that takes an s.
std::string lanes_do(u64 mask, std::string_view verb);
/// Lane 0 at the left, in groups of eight: `1111.... ........ ...`.
std::string lanes_picture(u64 mask, u32 lanes);
/// `s[2:3]`: the pair of SGPRs that holds a mask.
std::string pair_name(u32 first_sgpr);

}  // namespace salu::debug
