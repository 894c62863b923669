#pragma once

#include <salu/state.hpp>

#include <string>

namespace salu::debug {

struct ConsoleContext;

/// Prints every vector register that has been written: the chosen lane of it, or its first ones. A `*` stands behind
/// what is another than at the last stop, a dash for what nothing has written.
void show_vectors(const ConsoleContext& console, const WaveState& now);
/// Prints all lanes of vector registers. `letter`: a format of `print`, or 0.
void show_all_lanes(const ConsoleContext& console, const WaveState& now, const RegisterName& name, char letter = 0);

}  // namespace salu::debug
