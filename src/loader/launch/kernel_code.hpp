#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>

/// What the code of a kernel does, as far as its launch depends on it.
namespace salu::loader {

/// The bytes from `first` to `end` (exclusive).
struct ByteRange {
  u64 first = 0;
  u64 end = 0;
};

/// Returns true if a kernel loads some of these bytes relative to an address in a pair of user SGPRs. Scans the code
/// from the entry on, in the order of addresses, until the pair is written.
bool loads_from(const Program& program, u32 pair, const ByteRange& range);

/// Returns true if the code of a kernel contains a barrier. If it may call functions, all code counts.
bool has_barrier(const Program& program);

}  // namespace salu::loader
