#pragma once

#include <string>

#include "loader/launch/inspection.hpp"

namespace salu::app {

/// The contents of an object as text.
std::string info_text(const loader::InspectedObject& object);

/// The contents of an object as one line of JSON (salu-info-v1, docs/reference/output-formats.md), with a line break.
std::string info_json(const loader::InspectedObject& object);

}  // namespace salu::app
