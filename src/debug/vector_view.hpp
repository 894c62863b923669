#pragma once

#include <salu/state.hpp>

#include "debug/value_format.hpp"

namespace salu::debug {

struct ConsoleContext;

/// Prints every written vector register: the selected lane of it, or the first lanes. `*` marks values that changed
/// since the last stop, a dash unwritten ones. Fails for floats of 64 bits, which pairs of registers have.
bool show_vectors(const ConsoleContext& console, const WaveState& now, const ValueFormat& format = {});
/// Prints all lanes of vector registers. Fails for floats of 64 bits in an odd number of registers.
bool show_all_lanes(const ConsoleContext& console, const WaveState& now, const RegisterName& name,
                    const ValueFormat& format = {});

}  // namespace salu::debug
