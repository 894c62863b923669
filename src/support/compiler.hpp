#pragma once

/// Everything that is particular to a compiler: inlining hints.

#if defined(__OPTIMIZE__)
#define SALU_INLINE [[gnu::always_inline]] inline
#else
// Functions that hold every handler take minutes and a gigabyte to compile under sanitizers, and are no faster here.
#define SALU_INLINE inline
#endif

// For what is large and stands in several places.
#if defined(__OPTIMIZE_SIZE__)
#define SALU_INLINE_UNLESS_SMALL inline
#else
#define SALU_INLINE_UNLESS_SMALL SALU_INLINE
#endif

// In front of a loop over lanes that stores each lane after all of the same lane has been read: what is stored to may
// be read from as well, but then it is the same array from its beginning. Clang warns where it cannot use that.
#if defined(__clang__)
#define SALU_LANE_BY_LANE \
  _Pragma("clang diagnostic ignored \"-Wpass-failed\"") _Pragma("clang loop vectorize(assume_safety)")
#else
#define SALU_LANE_BY_LANE _Pragma("GCC ivdep")
#endif

// For what seldom happens: whoever calls it keeps its registers.
#define SALU_NOINLINE [[gnu::noinline]]
