#pragma once

#include <salu/state.hpp>

#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Reads `undefined:` of a scenario: registers, or bits of registers (`s5[7:0]`), that are undefined even if they have
/// a value.
void read_undefined_bits(const Document& document, const Node& list, Generation generation, WaveState& state);

}  // namespace salu::loader
