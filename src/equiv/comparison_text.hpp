#pragma once

#include <salu/equivalence.hpp>

#include <string>

namespace salu::equiv {

/// All of `equivalence_text` but the line that says what came of it.
std::string details_text(const EquivalenceReport& report, bool verbose);

}  // namespace salu::equiv
