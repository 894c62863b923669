#pragma once

#include <salu/equivalence.hpp>

#include <string>

namespace salu::equiv {

/// Formats everything in `equivalence_text` except the verdict line.
std::string details_text(const EquivalenceReport& report, bool verbose);

}  // namespace salu::equiv
