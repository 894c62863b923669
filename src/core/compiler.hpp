#pragma once

/// The only place for what is particular to a compiler: inlining hints and the means of fast dispatch.

#if defined(__OPTIMIZE__)
#define SALU_INLINE [[gnu::always_inline]] inline
#else
// Functions that hold every handler take minutes and a gigabyte to compile under sanitizers, and are no faster here.
#define SALU_INLINE inline
#endif

#if defined(__clang__)
#define SALU_HAS_TAIL_CALLS 1
#define SALU_MUSTTAIL [[clang::musttail]]
#else
#define SALU_HAS_TAIL_CALLS 0
#define SALU_MUSTTAIL
#endif

// For what seldom happens: whoever calls it keeps its registers.
#define SALU_NOINLINE [[gnu::noinline]]
