#pragma once

#include <salu/state.hpp>

#include <string>

namespace salu::debug {

struct ConsoleContext;

/// Prints every written vector register: the selected lane of it, or the first lanes. `*` marks values that changed
/// since the last stop, a dash unwritten ones.
void show_vectors(const ConsoleContext& console, const WaveState& now);
/// Prints all lanes of vector registers. `letter`: a format of `print`, or 0.
void show_all_lanes(const ConsoleContext& console, const WaveState& now, const RegisterName& name, char letter = 0);

}  // namespace salu::debug
