#pragma once

#include <map>
#include <string>

#include "semantics/vector_reference.hpp"

namespace salu::test {

using Models = std::map<std::string, LaneModel, std::less<>>;

/// Adds the models of instructions on 16-bit floats: results that are exact in double precision, rounded once.
void add_half_floats(Models& models);

}  // namespace salu::test
