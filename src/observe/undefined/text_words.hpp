#pragma once

#include "observe/undefined/word.hpp"

/// What types of words are called in the text of semantic functions when it is compiled for words some of whose bits
/// are undefined.
namespace salu::observe::undefined::text {

using b1 = Bit;
using u8 = Word<8, false>;
using u16 = Word<16, false>;
using u32 = Word<32, false>;
using u64 = Word<64, false>;
using i8 = Word<8, true>;
using i16 = Word<16, true>;
using i32 = Word<32, true>;
using i64 = Word<64, true>;

}  // namespace salu::observe::undefined::text
