#pragma once

#include <string>

#include "loader/launch/inspection.hpp"

namespace salu::app {

/// What an object holds, for people.
std::string info_text(const loader::InspectedObject& object);

/// The same as one JSON object (salu-info-v1, docs/reference/output-formats.md), with a line break behind it.
std::string info_json(const loader::InspectedObject& object);

}  // namespace salu::app
