#pragma once

/// Compiler-specific attributes, pragmas and types.

#if defined(__OPTIMIZE__)
#define SALU_INLINE [[gnu::always_inline]] inline
#else
// Forced inlining into the functions with all handlers takes minutes and a gigabyte to compile with sanitizers, and
// gains nothing in unoptimised builds.
#define SALU_INLINE inline
#endif

// For large functions with several callers.
#if defined(__OPTIMIZE_SIZE__)
#define SALU_INLINE_UNLESS_SMALL inline
#else
#define SALU_INLINE_UNLESS_SMALL SALU_INLINE
#endif

// Precedes a loop over lanes that stores each lane after all its reads of the same lane. The destination may be one of
// the sources, but then both are the same array from its beginning. Clang warns if it cannot vectorise the loop.
#if defined(__clang__)
#define SALU_LANE_BY_LANE \
  _Pragma("clang diagnostic ignored \"-Wpass-failed\"") _Pragma("clang loop vectorize(assume_safety)")
#else
#define SALU_LANE_BY_LANE _Pragma("GCC ivdep")
#endif

// For rarely executed code, so that the caller does not have to spill registers for it.
#define SALU_NOINLINE [[gnu::noinline]]

namespace salu {
/// An integer of 128 bits. It is not an integer type of the C++ standard, so that the functions of `<bit>` reject it.
__extension__ using u128 = unsigned __int128;
}  // namespace salu
